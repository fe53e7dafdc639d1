"""Runs and judgments -> scores: order once, join once, then every measure on the same hits."""

import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.align.order import by_key, tied_with_next
from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.arrays import Bools, Floats, Ints, ratio
from cranfield.errors import InputError, PolicyError
from cranfield.measures.definition import MEASURES
from cranfield.measures.notes import say_what_to_look_at
from cranfield.measures.spec import Measure, build, parse_many
from cranfield.read.objects import as_qrels, as_runs
from cranfield.tables.audit import Audit
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.scores import Scores

DEFAULT_MEASURES = ("nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10")

Progress = Callable[[str, int, int], None]


def evaluate(
    qrels: Any,  # noqa: ANN401  # anything `as_qrels` takes
    runs: Any,  # noqa: ANN401  # anything `as_runs` takes
    measures: object = DEFAULT_MEASURES,
    *,
    policy: Policy | None = None,
    seed: int = 0,
    progress: Progress | None = None,
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

    Returns:
        Scores of every run, topic and measure, with the audit of what shaped them.

    >>> scores = evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d2": 2.5, "d1": 1.0}}, ["RR", "P@1"])
    >>> scores.means  # the relevant document is second
    array([[0.5, 0. ]])
    """
    chosen = (policy or Policy()).with_(**policies)
    wanted = tuple(_under(chosen, measure) for measure in parse_many(measures))
    if not wanted:
        raise PolicyError("E213", "no measure was given", hint="measures=['nDCG@10']")
    tables = as_runs(runs)
    judgments_table = as_qrels(qrels)
    extra = _unjudged_topics(judgments_table, tables) if chosen.topic_set == "union" else ()
    judgments = JudgmentIndex.of(judgments_table, chosen.negative, extra)
    cutoff = next((m.cutoff for m in wanted if m.cutoff), 10)
    parts = []
    for number, run in enumerate(tables.members):
        if progress is not None:
            progress(run.name, number, len(tables))
        parts.append(_score(run, judgments, wanted, chosen, cutoff))
    return _assemble(parts, tables, judgments, wanted, chosen, cutoff, seed)


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


def _score(run: Run, judgments: JudgmentIndex, measures: Sequence[Measure], policy: Policy, cutoff: int) -> _Part:
    known = set(judgments.topics)
    extra = [topic for topic in run.topics if topic not in known]
    if len(extra) == len(run.topics):
        raise _no_common_topic(run, judgments)
    rankings = Rankings.of(run, policy)
    hits = judgments.hits(rankings)
    present = set(run.topics)
    answered = np.array([topic in present for topic in judgments.topics])
    scored = answered if policy.topic_set == "intersection" else np.ones(len(judgments.topics), dtype=bool)
    values = np.empty((len(judgments.topics), len(measures)))
    judged = np.empty_like(values)
    for column, measure in enumerate(measures):
        values[:, column] = _defined(measure(hits), measure, judgments, policy)
        judged[:, column] = _judged_share(hits, measure.cutoff)
    undefined = np.count_nonzero(np.isnan(values) & scored[:, None], axis=0)
    values[~scored] = np.nan
    near = hits.top(cutoff)
    return _Part(
        values,
        scored,
        judged,
        hits.retrieved,
        {str(m): np.where(scored, _residual(m)(hits), np.nan) for m in measures if m.definition.residual},
        undefined,
        _number(ratio(near.count.sum(), near.retrieved.sum())),
        [topic for topic, present in zip(judgments.topics, answered, strict=True) if not present],
        extra,
        (rankings.tie_groups(), rankings.tie_groups(cutoff), _single_precision_ties(rankings)),
        rankings.duplicates,
        int(np.count_nonzero(np.isinf(run.score))),
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


def _defined(values: Floats, measure: Measure, judgments: JudgmentIndex, policy: Policy) -> Floats:
    """Undefined values of topics without relevant documents follow the policy; all others stay undefined."""
    undefined = np.isnan(values)
    if not undefined.any():
        return values
    empty = undefined & (judgments.relevant(measure.rel) == 0)
    if policy.no_relevant == "error" and empty.any():
        topic = judgments.topics[int(np.flatnonzero(empty)[0])]
        raise InputError(
            "E214",
            f"topic {topic!r} has no document of grade {measure.rel} or more, so {measure} is undefined",
            path=judgments.qrels.source.name or "qrels",
            hint="--no-relevant zero scores it 0, --no-relevant exclude leaves it out",
        )
    return np.where(empty, 0.0, values) if policy.no_relevant == "zero" else values


def _judged_share(hits: Hits, cutoff: int | None) -> Floats:
    near = hits.top(cutoff)
    return ratio(near.count, near.retrieved)


def _single_precision_ties(rankings: Rankings) -> int:
    """Neighbours whose scores differ in double precision and are equal in single: trec_eval 9 sees a tie there."""
    if rankings.policy.ties in ("given", "file"):
        return 0
    score = rankings.run.score[rankings.row]
    order = by_key(rankings.topic, -score)  # by the full score, whatever the policy saw of it
    topic, score = rankings.topic[order], score[order]
    with np.errstate(over="ignore"):
        single = score.astype(np.float32)
    return int(np.count_nonzero(tied_with_next(topic, single) & ~tied_with_next(topic, score)))


def _assemble(
    parts: Sequence[_Part],
    runs: Runs,
    judgments: JudgmentIndex,
    measures: tuple[Measure, ...],
    policy: Policy,
    cutoff: int,
    seed: int,
) -> Scores:
    names, columns = tuple(runs), tuple(map(str, measures))
    by_run = dict(zip(names, parts, strict=True))
    undefined = np.sum([part.undefined for part in parts], axis=0)
    audit = Audit(
        topics_in_mean=max(int(part.scored.sum()) for part in parts),
        topics_scored={name: int(part.scored.sum()) for name, part in by_run.items()},
        topics_missing={name: part.missing for name, part in by_run.items() if part.missing},
        topics_extra={name: part.extra for name, part in by_run.items() if part.extra},
        topics_without_relevant=[judgments.topics[t] for t in np.flatnonzero(judgments.relevant(policy.rel) == 0)],
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
        policies=policy.as_dict(),
        inputs=[_input("qrels", judgments.qrels), *(_input("run", run) for run in runs.values())],
        versions=_versions(),
        seed=seed,
    )
    say_what_to_look_at(audit, measures, runs)
    return Scores(
        runs=names,
        topics=judgments.topics,
        measures=columns,
        averages=tuple(measure.definition.average for measure in measures),
        values=np.stack([part.values for part in parts]),
        scored=np.stack([part.scored for part in parts]),
        judged=np.stack([part.judged for part in parts]),
        retrieved=np.stack([part.retrieved for part in parts]),
        relevant=np.stack([judgments.relevant(measure.rel) for measure in measures], axis=1),
        audit=audit,
        cutoff=cutoff,
        residuals={name: np.stack([part.residuals[name] for part in parts]) for name in parts[0].residuals},
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


def _input(role: str, table: Run | Qrels) -> dict[str, Any]:
    name = table.source.name or (table.name if isinstance(table, Run) else role)
    return {"role": role, "name": name, "rows": len(table), "sha256": table.source.sha256}


def _versions() -> dict[str, str]:
    import cranfield

    return {"cranfield": cranfield.__version__, "python": platform.python_version(), "numpy": np.__version__}


def _number(value: Floats) -> float | None:
    return None if np.isnan(value) else float(value)
