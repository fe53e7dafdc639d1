"""A second assessor of the same documents: the grades in another file for each of our judgments."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cranfield.align.index import index_of
from cranfield.align.join import JudgmentIndex
from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import Error, InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection
from cranfield.study.data.joining import PlacedJudgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.matching import match_names
from cranfield.tables.words import counted

MODELS = ("second", "union", "intersection", "mix")  # sets of judgments that two assessors give


@dataclass(frozen=True, eq=False)
class Second:
    """The grades of a second assessor by place; where there is none, those of the first.

    Attributes:
        grade: by place.
        both: by place, whether both assessors judged the document.
        extra: how many documents the second judged and the first did not.
    """

    grade: Ints | Floats
    both: Bools
    extra: int

    @classmethod
    def of(cls, data: Collection, index: JudgmentIndex, second: Qrels) -> "Second":
        """Look every judgment up in those of the second assessor."""
        other = index_of(second, data.policy.negative)
        names = {pair: row for row, pair in enumerate(_pairs(other))}
        rows = np.array([names.get(pair, -1) for pair in _pairs(index)], dtype=np.int64)
        judged = (rows >= 0) & (data.judgments.grade >= 0)
        theirs = other.grade[rows] if len(other.grade) else np.full(len(rows), -1)
        both = judged & (theirs >= 0)
        if not both.any():
            raise InputError("E222", "the second assessor judged none of the documents", path=second.source.name)
        extra = int(np.count_nonzero(other.grade >= 0)) - int(np.count_nonzero(both))
        return cls(np.where(both, theirs, data.judgments.grade), both, extra)

    def combined(self, data: Collection, model: str, draw: int, seed: int) -> Ints | Floats:
        """The grades of a set of judgments that the two assessors give.

        `second`: those of the second assessor; `union`: the higher grade, so relevant if either assessor says so;
        `intersection`: the lower grade, so relevant if both do; `mix`: those of a random assessor for each topic
        (Voorhees 2000).
        """
        first = data.judgments.grade
        if model == "union":
            return np.maximum(first, self.grade)
        if model == "intersection":
            return np.where(self.both, np.minimum(first, self.grade), first)
        if model == "mix":
            theirs = [bool(stream(seed, "disagreement", draw, topic).integers(2)) for topic in data.topics]
            return np.where(np.array(theirs)[data.judgments.topic], self.grade, first)
        return self.grade

    def note(self) -> str:
        """A note on the number of documents that both judged."""
        kept = int(np.count_nonzero(~self.both))
        words = f"{counted(int(np.count_nonzero(self.both)), 'document')} judged by both"
        words += f"; {kept:,} by the first alone, whose grades stay" if kept else ""
        return words + (f"; {self.extra:,} by the second alone, left out" if self.extra > 0 else "") + "."


def match_second(data: Collection, path: str) -> None:
    """Refuse judgments of none of the topics, or of none of the documents; warn of those that are not here."""
    from cranfield.read import read_qrels

    second, first = read_qrels(path), _first(data)
    match_names(second.topics, data.topics, "topic", path=path)
    match_names(second.document.codes()[0], first.qrels.document.codes()[0], "document", path=path)


@lru_cache(maxsize=1)
def second_assessor(data: Collection, path: str) -> Second:
    """The second assessor of a collection; the units of a process share it."""
    from cranfield.read import read_qrels

    return Second.of(data, _first(data), read_qrels(path))


def _first(data: Collection) -> JudgmentIndex:
    """The judgments of the collection, read again for the document ids, which the collection does not keep."""
    from cranfield.read import read_qrels

    name = next(str(entry["name"]) for entry in data.audit.inputs if entry["role"] == "qrels")
    hint = "give the judgments as a file that is read in the usual way"
    try:
        index = index_of(read_qrels(name), data.policy.negative)
    except Error:
        raise PolicyError("E246", f"{setting('second')} needs judgments that came from a file", hint=hint) from None
    again, known = PlacedJudgments.of(index), data.judgments
    same = len(again) == len(known) and (again.order == known.order).all() and (again.grade == known.grade).all()
    if not (same and index.topics == data.topics):
        raise PolicyError("E246", f"{setting('second')} cannot find the judgments again in {name}", hint=hint)
    return index


def _pairs(index: JudgmentIndex) -> list[tuple[str, bytes]]:
    topics = [index.topics[topic] for topic in index.qrels.topic[index.row]]
    return list(zip(topics, index.qrels.document.take(index.row).raws(), strict=True))
