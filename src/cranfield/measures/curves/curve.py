"""Runs and judgments -> curves: a measure at every rank or recall level, ordered and joined as in `evaluate`."""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from cranfield.align.index import index_of
from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import NAMES, CleaningChoices, Collapse, Policy, WordChoices
from cranfield.align.rankings import Rankings
from cranfield.arrays import Floats
from cranfield.errors import DataWarning, PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.curves.bounds import RUNS, band_of_bounds
from cranfield.measures.curves.grammar import CurveRequest, read_kind
from cranfield.measures.curves.kinds.precision import RECALL_LEVELS
from cranfield.measures.evaluate import evaluate
from cranfield.measures.grammar import Measure, parse
from cranfield.read.objects import as_qrels, as_runs
from cranfield.registry import one_of
from cranfield.tables.curves.kind import VectorColumns, kinds_with
from cranfield.tables.curves.result import Curves
from cranfield.workers import Progress

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import QrelsLike, RunsLike


CurveAverage = Literal["mean_of_norm", "norm_of_mean"]
CurveBand = Literal["none", "quartiles", "bounds"]
CurveScenario = Literal["busy", "patient"]


class CurveChoices(WordChoices, CleaningChoices, total=False):
    """Parameters of the measure that is drawn, and the fields of `Policy`, by name."""

    cutoff: int
    rel: float | Sequence[float]
    beta: float
    rule: Literal["geq", "te9", "lround"]
    gains: Mapping[float, float]
    dcg: Literal["log2", "exp-log2", "jk", "rank"]
    b: float
    depth: int | None


def curve(
    qrels: "QrelsLike",
    runs: "RunsLike",
    kind: str | Sequence[str],
    *,
    models: "MeasuresLike" = (),
    scenario: CurveScenario | None = None,
    average: CurveAverage = "mean_of_norm",
    band: CurveBand = "none",
    policy: Policy | None = None,
    progress: Progress | None = None,
    collapse: Collapse | None = None,
    universe: str = RUNS,
    **choices: Unpack[CurveChoices],
) -> Curves:
    """The value of a measure at every rank or recall level, for every run and topic and on average.

    Args:
        qrels: judgments, as `evaluate` takes them.
        runs: one run or several, as `evaluate` takes them.
        kind: what is drawn, with parameters and last rank as in `"pr"` or `"ndcg(dcg='jk', b=10)@50"`; several of one
            kind (`"pr(rel=1) pr(rel=2)"`) are drawn side by side. The page of charts lists the kinds.
        models: for `cwl`: the measures whose user models are drawn, by default `RBP`.
        scenario: for gain: `"busy"` (30 ranks, gains 1-10-100, base 2) or `"patient"` (200 ranks, gains 1-2-3,
            base 10).
        average: for normalised gain: `"mean_of_norm"` or `"norm_of_mean"`.
        band: `"quartiles"` encloses the middle half of the topics; `"bounds"`, for gain and `11pt`, reaches from the
            lowest to the highest value that the mean at each point could have, whatever the unjudged documents are.
        policy: the choices that shape the numbers; single ones can be given by name, e.g. `ties="trec9"`.
        progress: called with (run, number, of how many) before each run.
        collapse: how the subtopics of a document become its one grade: `any` or `max`.
        universe: which unjudged documents the bounds look at: see `cranfield.holes`. `runs` are those in the first *k*
            of any run, *k* being the last rank of the curve, at all its points.
        **choices: parameters of the measure (`cutoff`, `gains`, `b`, …) and policies, by name; several levels `rel`
            make a curve each.

    >>> qrels = {"q1": {"d1": 2, "d2": 1, "d3": 0}}
    >>> curves = curve(qrels, {"q1": ["d2", "d3", "d1"]}, "ncg", cutoff=3)
    >>> curves["run"].round(4)  # 1/2, 1/3, 3/3
    array([0.5   , 0.3333, 1.    ])
    >>> curves = curve({"q1": {"d1": 1}}, {"q1": ["d2", "d1"]}, "11pt", band="bounds")  # d2 may be relevant, or not
    >>> curves.means["low"][0, 0, 0], curves.means["high"][0, 0, 0]
    (np.float64(0.5), np.float64(1.0))
    """
    given: dict[str, Any] = dict(choices)
    policies: dict[str, Any] = {name: given.pop(name) for name in NAMES if name in given and name != "rel"}
    chosen = (policy or Policy()).with_(**policies)
    chosen.require_one_order("a curve")
    chosen.require_single_values("a curve")
    request = read_kind(kind, models, scenario, given)
    _check(request, average, band)
    tables, judgments = as_runs(runs), as_qrels(qrels)
    scores = evaluate(judgments, tables, request.measures, policy=chosen, progress=progress, collapse=collapse)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # evaluate has said it
        index = index_of(judgments, chosen.negative, scores.topics[len(judgments.topics) :], collapse=collapse)
    rankings = [Rankings.of(run, chosen) for run in tables.members]
    points = _points(request, rankings)
    by_topic: dict[str, list[list[Floats]]] = {}
    for measure in map(parse, scores.measures):
        parts = [_columns(request, measure, index, lists, points, chosen) for lists in rankings]
        for name in parts[0]:
            by_topic.setdefault(name, []).append([part[name] for part in parts])
    named = tuple(map(parse, scores.measures))
    ends = (
        band_of_bounds(request, named, points, judgments, tables, chosen, universe, collapse)
        if band == "bounds"
        else None
    )
    if ends is not None:
        stated = {**scores.audit.policies, "universe": ends.universe}
        scores = replace(scores, audit=replace(scores.audit, policies=stated))
    return Curves(
        kind=request.kind.name,
        measures=scores.measures,
        axis=request.kind.axis,
        points=points,
        by_topic={
            name: np.where(scores.scored[None, :, :, None], np.array(values), np.nan)
            for name, values in by_topic.items()
        },
        x=request.kind.x,
        y=(average,) if request.kind.normalised else request.kind.y,
        scores=scores,
        band=band,
        ends={} if ends is None else {"low": ends.low, "high": ends.high},
        assumptions=() if ends is None else ends.notes,
    )


