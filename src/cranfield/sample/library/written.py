"""What was written for the demo and comes with the package: topics, guidelines, and grades.

A grade was given by a language model that read topic, narrative and docstring, and nothing of the systems. No person
judged. `guidelines.md` says more about it.
"""

from collections.abc import Iterable, Iterator
from importlib.resources import files
from io import StringIO
from typing import NamedTuple

from cranfield.read import read_topics
from cranfield.tables.side.topics import Topics

FIRST, SECOND = "first", "second"  # the two assessors, both of the kind `llm`
PACKAGE = "cranfield.sample.library"


class GradedPair(NamedTuple):
    """The grades of a document for a topic."""

    topic: str
    document: str
    first: int
    second: int | None  # of a part only

    def judgments(self) -> Iterator[dict[str, str | int]]:
        """One record for each assessor, as raw judgments are written."""
        for assessor, grade in ((FIRST, self.first), (SECOND, self.second)):
            if grade is not None:
                said = {"topic": self.topic, "doc": self.document, "assessor": assessor, "kind": "llm"}
                yield {**said, "status": "judged", "grade": grade}


def written_text(name: str) -> str:
    """The text of a file of this folder."""
    return files(PACKAGE).joinpath(name).read_text(encoding="utf-8")


def written_topics() -> Topics:
    """The topics.

    >>> written_topics()["p01"].query
    'merge sorted files'
    """
    return read_topics(StringIO(written_text("topics.jsonl")))


def written_grades() -> tuple[GradedPair, ...]:
    """The graded pairs, by topic and document.

    >>> next(pair for pair in written_grades() if pair.document == "heapq.merge")
    GradedPair(topic='p01', document='heapq.merge', first=2, second=None)
    """
    return tuple(_pairs(written_text("grades.tsv").splitlines()))


def _pairs(lines: Iterable[str]) -> Iterator[GradedPair]:
    for line in lines:
        topic, document, first, second = line.split("\t")
        yield GradedPair(topic, document, int(first), int(second) if second else None)
