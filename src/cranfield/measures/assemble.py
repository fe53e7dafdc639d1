"""Assemble the scored parts of all runs into scores with their audit."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import kernel
from cranfield.arrays import Bools, Floats
from cranfield.measures.judged_share import looks_at
from cranfield.measures.scoring import EvaluationPlan, ScoredPart, no_common_topic
from cranfield.tables.audit import Audit
from cranfield.tables.scores import Scores
from cranfield.tables.source import Input
from cranfield.tables.summary import summary
from cranfield.versions import versions

if TYPE_CHECKING:
    from cranfield.read.sources.partitions import Dataset


def of_partitions(plan: EvaluationPlan, dataset: "Dataset", parts: Sequence[ScoredPart]) -> ScoredPart:
    """The parts of one run's partitions as one; a topic that is in two of them is an error that names both."""
    dataset.refuse_split_topics((part.facts.place, part.facts.topics) for part in parts)
    whole = ScoredPart.together(parts, dataset.source([part.facts.source for part in parts]))
    if len(whole.topic) == 0:
        raise no_common_topic(plan, dataset.path, whole.facts.topics)
    return whole


def assemble(
    plan: EvaluationPlan, parts: Sequence[ScoredPart], seed: int, inputs: Sequence[Mapping[str, Any]]
) -> Scores:
    """Scores of every run, topic and measure; a topic that a run lacks gets the score of an empty list."""
    judgments, measures, policy = plan.judgments, plan.measures, plan.policy
    facts, columns = [part.facts for part in parts], tuple(map(str, measures))
    names = tuple(run.name for run in facts)
    answered = np.stack([_answered(part, len(judgments.topics)) for part in parts])
    scored = answered if policy.topic_set == "intersection" else np.ones_like(answered)
    whole = partial(_with_every_topic, plan, parts)
    values = whole(lambda part: part.values)
    # nothing is judged or unjudged in a list that is missing; the audit names missing lists once
    expected = scored[:, :, None] & (answered[:, :, None] | [measure.definition.uses_grades for measure in measures])
    undefined = np.count_nonzero(np.isnan(values) & expected, axis=(0, 1))
    values[~scored] = np.nan
    by_run = dict(zip(names, facts, strict=True))
    missing = {
        name: [judgments.topics[t] for t in np.flatnonzero(~row)] for name, row in zip(names, answered, strict=True)
    }
    known = {*judgments.number, *judgments.qrels.left_out}
    extra = {name: [topic for topic in run.topics if topic not in known] for name, run in by_run.items()}
    shares = {
        name: {k: _number(summary(share, "mean")) for k, share in part.judged_among_first.items()}
        for name, part in zip(names, parts, strict=True)
    }
    audit = Audit(
        topics_in_mean=int(scored.sum(axis=1).max()),
        topics_left_out=len(judgments.qrels.left_out),
        topics_scored=dict(zip(names, scored.sum(axis=1).tolist(), strict=True)),
        topics_missing={name: topics for name, topics in missing.items() if topics},
        topics_extra={name: topics for name, topics in extra.items() if topics},
        topics_without_relevant=[judgments.topics[t] for t in np.flatnonzero(judgments.relevant(policy.rel) == 0)],
        without_relevant={str(m): int(empty.sum()) for m, empty in zip(measures, plan.without_relevant, strict=True)},
        tie_groups=sum(run.ties.groups for run in facts),
        tie_groups_by_run={name: run.ties.groups for name, run in by_run.items()},
        tie_groups_at_cutoff=sum(run.ties.across for run in facts),
        tie_groups_with_effect=sum(part.tie_effect for part in parts),
        tie_groups_with_effect_by_run={part.facts.name: part.tie_effect for part in parts},
        tie_methods=_tie_methods(columns, parts),
        tie_standard_errors=_tie_errors(plan, parts, scored),
        single_precision_ties={name: run.ties.single for name, run in by_run.items() if run.ties.single},
        duplicates=sum(run.duplicates for run in facts),
        duplicates_by_run={name: run.duplicates for name, run in by_run.items() if run.duplicates},
        folded={name: run.left_out.folded for name, run in by_run.items() if run.left_out.folded},
        self_matches={name: run.left_out.self_matches for name, run in by_run.items() if run.left_out.self_matches},
        negative_grades=judgments.negative,
        repeated_judgments=judgments.repeated,
        infinite_scores=sum(run.infinite for run in facts),
        undefined={name: int(count) for name, count in zip(columns, undefined, strict=True) if count},
        judged_at_k=shares,
        policies=policy.as_dict() | ({} if plan.average == "macro" else {"average": plan.average}),
        inputs=[*inputs, *(Input("run", run.place, run.rows, run.source) for run in facts)],
        shared_names={run.name: run.source.shared_name for run in facts if run.source.shared_name},
        versions={**versions(), "kernel": kernel.active()},
        seed=seed,
    )
    return Scores(
        runs=names,
        topics=judgments.topics,
        measures=columns,
        averages=tuple(m.definition.average if plan.average == "macro" else plan.average for m in measures),
        values=values,
        scored=scored,
        judged=whole(lambda part: part.judged),
        retrieved=whole(lambda part: part.retrieved),
        relevant=np.stack([plan.relevant(measure) for measure in measures], axis=1),
        audit=audit,
        cutoff=plan.cutoff,
        looks_at=tuple(map(looks_at, measures)),
        smaller=tuple(name for name, measure in zip(columns, measures, strict=True) if measure.definition.smaller),
        residuals={name: np.where(scored, whole(partial(_residual, name)), np.nan) for name in parts[0].residuals},
        weights=whole(lambda part: part.weights) if plan.average == "micro" else None,
    )


