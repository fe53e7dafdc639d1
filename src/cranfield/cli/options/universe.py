"""`--universe`: which unjudged documents may turn out to be relevant."""

from collections.abc import Callable

import click

from cranfield.cli.files import files_of
from cranfield.cli.options import F, option


def universe(*, brief: bool = False) -> Callable[[F], F]:
    """The option, handed over as `universe`."""
    return option(
        "--universe",
        group="policy",
        metavar="NAME",
        default="runs",
        callback=_read,
        brief=brief,
        help="which unjudged documents may be relevant: runs, runs:K, pool:FILE or open:N",
    )


def _read(context: click.Context, _: click.Parameter, text: str) -> str:
    """The universe as it is written; a pool file is a file that is read."""
    kind, _colon, path = text.partition(":")
    if kind == "pool" and path and (files := files_of(context)) is not None:
        files.reads(path)
    return text
