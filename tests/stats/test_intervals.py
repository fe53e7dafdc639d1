"""Confidence intervals of means over topics."""

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.stats.mean_intervals import with_intervals
from cranfield.tables.audit import Audit
from cranfield.tables.scores import Scores

DIFFERENCES = [0.10, 0.08, 0.05, 0.10, 0.05, 0.02]  # D - A of SPEC 15


def scores_of(rows, average="mean"):
    values = np.array(rows, dtype=np.float64)[:, :, None]
    runs, topics = (tuple(f"{kind}{n}" for n in range(size)) for kind, size in zip("rt", values.shape, strict=False))
    audit = Audit(judged_at_k={run: {10: 1.0} for run in runs})
    scored, counts = np.ones(values.shape[:2], dtype=bool), np.ones(values.shape[:2], dtype=np.int64)
    relevant = np.ones(values.shape[1:], dtype=np.int64)
    return Scores(runs, topics, ("AP",), (average,), values, scored, values * 0 + 1, counts, relevant, audit)


def intervals_of(scores, method, **options):
    found = with_intervals(scores, method, **options).intervals
    assert found is not None
    return found


def test_the_t_interval_is_that_of_the_worked_example():
    interval = intervals_of(scores_of([DIFFERENCES]), "t")
    assert interval[0, 0] == pytest.approx([0.033041, 0.100292], abs=5.1e-7)


def test_the_t_interval_is_that_of_scipy():
    rows = np.random.default_rng(1).random((3, 20))
    intervals = intervals_of(scores_of(rows), "t", level=0.9)
    for row, interval in zip(rows, intervals[:, 0], strict=True):
        expected = stats.t.interval(0.9, len(row) - 1, row.mean(), stats.sem(row))
        assert interval == pytest.approx(expected)


def test_the_bootstrap_interval_is_near_that_of_all_resamples():
    # all 6^6 resamples: percentile [.043333, .088333] (SPEC 15.2); 10,000 draws come within a step of 1/600
    interval = intervals_of(scores_of([DIFFERENCES]), "bootstrap")
    assert interval[0, 0] == pytest.approx([0.043333, 0.088333], abs=0.002)


def test_the_bootstrap_repeats_with_its_seed_and_differs_without():
    scores = scores_of([DIFFERENCES, DIFFERENCES[::-1]])
    first, again, other = (intervals_of(scores, "bootstrap", samples=500, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)


def test_undefined_values_are_left_out():
    whole, holed = scores_of([DIFFERENCES]), scores_of([[*DIFFERENCES, np.nan]])
    assert np.array_equal(intervals_of(whole, "t"), intervals_of(holed, "t"))


@pytest.mark.parametrize(("rows", "average"), [([[0.5]], "mean"), ([[1.0, 2.0]], "sum")])
def test_one_topic_and_sums_have_no_interval(rows, average):
    assert np.isnan(intervals_of(scores_of(rows, average), "t")).all()


def test_the_interval_of_a_geometric_mean_surrounds_it():
    scores = scores_of([[0.1, 0.3, 0.2, 0.4]], "geometric")
    low, high = intervals_of(scores, "t")[0, 0]
    assert low < scores.means[0, 0] < high
    assert np.sqrt(low * high) == pytest.approx(scores.means[0, 0])


def test_an_unknown_method_is_refused():
    with pytest.raises(PolicyError, match='method="normal" is unknown'):
        intervals_of(scores_of([DIFFERENCES]), "normal")


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_no_interval_reaches_beyond_the_values_a_measure_can_take(method):
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(5)}
    run = {topic: ["a", "b"] for topic in qrels} | {"q0": ["a", "x"]}
    scores = cf.evaluate(qrels, run, ["Judged@2", "Unj@2", "RR", "Yaap"])
    low, high = np.moveaxis(intervals_of(scores, method), 2, 0)
    assert high[0, 0] == 1.0 or method == "bootstrap"
    assert (low[0, :3] >= 0).all()
    assert (high[0, :3] <= 1).all()
    assert high[0, 3] > 0  # no limits, no cut
