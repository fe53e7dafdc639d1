"""Compare a reproduced run with the original: the order of documents, the scores, the improvement over a baseline."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield.align.policy import Policy, PolicyChoices
from cranfield.align.rankings import Rankings
from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.errors.warning import kept, warn
from cranfield.errors.wording import setting
from cranfield.measures.evaluate import evaluate
from cranfield.measures.grammar import Measure, parse_many
from cranfield.read.objects import as_qrels, as_runs
from cranfield.stats.reproduction.order import by_topic, mean_of, ranked
from cranfield.stats.reproduction.result import ReproducedMeasure, Reproduction
from cranfield.stats.reproduction.scores import delta_relative_improvement, effect_ratio, paired_p, rmse, unpaired_p
from cranfield.tables.run import Run
from cranfield.tables.scores import Scores

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import QrelsLike, RunsLike

MEASURES = ("AP", "nDCG", "P@10")


def reproduce(
    qrels: "QrelsLike",
    original: "RunsLike",
    reproduced: "RunsLike",
    measures: "MeasuresLike" = MEASURES,
    *,
    baselines: "tuple[RunsLike, RunsLike] | None" = None,
    qrels_reproduced: "QrelsLike | None" = None,
    p: float = 0.8,
    policy: Policy | None = None,
    **policies: Unpack[PolicyChoices],
) -> Reproduction:
    """Say how close a reproduced run comes to the original one.

    With the same judgments: Kendall's tau union and rank-biased overlap of the lists, root mean square error of the
    scores and the p value of a paired t test. With baselines also the effect ratio and the difference of the relative
    improvements. On another collection (`qrels_reproduced`) lists and topics cannot be compared: only the p value of an
    unpaired t test and, with baselines, the two about improvements are defined.

    Args:
        qrels: the judgments of the original run.
        original: the run whose result is to be reproduced; one run.
        reproduced: the run that reproduces it; one run.
        measures: the measures, each averaged over topics.
        baselines: the runs that the original and the reproduced run improve on.
        qrels_reproduced: the judgments of the reproduced run and its baseline, where the collection is another one.
        p: of rank-biased overlap: how patient the user is.
        policy: the choices that shape the numbers; single ones can be given by name.

    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> run, base = {"q1": ["a", "x"], "q2": ["b", "x"]}, {"q1": ["x", "a"], "q2": ["b", "x"]}
    >>> same = reproduce(qrels, run, run, "RR", baselines=(base, base))
    >>> same.tau, same.rbo, same.measures[0].rmse, same.measures[0].effect_ratio, same.measures[0].delta_ri
    (1.0, 1.0, 0.0, 1.0, 0.0)
    """
    chosen = (policy or Policy()).with_(**policies)
    chosen.require_one_order("a reproduction")
    chosen.require_single_values("a reproduction")
    if not 0 < p < 1:
        raise PolicyError("E241", f"{setting('p', p)} must lie between 0 and 1", hint=setting("p", 0.8))
    wanted = tuple(map(_averaged, parse_many(measures)))
    there = as_qrels(qrels)
    here = there if qrels_reproduced is None else as_qrels(qrels_reproduced)
    same = qrels_reproduced is None
    first, second = _one(original, "original"), _one(reproduced, "reproduced")
    pairs = [(there, first), (here, second)]
    if baselines is not None:
        given: object = baselines  # which callers may get wrong
        if not isinstance(given, tuple | list) or len(given) != 2:
            problem = f"{setting('baselines')} are two runs: the original and the reproduced one"
            raise PolicyError("E241", problem, hint="if it is one run, name it twice")
        pairs += [(there, _one(baselines[0], "baselines")), (here, _one(baselines[1], "baselines"))]
    with kept() as notes:  # the same file may be read twice
        scored = [evaluate(judged, run, wanted, policy=chosen) for judged, run in pairs]
    for note in {str(note): note for note in notes}.values():
        warn(note)
    lists = [ranked(Rankings.of(run, chosen)) for run in (first, second)] if same else [{}, {}]
    order = by_topic(lists[0], lists[1], p)
    taus, overlaps = np.array(list(order.values()), dtype=np.float64).reshape(-1, 2).T
    return Reproduction(
        original=first.name,
        reproduced=second.name,
        baselines=None if baselines is None else (pairs[2][1].name, pairs[3][1].name),
        same_collection=same,
        topics=(len(scored[0].topics), len(scored[1].topics)),
        tau=_defined(mean_of(taus)),
        rbo=_defined(mean_of(overlaps)),
        rbo_p=p,
        by_topic={topic: (_defined(tau), _defined(overlap)) for topic, (tau, overlap) in order.items()},
        measures=tuple(_row(str(measure), number, scored, same) for number, measure in enumerate(wanted)),
        audit=replace(scored[0].audit.computed_with("scipy"), inputs=_inputs(scored)),
    )


def _row(name: str, number: int, scored: list[Scores], same: bool) -> ReproducedMeasure:
    values: list[Floats] = [scores.values[0, :, number] for scores in scored]
    improved = len(values) == 4
    in_order = (values[0], values[2], values[1], values[3]) if improved else None
    return ReproducedMeasure(
        measure=name,
        original=_defined(mean_of(values[0])),
        reproduced=_defined(mean_of(values[1])),
        rmse=_defined(rmse(values[0], values[1])) if same else None,
        p=_defined((paired_p if same else unpaired_p)(values[0], values[1])),
        effect_ratio=_defined(effect_ratio(*in_order)) if in_order else None,
        delta_ri=_defined(delta_relative_improvement(*in_order)) if in_order else None,
    )


def _inputs(scored: list[Scores]) -> list[Mapping[str, Any]]:
    """Every file and object that was used, once."""
    found: list[Mapping[str, Any]] = []
    for scores in scored:
        found += [each for each in scores.audit.inputs if each not in found]
    return found


def _averaged(measure: Measure) -> Measure:
    """A measure that is averaged as a mean over topics; others are refused."""
    if measure.definition.average != "mean":
        problem = f"a reproduction needs a mean over the topics, and {measure} is none"
        raise PolicyError("E244", problem, hint="leave it out")
    return measure


def _one(source: "RunsLike", role: str) -> Run:
    """The only run of a source."""
    runs = list(as_runs(source).values())
    if len(runs) != 1:
        raise PolicyError("E241", f"{role}: one run is needed, and {len(runs)} were given", hint="give one of them")
    return runs[0]


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value
