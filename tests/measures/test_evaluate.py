"""Evaluate: policies, audit and the shape of the result."""

import math

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.policy import Ties
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 1, "b": 0}, "q3": {"a": 0, "b": 0}}
RUN = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q3": {"a": 2.0, "b": 1.0}}

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


def test_every_judged_topic_is_in_the_mean_and_a_missing_one_scores_zero():
    scores = cf.evaluate(QRELS, RUN, "AP")
    assert scores["run", "AP"].tolist() == pytest.approx([(1 + 2 / 3) / 2, 0, 0])
    assert scores.means[0, 0] == pytest.approx((1 + 2 / 3) / 2 / 3)
    assert scores.audit.topics_missing == {"run": ["q2"]}
    assert scores.audit.topics_in_mean == 3


def test_intersection_keeps_only_the_topics_a_run_answered():
    scores = cf.evaluate(QRELS, RUN, "AP", topic_set="intersection")
    assert np.isnan(scores["run", "AP"][1])
    assert scores.means[0, 0] == pytest.approx((1 + 2 / 3) / 2 / 2)
    assert scores.audit.topics_scored == {"run": 2}


def test_union_adds_topics_without_judgments():
    scores = cf.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}, "q9": {"a": 1.0}}, "P@1", topic_set="union")
    assert scores.topics == ("q1", "q9")
    assert scores.means[0, 0] == 0.5


def test_topics_without_relevant_documents_follow_the_policy():
    assert cf.evaluate(QRELS, RUN, "AP", no_relevant="zero")["run", "AP"][2] == 0
    left_out = cf.evaluate(QRELS, RUN, ["AP", "P@1"], no_relevant="exclude")
    assert np.isnan(left_out["run", "AP"][2])
    assert left_out["run", "P@1"][2] == 0  # precision is defined there
    assert left_out.audit.undefined == {"AP": 1}
    with pytest.raises(cf.InputError, match="topic 'q3' has no document that is relevant for P@1"):
        cf.evaluate(QRELS, RUN, "P@1", no_relevant="error")


def test_the_level_reaches_binary_measures_that_name_none_and_no_others():
    scores = cf.evaluate(QRELS, RUN, ["AP", "AP(rel=1)", "nDCG@10", "RBP(p=0.8)"], rel=2)
    assert scores.measures[0] == "AP(rel=2)"
    assert scores.measures[2:] == ("nDCG@10", "RBP(p=0.8)")
    assert scores["run", "AP(rel=2)"][0] == pytest.approx(1 / 3)


def test_unjudged_condensed_equals_a_prime():
    qrels, run = {"q": {"a": 1}}, {"q": {"x": 2.0, "a": 1.0}}
    whole = cf.evaluate(qrels, run, "AP", unjudged="condensed")
    assert whole.measures == ("AP'",)
    assert whole.means.tolist() == cf.evaluate(qrels, run, "AP'").means.tolist() == [[1.0]]
    assert cf.evaluate(qrels, run, "AP").means.tolist() == [[0.5]]


def test_depth_cuts_before_anything_else():
    assert cf.evaluate(QRELS, RUN, "AP", depth=1)["run", "AP"][0] == 0.5


def test_one_order_serves_all_measures_of_a_call():
    qrels = {"q": {"a": 1, "b": 0}}
    run = {"q": {"a": 0.1, "b": 0.100000001}}
    cases: tuple[tuple[Ties, float], ...] = (("trec", 0.5), ("trec9", 0.5))
    for ties, expected in cases:
        scores = cf.evaluate(qrels, run, ["RR", "AP", "nDCG@2"], ties=ties)
        assert scores["run", "RR"][0] == scores["run", "AP"][0] == expected
    assert cf.evaluate(qrels, run, "RR", ties="trec").audit.single_precision_ties == {"run": 1}
    assert cf.evaluate(qrels, run, "RR", ties="trec9").audit.tie_groups == 1


def test_the_residual_travels_with_rank_biased_precision():
    scores = cf.evaluate({"q": {"a": 1}}, {"q": {"a": 2.0, "x": 1.0}}, "RBP(p=0.8)")
    assert scores.measures == ("RBP(p=0.8)",)
    assert scores.residuals["RBP(p=0.8)"][0, 0] == pytest.approx(0.2 * 0.8 + 0.8**2)
    assert scores.to_dict()["result"]["scores"][0]["residual"] == pytest.approx(0.8)


def test_a_topic_missing_from_the_run_has_residual_one():
    scores = cf.evaluate(QRELS, RUN, "RBP(p=0.8)")
    assert scores.residuals["RBP(p=0.8)"][0, 1] == 1


