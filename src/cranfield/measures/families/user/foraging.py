"""Users who forage: they leave when they have enough, or when more is not worth its cost. BPM, IFT."""

from cranfield.align.hits import Hits
from cranfield.arrays import Floats
from cranfield.measures.definition import POSITIVE, Domain, define, is_number, plain
from cranfield.measures.facts.bounds import WalkBounds
from cranfield.measures.facts.looks_at import UserAttention
from cranfield.measures.families.gain import Gains
from cranfield.measures.families.user.patience import GAIN, RANKS
from cranfield.measures.users.cwl import PAD
from cranfield.measures.users.dense import share
from cranfield.measures.users.models import bejewelled_model, foraging_model, goal_model, rate_model

STEP = Domain(lambda h: is_number(h) and 0 <= h <= 1e6, "must be a number from 0", canonical=plain)
IFT = GAIN | {"pad": RANKS} | dict.fromkeys(("T", "b1", "R1", "A", "b2", "R2"), POSITIVE)


@define(
    "BPM",
    family="user",
    cites="zhang2017",
    swap="none",
    domain=GAIN | {"T": POSITIVE, "hb": STEP, "hc": STEP, "med": STEP, "cutoff": RANKS},
    model=bejewelled_model,
    looks_at=UserAttention(bejewelled_model),
    bounds=WalkBounds(),
)
def bejewelled(
    hits: Hits,
    *,
    T: float = 1,
    hb: float = 0,
    hc: float = 0,
    med: float = 0.5,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    cutoff: int,
) -> Floats:
    r"""Bejeweled player model: the mean gain of a user who stops after a gain of *T* or a cost of *K* (the cut-off).

    $$C(i) = 1 \text{ if } \sum_{j \le i} g_j < T_i \text{ and } i < K_i, \text{ else } 0$$

    Each document costs 1. With `hb` and `hc` the limits move with what is found, after each decision:
    $T_{i+1} = T_i + h_b (g_i - med)$ and $K_{i+1} = K_i + h_c (g_i - med)$. Gains are those of `SDCG`.
    0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (4, 1)]], levels=[[0, 2]], retrieved=[5])
    >>> bejewelled(hits, T=1, cutoff=5), bejewelled(hits, T=2, cutoff=3)  # 1 of 1; 1 of 3
    (array([1.]), array([0.33333333]))
    """
    model = bejewelled_model(T=T, hb=hb, hc=hc, med=med, cutoff=cutoff)
    near = hits.top(cutoff) if hc == 0 else hits
    return model.utility(near, share(near, rel, max_rel, gains))


@define(
    "IFTGoal",
    family="user",
    cites="azzopardi2018",
    swap="none",
    domain=IFT,
    aliases="IFT-C1",
    model=goal_model,
    looks_at=UserAttention(goal_model),
    bounds=WalkBounds(),
)
def foraging_goal(
    hits: Hits,
    *,
    T: float = 2,
    b1: float = 0.9,
    R1: float = 10,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    pad: int = PAD,
) -> Floats:
    r"""Information foraging, goal: the gain per document of a user who leaves once about *T* was gained.

    $$C(i) = 1 - \frac{1}{1 + b_1 e^{(T - y_i) R_1}}, \qquad y_i = \sum_{j \le i} g_j$$

    A large `R1` makes a sharp limit of *T*. Lists are continued by documents without gain to rank `pad`, which matters:
    a user who has not gained *T* reads on. Gains are those of `SDCG`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1)]], levels=[[0, 1]], retrieved=[2])
    >>> foraging_goal(hits, T=1, b1=1, pad=2).round(4)  # C(1) = 1 - 1/(1 + 1): 1 / (1 + 1/2)
    array([0.6667])
    """
    return goal_model(T=T, b1=b1, R1=R1, pad=pad).utility(hits, share(hits, rel, max_rel, gains))


@define(
    "IFTRate",
    family="user",
    cites="azzopardi2018",
    swap="none",
    domain=IFT,
    aliases="IFT-C2",
    model=rate_model,
    looks_at=UserAttention(rate_model),
    bounds=WalkBounds(),
)
def foraging_rate(
    hits: Hits,
    *,
    A: float = 0.2,
    b2: float = 0.9,
    R2: float = 10,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    pad: int = PAD,
) -> Floats:
    r"""Information foraging, rate: the gain per document of a user who leaves when it falls below about *A*.

    $$C(i) = \frac{1}{1 + b_2 e^{(A - y_i / k_i) R_2}}, \qquad y_i = \sum_{j \le i} g_j, \quad k_i = i$$

    A large `R2` makes a sharp limit of *A*. Lists are continued by documents without gain to rank `pad`. Gains are
    those of `SDCG`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1)]], levels=[[0, 1]], retrieved=[2])
    >>> foraging_rate(hits, A=1, b2=1, pad=2).round(4)  # C(1) = 1/(1 + 1): 1 / (1 + 1/2)
    array([0.6667])
    """
    return rate_model(A=A, b2=b2, R2=R2, pad=pad).utility(hits, share(hits, rel, max_rel, gains))


@define(
    "IFT",
    family="user",
    cites="azzopardi2018",
    swap="none",
    domain=IFT,
    aliases="IFT-C1-C2",
    model=foraging_model,
    looks_at=UserAttention(foraging_model),
    bounds=WalkBounds(),
)
def foraging(
    hits: Hits,
    *,
    T: float = 2,
    b1: float = 0.9,
    R1: float = 10,
    A: float = 0.2,
    b2: float = 0.9,
    R2: float = 10,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
    pad: int = PAD,
) -> Floats:
    r"""Information foraging: a user who leaves once enough was gained, or when the gain comes too slowly.

    $$C(i) = C_{goal}(i) \, C_{rate}(i)$$

    with the functions of `IFTGoal` and `IFTRate`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1)]], levels=[[0, 1]], retrieved=[2])
    >>> foraging(hits, T=1, b1=1, A=1, b2=1, pad=2)  # C(1) = 1/2 * 1/2: 1 / (1 + 1/4)
    array([0.8])
    """
    model = foraging_model(T=T, b1=b1, R1=R1, A=A, b2=b2, R2=R2, pad=pad)
    return model.utility(hits, share(hits, rel, max_rel, gains))
