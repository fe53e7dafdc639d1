"""Standard errors and intervals of estimates from sampled judgments."""

from itertools import product

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.columns.sampled import sampled_list
from cranfield.measures.families.incomplete.sampled import sample_of
from cranfield.measures.grammar import parse
from cranfield.missing.sampled.errors import RESAMPLED
from cranfield.missing.sampled.linearised import stat_ap_variance, stat_ndcg_variance, variance_of_sum
from cranfield.missing.sampled.resampling import resamples
from cranfield.read.objects import as_qrels
from tests.measures.worked import SIX

RANKED = [(1, 0.9), (0, 0.8), (1, 0.7), (1, 0.6), (0, 0.5), (1, 0.5), (0, 0.4), (1, 0.3)]
MISSED = [(1, 0.3), (0, 0.2)]


def independent(sample):
    grades = [x if drawn else -1 for (x, _), drawn in zip(RANKED + MISSED, sample, strict=True)]
    return sampled_list(grades[:8], grades[8:], probabilities=[p for _, p in RANKED + MISSED])


def world(topics=3, documents=80, seed=5, strata="1-20:1,21-80:0.5"):
    """The truth, two runs, and the frame of a stratified sample."""
    rng = np.random.default_rng(seed)
    names = [f"d{n:03}" for n in range(documents)]
    truth = {
        str(t): {d: int(rng.random() < 0.6 * np.exp(-n / 40)) * int(rng.integers(1, 3)) for n, d in enumerate(names)}
        for t in range(topics)
    }
    runs = {
        name: {t: [names[n] for n in np.argsort(np.arange(documents) + rng.normal(0, noise, documents))] for t in truth}
        for name, noise in (("good", 5), ("bad", 50))
    }
    pooled = cf.pool(runs, depth=documents, strategy="sample", strata=strata, seed=seed)
    return truth, runs, pooled.frame(as_qrels(truth))


def test_the_variance_of_the_worked_sample():
    hits = independent([1, 1, 1, 0, 1, 1, 0, 0, 1, 0])
    assert stat_ap_variance(hits)[0] == pytest.approx(0.030572, abs=SIX)


def test_in_ten_documents_the_linearised_variance_is_far_too_small():
    chances = np.array([p for _, p in RANKED + MISSED])
    weights, values, variances = [], [], []
    for sample in product([0, 1], repeat=10):
        hits = independent(sample)
        if np.isnan(value := parse("statAP")(hits)[0]):
            continue
        weights.append(float(np.prod(np.where(sample, chances, 1 - chances))))
        values.append(value)
        variances.append(stat_ap_variance(hits)[0])
    mean = np.average(values, weights=weights)
    assert np.average((values - mean) ** 2, weights=weights) == pytest.approx(0.0424, abs=5e-5)
    assert np.average(variances, weights=weights) == pytest.approx(0.0182, abs=5e-5)


def test_the_variance_of_a_sum_is_unbiased_for_both_ways_of_drawing():
    z, chances = np.array([1.0, 0.5, 2.0, 0.0]), np.array([0.5, 0.4, 0.8, 0.3])
    total = [0.0, 0.0]
    for sample in product([0, 1], repeat=4):
        weight = np.prod(np.where(sample, chances, 1 - chances))
        hits = sampled_list([1 if drawn else -1 for drawn in sample], probabilities=chances.tolist())
        table = sample_of(hits)
        if np.isnan(table.together).all() or not any(sample):
            total[0] += weight * variance_of_sum(table, z, 1)[0]
    assert total[0] == pytest.approx(np.sum((1 - chances) / chances * z**2), rel=1e-9)
    drawn = [(a, b) for a in range(4) for b in range(a)]
    tables = [sample_of(sampled_list([1 if n in pair else -1 for n in range(4)], strata=[0] * 4)) for pair in drawn]
    sums = [2 * z[list(pair)].sum() for pair in drawn]
    assert np.mean([variance_of_sum(table, z, 1)[0] for table in tables]) == pytest.approx(np.var(sums), rel=1e-9)


def test_nothing_varies_where_everything_was_judged():
    truth, runs, _ = world()
    frame = cf.pool(runs, depth=80, strategy="sample", rate=1.0).frame(as_qrels(truth))
    found = cf.sampling_errors(frame, runs, ["xinfAP", "infNDCG@10", "statAP", "statNDCG@10"], draws=50)
    np.testing.assert_allclose(found.mean_errors, 0, atol=1e-9)
    np.testing.assert_allclose(found.mean_intervals[..., 0], found.scores.means, atol=1e-9)


@pytest.mark.parametrize(
    "name", ["xinfAP", "infAP", "infNDCG", "infNDCG@7", "infNDCG(ideal='fractional', dcg='exp-log2')@9"]
)
def test_the_sample_itself_as_a_resample_gives_the_estimate(name):
    _, runs, frame = world()
    measure = parse(name)
    hits = sampled_list([2, -1, 0, None, 1, 1, -1, 0, 2], [1, -1, 0], strata=[0, 1, 0, 0, 1, 1, 0, 1, 0, 1, 1])
    if name == "infAP":
        hits = sampled_list([2, -1, 0, None, 1, 1, -1, 0, 2], [1, -1, 0])
    whole = sample_of(hits).judged.astype(float)[None]
    values = RESAMPLED[measure.definition.name](hits, **measure.arguments)(whole)
    assert values[0, 0] == pytest.approx(measure(hits)[0], rel=1e-12)
    assert len(frame) > len(runs)


