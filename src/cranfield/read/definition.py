"""The formats that are read and written: one definition each; everything that lists formats reads these."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content
from cranfield.registry import Registry

Role: TypeAlias = Literal["run", "qrels", "topics", "documents", "pool", "estimate", "efficiency", "intents"]
Reader: TypeAlias = Callable[[Content, ReadOptions], Any]  # what is read depends on the role
ColumnReader: TypeAlias = Callable[[Content, ReadOptions], "TextColumns"]
RecordReader: TypeAlias = Callable[[str], "Document"]
if TYPE_CHECKING:
    from cranfield.read.checked_columns import TextColumns
    from cranfield.tables.side.documents import Document

R = TypeVar("R", bound=Callable[..., object])


class Format(NamedTuple):
    """One way to write one kind of table into a file."""

    name: str
    role: Role
    sample: str
    description: str
    reader: Reader
    endings: tuple[str, ...] = ()  # which tell that a file has this format
    usual_endings: tuple[str, ...] = ()  # which such files often have; what they hold tells the format
    writable: bool = False
    guessed: bool = True  # False: only used where --format-in names it
    binary: bool = False  # not text, so no encoding applies
    columns: ColumnReader | None = None  # how its columns are read, where rows may name their assessor
    marks: tuple[str, ...] = ()  # words that identify the format, if the beginning of the file has all of them
    header: str = ""  # a pattern of the first line, in small letters, that tells the format
    by_text: bool = False  # it names topics by the text of the query, not by an id
    record: RecordReader | None = None  # how one record is read, where documents can stay in their file

    @property
    def all_endings(self) -> tuple[str, ...]:
        """All endings of such files, the most common first; `usual_endings` alone do not decide the format."""
        return (*self.endings, *self.usual_endings)

    @property
    def told_by_content(self) -> bool:
        """Whether the beginning of a file tells the format, whatever the ending."""
        return bool(self.marks or self.header)

    def recognises(self, head: bytes, first: str) -> bool:
        """Whether the beginning of a file, or its first line, tells that it has this format."""
        if self.header:
            return re.fullmatch(self.header, first.strip().lower()) is not None
        return bool(self.marks) and all(mark.encode() in head for mark in self.marks)


FORMATS: Registry[Format] = Registry("format", "cranfield.read.formats")


def reads(
    name: str,
    role: Role,
    sample: str,
    *,
    endings: tuple[str, ...] = (),
    usual_endings: tuple[str, ...] = (),
    writable: bool = False,
    guessed: bool = True,
    binary: bool = False,
    columns: ColumnReader | None = None,
    marks: tuple[str, ...] = (),
    header: str = "",
    by_text: bool = False,
    record: RecordReader | None = None,
) -> Callable[[R], R]:
    """Put a reader into the registry; the first line of its docstring describes the format."""

    def register(reader: R) -> R:
        found = Format(
            name=name,
            role=role,
            sample=sample,
            description=(reader.__doc__ or "").strip().splitlines()[0],
            reader=reader,
            endings=endings,
            usual_endings=usual_endings,
            writable=writable,
            guessed=guessed,
            binary=binary,
            columns=columns,
            marks=marks,
            header=header,
            by_text=by_text,
            record=record,
        )
        FORMATS.add(name, found, home=reader.__module__)
        return reader

    return register


def record_reader(format: str) -> RecordReader | None:
    """How one record of that format is read where it stands; None if its documents cannot stay in their file."""
    found = FORMATS.find(format)
    return None if found is None else found.record


def named(name: str, role: Role) -> Format:
    """The format of that name: `run-jsonl`, or `jsonl` where a run is expected."""
    found = FORMATS.find(f"{role}-{name}") or FORMATS.find(name)
    if found is None:
        meant = next((item.role for item in FORMATS.values() if name.startswith(f"{item.role}-")), role)
        near = FORMATS.nearest(name)
        guess = f"did you mean {near}? " if near and FORMATS[near].role == meant else ""
        known = ", ".join(key for key, item in FORMATS.items() if item.role == meant)
        raise PolicyError("E118", f"unknown format {name!r}", hint=f"{guess}formats of {NOUNS[meant]}: {known}")
    if found.role != role:
        problem = f"format {found.name} holds {NOUNS[found.role]}, expected {NOUNS[role]}"
        raise PolicyError("E118", problem)
    return found


NOUNS: dict[Role, str] = {
    "run": "a run",
    "qrels": "qrels",
    "topics": "topics",
    "documents": "documents",
    "pool": "a pool",
    "estimate": "label probabilities",
    "efficiency": "latencies",
    "intents": "intent probabilities",
}


def with_assessors(*, written: bool = False) -> str:
    """The formats whose rows may name their assessor, or those of them that can be written, for hints.

    >>> with_assessors()
    'qrels-csv, qrels-jsonl, qrels-tsv'
    """
    return ", ".join(sorted(name for name, item in FORMATS.items() if item.columns and (item.writable or not written)))


def unrecognised(content: Content, role: Role, problem: str = "") -> InputError:
    """The error for a file whose format is not recognised."""
    known = ", ".join(key for key, item in FORMATS.items() if item.role == role)
    text = problem or f"the format is not recognised, expected {NOUNS[role]}"
    return InputError("E118", text, path=content.name, hint=f"name it with {setting('format')}: {known}")
