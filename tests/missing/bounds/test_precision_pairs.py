"""The difference in average precision of two runs: exact for few holes, an outer bound for many."""

import numpy as np
import pytest

from cranfield.missing.bounds import precision_pairs
from cranfield.missing.bounds.exchange import AveragePrecisions
from cranfield.missing.bounds.grids import completions_of
from cranfield.missing.completions import values
from tests.missing.small_cases import UNIVERSES, random_case, situation_of

NAMES = ("AP", "AP@3", "AP(denominator='min')@3", "AP(rel=2)")


def cases(number, seed):
    rng = np.random.default_rng(seed)
    for _ in range(number):
        qrels, runs = random_case(rng, documents=int(rng.integers(3, 9)), longest=7)
        name, universe = str(rng.choice(NAMES)), str(rng.choice(UNIVERSES))
        situation = situation_of(qrels, runs, name, universe, no_relevant=str(rng.choice(["zero", "exclude"])))
        topic = situation.of_topic(0)
        every = completions_of(np.arange(topic.holes + topic.unseen), topic.holes, topic.unseen, situation.levels)
        value = values(situation, topic, every)
        yield situation, topic, every, value[:, 0] - value[:, 1]


def test_few_holes_have_exact_ends_and_a_witness_for_each():
    for situation, topic, _, gaps in cases(150, 1):
        found = AveragePrecisions(situation).refined(topic, 0, 1)
        assert found is not None
        known = gaps[~np.isnan(gaps)]
        assert found.exact.all()
        if len(known) == 0:
            assert np.isnan(found.low[0])
            continue
        assert (found.low[0], found.high[0]) == pytest.approx((known.min(), known.max()), abs=1e-12)
        for high, end in ((False, found.low[0]), (True, found.high[0])):
            filled = AveragePrecisions(situation).witness(topic, 0, 1, high=high)
            value = values(situation, topic, filled[None])[0]
            assert value[0] - value[1] == pytest.approx(end, abs=1e-12)


def test_the_lowest_difference_by_the_number_of_relevant_holes_is_that_of_all_completions():
    for situation, topic, every, gaps in cases(150, 2):
        if len(situation.levels) > 2:
            continue
        found = AveragePrecisions(situation).lowest_by_number(topic, 0, 1)
        assert found is not None
        number = np.count_nonzero(every, axis=1)
        for size in np.unique(number):
            own = gaps[number == size]
            if not np.isnan(own).any() and situation.levels[-1] >= situation.measure.rel:
                assert found[size] == pytest.approx(own.min(), abs=1e-12)


def test_many_holes_have_an_outer_bound(monkeypatch):
    monkeypatch.setattr(precision_pairs, "FEW", -1)
    nearer = 0
    for situation, topic, _, gaps in cases(200, 3):
        method = AveragePrecisions(situation)
        found, apart = method.refined(topic, 0, 1), method.ends(topic, np.array([0]), np.array([1]))
        known = gaps[~np.isnan(gaps)]
        assert found is not None
        assert not found.exact.any()
        if len(known):
            assert found.low[0] <= known.min()
            assert found.high[0] >= known.max()
            nearer += bool(found.low[0] > apart.low[0] + 1e-6)
    assert nearer > 10  # it says more than the ends of the two runs


def test_a_pair_that_lists_very_many_holes_is_left_to_the_ends_of_its_runs(monkeypatch):
    monkeypatch.setattr(precision_pairs, "MANY", 0)
    situation = situation_of({"1": {"a": 1}}, {"a": {"1": ["a", "x"]}, "b": {"1": ["y"]}}, "AP")
    assert AveragePrecisions(situation).refined(situation.of_topic(0), 0, 1) is None
