"""Tables of scores as records: from CSV, TSV, JSON, JSONL, Parquet, `trec_eval -q`, frames, lists and dictionaries."""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from cranfield.errors import InputError
from cranfield.errors.extras import need
from cranfield.errors.json_problems import json_problem
from cranfield.read.sources.content import Content, as_utf8, fetch

_LISTS = ("test_results", "testCases", "test_cases", "results", "samples", "rows", "data", "scores", "records")
_METRICS = ("metrics_data", "metricsData", "metrics_metadata", "metrics", "scores")
_ALL = "all"  # the topic under which trec_eval prints means
ENVELOPE = "cranfield/1"


@dataclass(frozen=True, eq=False)
class ScoreRows:
    """The records of one table.

    Attributes:
        records: column -> value.
        lines: of each record, if it comes from a file with lines.
        path: of the file.
        name: of the run, if the table has no column for it and the file says it.
        sha256: of the file.
        format: what was recognised.
    """

    records: Sequence[Mapping[str, Any]]
    lines: Sequence[int | None] = field(default_factory=list)
    path: str | None = None
    name: str | None = None
    sha256: str | None = None
    format: str = "records"


def rows_of_file(path: Any, encoding: str = "utf-8", max_size: int | None = None) -> "ScoreRows | None":
    """The records of a file; None if it is one of ours, which `load_scores` reads."""
    content = fetch(path, max_size)
    if content.head(4) == b"PAR1":
        from cranfield.read.frames import parquet

        return _placed(rows_of_object(parquet(content)), content, "parquet")
    text = as_utf8(content, encoding).text().removeprefix("\ufeff")
    begin = text.lstrip()
    if not begin:
        raise InputError("E104", "the file is empty", path=content.name)
    if begin[0] in "{[":
        return _of_json(text, content)
    if (evaluated := _trec_eval(text)) is not None:
        return _placed(evaluated, content, "trec_eval -q")
    return _placed(_delimited(text, content.name), content, "delimited")


def rows_of_object(value: Any) -> ScoreRows:
    """The records of a frame, a list of records, a dictionary of columns, or nested dictionaries."""
    if is_frame(value):
        need("narwhals", "a data frame")
        import narwhals as nw

        records = nw.from_native(value, eager_only=True).rows(named=True)
        return _listed(records, "frame")
    if isinstance(value, Mapping):
        return _of_mapping(value)
    if isinstance(value, Iterable) and not isinstance(value, str | bytes):
        items = [item._asdict() if hasattr(item, "_asdict") else item for item in value]
        if items and all(isinstance(item, Mapping) for item in items):
            return _listed([_flat(item) for item in items], "records")
    kinds = "a path, a data frame, records, or a dictionary topic -> measure -> value"
    raise InputError("E121", f"{type(value).__name__} is no table of scores", hint=kinds)


def is_frame(value: Any) -> bool:
    """Whether a value is a data frame of some package."""
    if isinstance(value, Mapping | str | list | tuple | set | frozenset):
        return False
    return any(hasattr(type(value), name) for name in ("columns", "column_names", "__narwhals_dataframe__"))


def _listed(records: Sequence[Mapping[str, Any]], format: str) -> ScoreRows:
    if not records:
        raise InputError("E104", "the table of scores is empty")
    return ScoreRows(records, [None] * len(records), format=format)


def _of_mapping(value: Mapping[Any, Any]) -> ScoreRows:
    """Records under a known name, columns, or topic -> measure -> value, perhaps below the names of runs."""
    for name in _LISTS:
        inside = value.get(name)
        if isinstance(inside, Sequence) and inside and all(isinstance(item, Mapping) for item in inside):
            return _listed([_flat(item) for item in inside], "records")
    members = list(value.values())
    if members and all(isinstance(member, Mapping) for member in members):
        deep = any(isinstance(cell, Mapping) for member in members for cell in member.values())
        runs = value if deep else {None: value}
        return _listed(list(_nested(runs)), "dictionary")
    columns = all(isinstance(member, Sequence) and not isinstance(member, str) for member in members)
    if members and columns and len({len(member) for member in members}) == 1:
        return _listed([dict(zip(value, row, strict=True)) for row in zip(*members, strict=True)], "columns")
    kinds = "topic -> measure -> value, perhaps below the names of runs; or records with a column for each measure"
    raise InputError("E121", "this dictionary is no table of scores", hint=kinds)


