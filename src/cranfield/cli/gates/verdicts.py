"""Print the verdicts on conditions."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import Output
from cranfield.errors import printable

if TYPE_CHECKING:
    from cranfield.tables.side.gates import GateVerdict


def say_verdicts(
    console: Console,
    verdicts: "Sequence[GateVerdict]",
    output: Output,
    form: str,
    *,
    blank: bool = True,
    aside: bool = False,
) -> None:
    """Print the verdicts below a table; if the output is for a program, or with `aside`, on stderr."""
    if not aside and (form == "table" or not output.to_stdout):
        for line in [*([""] if verdicts and output.to_stdout and blank else []), *map(verdict_line, verdicts)]:
            console.out_text(line)
        return
    for verdict in verdicts:
        console.aside(verdict_line(verdict))


def verdict_line(verdict: "GateVerdict") -> str:
    """One verdict; its word has a colour on a terminal."""
    word = click.style(verdict.word, fg="green" if verdict.passed else "red", bold=not verdict.passed)
    return f" {word}  {printable(verdict.condition)}: {printable(verdict.message)}"
