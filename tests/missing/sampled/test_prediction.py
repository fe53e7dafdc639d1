"""Prediction-powered inference and difference estimators: worked numbers, unbiasedness, and what a user gets."""

from itertools import product

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.columns.sampled import SampledJudgments
from cranfield.measures.grammar import parse
from cranfield.missing.sampled.difference import LabelledPool, average_precision, sums
from cranfield.missing.sampled.powered import powered_mean
from cranfield.missing.sampled.terms import document_terms
from cranfield.tables.text import Text
from tests.measures.worked import SIX

PEOPLE = np.array([0.3, 0.5, 0.4, 0.7, 0.2])
MODEL = np.array([0.35, 0.45, 0.5, 0.6, 0.3])
OTHERS = np.array([0.55, 0.4, 0.65, 0.25, 0.5])
X = np.array([1.0, 0, 1, 1, 0, 1])
F = np.array([0.8, 0.3, 0.5, 0.9, 0.2, 0.1])
PI = np.array([0.9, 0.7, 0.5, 0.5, 0.4, 0.3])


@pytest.mark.parametrize(
    ("others", "tuned", "expected"),
    [
        (OTHERS, False, (0.45, 0.079373, 1.0)),
        (OTHERS, True, (0.439064, 0.070453, 0.635468)),
        (OTHERS[:0], True, (0.42, 0.086023, 0.0)),
    ],
)
def test_the_worked_means_of_topics(others, tuned, expected):
    found = powered_mean(PEOPLE, MODEL, others, tuned=tuned)
    assert (found.value, found.error, found.weight) == pytest.approx(expected, abs=SIX)


def test_a_model_that_says_the_same_of_all_topics_weighs_nothing():
    found = powered_mean(PEOPLE, np.full(5, 0.5), np.full(9, 0.5))
    assert (found.value, found.weight) == pytest.approx((0.42, 0))


def test_one_topic_has_no_error_and_none_has_no_mean():
    assert np.isnan(powered_mean(PEOPLE[:1], MODEL[:1], OTHERS).error)
    assert np.isnan(powered_mean(PEOPLE[:0], MODEL[:0], OTHERS).value)


def labelled(sample, model, people=X, chances=PI):
    """A pool of one topic, of which people judged a sample."""
    drawn = np.array(sample, dtype=bool)
    grade = np.where(drawn, people, -1.0)
    topic = np.zeros(len(people), dtype=np.int64)
    place = np.arange(len(people))
    table = SampledJudgments.of(topic, grade, None, chances)
    table = SampledJudgments(**{**vars(table), "together": np.array([np.nan])})  # independent draws in any case
    return LabelledPool(topic, model, np.where(drawn, people, np.nan), np.where(drawn, place, -1), table, 1)


def over_samples(estimate, chances=PI):
    """Mean, standard deviation and mean variance of an estimate over all independent samples."""
    values, weights = [], []
    for sample in product([0, 1], repeat=len(chances)):
        weights.append(float(np.prod(np.where(sample, chances, 1 - chances))))
        values.append([float(column[0]) for column in estimate(sample)])
    table = np.array(values)
    mean, variance = np.average(table, axis=0, weights=weights)
    return mean, float(np.sqrt(np.average((table[:, 0] - mean) ** 2, weights=weights))), variance


@pytest.mark.parametrize(("model", "spread"), [(F, 0.577012), (np.zeros(6), 0.917962)])
def test_the_difference_estimator_of_a_sum_is_unbiased_whatever_the_model_says(model, spread):
    grades = np.unique(np.concatenate([[0.0], F, X]))
    terms = document_terms(parse("DCG"), 6, grades)
    assert terms is not None
    rank = np.arange(1, 7)
    mean, deviation, variance = over_samples(lambda s: sums(labelled(s, model), terms, rank - 1, rank, grades))
    assert mean == pytest.approx(2.286884, abs=SIX)
    assert deviation == pytest.approx(spread, abs=SIX)
    assert variance == pytest.approx(spread**2, rel=1e-5)  # the estimated variance is right on average too


