"""ERR is not the score of a C/W/L user; these four are what comes nearest to it (equations 8 to 11 of the paper)."""

from cranfield.align.hits import Hits
from cranfield.arrays import Floats
from cranfield.measures.definition import POSITIVE, define
from cranfield.measures.facts.bounds import WalkBounds
from cranfield.measures.facts.looks_at import UserAttention
from cranfield.measures.families.gain import Gains
from cranfield.measures.families.user.patience import DEPTH, GAIN, RANKS
from cranfield.measures.users.cwl import PAD
from cranfield.measures.users.dense import share
from cranfield.measures.users.models import Depth, nerr8_model, nerr9_model, nerr10_model, nerr11_model


@define(
    "NERR8",
    family="user",
    cites="azzopardi2021",
    domain=GAIN | {"cutoff": RANKS},
    model=nerr8_model,
    looks_at=UserAttention(nerr8_model),
    bounds=WalkBounds(),
)
def nerr8(
    hits: Hits,
    *,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    cutoff: int,
) -> Floats:
    r"""NERR8: the gain per document of a user who goes on unless satisfied, down to rank *k*.

    $$C(i) = 1 - g_i \quad (i < k)$$

    Gains are those of `SDCG`; `gains={1: 1, 2: 3, 3: 7}, max_rel=8` gives the stop probabilities of ERR for grades up
    to 3. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> nerr8(hits, cutoff=2).round(4)  # C(1) = 1/2: (1/2 + 1/2 * 1) / (1 + 1/2)
    array([0.6667])
    """
    return nerr8_model(cutoff=cutoff).utility(hits, share(hits, rel, max_rel, gains))


@define(
    "NERR9",
    family="user",
    cites="azzopardi2021",
    domain=GAIN | {"cutoff": RANKS},
    model=nerr9_model,
    looks_at=UserAttention(nerr9_model),
    bounds=WalkBounds(),
)
def nerr9(
    hits: Hits,
    *,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    cutoff: int,
) -> Floats:
    r"""NERR9: as NERR8, for a user who also tires as fast as the discount of ERR.

    $$C(i) = \frac{i}{i + 1} (1 - g_i) \quad (i < k)$$

    Gains are those of `SDCG`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> nerr9(hits, cutoff=2)  # C(1) = 1/2 * 1/2: (1/2 + 1/4 * 1) / (1 + 1/4)
    array([0.6])
    """
    return nerr9_model(cutoff=cutoff).utility(hits, share(hits, rel, max_rel, gains))


@define(
    "NERR10",
    family="user",
    cites="azzopardi2021",
    domain=GAIN | {"pad": DEPTH},
    model=nerr10_model,
    looks_at=UserAttention(nerr10_model),
    bounds=WalkBounds(),
)
def nerr10(
    hits: Hits,
    *,
    p: float = 0.9,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    pad: Depth = PAD,
) -> Floats:
    r"""NERR10: as RBP, for a user who also stops when satisfied.

    $$C(i) = p \, (1 - g_i)$$

    Lists are continued by documents without gain to rank `pad`, or without end (`'infinite'`). Gains are those of
    `SDCG`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> nerr10(hits, p=0.5)  # C(1) = 1/2 * 1/2, C(2) = 0: (1/2 + 1/4 * 1) / (1 + 1/4)
    array([0.6])
    """
    return nerr10_model(p=p, pad=pad).utility(hits, share(hits, rel, max_rel, gains))


@define(
    "NERR11",
    family="user",
    cites="azzopardi2021",
    domain=GAIN | {"T": POSITIVE, "pad": DEPTH},
    model=nerr11_model,
    looks_at=UserAttention(nerr11_model),
    bounds=WalkBounds(),
)
def nerr11(
    hits: Hits,
    *,
    T: float = 1,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    pad: Depth = PAD,
) -> Floats:
    r"""NERR11: as INSQ, for a user who also stops when satisfied.

    $$C(i) = \left(\frac{i + 2T - 1}{i + 2T}\right)^2 (1 - g_i)$$

    Lists are continued by documents without gain to rank `pad`, or without end (`'infinite'`). Gains are those of
    `SDCG`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (2, 2)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> nerr11(hits).round(4)  # C(1) = (2/3)^2 * 1/2, C(2) = 0: (1/2 + 2/9 * 1) / (1 + 2/9)
    array([0.5909])
    """
    return nerr11_model(T=T, pad=pad).utility(hits, share(hits, rel, max_rel, gains))
