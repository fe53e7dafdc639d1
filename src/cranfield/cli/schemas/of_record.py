"""The JSON Schema of a record of plain types, from its annotations."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from cranfield.cli.schemas.schema import COUNT, NUMBER, TEXT, by_name, rows

_PLAIN: dict[Any, dict[str, Any]] = {str: TEXT, int: COUNT, float: NUMBER, bool: {"type": "boolean"}}


def of_record(record: type) -> dict[str, dict[str, Any]]:
    """The fields of a dataclass, as `asdict` writes them, with their schemas.

    >>> from cranfield.missing.sheets.ranges import PossibleRange
    >>> of_record(PossibleRange)["exact"], of_record(PossibleRange)["lowest"]
    ({'type': 'boolean'}, {'type': ['number', 'null']})
    """
    hints = get_type_hints(record)
    return {each.name: _schema(hints[each.name]) for each in fields(record)}


def _schema(hint: Any) -> dict[str, Any]:  # a type, as it is written
    """The schema of values of a type."""
    kind, inner = get_origin(hint), get_args(hint)
    if kind is Literal:
        return {"enum": [*inner]}
    if kind in (Union, UnionType):
        return _or_none(_schema(next(each for each in inner if each is not type(None))))
    if kind is Mapping:
        return by_name(_schema(inner[1]))
    if kind is Sequence:
        return rows(_schema(inner[0]))
    return {} if hint is Any else _PLAIN[hint]


def _or_none(schema: dict[str, Any]) -> dict[str, Any]:
    """The same, or null; numbers may be null anyway."""
    kinds = schema["type"]
    return schema if isinstance(kinds, list) else {**schema, "type": [kinds, "null"]}
