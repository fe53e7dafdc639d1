"""A run: one system's ranked lists, as columns in the order of the file."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from cranfield.arrays import Floats, Ints, same
from cranfield.errors import InputError, PolicyError
from cranfield.errors.arguments import checked_class, checked_methods
from cranfield.errors.wording import either, setting
from cranfield.tables.source import IN_MEMORY, Source
from cranfield.tables.text import Text
from cranfield.tables.words import counted

if TYPE_CHECKING:
    import pandas
    import polars

    from cranfield.tables.caller_columns import ColumnLike


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Run:
    """Rows `(topic, document, score)` of one system; nothing is sorted, nothing is dropped.

    `topic[row]` is a position in `topics`; `line[row]` is the line in the source where that is not `row + 1`.
    Two runs are equal if their names and all their columns are, wherever they came from; a run with ranks is never
    equal to one without.

    >>> run = Run.of("bm25", ["1", "1"], ["d1", "d2"], [2.5, 1.0])
    >>> run
    Run 'bm25': 1 topic, 2 documents
    """

    name: str  # of the system
    topics: tuple[str, ...]  # ids in the order in which they are first met
    topic: Ints  # by row: a position in `topics`
    document: Text  # by row: the id
    score: Floats  # by row
    rank: Ints | Text | None = None  # by row, where the source has ranks
    line: Ints | None = None  # by row: the line of the file, where that is not the row + 1
    source: Source = IN_MEMORY  # where it was read

    @classmethod
    def of(
        cls,
        name: str,
        topic: Iterable[str],
        document: Iterable[str],
        score: "ColumnLike",
        rank: "ColumnLike | None" = None,
    ) -> "Run":
        """A run from columns of equal length; a score that is no number is refused."""
        from cranfield.tables import caller_columns

        topic, document = caller_columns.text(topic), caller_columns.text(document)
        scores = caller_columns.scores(score)
        ranks = None if rank is None else caller_columns.ranks(rank)
        caller_columns.same_length(topic=topic, document=document, score=scores, rank=ranks)
        topics, code = topic.codes()
        return cls(name, tuple(topics), code, document, scores, ranks)

    def ranks(self) -> Ints | None:
        """The rank column as numbers, if there is one; it is parsed on first use."""
        if not isinstance(self.rank, Text):
            return self.rank
        numbers, wrong = self.rank.integers()
        if wrong.any():
            row = int(np.flatnonzero(wrong)[0])
            raise InputError(
                "E119",
                f"rank {self.rank[row]!r} is not a whole number",
                path=self.source.name or None,
                line=self.line_of(row),
                text=self.text_of(row),
                hint=f"{setting('ties', 'trec')} orders by score and does not read the rank column",
            )
        return numbers

    def renamed(self, name: str) -> "Run":
        """The same rows under another name."""
        named = self.source._replace(by_hand=True, shared_name="") if self.source.name else self.source
        return replace(self, name=name, source=named)

    def line_of(self, row: int) -> int | None:
        """The line of a row in the source, if the source has lines."""
        if self.line is not None:
            return int(self.line[row])
        return row + 1 if self.source.name and self.source.lines else None

    def text_of(self, row: int) -> str | None:
        """The line itself, read again from the source to word an error; None where that cannot be done."""
        return self.source.text_at(self.line_of(row))

    def to_polars(self) -> "polars.DataFrame":
        """The rows as a polars frame (extra `frames`)."""
        from cranfield.tables.side.as_frames import polars_frame, run_columns

        return polars_frame(run_columns([self]))

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a pandas frame (pandas must be installed)."""
        from cranfield.tables.side.as_frames import pandas_frame, run_columns

        return pandas_frame(run_columns([self]))

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        return f"Run {self.name!r}: {counted(len(self.topics), 'topic')}, {counted(len(self), 'document')}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Run):
            return NotImplemented
        return self.name == other.name and (self.rank is None) == (other.rank is None) and self.same_rows(other)

    def same_rows(self, other: "Run") -> bool:
        """Whether both list the same documents with the same scores in the same order, under whatever name.

        Ranks are compared if both runs have them, for runs from formats that have no such column.

        >>> ranked = Run.of("a", ["1"], ["d1"], [2.5], rank=[1])
        >>> plain = Run.of("b", ["1"], ["d1"], [2.5])
        >>> ranked.same_rows(plain), ranked == plain.renamed("a")
        (True, False)
        """
        return (
            self.topics == other.topics
            and np.array_equal(self.topic, other.topic)
            and same(self.score, other.score)
            and (self.rank is None or other.rank is None or _equal_ranks(self.rank, other.rank))
            and self.document == other.document
        )

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # unhashable: equal by content; mypy wants a method


@checked_class
class Runs(Mapping[str, Run]):
    """Several runs by name, in the order given.

    >>> Runs([Run.of("a", ["1"], ["d1"], [1.0])])
    Runs: 1 system (a)
    """

    members: tuple[Run, ...]  # in order
    by_name: dict[str, Run]  # the same by name

    def __init__(self, members: Iterable[Run]) -> None:
        seen: dict[str, Run] = {}
        self.members = tuple(members)
        self.by_name = seen
        for run in self.members:
            if run.name in seen:
                raise equal_names(run.name, *(r.source.name or r.name for r in (seen[run.name], run)))
            seen[run.name] = run

    def __getitem__(self, name: str) -> Run:
        from cranfield.errors.names import named

        return named(name, self.by_name, "run")

    def to_polars(self) -> "polars.DataFrame":
        """The rows of all runs as a polars frame (extra `frames`)."""
        from cranfield.tables.side.as_frames import polars_frame, run_columns

        return polars_frame(run_columns(self.members))

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows of all runs as a pandas frame (pandas must be installed)."""
        from cranfield.tables.side.as_frames import pandas_frame, run_columns

        return pandas_frame(run_columns(self.members))

    def __iter__(self) -> Iterator[str]:
        return (run.name for run in self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        names = ", ".join(run.name for run in self.members[:6]) + (", …" if len(self) > 6 else "")
        return f"Runs: {counted(len(self), 'system')} ({names})"

    def __eq__(self, other: object) -> bool:
        return self.members == other.members if isinstance(other, Runs) else NotImplemented

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # unhashable: equal by content; mypy wants a method


def unlike_topics(run: str, qrels: str) -> str:
    """The hint for a run and judgments without a common topic, with a topic of each."""
    see = f"see {either('cranfield.convert(…, map_topics=FILE)', 'convert --map-topics')}"
    if " " in run + qrels:
        see = f"if one is the text of a query, pass {either('read_run(…, topics=FILE)', '--topics FILE')}"
    return f"run topics look like {run!r}, qrels topics like {qrels!r}; {see}"


def equal_names(name: str, first: str, second: str) -> PolicyError:
    """The error for two runs of one name, with the places they came from."""
    problem = f"two runs are called {name!r}: {first}, {second}"
    return PolicyError("E206", problem, hint=either("give a dict of names", "write NAME=PATH"))


def _equal_ranks(here: Ints | Text, there: Ints | Text) -> bool:
    """Ranks are equal as numbers, however spelt; a column that holds anything else is compared as it is spelt."""
    one, other = _numbered(here), _numbered(there)
    if isinstance(one, Text) or isinstance(other, Text):
        return isinstance(one, Text) and isinstance(other, Text) and one == other
    return np.array_equal(one, other)


def _numbered(rank: Ints | Text) -> Ints | Text:
    if not isinstance(rank, Text):
        return rank
    numbers, wrong = rank.integers()
    return rank if wrong.any() else numbers
