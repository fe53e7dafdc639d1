"""The judged share of what a measure looks at; no other module computes the share printed beside a score.

first ranks, whole list   judged ÷ retrieved among those ranks
weights, user attention   weight of the judged ranks ÷ weight of all retrieved ranks
condensed lists           ranks kept ÷ ranks gone through; the rest was dropped
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ratio
from cranfield.measures.facts.looks_at import (
    JUDGED_DOCUMENTS,
    NO_DOCUMENT,
    WEIGHT,
    WHOLE_LIST,
    FirstRanks,
    JudgedDocuments,
    NoDocument,
    SameAs,
    UserAttention,
    WeightedRanks,
)
from cranfield.measures.grammar import Measure, parse


def looks_at(measure: Measure) -> str:
    """What a measure looks at, in words.

    >>> [looks_at(parse(name)) for name in ("nDCG@10", "AP", "RBP", "EU(model='P@5')")]
    ['first 10', 'whole list', 'weight', 'first 5']
    >>> [looks_at(parse(name)) for name in ("nDCG'@10", "AP'", "Bpref", "NumRel", "Rprec")]
    ['first 10 judged', 'judged documents', 'judged documents', 'no document', 'first R']
    """
    declared = measure.definition.looks_at
    match declared:
        case NoDocument():
            return NO_DOCUMENT
        case JudgedDocuments():
            return JUDGED_DOCUMENTS
        case SameAs():
            return looks_at(_named(measure, declared))
    words = declared.words(**measure.arguments)
    if measure.condensed:
        return JUDGED_DOCUMENTS if words in (WHOLE_LIST, WEIGHT) else f"{words} judged"
    return words


def judged_share(measure: Measure, hits: Hits) -> Floats:
    """The share of what a measure looks at that was judged, list by list; undefined where it looks at nothing.

    >>> hits = Hits.of([[(1, 1), (4, 0)]], levels=[[1, 1]], retrieved=[4])
    >>> [judged_share(parse(name), hits).round(4).tolist() for name in ("P@2", "AP", "RBP(p=0.5)")]  # 9/8 of 15/8
    [[0.5], [0.5], [0.6]]
    >>> judged_share(parse("P'@2"), hits)  # two kept of four ranks gone through
    array([0.5])
    """
    declared = measure.definition.looks_at
    match declared:
        case NoDocument():
            return np.full(len(hits), np.nan)
        case JudgedDocuments():
            return ratio(hits.count, hits.retrieved)
        case SameAs():
            return judged_share(_named(measure, declared), hits)
    if measure.condensed:
        return _kept(measure, declared, hits)
    if isinstance(declared, UserAttention):
        return _by_attention(declared, hits, measure.arguments)
    return _by_rank(declared, hits, measure.arguments)


def judged_shares(measures: Sequence[Measure], hits: Hits) -> Floats:
    """`[ranking, measure]`: the shares of all measures; those that look at the same ranks are counted once."""
    alike: dict[str, Floats] = {}
    columns = []
    for measure in measures:
        if type(measure.definition.looks_at) is not FirstRanks:
            columns.append(judged_share(measure, hits))
            continue
        words = looks_at(measure)
        if words not in alike:
            alike[words] = judged_share(measure, hits)
        columns.append(alike[words])
    return np.stack(columns, axis=1)


def judged_among_first(hits: Hits, cutoff: int | None) -> Floats:
    """Judged documents among the first ones of each list, or among all of them."""
    return _by_rank(FirstRanks(), hits, {"cutoff": cutoff})


def _named(measure: Measure, declared: SameAs) -> Measure:
    """The measure that a parameter names, whose ranks this one looks at."""
    named = parse(measure.arguments[declared.parameter])
    return named.as_condensed() if measure.condensed else named


def _by_rank(declared: FirstRanks, hits: Hits, parameters: dict[str, Any]) -> Floats:
    """The judged share where weights depend on the rank alone, or are all equal."""
    depth = np.minimum(declared.depth(hits, **parameters), hits.retrieved)
    if not isinstance(declared, WeightedRanks):
        every = np.arange(len(hits))
        return ratio(hits.up_to(every, depth) - hits.up_to(every, np.zeros_like(depth)), depth)
    inside = hits.rank <= depth[hits.ranking]
    weight = declared.weights(np.arange(1.0, depth.max(initial=0) + 1), **parameters)
    whole = np.concatenate(([0.0], np.cumsum(weight)))
    found = hits.where(inside)
    return np.minimum(ratio(found.sum(weight[found.rank - 1]), whole[depth]), 1.0)


def _by_attention(declared: UserAttention, hits: Hits, parameters: dict[str, Any]) -> Floats:
    """The judged share where the weight of a rank is the probability that the user reads it."""
    from cranfield.measures.users.dense import share

    gain = share(hits, *(parameters.get(name) for name in ("rel", "max_rel", "gains")))
    judged, whole = np.zeros(len(hits)), np.zeros(len(hits))
    for block, viewed in declared.model(**parameters).attention(hits, gain):
        read = viewed * block.listed()
        judged[block.rows] = (read * block.spread(np.ones(len(hits.rank)))).sum(axis=1)
        whole[block.rows] = read.sum(axis=1)
    return np.minimum(ratio(judged, whole), 1.0)


def _kept(measure: Measure, declared: FirstRanks | UserAttention, hits: Hits) -> Floats:
    """The share of ranks that a condensed list keeps, down to the last judged document that the measure looks at."""
    if looks_at(measure) == JUDGED_DOCUMENTS or isinstance(declared, UserAttention):
        return ratio(hits.count, hits.retrieved)
    wanted = declared.depth(hits.condensed(), **measure.arguments)
    last = _rank_of(hits, wanted)
    return ratio(np.minimum(wanted, hits.count), np.where(wanted <= hits.count, last, hits.retrieved))


def _rank_of(hits: Hits, number: Ints) -> Ints:
    """The rank of the judged document with the given ordinal in each list; 0 if there is none."""
    found = np.zeros(len(hits), dtype=np.int64)
    at = hits.ordinal == number[hits.ranking]
    found[hits.ranking[at]] = hits.rank[at]
    return found
