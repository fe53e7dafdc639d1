"""Rank-biased overlap: worked figures, plain sums over items and depths, all orders of ties, laws."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError, MeasureError, PolicyError
from cranfield.stats.orders.correlation import correlate, correlate_draws
from cranfield.stats.orders.overlap import Variant, rbo

VARIANTS: tuple[Variant, ...] = ("w", "a", "b")
EACH = pytest.mark.parametrize("variant", VARIANTS)
DEPTH = np.arange(1, 2000)  # deeper ranks weigh less than 1e-15
P = st.sampled_from([0.2, 0.5, 0.8, 0.9, 0.98])


@st.composite
def rankings(draw, items="abcdefgh", most=6, ties=True):
    """A list of groups."""
    order = draw(st.permutations(items))[: draw(st.integers(1, most))]
    cuts = [True, *(draw(st.booleans()) or not ties for _ in order[1:])]
    groups: list[list[str]] = []
    for item, cut in zip(order, cuts, strict=True):
        groups[len(groups) :] = [[item]] if cut else []
        groups[-1] += [] if cut else [item]
    return groups


def untied(groups):
    """Every order of a list with ties."""
    return [[item for group in orders for item in group] for orders in product(*map(permutations, groups))]


def plain(x, y, p):
    """Extrapolated, least and most overlap of two lists without ties, by the formulas of Webber et al."""
    short, long = sorted((x, y), key=len)
    s, n = len(short), len(long)
    shared = [len({*short[:d]} & {*long[:d]}) for d in range(n + 1)]
    scale = (1 - p) / p
    ext = sum(shared[d] / d * p**d for d in range(1, n + 1))
    ext += sum(shared[s] * (d - s) / (s * d) * p**d for d in range(s + 1, n + 1))
    ext = scale * ext + ((shared[n] - shared[s]) / n + shared[s] / s) * p**n
    known = np.array([*shared[1:], *[shared[n]] * (len(DEPTH) - n)])
    best = np.minimum(DEPTH, known + np.maximum(DEPTH - s, 0) + np.maximum(DEPTH - n, 0))
    low, high = (scale * (overlap / DEPTH * p**DEPTH).sum() for overlap in (known, best))
    return ext, low, high


def plain_with_ties(x, y, p, variant):
    """The same with ties, from every item's contribution at every depth."""
    short, long = sorted((x, y), key=lambda groups: sum(map(len, groups)))
    s, n = (sum(map(len, groups)) for groups in (short, long))
    items = sorted({item for groups in (short, long) for group in groups for item in group})

    def contribution(groups, item, d):
        before = 0
        for group in groups:
            if item in group:
                t, b = before + 1, before + len(group)
                whole = d >= t if variant == "w" else d >= b
                return 1 if whole else 0 if d < t or variant == "w" else (d - t + 1) / (b - t + 1)
            before += len(group)
        return 0

    def at(d):
        one, two = ([contribution(groups, item, d) for item in items] for groups in (short, long))
        overlap = sum(a * b for a, b in zip(one, two, strict=True))
        squares = [sum(c**2 for c in side) for side in (one, two)] if variant == "b" else [sum(one), sum(two)]
        if d > s:
            squares[0] = d
        size = {"w": sum(squares) / 2, "a": d, "b": math.sqrt(math.prod(squares))}[variant]
        alone = sorted((c for a, c in zip(items, two, strict=True) if all(a not in g for g in short)), reverse=True)
        return overlap, size, [c for c in alone if c > 0]

    share = at(s)[0] / at(s)[1]
    ext = low = high = 0.0
    last = 0.0
    for d in range(1, n + 1):
        overlap, size, alone = at(d)
        more = (d - s) * share * sum(alone) / len(alone) if d > s else 0
        last = (overlap + more) / size
        ext += last * p**d
        low += overlap / size * p**d
        high += (overlap + sum(alone[: max(d - s, 0)])) / size * p**d
    shared = at(n)[0]
    scale = (1 - p) / p
    tail = range(n + 1, 2000)
    low += sum(shared / d * p**d for d in tail)
    high += sum(min(2 * d - n - s + shared, d) / d * p**d for d in tail)
    return scale * ext + last * p**n, scale * low, scale * high


def three(found):
    return found.ext, found.min, found.max


# --- worked figures ------------------------------------------------------------------------------------------------

