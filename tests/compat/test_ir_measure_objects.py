"""Our measures as objects of ir_measures: what `pt.Experiment` does with them, done by ir_measures."""

import pickle

import numpy as np
import pytest

ir_measures = pytest.importorskip("ir_measures")

import cranfield as cf  # noqa: E402  # after the check that it is there
import cranfield.compat.ir_measures as ours  # noqa: E402  # the same
from cranfield.measures.definition import MEASURES  # noqa: E402  # the same
from tests.laws.worlds import BUILT_IN  # noqa: E402  # the same

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")  # the small world has few judgments
QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1, "d2": 0}, "q3": {"d4": 1}, "q4": {"d1": 0}}
RUN = {"q1": {"d2": 3.0, "d1": 2.0, "d9": 1.0}, "q2": {"d1": 1.0, "d2": 0.5}, "q4": {"d1": 1.0}}
AT = {"recall": 0.5, "mult": 2.0}
PLAIN = [name for name, d in BUILT_IN.items() if not (d.needs_subtopics or d.needs_sample)]


def object_of(name: str) -> ours.CranfieldMeasure:
    """The measure, with a value for what it requires."""
    made = ours.measure(name)
    return made(
        **{p.name: AT.get(p.name, 2) for p in made.definition.parameters.values() if p.required and p.name != "model"}
    )


@pytest.mark.parametrize("name", PLAIN)
def test_every_measure_is_an_object_that_ir_measures_computes(name):
    measure = object_of(name)
    assert isinstance(measure, ir_measures.Measure)
    assert name == measure.NAME
    assert cf.parse(str(measure)) == measure.ours == cf.parse(measure)
    try:
        scores = cf.evaluate(QRELS, RUN, str(measure))
    except cf.Error as refused:
        with pytest.raises(type(refused)):
            ir_measures.calc_aggregate([measure], QRELS, RUN)
        return
    found = ir_measures.calc_aggregate([measure], QRELS, RUN)
    assert list(found) == [measure]
    np.testing.assert_equal(found[measure], scores.means[0, 0])
    by_topic = {metric.query_id: metric.value for metric in ir_measures.iter_calc([measure], QRELS, RUN)}
    np.testing.assert_equal([by_topic[topic] for topic in scores.topics], scores.values[0, :, 0])


def test_parameters_and_cut_offs_are_filled_as_in_ir_measures():
    measure = ours.nDCG(dcg="rank") @ 10
    assert (str(measure), measure.cutoff, measure["dcg"]) == ("nDCG(dcg='rank')@10", 10, "rank")
    assert measure.params == {"dcg": "rank", "cutoff": 10}
    assert str(ours.measure("nDCG'@10")) == "nDCG'@10"
    assert str(ours.Q(judged_only=True)) == "Q'"
    assert str(ours.R @ 20) == "R@20"


def test_equal_measures_are_one_key():
    assert ours.Q @ 10 == ours.measure("Q@10") == ours.measure("Q-measure@10")
    assert len({ours.Q @ 10, ours.measure("Q@10"), ours.Q}) == 2
    assert pickle.loads(pickle.dumps(ours.Q @ 10)) == ours.Q @ 10


def test_a_measure_with_the_name_of_another_definition_is_another_measure():
    assert {*ours.SETTINGS, "SetF"} == ours.OTHERWISE
    theirs, mine = ir_measures.ERR @ 2, ours.ERR @ 2  # theirs takes 4 as the highest grade
    assert (str(mine), str(cf.parse(mine))) == ("err@2", "ERR@2")
    assert theirs != mine
    assert mine != theirs
    both = ir_measures.calc_aggregate([theirs, mine], QRELS, RUN)
    assert both[mine] == cf.evaluate(QRELS, RUN, "ERR@2", topic_set="qrels").means[0, 0] != both[theirs]


def test_both_kinds_of_measures_go_together():
    found = ir_measures.calc_aggregate([ir_measures.AP, ours.Q, ours.FullRecall @ 2], QRELS, RUN)
    means = cf.evaluate(QRELS, RUN, ["AP", "Q", "FullRecall@2"]).by_run()["run"]
    assert {str(measure): value for measure, value in found.items()} == pytest.approx(means)


def test_what_a_measure_does_not_take_is_refused():
    with pytest.raises(cf.MeasureError, match="Q has no parameter 'x'"):
        ir_measures.calc_aggregate([ours.Q(x=1)], QRELS, RUN)
    with pytest.raises(cf.MeasureError, match="P needs a cut-off"):
        ir_measures.calc_aggregate([ours.P], QRELS, RUN)
    assert repr(ours.P) == "P"
    with pytest.raises(AttributeError, match="zzz"):
        ours.zzz  # noqa: B018  # the attribute is what is looked for


def test_measures_of_your_own_are_objects_too():
    @cf.measure("Longest")
    def longest(ranking: cf.Ranking) -> float:
        return float(len(ranking.ids))

    try:
        assert ir_measures.calc_aggregate([ours.measure("Longest")], QRELS, RUN) == {ours.measure("Longest"): 1.5}
    finally:
        cf.forget("Longest")
    assert "Longest" not in MEASURES
