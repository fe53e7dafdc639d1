"""A comparison joined with the ranges of its pairs."""

import csv
import io

import jsonschema
import numpy as np
import pytest

import cranfield as cf
from cranfield.cli.schemas.compare import compare_schema
from cranfield.missing.joined import join
from cranfield.missing.joined.join import with_ranges

TOPICS = [f"q{number}" for number in range(12)]
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


@pytest.fixture
def collection():
    """`sure` beats `base` on every topic; `open` is worse by what was judged, but much of it was not."""
    qrels = {topic: {"a": 1, "b": 0, "c": 0} for topic in TOPICS}
    runs = {
        "base": {topic: ["b", "a"] for topic in TOPICS},
        "sure": {topic: ["a", "b"] for topic in TOPICS},
        "open": {topic: ["x", "y"] for topic in TOPICS},
    }
    runs["sure"]["q0"] = ["b", "a"]
    runs["open"]["q0"] = ["x", "a"]
    return qrels, runs


def joined(collection, measures="nDCG@2", **choices):
    qrels, runs = collection
    comparison = cf.compare(qrels, runs, measures, **{"baseline": "base", **choices})
    return with_ranges(comparison, cf.holes(qrels, runs, measures))


def test_the_ranges_are_those_of_the_verdicts(collection):
    for measure in ("nDCG@2", "P@2", "RBP(p=0.5)", "RR"):
        qrels, runs = collection
        holes = cf.holes(qrels, runs, measure)
        for pair in with_ranges(cf.compare(qrels, runs, measure), holes).pairs():
            verdict = holes.verdict(pair.run, pair.baseline, measure)
            assert (pair.possible_low, pair.possible_high) == pytest.approx((verdict.low, verdict.high))
            assert pair.flip == {"certain": "no", "equal": "no", "open": "yes"}[verdict.status]


def test_the_column_stands_behind_all_others_and_the_baseline_has_none(collection):
    lines = joined(collection).sheet().text().splitlines()
    assert lines[2].endswith("judged@2  holes could flip it?")
    assert lines[3].endswith("  –")
    cells = {line.split()[0]: line for line in lines[4:6]}
    assert "no   Δ ∈ [+0." in cells["sure"]
    assert "yes  Δ ∈ [−0." in cells["open"]


def test_all_pairs_have_the_column_too(collection):
    text = joined(collection, baseline=None).sheet().text()
    assert "W/T/L   holes could flip it?" in text
    assert text.count(" Δ ∈ ") == 3


def test_a_star_that_holes_could_undo_says_how_many_documents_suffice(collection):
    comparison = joined(collection)
    pair = comparison.pair("open", "base")
    assert pair.significant
    assert pair.flip_documents == cf.holes(collection[0], collection[1], "nDCG@2").verdict("open", "base").flips
    said = f"open: significant as judged, yet {pair.flip_documents:.0f} unjudged documents could reverse it"
    assert pair.warning == said
    text = comparison.sheet().text()
    assert f"* corrected p < 0.05.   ‡ {said}." in text
    assert "*‡" in next(line for line in text.splitlines() if line.startswith(" open"))


def test_judged_shares_are_not_warned_of_where_the_ranges_are_known(collection):
    qrels, runs = collection
    runs = {"base": runs["base"], "sure": {topic: ["a", *"xyz"] for topic in TOPICS}}
    plain = cf.compare(qrels, runs, ["P@1", "RR"], baseline="base")
    deep = cf.compare(qrels, runs, "RBP(p=0.1)", baseline="base")
    assert "a difference may come from unjudged documents" not in plain.sheet().text()
    ranged = with_ranges(deep, cf.holes(qrels, runs, "RBP(p=0.1)"))
    assert ranged.pair("sure", "base").flip == "no"
    assert "‡" not in ranged.sheet().text()
    shared = cf.compare(qrels, runs, "P@4", baseline="base", test="none")
    assert "‡" not in shared.sheet().text()


def test_complete_judgments_say_no_everywhere(collection):
    qrels, runs = collection
    qrels = {topic: {**grades, "x": 0, "y": 0} for topic, grades in qrels.items()}
    for pair in joined((qrels, runs), "nDCG@2", baseline=None).pairs():
        assert (pair.flip, pair.possible_low) == ("no", pytest.approx(pair.difference))
        assert pair.possible_high == pytest.approx(pair.difference)


