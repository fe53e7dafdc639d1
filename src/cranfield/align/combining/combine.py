"""Turn several judgments of one pair into one: assessors by a named rule, subtopics by collapsing them."""

from dataclasses import dataclass
from typing import get_args

import numpy as np

from cranfield.align.combining.rules import ASSESSOR, GRADE_RULES, GradeGroups, highest
from cranfield.align.policy import Collapse
from cranfield.arrays import Ints
from cranfield.errors import PolicyError
from cranfield.registry import one_of, unknown
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.text import Text


@dataclass(frozen=True, eq=False)
class Combined:
    """One grade for each pair; `disputed` pairs have none, because no grade won."""

    qrels: Qrels
    disputed: tuple[tuple[str, str], ...] = ()


def combine(judgments: Judgments, rule: str) -> Combined:
    """One grade for each judged pair; if an assessor judged a pair several times, the last judgment counts.

    `majority`: the most frequent grade (no winner: the pair is left out); `median`: the lower median, so that an
    assessor gave this grade; `max`, `min`, `mean`; `assessor:NAME`: the grades of that assessor.

    >>> judged = Judgments.of(["1"] * 4, ["a", "a", "a", "b"], ["x", "y", "z", "x"], [2, 0, 2, 1])
    >>> combine(judged, "majority").qrels.grade, combine(judged, "min").qrels.grade
    (array([2, 1]), array([0, 1]))
    """
    alone = rule.startswith(ASSESSOR)
    known = GRADE_RULES.find("max" if alone else rule)  # one assessor gives one grade
    if known is None:
        raise unknown("rule", rule, [*GRADE_RULES, f"{ASSESSOR}NAME"])
    kept = judgments.judged
    if alone:
        kept = kept & _by(judgments, rule.removeprefix(ASSESSOR))
    rows = np.flatnonzero(kept)
    pair = _pairs(judgments.topic.take(rows), judgments.document.take(rows))
    last = _last(pair, judgments.assessor.take(rows))
    rows, pair = rows[last], pair[last]
    first, group = _first_and_group(pair)
    grade, decided = known.decide(GradeGroups.of(group, judgments.grade[rows], len(first)))
    chosen = rows[first]
    topics, topic = judgments.topic.take(chosen[decided]).codes()
    document = judgments.document.take(chosen[decided])
    disputed = tuple((judgments.topic[row], judgments.document[row]) for row in chosen[~decided].tolist())
    source = judgments.source._replace(lines=False)
    return Combined(Qrels(tuple(topics), topic, document, grade[decided], source=source), disputed)


def collapse(qrels: Qrels, how: str) -> Qrels:
    """One grade for each document, whatever its subtopics: `any` is 1 if one of them is relevant, `max` the best grade.

    >>> judged = Qrels.of(["1", "1", "1"], ["a", "a", "b"], [0, 2, 0], iteration=["1", "2", "1"])
    >>> collapse(judged, "max").grade, collapse(judged, "any").grade
    (array([2, 0]), array([1, 0]))
    """
    one_of("collapse", how, get_args(Collapse))
    _, code = qrels.document.codes()
    first, group = _first_and_group(qrels.topic * (int(code.max(initial=0)) + 1) + code)
    best, _ = highest(GradeGroups.of(group, qrels.grade, len(first)))
    grade = np.where(best > 0, 1, np.minimum(best, 0)).astype(np.int64) if how == "any" else best
    return Qrels(
        qrels.topics,
        qrels.topic[first],
        qrels.document.take(first),
        grade,
        source=qrels.source._replace(lines=False),
    )


def _pairs(topic: Text, document: Text) -> Ints:
    """One number for each pair of topic and document."""
    _, topics = topic.codes()
    names, documents = document.codes()
    return topics * len(names) + documents


def _last(pair: Ints, assessor: Text) -> Ints:
    """The rows that no later row of the same assessor replaces, in order."""
    names, code = assessor.codes()
    key = (pair * max(len(names), 1) + code)[::-1]
    _, first = np.unique(key, return_index=True)
    return np.sort(len(key) - 1 - first)


def _first_and_group(pair: Ints) -> tuple[Ints, Ints]:
    """The first row of each pair, in order of appearance, and the number of each row's pair in that order."""
    _, first, inverse = np.unique(pair, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order))
    return first[order], place[inverse]


def _by(judgments: Judgments, name: str) -> np.ndarray:
    names, code = judgments.assessor.codes()
    if name not in names:
        known = ", ".join(names) or "none"
        raise PolicyError("E223", f"there is no assessor {name!r}", hint=f"assessors in the file: {known}")
    return np.asarray(code == names.index(name))
