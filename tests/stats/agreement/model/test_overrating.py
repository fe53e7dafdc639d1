"""Overrating by grade: by hand, against plain loops over all pairs, simulated."""

import numpy as np
import pytest

from cranfield.stats.agreement.agree import agree
from cranfield.stats.agreement.model.overrating import overrating
from tests.stats.agreement.model.labelled import labelled

PEOPLE = {"q1": {"a": 0, "b": 0, "c": 1}, "q2": {"a": 0, "b": 2, "c": 2}}
MODEL = {"q1": {"a": 0, "b": 2, "c": 0}, "q2": {"a": 1, "b": 2, "c": 1}}


def test_overrating_by_hand():
    found = agree({"ann": PEOPLE}, llm=MODEL, samples=50).overrating
    assert [(each.grade, each.pairs) for each in found] == [(0, 3), (1, 1), (2, 2), (None, 6)]
    assert [each.difference.value for each in found] == pytest.approx([1, -1, -0.5, 1 / 6])  # (0 + 2 + 1) / 3 …
    assert [each.overrated for each in found] == pytest.approx([2 / 3, 0, 0, 1 / 3])
    assert [each.underrated for each in found] == pytest.approx([0, 1, 1 / 2, 1 / 3])
    assert [each.difference.n for each in found] == [2, 1, 1, 2]  # topics in which people gave the grade


def test_overrating_is_that_of_a_plain_loop_and_of_the_confusion_table():
    people, model, _, _ = labelled()
    found = agree({"ann": people}, llm=model, samples=50)
    pairs = [(people[t][d], model[t][d]) for t in people for d in people[t]]
    for each in found.overrating:
        chosen = [(g, m) for g, m in pairs if each.grade in (g, None)]
        assert each.pairs == len(chosen)
        assert each.difference.value == pytest.approx(np.mean([m - g for g, m in chosen]))
        assert each.overrated == pytest.approx(np.mean([m > g for g, m in chosen]))
        assert each.underrated == pytest.approx(np.mean([m < g for g, m in chosen]))
    assert found.overrating[0].overrated == pytest.approx(found.confusion[0, 1:].sum() / found.confusion[0].sum())
    assert found.overrating[0].difference.excludes_zero


def test_a_grade_that_only_the_model_gave_has_no_row():
    found = agree({"ann": {"q": {"a": 0, "b": 2}}}, llm={"q": {"a": 1, "b": 1}}, samples=10).overrating
    assert [each.grade for each in found] == [0, 2, None]
    assert [each.difference.value for each in found] == [1, -1, 0]


def test_the_grades_themselves_are_subtracted_not_their_places():
    found = agree({"ann": {"q": {"a": 0, "b": 4}}}, llm={"q": {"a": 4, "b": 0}}, samples=10).overrating
    assert [each.difference.value for each in found] == [4, -4, 0]


def test_an_interval_ends_where_the_scale_ends():
    confusion = np.zeros((20, 2, 2))
    confusion[:, 0, 0] = confusion[:, 1, 1] = range(5, 25)
    confusion[3, 0, 1] = confusion[3, 1, 0] = 1  # one pair of each grade
    lowest, highest, _ = (each.difference for each in overrating(confusion, np.array([0.0, 1.0]), 500, 0))
    assert lowest.low == 0 < lowest.value < lowest.high
    assert highest.low < highest.value < highest.high == 0
    assert not lowest.excludes_zero


def test_pairs_can_be_resampled_instead_of_topics():
    people = {"q": {f"d{n}": n % 2 for n in range(40)}}
    model = {"q": {f"d{n}": int(n % 3 == 0) for n in range(40)}}
    alone = agree({"ann": people}, llm=model).overrating[0].difference
    pairs = agree({"ann": people}, llm=model, over="pairs").overrating[0].difference
    assert alone.value == pytest.approx(pairs.value)
    assert (alone.n, pairs.n) == (1, 20)
    assert np.isnan(alone.low)
    assert pairs.low < pairs.value < pairs.high


def test_the_interval_covers_a_known_overrating():
    """Topics differ in size and in how far the model overrates; each pair counts once."""
    rng, topics, worlds = np.random.default_rng(12), 25, 400
    covered = 0
    for world in range(worlds):
        size = rng.integers(5, 40, topics)
        raised = rng.binomial(size, rng.beta(2, 4, topics))  # a third on average, whatever the size
        confusion = np.zeros((topics, 2, 2))
        confusion[:, 0, 0], confusion[:, 0, 1] = size - raised, raised
        of_zero, _ = overrating(confusion, np.array([0.0, 1.0]), 400, world)
        covered += of_zero.difference.low <= 1 / 3 <= of_zero.difference.high
    assert covered / worlds == pytest.approx(0.95, abs=0.035)
