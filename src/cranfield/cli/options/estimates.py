"""`--estimate SOURCE` and `--draws N`: completions of the judgments, drawn from a prior or from a file."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from cranfield.cli.files import files_of
from cranfield.cli.options import F, bundle, option
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.missing.estimates.estimate import Estimate
    from cranfield.missing.result import Holes


@dataclass(frozen=True)
class EstimateOptions:
    """Where completions come from, and how many are drawn."""

    estimate: str | None
    draws: int | None

    def check(self) -> None:
        """Refuse what has no effect, before any file is read."""
        if self.estimate is None and self.draws is not None:
            raise PolicyError("E200", "--draws has no effect without --estimate", hint="add --estimate prior")

    def drawn(self, found: "Holes", seed: int, measure: str | None = None) -> "Estimate":
        """The estimate of a measure, by default of the only one."""
        from cranfield.missing.estimates.estimate import DRAWS

        return found.estimate(self.estimate, draws=self.draws or DRAWS, seed=seed, measure=measure)


def estimated(text: str, *, brief: bool = False) -> Callable[[F], F]:
    """The options, handed over as `estimating`; the text says what --estimate shows, and ends before the sources."""
    return bundle(
        "estimating",
        EstimateOptions,
        ("estimate", "draws"),
        option(
            "--estimate",
            group="statistics",
            metavar="SOURCE",
            callback=_source,
            brief=brief,
            help=f"{text}: prior (fitted to the judgments), or a file of probabilities or labels",
        ),
        option(
            "--draws",
            group="statistics",
            type=click.IntRange(1),
            metavar="N",
            usual="4000",
            help="completions that are drawn for --estimate",
        ),
    )


def _source(context: click.Context, _: click.Parameter, text: str | None) -> str | None:
    """The source as it is; a file is an input."""
    if text is not None and text != "prior" and (files := files_of(context)) is not None:
        files.reads(text)
    return text
