"""`holes --next N`: which documents to judge next."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath, OutputPath
from cranfield.cli.names import RegisteredName
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import check_place
from cranfield.errors import PolicyError
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.judging.filling.queued import QueuedList
    from cranfield.measures.grammar import Measure
    from cranfield.missing.next.result import NextJudgments
    from cranfield.missing.result import Holes
    from cranfield.tables.sheets.blocks import SheetBlocks

_USUAL = "swing"


@dataclass(frozen=True)
class NextOptions:
    """How many documents, how they are chosen, and where they are written."""

    next: int | None
    strategy: str | None
    pool: str | None
    to: str | None
    docs: str | None
    seed: int

    def check(self, measures: "Sequence[Measure]") -> None:
        """Refuse what has no effect, before any file is read."""
        if self.next is None:
            for name, value in (("--strategy", self.strategy), ("--pool", self.pool), ("--to", self.to)):
                if value is not None:
                    raise PolicyError("E200", f"{name} has no effect without --next", hint="add --next 20")
        if self.docs is not None and self.to is None:
            raise PolicyError("E200", "--docs has no effect without --to", hint="add --to LAB.db")
        if self.next is None:
            return
        if len(measures) > 1:
            hint = f"write -m {measures[0]}"
            raise PolicyError("E200", f"--next decides pairs by one measure, not {len(measures)}", hint=hint)
        if self.pool not in (None, "-"):
            check_place(str(self.pool))
        if self.to is not None:
            from cranfield.judging.lab import Lab

            Lab.open(self.to).check_writable()

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

    def queued(self, console: Console, documents: "NextJudgments | None") -> "QueuedList | None":
        """The same, put into a lab."""
        if self.to is None or not documents:
            return None
        from cranfield.judging.filling.queued import queue_next

        with console.timed("queueing"):
            done = queue_next(self.to, documents, self.docs)
        if done.without_text:
            texts = counted(done.without_text, "document")
            console.note(f"{texts} without a text in {self.to}: assessors see ids alone; --docs FILE gives texts")
        return done


def with_queued(sheet: "SheetBlocks", done: "QueuedList | None") -> "SheetBlocks":
    """The tables with a line that says what was queued."""
    return sheet if done is None else replace(sheet, notes=(*sheet.notes, done.line()))


def with_next(sheet: "SheetBlocks", documents: "NextJudgments | None") -> "SheetBlocks":
    """The tables with that of the documents below them."""
    if documents is None:
        return sheet
    table = documents.sheet()
    caption = f"Which documents to judge next. {' '.join(table.notes)}."
    blocks = (*sheet.blocks, replace(table, notes=(), caption=caption))
    return replace(sheet, blocks=blocks, notes=(*table.notes, *sheet.notes))


def result_with_next(
    result: dict[str, Any], documents: "NextJudgments | None", done: "QueuedList | None" = None
) -> dict[str, Any]:
    """The data with those of the documents, and of the queue that they were put into."""
    found = result if documents is None else {**result, "next": documents.result()}
    return found if done is None else {**found, "queued": done.result()}


def judge_next(function: options.F) -> options.F:
    """The options, handed over as `judging`."""
    return options.bundle(
        "judging",
        NextOptions,
        ("next", "strategy", "pool", "to", "docs", "seed"),
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
            type=RegisteredName(DeclaredNames("cranfield.missing.next.strategies", "NEXT")),
            metavar="NAME",
            usual=_USUAL,
            help="how the documents of --next are chosen",
        ),
        options.option(
            "--pool",
            group="output",
            type=OutputPath(),
            metavar="FILE",
            brief=True,
            help="write the documents of --next there, as a pool",
        ),
        options.option(
            "--to",
            group="statistics",
            type=InputPath(),
            metavar="LAB.db",
            brief=True,
            help="queue the documents of --next in a lab, to be judged there",
        ),
        options.option(
            "--docs",
            group="input",
            type=InputPath(),
            metavar="FILE",
            help="with --to: texts of documents that the lab does not have",
        ),
        options.seed,
    )(function)
