"""The collection of the demo in memory: documents, what the six systems found in them, and the grades that apply."""

import platform
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from cranfield.sample.library.docstrings import read_docstrings
from cranfield.sample.library.rankers import RankedNames, rank_all
from cranfield.sample.library.written import GradedPair, written_grades, written_topics
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.side.documents import Documents
from cranfield.tables.side.pool import Pool

POOLED = ("bm25", "tfidf", "ql")  # whose first documents were judged
DEPTH_OF_POOL = 10
POOLED_ON = "3.11.7"  # the Python whose library they had searched


@dataclass(frozen=True, eq=False)
class LibraryWorld:
    """Documents and rankings; grades of documents that this Python does not have are set aside.

    Attributes:
        documents: the docstrings.
        rankings: by system and topic.
        python: the version whose library this is.
    """

    documents: Documents
    rankings: Mapping[str, Mapping[str, RankedNames]]
    python: str

    @cached_property
    def grades(self) -> tuple[GradedPair, ...]:
        """The graded pairs whose documents are there."""
        return tuple(pair for pair in written_grades() if pair.document in self.documents)

    @property
    def absent(self) -> tuple[str, ...]:
        """The graded documents that this Python does not have."""
        return tuple(sorted({pair.document for pair in written_grades()} - set(self.documents)))

    @property
    def qrels(self) -> Qrels:
        """The judgments: the grades of the first assessor."""
        return Qrels.of(*_columns((pair.topic, pair.document) for pair in self.grades), [p.first for p in self.grades])

    @property
    def pool(self) -> Pool:
        """The pairs that were judged."""
        stratum, chance = [f"depth{DEPTH_OF_POOL}"] * len(self.grades), [1.0] * len(self.grades)
        return Pool.of(*_columns((pair.topic, pair.document) for pair in self.grades), stratum, chance)

    @property
    def runs(self) -> tuple[Run, ...]:
        """What each system found."""
        return tuple(_run(system, rankings) for system, rankings in self.rankings.items())


def this_library() -> LibraryWorld:
    """The library of the Python that runs."""
    documents = read_docstrings()
    texts = [f"{document.title}\n{document.text}" for document in documents.values()]
    queries = {topic.id: topic.query for topic in written_topics().values()}
    return LibraryWorld(documents, rank_all(documents.ids, texts, queries), platform.python_version())


def _columns(pairs: Iterable[tuple[str, str]]) -> tuple[list[str], list[str]]:
    rows = list(pairs)
    return [topic for topic, _ in rows], [document for _, document in rows]


def _run(system: str, rankings: Mapping[str, RankedNames]) -> Run:
    rows = [(topic, document) for topic, found in rankings.items() for document in found]
    return Run.of(system, *_columns(rows), [score for found in rankings.values() for score in found.values()])
