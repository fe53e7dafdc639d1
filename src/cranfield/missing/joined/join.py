"""Join a comparison with the ranges of its pairs: whether missing judgments could flip what was found.

Ranges are found for the compared pairs, all at once. Where a method bounds runs one by one they are outer bounds; then
a few completions are tried for each pair, to see whether one of them reverses it.
"""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.names import place
from cranfield.missing.bounds.additive import Terms
from cranfield.missing.bounds.ideal import SharesOfIdeal
from cranfield.missing.completions import values
from cranfield.missing.inner import shown
from cranfield.missing.joined.pair import Flip, RangedPair, RangedPairs
from cranfield.missing.joined.result import RangedComparison
from cranfield.missing.pairs.flips import smallest_flip
from cranfield.missing.pairs.verdicts import PairRanges, pair_ranges, status_of
from cranfield.missing.ranges import Bounder, Ranges
from cranfield.missing.result import Holes
from cranfield.missing.sheets.whole import grade_words, method_words
from cranfield.missing.situation import ZERO
from cranfield.missing.universe import Universe
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.pair import NameArray, Pairs
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.comparison.sheets.cells import EQUALS, MOREOVER, REVERSES, warned_of
from cranfield.tables.summary import summary
from cranfield.tables.words import counted

FEW = 45  # pairs for which single completions are tried, and flipping sets looked for: those of ten runs


def with_ranges(comparison: Comparison, holes: Holes) -> RangedComparison:
    """The comparison with a column that says whether missing judgments could flip each pair.

    Args:
        comparison: of the same runs, judgments and measures.
        holes: what is missing; it may hold more runs and measures than are compared.

    >>> import cranfield as cf
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 21)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a"]), "old": {**dict.fromkeys(qrels, ["b"]), "q20": ["x"]}}
    >>> comparison = cf.compare(qrels, runs, "P@1", baseline="old", test="sign")
    >>> with_ranges(comparison, cf.holes(qrels, runs, "P@1")).pair("new", "old").flip
    'no'
    """
    scores = comparison.scores
    at = [place(run, holes.runs, "run") for run in scores.runs]
    columns = [place(measure, holes.measures, "measure") for measure in scores.measures]
    if not np.allclose(holes.scores.means[np.ix_(at, columns)], scores.means, rtol=0, atol=ZERO, equal_nan=True):
        problem = "the comparison and the holes are not of the same scores"
        raise PolicyError("E244", problem, hint="give both the same judgments, runs, measures and policies")
    return joined(comparison, {name: holes.bounder(name) for name in scores.measures}, holes.universe)


def joined(
    comparison: Comparison, bounders: Mapping[str, Bounder], universe: Universe, notes: tuple[str, ...] = ()
) -> RangedComparison:
    """The comparison with the ranges that the bounders find, for the measures that have one."""
    evidence, said = [], {}
    for found in comparison.evidence:
        bounder = bounders.get(found.measure)
        if bounder is None:
            evidence.append(replace(found, pairs=_blank(found.pairs)))
            continue
        pairs, certified = _ranged(comparison, found, bounder)
        evidence.append(replace(found, pairs=pairs))
        said[found.measure] = _assumptions(bounder, pairs, certified.tolist())
    if not said:
        return _as_ranged(comparison, comparison.evidence, "", notes)
    lines = list(said.values())
    told = [f"universe={universe}: {lines[0]}"]
    if len({*lines}) > 1:
        told = [f"universe={universe}", *(f"{name}: {line}" for name, line in said.items())]
    return _as_ranged(comparison, tuple(evidence), str(universe), (*told, *notes), bounders)


def _as_ranged(
    comparison: Comparison,
    evidence: tuple[Evidence, ...],
    universe: str,
    assumptions: tuple[str, ...],
    bounders: Mapping[str, Bounder] | None = None,
) -> RangedComparison:
    parts = {name: value for name, value in vars(comparison).items() if name in Comparison.__dataclass_fields__}
    return RangedComparison(
        **{**parts, "evidence": evidence}, universe=universe, assumptions=assumptions, bounders=bounders or {}
    )


def _tested(pairs: Pairs) -> dict[str, Any]:  # arrays of every kind
    """The fields of the statistics, without ranges that were joined before."""
    return {name: value for name, value in vars(pairs).items() if name in Pairs.__dataclass_fields__}


def _blank(pairs: Pairs) -> RangedPairs:
    """Pairs of a measure without ranges, beside others that have them."""
    nothing = np.full(len(pairs), np.nan)
    return RangedPairs(
        **_tested(pairs),
        possible_low=nothing,
        possible_high=nothing,
        possible_exact=np.zeros(len(pairs), dtype=bool),
        flip=np.full(len(pairs), None, dtype=object),
        flip_documents=nothing,
    )


def _ranged(comparison: Comparison, found: Evidence, bounder: Bounder) -> tuple[RangedPairs, Bools]:
    """The pairs with their ranges, and which of these are certified."""
    number = {name: at for at, name in enumerate(bounder.situation.runs)}
    own = np.array([number[name] for name in comparison.scores.runs], dtype=np.int64)
    a, b = own[found.contrasts.run], own[found.contrasts.baseline]
    means = comparison.scores.means[:, found.column]
    delta = means[found.contrasts.run] - means[found.contrasts.baseline]
    ranges = pair_ranges(bounder, a, b)
    ends, certified = shown(bounder, Ranges(ranges.low, ranges.high, ranges.exact), a, b)
    flip = _flips(bounder, ranges, ends, delta)
    needed = _documents(bounder, a, b, delta, flip)
    low, high = (np.where(np.abs(each) <= ZERO, 0.0, each) for each in (ends.low, ends.high))
    ranged = RangedPairs(
        **_tested(found.pairs),
        possible_low=low,
        possible_high=high,
        possible_exact=ranges.exact,
        flip=flip,
        flip_documents=needed,
    )
    return _warned(ranged, single=len(comparison.baselines) == 1), certified


