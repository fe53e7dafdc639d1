"""Labels -> agreement: count by topic, compute every coefficient, collect the tables."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, segment_size
from cranfield.errors import InputError
from cranfield.errors.wording import setting
from cranfield.stats.agreement.alpha import MeasurementLevel, alpha, coincidences
from cranfield.stats.agreement.coefficients import PAIRWISE
from cranfield.stats.agreement.consequences import Systems, consequences_of
from cranfield.stats.agreement.couples import Couples, between, within
from cranfield.stats.agreement.labels import Labels, people_and_model
from cranfield.stats.agreement.model.overrating import overrating
from cranfield.stats.agreement.result import Agreement, Assessor, Couple, TopicAgreement
from cranfield.stats.agreement.statistics import GroupContributions
from cranfield.stats.agreement.tables import Tables
from cranfield.tables.audit import Audit

Weights: TypeAlias = Literal["none", "linear", "quadratic"]
Over: TypeAlias = Literal["topics", "pairs"]


@dataclass(frozen=True)
class Choices:
    """The choices that shape the numbers and their printed form."""

    weights: Weights
    level: MeasurementLevel
    rel: float
    over: Over
    samples: int
    seed: int
    min_common: int
    repeats: str
    alpha: float = 0.05


def measured(
    labels: Labels, mode: str, choices: Choices, audit: Audit, repeated: int = 0, systems: Systems | None = None
) -> Agreement:
    """The agreement of the assessors in a table of labels, or of the earlier and later labels of each (`within`)."""
    size = labels.counts.sum(axis=1)
    usable = size > 1
    if not usable.any():
        raise _nothing_common(labels, mode)
    topics, topic = _numbered(labels.topic, usable)
    group = topic if choices.over == "topics" else _numbered(np.arange(len(usable)), usable)[1]
    groups = int(group.max()) + 1
    listed = _couples(labels, mode, topic, len(topics))
    least = 1 if mode == "within" or listed.common.max() < choices.min_common else choices.min_common
    kept = listed.at_least(least)
    everyone = within(labels, group, groups, together=True) if mode == "within" else between(labels, group, groups)
    contributions = GroupContributions.of(labels, group, groups, everyone, everyone.at_least(least), choices.rel)
    pooled = everyone.pooled.sum(axis=0)
    present = segment_size(labels.assessor, len(labels.assessors))
    assessors = tuple(
        Assessor(name, kind, int(count))
        for name, kind, count in zip(labels.assessors, labels.kinds, present, strict=True)
        if count
    )
    one_table = mode == "within" or len(assessors) == 2
    models = sum(assessor.kind == "model" for assessor in assessors)
    beside = mode == "between" and labels.beside_model
    inner = models == 1 and len(assessors) > 2 and mode == "between"
    return Agreement(
        mode=mode,
        assessors=assessors,
        pairs=int(usable.sum()),
        labels=int(size[usable].sum()),
        grades=tuple(labels.grades.tolist()),
        statistics=contributions.statistics(choices.samples, choices.seed),
        confusion=pooled if one_table else pooled + pooled.T,
        couples=_listed(labels, kept, choices.rel),
        topics=_by_topic(labels, topics, topic, usable, listed.pooled, one_table, choices),
        apart=_apart(labels, usable),
        equal_labels=int(np.bincount(size[usable]).argmax()),
        labels_per_pair={int(m): int(n) for m, n in enumerate(np.bincount(size)) if m and n},
        repeated=repeated,
        audit=audit,
        weights=choices.weights,
        level=choices.level,
        couples_left_out=len(listed.first) - len(kept.first),
        consequences=() if systems is None else consequences_of(labels, kept, systems),
        model=measured(people_and_model(labels), mode, choices, audit, 0, systems) if inner else None,
        groups=groups,
        overrating=overrating(everyone.pooled, labels.grades, choices.samples, choices.seed) if beside else (),
    )


def _numbered(of: Ints, usable: Bools) -> tuple[Ints, Ints]:
    """The distinct values among usable pairs, and for each pair the number of its value (0 for unusable pairs)."""
    values, place = np.unique(of[usable], return_inverse=True)
    number = np.zeros(len(of), dtype=np.int64)
    number[usable] = place
    return values, number


def _couples(labels: Labels, mode: str, group: Ints, groups: int) -> Couples:
    return within(labels, group, groups) if mode == "within" else between(labels, group, groups)


def _listed(labels: Labels, couples: Couples, rel: float) -> tuple[Couple, ...]:
    tables = couples.tables
    given = Tables.of(tables, labels.grades, rel)
    values = {id: coefficient(given).tolist() for id, coefficient in PAIRWISE.items()}
    names = labels.assessors
    return tuple(
        Couple(
            (names[one], names[other]),
            int(couples.common[number]),
            tables[number],
            {id: value[number] for id, value in values.items()},
        )
        for number, (one, other) in enumerate(zip(couples.first.tolist(), couples.second.tolist(), strict=True))
    )


def _by_topic(
    labels: Labels, topics: Ints, topic: Ints, usable: Bools, tables: Floats, one_table: bool, choices: Choices
) -> tuple[TopicAgreement, ...]:
    ids = [id for id, coefficient in PAIRWISE.items() if one_table or coefficient.share]
    given = Tables.of(tables, labels.grades, choices.rel)
    values = {id: PAIRWISE[id](given).tolist() for id in ids}
    coincidence = coincidences(labels.counts, topic, len(topics))
    values[f"alpha-{choices.level}"] = alpha(coincidence, labels.grades, choices.level).tolist()
    pairs = segment_size(topic[usable], len(topics))
    size = segment_size(topic[labels.pair[usable[labels.pair]]], len(topics))
    shown = tables if one_table else tables + tables.transpose(0, 2, 1)
    return tuple(
        TopicAgreement(
            labels.topics[name],
            int(pairs[number]),
            int(size[number]),
            shown[number],
            {id: value[number] for id, value in values.items()},
        )
        for number, name in enumerate(topics.tolist())
    )


def _apart(labels: Labels, usable: Bools) -> dict[float, int]:
    """By how many grades the farthest labels of a pair differ -> number of such pairs."""
    given = labels.counts[usable] > 0
    lowest, highest = given.argmax(axis=1), given.shape[1] - 1 - given[:, ::-1].argmax(axis=1)
    by, pairs = np.unique(labels.grades[highest] - labels.grades[lowest], return_counts=True)
    return {float(grades): int(n) for grades, n in zip(by, pairs, strict=True) if grades > 0}


def _nothing_common(labels: Labels, mode: str) -> InputError:
    if mode == "within":
        return InputError(
            "E222", "no assessor judged a pair twice", hint=f"without {setting('itself')}, assessors are compared"
        )
    topics = [{labels.topics[t] for t in np.unique(labels.topic[labels.pair[labels.assessor == a]])} for a in (0, 1)]
    one, other = labels.assessors[:2]
    if not any(topics):  # only common pairs are left of people and a model
        hint = f"{one} and {other} graded no document in common; do the ids match?"
    elif topics[0].isdisjoint(topics[1]):
        hint = f"topics of {one} look like {min(topics[0])!r}, those of {other} like {min(topics[1])!r}"
    else:
        hint = f"{one} and {other} judged other documents of the same topics; do the document ids match?"
    return InputError("E222", f"none of {len(labels.topic):,} pairs was judged by two assessors", hint=hint)
