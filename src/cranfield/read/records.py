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
_AS_IT_IS = ReadOptions()
RETRIEVED = ("retrieved_context_ids", "retrieved_contexts")
REFERENCE = ("reference_context_ids", "reference_contexts")
_NAMED = (*(name for name in ROLES["topic"] if name != "query"), "sample_id", "id")
_ASKED = ("user_input", "question", "query")


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
    return isinstance(row, Mapping) and _of(row, (*_NAMED, *_ASKED)) is not None


def are_rows(items: Sequence[Any]) -> bool:
    """Whether items are dictionaries, one for each row or sample."""
    return bool(items) and all(isinstance(item, Mapping) for item in items)


def sample_lists(
    rows: Sequence[Mapping[str, Any]], fields: Sequence[str], options: ReadOptions = _AS_IT_IS
) -> dict[Any, Any] | None:
    """Topic -> ids or texts, of samples such as those of ragas; None if the rows are no samples.

    Topics are named by an id of the sample or by the question; `topics` and `docs` of the options turn texts into ids.

    >>> sample_lists([{"user_input": "tv", "retrieved_context_ids": ["d1", "d2"]}], RETRIEVED)
    {'tv': ['d1', 'd2']}
    """
    field = next((name for name in fields if rows[0].get(name) is not None), None)
    if field is None:
        return None
    found: dict[Any, Any] = {}
    for number, (row, topic) in enumerate(zip(rows, _sample_topics(rows, options), strict=True)):
        if topic is None or not isinstance(row.get(field), list | tuple | np.ndarray):
            problem = f"sample {number + 1} has no {'question or id' if topic is None else field}"
            raise InputError("E121", problem, hint=f"a sample needs user_input or an id, and {field}")
        if topic in found:
            raise InputError("E121", f"two samples are about {topic!r}", hint="give each an id: query_id")
        found[topic] = list(row[field])
    if field.endswith("_ids") or options.docs is None:
        return found
    from cranfield.read.formats.search_tools.texts import document_ids

    known = document_ids(list(chain.from_iterable(found.values())), options)
    return {topic: [known[text] for text in texts] for topic, texts in found.items()}


def _sample_topics(rows: Sequence[Mapping[str, Any]], options: ReadOptions) -> list[Any]:
    """The id that each sample has, or that of the topic with its question; without topics, the question itself."""
    names = [_of(row, _NAMED) for row in rows]
    asked = [None if name is not None else _of(row, _ASKED) for name, row in zip(names, rows, strict=True)]
    known: dict[Any, str] = {}  # text -> id
    if options.topics is not None:
        from cranfield.read.formats.search_tools.texts import topic_ids

        texts = [text for text in dict.fromkeys(asked) if isinstance(text, str)]
        known = dict(zip(texts, topic_ids(texts, options), strict=True))
    return [known.get(text, text) if name is None else name for name, text in zip(names, asked, strict=True)]


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
