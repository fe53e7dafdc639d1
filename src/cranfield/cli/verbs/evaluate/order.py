"""The order of runs in printed tables: `--sort`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cranfield.cli.options import F, complete_measure, option
from cranfield.errors import PolicyError
from cranfield.tables.sheets.forms import FORMS

if TYPE_CHECKING:
    from cranfield.measures.grammar import Measure
    from cranfield.tables.scores import Scores

GIVEN = "given"


def sort(function: F) -> F:
    """The option, handed over as `sort`."""
    return option(
        "--sort",
        group="output",
        metavar="MEASURE",
        shell_complete=_complete,
        usual="the first measure",
        help=f"order of the runs in printed tables, best first; {GIVEN}: as they were named",
    )(function)


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    own = [GIVEN] if GIVEN.startswith(incomplete) else []
    return own + complete_measure(ctx, param, incomplete)


def column_of(sort: str | None, shown: "Sequence[Measure]", form: str) -> int | None:
    """The place of the measure that orders the runs of printed tables; None if they keep their order."""
    if sort is not None and not is_printed(form):
        problem = f"--sort is for printed tables, and {form} keeps the order of the runs"
        raise PolicyError("E200", problem, hint="leave --sort out, or print a table")
    if sort == GIVEN:
        return None
    if sort is None:
        return 0
    from cranfield.measures.grammar import parse

    wanted = parse(sort)
    if wanted not in shown:
        hint = f"one of {', '.join(map(str, shown))}, {GIVEN}"
        raise PolicyError("E223", f"--sort: {wanted} is not in the table", hint=hint)
    return list(shown).index(wanted)


def is_printed(form: str) -> bool:
    """Whether people read that form; programs get the runs as they were named."""
    return form in FORMS and FORMS[form].for_people


def ordered(scores: "Scores", column: int | None) -> "Scores":
    """The runs in the order of that measure, best first."""
    return scores if column is None else scores.sorted(scores.measures[column])
