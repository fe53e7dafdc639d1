"""Declared fields: what a field of a record is, and how tables, CSV and JSON show it, declared once.

A record is a dataclass; `declare` makes the metadata of its fields. Tables, CSV, JSON and the JSON schema read these
metadata, so a new field only has to be declared.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from cranfield.tables.sheets.sheet import Cell, Column

if TYPE_CHECKING:
    from cranfield.stats.comparison.evidence import Evidence
    from cranfield.stats.comparison.method import Method
    from cranfield.stats.comparison.pair import Pairs

Kind: TypeAlias = Literal["name", "count", "number", "share", "flag", "interval"]
_KEY = "declared"


def _always(_: "Evidence") -> bool:
    return True


def same(value: Any) -> Any:  # of a field of any kind
    """The value itself."""
    return value


@dataclass(frozen=True)
class Shown:
    """How a field is shown to people.

    Attributes:
        title: the heading of the column; `{method.rope:g}` in it is replaced by the caller's choice.
        column: the class of column that formats the values.
        format, sums: the format of numbers, and of sums over topics.
        cells: makes the cells from the pairs, if these are not the values themselves.
        when: whether the field is shown for a measure.
        last: whether the column stands behind all others, the judged share too.
    """

    title: str
    column: type[Column] = Column
    format: str = ""
    sums: str = ""
    cells: "Callable[[Pairs, Method], Sequence[Cell]] | None" = None
    when: "Callable[[Evidence], bool]" = _always
    last: bool = False


@dataclass(frozen=True)
class Declared:
    """The declaration of a field.

    Attributes:
        kind: the type of its values in the JSON schema; a number or a share may be undefined.
        about: what it is, in words.
        option: the option that adds this field; without it the value is None and tables have no such column.
        shown: how tables for people show it; if None, only data forms have it.
        after: the field that it follows in tables, if that is not the one declared before it.
        turned: the value after the two runs of a pair change places.
        partner: the field whose value it takes after the change.
        tabled: whether it has a column in CSV and data frames.
    """

    kind: Kind
    about: str
    option: str = ""
    shown: Shown | None = None
    after: str = ""
    turned: Callable[[Any], Any] = same
    partner: str = ""
    tabled: bool = True


def declare(kind: Kind, about: str, **facts: Any) -> dict[str, Declared]:  # the other attributes of Declared
    """The metadata of a dataclass field."""
    return {_KEY: Declared(kind, about, **facts)}


def declared(record: type) -> dict[str, Declared]:
    """The declared fields of a record by name, in its order.

    >>> from dataclasses import field
    >>> @dataclass
    ... class Point:
    ...     x: float = field(metadata=declare("number", "how far right", after="y"))
    ...     y: float = field(metadata=declare("number", "how far up"))
    >>> list(declared(Point)), list(in_tables(Point))
    (['x', 'y'], ['y', 'x'])
    """
    return _declared(record)


def in_tables(record: type) -> dict[str, Declared]:
    """The declared fields of a record in the order of tables."""
    return _in_tables(record)


@cache
def _declared(record: type) -> dict[str, Declared]:
    return {each.name: each.metadata[_KEY] for each in fields(record) if _KEY in each.metadata}


@cache
def _in_tables(record: type) -> dict[str, Declared]:
    known = declared(record)
    order = [name for name, about in known.items() if not about.after]
    for name, about in known.items():
        if about.after:
            order.insert(order.index(about.after) + 1, name)
    return {name: known[name] for name in order}


def optional(record: type) -> frozenset[str]:
    """The fields that may be absent: None by default."""
    return frozenset(each.name for each in fields(record) if each.default is None)
