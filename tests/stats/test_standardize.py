"""Standardised scores: the worked row, plain formulas, references, edges."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from cranfield.errors import InputError, PolicyError
from cranfield.stats.standardize import METHODS, standardize
from cranfield.tables.audit import Audit
from cranfield.tables.scores import Scores

ROW = [0.30, 0.35, 0.32, 0.40]
VALUES = arrays(
    np.float64, st.tuples(st.integers(2, 6), st.integers(1, 5)), elements=st.integers(0, 5).map(lambda k: k / 5)
)


def scores_of(rows, topics=None, measure="AP", names="ABCDEFGH"):
    values = np.array(rows, dtype=np.float64)[:, :, None]
    runs = tuple(names[: len(values)])
    topics = tuple(topics or (f"t{n}" for n in range(values.shape[1])))
    ones = np.ones(values.shape[:2], dtype=np.int64)
    audit = Audit(policies={"ties": "trec"}, judged_at_k={run: {10: 1.0} for run in runs})
    relevant = np.ones(values.shape[1:], dtype=np.int64)
    return Scores(runs, topics, (measure,), ("mean",), values, ones > 0, values * 0 + 1, ones, relevant, audit)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("z", [-0.977162, 0.17244, -0.517321, 1.322043]),
        ("phi", [0.164244, 0.568454, 0.302466, 0.906923]),
        ("std-AB", [0.353426, 0.525866, 0.422402, 0.698306]),
        ("ecdf", [0.25, 0.75, 0.5, 1]),
    ],
)
def test_the_worked_row(method, expected):
    found = standardize(scores_of(np.transpose([ROW])), method)
    assert found.values[:, 0, 0] == pytest.approx(expected, abs=5.1e-7)


@given(VALUES)
def test_z_scores_are_those_of_scipy(values):
    found = standardize(scores_of(values)).matrix("AP")
    for topic, column in zip(found.T, values.T, strict=True):
        assert topic == pytest.approx(stats.zscore(column, ddof=1) if len(set(column)) > 1 else column * 0, abs=1e-9)


@given(VALUES)
def test_ecdf_is_that_of_a_loop(values):
    found = standardize(scores_of(values), "ecdf").matrix("AP")
    for (run, topic), value in np.ndenumerate(values):
        assert found[run, topic] == pytest.approx(sum(values[:, topic] <= value) / len(values))


@pytest.mark.parametrize("method", METHODS)
@given(values=VALUES, scale=st.floats(0.1, 10), shift=st.floats(-5, 5))
def test_a_topic_that_is_easier_or_wider_changes_nothing(method, values, scale, shift):
    easier = values.copy()
    easier[:, 0] = values[:, 0] * scale + shift
    first, second = (standardize(scores_of(v), method).values for v in (values, easier))
    assert second == pytest.approx(first, abs=1e-8)


def test_factors_come_from_the_reference_alone():
    reference = scores_of([[0.2, 0.1], [0.4, 0.3]])
    alone = standardize(scores_of([[0.5, 0.2]], names="N"), "z", reference)
    spread = 0.1 * np.sqrt(2)
    assert alone.values[0, :, 0] == pytest.approx([0.2 / spread, 0])
    assert standardize(scores_of([[0.5, 0.2]], names="N"), "ecdf", reference).values[0, :, 0].tolist() == [1, 0.5]
    assert alone.audit.policies == {"ties": "trec", "standardize": "z", "standardize_reference": ["A", "B"]}
    assert "standardize=z" in alone.audit.policy_line()


def test_topics_are_matched_by_name():
    reference = scores_of([[0.9, 0.1], [0.7, 0.3]], topics=("q2", "q1"))
    found = standardize(scores_of([[0.2, 0.8, 0.5]], topics=("q1", "q2", "q3")), "z", reference)
    assert found.values[0, :, 0] == pytest.approx([0, 0, np.nan], nan_ok=True, abs=1e-12)


def test_a_reference_without_spread_gives_zero():
    noisy = standardize(scores_of([[0.1 + 0.2, 0.1], [0.3, 0.2]]))
    assert noisy.values[:, 0, 0].tolist() == [0, 0]
    assert standardize(scores_of([[0.7]]), "phi", scores_of([[0.3], [0.3]])).values.item() == 0.5


@pytest.mark.parametrize("method", METHODS)
def test_undefined_scores_stay_so_and_do_not_count(method):
    found = standardize(scores_of([[np.nan, 0.1], [0.2, np.nan], [0.4, np.nan]]), method).values[:, :, 0]
    whole = standardize(scores_of([[0.2], [0.4]]), method).values[:, 0, 0]
    assert found[:, 0] == pytest.approx([np.nan, *whole], nan_ok=True)
    assert np.isnan(found[:, 1]).all()  # one system has nobody to be compared with


def test_what_belonged_to_the_old_scale_is_gone():
    scores = scores_of([[0.1, 0.4], [0.2, 0.3]])
    object.__setattr__(scores, "averages", ("sum",))
    object.__setattr__(scores, "intervals", np.zeros((2, 1, 2)))
    found = standardize(scores)
    assert found.averages == ("mean",)
    assert found.intervals is None
    assert found.means[0, 0] == pytest.approx(0)


def test_what_cannot_be_compared_is_refused():
    two = scores_of([[0.1], [0.2]])
    with pytest.raises(PolicyError, match='method="minmax" is unknown'):
        standardize(two, "minmax")  # type: ignore[arg-type]  # a wrong type, on purpose
    with pytest.raises(PolicyError, match="standardize needs two reference runs, got 1"):
        standardize(scores_of([[0.1]]))
    with pytest.raises(InputError, match="the reference has no scores of AP"):
        standardize(two, "z", scores_of([[0.1], [0.2]], measure="RR"))
    with pytest.raises(InputError, match="no topic of these scores"):
        standardize(two, "z", scores_of([[0.1], [0.2]], topics=["other"]))
