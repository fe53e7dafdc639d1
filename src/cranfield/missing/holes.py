"""`cranfield.holes`: what the judgments that are missing could change."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from cranfield.align.policy import CleaningChoices, Policy, WordChoices
from cranfield.align.rankings import Rankings
from cranfield.arrays import Bools, Floats
from cranfield.errors import Error, PolicyError
from cranfield.errors.names import place
from cranfield.errors.warning import kept, warn
from cranfield.errors.wording import setting
from cranfield.measures.evaluate import evaluate
from cranfield.measures.grammar import Measure, parse, parse_many
from cranfield.missing.bounds.budget import SearchBudget
from cranfield.missing.bounds.by_subtopic.codes import by_subtopics, one_grade
from cranfield.missing.coverage import AT, checked_depths
from cranfield.missing.pairs.asked import PairsAsked, pairs_asked
from cranfield.missing.prior.features import WIDE
from cranfield.missing.result import Holes
from cranfield.missing.situation import Situation, depth_of, refuse_unsuitable
from cranfield.missing.universe import Universe, read_universe
from cranfield.pooling.candidates import Candidates
from cranfield.read import read_pool
from cranfield.read.objects import as_qrels, as_sources
from cranfield.tables.averages import Averaging
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.side.pool import Pool
from cranfield.tables.text import Text
from cranfield.workers import Progress

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import QrelsLike, RunsLike

UNJUDGED = "W105"  # the warning that few documents were judged
WHOLE = 1 << 40  # deeper than any list


class HolesChoices(WordChoices, CleaningChoices, total=False):
    """The fields of `Policy` as keyword arguments."""

    rel: float
    depth: int | None


def holes(
    qrels: "QrelsLike",
    runs: "RunsLike",
    measures: "MeasuresLike" = ("nDCG@10",),
    *,
    universe: str | Universe = "runs",
    scale: Sequence[float] | None = None,
    pairs: PairsAsked | None = None,
    baseline: str | Sequence[str] = (),
    at: Sequence[int] = AT,
    average: Averaging = "macro",
    policy: Policy | None = None,
    progress: Progress | None = None,
    budget: float | None = None,
    **policies: Unpack[HolesChoices],
) -> Holes:
    """What the missing judgments could change: ranges of scores, and whether the order of runs is certain.

    Args:
        qrels: judgments: a table, path, dict of dict, or data frame.
        runs: the runs: tables, paths, globs, dicts, data frames.
        measures: names such as `"nDCG@10"`.
        universe: which unjudged documents may turn out relevant. `runs`: those in the first *k* of any run, *k* being
            the deepest rank that the measure looks at; `runs:K`: the first K; `pool:FILE`: those in a pool; `open:N`:
            those of `runs` and up to N of each topic that no run retrieved.
        scale: grades that a hole may take beside those that occur in the judgments. Gains that are shares of the
            highest grade are then shares of the highest grade of the scale.
        pairs: which pairs are printed: `all`, `adjacent` or `baseline`; all pairs of up to ten runs by default.
        baseline: runs that all others are compared with.
        at: depths at which coverage is shown.
        average: `macro`, where every topic weighs the same; `median`, the value in the middle of the topics; for ratios
            `micro`, the ratio of the sums over topics, which has outer bounds.
        policy: the choices that shape the numbers; single ones can be given by name.
        progress: called with (run, number, of how many) before each run.
        budget: seconds that searches may take, from the first on; None: no limit. What is not finished by then gets
            outer bounds, which hold, and `unresolved` verdicts; how much that is depends on the machine.

    >>> h = holes({"1": {"a": 1}}, {"r": {"1": ["x", "a"]}}, "RR")  # x may be relevant, or not
    >>> h.bounds().select("lowest", "highest").rows()
    [(0.5, 1.0)]
    """
    chosen = (policy or Policy()).with_(**policies)
    known, limit = read_universe(universe), SearchBudget(budget)
    leveled = [m.at_level(chosen.rel) if chosen.rel != 1 else m for m in parse_many(measures)]
    wanted = tuple(dict.fromkeys(m.as_condensed() if chosen.unjudged == "condensed" else m for m in leveled))
    if not wanted:
        raise PolicyError("E244", "no measure was given", hint=setting("measures", ["nDCG@10"]))
    for measure in wanted:
        refuse_unsuitable(measure, chosen)
    depths = checked_depths(at)
    judged = as_qrels(qrels)
    sources = as_sources(runs).kept()
    condensed = tuple(measure.as_condensed() for measure in wanted)
    with kept() as notes:
        every = tuple(dict.fromkeys([*wanted, *condensed]))
        scores = evaluate(judged, sources, every, policy=chosen, progress=progress, average=average)
    for note in notes:
        if note.code != UNJUDGED:  # the result says more about it
            warn(note)
    sources = sources if scores.origin is None else scores.origin.runs
    single = one_grade(judged, wanted)
    candidates, grade, inside, listed = listed_documents(single, sources.open(), wanted, known, chosen, depths)
    levels = None if scale is None else scale_levels(scale)
    baselines = (baseline,) if isinstance(baseline, str) else tuple(baseline)
    for name in baselines:
        place(name, scores.runs, "run")
    pairs_asked(scores.runs, pairs, baselines)
    names = [str(measure) for measure in wanted]
    whole = any(measure.definition.needs_lists for measure in wanted)
    lists = tuple(Rankings.of(run, chosen) for run in sources.open()) if whole else ()
    others = {} if average == "macro" else {"average": average}
    stated = {"universe": str(known), **others, **({} if budget is None else {"budget": budget})}
    return Holes(
        scores=scores.select(names),
        condensed={
            name: scores.means[:, scores.measures.index(str(m))] for name, m in zip(names, condensed, strict=True)
        },
        universe=known,
        candidates=candidates,
        grade=grade,
        qrels=judged,
        policy=chosen,
        situations={
            str(measure): by_subtopics(each, candidates, judged, levels)
            for measure in wanted
            for each in (Situation.of(candidates, grade, scores.topics, measure, known, chosen, inside, levels, lists),)
        },
        audit=replace(scores.audit, policies=dict(scores.audit.policies) | stated),
        pairs=pairs,
        baselines=baselines,
        at=depths,
        pool=listed,
        budget=limit,
    )


def has_ranges(measure: str, policy: Policy) -> bool:
    """Whether a measure has possible ranges under a policy.

    >>> has_ranges("AP", Policy()), has_ranges("AP", Policy(topic_set="union"))
    (True, False)
    """
    try:
        refuse_unsuitable(parse(measure), policy)
    except Error:
        return False
    return True


def scale_levels(scale: Sequence[float]) -> Floats:
    """The grades of a scale."""
    if isinstance(scale, str | bytes) or not all(isinstance(grade, Real) for grade in scale):
        raise PolicyError("E241", f"{setting('scale', scale)} is no list of grades", hint="such as [0, 1, 2]")
    levels = np.asarray(scale, dtype=np.float64)
    if levels.ndim != 1 or not len(levels) or not (np.isfinite(levels) & (levels >= 0)).all():
        problem = f"{setting('scale', list(scale) if levels.ndim == 1 else scale)} is no list of grades"
        raise PolicyError("E240", problem, hint="numbers from 0, such as 0, 1, 2")
    return levels


class ListedPairs(NamedTuple):
    """What the runs list as deep as it matters, the grade of each pair, which are in the pool, and the pool."""

    candidates: Candidates
    grade: Floats
    pooled: Bools | None
    pool: Pool | None


def listed_documents(
    qrels: Qrels,
    runs: Iterable[Run],
    measures: Sequence[Measure],
    universe: Universe,
    policy: Policy,
    at: Sequence[int] = (),
) -> ListedPairs:
    """Read the runs as deep as the measures look, the universe reaches, and coverage is asked for."""
    pool = None if universe.pool is None else read_pool(universe.pool)
    also = qrels if pool is None else _with_pool(qrels, pool)
    candidates = Candidates.of(runs, depth_to_read(measures, universe, at), policy, also)
    pooled = None if pool is None else _in_pool(candidates, pool)
    return ListedPairs(candidates, candidates.grades(qrels, policy), pooled, pool)


def depth_to_read(measures: Sequence[Measure], universe: Universe, at: Sequence[int] = ()) -> int:
    """How far down the lists have to be known; a prior looks at the first hundred."""
    deepest = [depth_of(measure) for measure in measures]
    whole = any(depth is None for depth in deepest) or any(measure.definition.needs_lists for measure in measures)
    below = any(
        measure.condensed and (universe.pool is not None or (universe.depth or depth or 0) < (depth or 0))
        for measure, depth in zip(measures, deepest, strict=True)
    )
    return WHOLE if whole or below else max([*(depth or 0 for depth in deepest), *at, universe.depth or 0, WIDE])


def _as_qrels(pool: Pool) -> Qrels:
    return Qrels(pool.topics, pool.topic, pool.document, np.zeros(len(pool), dtype=np.int64), source=pool.source)


def _with_pool(qrels: Qrels, pool: Pool) -> Qrels:
    """The pairs of both, so that candidates hold the documents of a pool that no run retrieved."""
    topics = tuple(dict.fromkeys((*qrels.topics, *pool.topics)))
    number = np.array([topics.index(name) for name in pool.topics], dtype=np.int64)
    topic = np.concatenate((qrels.topic, number[pool.topic]))
    document = Text.concat([qrels.document, pool.document])
    return Qrels(topics, topic, document, np.zeros(len(topic), dtype=np.int64), source=qrels.source)


def _in_pool(candidates: Candidates, pool: Pool) -> Bools:
    """Which candidates are in a pool."""
    return ~np.isnan(candidates.grades(_as_qrels(pool)))
