"""Cleaning on request: chunks become their documents, and a topic is left out of its own list."""

import os
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from cranfield.align.policy import FoldBy, Policy, RowsLeftOut
from cranfield.arrays import Ints
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.tables.run import Run
from cranfield.tables.text import Text

Fold: TypeAlias = str | Mapping[str, str]


class Folding(NamedTuple):
    """How the id of a chunk becomes that of its document."""

    pattern: re.Pattern[str] | None
    names: Mapping[str, str]

    @classmethod
    def of(cls, fold: Fold) -> "Folding":
        """From a mapping, a file of two columns, or a regular expression."""
        if not isinstance(fold, str):
            return cls(None, dict(fold))
        if os.path.isfile(fold):
            from cranfield.align.converting.mapping import read_map

            return cls(None, read_map(fold))
        try:
            return cls(re.compile(fold), {})
        except re.error as error:
            hint = "a regular expression such as '#[0-9]+$', which is cut off, or a file of chunk and document"
            raise PolicyError("E242", f"{setting('fold', fold)} cannot be read: {error}", hint=hint) from None

    def document(self, chunk: str) -> str:
        """The document of a chunk: the first group of the expression, or the id without what the expression matches.

        >>> Folding.of("#[0-9]+$").document("d1#3"), Folding.of("^(.+?)_").document("d1_p2_3")
        ('d1', 'd1')
        >>> Folding.of({"c7": "d1"}).document("c7"), Folding.of("#[0-9]+$").document("d1")
        ('d1', 'd1')
        """
        if self.pattern is None:
            return self.names.get(chunk, chunk)
        if (found := self.pattern.search(chunk)) is None:
            return chunk
        if self.pattern.groups:
            return found[1] or chunk
        return chunk[: found.start()] + chunk[found.end() :] or chunk


def cleaned(run: Run, rows: Ints, policy: Policy) -> tuple[Run, RowsLeftOut]:
    """Those rows of a run after cleaning, in the order of the file, and how many others it left out.

    >>> run = Run.of("r", ["q1"] * 3, ["d1#0", "d2#0", "d1#1"], [1.0, 2.0, 3.0])
    >>> clean, left_out = cleaned(run, np.arange(3), Policy(fold="#[0-9]+$"))
    >>> list(clean.document), clean.score, left_out
    (['d2', 'd1'], array([2., 3.]), RowsLeftOut(folded=1, self_matches=0))
    """
    document = run.document.take(rows)
    given = len(rows)
    if policy.fold is not None:
        kept, document = _folded(run, rows, document, Folding.of(policy.fold), policy.fold_by)
        rows = rows[kept]
    folded = given - len(rows)
    if policy.drop_self:
        others = ~document.equal(np.arange(len(rows)), Text.of(run.topics), run.topic[rows])
        rows, document = rows[others], document.take(np.flatnonzero(others))
    clean = replace(
        run,
        topic=run.topic[rows],
        document=document,
        score=run.score[rows],
        rank=None if run.rank is None else run.rank.take(rows),
        line=_lines(run, rows),
    )
    return clean, RowsLeftOut(folded, given - folded - len(rows))


def _folded(run: Run, rows: Ints, document: Text, folding: Folding, by: FoldBy) -> tuple[Ints, Text]:
    """Which of the rows stay, in their order, and the ids of their documents."""
    names, chunk = document.codes()
    number: dict[str, int] = {}
    of_chunk = np.array([number.setdefault(folding.document(name), len(number)) for name in names], dtype=np.int64)
    whole = of_chunk[chunk]
    pair = run.topic[rows] * max(1, len(number)) + whole
    order = np.arange(len(rows)) if by == "first" else np.argsort(-run.score[rows], kind="stable")
    kept = np.sort(order[np.unique(pair[order], return_index=True)[1]])
    return kept, Text.of(number).take(whole[kept])


def _lines(run: Run, rows: Ints) -> Ints | None:
    if run.line is not None:
        return run.line[rows]
    return rows + 1 if run.source.name and run.source.lines else None