def _flips(bounder: Bounder, ranges: PairRanges, drawn: Ranges, delta: Floats) -> NameArray:
    """Whether completions could reverse each difference: yes, no or unresolved.

    Where a range has no ends, `drawn` holds what completions drawn at random reach.
    """
    crossing = ~ranges.exact & (ranges.low <= ZERO) & (ranges.high >= -ZERO)
    tried = crossing & (np.count_nonzero(crossing) <= FEW)
    said = np.full(len(delta), None, dtype=object)
    for row, now in enumerate(delta.tolist()):
        low, high = float(ranges.low[row]), float(ranges.high[row])
        if np.isnan(low) or np.isnan(high) or np.isnan(now):
            continue
        a, b = int(ranges.a[row]), int(ranges.b[row])
        attained = _attained(bounder, a, b) if tried[row] else (now, now)
        if np.isinf(low) or np.isinf(high):
            attained = min(attained[0], float(drawn.low[row])), max(attained[1], float(drawn.high[row]))
        said[row] = flip_of(now, low, high, exact=bool(ranges.exact[row]), attained=attained)
    return said


def flip_of(delta: float, low: float, high: float, *, exact: bool, attained: tuple[float, float]) -> Flip:
    """Whether a difference could be reversed, or become none.

    >>> flip_of(0.1, 0.05, 0.2, exact=True, attained=(0.05, 0.2)), flip_of(0.1, 0.0, 0.2, exact=True, attained=(0, 0.2))
    ('no', 'yes')
    >>> flip_of(0.1, -0.1, 0.2, exact=False, attained=(0.1, 0.1)), flip_of(-0.1, 0.05, 0.2, exact=True, attained=(0, 0))
    ('unresolved', 'yes')
    """
    status = status_of(low, high, exact, attained)
    if status == "certain":  # a difference on condensed lists may lie outside what judgments can give
        return "no" if (low > 0) == (delta > 0) and abs(delta) > ZERO else "yes"
    if status == "equal":
        return "no" if abs(delta) <= ZERO else "yes"
    return "yes" if status == "open" else "unresolved"


def _attained(bounder: Bounder, a: int, b: int) -> tuple[float, float]:
    """The lowest and highest difference of two runs over a few completions: good for one of them, bad for the other."""
    situation, pair = bounder.situation, np.array([a, b])
    low, high = np.full((2, len(bounder.topics)), np.nan), np.full((2, len(bounder.topics)), np.nan)
    for number, topic in enumerate(bounder.topics):
        rank = np.full((2, topic.holes + topic.unseen), np.inf)
        for row, run in enumerate((a, b)):
            own = (topic.run == run) & (topic.hole >= 0)
            rank[row, topic.hole[own]] = topic.rank[own]
        top = situation.levels[-1]
        tried = np.stack([np.zeros(rank.shape[1]), top * (rank[0] < rank[1]), top * (rank[1] < rank[0])])
        value = values(situation, topic, tried, pair)
        gap = value[:, 0] - value[:, 1]
        if not np.isnan(gap).all():
            low[:, number], high[:, number] = value[np.nanargmin(gap)], value[np.nanargmax(gap)]
    both = situation.answered[a] & situation.answered[b]
    counts = both if situation.policy.topic_set == "intersection" else np.ones_like(both)
    ends = [summary(end[0, counts], bounder.average) - summary(end[1, counts], bounder.average) for end in (low, high)]
    return ends[0], ends[1]


def _documents(bounder: Bounder, a: Ints, b: Ints, delta: Floats, flip: NameArray) -> Floats:
    """How many documents suffice to reverse each pair, where the fewest are known and the pairs are few."""
    needed = np.full(len(delta), np.nan)
    rows: Ints = np.flatnonzero(flip == "yes")
    if len(rows) <= FEW and isinstance(bounder.method, Terms | SharesOfIdeal):
        for row in rows.tolist():
            number, smallest = smallest_flip(bounder, int(a[row]), int(b[row]), float(delta[row]))
            needed[row] = number if smallest and number is not None else np.nan
    return needed


def _warned(pairs: RangedPairs, *, single: bool) -> RangedPairs:
    """The pairs with a warning beside each star that missing judgments could undo; judged shares are not warned of."""
    said = np.array([warned_of(text)[0] for text in pairs.warning], dtype=object)
    for row, pair in enumerate(pairs):
        if pair.significant and isinstance(pair, RangedPair) and pair.flip in ("yes", "unresolved"):
            name = pair.run if single else f"{pair.run} – {pair.baseline}"
            said[row] = MOREOVER.join(filter(None, (said[row], f"{name}: {reversal(pair)}")))
    return replace(pairs, warning=said)


def reversal(pair: RangedPair) -> str:
    """The sentence about a significant difference that missing judgments could undo."""
    if pair.flip == "unresolved":
        return f"significant as judged, and it is unresolved whether unjudged documents {REVERSES}"
    known = not math.isnan(pair.flip_documents or math.nan)
    some = counted(int(pair.flip_documents or 0), "unjudged document") if known else "unjudged documents"
    tie = 0.0 in (pair.possible_low, pair.possible_high)
    return f"significant as judged, yet {some} {EQUALS if tie else REVERSES}"


def _assumptions(bounder: Bounder, pairs: RangedPairs, certified: list[bool]) -> str:
    """Universe, grades and method in words."""
    situation = bounder.situation
    exact = [] if pairs.possible_exact is None else pairs.possible_exact.tolist()
    return " · ".join([situation.words, grade_words(situation.grades.tolist()), method_words(exact, certified)])
