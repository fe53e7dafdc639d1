"""Completions: a measure evaluated on many ways of filling the holes of a topic."""

from dataclasses import replace

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.missing.situation import Situation, TopicHoles

CELLS = 1 << 20  # documents of one block of completions
MOST_SEARCHED = 1 << 27  # documents of all completions that a search in one topic may go through


def values(situation: Situation, topic: TopicHoles, filled: Floats, runs: Ints | None = None) -> Floats:
    """`[completion, run]`: the value of each run in each completion; undefined values follow the policy.

    Args:
        situation: the measure and its policy.
        topic: one topic of it.
        filled: `[completion, hole]`: grades; columns after the last hole are documents that no run lists.
        runs: the runs to evaluate; None: all.
    """
    if situation.measure.definition.needs_lists:
        every = range(topic.runs) if runs is None else runs.tolist()
        return np.concatenate(
            [_values(situation, of_runs(topic, np.array([run])), filled, run) for run in every], axis=1
        )
    return _values(situation, topic if runs is None else of_runs(topic, runs), filled)


def _values(situation: Situation, own: TopicHoles, filled: Floats, run: int | None = None) -> Floats:
    found = np.empty((len(filled), own.runs))
    block = max(1, CELLS // max(len(own.rank) + len(own.base) + filled.shape[1], 1))
    unknown = own.hole >= 0
    for start in range(0, len(filled), block):
        some = filled[start : start + block]
        grade = np.tile(own.grade, (len(some), 1))
        grade[:, unknown] = some[:, own.hole[unknown]]
        base = np.concatenate((np.tile(own.base, (len(some), 1)), some), axis=1)
        found[start : start + block] = scored(situation, own, grade, base, run)
    return found


def scored(situation: Situation, topic: TopicHoles, grade: Floats, base: Floats, run: int | None = None) -> Floats:
    """`[completion, run]`: the value of each run, from the grades of what is listed and of all that is judged.

    Args:
        situation: the measure and its policy.
        topic: one topic of it.
        grade: `[completion, listing]`.
        base: `[completion, document]`: the grades of all documents, listed or not.
        run: the only run of the topic, if the measure looks at whole lists: their ids, scores, unjudged documents.
    """
    if situation.subtopics is not None:
        from cranfield.missing.bounds.by_subtopic.codes import scored_by_subtopics

        return scored_by_subtopics(situation, topic, base)
    world = np.arange(len(grade))
    levels = situation.levels[::-1]  # judged in other topics: one more topic, for gains that are shares of the highest
    hits = Hits(
        rank=np.tile(topic.rank, len(world)),
        grade=grade.ravel(),
        ranking=(world[:, None] * topic.runs + topic.run).ravel(),
        topic=np.repeat(world, topic.runs),  # every completion is a topic of its own
        retrieved=np.tile(topic.retrieved, len(world)),
        base_topic=np.append(np.repeat(world, base.shape[1]), np.full(len(levels), len(world))),
        base_grade=np.append(-np.sort(-base, axis=1).ravel(), levels),
        topics=len(world) + 1,
        top_grade=situation.top_grade,
    )
    if run is not None:
        lists, name = situation.lists[run], situation.topics[topic.topic]
        begin = int(lists.begin[lists.run.topics.index(name)]) if name in lists.run.topics else 0
        hits = replace(hits, lists=lists, begin=np.full(len(world), begin), place=begin + hits.rank - 1)
    value = situation.measure(hits)
    if situation.measure.definition.uses_grades:
        value = situation.policy.counted(value, hits.judged_at_least(situation.measure.rel) == 0)
    return value.reshape(len(world), topic.runs)


def of_runs(topic: TopicHoles, runs: Ints) -> TopicHoles:
    """The listings of some runs, renumbered in the order given."""
    begin, end = np.searchsorted(topic.run, runs), np.searchsorted(topic.run, runs, side="right")
    rows = np.concatenate([np.arange(a, b) for a, b in zip(begin, end, strict=True)] or [np.empty(0, dtype=np.int64)])
    return replace(
        topic,
        runs=len(runs),
        run=np.repeat(np.arange(len(runs)), end - begin),
        rank=topic.rank[rows],
        grade=topic.grade[rows],
        hole=topic.hole[rows],
        known=topic.known[rows] if len(topic.known) else topic.known,
        retrieved=topic.retrieved[runs],
    )


def steps_within(topic: TopicHoles, tried: int, most: int) -> int:
    """How many steps a search may take that tries so many completions of a topic in each: none if one is too much."""
    cells = max(1, tried) * (len(topic.rank) + len(topic.base) + topic.holes + topic.unseen + 1)
    return min(most, MOST_SEARCHED // cells)
