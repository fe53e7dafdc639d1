"""Worked numbers of older measures: search lengths, normalised recall, sliding ratio, half-life, fallout."""

import math
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import MeasureError
from cranfield.measures.definition import MEASURES
from cranfield.measures.families.contingency import Contingency
from cranfield.measures.families.older import relative_relevance
from cranfield.measures.grammar import parse
from tests.laws.worlds import Document, hits_of, worlds
from tests.measures.worked import LISTS, SIX, value

GAINS = ([3, 2, 3, 0, 0, 1, 2, 2, 3, 0], [1, 1, 1])  # the list of Järvelin and Kekäläinen, and what it misses
SALTON = [int(rank in (1, 2, 4, 6, 13)) for rank in range(1, 14)]  # five relevant documents
FIVE, TWO = 5.1e-6, 5.1e-3


def tied(levels: list[list[Document]], name: str) -> float:
    """The value of a list of levels; the documents of a level have one score. None is unjudged."""
    documents = [(f"d{i}-{j}", -i, grade) for i, level in enumerate(levels) for j, grade in enumerate(level)]
    qrels = {"t": {document: grade for document, _, grade in documents if grade is not None}}
    return float(cf.evaluate(qrels, {"t": {document: score for document, score, _ in documents}}, name).means[0, 0])


def orders(levels: list[list[Document]]) -> list[list[Document]]:
    """Every order of the documents that keeps the levels apart."""
    return [[d for level in order for d in level] for order in product(*(permutations(level) for level in levels))]


# --- search lengths ---------------------------------------------------------------------------------------------


def test_the_average_search_length_of_ranking_a():
    assert value("ASL", LISTS["A"]) == pytest.approx(29 / 6)


def test_a_relevant_document_that_was_not_found_leaves_the_search_length_undefined_or_stands_amid_the_rest():
    assert np.isnan(value("ASL", LISTS["C"], [1]))
    assert value("ASL(collection=110)", LISTS["C"], [1]) == pytest.approx((1 + 6 + 10 + 10 + 101 / 2) / 4)


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("levels", [[[1, 0, 0], [1]], [[0], [1, 1, 0]], [[1, None, 0], [0, 1]]])
def test_documents_with_equal_scores_have_the_middle_of_their_ranks(levels):
    expected = np.mean([value("ASL", order) for order in orders(levels)])
    assert tied(levels, "ASL") == pytest.approx(expected)


@pytest.mark.parametrize(("q", "expected"), [(1, 1), (2, 3), (3, 4), (4, 7)])
def test_the_expected_search_length_of_three_levels(q, expected):
    levels: list[list[Document]] = [[1, 0, 0], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0]]
    assert tied(levels, f"ESL(q={q})") == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("levels", [[[1, 0, 0], [1, 1, 0]], [[0, 0], [1, 1, 1, 0], [1]], [[1, None, 0], [None, 1, 1]]])
@pytest.mark.parametrize("q", [1, 2, 3])
def test_the_expected_search_length_is_the_mean_over_all_orders_of_equal_scores(levels, q):
    expected = np.mean([value(f"ESL(q={q})", order) for order in orders(levels)])
    assert tied(levels, f"ESL(q={q})") == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_on_a_condensed_list_only_judged_documents_share_a_score():
    levels = [[None, 0, 1, None], [0, None]]
    assert tied(levels, "ESL'") == pytest.approx(1 / 2)
    assert tied(levels, "ASL'") == pytest.approx(3 / 2)


def test_ties_are_those_of_the_policy():
    qrels, run = {"t": {"a": 1, "b": 0}}, {"t": {"b": 1 + 1e-12, "a": 1.0}}
    found = {ties: cf.evaluate(qrels, run, "ESL", ties=ties).means[0, 0] for ties in ("trec", "trec9", "file")}
    assert found == {"trec": 1.0, "trec9": 0.5, "file": 1.0}


def test_the_search_length_is_undefined_if_fewer_relevant_documents_were_retrieved():
    assert value("ESL(q=2)", [0, 1, 0, 1], [1]) == 2
    assert np.isnan(value("ESL(q=3)", [0, 1, 0, 1], [1]))


def test_the_reduction_compares_with_a_random_search():
    assert value("ESLReduction(q=2, collection=12)", [0, 1, 0, 1], [1]) == pytest.approx(1 - 2 / (2 * 9 / 4))
    assert np.isnan(value("ESLReduction", [0, 1, 0, 1]))


# --- normalised recall and precision ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [("NormRecall", 0.98872), ("NormPrecision", 0.92386)])
def test_five_relevant_documents_in_a_collection_of_two_hundred(name, expected):
    assert value(f"{name}(collection=200)", SALTON) == pytest.approx(expected, abs=FIVE)


