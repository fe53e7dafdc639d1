"""Scores beside missing judgments: `unjudged="bounds"` and `"estimate"`, and `Scores.bounds`."""

import itertools
import pickle
import subprocess
import sys

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import PolicyError

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 2, "d": 0}}
RUNS = {
    "new": {"q1": ["a", "x", "b"], "q2": ["y", "c"]},
    "old": {"q1": ["b", "a"], "q2": ["z", "c", "d"]},
}


def completed_means(measure, average="macro"):
    """The means of both runs in every completion."""
    holes = [("q1", "x"), ("q2", "y"), ("q2", "z")]
    for grades in itertools.product((0, 1, 2), repeat=3):
        full = {topic: dict(docs) for topic, docs in QRELS.items()}
        for (topic, document), grade in zip(holes, grades, strict=True):
            full[topic][document] = grade
        yield cf.evaluate(full, RUNS, measure, average=average).means[:, 0]


@pytest.mark.parametrize("average", ["macro", "median"])
@pytest.mark.parametrize("measure", ["P@2", "AP", "nDCG@3", "RR", "R@2"])
def test_the_ends_are_those_of_all_completions(measure, average):
    scores = cf.evaluate(QRELS, RUNS, measure, unjudged="bounds", average=average)
    means = list(completed_means(measure, average))
    assert scores.possible is not None
    assert scores.possible.low[:, 0] == pytest.approx(np.min(means, axis=0))
    assert scores.possible.high[:, 0] == pytest.approx(np.max(means, axis=0))
    assert scores.possible.exact.all()


@pytest.mark.parametrize("measure", ["P@2", "R@2", "SetP", "SetR", "SetF"])
def test_a_ratio_of_sums_over_topics_has_an_outer_bound(measure):
    found = cf.evaluate(QRELS, RUNS, measure, unjudged="bounds", average="micro").possible
    means = list(completed_means(measure, "micro"))
    assert found is not None
    assert (found.low[:, 0] <= np.min(means, axis=0) + 1e-12).all()
    assert (found.high[:, 0] >= np.max(means, axis=0) - 1e-12).all()
    assert not found.exact.any()


def test_the_mean_as_judged_is_the_usual_one():
    asked, usual = cf.evaluate(QRELS, RUNS, unjudged="bounds"), cf.evaluate(QRELS, RUNS)
    assert asked.same_values(usual)
    assert usual.possible is None


def test_the_universe_is_the_one_that_was_named():
    near, far = (cf.evaluate(QRELS, RUNS, "R@2", unjudged="bounds", universe=name) for name in ("runs", "open:5"))
    assert near.possible is not None
    assert far.possible is not None
    assert (far.possible.low < near.possible.low).all()
    assert far.audit.policies["universe"] == "open:5"


def test_an_estimate_is_that_of_holes_and_lies_inside_the_bounds():
    scores = cf.evaluate(QRELS, RUNS, "P@2", unjudged="estimate", seed=4)
    bounds = cf.evaluate(QRELS, RUNS, "P@2", unjudged="bounds").possible
    again = cf.holes(QRELS, RUNS, "P@2").estimate(seed=4)
    found = scores.possible
    assert found is not None
    assert found.expected is not None
    assert bounds is not None
    assert found.expected[:, 0].tolist() == again.mean.tolist()
    assert found.low[:, 0].tolist() == again.band()[0].tolist()
    assert (bounds.low <= found.low).all()
    assert (found.high <= bounds.high).all()
    assert "5–95 %" in str(scores)
    row = scores.result()["scores"][0]
    assert row["band"][0] <= row["expected"] <= row["band"][1]


@pytest.mark.parametrize("kind", ["bounds", "estimate"])
def test_ranges_are_saved_and_selected(kind, tmp_path):
    scores = cf.evaluate(QRELS, RUNS, ["P@2", "AP"], unjudged=kind)
    scores.save(tmp_path / "s.json")
    loaded = cf.load_scores(tmp_path / "s.json")
    assert loaded == scores
    assert loaded.possible is not None
    assert scores.possible is not None
    assert loaded.possible.low.tolist() == scores.possible.low.tolist()
    assert loaded.possible.notes == scores.possible.notes
    one = scores.select("AP").possible
    assert one is not None
    assert one.high.tolist() == scores.possible.high[:, 1:].tolist()


def test_a_measure_without_a_formula_has_a_range_too():
    scores = cf.evaluate(QRELS, RUNS, ["P@2", "infAP", "ESL"], unjudged="bounds")
    assert scores.possible is not None
    assert np.isfinite(scores.possible.low).all()
    assert np.isfinite(scores.possible.high).all()
    assert "range of AP, which is estimated" in str(scores)


def test_scores_remember_their_inputs_and_give_bounds_later(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "r.run").write_text("q1 Q0 x 1 3 r\nq1 Q0 a 2 2 r\n")
    scores = cf.evaluate(tmp_path / "qrels", tmp_path / "r.run", ["RR", "P@1"])
    assert scores.bounds().rows() == [("r", "RR", 0.5, 0.5, 1.0, True), ("r", "P@1", 0.0, 0.0, 1.0, True)]
    assert (
        scores.bounds("RR").rows()
        == cf.holes(tmp_path / "qrels", tmp_path / "r.run", "RR")
        .bounds()
        .select("run", "measure", "lowest", "as_judged", "highest", "exact")
        .rows()
    )


def test_bounds_follow_the_level_and_the_policies_of_the_scores():
    scores = cf.evaluate(QRELS, RUNS, "P@2", rel=2)
    again = cf.holes(QRELS, RUNS, "P@2", rel=2)
    assert scores.bounds()["highest"].to_list() == again.bounds()["highest"].to_list()


def test_scores_from_a_file_say_how_to_get_bounds(tmp_path):
    scores = cf.evaluate(QRELS, RUNS, "RR")
    scores.save(tmp_path / "s.json")
    for other in (cf.load_scores(tmp_path / "s.json"), pickle.loads(pickle.dumps(scores))):
        assert other == scores
        with pytest.raises(PolicyError, match=r"need rankings[^$]*cranfield\.holes\(\) reads them"):
            other.bounds()


def test_changed_scores_have_no_bounds():
    scores = cf.standardize(cf.evaluate(QRELS, RUNS, "P@2"), method="phi")
    with pytest.raises(PolicyError, match="need rankings"):
        scores.bounds()


@pytest.mark.parametrize(
    "call",
    [
        lambda: cf.holes(QRELS, RUNS, "P@2", unjudged="bounds"),
        lambda: cf.compare(QRELS, RUNS, "P@2", unjudged="estimate"),
        lambda: cf.curve(QRELS, RUNS, "pr", unjudged="bounds"),
        lambda: cf.study.depth(QRELS, RUNS, "P@2", unjudged="bounds"),
    ],
)
def test_what_needs_single_values_refuses_ranges(call):
    with pytest.raises(PolicyError, match="needs single values"):
        call()


def test_a_median_has_no_estimate_here():
    with pytest.raises(PolicyError, match="needs means over topics"):
        cf.evaluate(QRELS, RUNS, "P@2", average="median", unjudged="estimate")


def test_without_ranges_nothing_that_finds_them_is_imported():
    code = f"""
import sys, cranfield as cf
cf.evaluate({QRELS!r}, {RUNS!r}, "P@2")
print(sorted(name for name in sys.modules if name.startswith("cranfield.missing")))
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
