"""A law over the registry: every measure of one judgment per document has a finite range, however many its holes."""

import numpy as np
import pytest

from cranfield.missing.bounds.method import NO_RUN
from cranfield.missing.completions import values
from cranfield.missing.ranges import Bounder
from tests.missing.small_cases import every_measure, situation_of

DOCUMENTS = [f"d{number}" for number in range(30)]
QRELS = {"1": {"d0": 2, "d1": 0, "d2": 1, "d29": 2, "far": 2, "near": 1}}
RUNS = {"a": {"1": DOCUMENTS}, "b": {"1": DOCUMENTS[::-1]}}
UNDEFINED = ("ESLReduction", "NormRecall", "NormPrecision", "Fallout", "ASL")  # without the size of the collection


@pytest.mark.parametrize("name", [name for name in every_measure() if not name.startswith(UNDEFINED)])
def test_many_holes_have_a_finite_range_that_contains_completions(name):
    situation = situation_of(QRELS, RUNS, name)
    bounder, topic = Bounder(situation, most=1 << 8), situation.of_topic(0)
    found = bounder.method.ends(topic, np.array([0, 1, 0]), np.array([NO_RUN, NO_RUN, 1]))
    assert np.isfinite(found.low).all()
    assert np.isfinite(found.high).all()
    rng = np.random.default_rng(1)
    chance = rng.random((60, 1))
    drawn = np.where(rng.random((60, topic.holes)) < chance, rng.choice(situation.levels, (60, topic.holes)), 0.0)
    value = values(situation, topic, drawn)
    for row, column in enumerate((value[:, 0], value[:, 1], value[:, 0] - value[:, 1])):
        known = column[~np.isnan(column)]
        assert (known >= found.low[row] - 1e-9).all()
        assert (known <= found.high[row] + 1e-9).all()
