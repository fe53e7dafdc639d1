"""Conditions that must hold, checked from Python: `scores.check`, `comparison.check` (job 5)."""

import dataclasses

import pytest

import cranfield as cf

QRELS = {f"q{n}": {"a": 1, "b": 0, "c": 0} for n in range(1, 7)}
RUNS = {
    "good": {topic: ["a", "b"] for topic in QRELS},
    "fair": {topic: ["b", "a"] if n % 2 else ["a", "b"] for n, topic in enumerate(QRELS)},
    "poor": {topic: ["b", "x", "a"] for topic in QRELS},
}


@pytest.fixture(scope="module")
def scores():
    """RR is 1, 0.75 and 1/3."""
    return cf.evaluate(QRELS, RUNS, ["RR", "P@1"])


def test_a_check_is_true_if_every_condition_holds(scores):
    checked = scores.check("RR >= 0.3", "P@1 >= 1 for go*", "missing == 0")
    assert checked
    assert checked.passed
    assert checked.failed == ()
    checked.require()


def test_a_check_names_what_failed_and_the_run_that_decides(scores):
    checked = scores.check("RR >= 0.5", "P@1 == 0")
    assert not checked
    assert [(each.condition, each.run) for each in checked.failed] == [("RR >= 0.5", "poor"), ("P@1 == 0", "good")]
    assert repr(checked).splitlines()[0] == "FAILED  RR >= 0.5: smallest is 0.3333 (poor)"
    assert str(checked).startswith(repr(checked))
    assert "6 topics in the mean" in str(checked)  # the cautions of the table
    with pytest.raises(AssertionError) as caught:
        checked.require()
    assert str(caught.value) == str(checked)


def test_verdicts_are_those_of_the_command_line(scores):
    (verdict,) = scores.check("RR >= 0.5").verdicts
    assert verdict.as_dict() == {
        "condition": "RR >= 0.5",
        "requirement": "RR >= 0.5",
        "passed": False,
        "observed": pytest.approx(1 / 3),
        "run": "poor",
        "message": "smallest is 0.3333 (poor)",
    }


def test_ranges_are_found_from_what_was_evaluated(scores):
    assert scores.check("lower(RR) >= 0.3 for poor", "upper(P@1) >= 1 for good", "undecided(P@1) == 0")
    assert not scores.check("lower(RR) >= 0.99 for poor")
    loaded = dataclasses.replace(scores, origin=None)
    with pytest.raises(cf.PolicyError, match="do not remember"):
        loaded.check("lower(RR) >= 0.3")


def test_a_comparison_checks_pairs_and_scores():
    comparison = cf.compare(QRELS, RUNS, "RR", baseline="fair")
    assert comparison.check("not worse(RR) for good", "drop(RR) <= 5% for good", "delta(RR) >= 0.2 for good", "RR > 0")
    worse = comparison.check("not worse(RR)", "drop(RR) <= 5%")
    assert [verdict.passed for verdict in worse.verdicts] == [False, False]
    assert worse.verdicts[1].observed == pytest.approx((0.75 - 1 / 3) / 0.75)
    assert comparison.check("drop(RR) <= 0.6")
    assert "corrected p < 0.05" in str(worse)
    with pytest.raises(cf.PolicyError, match="needs a baseline"):
        cf.compare(QRELS, RUNS, "RR").check("not worse(RR)")
    with pytest.raises(cf.PolicyError, match="needs a test"):
        cf.compare(QRELS, RUNS, "RR", baseline="fair", test="none").check("not worse(RR)")


def test_a_drop_from_nothing_is_none():
    nothing = {name: {topic: ["c"] for topic in QRELS} for name in ("zero", "also")} | {"good": RUNS["good"]}
    comparison = cf.compare(QRELS, nothing, "RR", baseline="zero", test="none")
    assert comparison.check("drop(RR) <= 0%")


def test_saved_measures_are_compared_where_none_are_named(tmp_path):
    cf.evaluate(QRELS, {"old": RUNS["fair"]}, ["P@1", "RR"]).save(tmp_path / "main.json")
    assert cf.compare(QRELS, {"new": RUNS["good"]}, against=tmp_path / "main.json").measures == ("P@1", "RR")


def test_a_level_of_the_policy_is_understood():
    graded = {topic: {"a": 2, "b": 1} for topic in QRELS}
    leveled = cf.evaluate(graded, RUNS["good"], "AP", rel=2)
    assert leveled.measures == ("AP(rel=2)",)
    assert leveled.check("AP >= 1", "AP(rel=2) >= 1")


def test_a_check_that_cannot_be_made_is_refused(scores):
    with pytest.raises(cf.MeasureError, match="do not hold the measure 'P@2'"):
        scores.check("P@2 >= 0.5")
    with pytest.raises(cf.PolicyError, match="no condition"):
        scores.check()
    with pytest.raises(cf.PolicyError, match="E209"):
        scores.check("RR")
    with pytest.raises(cf.PolicyError, match=r"cranfield.compare\(\) has a baseline"):
        scores.check("not worse(RR)")
