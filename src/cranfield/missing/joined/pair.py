"""What missing judgments could change about a pair of a comparison: fields beside those of the statistics."""

import math
from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, TypeAlias

from cranfield.arrays import Bools, Floats
from cranfield.errors.arguments import checked_methods
from cranfield.missing.sheets.pairs import possible
from cranfield.stats.comparison.declared import Declared, Shown, declare
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.method import Method
from cranfield.stats.comparison.pair import Interval, NameArray, Pair, Pairs

Flip: TypeAlias = Literal["yes", "no", "unresolved"]
UNRESOLVED: Final = "?"


def _negated(value: float) -> float:
    return -value


def _complement(share: float) -> float:
    return 1 - share


def _turned(interval: Interval) -> Interval:
    return -interval[1], -interval[0]


def flip_cells(pairs: Pairs, _: Method) -> list[str | None]:
    """Whether holes could flip each pair, and between which ends its difference must lie."""
    rows = (pair for pair in pairs if isinstance(pair, RangedPair))
    return [flip_words(pair.flip, pair.possible_low, pair.possible_high) for pair in rows]


def flip_words(flip: str | None, low: float | None, high: float | None) -> str | None:
    """One cell; None if no range is known.

    >>> flip_words("no", 0.004, 0.123), flip_words("unresolved", -0.061, 0.142)
    ('no   Δ ∈ [+0.004, +0.123]', '?    Δ ∈ [−0.061, +0.142]')
    """
    if flip is None or low is None or high is None:
        return None
    word = UNRESOLVED if flip == "unresolved" else flip
    return f"{word:<4} Δ ∈ {possible(low, high)}"


def _known(found: Evidence) -> bool:
    pairs = found.pairs
    return isinstance(pairs, RangedPairs) and pairs.flip is not None and any(word is not None for word in pairs.flip)


def interval_cells(pairs: Pairs, _: Method) -> list[str | None]:
    """The interval of the difference on new topics."""
    rows = [pair.new_topics_ci for pair in pairs if isinstance(pair, RangedPair)]
    return [None if ends is None or math.isnan(ends[0]) else possible(*ends) for ends in rows]


POSSIBLE: dict[str, dict[str, Declared]] = {
    "possible_low": declare(
        "number",
        "the lowest difference that judgments of the unjudged documents could give",
        turned=_negated,
        partner="possible_high",
    ),
    "possible_high": declare(
        "number",
        "the highest difference that judgments of the unjudged documents could give",
        turned=_negated,
        partner="possible_low",
    ),
    "possible_exact": declare(
        "flag", "whether some judgments give both ends; if not, the difference still lies between them"
    ),
    "flip": declare(
        "name",
        "whether judgments of the unjudged documents could reverse the order of both runs, or make them equal: yes, no "
        "or unresolved",
        shown=Shown("holes could flip it?", cells=flip_cells, when=_known, last=True),
    ),
    "flip_documents": declare(
        "number", "how many unjudged documents suffice for that; not known where it is not the fewest possible"
    ),
    "probability_these_topics": declare(
        "share",
        "estimated probability that the run scores higher on these topics, once all holes are judged",
        shown=Shown("P on these topics", format=".3f"),
        after="p",
        turned=_complement,
    ),
    "probability_new_topics": declare(
        "share",
        "estimated probability that the run scores higher on new topics, once all holes are judged",
        shown=Shown("P on new topics", format=".3f"),
        after="probability_these_topics",
        turned=_complement,
    ),
    "new_topics_ci": declare(
        "interval",
        "estimated interval of the difference on new topics, once all holes are judged",
        shown=Shown("{method.percent:g} % on new topics", cells=interval_cells),
        after="probability_new_topics",
        turned=_turned,
    ),
}


@checked_methods
@dataclass(frozen=True, eq=False)
class RangedPair(Pair):
    """One run against another, with the range of their difference over all judgments that are missing.

    >>> import cranfield as cf
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 21)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a"]), "old": {**dict.fromkeys(qrels, ["b"]), "q20": ["x"]}}
    >>> comparison = cf.compare(qrels, runs, "P@1", test="sign")
    >>> pair = cf.with_ranges(comparison, cf.holes(qrels, runs, "P@1")).pair("new", "old")
    >>> pair.flip, pair.possible_low, pair.possible_high  # x may be relevant
    ('no', 0.95, 1.0)
    """

    possible_low: float | None = field(default=None, metadata=POSSIBLE["possible_low"])
    possible_high: float | None = field(default=None, metadata=POSSIBLE["possible_high"])
    possible_exact: bool | None = field(default=None, metadata=POSSIBLE["possible_exact"])
    flip: str | None = field(default=None, metadata=POSSIBLE["flip"])
    flip_documents: float | None = field(default=None, metadata=POSSIBLE["flip_documents"])
    probability_these_topics: float | None = field(default=None, metadata=POSSIBLE["probability_these_topics"])
    probability_new_topics: float | None = field(default=None, metadata=POSSIBLE["probability_new_topics"])
    new_topics_ci: Interval | None = field(default=None, metadata=POSSIBLE["new_topics_ci"])


@dataclass(frozen=True, eq=False)
class RangedPairs(Pairs):
    """All pairs of a measure, with the ranges of their differences."""

    single: ClassVar[type[Pair]] = RangedPair

    possible_low: Floats | None = field(default=None, metadata=POSSIBLE["possible_low"])
    possible_high: Floats | None = field(default=None, metadata=POSSIBLE["possible_high"])
    possible_exact: Bools | None = field(default=None, metadata=POSSIBLE["possible_exact"])
    flip: NameArray | None = field(default=None, metadata=POSSIBLE["flip"])
    flip_documents: Floats | None = field(default=None, metadata=POSSIBLE["flip_documents"])
    probability_these_topics: Floats | None = field(default=None, metadata=POSSIBLE["probability_these_topics"])
    probability_new_topics: Floats | None = field(default=None, metadata=POSSIBLE["probability_new_topics"])
    new_topics_ci: Floats | None = field(default=None, metadata=POSSIBLE["new_topics_ci"])
