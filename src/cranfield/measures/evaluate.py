"""Runs and judgments -> scores: order once, join once, then every measure on the same hits."""

import platform
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.index import index_of
from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.align.ties import single_precision_ties
from cranfield.arrays import Bools, Floats, Ints, ratio
from cranfield.errors import InputError, PolicyError
from cranfield.measures.definition import MEASURES
from cranfield.measures.notes import say_what_exceeds_one, say_what_to_look_at
from cranfield.measures.spec import Measure, build, parse_many
from cranfield.read.intents import as_intents
from cranfield.read.objects import as_qrels, as_runs
from cranfield.read.options import Grades
from cranfield.tables.audit import Audit
from cranfield.tables.intents import Intents
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.scores import Scores
from cranfield.tables.summary import summary

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10")

Progress = Callable[[str, int, int], None]


def evaluate(
    qrels: Any,  # anything `as_qrels` takes
    runs: Any,  # anything `as_runs` takes
    measures: object = DEFAULT_MEASURES,
    *,
    policy: Policy | None = None,
    seed: int = 0,
    progress: Progress | None = None,
    lengths: Mapping[str, float] | None = None,
    grades: Grades = "int",
    collapse: str | None = None,
    intents: Any = None,  # anything `as_intents` takes
    average: str = "macro",
    **policies: Any,  # the fields of Policy, one by one
) -> Scores:
    """Score runs against judgments.

    Args:
        qrels: judgments: a table, path, dict of dict, or data frame.
        runs: one run or several: tables, paths, globs, dicts, data frames.
        measures: names such as `"nDCG@10"`, or objects whose `str()` is one.
        policy: the choices that shape the numbers; single ones can be given by name, e.g. `ties="trec9"`.
        seed: recorded in the audit; nothing here is random.
        progress: called with (run, number, of how many) before each run.
        lengths: the length of each document by id, for measures of time and effort.
        grades: `int`, or `float` where judgments are real gains.
        collapse: how the subtopics of a document become its one grade, for measures that need that: `any` or `max`.
        intents: how likely each subtopic is, for measures of diversity: a table, path, or dict of dict.
        average: `macro`, where every topic weighs the same, or for ratios `micro`: the ratio of the sums over topics.

    Returns:
        Scores of every run, topic and measure, with the audit of what shaped them.

    >>> scores = evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 2.5, "d1": 1.0}}, ["RR", "P@1"])
    >>> scores.means  # the relevant document is second
    array([[0.5, 0. ]])
    """
    chosen = (policy or Policy()).with_(**policies)
    wanted = tuple(dict.fromkeys(_under(chosen, measure) for measure in parse_many(measures)))
    if not wanted:
        raise PolicyError("E213", "no measure was given", hint="measures=['nDCG@10']")
    if average not in ("macro", "micro"):
        raise PolicyError("E213", f"average={average!r} is unknown", hint="one of macro, micro")
    for measure in wanted if average == "micro" else ():
        measure.require_ratio()
    tables = as_runs(runs)
    judgments_table = as_qrels(qrels, grades)
    extra = _unjudged_topics(judgments_table, tables) if chosen.topic_set == "union" else ()
    chances = None if intents is None else as_intents(intents)
    judgments = index_of(
        judgments_table,
        chosen.negative,
        extra,
        plain=next((measure for measure in wanted if not measure.definition.needs_subtopics), None),
        diverse=next((measure for measure in wanted if measure.definition.needs_subtopics), None),
        collapse=collapse,
        intents=chances,
    )
    if chosen.no_relevant == "error":
        _refuse_empty_topics(judgments, wanted)
    cutoff = next((m.cutoff for m in wanted if m.cutoff), 10)
    parts = []
    for number, run in enumerate(tables.members):
        if progress is not None:
            progress(run.name, number, len(tables))
        parts.append(_score(run, judgments, wanted, chosen, cutoff, lengths, average == "micro"))
    inputs = [_input("qrels", judgments_table) | ({"collapse": collapse} if collapse else {})]
    inputs += [] if chances is None else [_input("intents", chances)]
    return _assemble(parts, tables, judgments, wanted, chosen, cutoff, seed, inputs)


