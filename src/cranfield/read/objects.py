"""Python objects -> tables: dictionaries, data frames, records of other packages, paths, and our own tables."""

import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.read.options import ReadOptions
from cranfield.read.sources.run_names import with_distinct_names
from cranfield.read.sources.runs import RunDict, RunsInMemory, Sources, files
from cranfield.read.values import PLAIN, ids, in_document
from cranfield.read.values import grades as as_grades
from cranfield.read.values import scores as as_scores
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.source import Grades
from cranfield.tables.text import Text

_RUN_KINDS = (
    "a path, {topic: {doc: score}}, {topic: [docs]}, {name: run}, a data frame, or records with query_id, doc_id, score"
)
_PLAIN = {dict, defaultdict}
_AS_IT_IS = ReadOptions()
_QRELS_KINDS = "a path, {topic: {doc: grade}}, {topic: docs}, a data frame, or records with query_id, doc_id, relevance"


def as_run(source: Any, name: str | None = None) -> Run:  # any of the accepted objects
    """One run from any accepted object; dictionaries are called `run` unless named.

    >>> as_run({"q1": {"d1": 2.5, "d9": 1}}, "bm25")
    Run 'bm25': 1 topic, 2 documents
    """
    runs = as_runs(source)
    if len(runs) != 1:
        raise InputError("E121", f"expected one run, got {len(runs)}: {', '.join(runs)}")
    return runs.members[0] if name is None else runs.members[0].renamed(name)


def as_runs(source: Any, options: ReadOptions = _AS_IT_IS) -> Runs:  # any of the accepted objects
    """Runs from any accepted object, all of them in memory.

    >>> as_runs({"bm25": {"q1": {"d1": 2.5}}, "dense": {"q1": ["d3", "d1"]}})
    Runs: 2 systems (bm25, dense)
    """
    return source if isinstance(source, Runs) else Runs(with_distinct_names([*as_sources(source, options).open()]))


def as_sources(source: Any, options: ReadOptions = _AS_IT_IS) -> Sources:  # any of the accepted objects
    """Runs from any accepted object; files are opened later, one by one.

    >>> [member.label for member in as_sources({"bm25": {"q1": {"d1": 2.5}}, "dense": "dense.run"}).members]
    ['bm25', 'dense']
    """
    if isinstance(source, Sources):
        return source
    if isinstance(source, Runs | Run):
        return _given(source.members if isinstance(source, Runs) else [source])
    if isinstance(source, str | os.PathLike):
        return files([source], options)
    if isinstance(source, Mapping):
        return Sources((RunDict(source),)) if _is_plain(source) else _mapping(source, options)
    if isinstance(source, list) and source and all(isinstance(item, Run | str | os.PathLike) for item in source):
        return _together(as_sources(item, options) for item in source)
    from cranfield.read import records

    if _is_frame(source):
        from cranfield.read.frames import frame_rows, frame_runs

        samples = frame_rows(source, records.RETRIEVED)
        return as_sources(samples, options) if samples else _given(frame_runs(source, options).members)
    if (table := records.ranx_table(source, "run")) is not None:
        return _given([_dict_run(table).renamed(str(source.name or "run"))])
    rows = records.dataset_rows(source, "scoreddocs_iter")
    items = _items(source, "a run", _RUN_KINDS) if rows is None else rows
    if items and all(isinstance(item, Run | str | os.PathLike) or records.ranx_table(item, "run") for item in items):
        return _together(as_sources(item, options) for item in items)
    if records.are_rows(items):
        lists = records.sample_lists(items, records.RETRIEVED, options)
        return _given(records.rows_run(items, options) if lists is None else [_dict_run(lists)])
    return _given([_record_run(items)])


def as_tables(source: Mapping[Any, Any], name: str | None = None) -> tuple[Run, ...]:
    """The runs of a dictionary as tables; the key is the name of the run."""
    runs = Runs(_mapping(source, _AS_IT_IS).open())
    return runs.members if name is None else (_alone(name, runs),)


def _mapping(source: Mapping[Any, Any], options: ReadOptions) -> Sources:
    if _is_named(source):
        return _together(_of_name(name, value, options) for name, value in source.items())
    return _given([_dict_run(source)])


def _is_plain(run: Any) -> bool:
    """Whether a run can be evaluated as a dictionary: its first list shows that it is `{topic: {document: score}}`."""
    if type(run) not in _PLAIN:
        return False
    first: Any = next((listed for listed in run.values() if type(listed) not in _PLAIN or listed), None)
    return type(first) in _PLAIN and type(next(iter(first.values()))) in PLAIN


def _given(runs: Iterable[Run]) -> Sources:
    return Sources(tuple(RunsInMemory((run,)) for run in runs))