@pytest.mark.parametrize("name", ["NormRecall", "NormPrecision"])
def test_the_best_order_of_the_collection_has_one_and_the_worst_zero(name):
    assert value(f"{name}(collection=8)", [1, 1, 1, 0, 0, 0, 0, 0]) == pytest.approx(1)
    assert value(f"{name}(collection=8)", [0, 0, 0, 0, 0, 1, 1, 1]) == pytest.approx(0)
    assert value(f"{name}(collection=8)", [0, 0], [1, 1, 1]) == pytest.approx(0)  # what is missed stands at the end


@given(worlds())
def test_rank_effectiveness_is_normalised_recall_of_the_judged_documents(world):
    """Condensed run, then the nonrelevant documents that were not retrieved, then the relevant ones."""
    for number in range(len(world.rankings)):
        found = [d for d in world.documents(number) if d is not None and d >= 0]
        left = list(world.judged(number))
        for document in found:
            left.remove(document)
        completed = found + sorted(left)
        if sum(d > 0 for d in completed) in (0, len(completed)):
            continue
        expected = value(f"NormRecall(collection={len(completed)})", completed)
        condensed = parse(f"NormRecall'(collection={len(completed)})")(world.only(number).hits())[0]
        assert parse("BprefN")(world.only(number).hits())[0] == pytest.approx(expected, abs=1e-12)
        assert condensed == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", ["NormRecall", "NormPrecision", "Fallout", "ESLReduction"])
def test_without_the_size_of_the_collection_the_value_is_undefined(name):
    assert np.isnan(value(name, [1, 0, 1]))


@pytest.mark.parametrize("name", ["NormRecall", "NormPrecision", "Fallout", "ESLReduction", "ASL"])
def test_a_collection_that_is_smaller_than_a_topic_is_refused(name):
    with pytest.raises(MeasureError, match=rf"E203: {name}\(collection=4\): a topic alone has 5 documents"):
        value(f"{name}(collection=4)", [1, 0, None], [1, 0])


# --- other orders of the same list ------------------------------------------------------------------------------


def test_the_sliding_ratio_by_rank():
    expected = [1, 0.8333, 0.8889, 0.7273, 0.6154, 0.6, 0.6875, 0.8125, 1, 1]
    found = [value(f"SlidingRatio@{k}", *GAINS) for k in range(1, 11)]
    assert found == pytest.approx(expected, abs=5.1e-5)


def test_the_sliding_ratio_of_five_relevant_documents():
    found = [value(f"SlidingRatio@{k}", SALTON) for k in range(1, 14)]
    assert found == pytest.approx([1, 1, 0.67, 0.75, 0.6, *[0.8] * 7, 1], abs=TWO)


@given(worlds(states=(0, 0, 1, 2, 3)), st.integers(1, 12))
def test_the_sliding_ratio_is_normalised_cumulated_gain_if_everything_judged_was_retrieved(world, k):
    hits = world.hits()
    complete = hits.count == hits.judged_at_least(0)
    ratio, gain = parse(f"SlidingRatio@{k}")(hits), parse(f"nCG@{k}")(hits)
    np.testing.assert_allclose(ratio[complete], gain[complete], rtol=1e-12)


def test_a_longer_list_can_lower_the_sliding_ratio():
    assert value("SlidingRatio@1", [1], [3]) == 1
    assert value("SlidingRatio@1", [1, 3]) == pytest.approx(1 / 3)


def test_satisfaction_frustration_and_total_by_rank():
    frustrated = [0, 0, 0, 1 / 3, 2 / 3, 2 / 3, 2 / 3, 2 / 3, 2 / 3, 1]
    satisfied = [value(f"SlidingRatio@{k}", *GAINS) for k in range(1, 11)]
    for k, (pleased, vexed) in enumerate(zip(satisfied, frustrated, strict=True), start=1):
        assert value(f"Satisfaction@{k}", *GAINS) == pytest.approx(pleased)
        assert value(f"Frustration@{k}", *GAINS) == pytest.approx(vexed)
        assert value(f"SFTotal@{k}", *GAINS) == pytest.approx((pleased + 1 - vexed) / 2)
        assert value(f"SFTotal(a=0.2)@{k}", *GAINS) == pytest.approx(0.2 * pleased + 0.8 * (1 - vexed))


def test_a_higher_threshold_turns_slightly_relevant_documents_into_frustrating_ones():
    found = [1, None, 2, 3]  # grade 1 frustrates by 2, an unjudged document by 3
    assert value("Frustration(rel=2)@1", found) == pytest.approx(2 / 3)
    assert value("Frustration(rel=2)@2", found) == 1
    assert value("Satisfaction(rel=2)@3", found) == pytest.approx(2 / 5)
    assert value("Frustration@2", [1, 2]) == 0


@pytest.mark.parametrize(("edge", "expected"), [("lower", 3.0), ("middle", 3.5)])
def test_the_ranked_half_life(edge, expected):
    assert value(f"RHL(edge='{edge}')", *GAINS) == pytest.approx(expected)


