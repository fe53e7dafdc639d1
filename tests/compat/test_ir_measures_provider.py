"""The provider for ir_measures: what it takes over, and that the numbers stay those of ir_measures' own providers."""

import math
import subprocess
import sys

import pandas as pd
import pytest

ir_measures = pytest.importorskip("ir_measures")

from ir_measures import AP, RBP, Metric, P, Qrel, ScoredDoc, Success, nDCG  # noqa: E402  # after the check that it is there

import cranfield.compat.ir_measures as ours  # noqa: E402  # the same
from cranfield.errors import DataWarning  # noqa: E402  # the same
from cranfield.measures.definition import MEASURES  # noqa: E402  # the same
from tests.golden.cases import load  # noqa: E402  # the same

QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d1": 1}}
RUN = {"q1": {"d2": 3.0, "d1": 2.0, "d9": 1.0}, "q9": {"d1": 1.0}}
OTHERS = ir_measures.providers.FallbackProvider(
    [provider for provider in ir_measures.DefaultPipeline.providers if provider.NAME != "cranfield"]
)
USUAL = [AP, AP @ 5, P @ 5, P(rel=2) @ 5, Success @ 1, nDCG, nDCG @ 2, nDCG(judged_only=True), ir_measures.Rprec]
USUAL += [ir_measures.SetF(beta=0.5), ir_measures.SetRelP, ir_measures.NumRelRet, ir_measures.NumQ, ir_measures.Bpref]
USUAL += [ir_measures.IPrec @ 0.3, nDCG(gains={0: 0, 1: 5, 2: 7}), nDCG(gains={2: 10}) @ 2, ir_measures.infAP]


def by_topic(metrics):
    return {(metric.query_id, str(metric.measure)): metric.value for metric in metrics}


def test_it_stands_first_and_once():
    names = [provider.NAME for provider in ir_measures.DefaultPipeline.providers]
    assert names[0] == "cranfield"
    assert names.count("cranfield") == 1
    assert ir_measures.providers.registry["cranfield"] is ours.provider


def test_every_measure_of_ir_measures_that_the_registry_has_is_supported():
    needed = {"cutoff": 10, "max_rel": 4, "recall": 0.5}
    for name, measure in ir_measures.measures.registry.items():
        needs = {key: needed[key] for key, value in measure.SUPPORTED_PARAMS.items() if key in needed}
        assert ours.provider.supports(measure(**needs)) == (measure.NAME in MEASURES), name


def test_the_default_pipeline_asks_it():
    evaluator = ir_measures.evaluator([AP, nDCG @ 10], QRELS)
    assert isinstance(evaluator, ours.CranfieldEvaluator)


def test_values_and_means_are_those_of_the_other_providers():
    # theirs one call a measure: nDCG with and without gains in one call overwrite each other there
    topics = [metric for measure in USUAL for metric in OTHERS.iter_calc([measure], QRELS, RUN)]
    means = {measure: OTHERS.calc_aggregate([measure], QRELS, RUN)[measure] for measure in USUAL}
    assert by_topic(ir_measures.iter_calc(USUAL, QRELS, RUN)) == pytest.approx(by_topic(topics), abs=1e-12)
    assert ir_measures.calc_aggregate(USUAL, QRELS, RUN) == pytest.approx(means)


def test_graded_rank_biased_precision_is_ours_alone():
    assert not OTHERS.supports(RBP(p=0.5))
    assert ir_measures.calc_aggregate([RBP(p=0.5)], QRELS, RUN) == {RBP(p=0.5): 0.125}  # q1: 1/2 * 1/2, q2: 0


def test_missing_topics_count_as_0_and_topics_without_judgments_not_at_all():
    assert list(ir_measures.iter_calc([P @ 1], QRELS, {"q2": {"d1": 1.0}, "q3": {"d1": 1.0}})) == [
        Metric("q2", P @ 1, 1.0),
        Metric("q1", P @ 1, 0.0),
    ]


