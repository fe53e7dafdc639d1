"""All columns of a table of scores under a policy of many orders: values, judged shares, residuals."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from cranfield.align.policy import Ties
from cranfield.arrays import Floats, ratio
from cranfield.measures.facts.looks_at import FirstRanks, WeightedRanks
from cranfield.measures.grammar import Measure, parse
from cranfield.measures.judged_share import judged_share
from cranfield.measures.ties.columns import ScoreColumns
from cranfield.measures.ties.rules import WeightedSum, judged
from cranfield.measures.ties.tied import TiedHits
from cranfield.measures.ties.values import Streams, TiedValues, cut, looks_at_documents, mean_over_orders, over_orders


def tied_columns(
    measures: Sequence[Measure],
    residuals: Mapping[str, Measure],
    cutoffs: Sequence[int],
    tied: TiedHits,
    ties: Ties,
    streams: Streams,
) -> ScoreColumns:
    """Score rankings over all orders; `residuals` are the measures that say how much others could still grow.

    Judged share and residual are means over the same orders, or those of the best or the worst order.
    """
    scored = {measure: over_orders(measure, tied, ties, streams) for measure in measures}
    rest = {name: _residual(residual, scored[parse(name)], tied, streams) for name, residual in residuals.items()}
    return ScoreColumns(
        values=np.stack([scored[measure].values for measure in measures], axis=1),
        judged=np.stack([_share(measure, scored[measure], tied, streams) for measure in measures], axis=1),
        judged_among_first={k: _mean_share(FirstRanks(), tied, cutoff=k) for k in cutoffs},
        residuals=rest,
        method=np.stack([scored[measure].method for measure in measures], axis=1),
        error=np.stack([scored[measure].error for measure in measures], axis=1),
    )


def _residual(residual: Measure, scored: TiedValues, tied: TiedHits, streams: Streams) -> Floats:
    if scored.hits is not None:
        return residual(scored.hits)
    return over_orders(residual, tied, "expected", streams).values


def _share(measure: Measure, scored: TiedValues, tied: TiedHits, streams: Streams) -> Floats:
    """The judged share of what a measure looks at, in the orders that gave its values."""
    if scored.hits is not None:
        return judged_share(measure, scored.hits)
    declared = measure.definition.looks_at
    if isinstance(declared, FirstRanks) and not measure.condensed:
        return _mean_share(declared, tied, **measure.arguments)
    rankings = np.unique(tied.groups.ranking)
    whole, apart = looks_at_documents(measure, tied.hits)
    share = partial(judged_share, measure)
    return mean_over_orders(share, tied, rankings, streams, whole=whole, apart=apart).values


def _mean_share(declared: FirstRanks, tied: TiedHits, **parameters: object) -> Floats:
    """Ranks that count alike, or by their weight: every document of a group has the mean weight of its ranks."""
    lists = cut(tied.hits, tied.depth)
    depth = np.minimum(declared.depth(lists, **parameters), lists.retrieved)
    weight = declared.weights if isinstance(declared, WeightedRanks) else FirstRanks().weights
    whole = np.concatenate(([0.0], np.cumsum(weight(np.arange(1.0, depth.max(initial=0) + 1), **parameters))))[depth]
    rule = WeightedSum(judged, weight=weight, last_of=lambda hits, **_: depth)
    return np.minimum(ratio(rule.total(tied, **parameters), whole), 1.0)
