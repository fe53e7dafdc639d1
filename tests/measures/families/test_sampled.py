"""Worked numbers of the estimators for sampled judgments, and their means over all samples."""

from itertools import combinations, product

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.columns.sampled import sampled_list
from cranfield.measures.families.gain import worth
from cranfield.measures.families.incomplete.sampled import estimated_relevant, sample_of, weight_above
from cranfield.measures.grammar import parse
from cranfield.read.objects import as_qrels
from cranfield.tables.text import Text
from tests.measures.worked import FOUR, SIX

GRADES = {"a": 2, "b": 0, "c": 1, "d": 0, "e": 1, "f": 2, "g": 0, "h": 1}
RUN = "abecxfgdh"  # x was never pooled
FIRST = "abc"  # the stratum that was judged in full


def stratified(sample: str):
    """The hits of the worked run where this part of the second stratum was judged."""
    found = [None if d == "x" else GRADES[d] if d in FIRST + sample else -1 for d in RUN]
    return sampled_list(found, strata=[int(d not in FIRST) for d in RUN if d != "x"])


def value(name, hits):
    return float(parse(name)(hits)[0])


def estimated(hits, attribute="share"):
    """The estimated number of relevant documents, and the estimated discounted gain."""
    table = sample_of(hits)
    rate = getattr(table, attribute)
    gained = hits.sum(worth(hits.grade, hits.rank, dcg="log2") / rate[hits.document])
    return estimated_relevant(table, rate, 1, 1)[0], gained[0]


def test_the_worked_stratified_sample():
    hits = stratified("efg")
    assert estimated(hits) == pytest.approx((5.333333, 4.451367), abs=SIX)
    assert value("xinfAP", hits) == pytest.approx(0.744791, abs=SIX)
    assert value("infNDCG", hits) == pytest.approx(0.818929, abs=SIX)
    assert value("infNDCG(ideal='fractional')", hits) == pytest.approx(0.884707, abs=SIX)
    assert 4.451367 / value("infNDCG", hits) == pytest.approx(5.435596, abs=1e-5)


def test_the_worked_stratified_pool_judged_in_full():
    hits = stratified("defgh")
    assert value("AP", hits) == pytest.approx(0.727778, abs=SIX)
    assert value("nDCG", hits) == pytest.approx(0.861277, abs=SIX)
    assert estimated(hits) == pytest.approx((5, 3.944121), abs=SIX)


def test_the_means_over_all_samples_of_the_worked_stratum():
    samples = [stratified("".join(sample)) for sample in combinations("defgh", 3)]
    assert len(samples) == 10
    np.testing.assert_allclose(
        np.mean([estimated(hits) for hits in samples], axis=0), (5, value("DCG", stratified("defgh"))), atol=1e-9
    )
    for name, mean in {
        "xinfAP": 0.706688,
        "infNDCG": 0.843052,
        "infNDCG(ideal='fractional')": 0.878134,
    }.items():
        assert np.mean([value(name, hits) for hits in samples]) == pytest.approx(mean, abs=SIX)


RANKED = [(1, 0.9), (0, 0.8), (1, 0.7), (1, 0.6), (0, 0.5), (1, 0.5), (0, 0.4), (1, 0.3)]
MISSED = [(1, 0.3), (0, 0.2)]


def independent(sample):
    """The hits of the worked list where these documents, found and then missed, were judged."""
    grades = [x if drawn else -1 for (x, _), drawn in zip(RANKED + MISSED, sample, strict=True)]
    return sampled_list(grades[:8], grades[8:], probabilities=[p for _, p in RANKED + MISSED])


def numerator(hits):
    found, table = hits.relevant(1), sample_of(hits)
    return float(found.sum((1 + weight_above(found, table)) / table.chance[found.document] / found.rank)[0])


def test_the_worked_independent_sample():
    hits = independent([1, 1, 1, 0, 1, 1, 0, 0, 1, 0])
    assert numerator(hits) == pytest.approx(3.296296, abs=SIX)
    assert estimated(hits, "chance")[0] == pytest.approx(7.873016, abs=SIX)
    assert value("statAP", hits) == pytest.approx(0.418683, abs=SIX)
    assert value("statAP(round_R=True)", hits) == pytest.approx(3.296296 / 8, abs=SIX)


