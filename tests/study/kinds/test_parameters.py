"""Parameters: variants are the measures they say, compared with the usual one, at every last rank."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

import cranfield as cf
from cranfield import study
from cranfield.errors import MeasureError, PolicyError
from cranfield.stats.orders.correlation import correlate
from cranfield.study.data.collection import Collection
from cranfield.study.engine.result import StudyResult
from cranfield.study.summaries.variants import cut, top_weights
from tests.study.small import Qrels, Runs, small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list


@pytest.fixture(scope="module")
def data():
    return small(topics=10, runs=7, judged=40)


@pytest.fixture(scope="module")
def made(data: tuple[Qrels, Runs]) -> StudyResult:
    return study.parameters(*data, ["nCG@10", "nDCG", "AP@7"], last=[5, 20])


def test_families_and_variants(made):
    table = made.table()
    families = list(dict.fromkeys(table["family"]))
    assert families == [
        "nDCG, gains by grade",
        "nDCG, log base",
        "RBP, patience",
        "Q, weight of gain",
        "nCG, last rank",
        "nDCG, last rank",
        "AP, last rank",
    ]
    assert len(table) == 4 + 6 + 3 + 4 + 3 * 2
    assert table["usual"].sum() == 7
    assert table.filter(table["usual"] == 1)["agreement"].to_list() == [1] * 7
    assert table.filter(table["usual"] == 1)["changed"].to_list() == [0] * 7


def test_a_variant_is_the_measure_it_names(data, made):
    qrels, runs = data
    table = made.table()
    usual = {row["family"]: row["measure"] for row in table.iter_rows(named=True) if row["usual"]}
    for row in table.iter_rows(named=True):
        scores = cf.evaluate(qrels, runs, [row["measure"], usual[row["family"]]])
        mine, other = scores.means[:, 0], scores.means[:, -1]
        assert row["score"] == pytest.approx(np.mean(mine))
        assert row["agreement"] == pytest.approx(correlate(other, mine))


def test_pairs_are_told_apart_by_the_test(data, made):
    qrels, runs = data
    scores = cf.evaluate(qrels, runs, "AP@5").matrix("AP@5")
    pairs = made.table("pairs")
    mine = pairs.filter(pairs["measure"] == "AP@5")
    expected = [stats.ttest_rel(scores[a], scores[b]).pvalue for a in range(7) for b in range(a + 1, 7)]
    assert mine["level"].to_list() == pytest.approx(expected)
    table = made.table()
    (row,) = table.filter(table["measure"] == "AP@5").iter_rows(named=True)
    assert row["significant"] == sum(p < 0.05 for p in expected)
    deep = pairs.filter(pairs["measure"] == "AP@20")["level"].to_numpy() < 0.05
    assert row["changed"] == int((deep != (np.array(expected) < 0.05)).sum())


def test_gains_from_one_to_the_weight():
    """JK02: 0-1-10-100; a weight of 1 is binary."""
    qrels = {"q": {"a": 3, "b": 1, "c": 0}}
    data = Collection.of(qrels, {"x": {"q": ["a"]}, "y": {"q": ["b"]}}, "AP")
    family = top_weights(data, [1, 100])
    assert family.labels == ("0-1-1-1", "0-1-10-100")
    assert [dict(measure.values)["gains"] for measure in family.measures] == [{1: 1, 2: 1, 3: 1}, {1: 1, 2: 10, 3: 100}]


def test_a_measure_is_cut_once_and_keeps_its_parameters(data):
    qrels, runs = data
    data = Collection.of(qrels, runs, ["nDCG@10", "nDCG@20", "nDCG(dcg='jk', b=3)", "AP'", "Rprec"])
    families = list(cut(data, [5]))
    assert [str(measure) for family in families for measure in family.measures] == [
        "nDCG@5",
        "nDCG(dcg='jk', b=3)@5",
        "AP'@5",
    ]


def test_a_family_without_values_is_left_out(data: tuple[Qrels, Runs]):
    found = study.parameters(*data, "AP", gains=[], bases=[], p=[0.5, 0.9], beta=[], last=[]).table()
    assert found["variant"].to_list() == ["p = 0.5", "p = 0.9"]
    assert found["usual"].to_list() == [0, 1], "0.9 is nearer to 0.8"


def test_two_processes_find_the_same(data: tuple[Qrels, Runs]):
    options: dict[str, Any] = {"last": [5, 20], "test": "bootstrap", "boot": 40}
    one = study.parameters(*data, "AP", **options, jobs=1)
    two = study.parameters(*data, "AP", **options, jobs=2)
    assert one.table().equals(two.table())
    assert one.table("pairs").equals(two.table("pairs"))


def test_what_cannot_be_done_is_refused(data: tuple[Qrels, Runs]):
    wrong: list[dict[str, Any]] = [{"p": [1]}, {"bases": [1]}, {"last": [0]}, {"gains": [0.5]}]
    for options in wrong:
        with pytest.raises(PolicyError, match="E240"):
            study.parameters(*data, "AP", **options)
    with pytest.raises(MeasureError, match="E230"):
        study.parameters(*data, "GMAP")
