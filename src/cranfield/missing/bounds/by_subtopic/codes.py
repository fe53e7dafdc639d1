"""Holes of measures that judge by subtopic: a document for which it is unknown which subtopics it is relevant to.

A hole may take any grade for each subtopic of its topic that is judged anywhere in the qrels, whatever its grades for
the others are. All methods work with one number for each document, so the grades of a document are put together to a
*code*: its digits, to the base of the number of grades, are the places of the grades, subtopic by subtopic. 0 is a
document that is relevant to nothing; the highest code has the highest grade for every subtopic. A document with a
judgment for some subtopics is not relevant to the others, as in `evaluate`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.align.columns.subtopics import Subtopics
from cranfield.align.combining.combine import collapse
from cranfield.align.hits import Hits
from cranfield.align.join import JudgmentIndex
from cranfield.arrays import Floats, Ints, segment_size
from cranfield.errors import MeasureError
from cranfield.measures.grammar import Measure
from cranfield.missing.situation import Situation, TopicHoles
from cranfield.pooling.candidates import Candidates
from cranfield.tables.qrels import Qrels

if TYPE_CHECKING:
    from cranfield.tables.side.intents import Intents

MOST_CODES = 2**53  # that a float holds exactly


@dataclass(frozen=True, eq=False)
class SubtopicHoles:
    """The subtopics of each topic, and the grades that documents have for them.

    >>> holes = SubtopicHoles(np.array([0.0, 1.0, 2.0]), np.array([2]), (np.array([np.nan, np.nan]),), np.array([0]))
    >>> holes.grades(np.array([0.0, 5.0, 8.0]), 2)  # 5 = 2 + 1 · 3
    array([[0., 0.], [2., 1.], [2., 2.]])
    >>> holes.codes(np.array([[2, 1]]))
    array([5.])
    """

    levels: Floats  # grades for a subtopic, ascending; the first is 0
    size: Ints  # by topic: its subtopics
    probability: tuple[Floats, ...]  # by topic, of each subtopic; NaN where none is given
    order: Ints  # by pair: place by id, the highest first, which is how an ideal list breaks ties
    names: tuple[tuple[str, ...], ...] = ()  # by topic: its subtopics

    def grades(self, codes: Floats, subtopics: int) -> Floats:
        """`[…, subtopic]`: the grades behind codes; NaN where the code is."""
        known = ~np.isnan(codes)
        rest = np.where(known, codes, 0.0).astype(np.int64)
        digits = rest[..., None] // len(self.levels) ** np.arange(subtopics) % len(self.levels)
        return np.where(known[..., None], self.levels[digits], np.nan)

    def codes(self, places: Ints) -> Floats:
        """The code of each row of places in the scale."""
        powers = len(self.levels) ** np.arange(places.shape[-1])
        return (places * powers).sum(axis=-1).astype(np.float64)

    def weights(self, topic: int) -> Floats:
        """How much each subtopic of a topic counts: its probability, or 1."""
        known = self.probability[topic]
        return np.where(np.isnan(known), 1.0, known)


def by_subtopics(
    situation: Situation,
    candidates: Candidates,
    qrels: Qrels,
    scale: Floats | None = None,
    intents: "Intents | None" = None,
) -> Situation:
    """The situation with codes in the place of grades, if its measure judges by subtopic; else as it is.

    Args:
        situation: made from one grade for each document.
        candidates: what it was made from.
        qrels: the judgments, subtopic by subtopic.
        scale: grades that a hole may take beside those of the judgments.
        intents: how likely each subtopic is.
    """
    if not situation.measure.definition.needs_subtopics:
        return situation
    negative = situation.policy.negative
    single = collapse(qrels, "max")
    index = JudgmentIndex.of(single, negative).with_subtopics(qrels, intents, negative)
    table = index.subtopics
    assert table is not None
    number = {name: place for place, name in enumerate(situation.topics)}
    own = np.array([number.get(name, -1) for name in qrels.topics], dtype=np.int64)[table.topic]
    order = np.argsort(own, kind="stable")
    size = segment_size(own[own >= 0], len(situation.topics))
    place = np.empty(len(own), dtype=np.int64)  # of each subtopic among those of its topic
    begin = np.cumsum(np.append(np.count_nonzero(own < 0), size))[:-1]
    place[order] = np.arange(len(own)) - np.where(own[order] >= 0, begin[np.maximum(own[order], 0)], 0)
    levels, cell = _scale(situation, table, scale)
    base = len(levels)
    if base ** int(size.max(initial=0)) > MOST_CODES:
        problem = f"{situation.named} has no bounds here: {size.max()} subtopics with {base} grades are too many"
        raise MeasureError("E230", problem, hint="use a measure with a level, such as P_IA or alpha_nDCG")
    worth = cell * base ** np.maximum(place[table.subtopic], 0)
    code = np.zeros(len(index.key))
    np.add.at(code, table.document, np.where(own[table.subtopic] >= 0, worth, 0))
    at = np.full(len(single), -1)
    at[index.row] = np.arange(len(index.row))
    row = candidates.rows_in(index)[situation.candidate]
    codes = np.where(np.isnan(situation.grade), np.nan, code[at[row]])
    chances = tuple(table.probability[own == topic][np.argsort(place[own == topic])] for topic in range(len(size)))
    ids = np.empty(len(situation.topic), dtype=np.int64)
    ids[situation.document.descending(np.zeros(len(ids), dtype=np.int64))] = np.arange(len(ids))
    top = float(base ** int(size.max(initial=0)) - 1)
    return replace(
        situation,
        grade=codes,
        levels=np.array([0.0, top]),
        top_grade=float(levels[-1]),
        subtopics=SubtopicHoles(levels, size, chances, ids, _names(qrels, own, len(size))),
    )


def _names(qrels: Qrels, own: Ints, topics: int) -> tuple[tuple[str, ...], ...]:
    """The names of the subtopics of each topic, in their order."""
    names, code = qrels.iteration.codes() if qrels.iteration is not None else (["0"], np.zeros_like(qrels.topic))
    pair = np.unique(qrels.topic * len(names) + code)
    return tuple(tuple(names[at] for at in (pair % len(names))[own == topic].tolist()) for topic in range(topics))


def one_grade(qrels: Qrels, measures: Iterable[Measure]) -> Qrels:
    """The judgments with one grade for each document, its best, if one of the measures judges by subtopic."""
    return collapse(qrels, "max") if any(each.definition.needs_subtopics for each in measures) else qrels


def _scale(situation: Situation, table: Subtopics, scale: Floats | None) -> tuple[Floats, Ints]:
    """The grades that have to be told apart, and the place of each judgment among them."""
    given = np.append(table.grade, [0.0] if scale is None else scale)
    every = np.unique(np.append(given[given >= 0], 0.0))
    every = np.array([0.0, 1.0]) if len(every) == 1 else every
    level = situation.measure.arguments.get("rel")
    if level is None or situation.measure.arguments.get("form") == "graded":
        return every, np.searchsorted(every, table.grade)
    return every[[0, -1]], (table.grade >= level).astype(np.int64)


def scored_by_subtopics(situation: Situation, topic: TopicHoles, base: Floats) -> Floats:
    """`[completion, run]`: the value of each run, from the codes of all documents: judged ones, holes, unseen ones."""
    holes = situation.subtopics
    assert holes is not None
    worlds, documents = base.shape
    count = int(holes.size[topic.topic])
    grade = holes.grades(base, count)
    document = np.where(topic.hole >= 0, len(topic.base) + topic.hole, topic.known)
    order = np.append(topic.order, len(holes.order) + np.arange(documents - len(topic.order)))
    best = grade.max(axis=2, initial=0.0)
    world = np.arange(worlds)
    cells = np.arange(worlds * documents)
    hits = Hits(
        rank=np.tile(topic.rank, worlds),
        grade=best[:, document].ravel(),
        ranking=(world[:, None] * topic.runs + topic.run).ravel(),
        topic=np.repeat(world, topic.runs),
        retrieved=np.tile(topic.retrieved, worlds),
        base_topic=np.repeat(world, documents),
        base_grade=-np.sort(-best, axis=1).ravel(),
        topics=worlds,
        top_grade=situation.top_grade,
        document=(world[:, None] * documents + document).ravel(),
        subtopics=Subtopics(
            document=np.repeat(cells, count),
            subtopic=(np.repeat(world * count, documents * count) + np.tile(np.arange(count), len(cells))),
            grade=grade.ravel(),
            topic=np.repeat(world, count),
            probability=np.tile(holes.probability[topic.topic], worlds),
            order=np.tile(order, worlds),
            top_grade=situation.top_grade,
        ),
    )
    value = situation.policy.counted(situation.measure(hits), hits.judged_at_least(situation.measure.rel) == 0)
    return value.reshape(worlds, topic.runs)