def test_the_means_over_all_independent_samples():
    chances = np.array([p for _, p in RANKED + MISSED])
    truth = value("AP", independent([1] * 10))
    assert truth == pytest.approx(0.618056, abs=SIX)
    total = relevant = ratio = defined = biased = gained = 0.0
    for sample in product([0, 1], repeat=10):
        weight = float(np.prod(np.where(sample, chances, 1 - chances)))
        hits = independent(sample)
        found, table = hits.relevant(1), sample_of(hits)
        pi = table.chance[found.document]
        total += weight * numerator(hits)
        biased += weight * float(found.sum((1 / pi + weight_above(found, table)) / pi / found.rank)[0])
        here = estimated(hits, "chance")
        relevant, gained = relevant + weight * here[0], gained + weight * here[1]
        if here[0] > 0:
            ratio, defined = ratio + weight * value("statAP", hits), defined + weight
        else:
            assert np.isnan(value("statAP", hits))
            assert np.isnan(value("statNDCG", hits))
    assert total == pytest.approx(6 * truth, abs=1e-9)
    assert total == pytest.approx(3.708333, abs=SIX)
    assert relevant == pytest.approx(6, abs=1e-9)
    assert gained == pytest.approx(value("DCG", independent([1] * 10)), abs=1e-9)
    assert biased == pytest.approx(4.587, abs=5e-4)  # where a document counts 1/pi for itself
    assert defined == pytest.approx(0.99706, abs=5e-6)
    assert ratio / defined == pytest.approx(0.641265, abs=SIX)


def test_the_numerator_of_stat_ap_is_unbiased_where_strata_are_drawn_without_replacement():
    full = stratified("defgh")
    totals = []
    for sample in combinations("defgh", 3):
        hits = stratified("".join(sample))
        totals.append(numerator(hits))
    assert np.mean(totals) == pytest.approx(5 * value("AP", full), abs=1e-9)


