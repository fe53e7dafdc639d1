"""How `cranfield compare` compares: test, correction, interval and the rest, named as their registries name them."""

from dataclasses import dataclass
from typing import Any

import click

from cranfield.cli import options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath
from cranfield.cli.names import RegisteredName
from cranfield.cli.options.run_names import baseline

TEST = RegisteredName(DeclaredNames("cranfield.stats.paired.definition", "TESTS"), besides=["none"])
ADJUST = RegisteredName(
    DeclaredNames("cranfield.stats.comparison.corrections", "CORRECTIONS"),
    DeclaredNames("cranfield.stats.several.posthoc", "POSTHOC"),
)
INTERVAL = RegisteredName(DeclaredNames("cranfield.stats.paired.intervals", "INTERVALS"))
SEVERAL = RegisteredName(DeclaredNames("cranfield.stats.several.omnibus", "OMNIBUS"))
FAMILY = RegisteredName(DeclaredNames("cranfield.stats.comparison.method", "ComparisonFamily"))
_ABOVE = click.FloatRange(0, min_open=True)


@dataclass(frozen=True)
class Statistics:
    """How runs are compared: the options that were given."""

    baseline: tuple[str, ...]
    against: str | None
    options: dict[str, Any]  # keyword options of `cranfield.compare`, of several types

    @property
    def baselined(self) -> bool:
        """Whether runs are compared with a baseline or saved scores, instead of all pairs."""
        return bool(self.baseline or self.against)

    @property
    def tested(self) -> bool:
        """Whether there will be p values."""
        from cranfield.stats.several.posthoc import POSTHOC

        return self.options["test"] != "none" or self.options["adjust"] in POSTHOC


def statistical(function: options.F) -> options.F:
    """Test, correction and the rest: handed over as `statistics`."""

    def build(baseline: tuple[str, ...], against: str | None, **rest: Any) -> Statistics:
        return Statistics(baseline, against, rest)

    def option(*names: str, **attributes: Any) -> Any:
        return options.option(*names, group="statistics", **attributes)

    chosen = (
        "test",
        "samples",
        "seed",
        "adjust",
        "family",
        "alpha",
        "equivalence",
        "rope",
        "risk",
        "omnibus",
        "interval",
    )
    return options.bundle(
        "statistics",
        build,
        ("baseline", "against", *chosen),
        baseline(),
        option(
            "--against", type=InputPath(), metavar="SAVED.json", help="scores saved by evaluate --save, as the baseline"
        ),
        option("--test", type=TEST, default="t", brief=True, help="test of the differences of two runs"),
        option(
            "--samples",
            type=click.IntRange(1),
            metavar="N",
            usual="the default of the test",
            help="random draws of the test and of the interval",
        ),
        options.seed,
        option(
            "--adjust",
            type=ADJUST,
            default="holm",
            brief=True,
            help="correction for many comparisons, or a procedure for all pairs in place of test and correction",
        ),
        option(
            "--family",
            type=FAMILY,
            default="measure",
            help="what is corrected together: the comparisons of a measure, or all",
        ),
        option(
            "--alpha",
            type=click.FloatRange(0, 1, min_open=True, max_open=True),
            default=0.05,
            metavar="P",
            help="a corrected p below it is significant; intervals have the level 1 - P",
        ),
        option(
            "--ci",
            "interval",
            type=INTERVAL,
            usual="the one that belongs to the test",
            help="interval of the mean difference",
        ),
        option("--equivalence", type=_ABOVE, metavar="M", help="test whether differences lie within M (TOST)"),
        option("--rope", type=_ABOVE, metavar="M", help="probability that the difference lies within M"),
        option("--risk", type=click.FloatRange(0), metavar="A", help="URisk and TRisk, where losses count 1 + A times"),
        option("--omnibus", type=SEVERAL, help="test of all runs at once"),
    )(function)