def test_a_document_beyond_the_cut_off_or_the_list_counts_nothing():
    grades = np.array([0.0, 1.0])
    terms = document_terms(parse("P@2"), 6, grades)
    assert terms is not None
    pool = labelled([1] * 6, np.zeros(6), chances=np.ones(6))
    value, variance = sums(pool, terms, np.array([2, 3, 0]), np.array([1, 2, 3]), grades)
    assert (value[0], variance[0]) == (1.0, 0.0)


@pytest.mark.parametrize("name", ["AP", "nDCG", "nDCG@3", "DCG", "P@4", "RBP(p=0.8)"])
def test_with_every_document_judged_the_model_does_not_matter(name):
    documents = [f"d{n}" for n in range(6)]
    truth = {"1": dict(zip(documents, X.astype(int).tolist(), strict=True))}
    wrong = {"1": dict(zip(documents, (1 - X).astype(int).tolist(), strict=True))}
    people = cf.Qrels.of(["1"] * 6, documents, X.astype(int))
    people = cf.Qrels(people.topics, people.topic, people.document, people.grade, probability=np.ones(6))
    run = {"1": [*documents[1:], "unknown"]}
    found = cf.prediction_powered(people, wrong, run, name, by="documents")
    exact = cf.evaluate(truth, run, name)
    np.testing.assert_allclose(found.values, exact.means, rtol=1e-9)
    np.testing.assert_allclose(found.model, cf.evaluate(wrong, run, name).means, rtol=1e-9)
    assert found.errors[0, 0] == 0
    assert np.isnan(found.intervals).all()  # six sampled documents


def test_the_numerator_of_average_precision_is_unbiased():
    rank = np.arange(1, 7)
    truth = sum((X[:k].sum()) / k for k in rank if X[k - 1])
    model = (F > 0.4).astype(float)

    def numerator(sample):
        pool = labelled(sample, model)
        counts, _ = pool.corrected(model, np.nan_to_num(pool.people))
        return average_precision(pool, rank - 1, rank, 1)[0] * counts.sum(), np.zeros(1)

    weights, totals = [], []
    for sample in product([0, 1], repeat=6):
        pool = labelled(sample, model)
        counts, _ = pool.corrected(model, np.nan_to_num(pool.people))
        above = np.cumsum(counts) - counts
        weights.append(float(np.prod(np.where(sample, PI, 1 - PI))))
        totals.append(float((counts * (1 + above) / rank).sum()))
        if counts.sum() > 0:
            assert numerator(sample)[0][0] == pytest.approx(totals[-1], abs=1e-9)
        else:
            assert np.isnan(average_precision(pool, rank - 1, rank, 1)[0][0])
    assert np.average(totals, weights=weights) == pytest.approx(truth, abs=1e-9)


def collection(topics=30, documents=40, seed=2):
    """What people would say of every document, what a model says, and two runs."""
    rng = np.random.default_rng(seed)
    names = [f"d{n:02}" for n in range(documents)]
    truth = {
        f"q{t}": {d: int(rng.random() < 0.5 * np.exp(-n / 15)) for n, d in enumerate(names)} for t in range(topics)
    }
    model = {t: {d: g if rng.random() < 0.85 else 1 - g for d, g in row.items()} for t, row in truth.items()}
    runs = {
        name: {t: [names[n] for n in np.argsort(np.arange(documents) + rng.normal(0, noise, documents))] for t in truth}
        for name, noise in (("good", 4), ("bad", 25))
    }
    return truth, model, runs


