"""Runs and judgments -> scores: index the judgments once, then open, score and drop each run."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

from cranfield.align.index import index_of
from cranfield.align.joined_run import JoinedRun, new_names, with_names_of_their_own
from cranfield.align.policy import Collapse, Policy, PolicyChoices
from cranfield.errors import Error, InputError, PolicyError
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.measures.assemble import assemble, of_partitions
from cranfield.measures.grammar import Measure, parse_many
from cranfield.measures.notes import notes_on
from cranfield.measures.scoring import EvaluationPlan, ScoredPart, no_common_topic, refuse_empty_topics, sample_needs
from cranfield.read.objects import as_qrels, as_sources
from cranfield.read.options import ReadOptions, TopicNames, columns_for
from cranfield.read.sources.pieces import Irregular
from cranfield.read.sources.runs import RunSource, Sources
from cranfield.registry import one_of
from cranfield.tables.averages import AVERAGES, MEAN_INTERVALS, Averaging, MeanIntervalMethod
from cranfield.tables.qrels import Qrels
from cranfield.tables.scores import Scores
from cranfield.tables.source import Grades, Input, ScoresOrigin
from cranfield.workers import Progress, Workers, workers

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import IntentsLike, QrelsLike, RunsLike
    from cranfield.tables.side.intents import Intents

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10")

TOGETHER = 16 << 20  # bytes of runs that are scored side by side
MOST = 16  # at most so many of them, so that several threads have work


class EvaluateChoices(PolicyChoices, total=False):
    """What `evaluate` takes by name, for functions that evaluate first."""

    progress: Progress | None
    lengths: Mapping[str, float] | None
    grades: Grades
    collapse: Collapse | None
    intents: "IntentsLike | None"
    average: Averaging
    cluster: Any  # an address, or a Client of Dask
    columns: str | Mapping[str, str] | None
    only_topics: TopicNames | None
    replicates: Mapping[str, str] | None


def evaluate(
    qrels: "QrelsLike",
    runs: "RunsLike",
    measures: "MeasuresLike" = DEFAULT_MEASURES,
    *,
    policy: Policy | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    lengths: Mapping[str, float] | None = None,
    grades: Grades = "int",
    collapse: Collapse | None = None,
    intents: "IntentsLike | None" = None,
    average: Averaging = "macro",
    jobs: int | None = None,
    cluster: Any = None,  # an address, or a Client of Dask
    universe: str = "runs",
    ci: Literal["none"] | MeanIntervalMethod = "none",
    columns: str | Mapping[str, str] | None = None,
    only_topics: TopicNames | None = None,
    replicates: Mapping[str, str] | None = None,
    **policies: Unpack[PolicyChoices],
) -> Scores:
    """Score runs against judgments.

    Files are read one after the other, as many at once as there are jobs, and dropped when they have been scored; the
    result is the same whatever the number of jobs. With `topic_set="union"` they are read twice, first for the topics.

    Args:
        qrels: judgments: a table, path, dict of dict, or data frame.
        runs: one run or several: tables, paths, globs, directories of partitions, dicts, data frames.
        measures: names such as `"nDCG@10"`, or objects whose `str()` is one.
        policy: the choices that shape the numbers; single ones can be given by name, e.g. `ties="trec9"`.
        seed: of the random orders of equal scores that stand for all where these are many (`ties="expected"` …).
        progress: called with (run, number, of how many) before each run.
        lengths: the length of each document by id, for measures of time and effort.
        grades: `int`, or `float` where judgments are real gains.
        collapse: how the subtopics of a document become its one grade, for measures that need that: `any` or `max`.
        intents: how likely each subtopic is, for measures of diversity: a table, path, or dict of dict.
        average: `macro`, where every topic weighs the same; for ratios `micro`, the ratio of the sums over topics; or
            `median`, the value in the middle of the topics. `scores.averages` says it.
        jobs: threads; by default one for each core, one for small work, fewer where files are large.
        cluster: the address of a Dask scheduler, or a `distributed.Client`, whose workers see the same files.
        columns: names of columns that are not the usual ones: `{"topic": "query", "doc": "url", "score": "sim"}`.
        universe: which unjudged documents `unjudged="bounds"` and `"estimate"` look at: see `cranfield.holes`.
        ci: the 95 % interval of each mean: `t` or `bootstrap`; other levels are given by `cranfield.with_intervals`.
        only_topics: the topics that count, or a file with one on each line; all judged ones by default.
        replicates: names of runs -> their system, `{"dense-*": "dense"}`: see `cranfield.with_replicates`.

    Returns:
        Scores of every run, topic and measure, with the audit of what shaped them.

    >>> scores = evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 2.5, "d1": 1.0}}, ["RR", "P@1"])
    >>> scores.means  # the relevant document is second
    array([[0.5, 0. ]])
    """
    chosen = (policy or Policy()).with_(**policies)
    wanted = _wanted(measures, chosen, average)
    one_of("ci", ci, ("none", *get_args(MeanIntervalMethod)))
    sources = as_sources(runs, ReadOptions(columns=columns_for(columns, qrels=False)))
    sizes = [source.size for source in sources.members]
    staff = workers(jobs, cluster, sizes)
    judged = as_qrels(qrels, grades, ReadOptions(columns=columns_for(columns, qrels=True)))
    if only_topics is not None:
        from cranfield.read.pairs import topic_names

        judged = judged.only(topic_names(only_topics))
    _refuse_adaptive(wanted, judged)
    if staff.away or chosen.topic_set == "union" or chosen.ranged:
        sources = sources.kept()
    extra = _unjudged_topics(judged, sources, staff, sizes) if chosen.topic_set == "union" else ()
    chances = None if intents is None else _intents(intents, judged)
    index = index_of(
        judged,
        chosen.negative,
        extra,
        plain=next((measure for measure in wanted if not measure.definition.needs_subtopics), None),
        diverse=next((measure for measure in wanted if measure.definition.needs_subtopics), None),
        collapse=collapse,
        intents=chances,
        sampled=sample_needs(wanted),
    )
    plan = EvaluationPlan(index, wanted, chosen, lengths, average, seed)
    if chosen.no_relevant == "error":
        refuse_empty_topics(plan)
    parts = _parts(plan, sources, staff, sizes, progress)
    inputs = [Input.of("qrels", judged, **({"collapse": collapse} if collapse else {}))]
    inputs += [] if chances is None else [Input.of("intents", chances)]
    given = judged if collapse or only_topics is not None or isinstance(qrels, Iterator) else qrels
    sources = sources.called(new_names(part.facts for part in parts))
    scores = replace(assemble(plan, parts, seed, inputs), origin=ScoresOrigin(given, sources, chosen, collapse))
    for note in notes_on(scores, wanted, {part.facts.name: part.facts.place for part in parts}):
        warn(note)
    if chosen.ranged:
        from cranfield.tables.side.possible import with_possible

        scores = with_possible(scores, universe, seed)
    if replicates is not None:
        from cranfield.tables.side.replicates import with_replicates

        scores = with_replicates(scores, replicates)
    return scores if ci == "none" else MEAN_INTERVALS["means"](scores, ci, seed=seed)


def _refuse_adaptive(measures: Sequence[Measure], qrels: Qrels) -> None:
    """Refuse infAP, which needs no strata, where unjudged documents of the pool were not left out at random."""
    inferred = next((measure for measure in measures if measure.definition.name == "infAP"), None)
    if inferred is not None and (qrels.grade < 0).any():
        from cranfield.align.columns.sampled import refuse_marked

        refuse_marked(qrels, inferred)


def _intents(given: Any, qrels: Qrels) -> "Intents":  # any of the accepted objects
    from cranfield.read.formats.intents import intents_of

    return intents_of(given, qrels.topics)


def _wanted(measures: "MeasuresLike", policy: Policy, average: str) -> tuple[Measure, ...]:
    """The measures as the policy wants them: their default level, and condensed where unjudged=condensed."""
    leveled = [m.at_level(policy.rel) if policy.rel != 1 else m for m in parse_many(measures)]
    wanted = tuple(dict.fromkeys(m.as_condensed() if policy.unjudged == "condensed" else m for m in leveled))
    if not wanted:
        raise PolicyError("E244", "no measure was given", hint=setting("measures", "nDCG@10"))
    one_of("average", average, get_args(Averaging))
    if policy.ranged:
        policy.require_no_ones("a range")
    if policy.unjudged == "estimate" and average != "macro":
        problem = f"{setting('unjudged', policy.unjudged)} needs means over topics, not {setting('average', average)}"
        raise PolicyError("E244", problem, hint="leave one of them out")
    for measure in wanted:
        if average == "micro":
            measure.require_ratio()
        elif average == "median" and (other := measure.definition.average) != "mean":
            problem = (
                f"{setting('average', 'median')} needs a mean over the topics, and {measure} is a {AVERAGES[other]}"
            )
            raise PolicyError("E244", problem, hint="leave it out, or evaluate it without")
    return wanted


def _parts(
    plan: EvaluationPlan, sources: Sources, staff: Workers, sizes: list[int], progress: Progress | None
) -> list[ScoredPart]:
    """The part of every run, in the order of the sources; the first error in that order is raised."""
    found: list[ScoredPart] = []
    partitions: list[ScoredPart] = []
    members = sources.members
    groups = list(_groups(members, sizes))
    loads = [sum(size for _, size in group) for group in groups]
    batches = [tuple(source for source, _ in group) for group in groups]
    with closing(staff.map(_open_and_score, plan, batches, loads)) as results:
        scored = (parts for batch in results for parts in batch)
        for number, source in enumerate(members):
            if progress is not None:
                progress(source.label, number, len(members))
            parts = next(scored)
            if isinstance(parts, Error):
                raise parts
            for part in parts:
                sources.seen(source.label, part.facts.source.format, part.facts.rows)
            if source.dataset is not None:
                partitions += parts
                if sources.continues(number):
                    continue
                by_name: dict[str, list[ScoredPart]] = {}
                for part in partitions:
                    by_name.setdefault(part.facts.name, []).append(part)
                parts, partitions = tuple(of_partitions(plan, source.dataset, own) for own in by_name.values()), []
            found += parts
    named = with_names_of_their_own([part.facts for part in found])
    return [part._replace(facts=facts) for part, facts in zip(found, named, strict=True)]


def _groups(members: Sequence[RunSource], sizes: Sequence[int]) -> Iterator[list[tuple[RunSource, int]]]:
    """Small sources that are scored together, in order."""
    group: list[tuple[RunSource, int]] = []
    for source, size in zip(members, sizes, strict=True):
        if group and (len(group) == MOST or sum(known for _, known in group) + size > TOGETHER):
            yield group
            group = []
        group.append((source, size))
    if group:
        yield group


def _open_and_score(plan: EvaluationPlan, sources: "Sequence[RunSource]") -> "list[tuple[ScoredPart, ...] | Error]":
    """The parts of the runs in each source, opened and dropped one by one; the first error ends the list."""
    batches = [[source] for source in sources] if plan.needs_lists else [sources]  # lists are kept of one source only
    parts: list[tuple[ScoredPart, ...] | Error] = []
    for batch in batches:
        opened: list[list[JoinedRun]] = []
        problem: Error | None = None
        try:
            for source in batch:
                opened.append(_opened(plan, source))
        except Error as error:
            problem = error
        scored = _scored(plan, [run for runs in opened for run in runs])
        try:
            for source, runs in zip(batch, opened, strict=False):  # sources after an error were not opened
                parts.append(tuple(_with_judged_topic(plan, source, next(scored)) for _ in runs))
        except Error as error:
            problem = error
        if problem:
            return [*parts, problem]
    return parts


def _opened(plan: EvaluationPlan, source: RunSource) -> list[JoinedRun]:
    """The runs in a source, joined piece by piece; if that cannot be, as a whole (which then words the errors)."""
    try:
        streamed = plan.streamed(source)
    except (Irregular, InputError):
        streamed = None
    return [plan.join(table) for table in source.open()] if streamed is None else [streamed]


def _scored(plan: EvaluationPlan, runs: "Sequence[JoinedRun]") -> "Iterator[ScoredPart]":
    """The parts of runs, scored all at once; scored one by one if lists are needed or a measure refuses one of them."""
    if not plan.needs_lists:
        try:
            return iter(plan.score(runs) if runs else [])
        except Error:
            pass
    return (plan.score([run])[0] for run in runs)


def _with_judged_topic(plan: EvaluationPlan, source: RunSource, part: ScoredPart) -> ScoredPart:
    """The part of a run, which must have a judged topic; that of a partition need not have one."""
    if source.dataset is None and len(part.topic) == 0:
        raise no_common_topic(plan, part.facts.place, part.facts.topics)
    return part


def _unjudged_topics(qrels: Qrels, sources: Sources, staff: Workers, sizes: list[int]) -> tuple[str, ...]:
    judged = set(qrels.topics)
    with closing(staff.map(_topics_of, None, sources.members, sizes)) as results:
        return tuple(dict.fromkeys(topic for topics in results for topic in topics if topic not in judged))


def _topics_of(_: None, source: RunSource) -> tuple[str, ...]:
    """The topics of the runs in a source."""
    return tuple(dict.fromkeys(topic for run in source.open() for topic in run.topics))
