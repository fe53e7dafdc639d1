"""`--jobs` and `--cluster`: who does the work of a verb."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from cranfield.cli.options import option

F = TypeVar("F", bound=Callable[..., Any])


def workers(function: F) -> F:
    """The options, handed over as `jobs` and `cluster`."""
    threads = option(
        "--jobs",
        group="input",
        type=click.IntRange(1),
        metavar="N",
        help="threads [cores]; a Dask scheduler",
        shown="--jobs N, --cluster ADDRESS",
    )
    cluster = option("--cluster", group="input", metavar="ADDRESS", shown="")
    return threads(cluster(function))
