"""Worked numbers of user models, of ERR and its relatives, of time and effort, and of Compatibility."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.hits import Hits
from cranfield.measures.grammar import parse
from cranfield.measures.users.cwl import UserModel
from tests.measures.worked import FOUR, LISTS, SIX, value

A = LISTS["A"]  # relevant at 1, 3, 4, 5, 6, 10; all that is relevant
G, MISSED = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0], [1, 1, 1]  # a graded list, and what it does not hold
STOPS = "gains={1: 1, 2: 3, 3: 7}, max_rel=8"  # the stop probabilities of ERR


# --- the framework ---------------------------------------------------------------------------------------------


def test_the_functions_of_average_precision_on_ranking_a():
    going_on, attention, last = UserModel.of("AP").functions(A)
    assert going_on == pytest.approx([0.5122, 1, 0.6825, 0.6512, 0.5714, 0.375, 1, 1, 1, 0], abs=FOUR)
    assert attention == pytest.approx([0.3417, 0.175, 0.175, 0.1194, 0.0778, 0.0444, *[0.0167] * 4], abs=FOUR)
    assert last == pytest.approx((attention - np.append(attention[1:], 0)) / attention[0])


def test_the_expectations_of_average_precision_on_ranking_a():
    expected = UserModel.of("AP").expect(A)
    assert expected.utility[0] == pytest.approx(0.775, abs=SIX) == value("AP", A)
    assert expected.items[0] == pytest.approx(2.9268, abs=FOUR)
    assert expected.total_utility[0] == pytest.approx(2.268293, abs=SIX)


def test_the_misprinted_denominator_of_average_precision_gives_another_score():
    terms = np.array(A) / np.arange(1, 11)
    after = np.append(np.cumsum(terms[::-1])[::-1][1:], 0)
    printed = UserModel(lambda i: after / terms.sum(), cutoff=10)
    assert printed.expect(A).utility[0] == pytest.approx(0.728922, abs=SIX)


def test_a_user_of_average_precision_cannot_know_what_is_not_in_the_list():
    assert UserModel.of("AP").expect([1, 0, 1]).utility[0] == pytest.approx(0.8333, abs=FOUR)
    assert value("AP", [1, 0, 1], [1, 1]) == pytest.approx(0.4167, abs=FOUR)
    assert value("EU(model='AP')", [1, 0, 1], [1, 1]) == pytest.approx(0.8333, abs=FOUR)


@pytest.mark.parametrize(
    ("model", "score", "items", "total"),
    [
        ("RR", 1.0, 1.0, 1.0),
        ("SDCG@10", 0.652088, 4.5436, 2.962801),
        ("P@5", 0.8, 5.0, 4.0),
        ("RBP(p=0.8)", 0.604700, 5.0, 5 * 0.604700),
        ("INST(T=1)", 0.81927, 1.4565, None),
        ("INST(T=2)", 0.68612, 2.7048, None),
        ("INST(T=3)", 0.59406, 4.1, None),
        ("INSQ(T=1)", 0.634588, 2.577738, None),
        ("INSQ(T=2)", 0.510278, 4.533181, None),
        ("INSQ(T=3)", 0.433887, 6.509676, None),
        ("BPM(T=3)@10", 0.75, 4, 3),
        ("BPM(T=3)@3", 0.666667, 3, 2),
        ("BPM(T=10)@5", 0.8, 5, 4),
        ("BPM(T=3, hb=1, hc=1)@10", 0.8, 5, 4),
        ("IFTGoal(T=2, b1=0.9, R1=1)", 0.718034, 2.518514, None),
        ("IFTRate(A=0.5, b2=0.9, R2=1)", 0.701191, 2.456834, None),
        ("IFT(T=2, b1=0.9, R1=1, A=0.5, b2=0.9, R2=1)", 0.727327, 1.684061, None),
    ],
)
def test_models_on_ranking_a(model, score, items, total):
    digits = {0.81927: 5.1e-6, 0.68612: 5.1e-6, 0.59406: 5.1e-6}
    expected = UserModel.of(model).expect(A)
    assert value(model, A) == pytest.approx(score, abs=digits.get(score, SIX))
    assert expected.utility[0] == pytest.approx(value(model, A))
    assert expected.items[0] == value(f'ED(model="{model}")', A) == pytest.approx(items, abs=FOUR)
    assert value(f'ETU(model="{model}")', A) == pytest.approx(score * items if total is None else total, abs=1e-4)
    assert expected.total_utility[0] == pytest.approx(expected.utility[0] * expected.items[0])


def test_updating_the_limits_of_bpm_before_the_decision_would_give_another_score():
    def too_early(total_gain, total_cost, gain):
        moved = np.cumsum(gain - 0.5, axis=1)
        return (total_gain < 3 + moved) & (total_cost < 10 + moved)

    expected = UserModel(too_early).expect(A)
    assert expected.utility[0] == pytest.approx(0.833333, abs=SIX)
    assert expected.items[0] == 6


@pytest.mark.parametrize(("T", "score"), [(1, 0.634101), (2, 0.509389), (3, 0.432706)])
def test_the_tail_of_insq_matters_in_the_fourth_digit(T, score):
    assert value(f"INSQ(T={T}, pad=200000)", A) == pytest.approx(score, abs=SIX)
    assert value(f"INSQ(T={T}, pad='infinite')", A) == pytest.approx(score, abs=2e-5)
    assert value(f"INSQ(T={T})", A) > value(f"INSQ(T={T}, pad='infinite')", A) + 3e-4


@pytest.mark.parametrize(
    ("name", "score", "items"),
    [
        (f"NERR8({STOPS})@10", 0.799626, 1.250062),
        (f"NERR9({STOPS})@10", 0.840997, 1.096865),
        (f"NERR10(p=0.9, {STOPS})", 0.810802, 1.205223),
        (f"NERR11(T=1, {STOPS})", 0.846074, 1.079621),
    ],
)
def test_nerr_on_the_graded_list(name, score, items):
    assert value(name, G, MISSED) == pytest.approx(score, abs=SIX)
    assert value(f'ED(model="{name}")', G, MISSED) == pytest.approx(items, abs=SIX)


# --- ERR and its relatives -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "expected"),
    [("ERR@5", 0.921224), ("ERR@10", 0.92246), ("nERR@5", 0.985773), ("nERR@10", 0.98702), ("iRBU", 0.987173)],
)
def test_expected_reciprocal_rank_of_the_graded_list(name, expected):
    assert value(name, G, MISSED) == pytest.approx(expected, abs=5.1e-6 if expected == 0.92246 else SIX)


def test_the_ideal_list_of_expected_reciprocal_rank():
    best = sorted([*G, *MISSED], reverse=True)
    assert value("ERR@5", best) == pytest.approx(0.934519, abs=SIX)
    assert value("ERR@10", best) == pytest.approx(0.934591, abs=SIX)
    assert value("nERR@5", best) == value("nERR@10", best) == 1


def test_without_relevant_documents_err_is_zero_and_nerr_undefined():
    assert value("ERR", [0, None]) == value("iRBU", [0, None]) == 0
    assert np.isnan(value("nERR", [0, None]))


def test_the_highest_grade_of_err_is_that_of_the_collection_the_topic_or_given():
    hits = Hits.of([[(1, 1)], [(1, 2)]], levels=[[0, 1], [0, 0, 1]], retrieved=[1, 1])
    assert parse("ERR")(hits).tolist() == [1 / 4, 3 / 4]
    assert parse("ERR(highest='topic')")(hits).tolist() == [1 / 2, 3 / 4]
    assert parse("ERR(max_rel=1)")(hits).tolist() == [1 / 2, 1 / 2]  # a higher grade counts as max_rel
    assert parse("ERR(stop='linear')")(hits).tolist() == [1 / 3, 2 / 3]
    assert parse("nERR(highest='topic')")(hits).tolist() == [1, 1]


def test_the_probability_of_err_that_a_user_is_satisfied_stays_below_one_with_any_grade():
    assert value("ERR", [900, 1]) == pytest.approx(1)
    assert value("ERR(max_rel=2000)", [900, 1]) == pytest.approx(0)


def test_err_is_not_the_score_of_a_user_model():
    # weights that add to 1 give a list of equal gains that gain; ERR adds up to more, NERR8 does not
    assert value("ERR", [3, 3, 3]) == pytest.approx(7 / 8 * (1 + 1 / 2 * 1 / 8 + 1 / 3 * 1 / 64))
    assert value(f"NERR8({STOPS})@3", [3, 3, 3]) == pytest.approx(7 / 8)
    with pytest.raises(cf.MeasureError, match="ERR is not the score of a user model"):
        UserModel.of("ERR")


# --- time and effort -------------------------------------------------------------------------------------------


def listed(gains, lengths):
    grades = [[(rank, grade) for rank, grade in enumerate(gains, start=1)]]
    return Hits.of(grades, levels=[[gains.count(g) for g in range(max(gains) + 1)]], retrieved=[4], lengths=[lengths])


TIMED = listed([1, 0, 1, 1], [500, 300, 800, 200])


def test_time_biased_gain_of_the_worked_example():
    assert parse("TBG")(TIMED)[0] == pytest.approx(1.38033, abs=5.1e-6)


def test_the_time_of_the_worked_example_is_what_halves_a_fifth_document():
    # the fifth document is worth 2^(-T(5) / 224) of a first one
    five = Hits.of(
        [[(1, 1), (2, 0), (3, 1), (4, 1), (5, 1)]], [[1, 4]], retrieved=[5], lengths=[[500, 300, 800, 200, 0]]
    )
    last = parse("TBG")(five)[0] - parse("TBG")(TIMED)[0]
    assert -224 * np.log2(last / 0.4928) == pytest.approx(55.004, abs=5.1e-4)


def test_equal_costs_make_time_biased_gain_proportional_to_rbp():
    name = "TBG(length=0, summary=10, opening=0, h=40)"
    p = 2 ** (-10 / 40)
    assert value(name, [1, 0, 1, 1]) == pytest.approx(0.4928 * value(f"RBP(p={p})", [1, 0, 1, 1]) / (1 - p))


def test_time_biased_gain_is_normalised_by_a_list_of_all_relevant_documents():
    assert value("TBG(length=500, normalize=True)", [1, 1], [0]) == pytest.approx(1)
    assert value("TBG(length=500, normalize=True)", [1], [1]) < 0.6
    assert np.isnan(value("TBG(length=500, normalize=True)", [0]))


def test_moving_a_long_relevant_document_up_can_lower_time_biased_gain_and_u_measure():
    assert parse("TBG")(listed([0, 1, 1, 1], [100, 100, 100, 9999])) > parse("TBG")(
        listed([1, 1, 1, 0], [9999, 100, 100, 100])
    )
    slow = "UMeasure(L=10000)"
    assert parse(slow)(listed([0, 1, 1, 1], [9, 9, 9, 9999])) > parse(slow)(listed([1, 1, 1, 0], [9999, 9, 9, 9]))


def test_u_measure_of_the_worked_example():
    hits = listed([2, 0, 1, 2], [2000, 1000, 3000, 4000])
    assert parse("U-measure")(hits)[0] == pytest.approx(2.386364, abs=SIX)
    # the trail: 200 + 400, 200, 200 + 600, 200 + 800 characters
    expected = (1 - 600 / 132000) + 0.5 * (1 - 1600 / 132000) + (1 - 2600 / 132000)
    assert parse("UMeasure(trail=True)")(hits)[0] == pytest.approx(expected)


@pytest.mark.parametrize("name", ["TBG", "UMeasure", "ETC(unit=1)"])
def test_a_missing_length_is_an_error_unless_a_usual_one_is_given(name):
    with pytest.raises(cf.MeasureError, match="needs the length of every document") as caught:
        value(name, [1, None])
    assert caught.value.code == "E216"
    with_usual = name.replace("(unit=1)", "(unit=1, length=500)") if "(" in name else f"{name}(length=500)"
    assert value(with_usual, [1, None]) > 0


def test_lengths_are_given_by_document_and_follow_a_condensed_list():
    qrels, run = {"q": {"a": 0, "c": 1}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    lengths = {"a": 1000, "b": 5000, "c": 100, "other": 7}
    scores = cf.evaluate(qrels, run, ["UMeasure(L=10000)", "UMeasure'(L=10000)"], lengths=lengths)
    assert scores.means[0] == pytest.approx([1 - 6100 / 10000, 1 - 1100 / 10000])
    with pytest.raises(cf.MeasureError, match="needs the length"):
        cf.evaluate(qrels, run, "UMeasure", lengths={"a": 1000, "c": 100})
    scores = cf.evaluate(qrels, run, "UMeasure(L=10000, length=0)", lengths={"a": 1000, "c": 100})
    assert scores.means[0, 0] == pytest.approx(1 - 1100 / 10000)


# --- compatibility ---------------------------------------------------------------------------------------------

COMPARED = [1, None, 2, 1, None], [1]  # a x b c y, ideal b a c d


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Compat(p=0.8, normalize=False)", 0.433254),
        ("Compat(p=0.8)", 0.444076),
        ("Compat(p=0.95)", 0.506342),
        ("Compat(p=0.8, normalize=False, depth=1000)", 0.404412),
        ("Compat(p=0.8, depth=1000)", 0.501272),
        ("Compat(p=0.95, depth=1000)", 0.622924),
    ],
)
def test_compatibility_of_the_worked_example(name, expected):
    assert value(name, *COMPARED) == pytest.approx(expected, abs=SIX)


@pytest.mark.parametrize(("depth", "expected"), [("", 0.975631), (", depth=1000", 0.806771)])
def test_the_ideal_list_of_compatibility(depth, expected):
    ideal = [2, 1, 1, 1] if depth else [2, 1, 1, 1, None]
    assert value(f"Compat(p=0.8, normalize=False{depth})", ideal) == pytest.approx(expected, abs=SIX)
    assert value(f"Compat(p=0.8{depth})", ideal) == pytest.approx(1)


def test_compatibility_is_undefined_without_relevant_documents():
    assert np.isnan(value("Compat", [0, None]))
    assert np.isnan(value("Compat(normalize=False)", []))


# --- counterexamples: a relevant document moves up, and the user stops with less ----------------------------------


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("BPM(T=1)@10", [3, 0, 5, 2], [3, 2, 5, 0]),
        ("IFTRate(max_rel=4)", [4, 0, 2], [4, 2, 0]),
        ("IFT(max_rel=4)", [2, 0, 2], [2, 2, 0]),
        ("IFTGoal(T=0.9, R1=100)", [3, 0, 5, 2], [3, 2, 5, 0]),
    ],
)
def test_users_who_look_at_gains_can_lose_when_a_relevant_document_moves_up(name, before, after):
    assert value(name, after) < value(name, before)
