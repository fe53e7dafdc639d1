"""Estimates of `holes`: inside the ranges for every measure, equal to evaluated completions, from any source."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.missing.completions import values
from cranfield.missing.estimates.situation_scores import SituationScores
from tests.pooling.worlds import as_dict, worlds

SUMS = [
    "P@2",
    "DCG@3",
    "RBP(p=0.8)",
    "nDCG@3",
    "nDCG",
    "nDCG(dcg='exp-log2')@2",
    "R@2",
    "nCG@2",
    "F@2",
    "SetP",
    "Judged@3",
]
OTHERS = ["AP", "RR", "Bpref", "Rprec", "ERR@3", "nDCG'@2", "AP'"]
UNIVERSES = ["runs", "runs:1", "open:2"]


def quiet(qrels, runs, measures, **choices):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return cf.holes(qrels, runs, measures, **choices)


def judged(world):
    runs, grades = world
    qrels = as_dict(grades)
    for topic in runs["r0"]:
        qrels.setdefault(topic, {})["another"] = 1
    return qrels, runs


@settings(max_examples=8)
@given(world=worlds(), universe=st.sampled_from(UNIVERSES), topic_set=st.sampled_from(["qrels", "intersection"]))
def test_every_draw_lies_inside_the_range_whatever_the_measure(world, universe, topic_set):
    qrels, runs = judged(world)
    found = quiet(qrels, runs, [*SUMS, *OTHERS], universe=universe, topic_set=topic_set)
    for measure in found.measures:
        made, ends = found.estimate(measure=measure, draws=12), found._ranges[measure]
        assert (made.these >= ends.low - 1e-9).all(), measure
        assert (made.these <= ends.high + 1e-9).all(), measure


@settings(max_examples=8)
@given(world=worlds(), seed=st.integers(0, 99))
def test_sums_are_those_of_the_measure_itself(world, seed):
    qrels, runs = judged(world)
    found = quiet(qrels, runs, SUMS)
    rng = np.random.default_rng(seed)
    for situation in found.situations.values():
        scores = SituationScores(situation, situation.levels)
        for topic in scores.topics.tolist():
            here = situation.of_topic(topic)
            levels = rng.integers(len(situation.levels), size=(5, here.holes)).astype(np.int8)
            expected = values(situation, here, situation.levels[levels])
            assert scores.values(topic, levels) == pytest.approx(expected, nan_ok=True), situation.named


QRELS = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"c": 1, "d": 0}}
RUNS = {"new": {"q1": ["a", "x", "c"], "q2": ["c", "y"]}, "old": {"q1": ["b", "a", "z"], "q2": ["z", "c"]}}


def test_probability_and_scores_by_name():
    found = quiet(QRELS, RUNS, ["P@2", "nDCG@3"])
    made = found.estimate("prior", draws=500, seed=3)
    assert made.measure == "P@2"
    assert made.now == pytest.approx(found.scores.means[:, 0])
    assert 0.5 < made.probability("new", "old") < 1
    assert made.probability("new", "old") == found.estimate(draws=500, seed=3).probability("new", "old")
    assert found.estimate(draws=100, measure="nDCG@3").measure == "nDCG@3"
    assert "judged relevant" in repr(made)  # few judgments: the prior says what it is


@pytest.mark.parametrize("form", ["probabilities", "labels", "dictionary"])
def test_a_file_decides_what_the_holes_hold(tmp_path, form):
    filled = {"q1": {"x": 0, "z": 2}, "q2": {"y": 0, "z": 1}}
    rows = [(topic, name, grade) for topic, own in filled.items() for name, grade in own.items()]
    if form == "probabilities":
        source = tmp_path / "p.jsonl"
        chances = [(t, d, [float(g == at) for at in range(3)]) for t, d, g in rows]
        source.write_text("".join(json.dumps({"topic": t, "doc": d, "p": p}) + "\n" for t, d, p in chances))
    else:
        source = tmp_path / "labels.txt"
        source.write_text("".join(f"{t} 0 {d} {g}\n" for t, d, g in rows))
    found = quiet(QRELS, RUNS, ["nDCG@3"])
    made = found.estimate(filled if form == "dictionary" else str(source), draws=10)
    whole = cf.evaluate({topic: QRELS[topic] | filled[topic] for topic in QRELS}, RUNS, ["nDCG@3"])
    assert made.these == pytest.approx(np.tile(whole.means[:, 0], (10, 1)))


def test_what_makes_no_sense_is_refused():
    found = quiet(QRELS, RUNS, ["P@2"])
    with pytest.raises(PolicyError, match="grade 3 is given to holes") as strange:
        found.estimate({"q1": {"x": 3}})
    assert "scale=[0, 1, 2, 3]" in str(strange.value.hint)
    assert quiet(QRELS, RUNS, ["P@2"], scale=[1, 2, 3]).estimate({"q1": {"x": 3}}, draws=5).draws == 5
    with pytest.raises(PolicyError, match="recalibrated where that helps"):
        found.estimate(recalibrate=True)
    with pytest.raises(PolicyError, match="at least 1"):
        found.estimate(draws=0)
    with pytest.raises(PolicyError, match="arithmetic means"):
        quiet(QRELS, RUNS, ["GMAP"]).estimate()
