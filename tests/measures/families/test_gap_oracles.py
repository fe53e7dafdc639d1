"""Worked numbers of graded average precision, and the counterexamples to what has been claimed of it."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.align.hits import Hits
from cranfield.errors import MeasureError
from cranfield.measures.families.gap import (
    _thresholds,
    expected_average_precision,
    extended_average_precision,
    graded_average_precision,
)
from cranfield.measures.grammar import parse
from tests.laws.worlds import World, world_of, worlds
from tests.measures.worked import SIX, value

FAMILY = ("GAP", "xGAP", "eGAP")
LIST = ([2, 0, 1, 3, 0, 1], [2, 1])  # three documents of grade 1, two of grade 2, one of grade 3


def among(name: str, *shares: float, **more: object) -> str:
    """The measure with this distribution of the users over the grades 1, 2, …"""
    settings = {"g": dict(enumerate(shares, start=1))} | more
    return f"{name}({', '.join(f'{key}={setting!r}' for key, setting in settings.items())})"


@pytest.mark.parametrize(
    ("name", "users", "common", "rare"),
    [
        ("GAP", (0.5, 0.5), 1 / 12, 1 / 6),
        ("xGAP", (0.5, 0.5), 1 / 22, 12 / 22),
        ("GAP", (0.1, 0.9), 1 / 20, 1 / 2),
        ("xGAP", (0.1, 0.9), 1 / 110, 100 / 110),
    ],
)
def test_the_weight_of_a_common_and_of_a_rare_document(name, users, common, rare):
    """A list of one document is worth the probability with which that document is drawn; 10 have grade 1, 1 grade 2."""
    assert value(among(name, *users), [1], [1] * 9 + [2]) == pytest.approx(common)
    assert value(among(name, *users), [2], [1] * 10) == pytest.approx(rare)
    assert 10 * common + rare == pytest.approx(1)


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (10, (0.590909, 0.256198, 0.181818)),
        (100, (0.918992, 0.197138, 0.108911)),
        (1000, (0.991098, 0.190719, 0.100899)),
        (100_000, (1, 1 - 0.9**2, 1 - 0.9)),
    ],
)
def test_many_documents_of_grade_one_before_one_of_grade_two(n, expected):
    found = [value(among(name, 0.1, 0.9), [1] * n + [2]) for name in FAMILY]
    assert found == pytest.approx(expected, abs=SIX if n <= 1000 else 1e-4)  # the limits


def test_that_limit_is_one_only_if_grade_one_is_enough_for_somebody():
    assert value(among("GAP", 0, 1), [1] * 1000 + [2]) == pytest.approx(0.000999, abs=SIX)


@pytest.mark.parametrize(
    ("users", "expected"),
    [
        ((0.2, 0.2, 0.6), (0.444444, 0.424444, 0.352778)),
        ((1, 0, 0), (0.513889, 0.513889, 0.513889)),
        ((0, 0, 1), (0.25, 0.25, 0.25)),
    ],
)
def test_a_list_of_three_grades(users, expected):
    assert [value(among(name, *users), *LIST) for name in FAMILY] == pytest.approx(expected, abs=SIX)


def test_the_average_precision_of_each_threshold():
    assert [value(f"AP(rel={k})", *LIST) for k in (1, 2, 3)] == pytest.approx([0.513889, 0.5, 0.25], abs=SIX)


@pytest.mark.parametrize(("name", "plain", "renormalised"), [("xGAP", 0.4, 1.0), ("eGAP", 0.4, 1.0)])
def test_the_best_list_of_a_topic_without_the_highest_grade(name, plain, renormalised):
    best = [2, 2, 1]
    assert value(among("GAP", 0.2, 0.2, 0.6), best) == pytest.approx(1)
    assert value(among(name, 0.2, 0.2, 0.6), best) == pytest.approx(plain)
    assert value(among(name, 0.2, 0.2, 0.6, renormalise=True), best) == pytest.approx(renormalised)


# --- facts -----------------------------------------------------------------------------------------------------

DISTRIBUTIONS = st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any).map(lambda n: [i / sum(n) for i in n])


@given(worlds(), DISTRIBUTIONS)
def test_gap_is_the_mean_of_the_threshold_aps_weighted_by_their_recall_bases(world, users):
    hits = world.hits()
    shares = dict(enumerate(users, start=1))
    bases = {k: hits.judged_at_least(k) for k in shares}
    aps = {k: np.nan_to_num(parse(f"AP(rel={k})")(hits)) for k in shares}
    weighted = sum(g * bases[k] * aps[k] for k, g in shares.items())
    weight = sum(g * bases[k] for k, g in shares.items())
    found = parse(among("GAP", *users))(hits)
    np.testing.assert_allclose(found[weight > 0], (weighted / np.maximum(weight, 1e-9))[weight > 0], rtol=1e-9)
    mean = sum(g * aps[k] for k, g in shares.items())
    np.testing.assert_allclose(parse(among("eGAP", *users))(hits)[weight > 0], mean[weight > 0], rtol=1e-9)


@given(worlds(), DISTRIBUTIONS)
def test_the_best_list_reaches_the_share_of_the_users_that_can_be_satisfied(world, users):
    best = world.hits().ideal()
    satisfied = sum(g * (best.judged_at_least(k) > 0) for k, g in enumerate(users, start=1))
    relevant = best.judged_at_least() > 0
    for name in ("xGAP", "eGAP"):
        np.testing.assert_allclose(parse(among(name, *users))(best)[relevant], satisfied[relevant], rtol=1e-9)
    somebody = relevant & (satisfied > 0)
    np.testing.assert_allclose(parse(among("GAP", *users))(best)[somebody], 1, rtol=1e-9)


@given(worlds(), DISTRIBUTIONS)
def test_no_list_exceeds_the_share_of_the_users_that_can_be_satisfied(world, users):
    hits = world.hits()
    satisfied = sum(g * (hits.judged_at_least(k) > 0) for k, g in enumerate(users, start=1))
    for name in ("xGAP", "eGAP"):
        values = parse(among(name, *users))(hits)
        assert (np.isnan(values) | (values <= satisfied + 1e-12)).all()


@given(worlds(), st.integers(1, 4))
def test_with_one_kind_of_user_all_three_are_average_precision(world, k):
    hits = world.hits()
    expected, relevant = np.nan_to_num(parse(f"AP(rel={k})")(hits)), hits.judged_at_least() > 0
    for name in FAMILY:
        np.testing.assert_allclose(parse(f"{name}(g={{{k}: 1}})")(hits)[relevant], expected[relevant], rtol=1e-12)


@given(worlds((0, 0, 1, None)))
def test_with_one_grade_all_three_are_average_precision(world):
    hits = world.hits()
    for name in FAMILY:
        np.testing.assert_allclose(parse(name)(hits), parse("AP")(hits), rtol=1e-12)


def test_unless_given_users_are_spread_evenly_over_the_grades_of_the_collection():
    hits = world_of(([1, 2], []), ([0, 4], [])).hits()
    for name in FAMILY:
        even = parse(among(name, 0.25, 0.25, 0.25, 0.25))
        np.testing.assert_allclose(parse(name)(hits), even(hits))


@pytest.mark.parametrize("name", ["GAP", "eGAP"])
@given(found=st.lists(st.integers(0, 4), min_size=2, max_size=10), users=DISTRIBUTIONS, data=st.data())
def test_exchanging_neighbours_in_favour_of_the_better_one_never_lowers_gap_and_egap(name, found, users, data):
    missed = data.draw(st.lists(st.integers(0, 4), max_size=4))
    place = data.draw(st.integers(0, len(found) - 2))
    assume(found[place] < found[place + 1])
    better = [*found[:place], found[place + 1], found[place], *found[place + 2 :]]
    assert value(among(name, *users), better, missed) >= value(among(name, *users), found, missed) - 1e-12


def test_egap_is_the_expectation_of_its_random_experiment():
    """Draw a user, a document relevant to that user, a rank down to it; is the document there relevant to the user?"""
    found, missed = LIST
    users = (0.2, 0.2, 0.6)
    expected = 0.0
    for k, share in enumerate(users, start=1):
        ranks = [n for n, grade in enumerate(found, start=1) if grade >= k]
        wanted = len(ranks) + sum(1 for grade in missed if grade >= k)
        for n in ranks:
            expected += share / wanted * sum(found[m] >= k for m in range(n)) / n
    assert value(among("eGAP", *users), found, missed) == pytest.approx(expected)


# --- counterexamples, kept so that nobody claims more --------------------------------------------------------------


def test_xgap_can_fall_when_a_better_document_moves_up_by_one():
    measure = among("xGAP", 0.9, 0.1)
    assert value(measure, [0, 0, 1, 2]) - value(measure, [0, 0, 2, 1]) == pytest.approx(7 / 2400)
    measure = among("xGAP", 0.6, 0.2, 0.2)
    assert value(measure, [2, 2, 0, 2, 3]) == pytest.approx(411 / 500)
    assert value(measure, [2, 2, 0, 3, 2]) == pytest.approx(410 / 500)


def exchanges(adjacent: bool, grades: tuple[int, ...], longest: int) -> World:
    """Every list up to a length and every exchange of one: lists and their betters alternate."""
    lists = []
    for n in range(2, longest + 1):
        for found in product(grades, repeat=n):
            for high in range(n - 1):
                for low in range(high + 1, high + 2 if adjacent else n):
                    if found[high] < found[low] and (adjacent or found[high] == 0):
                        better = list(found)
                        better[high], better[low] = found[low], found[high]
                        lists += [(found, ()), (better, ())]
    return world_of(*lists)


@pytest.mark.parametrize("users", [(0.9, 0.1), (0.1, 0.9), (0.5, 0.5)])
def test_xgap_does_not_fall_in_short_complete_lists_where_the_paper_looked(users):
    measure = parse(among("xGAP", *users))
    for adjacent in (True, False) if users != (0.9, 0.1) else (False,):
        values = measure(exchanges(adjacent, (0, 1, 2), 5).hits())
        assert (values[1::2] >= values[::2] - 1e-12).all()


def test_xgap_can_fall_even_when_a_relevant_document_takes_the_place_of_a_nonrelevant_one():
    """Not within short complete lists, but with many common documents left out: the moved one outweighs its kin."""
    measure, missed = among("xGAP", 0.9, 0.1), [1] * 96
    before, after = value(measure, [0, 0, 1, 1, 1, 2], missed), value(measure, [0, 2, 1, 1, 1, 0], missed)
    weight = 0.9 / 100 + 0.1  # of the document of grade 2; those of grade 1 have 1 / 100
    by_hand = weight * (1 / 2 - (3 * 0.9 + 1) / 6) + 0.9 / 100 * (1 / 3 + 1 / 4 + 1 / 5)
    assert after - before == pytest.approx(by_hand)
    assert after < before


# --- edges -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FAMILY)
def test_where_nothing_satisfies_anybody_the_value_is_zero_or_undefined(name):
    assert value(among(name, 0, 1), [1, 0], [1]) == 0
    assert np.isnan(value(among(name, 0, 1, no_user="nan"), [1, 0], [1]))
    assert np.isnan(value(among(name, 0, 1), [0, None], [0]))


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("g", ["{1: 0.5}", "{1: 0.5, 2: 0.6}", "{1: 1.5, 2: -0.5}", "{0: 1}", "{}", "0.5", "'even'"])
def test_shares_that_are_no_distribution_are_refused(name, g):
    with pytest.raises(MeasureError, match="E203") as raised:
        parse(f"{name}(g={g})")
    assert "must share out 1 among grades above 0" in str(raised.value)
    assert "write g={1: 0.5, 2: 0.5}" in raised.value.hint


def test_gap_takes_no_renormalise_because_the_best_list_has_one_anyway():
    with pytest.raises(MeasureError, match="E204"):
        parse("GAP(renormalise=True)")


def test_real_runs_of_three_grades_have_values_between_zero_and_one(shared):
    runs = sorted((shared / "data" / "robust03" / "runs").iterdir())[:3]
    several = ["GAP", "xGAP", "eGAP", "GAP(g={1: 0.1, 2: 0.9})", "eGAP(renormalise=True)", "AP", "AP(rel=2)"]
    scores = cf.evaluate(shared / "data" / "robust03" / "qrels.gz", runs, several)
    assert not np.isnan(scores.values).any()
    assert (scores.values >= 0).all()
    assert (scores.values <= 1).all()
    assert scores.means.min() > 0
    lenient, strict = scores.matrix("AP"), scores.matrix("AP(rel=2)")
    np.testing.assert_allclose(scores.matrix("eGAP"), (lenient + strict) / 2, atol=1e-12)
    has_both = scores.relevant[:, scores.measures.index("AP(rel=2)")] > 0
    between = scores.matrix("GAP")[:, has_both]
    assert (between >= np.minimum(lenient, strict)[:, has_both] - 1e-12).all()
    assert (between <= np.maximum(lenient, strict)[:, has_both] + 1e-12).all()


@pytest.mark.parametrize("name", FAMILY)
@pytest.mark.parametrize("grades", [[150, 0, 7, 101, 100], [1, 250], [3, 3, 120, 119, 2]])
def test_many_grades_that_no_document_has_change_nothing(name, grades):
    """Users whom the same documents satisfy are one group; one by one they come to the same."""
    top = max(grades)
    one_by_one = among(name, *[1 / top] * top)
    assert value(name, grades, [5, 1]) == pytest.approx(value(one_by_one, grades, [5, 1]), rel=1e-12)


@pytest.mark.parametrize("top", [1_000_000, 2**53 - 1])
def test_the_work_grows_with_the_grades_that_occur_not_with_the_highest(top):
    hits = Hits.of([[(1, 1), (2, 3)]], levels=[[0, 1, 0, 1]], retrieved=[2])
    hits = replace(hits, grade=np.array([1, top]), base_grade=np.array([top, 1]), top_grade=float(top))
    assert list(_thresholds(hits, None)) == [1, top]
    # nearly all users want the best document, which stands second
    for measure in (graded_average_precision, expected_average_precision, extended_average_precision):
        assert measure(hits) == pytest.approx([0.5], abs=1e-5)