def _together(several: Iterable[Sources]) -> Sources:
    return Sources(tuple(chain.from_iterable(sources.members for sources in several)))


def as_qrels(source: Any, grades: Grades = "int", options: ReadOptions = _AS_IT_IS) -> Qrels:  # any accepted object
    """Qrels from any accepted object; `{topic: [docs]}` and `{topic: {docs}}` mean grade 1.

    >>> as_qrels({"q1": {"d1": 1, "d2": 0}, "q2": ["d7"]})
    Qrels: 2 topics, 3 judgments, grades 0…1
    """
    if isinstance(source, Qrels):
        return source
    if isinstance(source, str | os.PathLike):
        from cranfield.read import read_qrels

        return read_qrels(source, grades=grades, columns=options.columns)
    if isinstance(source, Mapping):
        return _dict_qrels(source, grades)
    from cranfield.tables.judgments import Judgments

    if isinstance(source, Judgments):
        return source.qrels()
    from cranfield.read import records

    if _is_frame(source):
        from cranfield.read.frames import frame_qrels, frame_rows

        samples, options = frame_rows(source, records.REFERENCE), replace(options, grades=grades)
        return as_qrels(samples, grades, options) if samples else frame_qrels(source, options)
    if (table := records.ranx_table(source, "qrels")) is not None:
        return _dict_qrels(table, grades)
    rows = records.dataset_rows(source, "qrels_iter")
    items = _items(source, "qrels", _QRELS_KINDS) if rows is None else rows
    if records.are_rows(items):
        if (lists := records.sample_lists(items, records.REFERENCE, options)) is not None:
            return _dict_qrels(lists, grades)
        return records.rows_qrels(items, replace(options, grades=grades))
    return _record_qrels(items, grades)


def _is_named(source: Mapping[Any, Any]) -> bool:
    """Whether the keys are names of runs: the values are whole runs, not the documents of a topic."""
    kinds = {_is_whole(value) for value in source.values()} - {None}
    if len(kinds) > 1:
        problem = "a dictionary holds whole runs and rankings of single topics side by side"
        hint = "a run is {topic: {doc: score}}, several are {name: {topic: {doc: score}}}"
        raise InputError("E121", problem, hint=hint)
    return kinds == {True}


def _is_whole(value: Any) -> bool | None:
    """True for a whole run, False for the documents of one topic, None if it could be both."""
    if isinstance(value, Run | Runs | str | os.PathLike):
        return True
    if isinstance(value, Mapping):
        within = {*map(type, value.values())}
        kinds = {issubclass(kind, Mapping | list | tuple | set | frozenset | np.ndarray) for kind in within}
        return None if not kinds else kinds != {False}
    from cranfield.read import records

    if not isinstance(value, list | tuple):
        return _is_frame(value) or records.ranx_table(value, "run") is not None
    return hasattr(value[0], "query_id") or records.names_topic(value[0]) if value else None


def _of_name(name: Any, value: Any, options: ReadOptions) -> Sources:
    """The run under a name."""
    [key] = ids([name], "run")
    if isinstance(value, str | os.PathLike):
        sources = files([value], options, alone_as=key)
        if len({id(member.dataset or member) for member in sources.members}) == 1:
            return sources
    return Sources((RunDict(value, key),)) if _is_plain(value) else _given([_alone(key, as_runs(value, options))])


def _alone(name: str, runs: Runs) -> Run:
    if len(runs) != 1:
        raise InputError("E121", f"{name!r} stands for {len(runs)} runs: {', '.join(runs)}")
    return runs.members[0].renamed(name)


def _dict_run(source: Mapping[Any, Any]) -> Run:
    """`{topic: {doc: score}}`, `{topic: [docs]}` in order of rank, or `{topic: [(doc, score), …]}`."""
    from cranfield.read import records

    topics = ids(list(source), "topic")
    for topic, inner in source.items():
        if isinstance(inner, set | frozenset):
            problem = f"the documents of topic {topic!r} are a set, which has no order"
            raise InputError("E121", problem, hint="use a list")
        _documents(topic, inner, "a run", _RUN_KINDS)
    source = {topic: records.with_numbers(topic, inner, qrels=False) for topic, inner in source.items()}
    sizes = [len(inner) for inner in source.values()]
    ordered = [not isinstance(inner, Mapping | records.ScoredList) for inner in source.values()]
    documents = ids(list(chain.from_iterable(source.values())), "document")
    _not_empty(documents, "run")
    score = list(
        chain.from_iterable(
            inner.values() if isinstance(inner, Mapping | records.ScoredList) else range(-1, -len(inner) - 1, -1)
            for inner in source.values()
        )
    )
    kept = [topic for topic, size in zip(topics, sizes, strict=True) if size]
    topic = np.repeat(np.arange(len(kept)), [size for size in sizes if size])
    rank = np.concatenate([np.arange(1, size + 1) for size in sizes]) if all(ordered) else None
    place = _place(kept, topic, documents)
    return Run("run", tuple(kept), topic, Text.of(documents), as_scores(score, place), rank)


