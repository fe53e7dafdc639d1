"""The columns of each kind of table, and which of them a format cannot hold."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from cranfield.arrays import Ints, ordinal
from cranfield.read.definition import Role
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.side.documents import Documents
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.topics import Topics

Table: TypeAlias = Run | Runs | Qrels | Judgments | Topics | Documents | Pool


class TableColumn(NamedTuple):
    """One column: `noun` names it in messages, `says` is whether it holds more than its default."""

    name: str
    noun: str
    says: Callable[[Any], bool]  # a run, qrels, judgments, a topic, a document or a pool


def lost(table: Table, role: Role, held: Iterable[str]) -> list[str]:
    """The columns of a table that a format does not hold.

    >>> lost(Qrels.of(["1"], ["d"], [1], iteration=["7"]), "qrels", ["topic", "document", "grade"])
    ['the iteration column']
    """
    beyond = [column for column in COLUMNS[role] if column.name not in set(held)]
    found = [column.noun for column in beyond if any(column.says(part) for part in _parts(table))]
    if isinstance(table, Runs) and {run.rank is not None for run in table.values()} == {True, False}:
        found.append("ranks that only some of the runs have")
    return found


def made_ranks(run: Run) -> Ints:
    """Places by score from high to low, equal scores by document id from high to low."""
    place = np.empty(len(run), dtype=np.int64)
    place[run.document.descending(np.zeros(len(run), dtype=np.int64))] = np.arange(len(run))
    order = np.lexsort((place, -run.score, run.topic))
    rank = np.empty(len(run), dtype=np.int64)
    rank[order] = ordinal(run.topic[order])
    return rank


def _parts(table: Table) -> Iterable[Any]:
    """What the columns describe: each run, each topic, each document, or the table itself."""
    return table.values() if isinstance(table, Runs | Topics | Documents) else [table]


def _always(_: object) -> bool:
    return True


def _never(_: object) -> bool:
    return False


def _filled(name: str) -> Callable[[Any], bool]:
    return lambda part: bool(getattr(part, name, None))


def _there(name: str) -> Callable[[Any], bool]:
    return lambda part: getattr(part, name, None) is not None


def _is_ranked_otherwise(run: Run) -> bool:
    """Whether the ranks differ from those that the scores give."""
    return run.rank is not None and run != replace(run, rank=made_ranks(run))


def _is_scored_otherwise(run: Run) -> bool:
    """Whether the scores differ from those that the ranks give."""
    known = run.ranks()
    return not np.array_equal(run.score, -(made_ranks(run) if known is None else known).astype(np.float64))


def _has_subtopics(table: Qrels | Judgments) -> bool:
    iteration = None if isinstance(table, Judgments) else table.iteration
    return iteration is not None and bool(set(iteration.codes()[0]) - {"0", "Q0"})


COLUMNS: dict[Role, tuple[TableColumn, ...]] = {
    "run": (
        TableColumn("topic", "topics", _always),
        TableColumn("document", "documents", _always),
        TableColumn("score", "scores", _is_scored_otherwise),
        TableColumn("rank", "ranks", _is_ranked_otherwise),
        TableColumn(
            "name", "the name of the run", _never
        ),  # where a file names no run, its own name is that of the run
    ),
    "qrels": (
        TableColumn("topic", "topics", _always),
        TableColumn("document", "documents", _always),
        TableColumn("grade", "grades", _always),
        TableColumn("iteration", "the iteration column", _has_subtopics),
        TableColumn("stratum", "strata", _there("stratum")),
        TableColumn("probability", "inclusion probabilities", _there("probability")),
        TableColumn("assessor", "the names of assessors", _there("assessor")),
        TableColumn("kind", "kinds of assessors", _there("kind")),
        TableColumn("status", "the status of judgments", _there("status")),
        TableColumn("at", "times", _there("at")),
    ),
    "topics": (
        TableColumn("id", "topic ids", _always),
        TableColumn("query", "queries", _always),
        TableColumn("description", "descriptions", _filled("description")),
        TableColumn("narrative", "narratives", _filled("narrative")),
        TableColumn("type", "types of topics", _filled("type")),
        TableColumn("subtopics", "subtopics", _filled("subtopics")),
        TableColumn("other", "other elements of topics", _filled("other")),
    ),
    "documents": (
        TableColumn("id", "document ids", _always),
        TableColumn("text", "texts", _always),
        TableColumn("title", "titles", _filled("title")),
        TableColumn("url", "addresses", _filled("url")),
        TableColumn("kind", "kinds of text", lambda document: document.kind != "text"),
        TableColumn("fields", "other fields", _filled("fields")),
    ),
    "pool": (
        TableColumn("topic", "topics", _always),
        TableColumn("document", "documents", _always),
        TableColumn("stratum", "strata", _always),
        TableColumn("probability", "inclusion probabilities", _always),
    ),
}
