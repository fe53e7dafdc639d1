"""Where a table came from, and what scores were made of."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

Grades: TypeAlias = Literal["int", "float"]  # whether grades are read as whole or as real numbers
NameBy: TypeAlias = Literal["tag", "file"]  # what names a run that is read
_NO_HEADER: Mapping[str, Any] = {}


class Source(NamedTuple):
    """Name, size and fingerprint of an input, and the `ir_metadata` header it carried."""

    name: str = ""
    format: str = ""
    fingerprint: str | Callable[[], str | None] | None = None
    lines: bool = True  # whether row i is line i + 1 unless a table says otherwise
    metadata: Mapping[str, Any] = _NO_HEADER  # free-form YAML of the ir_metadata standard
    assessors: bool = False  # whether it names the assessor of each judgment
    line_at: Callable[[int], str | None] | None = None
    by_hand: bool = False  # whether the caller named what was read, so that no other name is chosen
    shared_name: str = ""  # the tag of a run that is called otherwise, because other runs have the same tag

    @property
    def sha256(self) -> str | None:
        """The fingerprint of the file, which may be computed only now; None where there is no file."""
        return self.fingerprint() if callable(self.fingerprint) else self.fingerprint

    def text_at(self, line: int | None) -> str | None:
        """The text of a line, read again from the file to word an error; None where that cannot be done."""
        return None if line is None or self.line_at is None else self.line_at(line)


IN_MEMORY = Source()  # of a table that was not read from a file


class _TableWithSource(Protocol):
    @property
    def source(self) -> Source: ...

    def __len__(self) -> int: ...


class Input(Mapping[str, Any]):
    """What an audit says of an input: `role`, `name`, `rows`, `sha256`; the last is computed when it is looked at.

    >>> dict(Input("run", "bm25.run", 1000, IN_MEMORY))
    {'role': 'run', 'name': 'bm25.run', 'rows': 1000, 'sha256': None}
    """

    def __init__(self, role: str, name: str, rows: int, source: Source, **more: str) -> None:
        """`more` holds further facts about the input."""
        self.role: str = role
        self.name: str = name
        self.rows: int = rows
        self.source: Source = source
        self.more: dict[str, str] = more

    @classmethod
    def of(cls, role: str, table: "_TableWithSource", name: str | None = None, **more: str) -> "Input":
        """The input behind a table; `name` is used for a table without a file."""
        return cls(role, table.source.name or name or role, len(table), table.source, **more)

    def __getitem__(self, key: str) -> Any:  # text, or a number
        if key not in _SAID:
            return self.more[key]
        return getattr(self.source if key == "sha256" else self, key)

    def __iter__(self) -> Iterator[str]:
        yield from (*_SAID, *self.more)

    def __len__(self) -> int:
        return len(_SAID) + len(self.more)

    def __repr__(self) -> str:
        return f"Input({self.role!r}, {self.name!r}, {self.rows})"


_SAID = ("role", "name", "rows", "sha256")


class ScoresOrigin(NamedTuple):
    """What scores were made of: the objects and paths as they were given, no copies.

    Attributes:
        qrels: whatever `as_qrels` takes.
        runs: whatever `as_sources` takes.
        policy: the choices that shaped the numbers.
        collapse: how subtopics of a document became its one grade.
    """

    qrels: Any
    runs: Any
    policy: Any  # a Policy; its class stands further right
    collapse: str | None = None

    def __reduce__(self) -> tuple[Callable[[], None], tuple[()]]:
        """Scores that are pickled forget their inputs."""
        return _forgotten, ()


def _forgotten() -> None:
    return None