def test_people_judge_some_topics_and_the_model_all():
    truth, model, runs = collection()
    people = {topic: truth[topic] for topic in list(truth)[:12]}
    found = cf.prediction_powered(people, model, runs, ["nDCG@10", "P@5"])
    exact = cf.evaluate(truth, runs, ["nDCG@10", "P@5"]).means
    np.testing.assert_allclose(found.model, cf.evaluate(model, runs, ["nDCG@10", "P@5"]).means, rtol=1e-12)
    with pytest.warns(cf.DataWarning, match="W102"):
        few = cf.evaluate(people, runs, ["nDCG@10", "P@5"])
    np.testing.assert_allclose(found.people, few.means, rtol=1e-12)
    assert (found.labelled, found.others) == (12, 18)
    assert (found.intervals[..., 0] <= exact).all()
    assert (exact <= found.intervals[..., 1]).all()
    assert (found.errors < found.people_errors).mean() >= 0.5
    classic = cf.prediction_powered(people, model, runs, ["nDCG@10", "P@5"], tuned=False)
    assert (classic.weights == 1).all()
    lines = repr(found).splitlines()
    assert lines[0].split()[:4] == ["run", "measure", "model", "people"]
    assert "people judged 12 topics, the model 18 more" in repr(found)


def drawn_documents(truth, seed, chance=0.3):
    """People's labels of documents that were drawn independently."""
    rng = np.random.default_rng(seed)
    rows = [(t, d, g if rng.random() < chance else -1) for t, row in truth.items() for d, g in row.items()]
    people = cf.Qrels.of(*zip(*rows, strict=True))
    chances = np.full(len(people), chance)
    return cf.Qrels(people.topics, people.topic, people.document, people.grade, probability=chances)


def test_people_judge_some_documents_of_every_topic_and_the_model_all():
    truth, model, runs = collection(topics=10)
    people = drawn_documents(truth, 9)
    names = ["P@10", "nDCG@10", "AP"]
    found = cf.prediction_powered(people, model, runs, names, by="documents")
    exact = cf.evaluate(truth, runs, names).means
    assert (np.abs(found.values - exact) < 4 * found.errors).all()
    assert (found.errors < found.people_errors)[:, 0].all()
    assert found.labelled == np.count_nonzero(people.grade >= 0)
    assert "with every document judged" in repr(found)


def test_over_many_samples_a_sum_is_right_where_the_model_alone_is_not():
    truth, model, runs = collection(topics=4)
    exact = cf.evaluate(truth, runs, "P@10").means[:, 0]
    found = [
        cf.prediction_powered(drawn_documents(truth, seed), model, runs, "P@10", by="documents") for seed in range(80)
    ]
    values = np.array([each.values[:, 0] for each in found])
    noise = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    assert (np.abs(values.mean(axis=0) - exact) < 4 * noise).all()
    assert np.abs(found[0].model[:, 0] - exact).max() > 4 * noise.max()
    np.testing.assert_allclose(
        np.mean([each.errors[:, 0] for each in found], axis=0), values.std(axis=0, ddof=1), rtol=0.3
    )


def test_strata_may_say_how_people_s_documents_were_sampled():
    truth, model, runs = collection(topics=4)
    rng = np.random.default_rng(9)
    rows = [(t, d, g if rng.random() < 0.5 else -1) for t, row in truth.items() for d, g in row.items()]
    people = cf.Qrels.of(*zip(*rows, strict=True))
    people = cf.Qrels(people.topics, people.topic, people.document, people.grade, stratum=Text.of(["all"] * len(rows)))
    found = cf.prediction_powered(people, model, runs, "P@10", by="documents")
    exact = cf.evaluate(truth, runs, "P@10").means
    assert (np.abs(found.values - exact) < 4 * found.errors).all()


def test_what_cannot_be_estimated_is_refused():
    truth, model, runs = collection(topics=3)
    with pytest.raises(cf.InputError, match="no common topic"):
        cf.prediction_powered({"other": {"d": 1}}, model, runs, "P@5")
    with pytest.raises(cf.InputError, match="a difference estimator needs one of them"):
        cf.prediction_powered(truth, model, runs, "P@5", by="documents")
    people = cf.Qrels.of(["q0"], ["d00"], [1])
    people = cf.Qrels(people.topics, people.topic, people.document, people.grade, probability=np.array([0.5]))
    with pytest.raises(cf.MeasureError, match="RR is no sum over documents"):
        cf.prediction_powered(people, model, runs, "RR", by="documents")
    with pytest.raises(cf.PolicyError, match="by"):
        cf.prediction_powered(truth, model, runs, "P@5", by="runs")  # type: ignore[arg-type]  # which is refused
