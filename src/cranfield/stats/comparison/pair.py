"""The results for one run against another: the record from which every form of a comparison is made.

`PairRecord` declares the fields once. `Pair` holds the values of one pair, `Pairs` those of all pairs of a measure, one
array for each field.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors.arguments import checked_methods
from cranfield.stats.comparison.declared import Shown, declare, declared
from cranfield.stats.comparison.sheets.cells import (
    equivalences,
    not_of_sums,
    of_means,
    probabilities,
    spans,
    tallies,
    tested,
    topics_differ,
)
from cranfield.stats.paired.definition import TESTS
from cranfield.tables.scores import number
from cranfield.tables.sheets.marked import Signed, Starred

Interval: TypeAlias = tuple[float, float]
NameArray: TypeAlias = NDArray[np.object_]

NameT = TypeVar("NameT")
CountT = TypeVar("CountT")
NumberT = TypeVar("NumberT")
FlagT = TypeVar("FlagT")
SpanT = TypeVar("SpanT")


def _negated(value: Any) -> Any:  # a number, or both ends of an interval
    return (-value[1], -value[0]) if isinstance(value, tuple) else -value


def _inverse(percent: float) -> float:
    """The percentage of the reverse change: a rise by a fourth is undone by a fall by a fifth.

    >>> _inverse(25.0)
    -20.0
    """
    return -100 * percent / (100 + percent) if percent != -100 else math.nan


def _inverted(interval: Interval) -> Interval:
    """The interval of the reverse percentage; undefined if the mean of the run may be 0."""
    return (_inverse(interval[1]), _inverse(interval[0])) if interval[0] > -100 else (math.nan, math.nan)


def _complement(share: float) -> float:
    return 1 - share


def _not_known(_: float) -> float:
    """NaN: the value for the reversed pair is not known."""
    return math.nan


@dataclass(frozen=True, eq=False)
class PairRecord(Generic[NameT, CountT, NumberT, FlagT, SpanT]):
    """One run against another on one measure: every field is declared here, and nowhere else.

    The order is that of JSON. Undefined numbers are NaN; fields that were not requested are None.
    """

    run: NameT = field(metadata=declare("name", "the run", partner="baseline"))
    baseline: NameT = field(metadata=declare("name", "the run with which it is compared", partner="run"))
    measure: NameT = field(metadata=declare("name", "the measure"))
    topics: CountT = field(
        metadata=declare(
            "count",
            "topics on which both have a value",
            shown=Shown("topics", format="d", when=topics_differ),
            after="losses",
        )
    )
    difference: NumberT = field(
        metadata=declare(
            "number",
            "mean difference, run minus baseline",
            shown=Shown("Δ", Signed, "+.4f", sums="+.0f"),
            turned=_negated,
        )
    )
    ci: SpanT = field(
        metadata=declare(
            "interval",
            "interval of the difference",
            shown=Shown("{method.percent:g} % CI of Δ", cells=spans, when=of_means),
            turned=_negated,
        )
    )
    median: NumberT = field(
        metadata=declare("number", "median difference; of logarithms under a geometric mean", turned=_negated)
    )
    percent: NumberT = field(metadata=declare("number", "difference in percent of the baseline", turned=_inverse))
    percent_ci: SpanT = field(metadata=declare("interval", "interval of percent", turned=_inverted))
    d_z: NumberT = field(
        metadata=declare(
            "number",
            "difference in standard deviations of the differences",
            shown=Shown("d_z", Signed, ".2f", when=not_of_sums),
            turned=_negated,
        )
    )
    d_z_ci: SpanT = field(metadata=declare("interval", "interval of d_z", turned=_negated))
    hedges_g: NumberT = field(metadata=declare("number", "Hedges' g", turned=_negated))
    hedges_g_ci: SpanT = field(metadata=declare("interval", "interval of hedges_g", turned=_negated))
    cliffs_delta: NumberT = field(metadata=declare("number", "Cliff's delta", turned=_negated))
    cliffs_delta_ci: SpanT = field(metadata=declare("interval", "interval of cliffs_delta", turned=_negated))
    test: NameT = field(
        metadata=declare("name", "the test, or the procedure for all pairs, that statistic and p are of")
    )
    statistic: NumberT = field(  # Pair.reversed turns it by test
        metadata=declare(
            "number",
            "statistic of the test; of tukey and nemenyi the studentised range, of conover t, of tukey-randomized the "
            "difference of means",
        )
    )
    p_raw: NumberT = field(
        metadata=declare("share", "p, not corrected; undefined for a procedure that gives only corrected ones")
    )
    p: NumberT = field(
        metadata=declare("share", "corrected p", shown=Shown("p", Starred, cells=probabilities, when=tested))
    )
    significant: FlagT = field(metadata=declare("flag", "whether the corrected p lies below alpha"))
    reason: NameT = field(metadata=declare("name", "why there is no p, if one was asked for"))
    permutation_p: NumberT = field(
        metadata=declare("share", "p of the permutation test, not corrected, if no statistic of the test is finite")
    )
    warning: NameT = field(metadata=declare("name", "why the significance is doubtful"))
    wins: CountT = field(
        metadata=declare(
            "count", "topics on which the run is better", shown=Shown("W/T/L", cells=tallies), partner="losses"
        )
    )
    ties: CountT = field(metadata=declare("count", "topics on which they are equal"))
    losses: CountT = field(metadata=declare("count", "topics on which the run is worse", partner="wins"))
    equivalence_p: NumberT | None = field(
        default=None,
        metadata=declare(
            "share",
            "corrected p of the test of equivalence; small: the difference lies inside the margin",
            option="equivalence",
            shown=Shown("p(|Δ|<{method.equivalence:g})", Starred, cells=equivalences),
            after="p",
        ),
    )
    probability_better: NumberT | None = field(
        default=None,
        metadata=declare(
            "share",
            "posterior probability that the run is better",
            option="rope",
            shown=Shown("P(better)", format=".3f", when=not_of_sums),
            after="equivalence_p",
            turned=_complement,
        ),
    )
    probability_equivalent: NumberT | None = field(
        default=None,
        metadata=declare(
            "share",
            "posterior probability that the difference lies inside the region of equivalence",
            option="rope",
            shown=Shown("P(|Δ|<{method.rope:g})", format=".3f", when=not_of_sums),
            after="probability_better",
        ),
    )
    urisk: NumberT | None = field(
        default=None,
        metadata=declare(
            "number",
            "mean gain over the baseline in which losses weigh more",
            option="risk",
            shown=Shown("URisk", Signed, "+.4f", when=not_of_sums),
            after="cliffs_delta_ci",
            turned=_not_known,
        ),
    )
    trisk: NumberT | None = field(
        default=None,
        metadata=declare(
            "number",
            "urisk over its standard error",
            option="risk",
            shown=Shown("TRisk", Signed, ".2f", when=not_of_sums),
            after="urisk",
            turned=_not_known,
        ),
    )


@checked_methods
@dataclass(frozen=True, eq=False)
class Pair(PairRecord[str, int, float, bool, Interval]):
    """One run against another on one measure; `p` is corrected, `p_raw` is not, and undefined values are NaN.

    >>> from cranfield.stats.comparison.compare import compare
    >>> qrels = dict.fromkeys(["q1", "q2", "q3"], {"a": 1, "b": 0})
    >>> runs = {"new": dict.fromkeys(qrels, ["a", "b"]), "old": dict.fromkeys(qrels, ["b", "a"])}
    >>> pair = compare(qrels, runs, "RR", test="sign").pair("new", "old")
    >>> pair.difference, pair.wins, pair.p  # 1 - 1/2 on each of three topics; 2 / 2³
    (0.5, 3, 0.25)
    >>> pair.percent, pair.reversed().percent  # of 1/2; -1/2 of 1
    (100.0, -50.0)
    """

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal; what is undefined in both is equal, although NaN is not."""
        return self._values() == other._values() if isinstance(other, Pair) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._values())

    def _values(self) -> tuple[object, ...]:
        """The class and the values of all fields, in which undefined numbers are equal."""
        return type(self), *(_comparable(value) for value in vars(self).values())

    def reversed(self) -> "Pair":
        """The same pair seen from the other side."""
        turned: dict[str, Any] = {}  # values of every kind
        for name, about in declared(type(self)).items():
            value = getattr(self, about.partner or name)
            turned[name] = None if value is None else about.turned(value)
        return replace(self, **{**turned, "statistic": self._swapped_statistic()})

    def _swapped_statistic(self) -> float:
        rule = TESTS[self.test].swapped if self.test in TESTS else "negated"
        counted = self.wins + self.losses - self.statistic
        return {"negated": -self.statistic, "same": self.statistic, "counted": counted}[rule]

    def as_dict(self) -> dict[str, Any]:
        """Plain data for the JSON envelope; undefined is None."""
        return {name: _plain(value) for name, value in vars(self).items()}


