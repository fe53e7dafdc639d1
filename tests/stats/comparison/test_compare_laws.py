"""What must not change a comparison: names, orders, jobs, repetition (CLI-8)."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.stats.comparison.compare import compare
from tests.stats.scored import draw, scored

WAYS: list[dict[str, Any]] = [
    {},
    {"test": "permutation", "samples": 300},
    {"test": "bootstrap", "samples": 300},
    {"test": "wilcoxon"},
    {"adjust": "tukey-randomized", "samples": 200},
    {"interval": "bca", "samples": 200, "adjust": "bh"},
]


def numbers(comparison, rename=None):
    """Everything that was found, by the names of runs as they were first."""
    back = rename or {}
    rows = {}
    for pair in comparison.pairs():
        names = [back.get(name, name) for name in (pair.run, pair.baseline)]
        ordered = pair if names == sorted(names) else pair.reversed()
        found = (ordered.difference, ordered.statistic, ordered.p, ordered.p_raw, *ordered.ci)
        rows[pair.measure, *sorted(names)] = [0.0 if np.isnan(value) else value for value in found]
    return rows


@pytest.mark.parametrize("way", WAYS, ids=str)
@settings(max_examples=12)
@given(seed=st.integers(0, 1000), baseline=st.booleans())
def test_the_order_of_topics_changes_nothing(way, seed, baseline):
    values = draw(seed % 7, topics=23)
    topics = [f"t{at}" for at in range(23)]
    order = np.random.default_rng(seed).permutation(23)
    chosen = "run1" if baseline else None
    one = compare(scored(values, topics=topics), baseline=chosen, **way)
    other = compare(scored(values[:, order], topics=[topics[at] for at in order]), baseline=chosen, **way)
    assert one.to_json() == other.to_json()


@pytest.mark.parametrize("way", WAYS, ids=str)
@settings(max_examples=12)
@given(names=st.permutations(["50% & x_1", "b", "", "zz"]))
def test_the_names_of_runs_change_nothing(way, names):
    values = draw(3, topics=22)
    back = dict(zip(names, ("run0", "run1", "run2", "run3"), strict=True))
    assert numbers(compare(scored(values, runs=names), **way), back) == numbers(compare(scored(values), **way))


@pytest.mark.parametrize("way", WAYS, ids=str)
@settings(max_examples=12)
@given(order=st.permutations(range(4)))
def test_the_order_of_runs_changes_nothing(way, order):
    values = draw(5, topics=22)
    one = numbers(compare(scored(values), **way))
    other = numbers(compare(scored(values[order], runs=[f"run{at}" for at in order]), **way))
    assert other == {key: pytest.approx(found, abs=1e-12) for key, found in one.items()}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_jobs_and_repetition_give_the_same_bytes(way):
    scores = scored(draw(6, runs=40, measures=2), measures=("AP", "RR"))
    once = compare(scores, **way)
    assert compare(scores, jobs=3, **way).to_json() == once.to_json() == compare(scores, jobs=1, **way).to_json()
    assert len(once.evidence[0].contrasts) == 780  # more than one block


def test_another_seed_draws_otherwise():
    scores = scored(draw(6))
    first, second = (compare(scores, test="permutation", samples=500, seed=seed).to_json() for seed in (0, 1))
    assert first != second


@given(
    st.lists(st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0, np.nan]), min_size=4, max_size=4), min_size=2, max_size=5)
)
def test_any_scores_can_be_compared_without_a_test(rows):
    values = np.array(rows)
    comparison = compare(scored(values), test="none")
    for pair in comparison.pairs():
        gaps = values[int(pair.run[3])] - values[int(pair.baseline[3])]
        known = gaps[~np.isnan(gaps)]
        assert pair.difference == pytest.approx(known.mean() if len(known) else np.nan, nan_ok=True)
        assert (pair.wins, pair.ties, pair.losses) == tuple((np.sign(known) == side).sum() for side in (1, 0, -1))
    assert len(comparison.topic_sheet().csv().splitlines()) == 1 + sum(pair.topics for pair in comparison.pairs())
