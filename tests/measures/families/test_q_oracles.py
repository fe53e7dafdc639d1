"""Worked numbers of the Q family, and the counterexamples to what has been claimed of it."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cranfield.measures.grammar import parse
from tests.laws.worlds import hits_of, world_of, worlds
from tests.measures.worked import FOUR, SIX, value

MISSED = [3, 3, 2, 2, 1, 1, 1, 1]  # with the list: 3 documents of grade 3, 3 of grade 2, 4 of grade 1, 1 of grade 0
SAMPLE = ([0, 3, None, 2], MISSED)
FIVE = 5.1e-6


@pytest.mark.parametrize(
    ("name", "plain", "condensed"),
    [
        ("AP", 0.1, 0.1167),
        ("Q", 0.0967, 0.1083),
        ("nDCG(dcg='jk', b=2)", 0.3380, 0.3601),
        ("nDCG", 0.2760, 0.2899),
        ("RBP(p=0.95, max_rel=3)", 0.0761, 0.0776),
    ],
)
def test_the_sample_list_of_the_ntcir_tools_whole_and_condensed(name, plain, condensed):
    assert value(name, *SAMPLE) == pytest.approx(plain, abs=FOUR)
    assert float(parse(name).as_condensed()(hits_of(*SAMPLE))[0]) == pytest.approx(condensed, abs=FOUR)


@pytest.mark.parametrize("name", ["O", "PMeasure", "P+", "O'", "PMeasure'", "P+'"])
def test_the_sample_list_under_measures_of_one_document(name):
    assert value(name, *SAMPLE) == pytest.approx(0.5, abs=FOUR)


@pytest.mark.parametrize(
    ("name", "expected"), [("RprefN", 0.2068), ("RprefRelative", 0.0526), ("RprefRelative2", 0.1491)]
)
def test_the_sample_list_under_graded_preferences(name, expected):
    assert value(name, *SAMPLE) == pytest.approx(expected, abs=FOUR)
    assert value(name + "'", *SAMPLE) == value(name, *SAMPLE)


@pytest.mark.parametrize(("name", "expected"), [("O", 0.5), ("PMeasure", 0.75), ("PPlus", 0.625)])
def test_a_list_whose_first_relevant_document_is_not_its_best(name, expected):
    assert value(name, [1, 3, 0, 2], [3, 3, 2, 2, 1, 1, 1]) == pytest.approx(expected, abs=SIX)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("AP", 0.2417), ("Q", 0.16), ("nDCG(dcg='jk', b=2)", 0.3290), ("RprefRelative2", 0.1886), ("RprefN", 0.2672)],
)
def test_a_list_with_five_judged_nonrelevant_documents(name, expected):
    missed = [3, 3, 2, 2, 1, 1, 1, 0, 0, 0, 0]
    assert value(name, [1, 0, 3, 2], missed) == pytest.approx(expected, abs=FOUR)


def test_the_highest_gain_of_the_topic_and_of_the_collection():
    hits = world_of(([1, 0, 2], [1]), ([3], [])).hits()
    own, common = parse("RprefN")(hits)[0], parse("RprefN(highest='collection')")(hits)[0]
    penalty = (2 - 1) / 2 + 1  # of the document of grade 2, below one of grade 1 and one of grade 0
    assert own == pytest.approx((1 + 2 * (1 - penalty / (4 - 4 / 2))) / 4)
    assert common == pytest.approx((1 + 2 * (1 - penalty / (4 - 4 / 3))) / 4)


# --- facts -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cutoff", [1, 2, 3, 5, 20])
def test_the_divisor_with_a_cutoff_is_what_can_be_found_there(cutoff):
    found, missed = [1, 0, 2, 1], [1, 1]  # R = 5
    whole = [(1 + 1) / (1 + 2), None, (2 + 3) / (3 + 4), (3 + 4) / (4 + 5)]
    expected = sum(term for term in whole[:cutoff] if term) / min(cutoff, 5)
    assert value(f"Q@{cutoff}", found, missed) == pytest.approx(expected)


def test_the_gains_of_the_grades_can_be_chosen():
    # gains 1:4:9, ideal 9, 4, 1
    expected = ((1 + 4) / (2 + 13) + (2 + 13) / (3 + 14)) / 3
    assert value("Q(gains={1: 1, 2: 4, 3: 9})", [0, 2, 3], [1]) == pytest.approx(expected)
    assert value("Q(gains={1: 0})", [1, 2]) == value("Q", [0, 2])


@given(worlds())
def test_with_beta_zero_q_is_average_precision(world):
    hits = world.hits()
    np.testing.assert_allclose(parse("Q(beta=0)")(hits), parse("AP")(hits), rtol=1e-12)


@given(worlds((0, 0, 1, None)))
def test_with_one_grade_q_is_average_precision_unless_a_relevant_document_is_below_rank_r(world):
    hits = world.hits()
    q, ap, relevant = parse("Q")(hits), parse("AP")(hits), hits.judged_at_least()
    low = hits.where((hits.grade > 0) & (hits.rank > relevant[hits.ranking])).count > 0
    np.testing.assert_allclose(q[~low], ap[~low], rtol=1e-12)
    assert (q[low] > ap[low]).all()


@given(worlds((0, 0, 1, None)))
def test_with_one_grade_graded_preferences_are_average_precision_and_rank_effectiveness(world):
    hits = world.hits()
    np.testing.assert_allclose(parse("RprefRelative2")(hits), parse("AP'")(hits), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(parse("RprefN")(hits), parse("BprefN")(hits), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(parse("RprefRelative")(hits), parse("BprefRelative")(hits), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", ["Q", "RprefRelative2"])
@given(found=st.lists(st.sampled_from((0, 0, 1, 2, 3, 4)), min_size=2, max_size=10), data=st.data())
def test_exchanging_neighbours_in_favour_of_the_better_one_never_lowers_the_value(name, found, data):
    missed = data.draw(st.lists(st.sampled_from((0, 1, 2, 3, 4)), max_size=4))
    place = data.draw(st.integers(0, len(found) - 2))
    assume(found[place] < found[place + 1])
    better = [*found[:place], found[place + 1], found[place], *found[place + 2 :]]
    assert value(name, better, missed) >= value(name, found, missed) - 1e-12


@given(worlds())
def test_the_condensed_q_is_at_least_q(world):
    hits = world.hits()
    plain, condensed = parse("Q")(hits), parse("Q'")(hits)
    assert (np.isnan(plain) | (condensed >= plain - 1e-12)).all()


# --- counterexamples, kept so that nobody claims more --------------------------------------------------------------


def test_q_can_fall_when_a_relevant_document_moves_up_past_a_better_one():
    assert value("Q", [0, 3, 1]) == pytest.approx(16 / 21)
    assert value("Q", [1, 3, 0]) == pytest.approx(3 / 4)


@pytest.mark.parametrize(("beta", "violations"), [(1, 2), (10, 11)])
def test_how_many_exchanges_in_lists_of_four_lower_q(beta, violations):
    """Every list of four over the grades 0, 1, 3, every exchange of a nonrelevant with a lower relevant document."""
    pairs = []
    for found in product((0, 1, 3), repeat=4):
        for high, low in combinations(range(4), 2):
            if found[high] == 0 < found[low]:
                exchanged = list(found)
                exchanged[high], exchanged[low] = found[low], found[high]
                pairs.append((found, exchanged, low - high))
    q = parse(f"Q(beta={beta})")
    before = q(world_of(*((found, ()) for found, _, _ in pairs)).hits())
    after = q(world_of(*((exchanged, ()) for _, exchanged, _ in pairs)).hits())
    fell = after < before - 1e-12
    assert len(pairs) == 108
    assert fell.sum() == violations
    assert not any(lower and distance == 1 for lower, (_, _, distance) in zip(fell, pairs, strict=True))


def test_p_plus_can_fall_when_a_better_document_moves_up_by_one():
    assert value("PPlus", [0, 1, 3, 1]) - value("PPlus", [0, 1, 1, 3]) == pytest.approx(-0.0324, abs=FOUR)


@pytest.mark.parametrize(
    ("name", "before", "after"), [("O", [0, 4, 1], [1, 4, 0]), ("PMeasure", [0, 0, 1, 1, 1, 2], [0, 2, 1, 1, 1, 0])]
)
def test_measures_of_one_document_can_fall_when_a_relevant_document_moves_up(name, before, after):
    assert value(name, after) < value(name, before)


# --- one relevant document at rank r ---------------------------------------------------------------------------

NAMES = ("RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.95)", "AP", "Q", "nDCG(dcg='jk', b=2)")
RANKS = (1, 2, 3, 10, 11, 20)
TOP_HEAVY = {
    1: (0.5, 0.2, 0.05, 0.1, 0.1, 0.19031),
    2: (0.25, 0.16, 0.0475, 0.05, 0.05, 0.19031),
    3: (0.125, 0.128, 0.04512, 0.03333, 0.03333, 0.12007),
    10: (0.00098, 0.02684, 0.03151, 0.01, 0.01, 0.05729),
    11: (0.00049, 0.02147, 0.02994, 0.00909, 0.00952, 0.05501),
    20: (0, 0.00288, 0.01887, 0.005, 0.00667, 0.04403),
}


def at_rank(rank: int, relevant: int) -> tuple[list[int], list[int]]:
    return [0] * (rank - 1) + [1], [1] * (relevant - 1)


@pytest.mark.parametrize("rank", RANKS)
def test_the_value_of_one_relevant_document_of_ten_at_a_rank(rank):
    found = [value(name, *at_rank(rank, 10)) for name in NAMES]
    np.testing.assert_allclose(found, TOP_HEAVY[rank], atol=FIVE)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("AP", (0.01, 0.005, 0.00333, 0.001, 0.00091, 0.0005)),
        ("Q", (0.01, 0.005, 0.00333, 0.001, 0.00091, 0.0005)),
        ("nDCG(dcg='jk', b=2)", (0.0459, 0.0459, 0.02896, 0.01382, 0.01327, 0.01062)),
    ],
)
def test_the_value_of_one_relevant_document_of_a_hundred_at_a_rank(name, expected):
    found = [value(name, *at_rank(rank, 100)) for rank in RANKS]
    np.testing.assert_allclose(found, expected, atol=FIVE)


def test_q_leaves_average_precision_after_rank_r_and_ndcg_cannot_tell_the_first_two_ranks_apart():
    curves = {name: [value(name, *at_rank(r, 10)) for r in range(1, 21)] for name in NAMES}
    assert curves["Q"][:10] == pytest.approx(curves["AP"][:10])
    assert all(q > ap for q, ap in zip(curves["Q"][10:], curves["AP"][10:], strict=True))
    assert curves["nDCG(dcg='jk', b=2)"][0] == curves["nDCG(dcg='jk', b=2)"][1]


def test_cumulated_gain_without_a_discount_does_not_care_where_the_document_stands():
    assert {value("nCG@20", *at_rank(rank, 10)) for rank in range(1, 21)} == {1 / 10}


# --- edges -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Q", "RprefN", "RprefRelative", "RprefRelative2"])
def test_without_gain_the_value_is_undefined(name):
    assert np.isnan(value(name, [0, None], [0]))


@pytest.mark.parametrize("name", ["O", "PMeasure", "PPlus"])
def test_without_relevant_documents_in_the_list_the_value_is_zero(name):
    assert value(name, [0, None], [1]) == value(name, [], [0]) == 0


def test_graded_preferences_need_documents_that_are_not_of_the_highest_grade():
    assert np.isnan(value("RprefN", [2, 2], [2]))
    assert value("RprefN", [2, 2], [1]) == pytest.approx(4 / 5)  # the one of grade 1 was not found