@dataclass(frozen=True)
class _Part:
    """What one run contributes."""

    values: Floats  # [topic, measure]
    scored: Bools
    judged: Floats
    retrieved: Ints
    residuals: dict[str, Floats]  # by measure
    undefined: Ints  # per measure
    judged_at_cutoff: float | None
    missing: list[str]
    extra: list[str]
    ties: tuple[int, int, int]
    duplicates: int
    infinite: int
    weights: Floats | None  # [topic, measure], of a micro average


def _score(
    run: Run,
    judgments: JudgmentIndex,
    measures: Sequence[Measure],
    policy: Policy,
    cutoff: int,
    lengths: Mapping[str, float] | None,
    micro: bool,
) -> _Part:
    known = set(judgments.topics)
    extra = [topic for topic in run.topics if topic not in known]
    if len(extra) == len(run.topics):
        raise _no_common_topic(run, judgments)
    rankings = Rankings.of(run, policy)
    hits = judgments.hits(rankings) if lengths is None else judgments.hits(rankings).with_lengths(lengths)
    present = set(run.topics)
    answered = np.array([topic in present for topic in judgments.topics])
    scored = answered if policy.topic_set == "intersection" else np.ones(len(judgments.topics), dtype=bool)
    empty = [_without_relevant(judgments, measure) for measure in measures]
    values = np.empty((len(judgments.topics), len(measures)))
    judged = np.empty_like(values)
    for column, measure in enumerate(measures):
        values[:, column] = _defined(measure(hits), empty[column], policy)
        judged[:, column] = _judged_share(hits, measure.cutoff)
    # nothing is judged or unjudged in a list that is missing; the audit names missing lists once
    expected = scored[:, None] & (answered[:, None] | [measure.definition.uses_grades for measure in measures])
    undefined = np.count_nonzero(np.isnan(values) & expected, axis=0)
    values[~scored] = np.nan
    return _Part(
        values,
        scored,
        judged,
        hits.retrieved,
        {str(m): np.where(scored, _residual(m)(hits), np.nan) for m in measures if m.definition.residual},
        undefined,
        _number(summary(_judged_share(hits, cutoff), "mean")),
        [topic for topic, present in zip(judgments.topics, answered, strict=True) if not present],
        extra,
        (rankings.tie_groups(), rankings.tie_groups(cutoff), single_precision_ties(rankings)),
        rankings.duplicates,
        int(np.count_nonzero(np.isinf(run.score))),
        np.stack([measure.divisor(hits) for measure in measures], axis=1) if micro else None,
    )


def _under(policy: Policy, measure: Measure) -> Measure:
    """The measure as the policy wants it: its default level, and condensed where unjudged=condensed."""
    leveled = measure.at_level(policy.rel) if policy.rel != 1 else measure
    return leveled.as_condensed() if policy.unjudged == "condensed" else leveled


def _residual(measure: Measure) -> Measure:
    """The measure that says how much this one could still grow, with the parameters both have."""
    definition = MEASURES[str(measure.definition.residual)]
    shared = {name: value for name, value in measure.values if name in definition.parameters}
    return build(definition, shared, measure.condensed)


def _defined(values: Floats, empty: Bools, policy: Policy) -> Floats:
    """Undefined values of topics without relevant documents follow the policy; all others stay undefined."""
    return np.where(np.isnan(values) & empty, 0.0, values) if policy.no_relevant == "zero" else values


def _without_relevant(judgments: JudgmentIndex, measure: Measure) -> Bools:
    """The topics that have no relevant document at the level of a measure, if grades matter to it."""
    return (_relevant(judgments, measure) == 0) & measure.definition.uses_grades


def _relevant(judgments: JudgmentIndex, measure: Measure) -> Ints:
    """How many documents of each topic are relevant at the level of a measure."""
    return (judgments.covering if measure.definition.needs_subtopics else judgments.relevant)(measure.rel)


def _refuse_empty_topics(judgments: JudgmentIndex, measures: Sequence[Measure]) -> None:
    for measure in measures:
        for topic in np.flatnonzero(_without_relevant(judgments, measure))[:1]:
            raise InputError(
                "E214",
                f"topic {judgments.topics[topic]!r} has no document that is relevant for {measure}",
                path=judgments.qrels.source.name or "qrels",
                hint="--no-relevant zero scores it 0, --no-relevant exclude leaves it out",
            )


