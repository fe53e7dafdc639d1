"""Coefficients of two orders of systems: worked figures, SciPy, plain loops, laws over the registry."""

import inspect
import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from cranfield.errors import InputError, MeasureError, PolicyError
from cranfield.stats.orders.coefficient import COEFFICIENTS
from cranfield.stats.orders.correlation import correlate, correlate_draws, correlation_interval

X = (0.50, 0.45, 0.45, 0.30, 0.20, 0.10)
Y = (0.48, 0.47, 0.40, 0.35, 0.35, 0.05)
MEANS = st.lists(st.sampled_from([k / 7 for k in range(8)]), min_size=2, max_size=9)
DISTINCT = st.integers(2, 9).flatmap(lambda n: st.permutations(range(n)))
ALL = pytest.mark.parametrize("name", COEFFICIENTS)


@st.composite
def pairs(draw, values=MEANS):
    x = draw(values)
    return x, draw(st.permutations(x)) if draw(st.booleans()) else draw(
        st.lists(st.sampled_from(x), min_size=len(x), max_size=len(x))
    )


def breaks(values):
    """Every way to break the ties of a vector, best = largest."""
    groups = [[i for i, v in enumerate(values) if v == level] for level in sorted(set(values), reverse=True)]
    for orders in product(*map(permutations, groups)):
        order = [i for group in orders for i in group]
        yield [-order.index(i) for i in range(len(values))]


def plain_tau_ap(reference, estimate):
    order = sorted(range(len(estimate)), key=lambda i: -estimate[i])
    shares = [
        sum(reference[above] > reference[item] for above in order[:place]) / place
        for place, item in enumerate(order)
        if place > 0
    ]
    return 2 * sum(shares) / (len(order) - 1) - 1


# --- worked figures ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), [("tau-a", 0.866667), ("tau-b", 0.928571), ("tau", 0.928571)])
def test_kendall_is_that_of_the_worked_example(name, value):
    assert correlate(X, Y, name) == pytest.approx(value, abs=5.1e-7)


@pytest.mark.parametrize(("estimate", "value"), [([2, 1, 3, 4, 5], 0.5), ([1, 2, 3, 5, 4], 0.875)])
def test_tau_ap_is_that_of_the_worked_example(estimate, value):
    scores = [-estimate.index(item) for item in range(1, 6)]
    assert correlate([5, 4, 3, 2, 1], scores, "tau-ap") == pytest.approx(value, abs=1e-12)


def test_flips_and_drops_are_counted():
    before, after = [5, 4, 3, 2, 1], [1, 4, 5, 3, 3]  # the first becomes the last, the third the first
    assert correlate(before, after, "flips") == 5  # four with the first, one with the third
    assert correlate(before, after, "max-drop") == 4
    assert correlate(after, before, "max-drop") == 2  # the third goes back from place 1 to place 3


def test_a_drop_into_a_tie_counts_the_better_systems_only():
    assert correlate([3, 2, 1], [1, 2, 1], "max-drop") == 1


# --- other programs, and plain loops -------------------------------------------------------------------------------


@given(pairs())
def test_coefficients_are_those_of_scipy(pair):
    x, y = pair
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    assert correlate(x, y, "tau-b") == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
    assert correlate(x, y, "spearman") == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert correlate(x, y, "pearson") == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-10)


@given(pairs())
def test_tau_a_and_flips_are_those_of_a_loop_over_pairs(pair):
    x, y = pair
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    signs = [np.sign(x[i] - x[j]) * np.sign(y[i] - y[j]) for i in range(len(x)) for j in range(i)]
    assert correlate(x, y, "tau-a") == pytest.approx(sum(signs) / len(signs))
    assert correlate(x, y, "flips") == signs.count(-1)


@given(DISTINCT.flatmap(lambda x: st.tuples(st.just(x), st.permutations(x))))
def test_tau_ap_without_ties_is_that_of_a_loop(pair):
    assert correlate(pair[0], pair[1], "tau-ap", ties="error") == pytest.approx(
        plain_tau_ap(pair[0], pair[1]), abs=1e-12
    )


@given(pairs(st.lists(st.sampled_from([1, 2, 3]), min_size=2, max_size=5)))
def test_tau_ap_with_ties_is_the_mean_over_all_breaks(pair):
    x, y = pair
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    broken = [plain_tau_ap(left, right) for left in breaks(x) for right in breaks(y)]
    assert correlate(x, y, "tau-ap") == pytest.approx(np.mean(broken), abs=1e-12)


def test_a_thousand_random_breaks_come_near_the_mean_over_all():
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 5, 20), rng.integers(0, 5, 20)
    drawn = [plain_tau_ap(x + rng.random(20) / 2, y + rng.random(20) / 2) for _ in range(1000)]
    assert correlate(x, y, "tau-ap") == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / math.sqrt(1000))


# --- laws ----------------------------------------------------------------------------------------------------------


