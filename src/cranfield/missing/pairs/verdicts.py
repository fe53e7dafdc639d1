"""Verdicts: whether missing judgments could reverse the order of two runs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.missing.pairs.attained import attained, difference
from cranfield.missing.ranges import Bounder, TopicRanges, of_differences
from cranfield.missing.situation import ZERO
from cranfield.tables.qrels import Qrels

VerdictStatus = Literal["certain", "open", "unresolved", "equal"]


@dataclass(frozen=True)
class Verdict:
    """Whether the order of two runs is certain, whatever the holes hold.

    Attributes:
        a: the first run.
        b: the second run.
        status: `certain`, `open` (some completion reverses the order, or makes a tie), `equal` (no difference in any
            completion), or `unresolved` (the outer bound includes 0, and no such completion is known; or the runs have
            no topic in common).
        winner: the better run, if that is certain.
        delta: the difference as judged, a minus b, on the topics in which both have a value.
        low: the lowest difference that completions could give.
        high: the highest one.
        exact: whether completions attain both ends; if not, the difference still lies between them.
        flips: how many documents suffice to reverse the order (or to make a tie, if no more is possible).
        smallest: whether fewer cannot do it.
        certified: whether no completion gives a difference outside; if not, the ends are those that completions drawn
            at random reach, and the order is never called certain.

    >>> import cranfield as cf
    >>> h = cf.holes({"1": {"a": 1}}, {"new": {"1": ["a"]}, "old": {"1": ["x"]}}, "P@1")
    >>> found = h.verdict("new", "old")  # x may be relevant
    >>> found.status, found.low, found.high, found.flips
    ('open', 0.0, 1.0, 1)
    """

    a: str
    b: str
    status: VerdictStatus
    winner: str | None
    delta: float
    low: float
    high: float
    exact: bool = True
    flips: int | None = None
    smallest: bool = False
    certified: bool = True


def status_of(low: float, high: float, exact: bool, attained: tuple[float, float]) -> VerdictStatus:
    """The status of a range; `attained` are the ends that known completions reach.

    >>> status_of(0.1, 0.4, True, (0.1, 0.4)), status_of(0.0, 0.4, True, (0.0, 0.4))
    ('certain', 'open')
    >>> status_of(-0.1, 0.4, False, (0.2, 0.3)), status_of(0.0, 0.0, True, (0.0, 0.0))
    ('unresolved', 'equal')
    """
    if np.isnan(low) or np.isnan(high):  # no topic in which both have a value
        return "unresolved"
    if low > ZERO or high < -ZERO:
        return "certain"
    if abs(low) <= ZERO and abs(high) <= ZERO:
        return "equal"
    return "open" if exact or (attained[0] <= ZERO and attained[1] >= -ZERO) else "unresolved"


def verdicts_of(bounder: Bounder, a: Ints, b: Ints, deltas: Iterable[float]) -> Iterator[Verdict]:
    """The verdicts on pairs of runs, each with the smallest set of documents that reverses it."""
    found = bounder.of(a, b)
    for row, (first, second, delta) in enumerate(zip(a.tolist(), b.tolist(), deltas, strict=True)):
        yield _verdict(bounder, bounder.refined(found.row(row), 0, first, second), first, second, delta)


def _verdict(bounder: Bounder, found: TopicRanges, a: int, b: int, delta: float) -> Verdict:
    ends = of_differences(bounder, np.array([a]), np.array([b]), found)
    low, high, exact = float(ends.low[0]), float(ends.high[0]), bool(ends.exact[0])
    known = (low, high) if exact or low > ZERO or high < -ZERO else _reached(bounder, a, b, delta)
    certified = not (np.isinf(low) or np.isinf(high))
    if not certified:
        drawn = bounder.inner.of(np.array([a]), np.array([b]))
        known = float(np.fmin(drawn.low[0], known[0])), float(np.fmax(drawn.high[0], known[1]))
    status = status_of(low, high, exact, known)
    low, high = (low, high) if certified else known
    names = bounder.situation.runs
    first = (low > 0) ^ bounder.situation.measure.definition.smaller
    winner = (names[a] if first else names[b]) if status == "certain" else None
    flips, smallest = (None, False)
    if status == "open" and bounder.average != "micro" and not bounder.budget.spent("flipping sets"):
        from cranfield.missing.pairs.flips import smallest_flip

        flips, smallest = smallest_flip(bounder, a, b, delta)
    return Verdict(
        a=names[a],
        b=names[b],
        status=status,
        winner=winner,
        delta=delta,
        low=_plain(low),
        high=_plain(high),
        exact=exact,
        flips=flips,
        smallest=smallest,
        certified=certified,
    )


def _plain(end: float) -> float:
    return 0.0 if abs(end) <= ZERO else float(end)


def _reached(bounder: Bounder, a: int, b: int, delta: float) -> tuple[float, float]:
    """The lowest and highest difference of means that known completions reach: at least the one as judged."""
    if bounder.average == "micro" or bounder.budget.spent("completions"):
        return delta, delta
    found = [difference(attained(bounder, a, b, high=high)[0], bounder.average) for high in (None, False, True)]
    known = [value for value in found if not np.isnan(value)]
    return (min(known), max(known)) if known else (np.nan, np.nan)


@dataclass(frozen=True, eq=False)
class PairRanges:
    """The ranges of the differences of all pairs of runs; rows `a` and `b` are places among the runs.

    Attributes:
        runs: their names.
        a: the first run of each pair.
        b: the second one.
        low: the lowest possible difference of the means.
        high: the highest one.
        exact: whether completions attain both.
    """

    runs: tuple[str, ...]
    a: Ints
    b: Ints
    low: Floats
    high: Floats
    exact: Bools

    @property
    def certain(self) -> Bools:
        """Which pairs have one order in all completions."""
        return (self.low > ZERO) | (self.high < -ZERO)

    @property
    def decided(self) -> Bools:
        """Which pairs have one order, or no difference, in all completions."""
        return self.certain | ((np.abs(self.low) <= ZERO) & (np.abs(self.high) <= ZERO))


def all_pairs(bounder: Bounder) -> PairRanges:
    """The ranges of all pairs; where the method bounds runs one by one they are outer bounds."""
    return pair_ranges(bounder, *np.triu_indices(len(bounder.situation.runs), 1))


def pair_ranges(bounder: Bounder, a: Ints, b: Ints) -> PairRanges:
    """The ranges of some pairs, each given by the places of its runs."""
    ends = of_differences(bounder, a, b)
    return PairRanges(bounder.situation.runs, a, b, ends.low, ends.high, ends.exact)


def completed(bounder: Bounder, qrels: Qrels, a: int, b: int, *, high: bool) -> Qrels:
    """The judgments with a completion that attains an end in every topic."""
    situation = bounder.situation
    if situation.subtopics is not None:
        from cranfield.missing.bounds.by_subtopic.witnesses import completed_by_subtopic

        return completed_by_subtopic(bounder, qrels, a, b, high=high)
    topic, document, grade = [], [], []
    for number, here in enumerate(bounder.topics):
        filled = bounder.method.witness(here, a, b, high=high)
        pairs = situation.holes_of(number)
        names = [*situation.document.take(pairs), *(f"unseen-{n + 1}" for n in range(len(filled) - len(pairs)))]
        topic += [situation.topics[number]] * len(names)
        document += names
        grade += filled.tolist()
    asked = set(zip(topic, document, strict=True))
    rows = [
        (name, each, value)
        for name, each, value in zip(
            [qrels.topics[place] for place in qrels.topic.tolist()], qrels.document, qrels.grade.tolist(), strict=True
        )
        if (name, each) not in asked
    ]
    whole = all(float(value).is_integer() for value in [*grade, *(row[2] for row in rows)])
    every = [*(row[2] for row in rows), *grade]
    return Qrels.of(
        [*(row[0] for row in rows), *topic],
        [*(row[1] for row in rows), *document],
        [int(value) for value in every] if whole else every,
    )
