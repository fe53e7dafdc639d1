"""Saved scores as baselines (job 5, 2.3)."""

import warnings

import numpy as np
import pytest

from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.measures.evaluate import evaluate
from cranfield.stats.comparison.against import Saved, beside
from cranfield.stats.comparison.compare import compare
from tests.stats.scored import draw, scored


def test_saved_runs_are_the_baselines_of_todays():
    before, today = scored(draw(1, runs=2), runs=["x", "y"]), scored(draw(2, runs=2), runs=["a", "b"])
    comparison = compare(today, against=before)
    assert comparison.baselines == ("x", "y")
    assert {(pair.run, pair.baseline) for pair in comparison.pairs()} == {(r, s) for r in "ab" for s in "xy"}
    assert comparison.pair("a", "x").difference == pytest.approx(float((today["a", "AP"] - before["x", "AP"]).mean()))


def test_one_of_the_saved_runs_can_be_the_baseline():
    comparison = compare(scored(draw(2, runs=1), runs=["a"]), against=scored(draw(1, runs=2), runs="xy"), baseline="y")
    assert [(pair.run, pair.baseline) for pair in comparison.pairs()] == [("a", "y")]


def test_a_baseline_beside_saved_scores_is_one_of_them():
    with pytest.raises(PolicyError) as caught:
        compare(scored(draw(2, runs=2), runs="ab"), against=scored(draw(1, runs=2), runs=["bm25", "x"]), baseline="a")
    assert (caught.value.code, caught.value.problem) == ("E205", "baseline 'a' is not among the saved runs: bm25, x")


def test_a_saved_run_of_the_same_name_is_told_apart():
    scores = scored(draw(1, runs=1), runs=["bm25"])
    comparison = compare(scores, against=scores)
    (pair,) = comparison.pairs()
    assert (pair.run, pair.baseline, pair.p) == ("bm25", "bm25 (saved)", 1)


def test_topics_are_paired_by_name_and_others_left_out():
    values = draw(3, runs=2)[:, :, 0]
    names = [f"q{at}" for at in range(25)]
    today = scored(values[:1, 5:], runs=["new"], topics=names[5:])
    before = scored(values[1:, :20][:, ::-1], runs=["old"], topics=names[:20][::-1])
    pair = compare(today, against=before).pair("new", "old")
    assert pair.topics == 15
    assert pair.difference == pytest.approx((values[0] - values[1])[5:20].mean())


def test_the_file_that_was_saved_is_an_input_with_its_hash(tmp_path):
    scored(draw(1, runs=1), runs=["old"]).save(tmp_path / "main.json")
    comparison = compare(scored(draw(2, runs=1), runs=["new"]), against=tmp_path / "main.json")
    entry = comparison.to_dict()["inputs"][-1]
    assert (entry["role"], entry["name"], entry["rows"]) == ("against", str(tmp_path / "main.json"), 25)
    assert len(entry["sha256"]) == 64


def test_what_is_known_of_saved_runs_travels_with_them():
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {"a": 1, "b": 0}, "q3": {"a": 0, "b": 1}}
    with pytest.warns(DataWarning, match="missing"):
        before = evaluate(qrels, {"old": {"q1": ["a", "b"], "q2": ["a"]}}, "RR")
    joined, names = beside(evaluate(qrels, {"new": {topic: ["a", "b"] for topic in qrels}}, "RR"), Saved(before))
    assert (names, joined.audit.topics_missing) == (("old",), {"old": ["q3"]})
    assert joined.audit.judged_at_k["old"] == before.audit.judged_at_k["old"]
    assert joined.retrieved.tolist() == [[2, 2, 2], [2, 1, 0]]
    assert joined.relevant.tolist() == [[1], [1], [1]]


def test_a_measure_that_was_not_saved_is_refused():
    with pytest.raises(InputError) as caught:
        compare(scored(draw(1, runs=1), measures=["RR"]), against=scored(draw(1, runs=1)))
    assert str(caught.value) == (
        'E220: saved scores: holds no scores of RR\n  hint: it has AP; save again with measures="RR"'
    )


def test_scores_averaged_in_another_way_are_refused():
    with pytest.raises(InputError, match="E220: saved scores: was averaged in another way"):
        compare(scored(draw(1)), against=scored(draw(1), averages=["micro"]))


def test_no_common_topic_is_refused():
    with pytest.raises(InputError) as caught:
        compare(scored(draw(1, runs=1), topics=map(str, range(25))), against=scored(draw(1, runs=1)))
    assert caught.value.code == "E114"
    assert caught.value.problem == "none of its 25 topics occurs in the runs"
    assert caught.value.hint == "its topics look like 'q000', those of the runs like '0'"


def test_other_policies_and_other_judgments_are_told():
    def judged(ties, sha):
        inputs = [{"role": "qrels", "name": "q", "rows": 1, "sha256": sha}]
        return scored(draw(1, runs=1), policies={"ties": ties}, inputs=inputs)

    with pytest.warns(DataWarning, match="W116: saved scores: ties=trec9 then, trec now; the judgments have changed"):
        compare(judged("trec", "a"), against=judged("trec9", "b"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare(judged("trec", "a"), against=judged("trec", "a"))


def test_divisors_of_micro_averages_are_kept_in_their_topics():
    qrels = {f"q{n}": {"a": 1, "b": 0, "c": n % 2} for n in range(6)}
    lists = {f"q{n}": ["a", "b", "c"][: 1 + n % 3] for n in range(6)}
    before = evaluate(qrels, {"old": lists}, "P@2", average="micro")
    today = evaluate(qrels, {"new": {topic: ["b", "a"] for topic in lists}}, "P@2", average="micro")
    joined, _ = beside(today, Saved(before))
    assert np.array_equal(joined.means, np.vstack([today.means, before.means]))
