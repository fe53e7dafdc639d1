"""`holes --next N`: which documents to judge next."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import options
from cranfield.cli.files import OutputPath
from cranfield.cli.names import RegisteredName
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import check_place
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.measures.grammar import Measure
    from cranfield.missing.next.result import NextJudgments
    from cranfield.missing.next.strategies import NextStrategy
    from cranfield.missing.result import Holes
    from cranfield.registry import Registry
    from cranfield.tables.sheets.blocks import SheetBlocks

_USUAL = "swing"


def _strategies() -> "Registry[NextStrategy]":
    from cranfield.missing.next.strategies import NEXT

    return NEXT


@dataclass(frozen=True)
class NextOptions:
    """How many documents, how they are chosen, and where they are written."""

    next: int | None
    strategy: str | None
    pool: str | None
    seed: int

    def check(self, measures: "Sequence[Measure]") -> None:
        """Refuse what has no effect, before any file is read."""
        if self.next is None:
            for name, value in (("--strategy", self.strategy), ("--pool", self.pool)):
                if value is not None:
                    raise PolicyError("E200", f"{name} has no effect without --next", hint="add --next 20")
            return
        if len(measures) > 1:
            hint = f"write -m {measures[0]}"
            raise PolicyError("E200", f"--next decides pairs by one measure, not {len(measures)}", hint=hint)
        if self.pool not in (None, "-"):
            check_place(str(self.pool))

    def chosen(self, console: Console, found: "Holes") -> "NextJudgments | None":
        """The documents, also written to the pool file."""
        if self.next is None:
            return None
        with console.timed("choosing"):
            documents = found.next(self.next, strategy=self.strategy or _USUAL, seed=self.seed)
        if self.pool is not None:
            documents.write(self.pool)
            console.detail(f"{self.pool}: {len(documents):,} pairs")
        return documents


def with_next(sheet: "SheetBlocks", documents: "NextJudgments | None") -> "SheetBlocks":
    """The tables with that of the documents below them."""
    if documents is None:
        return sheet
    table = documents.sheet()
    caption = f"Which documents to judge next. {' '.join(table.notes)}."
    blocks = (*sheet.blocks, replace(table, notes=(), caption=caption))
    return replace(sheet, blocks=blocks, notes=(*table.notes, *sheet.notes))


def result_with_next(result: dict[str, Any], documents: "NextJudgments | None") -> dict[str, Any]:
    """The data with those of the documents."""
    return result if documents is None else {**result, "next": documents.result()}


def judge_next(function: options.F) -> options.F:
    """The options, handed over as `judging`."""
    return options.bundle(
        "judging",
        NextOptions,
        ("next", "strategy", "pool", "seed"),
        options.option(
            "--next",
            group="statistics",
            type=click.IntRange(1),
            metavar="N",
            brief=True,
            help="also which N documents to judge next, so that open pairs are decided soon",
        ),
        options.option(
            "--strategy",
            group="statistics",
            type=RegisteredName(_strategies),
            metavar="NAME",
            usual=_USUAL,
            help="how they are chosen",
        ),
        options.option(
            "--pool",
            group="output",
            type=OutputPath(),
            metavar="FILE",
            brief=True,
            help="write the documents of --next there, as a pool",
        ),
        options.seed,
    )(function)