def _nested(runs: Mapping[Any, Any]) -> Iterator[dict[str, Any]]:
    """Records of run -> topic -> measure -> value."""
    for run, topics in runs.items():
        for topic, values in topics.items():
            if not isinstance(values, Mapping):
                raise InputError("E121", f"topic {topic!r} has no measures", hint="topic -> measure -> value")
            for measure, value in values.items():
                named = {} if run is None else {"run": run}
                yield {**named, "topic": topic, "measure": str(measure), "value": value}


def _flat(record: Mapping[Any, Any]) -> dict[str, Any]:
    """A record with its metrics as columns, also if they are in a list or a dictionary of their own."""
    found = {str(name): value for name, value in record.items()}
    for name in _METRICS:
        inside = found.get(name)
        if isinstance(inside, Mapping):
            return {**{k: v for k, v in found.items() if k != name}, **{str(k): v for k, v in inside.items()}}
        if isinstance(inside, list) and inside and all(isinstance(m, Mapping) and "name" in m for m in inside):
            return {k: v for k, v in found.items() if k != name} | {str(m["name"]): m.get("score") for m in inside}
    return found


def _of_json(text: str, content: Content) -> "ScoreRows | None":
    try:
        whole = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg != "Extra data":
            raise _not_json(error, content, 0) from None
        return _of_lines(text, content)
    if isinstance(whole, dict) and whole.get("schema") == ENVELOPE:
        return None
    try:
        return _placed(rows_of_object(whole), content, "json")
    except InputError as error:
        raise InputError("E119", error.problem, path=content.name, hint=error.hint) from None


def _of_lines(text: str, content: Content) -> ScoreRows:
    records, lines = [], []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except json.JSONDecodeError as error:
            raise _not_json(error, content, number - 1) from None
        if not isinstance(found, dict):
            raise InputError("E119", "a line is no record", path=content.name, line=number)
        records.append(_flat(found))
        lines.append(number)
    return ScoreRows(records, lines, content.name, sha256=content.sha256, format="jsonl")


def _not_json(error: json.JSONDecodeError, content: Content, before: int) -> InputError:
    words, line, column = json_problem(error)
    return InputError("E302", f"not valid JSON, {words} at column {column}", path=content.name, line=before + line)


def _trec_eval(text: str) -> ScoreRows | None:
    """What `trec_eval -q` prints: measure, topic, value; None if the file is something else. Means are left out."""
    records, lines, name = [], [], None
    for number, line in enumerate(text.splitlines(), start=1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) != 3:
            return None
        measure, topic, value = fields
        if measure == "runid":
            name = value
        elif not _is_numeral(value):
            return None
        elif topic != _ALL:
            records.append({"measure": measure, "topic": topic, "value": value})
            lines.append(number)
    return ScoreRows(records, lines, name=name) if records else None


def _is_numeral(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _delimited(text: str, path: str) -> ScoreRows:
    """A table with a header, its columns separated by tabs, commas or semicolons."""
    head = text.partition("\n")[0]
    separator = next((mark for mark in "\t,;" if mark in head), ",")
    reader = csv.reader(io.StringIO(text), delimiter=separator)
    records, lines = [], []
    try:
        names = [name.strip() for name in next(reader)]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise InputError("E303", f"two columns are called {twice!r}", path=path, line=1)
        for row in reader:
            if not row:
                continue
            if len(row) != len(names):
                problem = f"expected {len(names)} columns, found {len(row)}"
                raise InputError("E105", problem, path=path, line=reader.line_num, text=separator.join(row))
            records.append(dict(zip(names, row, strict=True)))
            lines.append(reader.line_num)
    except csv.Error as error:
        raise InputError("E309", f"not a valid table: {error}", path=path, line=reader.line_num) from None
    if not records:
        raise InputError("E104", "the file holds no rows", path=path)
    return ScoreRows(records, lines)


def _placed(rows: ScoreRows, content: Content, format: str) -> ScoreRows:
    return replace(rows, path=content.name, sha256=content.sha256, format=format)