def test_inputs_are_never_modified_and_calls_do_not_influence_each_other():
    qrels = Qrels.of(["q"], ["a"], [1])
    run = Run.of("r", ["q", "q"], ["b", "a"], [1.0, 2.0])
    before = (run.score.copy(), run.topic.copy(), qrels.grade.copy())
    first = cf.evaluate(qrels, run, "AP")
    cf.evaluate(qrels, run, "AP", depth=1, ties="file")
    assert cf.evaluate(qrels, run, "AP") == first
    assert all(np.array_equal(a, b) for a, b in zip(before, (run.score, run.topic, qrels.grade), strict=True))


def test_permuting_topics_changes_no_digit_of_a_mean():
    rng = np.random.default_rng(3)
    topics = [f"t{n}" for n in range(200)]
    qrels = {t: {f"d{n}": int(g) for n, g in enumerate(rng.integers(0, 3, 30))} for t in topics}
    run = {t: {f"d{n}": float(s) for n, s in enumerate(rng.random(30))} for t in topics}
    backwards = {t: qrels[t] for t in reversed(topics)}
    names = ["AP", "nDCG@10", "GMAP", "RBP(p=0.8)"]
    assert cf.evaluate(qrels, run, names).means.tolist() == cf.evaluate(backwards, run, names).means.tolist()


def test_saved_scores_come_back_equal(tmp_path):
    scores = cf.with_intervals(cf.evaluate(QRELS, RUN, ["AP", "NumRelRet", "RBP(p=0.8)"]), "t")
    scores.save(tmp_path / "s.json")
    loaded = cf.load_scores(tmp_path / "s.json")
    assert loaded == scores
    assert loaded.audit == scores.audit
    assert loaded.means.tolist() == scores.means.tolist()
    assert loaded.residuals["RBP(p=0.8)"].tolist() == scores.residuals["RBP(p=0.8)"].tolist()
    assert loaded.intervals is not None
    assert np.array_equal(loaded.intervals, np.asarray(scores.intervals), equal_nan=True)


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"result": {"scores": 3}}', "\x00", "[" * 100_000])
def test_a_file_that_holds_no_scores_is_refused(tmp_path, text):
    (tmp_path / "s.json").write_text(text)
    with pytest.raises(cf.InputError):
        cf.load_scores(tmp_path / "s.json")


def test_frames_have_the_documented_columns():
    scores = cf.evaluate(QRELS, RUN, ["AP", "P@2"])
    assert scores.mean().columns == ["run", "measure", "mean", "ci_low", "ci_high", "judged"]
    per_topic = scores.per_topic()
    assert per_topic.columns == ["run", "topic", "measure", "value", "judged", "retrieved", "relevant"]
    assert per_topic.height == 3 * 2
    assert scores.to_pandas().shape == (2, 6)
    assert scores.matrix("AP").shape == (1, 3)


def test_the_audit_counts_what_shaped_the_numbers():
    qrels = {"q1": {"a": 1, "b": -1}, "q2": {"a": 0}}
    run = {"q1": {"a": math.inf, "b": 1.0, "c": 1.0}, "q9": {"a": 1.0}}
    audit = cf.evaluate(qrels, run, "P@2").audit
    assert audit.negative_grades == 1
    assert audit.infinite_scores == 1
    assert audit.topics_missing == {"run": ["q2"]}
    assert audit.topics_extra == {"run": ["q9"]}
    assert audit.topics_without_relevant == ["q2"]
    assert (audit.tie_groups, audit.tie_groups_at_cutoff) == (1, 1)
    assert audit.judged_at_k == {"run": {2: 0.5}}
    assert audit.policies["ties"] == "trec"
    assert [entry["role"] for entry in audit.inputs] == ["qrels", "run"]


def test_unknown_policies_and_values_are_refused():
    with pytest.raises(cf.PolicyError, match='ties="random" is unknown'):
        cf.Policy().with_(ties="random")  # type: ignore[arg-type]
    with pytest.raises(cf.PolicyError, match="E245: evaluate has no parameter 'tie'"):
        cf.evaluate(QRELS, RUN, "AP", tie="trec")  # type: ignore[call-arg]
    with pytest.raises(cf.PolicyError, match="depth=0"):
        cf.Policy(depth=0)