@pytest.mark.parametrize("run", [{}, {"q9": {"d1": 1.0}}, []], ids=["empty", "other topics", "no records"])
def test_a_run_without_common_topics_scores_0(run):
    assert ir_measures.calc_aggregate([AP, nDCG @ 10], QRELS, run) == {AP: 0.0, nDCG @ 10: 0.0}


def shapes(rows):
    """The same records in every shape that ir_measures takes."""
    nested: dict[str, dict[str, float]] = {}
    for topic, document, value, *_ in rows:
        nested.setdefault(topic, {})[document] = value
    return nested, rows, iter(rows), pd.DataFrame(rows)


def test_the_shape_of_the_input_plays_no_part():
    judged = [Qrel(topic, document, grade) for topic, row in QRELS.items() for document, grade in row.items()]
    listed = [ScoredDoc(topic, document, score) for topic, row in RUN.items() for document, score in row.items()]
    for which in range(4):
        for other in range(4):
            assert ir_measures.calc_aggregate([AP, P @ 1], shapes(judged)[which], shapes(listed)[other]) == {
                AP: 1 / 8,  # q1: 1/2 over two relevant documents, q2: 0
                P @ 1: 0.0,
            }


def test_ids_come_back_as_they_were_given():
    frame = pd.DataFrame({"query_id": [7], "doc_id": [1], "relevance": [1], "score": [2.0]})
    assert list(ir_measures.iter_calc([AP], frame, frame)) == [Metric(7, AP, 1.0)]  # type: ignore[arg-type]  # ids come back as they were given


@pytest.mark.parametrize("data", [[1], 5, pd.DataFrame({"query_id": ["q1"]})], ids=["numbers", "number", "frame"])
def test_what_cannot_be_read_is_said_as_ir_measures_says_it(data):
    with pytest.raises(ValueError, match="unknown qrels format"):
        ir_measures.calc_aggregate([AP], data, RUN)


def test_one_evaluator_scores_several_runs_each_alone():
    evaluator = ir_measures.evaluator([AP], QRELS)
    alone = [ir_measures.calc_aggregate([AP], QRELS, run) for run in (RUN, {"q2": {"d1": 1.0}})]
    assert [evaluator.calc_aggregate(run) for run in (RUN, {"q2": {"d1": 1.0}})] == alone


def test_measures_of_one_grade_take_the_last_judgment_of_a_document():
    judged = [Qrel("q1", "d1", 1, "1"), Qrel("q1", "d1", 0, "2"), Qrel("q1", "d2", 1, "1"), Qrel("q1", "d3", 1, "2")]
    listed = [ScoredDoc("q1", "d1", 2.0), ScoredDoc("q1", "d2", 1.0)]
    both = ir_measures.calc_aggregate([P @ 1, ir_measures.StRecall @ 1], judged, listed)
    assert both == {P @ 1: 0.0, ir_measures.StRecall @ 1: 0.5}


def test_judgments_without_subtopics_count_for_one_with_a_warning():
    measure = ir_measures.StRecall @ 10
    with pytest.warns(DataWarning, match="W131: the judgments name no subtopics"):
        found = ir_measures.calc_aggregate([measure], QRELS, RUN)
    assert found == {measure: 0.5}  # q1 finds the one subtopic, q2 has no list


def test_a_topic_without_judgments_counts_as_0():
    found = ir_measures.calc_aggregate([AP], {"q1": {}, "q2": {"d1": 1}}, {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}})
    assert (
        found
        == {AP: 0.5}
        == OTHERS.calc_aggregate([AP], {"q1": {}, "q2": {"d1": 1}}, {"q1": {"d1": 1.0}, "q2": {"d1": 1.0}})
    )


def test_what_means_something_else_is_left_to_others():
    assert not ours.provider.supports(ir_measures.Accuracy @ 10)
    assert not ours.provider.supports(ir_measures.SDCG(min_rel=1, max_rel=4) @ 10)  # our gains begin at grade 0
    assert not ours.provider.supports(RBP(p=1.0))
    with pytest.raises(AssertionError):
        ours.provider.supports(AP(foo=1))