def test_the_half_life_follows_the_gains():
    assert value("RankedHalfLife", [1, 0, 0, 1]) == pytest.approx(1)
    assert value("RankedHalfLife(gains={2: 10})", [1, 0, 2]) == pytest.approx(2 + (5.5 - 1) / 10)
    assert value("RankedHalfLife@2", [1, 1, 1, 1]) == pytest.approx(1)


@pytest.mark.parametrize("name", ["RankedHalfLife", "SlidingRatio@5", "Satisfaction@5", "SFTotal@5"])
def test_a_list_without_relevance_has_no_half_life_and_no_ratio(name):
    assert np.isnan(value(name, [0, None, 0], [2]))


# --- relative relevance -----------------------------------------------------------------------------------------

SCORES, JUDGED = [0.9, 0.8, 0.7, 0.4, 0.2], [3, 0, 2, 1, 0]


def related(name: str, scores: list[float], grades: list[int]) -> float:
    qrels = {"t": {f"d{i}": grade for i, grade in enumerate(grades)}}
    run = {"t": {f"d{i}": score for i, score in enumerate(scores)}}
    return float(cf.evaluate(qrels, run, name, no_relevant="exclude").means[0, 0])


def test_relative_relevance_is_the_cosine_of_scores_and_grades():
    assert related("RelativeRelevance", SCORES, JUDGED) == pytest.approx(0.82213, abs=FIVE)
    assert related("RelativeRelevance", [9 * s for s in SCORES], JUDGED) == pytest.approx(0.82213, abs=FIVE)


def test_relative_relevance_after_jaccard():
    both, scores, grades = 4.5, 2.14, 14.0
    assert related("RelativeRelevance(by='jaccard')", SCORES, JUDGED) == pytest.approx(both / (scores + grades - both))


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_relative_relevance_of_the_first_documents_and_of_a_condensed_list():
    first = (0.9 * 3) / math.sqrt((0.81 + 0.64) * 9)
    assert related("RelativeRelevance@2", SCORES, JUDGED) == pytest.approx(first)
    qrels, run = {"t": {"a": 1, "c": 1}}, {"t": {"a": 3.0, "b": 2.0, "c": 1.0}}
    several = ["RelativeRelevance", "RelativeRelevance'", "RelativeRelevance'@1"]
    expected = [[4 / math.sqrt(14 * 2), 4 / math.sqrt(10 * 2), 1.0]]
    np.testing.assert_allclose(cf.evaluate(qrels, run, several).means, expected)


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize(("scores", "grades"), [([0, 0], [1, 1]), ([1, 2], [0, 0]), ([math.inf, 1], [1, 1])])
def test_vectors_without_a_direction_have_no_relative_relevance(scores, grades):
    assert np.isnan(related("RelativeRelevance", scores, grades))


def test_relative_relevance_needs_scores():
    with pytest.raises(MeasureError, match="RelativeRelevance needs the scores of the run"):
        relative_relevance(hits_of([1, 0]).ideal())


# --- sets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), [("GenPrecision@10", 0.5333), ("GenRecall@10", 0.8421)])
def test_generalised_precision_and_recall(name, expected):
    assert value(name, *GAINS) == pytest.approx(expected, abs=5.1e-5)
    assert value(name.removesuffix("@10"), *GAINS) == pytest.approx(expected, abs=5.1e-5)


def test_generalised_precision_with_a_cutoff_divides_by_it():
    assert value("GenPrecision@20", *GAINS) == pytest.approx(16 / 3 / 20)
    assert value("GenPrecision(max_rel=2)", [3, 1]) == pytest.approx((1 + 1 / 2) / 2)


def test_fallout_is_the_share_of_the_nonrelevant_documents_that_was_retrieved():
    assert value("Fallout(collection=1000)", [1, 0, 0, None, 0, 1], [1] * 8) == pytest.approx(4 / 990, abs=SIX)
    assert value("Fallout(collection=1000)@2", [1, 0, 0, None, 0, 1], [1] * 8) == pytest.approx(1 / 990, abs=SIX)


def test_the_contingency_table_adds_up_to_the_collection():
    table = Contingency.of(hits_of(LISTS["A"], [1, 0]), collection=1000)
    assert (table.a[0], table.b[0], table.c[0], table.d[0]) == (6, 4, 1, 989)
    assert table.precision[0] == value("SetP", LISTS["A"], [1, 0])
    assert table.recall[0] == value("SetR", LISTS["A"], [1, 0])
    assert np.isnan(Contingency.of(hits_of([], [1])).precision[0])
    assert np.isnan(Contingency.of(hits_of([0])).recall[0])
    assert np.isnan(Contingency.of(hits_of([1, 0])).fallout[0])


def test_every_measure_that_needs_the_collection_says_so_on_its_page():
    named = [d for d in MEASURES.values() if "collection" in d.parameters]
    assert len(named) >= 5
    for definition in named:
        assert "collection" in definition.document, definition.name
