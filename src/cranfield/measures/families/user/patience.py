"""Users whose patience depends on the rank, and on how much of what they want they have found: SDCG, INSQ, INST."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats
from cranfield.measures.definition import POSITIVE, Domain, define, is_number, is_whole, plain
from cranfield.measures.facts.bounds import ADDITIVE, WalkBounds
from cranfield.measures.facts.looks_at import UserAttention, WeightedRanks
from cranfield.measures.families.gain import DOMAINS, Gains
from cranfield.measures.users.cwl import PAD
from cranfield.measures.users.dense import share
from cranfield.measures.users.models import INFINITE, Depth, insq_model, inst_model, scaled_gain_model

DEEPEST = 1_000_000
RANKS = Domain(lambda k: is_whole(k) and 1 <= k <= DEEPEST, f"must be a whole number from 1 to {DEEPEST:,}")
DEPTH = Domain(
    lambda pad: pad == INFINITE or (is_whole(pad) and 1 <= pad <= DEEPEST),
    f"must be a rank from 1 to {DEEPEST:,}, or {INFINITE!r}",
    f"pad={INFINITE!r} adds up all ranks after the end of the list",
)
GAIN = {"max_rel": POSITIVE, "gains": DOMAINS["gains"]}
WANTED = Domain(lambda T: is_number(T) and 0.5 <= T <= 1e6, "must be a number from 0.5", canonical=plain)


@define(
    "SDCG",
    family="graded",
    cites="moffat2017 jarvelin2002",
    domain=GAIN | {"cutoff": RANKS},
    model=scaled_gain_model,
    looks_at=WeightedRanks(weight=lambda rank, **_: 1 / np.log2(rank + 1)),
    bounds=ADDITIVE,
)
def scaled_gain(
    hits: Hits,
    *,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    cutoff: int,
) -> Floats:
    r"""Scaled discounted cumulated gain: DCG over that of *k* documents of the highest grade.

    $$\mathrm{SDCG}@k = \sum_{i \le k} \frac{g_i}{\log_2(i + 1)} \Big/ \sum_{i \le k} \frac{1}{\log_2(i + 1)}$$

    The gain $g_i$ is the grade over the highest grade of the collection, or over `max_rel`; `gains` replaces the gain
    of single grades; with `rel` the gain is 1 from that grade on. Unlike nDCG it does not depend on the number of
    relevant documents, so it is the score of a user who reads the list: $C(i) = \log_2(i+1) / \log_2(i+2)$ before rank
    *k*. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 2), (3, 1)]], levels=[[0, 1, 1]], retrieved=[3])
    >>> scaled_gain(hits, cutoff=3).round(4)  # (1 + 0.5 / 2) / (1 + 1/log2(3) + 1/2)
    array([0.5866])
    """
    return scaled_gain_model(cutoff=cutoff).utility(hits, share(hits, rel, max_rel, gains))


@define(
    "INSQ",
    family="user",
    cites="moffat2012 moffat2017",
    swap="strict",
    domain=GAIN | {"T": POSITIVE, "pad": DEPTH},
    model=insq_model,
    looks_at=WeightedRanks(weight=lambda rank, T, **_: (rank + 2 * T - 1) ** -2.0),
    bounds=ADDITIVE,
)
def inverse_squares(
    hits: Hits,
    *,
    T: float = 1,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    pad: Depth = PAD,
) -> Floats:
    r"""INSQ: attention falls with the square of the rank, for a user who wants *T* documents.

    $$\mathrm{INSQ} = \frac{\sum_i g_i \, (i + 2T - 1)^{-2}}{\sum_i (i + 2T - 1)^{-2}},
    \qquad C(i) = \left(\frac{i + 2T - 1}{i + 2T}\right)^2$$

    The second sum goes to rank `pad` (or to the end of a longer list); `pad='infinite'` takes all ranks, which lowers
    the value by about $2T / 2000$ of itself. Gains are those of `SDCG`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1)]], levels=[[0, 1]], retrieved=[3])
    >>> inverse_squares(hits, pad=3).round(4)  # (1/4) / (1/4 + 1/9 + 1/16)
    array([0.5902])
    """
    return insq_model(T=T, pad=pad).utility(hits, share(hits, rel, max_rel, gains))


@define(
    "INST",
    family="user",
    cites="bailey2015 moffat2017",
    swap="none",
    domain=GAIN | {"T": WANTED, "pad": DEPTH},
    model=inst_model,
    looks_at=UserAttention(inst_model),
    bounds=WalkBounds(),
)
def inst(
    hits: Hits,
    *,
    T: float = 1,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    pad: Depth = PAD,
) -> Floats:
    r"""INST: a user who wants *T* documents goes on the more readily, the further down and the less was found.

    $$C(i) = \left(\frac{i + T + T_i - 1}{i + T + T_i}\right)^2, \qquad T_i = T - \sum_{j \le i} g_j$$

    The value is $\sum_i W(i) g_i$, the gain per document read. Lists are continued by documents without gain to rank
    `pad`; `pad='infinite'` adds up all ranks that follow. Gains are those of `SDCG`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1)]], levels=[[0, 1]], retrieved=[3])
    >>> inst(hits, pad=3).round(4)  # C(1) = (1/2)^2, C(2) = (2/3)^2: 1 / (1 + 1/4 + 1/4 * 4/9)
    array([0.7347])
    """
    return inst_model(T=T, pad=pad).utility(hits, share(hits, rel, max_rel, gains))