TIED = (["a", ["b", "c"], "d"], ["b", "a", ["c", "d"]])
UNEVEN = (["a", ("b", "c")], ["b", {"d", "e", "f", "g"}, "a"])


@EACH
@pytest.mark.parametrize(
    ("x", "y", "expected"),
    [("abcde", "bacfd", (0.750555, 0.488146, 0.868653)), ("abc", "acdeb", (0.81622, 0.432303, 0.909775))],
)
def test_worked_lists_without_ties(variant, x, y, expected):
    assert three(rbo(x, y, ties=variant)) == pytest.approx(expected, abs=5.1e-7)


@pytest.mark.parametrize(
    ("lists", "variant", "expected"),
    [
        (TIED, "w", (0.870429, 0.4768, 0.870429)),
        (TIED, "a", (0.864, 0.470371, 0.864)),
        (TIED, "b", (0.880885, 0.487256, 0.880885)),
        (UNEVEN, "w", (0.353324, 0.177064, 0.695165)),
        (UNEVEN, "a", (0.389396, 0.185839, 0.701408)),
        (UNEVEN, "b", (0.43354, 0.204264, 0.721329)),
    ],
)
def test_worked_lists_with_ties(lists, variant, expected):
    assert three(rbo(*lists, ties=variant)) == pytest.approx(expected, abs=5.1e-7)
    assert rbo(*lists, ties=variant).residual == pytest.approx(expected[2] - expected[1], abs=1.1e-6)


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        ("a", (0.6922853, 0.3310519, 0.8930692)),
        ("w", (0.7068257, 0.3429684, 0.9049857)),
        ("b", (0.7207131, 0.3509163, 0.9129336)),
    ],
)
def test_the_figures_that_the_authors_of_the_variants_print(variant, expected):
    # README of rbo/Python in github.com/julian-urbano/sigir2024-rbo, commit b400ee4, p = .95
    x = ["red", {"blue", "green"}, "yellow", "pink"]
    y = [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"]
    assert three(rbo(x, y, p=0.95, ties=variant)) == pytest.approx(expected, abs=5.1e-8)


# --- plain sums ----------------------------------------------------------------------------------------------------


@EACH
@given(x=rankings(ties=False), y=rankings(ties=False), p=P)
def test_lists_without_ties_are_those_of_plain_sums(variant, x, y, p):
    one, two = untied(x)[0], untied(y)[0]
    assert three(rbo(one, two, p=p, ties=variant)) == pytest.approx(plain(one, two, p), abs=1e-9)


@EACH
@given(x=rankings(), y=rankings(), p=P)
def test_lists_with_ties_are_those_of_plain_sums(variant, x, y, p):
    assert three(rbo(x, y, p=p, ties=variant)) == pytest.approx(plain_with_ties(x, y, p, variant), abs=1e-9)


@given(x=rankings(most=4), y=rankings(most=4), p=P)
def test_variant_a_is_the_mean_over_all_orders_of_tied_items(x, y, p):
    means = np.mean([plain(one, two, p) for one in untied(x) for two in untied(y)], axis=0)
    found = rbo(x, y, p=p, ties="a")
    assert found.min == pytest.approx(means[1], abs=1e-9)
    if found.n[0] == found.n[1]:
        assert three(found) == pytest.approx(tuple(means), abs=1e-9)


def test_the_extrapolation_of_a_short_list_is_not_that_mean():
    # a against (abc): the one order in three that begins with a would extrapolate 1, the others 0
    found, means = (
        rbo("a", [["a", "b", "c"]], p=0.2, ties="a").ext,
        [plain("a", y, 0.2)[0] for y in ("abc", "bac", "bca")],
    )
    assert found == pytest.approx(0.36)
    assert np.mean(means) == pytest.approx(0.368889, abs=5.1e-7)


def test_ten_thousand_pairs_with_ties_are_those_of_contribution_matrices():
    rng, p, depth = np.random.default_rng(11), 0.9, np.arange(1, 13)
    both = rng.integers(0, 5, (2, 10_000, 12))
    first = 1 + (both[..., None, :] > both[..., :, None]).sum(axis=-1)
    size = (both[..., None, :] == both[..., :, None]).sum(axis=-1)
    fraction = np.clip((depth - first[..., None] + 1) / size[..., None], 0, 1)
    for variant, c in zip(VARIANTS, (np.ceil(fraction), fraction, fraction), strict=True):
        overlap, sums = (c[0] * c[1]).sum(axis=1), c.sum(axis=2)
        squares = (c**2).sum(axis=2)
        divisor = {"w": sums.mean(axis=0), "a": depth, "b": np.sqrt(squares[0] * squares[1])}[variant]
        agreement = overlap / divisor
        expected = (1 - p) / p * (agreement * p**depth).sum(axis=1) + agreement[:, -1] * p**12
        found = correlate_draws(both[0], both[1], f"rbo-{variant}")
        assert np.abs(found - expected).max() < 1e-12
        lists = [dict(enumerate(values)) for values in both[:, 0].tolist()]
        assert rbo(lists[0], lists[1], ties=variant).ext == pytest.approx(expected[0], abs=1e-12)


@EACH
@given(st.integers(1, 8).flatmap(lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)), P)
def test_orders_of_systems_are_lists_with_ties(variant, pair, p):
    x, y = (dict(enumerate(values)) for values in pair)
    assert correlate(pair[0], pair[1], f"rbo-{variant}", p=p) == pytest.approx(rbo(x, y, p=p, ties=variant).ext)


