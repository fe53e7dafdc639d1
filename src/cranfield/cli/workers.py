"""`--jobs` and `--cluster`: threads, processes, or a Dask cluster."""

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
        usual="cores",
        help="workers on this machine; small work gets one",
    )
    cluster = option(
        "--cluster", group="input", metavar="ADDRESS", help="scheduler of a Dask cluster that does the work"
    )
    return threads(cluster(function))
