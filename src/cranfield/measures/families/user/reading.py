"""Models of a user who reads from the top and stops somewhere."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats
from cranfield.measures.definition import POSITIVE, define
from cranfield.measures.facts.bounds import ADDITIVE
from cranfield.measures.facts.looks_at import WeightedRanks
from cranfield.measures.families.gain import DOMAINS
from cranfield.measures.ties.rules import WeightedSum, judged
from cranfield.measures.users.dense import share

if TYPE_CHECKING:
    from cranfield.measures.users.cwl import UserModel

BY_PATIENCE = WeightedRanks(weight=lambda rank, p, **_: p ** (rank - 1))


def _rank_biased_model(**parameters: Any) -> "UserModel":  # those of the measure
    """The user model behind RBP, imported on first use."""
    from cranfield.measures.users.models import rank_biased_model

    return rank_biased_model(**parameters)


@define(
    "RBP",
    family="user",
    cites="moffat2008",
    swap="strict",
    domain={"max_rel": POSITIVE, "gains": DOMAINS["gains"]},
    residual="RBPResidual",
    model=_rank_biased_model,
    looks_at=BY_PATIENCE,
    ties=WeightedSum(
        lambda hits, *, rel, max_rel, gains, **_: share(hits, rel, max_rel, gains),
        weight=lambda rank, *, p, **_: (1 - p) * p ** (rank - 1),
    ),
    unjudged="An unjudged document counts as not relevant and keeps its rank; RBPResidual says what it could add.",
    bounds=ADDITIVE,
)
def rank_biased_precision(
    hits: Hits,
    *,
    p: float = 0.8,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Mapping[float, float] | None = None,
    cutoff: int | None = None,
) -> Floats:
    r"""Rank-biased precision: the gain per document seen by a user who goes on to the next with probability *p*.

    $$\mathrm{RBP} = (1 - p) \sum_i g_i \, p^{\,i - 1}$$

    The gain $g_i$ is the grade over the highest grade of the collection, or over `max_rel` (a higher grade counts as
    `max_rel`); `gains` replaces the gain of single grades first. With `rel` gains are binary: 1 from that grade on.
    0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (3, 0), (4, 1)]], levels=[[1, 2]], retrieved=[5])
    >>> rank_biased_precision(hits, p=0.5)  # 1/2 (1 + 1/8)
    array([0.5625])
    """
    near = hits.top(cutoff)
    return (1 - p) * near.sum(share(near, rel, max_rel, gains) * p ** (near.rank - 1.0))


@define(
    "RBPResidual",
    family="user",
    cites="moffat2008",
    aliases="rbp_resid",
    uses_grades=False,
    unjudged="An unjudged document adds the weight of its rank.",
    smaller=True,
    looks_at=BY_PATIENCE,
    ties=WeightedSum(
        judged,
        weight=lambda rank, *, p, **_: (1 - p) * p ** (rank - 1),
        value=lambda hits, total, *, p, cutoff: np.maximum(_weight_of_all(p, cutoff) - total, 0.0),
    ),
    bounds=ADDITIVE,
)
def rank_biased_residual(hits: Hits, *, p: float = 0.8, cutoff: int | None = None) -> Floats:
    r"""RBP residual: how much RBP could still grow if every unjudged document turned out to be perfect.

    $$(1 - p) \sum_{i \text{ unjudged}} p^{\,i - 1} + p^n$$

    The last term is the weight of all ranks after the list of *n* documents. With a cut-off, ranks after it have no
    weight. Small is good: RBP lies between itself and itself plus the residual.

    >>> hits = Hits.of([[(1, 1), (3, 0), (4, 1)]], levels=[[1, 2]], retrieved=[5])
    >>> rank_biased_residual(hits, p=0.5)  # rank 2: 1/4, rank 5: 1/32, later ranks 1/32
    array([0.3125])
    """
    near = hits.top(cutoff)
    return np.maximum(_weight_of_all(p, cutoff) - (1 - p) * near.sum(p ** (near.rank - 1.0)), 0.0)


def _weight_of_all(p: float, cutoff: int | None) -> float:
    """The weight of all ranks down to the cut-off."""
    return 1.0 if cutoff is None else 1 - p**cutoff