def test_measures_defined_at_run_time_stay_with_their_author():
    own = ir_measures.define_byquery(lambda qrels, run: 42.0, name="AP")
    assert not ours.provider.supports(own)
    assert ir_measures.calc_aggregate([own], QRELS, {"q1": RUN["q1"], "q2": {"d1": 1.0}}) == {own: 42.0}


# --- beside the numbers of all its providers -------------------------------------------------------------------------


def comparable(case):
    """Whether the tools agree what the list is: no ties, nothing twice, no NaN, at most 1000 documents."""
    run = [(topic, document) for topic, document, _ in case["run"]]
    scores = [float(score) for _, _, score in case["run"]]
    lengths = [sum(topic == other for other, _ in run) for topic in {topic for topic, _ in run}]
    facts = case["facts"]
    return (
        "ir_measures" in case["expected"]
        and not facts["tied_scores"]
        and not facts["ties_only_in_float32"]
        and len(set(run)) == len(run)
        and len({(topic, subtopic, document) for topic, subtopic, document, _ in case["qrels"]}) == len(case["qrels"])
        and not any(map(math.isnan, scores))
        and max(lengths, default=0) <= 1000
    )


def exceptions(case, measure):
    """The differences that are known: what a negative grade is, what a topic id is, where a missing document stands."""
    topics = {row[0] for row in case["qrels"]} | {row[0] for row in case["run"]}
    by_gdeval = measure.NAME == "ERR" or "exp-log2" in str(measure)
    return (
        (measure.NAME == "Judged" and case["facts"]["negative_grades"])
        or (measure.NAME == "Compat" and any(float(score) <= 0 for _, _, score in case["run"]))
        or (by_gdeval and len({int(topic) if topic.isdigit() else "" for topic in topics}) < len(topics))
    )


def differences(case):
    expected = {topic: row for topic, row in case["expected"]["ir_measures"].items() if topic != "_error"}
    measures = {name: ir_measures.parse_measure(name) for row in expected.values() for name in row}
    wanted = [m for m in measures.values() if ours.provider.supports(m) and not exceptions(case, m)]
    judged = [Qrel(topic, document, grade, subtopic) for topic, subtopic, document, grade in case["qrels"]]
    listed = [ScoredDoc(topic, document, float(score)) for topic, document, score in case["run"]]
    means, metrics = ours.provider.calc(wanted, judged, listed)
    assert isinstance(means, dict)
    found = [*metrics, *(Metric("all", measure, value) for measure, value in means.items())]
    for topic, measure, value in found:
        other = expected.get(topic, {}).get(str(measure))
        if isinstance(other, int | float):
            rounded = measure.NAME == "ERR" or "exp-log2" in str(measure)  # printed with five decimals
            same = math.isclose(value, other, rel_tol=0, abs_tol=6e-6 if rounded else 1e-9)
            yield measure.NAME, None if same else (case["name"], topic, str(measure), other, value)


@pytest.mark.parametrize(("group", "least"), [("handmade", 5_000), ("random", 50_000), ("diversity", 500)])
def test_values_and_means_agree_with_all_providers_where_they_agree_what_a_list_is(shared, group, least):
    compared = [pair for case in load(shared, group).values() if comparable(case) for pair in differences(case)]
    wrong = [difference for _, difference in compared if difference is not None]
    assert not wrong, f"{len(wrong)} of {len(compared)} differ, the first: {wrong[:10]}"
    assert len(compared) >= least


# --- an extra that nothing else needs --------------------------------------------------------------------------------


def test_without_ir_measures_the_import_says_what_to_install():
    code = "import sys; sys.modules['ir_measures'] = None; import cranfield.compat.ir_measures"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == (
        "ImportError: cranfield.compat.ir_measures needs ir_measures: pip install ir-measures"
    )


def test_nothing_else_imports_it():
    code = "import sys, cranfield, cranfield.cli, cranfield.compat, cranfield.measures; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "ir_measures" not in done.stdout.split()
