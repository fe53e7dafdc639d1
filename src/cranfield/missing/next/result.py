"""The result of `next`: the documents to judge, in order."""

import os
from dataclasses import dataclass
from functools import cached_property
from typing import IO, TYPE_CHECKING, Any, ClassVar

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors.arguments import checked_methods
from cranfield.missing.next.question import Question
from cranfield.missing.next.shrinkage import Shrinkage, shrinkage
from cranfield.missing.next.strategies import NextStrategy
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.pool import Pool
from cranfield.tables.words import counted

if TYPE_CHECKING:
    import polars


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class NextJudgments(Result):
    """The documents to judge next, the most useful first.

    Attributes:
        measure: its name.
        strategy: how they were chosen.
        topics: of each document.
        documents: their ids.
        value: of each document, by the strategy.
        pairs: how many open pairs each document can change.
        open: how many pairs are open.
        asked: how many pairs were compared.
        holes: how many there are.
        question: the holes, and the pairs that are open.
        chosen: the places of the documents among the holes.

    >>> import cranfield as cf
    >>> runs = {"A": {"1": ["a", "b"]}, "B": {"1": ["b", "c"]}}
    >>> cf.holes({"1": {"a": 1}}, runs, "RBP(p=0.8)").next(2)
     judge next  topic  document  open pairs  shrinks the open ranges by
              1      1  c                  1                      0.1600
              2      1  b                  1                      0.0400
    <BLANKLINE>
     1 of 1 pair open in RBP(p=0.8) · 2 holes · strategy=swing
    """

    command: ClassVar[str] = "holes"

    measure: str
    strategy: NextStrategy
    topics: tuple[str, ...]
    documents: tuple[str, ...]
    value: Floats
    pairs: Ints
    open: int
    asked: int
    holes: int
    audit: Audit
    question: Question
    chosen: Ints

    @cached_property
    def shrinkage(self) -> Shrinkage:
        """By how much judging each document shrinks the ranges of the open pairs: at least, and at most."""
        return shrinkage(self.question, self.chosen)

    @property
    def shrinks(self) -> Floats:
        """By how much judging each document shrinks the ranges of the open pairs, in sum, whatever its grade."""
        return self.shrinkage.least

    @property
    def exact(self) -> bool:
        """Whether `shrinkage` is exact: for sums over documents, and their shares of an ideal list, as nDCG is."""
        return self.shrinkage.exact

    @property
    def by(self) -> str:
        """How `shrinks` is announced."""
        return "by" if self.exact else "by about"

    @property
    def depends(self) -> bool:
        """Whether it matters for the ranges which grade a document gets."""
        return bool((self.shrinkage.most > self.shrinkage.least).any())

    def __len__(self) -> int:
        """Number of documents."""
        return len(self.documents)

    @property
    def pool(self) -> Pool:
        """The same as a pool; it is adaptive, so no probability is known."""
        names = [self.strategy.name] * len(self)
        return Pool.of(self.topics, self.documents, names, np.full(len(self), np.nan))

    def write(self, path: "str | os.PathLike[str] | IO[bytes]") -> None:
        """Write a pool file: topic, document, stratum and probability, separated by tabs."""
        from cranfield.write import write_table

        write_table(self.pool, path)

    # --- forms -------------------------------------------------------------------------------------------------

    def table(self) -> "polars.DataFrame":
        """One row for each document: topic, document, value, shrinks, shrinks_most, pairs."""
        return self._full_sheet().polars()

    def sheet(self) -> Sheet:
        """The printed table."""
        columns = [
            Column("judge next", np.arange(1, len(self) + 1)),
            Column("topic", self.topics),
            Column("document", self.documents),
            Column("open pairs", self.pairs, ","),
            Column(f"shrinks the open ranges {self.by}", self.shrinks, ".4f"),
        ]
        if self.depends:
            columns.append(Column("up to", self.shrinkage.most, ".4f"))
        if self.strategy.shows:
            columns.append(Column(self.strategy.shows, self.value, ".4f"))
        return Sheet(tuple(columns), (self._note(),), label="tab:next")

    def _note(self) -> str:
        pairs = f"{self.open:,} of {counted(self.asked, 'pair')} open in {self.measure}"
        return f"{pairs} · {counted(self.holes, 'hole')} · strategy={self.strategy.name}"

    def _full_sheet(self) -> Sheet:
        return Sheet(
            (
                Column("topic", self.topics),
                Column("document", self.documents),
                Column("value", self.value),
                Column("shrinks", self.shrinks),
                Column("shrinks_most", self.shrinkage.most),
                Column("pairs", self.pairs),
            )
        )

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        return {
            "measure": self.measure,
            "strategy": self.strategy.name,
            "open": self.open,
            "asked": self.asked,
            "holes": self.holes,
            "exact": self.exact,
            "next": [
                {**row, "value": value if np.isfinite(value) else None}
                for row, value in zip(self._full_sheet().records(), self.value.tolist(), strict=True)
            ],
        }
