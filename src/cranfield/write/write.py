"""`write_table`: choose the format, warn about what it cannot hold, write the file."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, Any, TypeVar

from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.read.definition import FORMATS, NOUNS, Format, Role, named
from cranfield.read.options import TextsLike
from cranfield.read.sources.content import INNER_MARK
from cranfield.registry import Registry
from cranfield.tables.judgments import Judgments
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.side.documents import Documents
from cranfield.tables.side.pool import Pool
from cranfield.tables.side.topics import Topics
from cranfield.write.columns import Table, lost
from cranfield.write.sink import ending, put

W = TypeVar("W", bound=Callable[..., bytes])
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Writer:
    """Turns a table into bytes; `holds` names the columns that reading gives back unchanged."""

    render: Callable[[Any], bytes]  # the table of the role
    holds: tuple[str, ...]


WRITERS: Registry[Writer] = Registry("writer", "cranfield.write")


def writes(name: str, *, holds: str) -> Callable[[W], W]:
    """Register the writer of a format, with the columns that it holds, separated by blanks."""

    def register(render: W) -> W:
        WRITERS.add(name, Writer(render, tuple(holds.split())), home=render.__module__)
        return render

    return register


def write_table(
    table: Table,
    path: "str | os.PathLike[str] | IO[bytes]",
    format: str | None = None,
    *,
    topics: TextsLike | None = None,
) -> None:
    """Write a table to a file, an open file, or standard output (`-`).

    The format is that of the name, or of the ending; else the common one of its kind (TREC for runs and qrels).
    What the format cannot hold is named in a warning; identifiers it cannot hold are an error. Formats that name topics
    by the text of the query (`qrels-opensearch`, `qrels-quepid`, `qrels-rre`) get the texts of `topics`; without them,
    the ids are written as texts.

    >>> import io, cranfield as cf
    >>> file = io.BytesIO()
    >>> cf.write_table(cf.Run.of("bm25", ["301"], ["d1"], [2.5]), file)
    >>> file.getvalue()
    b'301 Q0 d1 1 2.5 bm25\\n'
    """
    chosen = target(table, ending(path), format)
    if topics is not None and chosen.by_text:
        table = with_query_texts(table, topics)
    data = render(table, chosen)
    where = os.fspath(path) if isinstance(path, str | os.PathLike) else ""
    if beyond := lost(table, chosen.role, WRITERS[chosen.name].holds):
        message = f"{chosen.name} cannot hold {', '.join(beyond)}"
        warn(DataWarning("W108", message, where))
    put(data, path, compress=not chosen.binary)


def with_query_texts(table: Table, topics: TextsLike) -> Table:
    """Qrels that name topics by the text of the query."""
    from cranfield.read.formats.search_tools.texts import given_topics
    from cranfield.tables.side.texts import with_texts

    return with_texts(table, given_topics(topics)) if isinstance(table, Qrels) else table


def render(table: Table, format: "Format | str") -> bytes:
    """The bytes of a table in a format."""
    chosen = named(format, role_of(table)) if isinstance(format, str) else format
    data = WRITERS[chosen.name].render(table)
    if chosen.binary:
        return data
    _refuse_inner_mark(data)
    # a text that begins with a byte-order mark of its own would lose it on reading
    return _BOM + data if data.startswith(_BOM) else data


def _refuse_inner_mark(data: bytes) -> None:
    """Refuse an id that would begin a later line with a byte-order mark, which readers take for two files joined."""
    if (at := data.find(INNER_MARK)) >= 0:
        cell = data[at + 1 :].split(b"\n", 1)[0].split(maxsplit=1)[0].decode()
        problem = f"topic id {cell!r} would begin a line with a byte-order mark"
        raise InputError("E117", problem, hint="write JSONL instead, which holds any id")


def role_of(table: object) -> Role:
    """The role of a table."""
    for kinds, role in _ROLES:
        if isinstance(table, kinds):
            return role
    raise InputError("E121", f"{type(table).__name__} is not a table that can be written")


_ROLES: tuple[tuple[tuple[type, ...], Role], ...] = (
    ((Run, Runs), "run"),
    ((Qrels, Judgments), "qrels"),
    ((Topics,), "topics"),
    ((Documents,), "documents"),
    ((Pool,), "pool"),
)
_COMMON: dict[Role, str] = {"run": "trec", "qrels": "trec", "topics": "tsv", "documents": "jsonl", "pool": "tsv"}


def _refuse_ending(ending: str, role: Role) -> None:
    """Refuse an ending of another kind of table, which is a mistake; `.txt` may hold any kind."""
    others = {NOUNS[item.role] for item in FORMATS.values() if ending in item.all_endings and ending != ".txt"}
    if others:
        problem = f"the ending {ending} is for {' or '.join(sorted(others))}, and this is {NOUNS[role]}"
        raise PolicyError(
            "E118", problem, hint=f"choose another name, or name the format: {setting('to', _COMMON[role])}"
        )


def target(table: Table, ending: str, format: str | None) -> Format:
    """The format to write: by name, by ending, or the common one."""
    role = role_of(table)
    if format is not None:
        chosen = named(format, role)
    else:
        known = [item for item in FORMATS.values() if item.role == role and item.writable]
        common = "jsonl" if isinstance(table, Judgments) else _COMMON[role]
        plain = [item for item in known if not item.told_by_content]
        by_ending = [item for item in plain if ending in item.all_endings or item.name == f"{role}-{ending[1:]}"]
        chosen = by_ending[0] if ending and by_ending else FORMATS[f"{role}-{common}"]
        if ending and not by_ending:
            _refuse_ending(ending, role)
    if chosen.name not in WRITERS:
        possible = ", ".join(name for name in WRITERS if FORMATS[name].role == role)
        raise PolicyError("E118", f"format {chosen.name} is read only", hint=f"can be written: {possible}")
    return chosen
