"""`--baseline RUN`, and the completion of names of runs: what the files on the command line will be called."""

import os
from collections.abc import Callable

import click

from cranfield.cli.options.streams import F, option


def baseline(*, multiple: bool = True, usual: str = "all pairs") -> Callable[[F], F]:
    """The option, handed over as `baseline`."""
    return option(
        "--baseline",
        group="statistics",
        multiple=multiple,
        metavar="RUN",
        shell_complete=complete_run,
        brief=True,
        usual=usual,
        help="run with which the others are compared",
    )


def complete_run(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """The names of the runs given so far that begin so; files are looked into, but no more than their first line."""
    from cranfield.errors import Error
    from cranfield.read.sources.paths import expand

    try:
        given = expand(ctx.params.get("runs") or ())
    except (Error, OSError):
        return []
    stems = [item.name or os.path.basename(str(item.path)).partition(".")[0] for item in given]
    tags = [item.name or _tag(str(item.path)) for item in given]
    names = [tag if tag and tags.count(tag) == 1 else stem for tag, stem in zip(tags, stems, strict=True)]
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]


def _tag(path: str) -> str:
    """The tag in the first line of a TREC run; empty if the file is none, or cannot be read."""
    try:
        with open(path, encoding="utf-8") as file:
            words = file.readline(10_000).split()
    except (OSError, UnicodeDecodeError):
        return ""
    return words[5] if len(words) == 6 else ""