def test_one_stratum_is_the_sample_of_inferred_average_precision():
    hits = sampled_list([1, -1, 0, None, 1, -1, 1, 0, None, 1], [1])
    assert value("xinfAP", hits) == pytest.approx(0.527809, abs=SIX)
    assert value("xinfAP", hits) == pytest.approx(value("infAP", hits), rel=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_estimators_of_complete_judgments_are_the_plain_measures(seed):
    rng = np.random.default_rng(seed)
    grades = rng.choice([0, 0, 1, 2, 3], 30).tolist()
    found = [grade if rng.random() < 0.8 else None for grade in grades]
    pool = sum(grade is not None for grade in found) + 3
    hits = sampled_list(found, [1, 0, 2], strata=rng.integers(0, 3, pool).tolist())
    for name in ("xinfAP", "statAP"):
        assert value(name, hits) == pytest.approx(value("AP", hits), abs=1e-4)
    for cut in ("", "@5", "@20"):
        for form in ("", "(dcg='exp-log2')"):
            for name in ("infNDCG", "statNDCG"):
                assert value(f"{name}{form}{cut}", hits) == value(f"nDCG{form}{cut}", hits)
        assert value(f"infNDCG(ideal='fractional'){cut}", hits) == pytest.approx(value(f"nDCG{cut}", hits), rel=1e-12)


def test_without_a_sampled_relevant_document_no_estimator_is_defined():
    hits = sampled_list([0, -1, 0], strata=[0, 0, 0])
    for name in ("xinfAP", "infNDCG", "statAP", "statNDCG"):
        assert np.isnan(value(name, hits))


# --- as a user asks ------------------------------------------------------------------------------------------------


def qrels_of(grades, strata=None, probabilities=None, topics=None):
    """Qrels of documents d0, d1 …, with the columns of a sampled pool."""
    base = cf.Qrels.of(topics or ["1"] * len(grades), [f"d{n}" for n in range(len(grades))], grades)
    return cf.Qrels(
        base.topics,
        base.topic,
        base.document,
        base.grade,
        stratum=None if strata is None else Text.of(strata),
        probability=None if probabilities is None else np.array(probabilities, dtype=float),
    )


def evaluated(qrels, *measures, **policies):
    run = {topic: [f"d{n}" for n in range(len(qrels))] for topic in qrels.topics}
    return cf.evaluate(qrels, {"run": run}, list(measures), **policies).means[0].tolist()


def test_evaluate_scores_sampled_judgments():
    qrels = qrels_of([1, -1, 0, 1], strata=["top", "rest", "rest", "rest"])
    assert evaluated(qrels, "xinfAP", "infNDCG@2", "statAP") == pytest.approx(
        [0.7, 1 / (1 + 1 / np.log2(3)), (1 + 1.5 / 4 * (1 + 1)) / 2.5], abs=1e-5
    )


def test_estimators_stand_beside_other_measures_and_many_runs_and_orders():
    qrels = qrels_of([1, -1, 0, 1], strata=["top", "rest", "rest", "rest"])
    runs = {"a": {"1": {f"d{n}": 0.0 for n in range(4)}}, "b": {"1": {"d3": 2.0, "d1": 2.0, "d0": 1.0}}}
    both = cf.evaluate(qrels, runs, ["AP", "xinfAP", "statAP"], ties="expected")
    for number, name in enumerate(runs):
        alone = cf.evaluate(qrels, {name: runs[name]}, ["xinfAP", "statAP"], ties="expected")
        np.testing.assert_allclose(both.means[number, 1:], alone.means[0], rtol=1e-12)
    first, second = (
        cf.evaluate(qrels, {"b": {"1": order}}, "xinfAP").means[0, 0]
        for order in (["d3", "d1", "d0"], ["d1", "d3", "d0"])
    )
    assert both["b", "xinfAP"][0] == pytest.approx((first + second) / 2, rel=1e-12)


@pytest.mark.parametrize("name", ["xinfAP", "infNDCG@10", "statAP", "statNDCG@10"])
def test_judgments_that_are_no_sample_are_refused_with_a_hint(name):
    with pytest.raises(cf.InputError, match=f"no strata or inclusion probabilities, {name} needs") as caught:
        evaluated(qrels_of([1, 0]), name)
    assert caught.value.code == "E127"
    assert "infAP" in str(caught.value.hint)


@pytest.mark.parametrize("name", ["xinfAP", "infNDCG"])
def test_probabilities_alone_do_not_tell_strata(name):
    qrels = qrels_of([1, 0], probabilities=[0.5, 0.2])
    with pytest.raises(cf.InputError, match="no strata"):
        evaluated(qrels, name)
    assert evaluated(qrels, "statAP") == [1.0]


def test_a_stratum_without_a_judged_document_is_an_error():
    qrels = qrels_of([1, -1, -1], strata=["top", "rest", "rest"])
    for name in ("xinfAP", "infNDCG", "statAP", "statNDCG"):
        with pytest.raises(cf.InputError, match="stratum 'rest' of topic '1' has no judged document"):
            evaluated(qrels, name)
    known = qrels_of([1, -1, -1], strata=["top", "rest", "rest"], probabilities=[1.0, 0.5, 0.5])
    assert evaluated(known, "statAP") == [1.0]  # which a draw of independent documents can leave empty


def test_a_judged_document_without_a_probability_is_an_error():
    with pytest.raises(cf.InputError, match="document 'd1' has no inclusion probability") as caught:
        evaluated(qrels_of([1, 0, -1], probabilities=[0.5, np.nan, np.nan]), "statAP")
    assert caught.value.code == "E127"
    with pytest.raises(cf.InputError, match="'d1' was judged, although its inclusion probability is 0"):
        evaluated(qrels_of([1, 0], probabilities=[0.5, 0.0]), "statAP")


@pytest.mark.parametrize("name", ["xinfAP", "infNDCG", "statAP", "statNDCG"])
def test_an_adaptive_sample_is_refused_unless_forced(name):
    qrels = qrels_of([1, 0, -1], strata=["mtf"] * 3, probabilities=[np.nan] * 3)
    with pytest.raises(cf.PolicyError, match=f"{name} needs a random sample, the pool was built by 'mtf'") as caught:
        evaluated(qrels, name)
    assert caught.value.code == "E210"
    assert evaluated(qrels, f"{name}(adaptive=True)") == pytest.approx([1.0], abs=0.5)


def test_strata_need_one_rate_and_all_their_members():
    unequal = qrels_of([1, 0, -1], strata=["ap"] * 3, probabilities=[0.5, 0.2, 0.1])
    with pytest.raises(
        cf.InputError, match=r"stratum 'ap' of topic '1' was drawn with probabilities from 0\.2 to 0\.5"
    ):
        evaluated(unequal, "xinfAP")
    with pytest.raises(cf.InputError, match="the documents that were not sampled are missing"):
        evaluated(qrels_of([1, 0], strata=["ap"] * 2, probabilities=[0.5, 0.5]), "infNDCG")
    assert evaluated(unequal, "statNDCG@1") == pytest.approx([2.0])


def test_unsampled_documents_may_not_count_as_judged():
    qrels = qrels_of([1, -1], strata=["top", "top"])
    with pytest.raises(cf.PolicyError, match="count as judged here"):
        evaluated(qrels, "xinfAP", negative="nonrelevant")


def test_a_study_refuses_estimators():
    with pytest.raises(cf.MeasureError, match="xinfAP cannot be studied"):
        cf.study.reduction({"1": {"a": 1, "b": 0}}, {"r": {"1": ["a"]}, "s": {"1": ["b"]}}, ["xinfAP"])


def test_the_frame_of_a_sampled_pool_is_what_estimators_read():
    truth = {"1": {f"d{n:02}": int(n % 3 == 0) for n in range(40)}}
    runs = {"a": {"1": [f"d{n:02}" for n in range(40)]}, "b": {"1": [f"d{n:02}" for n in range(39, -1, -1)]}}
    pooled = cf.pool(runs, depth=40, strategy="sample", strata="1-5:1,6-40:0.5", seed=3)
    frame = pooled.frame(as_qrels(truth))
    scores = cf.evaluate(frame, runs, ["xinfAP", "infNDCG@20", "statAP", "statNDCG@20"])
    exact = cf.evaluate(truth, runs, ["AP", "nDCG@20"]).means[:, [0, 1, 0, 1]]
    assert FOUR < np.abs(scores.means - exact).max() < 0.25
