"""The exact distribution of Kendall's tau, and the value that chance seldom exceeds."""

from fractions import Fraction
from itertools import combinations, permutations
from math import factorial, isnan

import pytest

from cranfield.stats.orders.kendall import critical_tau


@pytest.mark.parametrize(("alpha", "tau"), [(0.05, 0.2552), (0.01, 0.3333)])
def test_thirty_runs(alpha, tau):
    """SPEC 21, item 27: .34 is the value of the level .01, not of .05."""
    assert critical_tau(30, alpha) == pytest.approx(tau, abs=5.1e-5)


@pytest.mark.parametrize("systems", [3, 4, 5, 6])
@pytest.mark.parametrize("alpha", [0.5, 0.2, 0.1, 0.05, 0.01])
def test_it_is_what_all_orders_say(systems, alpha):
    pairs = list(combinations(range(systems), 2))
    taus = [Fraction(sum(1 if p[a] < p[b] else -1 for a, b in pairs), len(pairs)) for p in permutations(range(systems))]
    rare = [t for t in set(taus) if t >= 0 and Fraction(sum(abs(x) >= t for x in taus), factorial(systems)) <= alpha]
    found = critical_tau(systems, alpha)
    assert isnan(found) if not rare else found == pytest.approx(float(min(rare)))


def test_three_systems_are_too_few_at_the_usual_level():
    assert isnan(critical_tau(3))
