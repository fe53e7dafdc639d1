"""What `cranfield holes` computes: the universe, the depths, the pairs."""

from dataclasses import dataclass
from typing import Any

import click

from cranfield.cli import options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.names import RegisteredName
from cranfield.cli.options.averages import average
from cranfield.cli.options.run_names import baseline
from cranfield.cli.options.universe import universe
from cranfield.errors import PolicyError


@dataclass(frozen=True)
class Asked:
    """The options that `cranfield.holes` takes by the same names."""

    choices: dict[str, Any]  # of several types

    def check(self) -> None:
        """Refuse what cannot be asked before any file is read."""
        from cranfield.missing.coverage import checked_depths
        from cranfield.missing.pairs.asked import pairs_asked
        from cranfield.missing.universe import read_universe

        read_universe(self.choices["universe"])
        checked_depths(self.choices["at"])
        pairs_asked([], self.choices["pairs"], self.choices["baseline"])


def asked(function: options.F) -> options.F:
    """The options, handed over as `asked`."""
    return options.bundle(
        "asked",
        lambda **choices: Asked(choices),
        ("universe", "scale", "at", "pairs", "baseline", "average", "budget"),
        universe(brief=True),
        options.option(
            "--scale",
            group="policy",
            metavar="G,G,…",
            callback=_grades,
            usual="the grades of the judgments",
            help="further grades that an unjudged document may have",
        ),
        options.option(
            "--at",
            group="statistics",
            metavar="K,K,…",
            default="1,3,5,10,20",
            callback=_depths,
            help="depths at which the judged share is printed",
        ),
        options.option(
            "--pairs",
            group="statistics",
            type=RegisteredName(DeclaredNames("cranfield.missing.pairs.asked", "PairsAsked")),
            brief=True,
            usual="all of up to ten runs, else adjacent",
            help="which pairs of runs are printed",
        ),
        baseline(usual=""),
        average(),
        options.option(
            "--budget",
            group="statistics",
            type=click.FloatRange(0),
            metavar="SECONDS",
            usual="no limit",
            help="time for searches; what is not finished gets wider bounds, which hold",
        ),
    )(function)


def _depths(context: click.Context, param: click.Parameter, text: str) -> list[int]:
    return [int(number) for number in _numbers(param, text, "1,5,10", int)]


def _grades(context: click.Context, param: click.Parameter, text: str | None) -> list[float] | None:
    return None if text is None else _numbers(param, text, "0,1,2", float)


def _numbers(param: click.Parameter, text: str, example: str, kind: type[float]) -> list[float]:
    """Numbers separated by commas."""
    try:
        return [kind(part) for part in text.split(",") if part.strip()]
    except ValueError:
        problem = f"{param.opts[0]}: {text!r} is no list of numbers"
        raise PolicyError("E242", problem, hint=f"write {param.opts[0]} {example}") from None
