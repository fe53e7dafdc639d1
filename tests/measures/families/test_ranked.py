"""Worked numbers of binary measures of ranked lists: the four rankings of the lecture notes."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.grammar import parse
from tests.laws.worlds import world_of
from tests.measures.worked import FOUR, LISTS, SIX, value


@pytest.mark.parametrize(
    ("ranking", "ap", "eleven"),
    [("A", 0.775, 0.821212), ("B", 0.521164, 0.6), ("C", 0.544444, 0.563636), ("D", 0.442857, 0.454545)],
)
def test_average_precision_and_eleven_points_of_the_lecture_rankings(ranking, ap, eleven):
    assert value("AP", LISTS[ranking]) == pytest.approx(ap, abs=SIX)
    assert value("11pt", LISTS[ranking]) == pytest.approx(eleven, abs=SIX)


@pytest.mark.parametrize(("lists", "expected"), [("AC", 0.659722), ("BD", 0.482011)])
def test_mean_average_precision_of_the_two_lecture_systems(lists, expected):
    values = parse("AP")(world_of(*((LISTS[name], ()) for name in lists)).hits())
    assert values.mean() == pytest.approx(expected, abs=SIX)


def test_precision_and_recall_of_ranking_a_at_every_rank():
    precisions = [value(f"P@{k}", LISTS["A"]) for k in range(1, 11)]
    recalls = [value(f"R@{k}", LISTS["A"]) for k in range(1, 11)]
    expected = [1, 0.5, 0.6667, 0.75, 0.8, 0.8333, 0.7143, 0.625, 0.5556, 0.6]
    np.testing.assert_allclose(precisions, expected, rtol=0, atol=FOUR)
    expected = [0.1667, 0.1667, 0.3333, 0.5, 0.6667, 0.8333, 0.8333, 0.8333, 0.8333, 1]
    np.testing.assert_allclose(recalls, expected, rtol=0, atol=FOUR)


def test_average_precision_after_five_divides_by_all_relevant_or_by_what_can_be_found():
    assert value("AP@5", LISTS["A"]) == pytest.approx(0.536111, abs=SIX)
    assert value("AP(denominator='min')@5", LISTS["A"]) == pytest.approx(0.643333, abs=SIX)
    assert value("map_cut_5", LISTS["A"]) == value("AP@5", LISTS["A"])


def test_the_cut_ap_with_the_smaller_denominator_never_divides_by_more_than_r():
    assert value("AP(denominator='min')@100", LISTS["C"]) == value("AP", LISTS["C"])


def test_average_precision_divides_by_relevant_documents_that_were_not_found():
    assert value("AP", [1, 0, 1], [1, 1]) == pytest.approx(0.4167, abs=FOUR)


@pytest.mark.parametrize(("ranks", "expected"), [((1, 2, 4), 0.583333), ((2, 2, 2), 0.5)])
def test_mean_reciprocal_rank_of_three_topics(ranks, expected):
    lists = [[0] * (rank - 1) + [1] for rank in ranks]
    values = parse("RR")(world_of(*((found, ()) for found in lists)).hits())
    assert values.mean() == pytest.approx(expected, abs=SIX)


def test_reciprocal_rank_with_a_cutoff_sees_nothing_after_it():
    assert value("RR@2", [0, 0, 1]) == 0
    assert value("RR@3", [0, 0, 1]) == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("lists", "expected"),
    [
        ("AC", [1, 1, 0.9167, 0.9167, 0.5833, 0.5833, 0.5833, 0.5667, 0.5667, 0.45, 0.45]),
        ("BD", [0.55] * 4 + [0.5143] * 7),
    ],
)
def test_average_precision_recall_curves_of_the_two_lecture_systems(lists, expected):
    hits = world_of(*((LISTS[name], ()) for name in lists)).hits()
    curve = [parse(f"IPrec@{t / 10}")(hits).mean() for t in range(11)]
    np.testing.assert_allclose(curve, expected, rtol=0, atol=FOUR)


@pytest.mark.parametrize(
    ("ranking", "rule", "expected"),
    [("A", "lround", 0.857576), ("C", "te9", 0.566667), ("C", "geq", 0.563636), ("A", "te9", 0.821212)],
)
def test_the_rules_for_recall_points_differ_as_documented(ranking, rule, expected):
    assert value(f"11pt(rule='{rule}')", LISTS[ranking]) == pytest.approx(expected, abs=SIX)


def test_seven_tenths_of_three_documents_are_three_under_geq_and_two_in_trec_eval_9():
    found = [1, 1, 0, 0, 1]
    assert value("IPrec@0.7", found) == pytest.approx(3 / 5)
    assert value("IPrec(rule='te9')@0.7", found) == 1


def test_a_recall_that_is_a_whole_number_of_documents_is_not_missed_by_a_rounding():
    assert 0.07 * 100 > 7  # in floating point
    assert value("IPrec@0.07", [1] * 7 + [0], [1] * 93) == 1


def test_precision_of_the_condensed_list_divides_by_the_cutoff():
    found = [1, None, 0, None, 1, 1, 0, None, 1]
    assert value("P'@5", found) == pytest.approx(3 / 5)
    assert value("P'@10", found) == pytest.approx(4 / 10)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("P@5", 0.0),
        ("Success@5", 0.0),
        ("RR", 0.0),
        ("AP", np.nan),
        ("GMAP", np.nan),
        ("R@5", np.nan),
        ("Rprec", np.nan),
        ("F@5", np.nan),
        ("IPrec@0.5", np.nan),
        ("11pt", np.nan),
    ],
)
def test_without_relevant_documents_shares_of_them_are_undefined(name, expected):
    np.testing.assert_equal(value(name, [0, None], [0]), expected)


@pytest.mark.parametrize("name", ["AP", "P@5", "Success@5", "RR", "R@5", "Rprec", "F@5", "IPrec@0", "11pt", "GMAP"])
def test_an_empty_list_scores_zero(name):
    assert value(name, [], [1, 0]) == 0


def test_f_at_k_is_the_harmonic_mean_of_precision_and_recall_at_k():
    precision, recall = value("P@4", LISTS["A"], [1]), value("R@4", LISTS["A"], [1])
    assert value("F@4", LISTS["A"], [1]) == pytest.approx(2 * precision * recall / (precision + recall))
    weighted = 5 * precision * recall / (4 * precision + recall)
    assert value("F(beta=2)@4", LISTS["A"], [1]) == pytest.approx(weighted)


def test_a_level_above_one_makes_lower_grades_nonrelevant():
    assert value("AP(rel=2)", [1, 2, 3], [1]) == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_the_geometric_measures_give_the_plain_value_per_topic_and_ask_for_a_geometric_mean():
    for name, plain in (("GMAP", "AP"), ("GMBpref", "Bpref")):
        assert value(name, [0, 1, 1], [1, 0]) == value(plain, [0, 1, 1], [1, 0])
        assert parse(name).definition.average == "geometric"


@pytest.mark.parametrize(("lists", "expected"), [("AB-", 0.015925), ("AC", 0.649572)])
@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_the_geometric_mean_of_lecture_rankings_with_and_without_a_failed_topic(lists, expected):
    grades = {name: LISTS.get(name, [0]) for name in lists}
    qrels = {
        name: {f"d{i}": grade for i, grade in enumerate([*row, 1][: max(len(row), 2)])} for name, row in grades.items()
    }
    run = {name: {f"d{i}": -i for i, _ in enumerate(row)} for name, row in grades.items()}
    assert cf.evaluate(qrels, run, "gm_map").means[0, 0] == pytest.approx(expected, abs=SIX)
