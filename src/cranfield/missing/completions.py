"""Completions: a measure evaluated on many ways of filling the holes of a topic."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.missing.situation import Situation, TopicHoles

CELLS = 1 << 20  # documents of one block of completions


def values(situation: Situation, topic: TopicHoles, filled: Floats, runs: Ints | None = None) -> Floats:
    """`[completion, run]`: the value of each run in each completion; undefined values follow the policy.

    Args:
        situation: the measure and its policy.
        topic: one topic of it.
        filled: `[completion, hole]`: grades; columns after the last hole are documents that no run lists.
        runs: the runs that are asked for; all, if None.
    """
    own = topic if runs is None else _of_runs(topic, runs)
    number = topic.runs if runs is None else len(runs)
    found = np.empty((len(filled), number))
    block = max(1, CELLS // max(len(own.rank) + len(own.base) + filled.shape[1], 1))
    for start in range(0, len(filled), block):
        some = filled[start : start + block]
        hits = _hits(situation, own, some, number)
        value = situation.measure(hits)
        if situation.measure.definition.uses_grades:
            value = situation.policy.counted(value, hits.judged_at_least(situation.measure.rel) == 0)
        found[start : start + block] = value.reshape(len(some), number)
    return found


def _of_runs(topic: TopicHoles, runs: Ints) -> TopicHoles:
    """The listings of some runs, renumbered in the order given."""
    from dataclasses import replace

    begin, end = np.searchsorted(topic.run, runs), np.searchsorted(topic.run, runs, side="right")
    rows = np.concatenate([np.arange(a, b) for a, b in zip(begin, end, strict=True)] or [np.empty(0, dtype=np.int64)])
    return replace(
        topic,
        runs=len(runs),
        run=np.repeat(np.arange(len(runs)), end - begin),
        rank=topic.rank[rows],
        grade=topic.grade[rows],
        hole=topic.hole[rows],
        retrieved=topic.retrieved[runs],
    )


def _hits(situation: Situation, topic: TopicHoles, filled: Floats, runs: int) -> Hits:
    """The lists of all runs in each completion; every completion is a topic of its own."""
    worlds = len(filled)
    grade = np.tile(topic.grade, (worlds, 1))
    unknown = topic.hole >= 0
    grade[:, unknown] = filled[:, topic.hole[unknown]]
    base = np.concatenate((np.tile(topic.base, (worlds, 1)), filled), axis=1)
    world = np.arange(worlds)
    return Hits(
        rank=np.tile(topic.rank, worlds),
        grade=grade.ravel(),
        ranking=(world[:, None] * runs + topic.run).ravel(),
        topic=np.repeat(world, runs),
        retrieved=np.tile(topic.retrieved, worlds),
        base_topic=np.repeat(world, base.shape[1]),
        base_grade=-np.sort(-base, axis=1).ravel(),
        topics=worlds,
        top_grade=situation.top_grade,
    )