# --- laws ----------------------------------------------------------------------------------------------------------


@EACH
@given(x=rankings(), y=rankings(), p=P)
def test_overlap_is_symmetric(variant, x, y, p):
    there, back = rbo(x, y, p=p, ties=variant), rbo(y, x, p=p, ties=variant)
    assert three(there) == pytest.approx(three(back), abs=1e-12)
    assert there.n == back.n[::-1]


@EACH
@given(x=rankings(), y=rankings(), p=P)
def test_the_extrapolated_value_lies_between_least_and_most(variant, x, y, p):
    found = rbo(x, y, p=p, ties=variant)
    assert -1e-12 <= found.min <= found.ext + 1e-12
    assert found.ext <= found.max + 1e-12
    assert found.max <= 1 + 1e-12 or variant == "b"
    assert found.residual >= -1e-12


@EACH
@given(x=rankings(), p=P)
def test_a_list_overlaps_itself_but_for_variant_a_with_ties(variant, x, p):
    tied = any(len(group) > 1 for group in x)
    found = rbo(x, x, p=p, ties=variant).ext
    assert found < 1 - 1e-9 if variant == "a" and tied else found == pytest.approx(1)


@given(x=rankings(ties=False), y=rankings(ties=False), p=P)
def test_without_ties_the_variants_agree(x, y, p):
    w, a, b = (three(rbo(x, y, p=p, ties=variant)) for variant in VARIANTS)
    assert w == pytest.approx(a, abs=1e-12)
    assert b == pytest.approx(a, abs=1e-12)


def test_lists_without_a_common_item_do_not_overlap_so_far():
    found = rbo("abc", "xyz")
    assert (found.ext, found.min) == (0, 0)
    assert 0 < found.max < 1


# --- edges ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("x", "y"), [("", "ab"), ("ab", ""), ([], {})])
def test_an_empty_list_has_no_overlap(x, y):
    found = rbo(x, y)
    assert np.isnan([found.ext, found.min, found.max, found.residual]).all()
    assert found.n == (len(x), len(y))


def test_scores_groups_and_sets_say_the_same():
    groups, scores = ["a", {"b", "c"}, "d"], {"d": 0.1, "b": 0.3, "a": 0.9, "c": 0.1 + 0.2}
    assert rbo(groups, "abcd", ties="a") == rbo(scores, "abcd", ties="a")


def test_long_lists_with_long_ties_stay_affordable():
    x, y = {n: n % 100 for n in range(5000)}, {n: n // 2500 for n in range(5000)}
    assert 0 < rbo(x, y, ties="b").ext < 1


def test_no_systems_have_no_overlap():
    assert np.isnan(correlate_draws(np.empty((2, 0)), np.empty((2, 0)), "rbo")).all()


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InputError, match="item 'a' is listed twice"):
        rbo("aba", "ab")
    with pytest.raises(MeasureError, match=r"E203: rbo\(p=1\): p must lie strictly between 0 and 1"):
        rbo("ab", "ab", p=1)
    with pytest.raises(PolicyError, match='ties="c" is unknown'):
        rbo("ab", "ab", ties="c")  # type: ignore[arg-type]  # a wrong type, on purpose
