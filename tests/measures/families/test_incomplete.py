"""Worked numbers about incomplete judgments."""

from itertools import combinations

import numpy as np
import pytest

from cranfield.measures.grammar import parse
from tests.laws.worlds import POOLED, world_of
from tests.measures.worked import FOUR, SIX, value

P, X = POOLED, None
SAMPLED = [1, P, 0, X, 1, P, 1, 0, X, 1]


def test_inferred_average_precision_of_a_sampled_pool():
    assert value("infAP", SAMPLED, [1]) == pytest.approx(0.527809, abs=SIX)
    assert value("AP", SAMPLED, [1]) == pytest.approx(0.445714, abs=SIX)
    assert value("AP'", SAMPLED, [1]) == pytest.approx(0.616667, abs=SIX)


def test_the_mean_over_all_half_samples_is_nearer_to_the_truth_than_the_condensed_list():
    truth = [1, 0, 1, 1, 0, 0, 1, 0]
    assert value("AP", truth) == pytest.approx(0.7470, abs=FOUR)
    lists = []
    for sample in combinations(range(8), 4):
        judged = [document if place in sample else P for place, document in enumerate(truth)]
        if 1 in judged:
            lists.append((judged, ()))
    hits = world_of(*lists).hits()
    assert len(lists) == 69
    assert parse("infAP")(hits).mean() == pytest.approx(0.6932, abs=FOUR)
    assert parse("AP'")(hits).mean() == pytest.approx(0.7870, abs=FOUR)


def test_documents_outside_the_pool_count_as_nonrelevant_for_inferred_average_precision():
    assert value("infAP", [1, X, 1]) == pytest.approx((1 + 2 / 3) / 2, abs=1e-4)
    assert value("infAP", [1, P, 1]) == pytest.approx(1, abs=1e-4)


def test_judged_divides_by_what_was_retrieved_and_unjudged_by_the_cutoff():
    found = [1, None, 0, POOLED]
    assert value("Judged@10", found) == 2 / 4
    assert value("Judged@2", found) == 1 / 2
    assert value("Unj@10", found) == 2 / 10
    assert value("unj_2", found) == 1 / 2


def test_an_empty_list_has_nothing_judged_and_nothing_unjudged():
    assert np.isnan(value("Judged@5", [], [1]))
    assert value("Unj@5", [], [1]) == 0


def test_without_relevant_documents_inferred_average_precision_is_undefined():
    assert np.isnan(value("infAP", [0, P]))