def _answered(part: ScoredPart, topics: int) -> Bools:
    answered = np.zeros(topics, dtype=bool)
    answered[part.topic] = True
    return answered


def _residual(name: str, part: ScoredPart) -> Floats:
    return part.residuals[name]


def _with_every_topic(
    plan: EvaluationPlan, parts: Sequence[ScoredPart], column: Callable[[ScoredPart], Any]
) -> Any:  # arrays of any kind
    """A column of all runs with a row for every topic; a topic that a run lacks gets the value of an empty list."""
    if all(len(part.topic) == len(plan.judgments.topics) for part in parts):
        return np.stack([column(part) for part in parts])
    rows = np.repeat(column(plan.unanswered)[None], len(parts), axis=0)
    for row, part in zip(rows, parts, strict=True):
        row[part.topic] = column(part)
    return rows


def _tie_methods(measures: Sequence[str], parts: Sequence[ScoredPart]) -> dict[str, dict[str, int]]:
    """For each measure, in how many lists its value over many orders was found in which way."""
    found = [part.tie_method for part in parts if part.tie_method is not None]
    if not found:
        return {}
    from cranfield.measures.ties.values import METHODS

    counts = {code: sum(np.count_nonzero(methods == code, axis=0) for methods in found) for code in METHODS}
    return {
        measure: {METHODS[code]: int(lists[column]) for code, lists in counts.items() if lists[column]}
        for column, measure in enumerate(measures)
    }


def _tie_errors(plan: EvaluationPlan, parts: Sequence[ScoredPart], scored: Bools) -> dict[str, dict[str, float]]:
    """For each run the standard errors of the means that come from random orders; other averages have none here."""
    plain = plan.average == "macro"
    found: dict[str, dict[str, float]] = {}
    for part, topics in zip(parts, scored.sum(axis=1).tolist(), strict=True):
        errors = np.zeros(0) if part.tie_error is None else np.sqrt((part.tie_error**2).sum(axis=0)) / max(topics, 1)
        own = {
            str(measure): float(error)
            for measure, error in zip(plan.measures, errors, strict=False)
            if error > 0 and plain and measure.definition.average == "mean"
        }
        found |= {part.facts.name: own} if own else {}
    return found


def _number(value: float) -> float | None:
    return None if np.isnan(value) else value
