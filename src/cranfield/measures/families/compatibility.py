"""Compatibility: how similar a ranking is to the ideal one that agrees with it as far as grades allow."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ordinal, ratio
from cranfield.measures.definition import define
from cranfield.measures.facts.looks_at import FirstRanks
from cranfield.measures.families.user.patience import RANKS

ANY = 5e-324  # the smallest number: any grade above 0 is relevant


@define(
    "Compat",
    family="graded",
    cites="clarke2021",
    aliases="compatibility",
    domain={"depth": RANKS},
    looks_at=FirstRanks("depth"),
)
def compatibility(hits: Hits, *, p: float = 0.95, normalize: bool = True, depth: int | None = None) -> Floats:
    r"""Compatibility: the rank-biased overlap of the list with the ideal ranking nearest to it.

    $$\mathrm{RBO}_D(S, I) = \frac{\sum_{i \le D} p^{i-1} \, |S_{1:i} \cap I_{1:i}| \, / \, i}{\sum_{i \le D} p^{i-1}},
    \qquad \mathrm{Compat} = \frac{\mathrm{RBO}_D(S, I)}{\mathrm{RBO}_D(I, I)}$$

    The ideal ranking *I* holds the relevant documents, best grade first; documents of one grade follow the order of
    the list, those it does not hold come last. *D* is the length of the longer of the two, or `depth`.
    `normalize=False` gives $\mathrm{RBO}_D(S, I)$. Undefined if no document is relevant.

    >>> hits = Hits.of([[(1, 1), (3, 2)]], levels=[[0, 1, 1]], retrieved=[3])
    >>> compatibility(hits, p=0.5, normalize=False).round(4)  # overlaps 0, 1, 2: (1/2 1/2 + 1/4 2/3) / (1 + 1/2 + 1/4)
    array([0.2381])
    >>> compatibility(hits, p=0.5).round(4)  # ideal overlaps 1, 2, 2: over (1 + 1/2 + 1/4 2/3) / (1 + 1/2 + 1/4)
    array([0.25])
    """
    found, relevant = hits.relevant(ANY), hits.judged_at_least(ANY)
    last = np.maximum(np.maximum(hits.retrieved, relevant), 1) if depth is None else np.full(len(hits), depth)
    rank = np.arange(1, int(last.max(initial=0)) + 1)
    weight = np.concatenate(([0.0], np.cumsum(p ** (rank - 1.0) / rank)))  # of all ranks down to each
    shared = np.maximum(found.rank, _ideal_rank(found))  # from that rank on a document is in both
    ends = last[found.ranking]
    overlap = found.sum(weight[ends] - weight[np.minimum(shared - 1, ends)])
    growing = np.minimum(relevant, last)  # down to there every rank of the ideal list adds a document
    full = (1 - p**growing) / (1 - p) + relevant * (weight[last] - weight[growing])
    return ratio(overlap, np.where(relevant > 0, full if normalize else (1 - p**last) / (1 - p), 0))


def _ideal_rank(found: Hits) -> Ints:
    """The rank in the ideal ranking of each relevant document found: higher grades first, then as in the list."""
    levels, code = np.unique(np.concatenate((found.base_grade, found.grade)), return_inverse=True)
    size, base = len(levels) + 1, len(found.base_grade)
    worse = size - 1 - code  # 1 for the highest grade
    listed = found.base_topic * size + worse[:base]  # ascending: best grade first in each topic
    topic = found.topic[found.ranking]
    higher = np.searchsorted(listed, topic * size + worse[base:]) - np.searchsorted(listed, topic * size)
    group = found.ranking * size + worse[base:]
    order = np.argsort(group, kind="stable")
    place = np.empty_like(group)
    place[order] = ordinal(group[order])
    return higher + place