def _comparable(value: object) -> object:
    """The value itself, with a word in place of NaN."""
    if isinstance(value, tuple):
        return tuple(map(_comparable, value))
    return "undefined" if isinstance(value, float) and math.isnan(value) else value


def _plain(value: Any) -> Any:  # names, counts, numbers and intervals alike
    if isinstance(value, tuple):
        return [number(end) for end in value]
    return number(value) if isinstance(value, float) else value


@dataclass(frozen=True, eq=False)
class Pairs(PairRecord[NameArray, Ints, Floats, Bools, Floats]):
    """All pairs of a measure: every field is an array with one element per pair, an interval one of `[pair, 2]`."""

    single: ClassVar[type[Pair]] = Pair

    def __len__(self) -> int:
        return len(self.run)

    def __iter__(self) -> Iterator[Pair]:
        columns = self._columns()
        rows = zip(*map(_listed, columns.values()), strict=True)
        return (self.single(**dict(zip(columns, row, strict=True))) for row in rows)

    def at(self, place: int) -> Pair:
        """One of the pairs."""
        return next(iter(self.take(np.array([place]))))

    def take(self, places: Ints) -> "Pairs":
        """Some of the pairs."""
        return replace(self, **{name: values[places] for name, values in self._columns().items()})

    @staticmethod
    def together(parts: "Sequence[Pairs]") -> "Pairs":
        """Pairs of one measure, one part after the other."""
        columns = [part._columns() for part in parts]
        return replace(parts[0], **{name: np.concatenate([each[name] for each in columns]) for name in columns[0]})

    def _columns(self) -> dict[str, Any]:  # arrays of every kind
        known = {name: getattr(self, name) for name in declared(type(self))}
        return {name: values for name, values in known.items() if values is not None}


def _listed(values: Any) -> list[Any]:  # an array of any kind
    """An array as plain Python values, an interval as its two ends."""
    return [(low, high) for low, high in values.tolist()] if values.ndim == 2 else values.tolist()
