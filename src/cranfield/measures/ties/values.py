"""The value of a measure over all orders of documents with equal scores, and the method that computed it.

A list whose value does not depend on the order is scored in its current order.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.policy import Ties
from cranfield.arrays import Floats, Ints
from cranfield.measures.grammar import Measure
from cranfield.measures.ties.orders import MOST, SAMPLES, TieOrders, alone
from cranfield.measures.ties.rules import UNORDERED, TieRule
from cranfield.measures.ties.tied import TiedHits

TieMethod = Literal["exact", "enumeration", "sampling"]
Streams: TypeAlias = Callable[[int], np.random.Generator]  # by ranking
Scored: TypeAlias = Callable[[Hits], Floats]

_EXACT, _ENUMERATED, _SAMPLED = 1, 2, 3
METHODS: dict[int, TieMethod] = {_EXACT: "exact", _ENUMERATED: "enumeration", _SAMPLED: "sampling"}


@dataclass(frozen=True, eq=False)
class TiedValues:
    """Values of rankings under a policy of many orders."""

    values: Floats
    method: Ints  # how each was found; 0: no order changes it
    error: Floats  # standard error of a value from random orders; 0 for all others
    hits: Hits | None = None  # in the order that gives the best, or the worst values


def over_orders(measure: Measure, tied: TiedHits, ties: Ties, streams: Streams) -> TiedValues:
    """The mean, the best or the worst value of each ranking."""
    if ties == "expected":
        return _expected(measure, tied, streams)
    best = ties == "best"
    rule, arguments = _rule(measure, tied), measure.arguments
    if rule is None:
        return _searched(measure, tied, best, streams)
    if rule is UNORDERED:
        return TiedValues(measure(tied.hits), np.zeros(len(tied.hits), dtype=np.int64), np.zeros(len(tied.hits)))
    gain = rule.gain(tied.hits, **arguments)
    hits = cut(tied.sorted_by(gain, best=best), tied.depth)
    values, method = measure(cut(tied.hits, tied.depth)), np.zeros(len(tied.hits), dtype=np.int64)
    changed = _rankings(rule, measure, tied)
    values[changed] = measure(hits)[changed]
    method[changed] = _EXACT
    return TiedValues(values, method, np.zeros(len(values)), hits)


def mean_over_orders(
    function: Scored, tied: TiedHits, rankings: Ints, streams: Streams, *, whole: bool, apart: bool
) -> TiedValues:
    """The mean of a function of hits over all orders of some rankings, or over random ones."""
    values = function(cut(tied.hits, tied.depth))
    method, error = np.zeros(len(values), dtype=np.int64), np.zeros(len(values))
    for ranking in rankings.tolist():
        one = alone(tied, ranking)
        orders = TieOrders(one, whole, apart)
        if orders.number == 1:
            continue
        few = orders.number <= MOST
        ranks = orders.every() if few else orders.some(SAMPLES, streams(ranking))
        found = np.concatenate([function(cut(block, tied.depth)) for block in orders.blocks(ranks)])
        values[ranking] = found.mean()
        method[ranking] = _ENUMERATED if few else _SAMPLED
        error[ranking] = 0.0 if few else found.std(ddof=1) / np.sqrt(len(found))
    return TiedValues(values, method, error)


def cut(hits: Hits, depth: int | None) -> Hits:
    """The lists cut at the depth, if there is one."""
    return hits.top(depth)


def looks_at_documents(measure: Measure, hits: Hits) -> tuple[bool, bool]:
    """Whether a measure looks at all documents of a list, and whether it distinguishes documents of one grade."""
    definition = measure.definition
    apart = definition.needs_subtopics or bool(definition.needs_sample)
    return definition.needs_lists or hits.length is not None, apart


def _expected(measure: Measure, tied: TiedHits, streams: Streams) -> TiedValues:
    rule = _rule(measure, tied)
    if rule is not None and not (measure.condensed and tied.depth is not None):
        values = measure(cut(tied.hits, tied.depth))
        changed = _rankings(rule, measure, tied)
        cut_lists = replace(tied.hits, retrieved=cut(tied.hits, tied.depth).retrieved)  # every document can be in
        some = replace(tied, hits=cut_lists).only(changed)
        formula = rule.expected(some.condensed() if measure.condensed else some, **measure.arguments)
        if formula is not None or len(changed) == 0:
            method = np.zeros(len(values), dtype=np.int64)
            if formula is not None:
                values[changed], method[changed] = formula, _EXACT
            return TiedValues(values, method, np.zeros(len(values)))
    whole, apart = looks_at_documents(measure, tied.hits)
    rankings = np.unique(tied.groups.ranking)
    if measure.condensed and not whole and tied.depth is None:
        return mean_over_orders(
            replace(measure, condensed=False), tied.condensed(), rankings, streams, whole=False, apart=apart
        )
    return mean_over_orders(measure, tied, rankings, streams, whole=whole, apart=apart)


def _rule(measure: Measure, tied: TiedHits) -> TieRule | None:
    """The rule that the measure declares; a value that does not depend on the order does so if lists are cut."""
    rule = measure.definition.ties
    return None if rule is UNORDERED and tied.depth is not None else rule


def _rankings(rule: TieRule, measure: Measure, tied: TiedHits) -> Ints:
    """The rankings that some order changes."""
    lists = tied.condensed() if measure.condensed and tied.depth is None else tied
    return np.unique(lists.groups.ranking[rule.effective(lists, **measure.arguments)])


def _searched(measure: Measure, tied: TiedHits, best: bool, streams: Streams) -> TiedValues:
    """The best or worst of all orders; where they are many, of random ones and those by grade."""
    whole, apart = looks_at_documents(measure, tied.hits)
    values = measure(cut(tied.hits, tied.depth))
    method = np.zeros(len(values), dtype=np.int64)
    highest = best != measure.definition.smaller
    for ranking in np.unique(tied.groups.ranking).tolist():
        orders = TieOrders(alone(tied, ranking), whole, apart)
        if orders.number == 1:
            continue
        few = orders.number <= MOST
        ranks = orders.every() if few else np.vstack([orders.by_grade(), orders.some(SAMPLES, streams(ranking))])
        found = np.concatenate([measure(cut(block, tied.depth)) for block in orders.blocks(ranks)])
        defined = found[~np.isnan(found)]
        if len(defined):
            values[ranking] = defined.max() if highest else defined.min()
        method[ranking] = _ENUMERATED if few else _SAMPLED
    return TiedValues(values, method, np.zeros(len(values)))
