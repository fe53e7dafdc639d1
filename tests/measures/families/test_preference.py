"""Worked numbers of preference measures."""

from itertools import combinations

import numpy as np
import pytest

from cranfield.measures.grammar import parse
from tests.laws.worlds import hits_of, world_of
from tests.measures.worked import FOUR, SIX, value

M1 = [1] + [0] * 12 + [1] + [0] * 16  # 30 judged documents, relevant at 1 and 14
M2 = [1] + [0] * 28 + [1]  # relevant at 1 and 30
LIST = ([1, 0, 0, 1, 0, 1, 0, 0], [1, 0, 0])  # R = 4, N = 7


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [("bpref-10", 0.5, 0.5), ("RankEff", 0.785714, 0.5), ("Bpref", 0.5, 0.5), ("AP", 0.571429, 0.533333)],
)
def test_the_two_lists_of_ahlgren_and_gronqvist(name, first, second):
    assert value(name, M1) == pytest.approx(first, abs=SIX)
    assert value(name, M2) == pytest.approx(second, abs=SIX)


def test_judged_documents_that_were_not_retrieved_stand_below_the_list():
    assert value("RankEff", [1, 1, 0, 0], [0, 0]) == 1


def test_bpref_scales_by_the_judged_nonrelevant_documents_not_by_those_retrieved():
    assert value("Bpref", [0, 1, 1, 1, 1], [1, 1, 0, 0, 0]) == pytest.approx(4 * (3 / 4) / 6)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("RankEff", 0.571429),
        ("Bpref", 0.4375),
        ("BprefR", 0.4375),
        ("Bpref10(variant='te')", 0.571429),
        ("Bpref10(variant='literal')", 0.660714),
        ("Bpref10", 0.660714),
        ("BprefRelative", 0.183333),
        ("AP", 0.5),
    ],
)
def test_one_list_under_every_preference_measure(name, expected):
    assert value(name, *LIST) == pytest.approx(expected, abs=SIX)


@pytest.mark.parametrize(
    ("name", "expected"), [("Bpref", 0), ("BprefR", 0.18), ("RankEff", 0), ("Bpref10(variant='literal')", 0.19)]
)
def test_the_sample_of_the_ntcir_tools(name, expected):
    assert value(name, [0, 3, None, 2], [3, 3, 2, 2, 1, 1, 1, 1]) == pytest.approx(expected, abs=FOUR)


def test_the_literal_bpref_10_cannot_reach_zero_with_few_nonrelevant_documents():
    found = [0] * 10 + [1] * 5
    assert value("Bpref10", found) == pytest.approx(1 / 3)
    assert value("Bpref10(variant='te')", found) == 0


def test_without_judged_nonrelevant_documents_bpref_counts_what_was_found_and_rank_effectiveness_is_undefined():
    assert value("Bpref", [1, None], [1]) == 0.5
    assert value("Bpref10(variant='te')", [1, None], [1]) == 0.5
    assert np.isnan(value("BprefN", [1, None], [1]))


@pytest.mark.parametrize("name", ["Bpref", "BprefR", "Bpref10", "BprefN", "BprefRelative", "GMBpref"])
def test_without_relevant_documents_preferences_are_undefined(name):
    assert np.isnan(value(name, [0, None], [0]))


@pytest.mark.parametrize(
    ("name", "scaled", "expected"),
    [
        ("RankEff", False, [0.5714, 0.5714, 0.5714]),
        ("Bpref", False, [0.4524, 0.4071, 0.4405]),
        ("AP'", False, [0.5195, 0.5195, 0.5873]),
        ("AP", False, [0.4514, 0.4028, 0.3542]),
        ("RBP(rel=1)", True, [0.3679, 0.3679, 0.3679]),
    ],
)
def test_the_means_over_all_smaller_sets_of_judgments(name, scaled, expected):
    """Rank effectiveness and scaled RBP do not change on average when judgments are taken away at random."""
    found, missed = LIST
    documents = [*found, *missed]
    relevant = [place for place, document in enumerate(documents) if document]
    others = [place for place, document in enumerate(documents) if not document]
    for (sampled, rest), mean in zip([(3, 5), (2, 4), (1, 2)], expected, strict=True):
        lists = []
        for good in combinations(relevant, sampled):
            for bad in combinations(others, rest):
                kept = [d if place in good + bad else None for place, d in enumerate(documents)]
                lists.append((kept[: len(found)], kept[len(found) :]))
        values = parse(name)(world_of(*lists).hits()) * (len(relevant) / sampled if scaled else 1)
        assert values.mean() == pytest.approx(mean, abs=FOUR)


def test_names_of_rank_effectiveness():
    assert {str(parse(name)) for name in ("RankEff", "rankeff", "bpref_allnonrel", "BprefN", "bprefn")} == {"BprefN"}
    assert str(parse("bpref-10")) == "Bpref10"
    assert hits_of([1]).judged_below()[0] == 0