def _columns(
    request: CurveRequest,
    measure: Measure,
    index: JudgmentIndex,
    lists: Rankings,
    points: Floats,
    policy: Policy,
) -> VectorColumns:
    """The columns of one run, `[topic, point]`; values undefined for lack of relevant documents follow the policy."""
    hits = index.hits(lists)
    hits = hits.condensed() if measure.condensed else hits
    columns = request.kind.vectors(hits, measure, points)
    empty = (index.relevant(measure.rel) == 0)[:, None]
    return {name: policy.counted(values, empty) for name, values in columns.items()}


def _points(request: CurveRequest, rankings: Sequence[Rankings]) -> Floats:
    """The ranks or recall levels of the curve; precision goes no further than the longest list."""
    if request.kind.axis != "rank" or request.last is None:
        return RECALL_LEVELS if request.kind.axis else np.zeros(1)
    longest = max((int(lists.retrieved.max(initial=1)) for lists in rankings), default=1)
    last = min(request.last, longest) if request.kind.steps else request.last
    return np.arange(1.0, last + 1)


def _check(request: CurveRequest, average: str, band: str) -> None:
    """Refuse choices that have no effect on the kind."""
    one_of("average", average, get_args(CurveAverage))
    one_of("band", band, get_args(CurveBand))
    kind = request.kind
    if average != "mean_of_norm" and not kind.normalised:
        raise PolicyError(
            "E244",
            f"{setting('average', average)} has no meaning for {kind.name!r}",
            hint=f"it is for {' and '.join(kinds_with('normalised'))}",
        )
    if band != "none" and not kind.banded:
        raise PolicyError(
            "E244",
            f"{setting('band', band)} is not known for {kind.name!r}",
            hint=f"one of {', '.join(kinds_with('banded'))}",
        )
    if band == "bounds" and average != "mean_of_norm":
        problem = f"{setting('band', 'bounds')} is not known for {setting('average', average)}"
        raise PolicyError("E244", problem, hint=f"leave {setting('average')} out")
