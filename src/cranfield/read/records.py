"""Rows and lists as other programs keep them: dictionaries, pairs, samples of RAG frameworks, ranx, ir_datasets."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.read.checked_columns import rows_of
from cranfield.read.options import ROLES, ReadOptions, roles_of
from cranfield.read.values import grades as as_grades
from cranfield.read.values import ids, in_document
from cranfield.read.values import scores as as_scores
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text

_ROWS = "records"
RETRIEVED = ("retrieved_context_ids", "retrieved_contexts")
REFERENCE = ("reference_context_ids", "reference_contexts")
_ASKED = (*ROLES["topic"], "sample_id", "id", "user_input", "question")


@dataclass(frozen=True)
class ScoredList:
    """The documents of one topic with their scores or grades, in order; one may be there twice."""

    documents: Sequence[Any]  # ids
    numbers: Sequence[Any]

    def __len__(self) -> int:
        return len(self.documents)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.documents)

    def values(self) -> Sequence[Any]:
        """The scores or grades."""
        return self.numbers


def with_numbers(topic: Any, listed: Any, *, qrels: bool) -> Any:
    """`[(id, number), …]` and `[{"corpus_id": id, "score": number}, …]` as a scored list; all else as it is.

    >>> len(with_numbers("q1", [("d1", 2.5), ("d9", 1.0)], qrels=False)), with_numbers("q1", ["d1"], qrels=False)
    (2, ['d1'])
    """
    if not isinstance(listed, list | tuple) or not listed:
        return listed
    first = listed[0]
    if isinstance(first, Mapping):
        words = (*ROLES["grade"], "score") if qrels else ROLES["score"]
        pairs = [(_of(item, ROLES["doc"]), _of(item, words)) for item in listed]
    elif isinstance(first, list | tuple) and len(first) == 2:
        pairs = [(*item,) if isinstance(item, list | tuple) and len(item) == 2 else (None, None) for item in listed]
    else:
        return listed
    if any(document is None or number is None for document, number in pairs):
        what = "grade" if qrels else "score"
        problem = f"topic {topic!r} holds an entry without a document id and a {what}"
        raise InputError("E121", problem, hint=f'write (id, {what}), or {{"doc": id, "{what}": number}}')
    return ScoredList([document for document, _ in pairs], [number for _, number in pairs])


def _of(item: Any, names: Sequence[str]) -> Any:
    """The value of a dictionary under the first of some names."""
    known = {str(key).lower(): value for key, value in item.items()} if isinstance(item, Mapping) else {}
    return next((known[name] for name in names if name in known), None)


def names_topic(row: Any) -> bool:
    """Whether a row is a dictionary that says which topic it belongs to."""
    return isinstance(row, Mapping) and _of(row, _ASKED) is not None


def are_rows(items: Sequence[Any]) -> bool:
    """Whether items are dictionaries, one for each row or sample."""
    return bool(items) and all(isinstance(item, Mapping) for item in items)


def sample_lists(rows: Sequence[Mapping[str, Any]], fields: Sequence[str]) -> dict[Any, Any] | None:
    """Topic -> ids or texts, of samples such as those of ragas; None if the rows are no samples.

    >>> sample_lists([{"user_input": "tv", "retrieved_context_ids": ["d1", "d2"]}], RETRIEVED)
    {'tv': ['d1', 'd2']}
    """
    field = next((name for name in fields if name in rows[0]), None)
    if field is None:
        return None
    found: dict[Any, Any] = {}
    for number, row in enumerate(rows):
        topic = _of(row, _ASKED)
        if topic is None or not isinstance(row.get(field), list | tuple):
            problem = f"sample {number + 1} has no {'question or id' if topic is None else field}"
            raise InputError("E121", problem, hint=f"a sample needs user_input or an id, and {field}")
        if topic in found:
            raise InputError("E121", f"two samples are about {topic!r}", hint="give each an id: query_id")
        found[topic] = list(row[field])
    return found


def rows_run(rows: Sequence[Mapping[str, Any]], options: ReadOptions) -> list[Run]:
    """Runs from rows such as `{"query_id": "q1", "doc_id": "d1", "score": 2.5}`; several where they name their run."""
    columns = _columns(rows, ("topic", "doc", "score|rank"), options, qrels=False)
    topic, document = ids(columns["topic"], "topic"), ids(columns["doc"], "document")
    place = in_document(topic, document)
    rank = None if "rank" not in columns else as_scores(columns["rank"], place)
    score = as_scores(columns["score"], place) if "score" in columns else -np.asarray(rank)
    names = ids(columns["run"], "run") if "run" in columns else [options.name or "run"] * len(rows)
    different, code = Text.of(names).codes()
    return [
        Run.of(
            name,
            [topic[row] for row in mine],
            [document[row] for row in mine],
            score[mine],
            None if rank is None else rank[mine].astype(np.int64),
        )
        for name, mine in zip(different, rows_of(code, len(different)), strict=True)
    ]


def rows_qrels(rows: Sequence[Mapping[str, Any]], options: ReadOptions) -> Qrels:
    """Qrels from rows such as `{"query-id": "q1", "corpus-id": "d1", "score": 1}`."""
    columns = _columns(rows, ("topic", "doc", "grade"), options, qrels=True)
    topic, document = ids(columns["topic"], "topic"), ids(columns["doc"], "document")
    grade = as_grades(columns["grade"], in_document(topic, document), options.grades)
    known = columns.get("iteration")
    return Qrels.of(topic, document, grade, None if known is None else [str(value) for value in known])


def _columns(
    rows: Sequence[Mapping[str, Any]], needed: tuple[str, ...], options: ReadOptions, *, qrels: bool
) -> dict[str, list[Any]]:
    """The values by role; a field is in every row."""
    names = list(dict.fromkeys(chain.from_iterable(rows)))
    roles = {role: names[place] for role, place in roles_of(map(str, names), needed, options, _ROWS, qrels).items()}
    for number, row in enumerate(rows):
        if missing := next((name for name in roles.values() if name not in row), None):
            raise InputError("E121", f"record {number + 1} has no field {missing!r}")
    return {role: [row[name] for row in rows] for role, name in roles.items()}


def ranx_table(value: Any, field: str) -> dict[Any, Any] | None:
    """The dictionary in a `Run` or `Qrels` of ranx, known by its attributes; None for all else."""
    if isinstance(value, Mapping | str | list | tuple) or not hasattr(value, field) or not hasattr(value, "name"):
        return None
    found: dict[Any, Any] = value.to_dict() if callable(getattr(value, "to_dict", None)) else {}
    return found or None


def dataset_rows(value: Any, method: str) -> list[Any] | None:
    """The records that a dataset of ir_datasets iterates over; None for an object without that iterator."""
    rows = getattr(value, method, None)
    return list(rows()) if callable(rows) else None