def test_the_universe_and_outer_bounds_are_named(collection):
    text = joined(collection, ["nDCG@2", "AP"]).sheet().text()
    assert " universe=runs\n nDCG@2: only documents in the first 2 of these runs may be relevant · grades 0–1" in text
    assert "AP: only documents in these runs may be relevant" in text
    assert "outer bounds" in text
    exact = joined(collection).sheet().text()
    assert "universe=runs: only documents in the first 2 of these runs may be relevant" in exact
    assert "· exact bounds" in exact


def test_an_outer_bound_that_nothing_is_known_to_attain_is_unresolved(collection, monkeypatch):
    monkeypatch.setattr(join, "FEW", 0)  # no completion is tried
    comparison = joined(collection, "AP")
    pair = comparison.pair("open", "base")
    assert (pair.flip, pair.possible_exact) == ("unresolved", False)
    text = comparison.sheet().text()
    assert "?    Δ ∈ [" in text
    assert "it is unresolved whether unjudged documents could reverse it" in text
    monkeypatch.undo()
    assert joined(collection, "AP").pair("open", "base").flip == "yes"


def test_a_pair_turned_round_has_the_turned_range(collection):
    comparison = joined(collection)
    one, other = comparison.pair("open", "base"), comparison.pair("base", "open")
    assert one.possible_low is not None
    assert one.possible_high is not None
    assert (other.possible_low, other.possible_high) == (-one.possible_high, -one.possible_low)
    assert other.flip == one.flip


def test_programs_get_the_ends_and_the_answer(collection):
    comparison = joined(collection)
    rows = {row["run"]: row for row in csv.DictReader(io.StringIO(comparison.to_csv()))}
    pair = comparison.pair("open", "base")
    assert float(rows["open"]["possible_low"]) == pair.possible_low
    assert float(rows["open"]["possible_high"]) == pair.possible_high
    assert (rows["open"]["flip"], rows["sure"]["flip"]) == ("yes", "no")
    result = comparison.to_dict()["result"]
    jsonschema.validate(result, compare_schema())
    assert result["universe"] == "runs"
    assert {row["run"]: row["flip"] for row in result["pairs"]} == {"open": "yes", "sure": "no"}


def test_the_caption_of_latex_names_the_universe(collection):
    assert "only documents in the first 2 of these runs may be relevant" in joined(collection).sheet().latex()


def test_other_scores_are_refused(collection):
    qrels, runs = collection
    other = cf.holes({**qrels, "q0": {"b": 1}}, runs, "nDCG@2")
    with pytest.raises(cf.PolicyError, match="not of the same scores"):
        with_ranges(cf.compare(qrels, runs, "nDCG@2"), other)
    with pytest.raises(cf.UnknownNameError, match="P@2"):
        with_ranges(cf.compare(qrels, runs, "P@2"), cf.holes(qrels, runs, "nDCG@2"))


def test_runs_may_stand_in_another_order(collection):
    qrels, runs = collection
    backwards = dict(reversed(runs.items()))
    one = with_ranges(cf.compare(qrels, runs, "nDCG@2"), cf.holes(qrels, backwards, "nDCG@2"))
    assert [pair.flip for pair in one.pairs()] == [pair.flip for pair in joined(collection, baseline=None).pairs()]


@pytest.mark.parametrize("seed", range(20))
def test_no_completion_leaves_a_range_and_a_no_is_never_reversed(seed):
    rng = np.random.default_rng(seed)
    names = list("abcdefg")
    qrels = {t: {str(d): int(rng.integers(0, 3)) for d in rng.permutation(names)[:3]} for t in TOPICS[:4]}
    runs = {r: {t: [str(d) for d in rng.permutation(names)[:3]] for t in qrels} for r in ("one", "two", "six")}
    for measure in ("nDCG@3", "AP", "ERR@3"):
        comparison = with_ranges(cf.compare(qrels, runs, measure, test="none"), cf.holes(qrels, runs, measure))
        for _ in range(20):
            full = {t: {d: grades.get(d, int(rng.integers(0, 3))) for d in names} for t, grades in qrels.items()}
            seen = {t: {d for run in runs.values() for d in run[t]} for t in qrels}
            full = {t: {d: g for d, g in full[t].items() if d in seen[t] or d in qrels[t]} for t in qrels}
            scores = cf.evaluate(full, runs, measure)
            means = {(run, measure): float(scores[run, measure].mean()) for run in scores.runs}
            for pair in comparison.pairs():
                delta = means[pair.run, measure] - means[pair.baseline, measure]
                assert pair.possible_low is not None
                assert pair.possible_high is not None
                assert pair.possible_low - 1e-9 <= delta <= pair.possible_high + 1e-9
                if pair.flip == "no":
                    assert np.sign(round(delta, 9)) == np.sign(round(pair.difference, 9))
