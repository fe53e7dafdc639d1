"""`--average`: how many topics become one number."""

from collections.abc import Callable

import click

from cranfield.cli.options import F, option
from cranfield.tables.averages import AVERAGING


def average() -> Callable[[F], F]:
    """The option, handed over as `average`."""
    return option(
        "--average",
        group="statistics",
        type=click.Choice(list(AVERAGING)),
        default="macro",
        help="; ".join(f"{name}: {words}" for name, words in AVERAGING.items() if name != "macro"),
    )
