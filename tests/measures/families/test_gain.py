"""Worked numbers of cumulated gain: the example of Järvelin and Kekäläinen 2002 and of the lecture notes."""

import math

import numpy as np
import pytest

from cranfield.measures.grammar import parse
from tests.laws.worlds import hits_of
from tests.measures.worked import FOUR, SIX, value

FOUND = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
IDEAL = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1]
MISSED = [1, 1, 1]  # the ideal list holds three documents that were not found
TWO = 5.1e-3


def curve(name: str, found=FOUND, missed=MISSED, last: int = 10) -> list[float]:
    hits = hits_of(found, missed)
    return [float(parse(f"{name}@{k}")(hits)[0]) for k in range(1, last + 1)]


def test_the_documents_of_the_example_are_those_of_its_ideal_list():
    assert sorted(FOUND + MISSED, reverse=True)[:10] == IDEAL


def close(actual, expected, tolerance=FOUR):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


def test_dcg_with_base_two():
    close(curve("DCG(dcg='jk')"), [3, 5, 6.8928, 6.8928, 6.8928, 7.2796, 7.9921, 8.6587, 9.6051, 9.6051])


def test_dcg_of_the_ideal_list_with_base_two():
    expected = [3, 6, 7.8928, 8.8928, 9.7541, 10.5278, 10.8841, 11.2174, 11.5329, 11.8339, 11.8339]
    close(curve("DCG(dcg='jk')", IDEAL, [], last=11), expected)


def test_ndcg_with_base_two_and_its_mean_over_ten_ranks():
    values = curve("nDCG(dcg='jk')")
    close(values, [1, 0.8333, 0.8733, 0.7751, 0.7067, 0.6915, 0.7343, 0.7719, 0.8328, 0.8117])
    assert np.mean(values) == pytest.approx(0.8031, abs=FOUR)


def test_a_base_beyond_the_list_gives_the_cumulated_gain():
    close(curve("DCG(dcg='jk', b=10)"), [3, 5, 8, 8, 8, 9, 11, 13, 16, 16])
    close(curve("DCG(dcg='jk', b=100)", IDEAL, [], last=11), [3, 6, 9, 11, 13, 15, 16, 17, 18, 19, 19])
    values = curve("nDCG(dcg='jk', b=100)")
    close(values, [1, 0.8333, 0.8889, 0.7273, 0.6154, 0.6, 0.6875, 0.7647, 0.8889, 0.8421])
    assert np.mean(values) == pytest.approx(0.7848, abs=FOUR)


def test_a_base_that_is_not_whole():
    expected = [3, 5, 7.7307, 7.7307, 7.7307, 8.2888, 9.3166, 10.2784, 11.6438, 11.6438]
    close(curve(f"DCG(dcg='jk', b={math.e})"), expected)
    expected = [3, 4.1699, 5.2771, 5.2771, 5.2771, 5.5034, 5.9202, 6.3101, 6.8637, 6.8637]
    close(curve("DCG(dcg='jk', b=1.5)"), expected)


def test_gains_of_one_ten_and_a_hundred():
    gains = "gains={1: 1, 2: 10, 3: 100}"
    expected = [100, 110, 173.09, 173.09, 173.09, 173.48, 177.04, 180.38, 211.92, 211.92]
    close(curve(f"DCG(dcg='jk', {gains})"), expected, TWO)
    expected = [1, 0.55, 0.6579, 0.6456, 0.6354, 0.6279, 0.64, 0.6513, 0.7643, 0.7635]
    close(curve(f"nDCG(dcg='jk', {gains})"), expected)


