"""`--jobs` and `--cluster`: threads, processes, or a Dask cluster."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from cranfield.cli.options import option
from cranfield.cli.printing.console import Console

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
        "--cluster",
        group="input",
        metavar="ADDRESS",
        callback=_silenced,
        help="scheduler of a Dask cluster that does the work",
    )
    return threads(cluster(function))


def _silenced(ctx: click.Context, _: click.Parameter, address: str | None) -> str | None:
    """The address; the logs and tracebacks of Dask are shown with -vv only."""
    if address is not None and isinstance(ctx.obj, Console) and ctx.obj.verbosity < 2:
        import logging

        logging.disable(logging.CRITICAL)  # for the rest of the process: Dask goes on logging while it ends
    return address
