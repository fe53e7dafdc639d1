"""Documents by id, read from their file on access."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

from cranfield.errors import InputError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import named
from cranfield.tables.source import Source
from cranfield.tables.words import counted


@dataclass(frozen=True)
class Document:
    """One document; `fields` keeps whatever else the record holds (price, date …)."""

    id: str
    text: str
    title: str = ""
    url: str = ""
    kind: str = "text"  # text, html or markdown
    fields: Mapping[str, Any] = field(default_factory=dict)  # values of a JSON record


@checked_methods
@dataclass(frozen=True, eq=False)
class Documents(Mapping[str, Document]):
    """Documents by id; only their places are in memory, `fetch(position)` reads one.

    >>> documents = Documents.of([Document("d1", "Oslo is far away.")])
    >>> documents["d1"].text, documents
    ('Oslo is far away.', Documents: 1 document)
    """

    ids: tuple[str, ...]  # in the order of the file
    fetch: Callable[[int], Document]  # reads the document at a position
    source: Source = Source()  # noqa: RUF009  # frozen, so one may be shared
    span: Callable[[int], tuple[int, int]] | None = None  # first byte and length in the file, if they stand in one

    @classmethod
    def of(cls, members: Iterable[Document]) -> "Documents":
        """Documents that are in memory already."""
        kept = tuple(members)
        return cls(tuple(document.id for document in kept), kept.__getitem__)

    def __post_init__(self) -> None:
        if len(self._position) < len(self.ids):
            twice = next(name for place, name in enumerate(self.ids) if self._position[name] != place)
            raise InputError("E119", f"document {twice!r} occurs twice", path=self.source.name or None)

    @cached_property
    def _position(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.ids)}

    def __getitem__(self, document: str) -> Document:
        return self.fetch(named(document, self._position, "document"))

    def __contains__(self, document: object) -> bool:
        return document in self._position

    def __iter__(self) -> Iterator[str]:
        return iter(self.ids)

    def __len__(self) -> int:
        return len(self.ids)

    def __repr__(self) -> str:
        return f"Documents: {counted(len(self), 'document')}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Documents):
            return NotImplemented
        return self.ids == other.ids and all(self.fetch(i) == other.fetch(i) for i in range(len(self)))

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # unhashable: equal by content; mypy wants a method
