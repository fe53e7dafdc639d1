"""Verdicts on means over several topics, beside all completions of all topics: `certain` is never wrong."""

import itertools
import zlib

import numpy as np
import pytest

import cranfield as cf
from cranfield.missing.bounds.grids import completions_of
from cranfield.missing.completions import values
from cranfield.tables.summary import summary
from tests.missing.small_cases import every_measure

CASES = 8
MOST = 5000  # completions of all topics
ZERO = 1e-9


def several_topics(rng):
    """Judgments of two or three topics, and two runs that answer most of them."""
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, list[str]]] = {"a": {}, "b": {}}
    for topic in map(str, range(int(rng.integers(2, 4)))):
        names = [f"d{number}" for number in range(int(rng.integers(2, 5)))]
        top = 2 if rng.random() < 0.7 else 3
        judged = {name: int(rng.integers(0, top)) for name in names if rng.random() < 0.6}
        qrels[topic] = judged or {names[0]: int(rng.integers(0, 2))}
        for lists in runs.values():
            if rng.random() < 0.85:
                lists[topic] = [str(name) for name in rng.permutation(names)[: int(rng.integers(1, 5))]]
    return qrels, {name: lists or {"0": ["d0"]} for name, lists in runs.items()}


def policies(rng):
    choices = {
        "no_relevant": ("zero", "exclude"),
        "topic_set": ("qrels", "intersection"),
        "universe": ("runs", "runs:2", "open:1"),
    }
    return {name: str(rng.choice(words)) for name, words in choices.items()}


def all_differences(found, measure):
    """The difference of the averages in every completion of all topics, and how many documents are relevant in it."""
    situation, average = found.situations[measure], found.scores.averages[found.measures.index(measure)]
    columns, sizes = [], []
    for place, topic in enumerate(situation):
        every = completions_of(np.arange(topic.holes + topic.unseen), topic.holes, topic.unseen, situation.levels)
        value = values(situation, topic, every)
        if found.policy.topic_set == "intersection":
            value[:, ~situation.answered[:, place]] = np.nan
        value[np.isnan(value).any(axis=1)] = np.nan  # both need a value
        columns.append(value)
        sizes.append(np.count_nonzero(every, axis=1))
    gaps = []
    for chosen in itertools.product(*(range(len(value)) for value in columns)):
        rows = np.array([value[row] for value, row in zip(columns, chosen, strict=True)])
        gaps.append(summary(rows[:, 0], average) - summary(rows[:, 1], average))
    number = np.array([sum(each) for each in itertools.product(*sizes)])
    return np.array(gaps), number


def few(found, measure):
    situation = found.situations[measure]
    return len(situation.levels) ** sum(topic.holes + topic.unseen for topic in situation) <= MOST


def check(found, measure):
    verdict = found.verdict("a", "b", measure)
    gaps, number = all_differences(found, measure)
    defined = ~np.isnan(gaps)
    if not defined.any():
        assert verdict.status == "unresolved"
        return
    low, high = gaps[defined].min(), gaps[defined].max()
    assert verdict.low <= low + ZERO
    assert verdict.high >= high - ZERO
    if verdict.exact:
        assert (verdict.low, verdict.high) == pytest.approx((low, high), abs=1e-8)
    match verdict.status:
        case "certain":
            smaller = found.situations[measure].measure.definition.smaller
            assert low > 0 or high < 0
            assert verdict.winner == ("a" if (low > 0) != smaller else "b")
        case "equal":
            assert (low, high) == pytest.approx((0, 0), abs=2 * ZERO)
        case "open":
            assert low <= ZERO
            assert high >= -ZERO
            check_flips(verdict, gaps, number)


def check_flips(verdict, gaps, number):
    """A set of this size reverses the order (or makes a tie, if no other does), and none is smaller if that is said."""
    sign = np.sign(verdict.delta) if abs(verdict.delta) > ZERO else 0
    reverses = sign * gaps < -ZERO if sign else np.abs(gaps) > ZERO
    ties = np.abs(gaps) <= ZERO
    if verdict.flips is None:
        return
    fewest = min(number[reverses], default=min(number[ties], default=None))
    assert fewest is not None
    assert verdict.flips >= fewest or (not verdict.smallest and verdict.flips in number[ties])
    if verdict.smallest:
        assert verdict.flips == fewest


@pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
@pytest.mark.parametrize("name", every_measure())
def test_a_verdict_holds_in_every_completion_of_all_topics(name):
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(CASES):
        qrels, runs = several_topics(rng)
        found = cf.holes(qrels, runs, name, **policies(rng))
        measure = found.measures[0]
        if few(found, measure):
            check(found, measure)