def test_a_run_without_common_topics_is_refused():
    with pytest.raises(cf.InputError) as caught:
        cf.evaluate({"q1": {"a": 1}}, {"1": {"a": 1.0}}, "AP")
    assert caught.value.code == "E114"
    assert (
        caught.value.hint
        == "run topics look like '1', qrels topics like 'q1'; see cranfield.convert(…, map_topics=FILE)"
    )


@pytest.mark.filterwarnings("default")
def test_what_somebody_should_look_at_is_said_with_its_code():
    with pytest.warns(cf.DataWarning) as said:
        cf.evaluate(QRELS, {**RUN, "q9": {"z": 1.0}}, ["AP", "infAP"])
    assert {str(warning.message)[:4] for warning in said} == {"W101", "W102", "W106"}


def test_the_footer_counts_topics_without_relevant_documents_at_every_level_in_use():
    at_one = cf.evaluate(QRELS, RUN, ["AP", "nDCG@10"])
    assert "1 without relevant documents, scored 0" in at_one.sheet().notes[0]
    levels = cf.evaluate(QRELS, RUN, ["AP(rel=2)", "nDCG@10"]).sheet().notes[0]
    assert "AP(rel=2): 2 without relevant documents, scored 0 · nDCG@10: 1 without" in levels
    excluded = cf.evaluate(QRELS, RUN, ["AP", "P@1"], no_relevant="exclude").sheet()
    assert "AP: 1 without relevant documents, left out" in excluded.notes[0]
    assert "AP: 1 without relevant documents, left out" in excluded.caption


def test_real_gains_below_one_are_relevant_to_gain_measures():
    scores = cf.evaluate({"q": {"a": 0.5}}, {"q": {"a": 1.0}}, "nDCG@10", grades="float")
    assert scores.means.tolist() == [[1.0]]
    assert "without relevant" not in scores.sheet().notes[0]


def test_the_judged_share_is_the_mean_of_the_measure_and_missing_topics_have_none():
    scores = cf.evaluate(QRELS, {"q1": {"a": 3.0, "x": 2.0}}, ["Judged@10", "P@10"])
    assert np.isnan(scores["run", "Judged@10"][1:]).all()
    assert scores.means[0, 0] == scores.audit.judged_at_k["run"][10] == scores.judged_shares[0, 1] == 0.5


def test_a_measure_asked_for_twice_under_one_level_is_computed_once():
    assert cf.evaluate(QRELS, RUN, ["AP", "AP(rel=2)"], rel=2).measures == ("AP(rel=2)",)


def test_scores_cannot_be_changed():
    scores = cf.evaluate(QRELS, RUN, "AP")
    with pytest.raises(ValueError, match="read-only"):
        scores.values[0, 0, 0] = 99


def test_residuals_are_told_with_their_measure_in_every_form():
    sheet = cf.evaluate(QRELS, RUN, ["RBP(p=0.8)", "AP"]).sheet()
    assert "RBP(p=0.8): unjudged documents could add run +0." in sheet.text()
    assert "RBP(p=0.8): unjudged documents could add run +0." in sheet.caption
    assert sheet.csv().splitlines()[0].startswith("run,RBP(p=0.8),RBP(p=0.8) residual,AP")


def test_intervals_are_those_of_with_intervals():
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(5)}
    run = {topic: ["a", "b"] if topic < "q3" else ["b", "a"] for topic in qrels}
    plain = cf.evaluate(qrels, run, "RR")
    assert plain.intervals is None
    for ci in ("t", "bootstrap"):
        found = cf.evaluate(qrels, run, "RR", ci=ci, seed=3)
        assert found == cf.with_intervals(plain, ci, seed=3)
        assert found.audit.policies["ci"] == ci
    with pytest.raises(cf.PolicyError, match='ci="wald" is unknown'):
        cf.evaluate("nowhere.txt", run, "RR", ci="wald")  # type: ignore[arg-type]  # on purpose, before a file is read


def test_the_wide_table_has_a_column_for_each_measure():
    runs = {"a": {"q1": ["d1"]}, "b": {"q1": ["d2", "d1"]}}
    table = cf.evaluate({"q1": {"d1": 1, "d2": 0}}, runs, ["RR", "P@1"]).table()
    assert table.columns == ["run", "RR", "P@1"]
    assert table.rows() == [("a", 1.0, 1.0), ("b", 0.5, 0.0)]


def test_the_audit_prints_itself_in_a_few_lines():
    audit = cf.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "RR").audit
    lines = repr(audit).splitlines()
    assert lines[:2] == ["Audit", " 1 topic in the mean"]
    assert len(lines) <= 6
    assert max(map(len, lines)) <= 120