def test_exponential_gains_with_the_ideal_list_of_the_lecture():
    expected = [7, 8.8928, 12.3928, 12.3928, 12.3928, 12.749, 13.749, 14.6954, 16.8026, 16.8026]
    close(curve("DCG(dcg='exp-log2')"), expected)
    ideal = [3, 3, 3, 2, 2, 2, 1]
    expected = [7, 11.4165, 14.9165, 16.2085, 17.3691, 18.4377, 18.7711]
    close(curve("DCG(dcg='exp-log2')", ideal, [], last=7), expected)
    expected = [1, 0.7789, 0.8308, 0.7646, 0.7135, 0.6915, 0.7325, 0.7829, 0.8951, 0.8951]
    close(curve("nDCG(dcg='exp-log2')", FOUND, []), expected)


def test_ndcg_of_trec_eval_on_the_example():
    assert value("nDCG", FOUND, MISSED) == pytest.approx(0.833613, abs=SIX)
    assert value("ndcg", FOUND, MISSED) == value("nDCG", FOUND, MISSED)
    assert value("ndcg_cut_3", FOUND, MISSED) == pytest.approx(0.901306, abs=SIX)


NTCIR = ([0, 3, None, 2], [3, 3, 2, 2, 1, 1, 1, 1])  # L0, L3, unjudged, L2 of 3 L3, 3 L2, 4 L1, 1 L0


@pytest.mark.parametrize(
    ("name", "plain", "condensed"),
    [("nDCG(dcg='jk')", 0.3380, 0.3601), ("nDCG", 0.2760, 0.2899), ("AP", 0.1, 0.1167)],
)
def test_the_sample_of_the_ntcir_tools_plain_and_condensed(name, plain, condensed):
    measure = parse(name)
    assert measure(hits_of(*NTCIR))[0] == pytest.approx(plain, abs=FOUR)
    assert measure.as_condensed()(hits_of(*NTCIR))[0] == pytest.approx(condensed, abs=FOUR)


def test_one_relevant_document_of_ten_at_each_rank():
    expected = {1: 0.19031, 2: 0.19031, 3: 0.12007, 10: 0.05729, 11: 0.05501, 20: 0.04403}
    for rank, ndcg in expected.items():
        found = [0] * (rank - 1) + [1]
        assert value("nDCG(dcg='jk')", found, [1] * 9) == pytest.approx(ndcg, abs=5.1e-6)
        assert value("AP", found, [1] * 9) == pytest.approx(1 / (10 * rank))


def test_a_negative_gain_counts_in_the_ranking_but_not_in_the_ideal_list():
    found, missed = [1, 0, None, 2], [0]
    dcg = -1 + 1 / math.log2(3) + 3 / math.log2(5)
    ideal = 3 + 1 / math.log2(3) + 1 / 2
    assert value("nDCG(gains={0: 1, 1: -1, 2: 3})", found, missed) == pytest.approx(dcg / ideal)


def test_gains_need_not_follow_the_grades():
    found = [4, 1, None, 2, 0, 3]
    dcg = 4.5 + 3 / math.log2(3) + 9 / math.log2(5) + 3 / math.log2(7)
    ideal = 9 + 4.5 / math.log2(3) + 3 / 2 + 3 / math.log2(5)
    assert value("nDCG(gains={1: 3, 2: 9, 4: 4.5})", found) == pytest.approx(dcg / ideal)


def test_the_ideal_of_chosen_gains_is_cut_after_they_are_sorted():
    assert value("nDCG(gains={1: 3, 2: 9, 4: 4.5})@1", [4, 1, 2]) == pytest.approx(4.5 / 9)


def test_without_gain_ndcg_is_undefined_and_dcg_is_zero():
    assert math.isnan(value("nDCG", [0, None], [0]))
    assert math.isnan(value("nDCG(gains={1: 0})", [1, 1]))
    assert value("DCG", [0, None], [0]) == 0


def test_fractions_of_grades_are_gains_too():
    from cranfield.align.hits import Hits

    hits = Hits.of([[(1, 0.5), (2, 1.5)]], levels=[[0]], retrieved=[2])
    assert parse("DCG")(hits)[0] == pytest.approx(0.5 + 1.5 / math.log2(3))