@ALL
@given(x=DISTINCT)
def test_an_order_agrees_with_itself(name, x):
    assert correlate(x, x, name) == pytest.approx(COEFFICIENTS[name].same, abs=1e-12)


@pytest.mark.parametrize("name", [name for name, found in COEFFICIENTS.items() if found.low == -1])
@given(x=DISTINCT)
def test_an_order_disagrees_with_its_reverse(name, x):
    assert correlate(x, [-value for value in x], name) == pytest.approx(-1, abs=1e-12)


@pytest.mark.parametrize("name", ["tau-a", "tau-b", "spearman"])
@given(x=MEANS)
def test_a_tied_order_agrees_with_itself_but_for_tau_a(name, x):
    assume(len(set(x)) > 1)
    tied = len(set(x)) < len(x)
    assert (correlate(x, x, name) == pytest.approx(1)) is not (name == "tau-a" and tied)


@ALL
@given(pair=pairs())
def test_values_stay_in_range(name, pair):
    value, found = correlate(pair[0], pair[1], name), COEFFICIENTS[name]
    if not math.isnan(value):
        assert value >= found.low - 1e-12
        assert value <= 1 + 1e-12 or found.same == 0


@pytest.mark.parametrize("name", [name for name, found in COEFFICIENTS.items() if found.symmetric])
@given(pair=pairs())
def test_symmetric_coefficients_are_symmetric(name, pair):
    assert correlate(pair[0], pair[1], name) == pytest.approx(correlate(pair[1], pair[0], name), abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("name", [name for name, found in COEFFICIENTS.items() if not found.symmetric])
def test_the_others_are_not(name):
    assert correlate([3, 2, 1], [2, 1, 3], name) != correlate([2, 1, 3], [3, 2, 1], name)


@given(pairs())
def test_the_directions_of_tau_ap_are_each_other_reversed_and_their_mean_is_symmetric(pair):
    there, back = correlate(pair[0], pair[1], "tau-ap"), correlate(pair[1], pair[0], "tau-ap")
    assert correlate(pair[0], pair[1], "tau-ap-reversed") == pytest.approx(back, nan_ok=True)
    assert correlate(pair[0], pair[1], "tau-ap-symmetric") == pytest.approx((there + back) / 2, nan_ok=True)


@pytest.mark.parametrize("name", [name for name in COEFFICIENTS if name != "pearson"])
@given(pair=pairs())
def test_only_the_order_matters(name, pair):
    x, y = pair
    moved = np.exp(3 * np.array(x)), 5 * np.array(y) ** 3 - 2
    assert correlate(moved[0], moved[1], name) == pytest.approx(correlate(x, y, name), abs=1e-12, nan_ok=True)


@given(DISTINCT.flatmap(lambda x: st.tuples(st.just(x), st.permutations(x))))
def test_without_ties_tau_a_is_tau_b(pair):
    assert correlate(pair[0], pair[1], "tau-a") == pytest.approx(correlate(pair[0], pair[1], "tau-b"))


@ALL
def test_many_pairs_at_once_are_each_pair_alone(name):
    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 6, (40, 7)) / 6, rng.integers(0, 6, (40, 7)) / 6
    x[3], y[5, 2] = 0.5, np.nan
    alone = [correlate(pair[0], pair[1], name) for pair in zip(x, y, strict=True)]
    assert correlate_draws(x, y, name) == pytest.approx(alone, nan_ok=True)
    against_one = [correlate(x[0], row, name) for row in y]
    assert correlate_draws(x[0], y, name) == pytest.approx(against_one, nan_ok=True)


def test_blocks_of_draws_do_not_change_anything():
    rng = np.random.default_rng(2)
    x, y = rng.random((1400, 122)), rng.random((1400, 122))
    found = correlate_draws(x, y, "tau-b")
    for draw in (0, 537, 1399):
        assert found[draw] == pytest.approx(stats.kendalltau(x[draw], y[draw]).statistic)


# --- edges ---------------------------------------------------------------------------------------------------------


def test_sums_in_another_order_are_tied():
    assert correlate([0.1 + 0.2, 0.3, 0.1], [3, 3, 1]) == 1


@pytest.mark.parametrize("name", [name for name, found in COEFFICIENTS.items() if found.needs_order])
def test_equal_systems_have_no_order(name):
    assert math.isnan(correlate([0.5, 0.5, 0.5], [1, 2, 3], name))
    assert math.isnan(correlate([1, 2, 3], [0.1 + 0.2, 0.3, 0.3], name))


@ALL
def test_an_undefined_mean_makes_the_coefficient_undefined(name):
    assert math.isnan(correlate([0.5, np.nan, 0.2], [1, 2, 3], name))


@pytest.mark.parametrize("name", [name for name, found in COEFFICIENTS.items() if found.needs_order])
@pytest.mark.parametrize("systems", [0, 1])
def test_fewer_than_two_systems_have_no_order(name, systems):
    assert math.isnan(correlate([1.0] * systems, [1.0] * systems, name))


