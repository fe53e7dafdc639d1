"""Which grade a pair gets under each rule (PRODUCT 5.8), by enumeration of all small cases."""

from collections import Counter
from itertools import product

import numpy as np
import pytest

from cranfield.align.combining.combine import combine
from cranfield.align.combining.rules import GRADE_RULES
from cranfield.errors import PolicyError
from cranfield.judging.exporting.choice import chosen_grades, grade_of
from cranfield.judging.exporting.export_rules import export_rules, rule_named
from cranfield.judging.exporting.pairs import ExportedPair, SaidBy
from cranfield.judging.records import AssessorAnswer, Judgment
from cranfield.tables.judgments import Judgments

GRADES = (0, 1, 2)
ANSWERS = (*GRADES, "cannot", "later")
CASES = [answers for size in range(4) for answers in product(ANSWERS, repeat=size)]


def said(answer, assessor="a1", round=0, kind="human"):
    made = AssessorAnswer("judged", answer) if isinstance(answer, int) else AssessorAnswer(answer)
    return SaidBy(Judgment("item", assessor, round, made, 1, 1), kind)


def pair_of(answers, settled=None, **more):
    made = tuple(said(answer, f"a{number}") for number, answer in enumerate(answers, 1))
    return ExportedPair("1", "d1", made, settled, **more)


def grades_in(answers):
    return [answer for answer in answers if isinstance(answer, int)]