def test_a_resample_draws_as_many_documents_of_every_stratum():
    hits = sampled_list([1, 0, -1, -1, 1, 1], strata=[0, 0, 0, 0, 1, 1])
    drawn = np.concatenate(list(resamples(sample_of(hits), 60, np.random.default_rng(1))))
    assert drawn.shape == (60, 6)
    assert (drawn[:, :4].sum(axis=1) == 2).all()
    assert (drawn[:, 2:4] == 0).all()
    assert set(drawn[:, 0].tolist()) == {0.0, 1.0, 2.0}
    assert (drawn[:, 4:] == 1).all()  # judged in full


def test_the_variance_of_a_mean_is_that_of_its_topics():
    _, runs, frame = world()
    found = cf.sampling_errors(frame, runs, ["statAP", "statNDCG@20"])
    np.testing.assert_allclose(found.mean_errors, np.sqrt((found.errors**2).sum(axis=1)) / 3, rtol=1e-12)
    z = 1.959963984540054
    np.testing.assert_allclose(
        found.mean_intervals[..., 1], np.minimum(found.scores.means + z * found.mean_errors, 1), rtol=1e-12
    )
    drawn = cf.sampling_errors(frame, runs, "xinfAP", draws=400)
    np.testing.assert_allclose(drawn.mean_errors[:, 0], np.sqrt((drawn.errors[..., 0] ** 2).sum(axis=1)) / 3, rtol=0.15)


def test_the_interval_of_a_mean_lies_around_it_although_resamples_lie_above():
    _, runs, frame = world(topics=12, seed=8)
    found = cf.sampling_errors(frame, runs, ["xinfAP", "infNDCG@20"], draws=200)
    z = 1.959963984540054
    np.testing.assert_allclose(found.mean_intervals[..., 0], found.scores.means - z * found.mean_errors, rtol=1e-12)
    np.testing.assert_allclose(found.mean_intervals[..., 1], found.scores.means + z * found.mean_errors, rtol=1e-12)


def test_a_topic_with_few_sampled_relevant_documents_has_no_interval():
    _, runs, frame = world(topics=2)
    few = cf.Qrels(
        frame.topics,
        frame.topic,
        frame.document,
        np.where((frame.topic == 1) & (frame.grade > 0) & (np.arange(len(frame)) % 3 > 0), 0, frame.grade),
        stratum=frame.stratum,
        probability=frame.probability,
    )
    found = cf.sampling_errors(few, runs, ["xinfAP", "statAP"], draws=60)
    assert (found.sampled[0] >= 10).all()
    assert (found.sampled[1] < 10).all()
    assert not np.isnan(found.intervals[:, 0]).any()
    assert np.isnan(found.intervals[:, 1]).all()
    assert not np.isnan(found.errors).any()
    assert "1 topic with fewer than 10 sampled relevant documents" in repr(found)


def test_one_judged_document_of_a_larger_stratum_hides_its_error():
    _, runs, frame = world(topics=1, strata="1-50:1,51-80:0.01")
    found = cf.sampling_errors(frame, runs, ["xinfAP", "statAP"], draws=60)
    assert np.isnan(found.mean_errors).all()
    assert "one document alone was judged of a larger stratum" in repr(found)


def test_a_topic_without_sampled_relevant_documents_counts_as_evaluate_counts_it():
    _, runs, frame = world(topics=2)
    none = cf.Qrels(
        frame.topics,
        frame.topic,
        frame.document,
        np.where((frame.topic == 1) & (frame.grade > 0), 0, frame.grade),
        stratum=frame.stratum,
        probability=frame.probability,
    )
    found = cf.sampling_errors(none, runs, ["xinfAP", "statAP"], draws=60)
    np.testing.assert_array_equal(found.scores.means, cf.evaluate(none, runs, ["xinfAP", "statAP"]).means)
    np.testing.assert_allclose(found.mean_errors[:, 1], found.errors[:, 0, 1] / 2, rtol=1e-12)
    assert "1 topic without a sampled relevant document" in repr(found)


def test_the_same_seed_gives_the_same_errors_and_runs_share_the_draws():
    _, runs, frame = world()
    first, again = (cf.sampling_errors(frame, runs, "infNDCG@10", draws=60, seed=4) for _ in range(2))
    np.testing.assert_array_equal(first.mean_intervals, again.mean_intervals)
    alone = cf.sampling_errors(frame, {"bad": runs["bad"]}, "infNDCG@10", draws=60, seed=4)
    np.testing.assert_array_equal(first.mean_intervals[1], alone.mean_intervals[0])


def test_other_measures_and_orders_are_refused():
    _, runs, frame = world(topics=1)
    with pytest.raises(cf.PolicyError, match="AP does not estimate from a sample"):
        cf.sampling_errors(frame, runs, "AP")
    with pytest.raises(cf.PolicyError, match="a sampling error needs one order"):
        cf.sampling_errors(frame, runs, "xinfAP", ties="expected")
    with pytest.raises(cf.PolicyError, match="draws=1"):
        cf.sampling_errors(frame, runs, "xinfAP", draws=1)


def test_statndcg_does_not_vary_with_documents_below_the_cut_off_that_change_no_ideal():
    hits = sampled_list([2, 2, 0, 0], [0], probabilities=[1.0, 1.0, 0.5, 0.5, 0.5])
    assert stat_ndcg_variance(hits, cutoff=2)[0] == 0
