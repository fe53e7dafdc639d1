"""Evaluate runs on several collections: one table of runs by collections, with the mean over the collections."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield.align.policy import Policy
from cranfield.arrays import Floats
from cranfield.errors import InputError, PolicyError
from cranfield.measures.evaluate import DEFAULT_MEASURES, EvaluateChoices, evaluate
from cranfield.stats.by_group.group_topics import refuse_other_averages
from cranfield.stats.by_group.grouped import GroupedScores, GroupInterval
from cranfield.stats.by_group.topic_groups import TopicGroups
from cranfield.tables.audit import Audit
from cranfield.tables.scores import Scores

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import QrelsLike, RunsLike

BETWEEN = "/"  # between the name of a collection and that of its topic


def evaluate_collections(
    collections: "Mapping[str, tuple[QrelsLike, RunsLike]]",
    measures: "MeasuresLike" = DEFAULT_MEASURES,
    *,
    ci: GroupInterval = "none",
    seed: int = 0,
    policy: Policy | None = None,
    jobs: int | None = None,
    **evaluating: Unpack[EvaluateChoices],
) -> GroupedScores:
    """Score runs on several collections: one table of runs by collections, with the mean over the collections.

    A run has the same name in every collection. In a collection that lacks it, it has no score, and no mean over the
    collections; the table names such gaps. Intervals and tests of the mean are stratified by collection.

    Args:
        collections: for each name the judgments and the runs, of any kind that `evaluate` takes.
        measures: names such as `"nDCG@10"`, or objects whose `str()` is one.
        ci: the 95 % intervals of the means: `t`, `bootstrap` over topics, or `none`.
        seed: of every random step.
        policy: the choices that shape the numbers; single ones can be given by name, e.g. `ties="trec9"`.
        jobs: threads; by default one for each core.

    Returns:
        The scores by collection; topics are named `collection/topic`. `compare` tests the differences.

    >>> qrels = {"q1": {"a": 1, "b": 0}}
    >>> found = evaluate_collections(
    ...     {"news": (qrels, {"bm25": {"q1": ["a", "b"]}}), "web": (qrels, {"bm25": {"q1": ["b", "a"]}})}, "RR"
    ... )
    >>> found.groups, found.means[0, :, 0], found.mean_of_groups[0, 0].item()
    (('news', 'web'), array([1. , 0.5]), 0.75)
    """
    every: Any = collections  # which callers may get wrong
    if not (isinstance(every, Mapping) and every):
        raise InputError("E121", "no collection was given", hint='{"news": (qrels, runs), "web": (qrels, runs)}')
    parts: dict[str, Scores] = {}
    for name, given in every.items():
        if not (isinstance(given, tuple | list) and len(given) == 2):
            raise InputError("E121", f"collection {name!r} is no pair of judgments and runs", hint="(qrels, runs)")
        parts[name] = evaluate(given[0], given[1], measures, policy=policy, seed=seed, jobs=jobs, **evaluating)
    scores = _together(parts)
    if len(set(scores.topics)) < len(scores.topics):
        twice = next(topic for topic, count in Counter(scores.topics).items() if count > 1)
        raise InputError(
            "E121", f"two collections have a topic {twice!r}", hint=f"names without {BETWEEN} tell them apart"
        )
    refuse_other_averages(scores)
    group = np.repeat(np.arange(len(parts)), [len(part.topics) for part in parts.values()])
    return GroupedScores(scores, TopicGroups(tuple(parts), group, "collection"), ci, seed)


def _together(parts: Mapping[str, Scores]) -> Scores:
    """The scores of all collections side by side; a run has no value where it was not run."""
    runs = tuple(dict.fromkeys(run for part in parts.values() for run in part.runs))
    every, first = list(parts.values()), next(iter(parts.values()))
    for name, part in parts.items():
        if part.measures != first.measures:
            raise PolicyError("E244", f"collection {name!r} was scored by other measures")

    def wide(values: "Sequence[Any]", gap: Any) -> Any:  # arrays of one kind, [run, topic, …]
        return np.concatenate(
            [_with_gaps(own, part.runs, runs, gap) for own, part in zip(values, every, strict=True)], axis=1
        )

    return replace(
        first,
        runs=runs,
        topics=tuple(f"{name}{BETWEEN}{topic}" for name, part in parts.items() for topic in part.topics),
        values=wide([part.values for part in every], np.nan),
        scored=wide([part.scored for part in every], False),
        judged=wide([part.judged for part in every], np.nan),
        retrieved=wide([part.retrieved for part in every], 0),
        relevant=np.concatenate([part.relevant for part in every]),
        intervals=None,
        residuals={name: wide([part.residuals[name] for part in every], np.nan) for name in first.residuals},
        weights=None,
        possible=None,
        origin=None,
        audit=_audits(parts),
    )


def _with_gaps(values: Floats, runs: Sequence[str], wanted: Sequence[str], gap: Any) -> Floats:  # a number or a flag
    """The rows of the wanted runs; those that are not there hold the gap."""
    held = {run: row for row, run in enumerate(runs)}
    found = np.full((len(wanted), *values.shape[1:]), gap, dtype=values.dtype)
    for row, run in enumerate(wanted):
        if run in held:
            found[row] = values[held[run]]
    return found


def _audits(parts: Mapping[str, Scores]) -> Audit:
    """The audit of all collections: counts are added, topics named with their collection."""
    audits = {name: part.audit for name, part in parts.items()}
    first = next(iter(audits.values()))

    def total(field: str) -> int:
        return sum(getattr(audit, field) or 0 for audit in audits.values())

    def topics(field: str) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, audit in audits.items():
            for run, lost in getattr(audit, field).items():
                found.setdefault(run, []).extend(f"{name}{BETWEEN}{topic}" for topic in lost)
        return found

    def counts(field: str) -> dict[str, int]:
        found: dict[str, int] = {}
        for audit in audits.values():
            for key, count in getattr(audit, field).items():
                found[key] = found.get(key, 0) + count
        return found

    return replace(
        first,
        topics_in_mean=total("topics_in_mean"),
        topics_left_out=total("topics_left_out"),
        topics_scored=counts("topics_scored"),
        topics_missing=topics("topics_missing"),
        topics_extra=topics("topics_extra"),
        topics_without_relevant=[
            f"{name}{BETWEEN}{topic}" for name, audit in audits.items() for topic in audit.topics_without_relevant
        ],
        without_relevant=counts("without_relevant"),
        tie_groups=total("tie_groups"),
        tie_groups_by_run=counts("tie_groups_by_run"),
        tie_groups_at_cutoff=total("tie_groups_at_cutoff"),
        tie_groups_with_effect=total("tie_groups_with_effect"),
        tie_groups_with_effect_by_run=counts("tie_groups_with_effect_by_run"),
        single_precision_ties=counts("single_precision_ties"),
        duplicates=total("duplicates"),
        duplicates_by_run=counts("duplicates_by_run"),
        negative_grades=total("negative_grades"),
        repeated_judgments=total("repeated_judgments"),
        infinite_scores=total("infinite_scores"),
        undefined=counts("undefined"),
        judged_at_k={},
        inputs=[entry for audit in audits.values() for entry in audit.inputs],
    )
