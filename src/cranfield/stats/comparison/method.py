"""How runs are compared: the test, the correction, and everything else that shapes a p value."""

import math
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypedDict, get_args

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.registry import one_of, registered
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.draws import check_draws
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.intervals import INTERVALS
from cranfield.stats.paired.intervals import IntervalMethod as Interval
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC

ComparisonFamily = Literal["measure", "all"]
FAMILIES = get_args(ComparisonFamily)
NONE = "none"
RESAMPLES = 10_000  # of an interval, unless told otherwise


class MethodChoices(TypedDict, total=False):
    """What a comparison takes by name, beside the baselines."""

    test: str
    adjust: str
    alpha: float
    family: ComparisonFamily
    interval: Interval | None
    equivalence: float | None
    rope: float | None
    risk: float | None
    omnibus: str | None
    samples: int | None
    seed: int


@dataclass(frozen=True)
class Method:
    """The choices of one comparison.

    >>> Method("randomisation", "fdr").as_dict()["test"], Method("randomisation", "fdr").adjust
    ('permutation', 'bh')

    Attributes:
        test: a test of the differences of two runs (`TESTS`), or `none`.
        adjust: a correction of p values, or a procedure for all pairs that replaces test and correction.
        alpha: a corrected p below it is significant; intervals have the level 1 - alpha.
        family: whether the comparisons of each `measure` are a family, or `all` of them together.
        interval: the method for the interval of the mean difference; by default the one that belongs to the test.
        equivalence: the margin of a test of equivalence.
        rope: the region of practical equivalence of a Bayesian summary.
        risk: the additional weight of a loss: 1 doubles losses.
        omnibus: a test of all runs at once.
        samples: number of random draws; None: the default of each test and interval.
        seed: of every draw.
    """

    test: str = "t"
    adjust: str = "holm"
    alpha: float = 0.05
    family: ComparisonFamily = "measure"
    interval: Interval | None = None
    equivalence: float | None = None
    rope: float | None = None
    risk: float | None = None
    omnibus: str | None = None
    samples: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        chosen: dict[str, str | None] = {
            "test": NONE if self.test == NONE else registered("test", self.test, TESTS),
            "adjust": registered("adjust", self.adjust, CORRECTIONS, POSTHOC),
            "omnibus": None if self.omnibus is None else registered("omnibus", self.omnibus, OMNIBUS),
        }
        for name, value in chosen.items():  # by the name that is printed, whatever it was called
            object.__setattr__(self, name, value)
        natural = "t" if self.test == NONE else TESTS[self.test].interval
        object.__setattr__(self, "interval", registered("interval", self.interval or natural, INTERVALS))
        one_of("family", self.family, FAMILIES)
        if not 0 < self.alpha < 1:
            raise PolicyError("E240", f"{setting('alpha', self.alpha)} must lie between 0 and 1", hint="write 0.05")
        for name in ("equivalence", "rope"):
            margin = getattr(self, name)
            if margin is not None and not (math.isfinite(margin) and margin > 0):
                raise PolicyError("E240", f"{setting(name, margin)} must be a number above 0", hint="write 0.02")
        if self.risk is not None and not (math.isfinite(self.risk) and self.risk >= 0):
            raise PolicyError("E240", f"{setting('risk', self.risk)} must be a number from 0", hint="1 doubles losses")
        if self.seed < 0:
            raise PolicyError("E240", f"{setting('seed', self.seed)} must be at least 0")
        if self.samples is not None:
            check_draws(self.samples)
        if self.posthoc and self.family == "all":
            hint = f"{setting('family', 'measure')}, or {setting('adjust', 'holm')}"
            raise PolicyError(
                "E243",
                f"{setting('adjust', self.adjust)} is about one measure, not {setting('family', 'all')}",
                hint=hint,
            )

    @property
    def level(self) -> float:
        """The confidence level of intervals."""
        return 1 - self.alpha

    @property
    def percent(self) -> float:
        """The confidence level of intervals, in percent."""
        return 100 * self.level

    @property
    def tested(self) -> bool:
        """Whether there are p values at all."""
        return self.test != NONE or self.posthoc

    @property
    def resamples(self) -> int:
        """How often topics are resampled for an interval."""
        return self.samples or RESAMPLES

    @property
    def corrected(self) -> str:
        """The word before corrected p values; Conover's are not corrected, but protected by Friedman's test."""
        return "" if self.adjust in (NONE, "conover") else "corrected "

    @property
    def posthoc(self) -> bool:
        """Whether a procedure for all pairs replaces test and correction."""
        return self.adjust in POSTHOC

    @property
    def performed(self) -> str:
        """The test of a pair, or the procedure for all pairs that replaces it."""
        return self.adjust if self.posthoc else self.test

    def chosen(self, option: str) -> bool:
        """Whether the caller chose a value of an option that may be left out."""
        return getattr(self, option) is not None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the JSON envelope; a procedure for all pairs replaces the test."""
        return {**asdict(self), "test": self.performed}