def _judged_share(hits: Hits, cutoff: int | None) -> Floats:
    near = hits.top(cutoff)
    return ratio(near.count, near.retrieved)


def _assemble(
    parts: Sequence[_Part],
    runs: Runs,
    judgments: JudgmentIndex,
    measures: tuple[Measure, ...],
    policy: Policy,
    cutoff: int,
    seed: int,
    inputs: Sequence[dict[str, Any]],
) -> Scores:
    names, columns = tuple(runs), tuple(map(str, measures))
    by_run = dict(zip(names, parts, strict=True))
    undefined = np.sum([part.undefined for part in parts], axis=0)
    weights = [part.weights for part in parts if part.weights is not None]
    audit = Audit(
        topics_in_mean=max(int(part.scored.sum()) for part in parts),
        topics_scored={name: int(part.scored.sum()) for name, part in by_run.items()},
        topics_missing={name: part.missing for name, part in by_run.items() if part.missing},
        topics_extra={name: part.extra for name, part in by_run.items() if part.extra},
        topics_without_relevant=[judgments.topics[t] for t in np.flatnonzero(judgments.relevant(policy.rel) == 0)],
        without_relevant={str(m): int(_without_relevant(judgments, m).sum()) for m in measures},
        tie_groups=sum(part.ties[0] for part in parts),
        tie_groups_by_run={name: part.ties[0] for name, part in by_run.items()},
        tie_groups_at_cutoff=sum(part.ties[1] for part in parts),
        single_precision_ties={name: part.ties[2] for name, part in by_run.items() if part.ties[2]},
        duplicates=sum(part.duplicates for part in parts),
        duplicates_by_run={name: part.duplicates for name, part in by_run.items() if part.duplicates},
        negative_grades=judgments.negative,
        repeated_judgments=judgments.repeated,
        infinite_scores=sum(part.infinite for part in parts),
        undefined={name: int(count) for name, count in zip(columns, undefined, strict=True) if count},
        judged_at_k={name: {cutoff: part.judged_at_cutoff} for name, part in by_run.items()},
        policies=policy.as_dict() | ({"average": "micro"} if weights else {}),
        inputs=[*inputs, *(_input("run", run) for run in runs.values())],
        versions=_versions(),
        seed=seed,
    )
    values = np.stack([part.values for part in parts])
    say_what_to_look_at(audit, measures, runs)
    say_what_exceeds_one(values, measures)
    return Scores(
        runs=names,
        topics=judgments.topics,
        measures=columns,
        averages=tuple("micro" if weights else measure.definition.average for measure in measures),
        values=values,
        scored=np.stack([part.scored for part in parts]),
        judged=np.stack([part.judged for part in parts]),
        retrieved=np.stack([part.retrieved for part in parts]),
        relevant=np.stack([_relevant(judgments, measure) for measure in measures], axis=1),
        audit=audit,
        cutoff=cutoff,
        residuals={name: np.stack([part.residuals[name] for part in parts]) for name in parts[0].residuals},
        weights=np.stack(weights) if weights else None,
    )


def _unjudged_topics(qrels: Qrels, runs: Runs) -> tuple[str, ...]:
    judged = set(qrels.topics)
    return tuple(dict.fromkeys(topic for run in runs.values() for topic in run.topics if topic not in judged))


def _no_common_topic(run: Run, judgments: JudgmentIndex) -> InputError:
    here, there = run.topics[0], judgments.topics[0] if judgments.topics else ""
    return InputError(
        "E114",
        f"none of its {len(run.topics)} topics occurs in {judgments.qrels.source.name or 'the qrels'}",
        path=run.source.name or run.name,
        hint=f"run topics look like {here!r}, qrels topics like {there!r}; see convert --map-topics",
    )


def _input(role: str, table: Run | Qrels | Intents) -> dict[str, Any]:
    name = table.source.name or (table.name if isinstance(table, Run) else role)
    return {"role": role, "name": name, "rows": len(table), "sha256": table.source.sha256}


def _versions() -> dict[str, str]:
    import cranfield

    return {"cranfield": cranfield.__version__, "python": platform.python_version(), "numpy": np.__version__}


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
