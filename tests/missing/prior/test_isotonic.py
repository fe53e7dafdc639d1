"""Isotonic regression beside its definition: the largest least mean."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.missing.prior.isotonic import isotonic

OUTCOMES = st.lists(st.tuples(st.integers(0, 8), st.booleans()), min_size=1, max_size=30)


def by_definition(chance, outcome):
    """For each distinct probability: the highest, over beginnings at or before it, of the lowest mean to any end."""
    places = sorted(set(chance))
    rows = [np.array([o for c, o in zip(chance, outcome, strict=True) if c == place], dtype=float) for place in places]

    def mean(first, last):
        return np.concatenate(rows[first : last + 1]).mean()

    ends = range(len(places))
    return [max(min(mean(a, b) for b in ends if b >= at) for a in ends if a <= at) for at in ends]


@given(OUTCOMES)
def test_the_curve_is_the_nearest_one_that_never_falls(rows):
    chance, outcome = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    curve, least = isotonic(chance, outcome), 0.5 / (len(rows) + 1)
    blocks = np.array(by_definition(chance.tolist(), outcome.tolist()))
    values = np.unique(blocks.round(12))
    assert curve.value == pytest.approx(np.clip(values, least, 1 - least))
    assert (np.diff(curve(np.linspace(0, 8, 50))) >= -1e-12).all()


def test_a_curve_never_claims_certainty():
    curve = isotonic(np.array([0.0, 1.0]), np.array([0.0, 1.0]))
    assert curve(np.array([0.0, 1.0])).tolist() == pytest.approx([1 / 6, 5 / 6])