@pytest.mark.parametrize("name", [name for name, found in COEFFICIENTS.items() if found.needs_order])
def test_one_system_has_no_order_whoever_asks(name):
    assert np.isnan(COEFFICIENTS[name].function(np.ones((2, 1)), np.ones((2, 1)))).all()


def test_no_draws_give_no_values():
    assert correlate_draws(np.empty((0, 4)), np.empty((0, 4))).shape == (0,)


def test_ties_are_refused_where_that_is_asked():
    with pytest.raises(PolicyError, match="E217: tau-ap is not defined for tied systems"):
        correlate([1, 1, 2], [1, 2, 3], "tau-ap", ties="error")
    with pytest.raises(PolicyError, match='ties="drop" is unknown'):
        correlate([1, 3, 2], [1, 2, 3], "tau-ap", ties="drop")  # type: ignore[arg-type]  # wrong on purpose


def test_unknown_coefficients_and_options_are_refused():
    with pytest.raises(PolicyError, match='coefficient="tau-c" is unknown') as caught:
        correlate(X, Y, "tau-c")
    assert caught.value.hint.startswith("did you mean tau-")
    with pytest.raises(PolicyError, match=f"one of {', '.join(COEFFICIENTS)}"):
        correlate(X, Y, "xyzzy")
    with pytest.raises(MeasureError, match="rbo has no parameter 'ties'\\n  hint: it takes p"):
        correlate(X, Y, "rbo", ties="w")  # type: ignore[arg-type]  # wrong on purpose
    with pytest.raises(MeasureError, match="tau-b has no parameter 'p'"):
        correlate(X, Y, p=0.5)


def test_vectors_of_different_systems_are_refused():
    with pytest.raises(InputError, match="found 2 and 3"):
        correlate([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="2 × 2 and 3 × 2 do not belong together"):
        correlate_draws(np.ones((2, 2)), np.ones((3, 2)))


@ALL
def test_every_coefficient_has_a_title_a_formula_and_an_example(name):
    document = COEFFICIENTS[name].document
    assert COEFFICIENTS[name].title.endswith(".")
    assert "$$" in document
    assert ">>> " in document
    assert inspect.signature(COEFFICIENTS[name].function).parameters.keys() >= {"x", "y"}


# --- intervals -----------------------------------------------------------------------------------------------------


def matrices(systems=8, topics=30, seed=5):
    rng = np.random.default_rng(seed)
    ability, noise = np.linspace(0, 1, systems)[:, None], rng.normal(size=(2, systems, topics))
    return ability + noise[0], ability + noise[1]


@ALL
def test_an_interval_is_that_of_a_loop_over_resamples(name):
    x, y = matrices()
    found = correlation_interval(x, y, name, samples=200, seed=7)
    counts = np.random.default_rng(7).multinomial(30, np.full(30, 1 / 30), size=200)
    drawn = [
        correlate(np.repeat(x, c, axis=1).mean(axis=1), np.repeat(y, c, axis=1).mean(axis=1), name) for c in counts
    ]
    assert found.interval == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))
    assert found.estimate == pytest.approx(correlate(x.mean(axis=1), y.mean(axis=1), name))
    assert (found.coefficient, found.n, found.topics, found.dropped, found.samples) == (name, 8, 30, 0, 200)


def test_a_wider_level_gives_a_wider_interval_and_seeds_repeat():
    x, y = matrices()
    narrow, wide = (correlation_interval(x, y, level=level, samples=500) for level in (0.5, 0.95))
    assert wide.interval[0] < narrow.interval[0] < narrow.interval[1] < wide.interval[1]
    assert wide == correlation_interval(x, y, "tau", samples=500)


def test_topics_with_a_hole_are_left_out_and_counted():
    x, y = matrices()
    holed = x.copy()
    holed[2, 4], other = np.nan, y.copy()
    other[0, 9] = np.nan
    kept = np.delete(np.arange(30), [4, 9])
    found, expected = correlation_interval(holed, other), correlation_interval(x[:, kept], y[:, kept])
    assert (found.interval, found.estimate, found.topics) == (expected.interval, expected.estimate, 28)
    assert found.dropped == 2


def test_an_interval_of_equal_systems_is_undefined():
    found = correlation_interval(np.ones((3, 5)), matrices(3, 5)[0])
    assert np.isnan([found.estimate, *found.interval]).all()
    assert found.samples == 0


def test_an_interval_needs_two_topics_and_matrices_alike():
    with pytest.raises(InputError, match="at least 2 common topics, got 1"):
        correlation_interval(np.ones((3, 1)), np.ones((3, 1)))
    with pytest.raises(InputError, match="3 × 4 and 3 × 5 do not belong together"):
        correlation_interval(np.ones((3, 4)), np.ones((3, 5)))