@pytest.mark.parametrize("answers", CASES)
def test_every_rule_gives_the_grade_of_its_definition(answers):
    given = sorted(grades_in(answers))
    pair = pair_of(answers)
    votes = Counter(given).most_common()
    clear = bool(votes) and (len(votes) == 1 or votes[0][1] > votes[1][1])
    expected = {
        "majority": votes[0][0] if clear else None,
        "median": given[(len(given) - 1) // 2] if given else None,
        "max": max(given, default=None),
        "min": min(given, default=None),
        "mean": sum(given) / len(given) if given else None,
        "adjudicated": given[0] if len(set(given)) == 1 else None,
    }
    assert {name: rule_named(name).grade(pair) for name in expected} == expected


@pytest.mark.parametrize("rule", ["majority", "median", "max", "min", "mean"])
def test_a_rule_gives_what_convert_gives_for_the_same_rule(rule):
    rows = [(str(n), f"a{k}", g) for n, case in enumerate(CASES) for k, g in enumerate(case) if isinstance(g, int)]
    topic, assessor, grade = zip(*rows, strict=True)
    combined = combine(Judgments.of(topic, ["d"] * len(rows), assessor, np.array(grade)), rule).qrels
    there = dict(zip([combined.topics[t] for t in combined.topic.tolist()], combined.grade.tolist(), strict=True))
    here = {str(n): rule_named(rule).grade(pair_of(case)) for n, case in enumerate(CASES)}
    assert {name: value for name, value in here.items() if value is not None} == pytest.approx(there)


@pytest.mark.parametrize("answers", CASES)
@pytest.mark.parametrize("settled", [None, 2])
def test_adjudicated_takes_the_settled_grade_then_the_common_one_then_the_other_rule(answers, settled):
    chosen = grade_of(pair_of(answers, settled), "adjudicated", "max")
    given = grades_in(answers)
    expected = settled if settled is not None else max(given, default=None)
    assert chosen.grade == expected
    assert (chosen.state == "judged") == (expected is not None)


@pytest.mark.parametrize("answers", CASES)
def test_a_pair_without_a_grade_says_why(answers):
    chosen = grade_of(pair_of(answers), "adjudicated", "majority")
    given = grades_in(answers)
    if chosen.grade is not None:
        assert chosen.state == "judged"
    elif given:
        assert chosen.state == "disputed"
    else:
        assert chosen.state == ("cannot" if "cannot" in answers else "later" if "later" in answers else "open")


def test_no_winner_of_a_majority_is_disputed_and_not_a_grade():
    assert grade_of(pair_of([0, 1]), "majority").state == "disputed"
    assert grade_of(pair_of([0, 1]), "adjudicated").state == "disputed"
    assert grade_of(pair_of([0, 1]), "majority", "median").grade == 0


def test_the_median_of_an_even_number_is_the_lower_one():
    assert grade_of(pair_of([0, 2]), "median").grade == 0
    assert grade_of(pair_of([0, 1, 1, 2]), "median").grade == 1


@pytest.mark.parametrize("answers", CASES)
def test_one_assessor_never_gets_the_grades_of_others(answers):
    pairs = [pair_of(answers), pair_of([0, 0, 0])]
    found, _ = chosen_grades(pairs, "assessor:a2")
    mine = answers[1] if len(answers) > 1 else None
    assert found[0].grade == (mine if isinstance(mine, int) else None)
    assert found[0].state == ("judged" if isinstance(mine, int) else mine or "open")


def test_an_assessor_who_is_not_there_is_refused_with_those_who_are():
    with pytest.raises(PolicyError, match="there is no assessor 'eve'") as caught:
        chosen_grades([pair_of([1, 2])], "assessor:eve")
    assert caught.value.hint == "judged by a1, a2"


def test_models_are_heard_only_where_they_are_included():
    pair = ExportedPair("1", "d", (said(0, "ann"), said(2, "m", kind="llm"), said(2, "n", kind="llm")))
    assert chosen_grades([pair], "majority")[0][0].grade == 0
    assert chosen_grades([pair], "majority", include=["llm"])[0][0].grade == 2
    only = ExportedPair("1", "d", (said(2, "m", kind="llm"),))
    assert chosen_grades([only], "max")[0][0].state == "open"
    with pytest.raises(PolicyError, match="'m' is a model"):
        chosen_grades([pair], "assessor:m")
    assert chosen_grades([pair], "assessor:m", include=["llm"])[0][0].grade == 2


def test_imported_judgments_are_heard():
    pair = ExportedPair("1", "d", (said(1, "old", kind="import"),))
    assert chosen_grades([pair], "majority")[0][0].grade == 1


def test_repeats_and_gold_never_make_a_grade():
    again = ExportedPair("1", "d", (said(0, "ann"), said(2, "ann", round=1), said(2, "ann", round=2)))
    assert [grade_of(again, rule).grade for rule in export_rules()] == [0] * len(export_rules())
    found, counts = chosen_grades([again, pair_of([1], gold=True)], "majority")
    assert len(found) == 1
    assert (counts.pairs, counts.gold) == (1, 1)


def test_the_counts_add_up():
    pairs = [pair_of(answers, needed=2) for answers in CASES]
    found, counts = chosen_grades(pairs, "majority")
    assert counts.pairs == len(found) == len(CASES)
    assert counts.judged + counts.disputed + counts.cannot + counts.later + counts.open == counts.pairs
    partly = [a for a in CASES if grades_in(a) and sum(answer != "later" for answer in a) < 2]
    assert counts.partly == len(partly)


def test_there_is_no_rule_that_averages_some_and_takes_the_minimum_of_others():
    assert export_rules() == ["adjudicated", *GRADE_RULES]


def test_complete_leaves_pairs_open_that_fewer_assessors_judged_than_asked_for():
    pairs = [pair_of(answers, needed=2) for answers in CASES]
    found, counts = chosen_grades(pairs, "max", complete=True)
    for answers, each in zip(CASES, found, strict=True):
        enough = sum(answer != "later" for answer in answers) >= 2
        assert (each.grade is not None) == (enough and bool(grades_in(answers))), answers
    assert counts.partly == 0
    assert counts.judged + counts.disputed + counts.cannot + counts.later + counts.open == counts.pairs
    settled, _ = chosen_grades([pair_of([1], settled=2, needed=2)], "adjudicated", complete=True)
    assert settled[0].grade == 2