def _dict_qrels(source: Mapping[Any, Any], grades: Grades) -> Qrels:
    """`{topic: {doc: grade}}`, or collections of documents with grade 1."""
    topics, inners = ids(list(source), "topic"), list(source.values())
    if {*map(type, inners)} - _PLAIN:
        from cranfield.read import records

        for name, inner in zip(topics, inners, strict=True):
            _documents(name, inner, "qrels", _QRELS_KINDS)
        inners = [records.with_numbers(name, inner, qrels=True) for name, inner in source.items()]
        inners = [sorted(ids(list(i), "document")) if isinstance(i, set | frozenset) else i for i in inners]
    sizes = list(map(len, inners))
    documents = ids(list(chain.from_iterable(inners)), "document")
    _not_empty(documents, "qrels")
    values = list(chain.from_iterable(map(_grades_in, inners)))
    kept = [topic for topic, size in zip(topics, sizes, strict=True) if size]
    topic = np.repeat(np.arange(len(kept)), [size for size in sizes if size])
    grade = as_grades(values, _place(kept, topic, documents), grades)
    return Qrels(tuple(kept), topic, Text.of(documents), grade)


def _grades_in(inner: Any) -> Iterable[Any]:
    """The grades of the documents of a topic; 1 where they have none."""
    if type(inner) in _PLAIN:
        return inner.values()
    from cranfield.read import records

    return inner.values() if isinstance(inner, Mapping | records.ScoredList) else [1] * len(inner)


def _documents(topic: Any, inner: Any, what: str, kinds: str) -> None:
    if isinstance(inner, Mapping | list | tuple | set | frozenset | np.ndarray):
        return
    raise InputError("E121", f"topic {topic!r} holds {type(inner).__name__}, which is not {what}", hint=f"give {kinds}")


def _not_empty(documents: list[str], what: str) -> None:
    if not documents:
        raise InputError("E104", f"the {what} is empty" if what == "run" else "the qrels are empty")


def _place(topics: list[str], topic: Any, documents: list[str]) -> Any:
    return lambda row: f"topic {topics[int(topic[row])]!r}, document {documents[row]!r}"


def _record_run(items: list[Any]) -> Run:
    """Records such as `ScoredDoc(query_id, doc_id, score)`."""
    topic, document = _record_ids(items, "score", "a run", _RUN_KINDS)
    score = as_scores([item.score for item in items], in_document(topic, document))
    return Run.of("run", topic, document, score)


def _record_qrels(items: list[Any], grades: Grades) -> Qrels:
    """Records such as `Qrel(query_id, doc_id, relevance, iteration)`."""
    topic, document = _record_ids(items, "relevance", "qrels", _QRELS_KINDS)
    grade = as_grades([item.relevance for item in items], in_document(topic, document), grades)
    iteration = [getattr(item, "iteration", None) for item in items]
    known = None if any(value is None for value in iteration) else [str(value) for value in iteration]
    return Qrels.of(topic, document, grade, known)


def _record_ids(items: list[Any], value: str, what: str, kinds: str) -> tuple[list[str], list[str]]:
    _not_empty(items, what.removeprefix("a "))
    for item in items:
        if not all(hasattr(item, name) for name in ("query_id", "doc_id", value)):
            raise InputError("E121", f"{type(item).__name__} in a list is not part of {what}", hint=f"give {kinds}")
    return ids([item.query_id for item in items], "topic"), ids([item.doc_id for item in items], "document")


def _items(source: Any, what: str, kinds: str) -> list[Any]:
    if isinstance(source, bytes | bytearray) or not isinstance(source, Iterable):
        raise InputError("E121", f"{type(source).__name__} cannot be read as {what}", hint=f"give {kinds}")
    return list(source.to_list() if hasattr(source, "to_list") else source)  # data sets of Hugging Face and ragas


def _is_frame(value: Any) -> bool:
    """Whether the object is a data frame of a package that narwhals knows."""
    if isinstance(value, Mapping | str | list | tuple | set | frozenset) or hasattr(value, "to_list"):
        return False
    names = ("columns", "column_names", "__narwhals_dataframe__", "__narwhals_lazyframe__")
    return any(hasattr(type(value), name) for name in names)  # of the class: a lazy frame computes its own
