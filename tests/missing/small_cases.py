"""Random small collections in which all completions can be gone through."""

import numpy as np

from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.measures.definition import MEASURES
from cranfield.measures.grammar import parse
from cranfield.missing.situation import Situation
from cranfield.missing.universe import read_universe
from cranfield.pooling.candidates import Candidates
from cranfield.read.objects import as_qrels, as_sources

UNIVERSES = ("runs", "runs:2", "open:1")
WITH_SETTINGS = [
    *("nDCG@3", "nDCG(dcg='exp-log2')@2", "nDCG(dcg='jk')@3", "nDCG(avg_pos=True)@3", "nDCG(gains={1:5,2:3})@3"),
    *("AP@3", "AP(denominator='min')@3", "AP(rel=2)", "R(rel=2)@3", "RBP(rel=1)", "RBP(gains={1:3})", "RBP(p=.5)@3"),
    *("nDCG'@3", "AP'", "P'@3", "RBP'(p=0.5)", "Bpref'", "TBG(length=100)", "UMeasure(length=100)", "F(beta=2)@3"),
    *("IPrec@0.3", "DCG@2", "DCG(gains={0:1,1:-1})@2", "Q(beta=2)", "ERR@3", "SetP(relative=True)"),
    *("EU(model='P@2')", "INST(T=2)", "ERR(highest='topic')", "iRBU(highest='topic')@2"),
]


def every_measure():
    """A name for each measure of the registry that needs one judgment per document, and some with settings."""
    own = [
        definition for definition in MEASURES.values() if not (definition.needs_subtopics or definition.needs_sample)
    ]
    needs = {"cutoff": "@3", "recall": "@0.5"}
    names = [
        each.name + next((needs[p.name] for p in each.parameters.values() if p.required), "")
        for each in own
        if each.name not in ("TBG", "UMeasure")
    ]
    return [*names, *WITH_SETTINGS]


def random_case(rng, *, documents=None, levels=None, longest=5):
    """Judgments of one topic, and two runs."""
    names = [f"d{number}" for number in range(documents or int(rng.integers(2, 8)))]
    top = levels or int(rng.integers(2, 4))
    judged = {name: int(rng.integers(0, top)) for name in names if rng.random() < 0.5} or {names[0]: 0}
    runs = {
        run: {"1": [str(name) for name in rng.permutation(names)[: int(rng.integers(1, longest + 1))]]}
        for run in ("a", "b")
    }
    return {"1": judged}, runs


def situation_of(qrels, runs, name, universe="runs", **policies):
    """The situation of a measure."""
    judged, policy = as_qrels(qrels), Policy(**policies)
    sources = as_sources(runs).kept()
    candidates = Candidates.of(sources.open(), 1 << 40, policy, judged)
    lists = tuple(Rankings.of(run, policy) for run in sources.open())
    grade = candidates.grades(judged, policy)
    return Situation.of(candidates, grade, judged.topics, parse(name), read_universe(universe), policy, lists=lists)


def ends_of(values):
    """Lowest and highest defined value; None if there is none."""
    known = values[~np.isnan(values)]
    return (float(known.min()), float(known.max())) if len(known) else None
