"""Agreement of measures: single coefficients, a plain loop over resamples, few-high topics, and AG07 (SPEC 1.4)."""

import numpy as np
import pytest

import cranfield as cf
from cranfield import study
from cranfield.errors import PolicyError
from cranfield.measures.grammar import parse
from cranfield.stats.orders.correlation import correlate
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import topic_sets
from cranfield.study.kinds.correlation.resampled import drawn_topics, means_of
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list


def value(table, measure, other, topics="all", column="value"):
    row = table.filter((table["measure"] == measure) & (table["other"] == other) & (table["topics"] == topics))
    return row[column].item()


def test_a_cell_is_the_coefficient_of_the_means():
    qrels, runs = small(topics=8, runs=7)
    scores = cf.evaluate(qrels, runs, ["AP", "P@5", "GMAP"])
    means = dict(zip(scores.measures, scores.means.T, strict=True))
    for name in ("tau-b", "spearman", "rbo"):
        table = study.correlation(qrels, runs, ["AP", "P@5", "GMAP"], coefficient=name, boot=0).table()
        for one, two in (("AP", "P@5"), ("P@5", "AP"), ("AP", "GMAP")):
            assert value(table, one, two) == pytest.approx(correlate(means[one], means[two], name))
        assert value(table, "AP", "AP") == 1


def test_the_row_is_the_true_order_of_a_coefficient_without_symmetry():
    qrels, runs = small(topics=8, runs=7)
    table = study.correlation(qrels, runs, ["AP", "P@5"], coefficient="tau-ap", boot=0).table()
    means = Collection.of(qrels, runs, ["AP", "P@5"]).full_means
    assert value(table, "AP", "P@5") == correlate(means[:, 0], means[:, 1], "tau-ap")
    assert value(table, "P@5", "AP") == correlate(means[:, 1], means[:, 0], "tau-ap")


def test_an_interval_is_that_of_a_loop_over_resamples():
    qrels, runs = small(topics=8, runs=7)
    table = study.correlation(qrels, runs, ["AP", "GMAP"], boot=50, seed=3).table()
    data = Collection.of(qrels, runs, ["AP", "GMAP"])
    counts = drawn_topics(data, np.ones(8, dtype=bool), 50, 3)
    assert (counts.sum(axis=1) == 8).all()
    found = []
    for row in counts.astype(int):
        drawn = np.repeat(np.arange(8), row)
        means = data.means(data.full[:, drawn])
        found.append(correlate(means[:, 0], means[:, 1]))
    assert value(table, "AP", "GMAP", column="value_low") == pytest.approx(np.quantile(found, 0.025))
    assert value(table, "GMAP", "AP", column="value_high") == pytest.approx(np.quantile(found, 0.975))


def test_a_topic_without_a_score_is_left_out_of_a_mean():
    scores = np.array([[0.2, np.nan, 0.6], [0.1, 0.3, np.nan]])
    counts = np.array([[1.0, 5, 1], [0, 1, 3]])
    assert means_of(scores, counts, parse("AP")) == pytest.approx(np.array([[0.4, 1.6 / 6], [0.6, 0.3]]))
    assert means_of(scores, counts, parse("NumRet"))[0] == pytest.approx([0.8, 1.6])
    assert means_of(scores, counts, parse("GMAP"))[0, 0] == pytest.approx(np.sqrt(0.12))


def test_a_measure_of_which_less_is_better_is_turned():
    qrels = {f"q{n}": {"a": 1, "b": 0, "c": 0} for n in range(3)}
    lists = {"x": ["a", "b", "c"], "y": ["b", "a", "c"], "z": ["b", "c", "a"]}
    runs = {name: dict.fromkeys(qrels, ranked) for name, ranked in lists.items()}
    table = study.correlation(qrels, runs, ["AP", "RankedHalfLife"], boot=10).table()
    assert (value(table, "AP", "RankedHalfLife"), value(table, "AP", "RankedHalfLife", column="value_low")) == (1, 1)


def test_topics_where_a_grade_is_rare():
    """R(k) > 0 and R(1) >= 10 R(k); what is above 3 counts as 3."""
    ones = {f"a{n}": 1 for n in range(20)}
    qrels = {
        "none": ones,
        "two": {**ones, "h": 2, "i": 2},
        "three": {**ones, "h": 2, "i": 2, "j": 2},
        "key": {**ones, "k": 3, "l": 4},
        "keys": {**ones, "k": 3, "l": 4, "m": 3},
    }
    data = Collection.of(qrels, {"x": {topic: ["a0", "h"] for topic in qrels}}, "AP")
    everything, high, key = topic_sets(data, [2, 3])
    named = [[t for t, kept in zip(data.topics, each.kept, strict=True) if kept] for each in (everything, high, key)]
    assert [sorted(names) for names in named] == [sorted(qrels), ["two"], ["key"]]


def test_few_topics_are_a_matrix_of_their_own():
    qrels, runs = small(topics=8, runs=6)
    for topic in ("q1", "q2", "q3"):
        qrels[topic] |= {f"d{n}": 1 for n in range(30)} | {"d5": 2}
    made = study.correlation(qrels, runs, ["AP", "nDCG"], few=[2], boot=20)
    table = made.table()
    few = {topic: qrels[topic] for topic in ("q1", "q2", "q3")}
    alone = study.correlation(few, runs, ["AP", "nDCG"], boot=0).table()
    assert value(table, "AP", "nDCG", "few of grade 2") == value(alone, "AP", "nDCG")
    assert table["n"].to_list() == [8] * 4 + [3] * 4
    places = made.table("runs")
    assert sorted(places["place"].to_list())[:4] == [1] * 4


def test_an_empty_set_of_topics_has_no_coefficient():
    made = study.correlation(*small(), ["AP", "P@5"], few=[4], boot=10)
    assert made.table()["value"].to_list()[4:] == [1, None, None, 1]


def test_the_same_numbers_with_two_processes():
    qrels, runs = small(topics=8)
    one = study.correlation(qrels, runs, ["AP", "P@5", "RR"], boot=30, jobs=1).table()
    assert one.equals(study.correlation(qrels, runs, ["AP", "P@5", "RR"], boot=30, jobs=2).table())


def test_an_unknown_coefficient_is_refused():
    with pytest.raises(PolicyError, match="E213"):
        study.correlation(*small(), ["AP", "P@5"], coefficient="taub")


def test_the_taus_of_ag07(shared):
    """SPEC 1.4: score order, float64 scores."""
    folder = shared / "data" / "trec8"
    runs = sorted(map(str, (folder / "runs").iterdir()))
    table = study.correlation(folder / "qrels.gz", runs, ["AP", "bpref-10", "RankEff"], keep="ag07", boot=0).table()
    assert value(table, "AP", "Bpref10") == pytest.approx(0.932240, abs=5.1e-7)
    assert value(table, "AP", "BprefN") == pytest.approx(0.856349, abs=5.1e-7)
    assert value(table, "Bpref10", "BprefN") == pytest.approx(0.823282, abs=5.1e-7)


def test_a_coefficient_may_be_called_by_an_alias():
    from cranfield.study.kinds.correlation.study import CorrelationStudy

    assert CorrelationStudy(coefficient="Tau").coefficient == "tau-b"
