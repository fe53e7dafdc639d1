"""What a user model expects of a ranking: documents read, gain, cost, residual."""

from collections.abc import Callable

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats
from cranfield.measures.definition import Domain, Value, define, one_of
from cranfield.measures.facts.bounds import WalkBounds
from cranfield.measures.facts.looks_at import SameAs
from cranfield.measures.families.gain import INFINITY
from cranfield.measures.families.user.effort import NOT_NEGATIVE, reading_cost
from cranfield.measures.grammar import parse
from cranfield.measures.users.dense import RankBlock, share
from cranfield.measures.users.models import model_of
from cranfield.measures.users.walk import Expectation

QUANTITIES = {"EU": "utility", "ETU": "total_utility", "ED": "items", "ETC": "total_cost"}
UNJUDGED = "An unjudged document counts as not relevant and keeps its rank; CWLResidual says what it could change."

AS_MODEL = SameAs("model")


def _is_model(value: Value) -> bool:
    return isinstance(value, str) and not parse(value).condensed and model_of(value) is not None


MODEL = {
    "model": Domain(
        _is_model,
        "must name a measure that is the score of a user model",
        "write model='INST(T=2)', model='P@10' or a model of your own",
        canonical=lambda name: str(parse(name)),
    )
}


@define(
    "EU",
    family="user",
    cites="moffat2017",
    aliases="ExpectedUtility",
    swap="none",
    domain=MODEL,
    unjudged=UNJUDGED,
    looks_at=AS_MODEL,
    bounds=WalkBounds("EU"),
)
def expected_utility(hits: Hits, *, model: str = "INST") -> Floats:
    r"""Expected utility: the gain per document read by the user of a model, which is the score of that model.

    $$\mathrm{EU} = \sum_i W(i) \, g_i$$

    W(i) is the share of attention that rank *i* gets; the gains are those of the measure named by `model`.
    `EU(model='RBP(p=0.8)')` is RBP. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (4, 1)]], levels=[[0, 2]], retrieved=[5])
    >>> expected_utility(hits, model="P@4")  # 2 of 4
    array([0.5])
    """
    return _expected(hits, model).utility


@define(
    "ETU",
    family="user",
    cites="moffat2017",
    aliases="ExpectedTotalUtility",
    high=INFINITY,
    swap="none",
    domain=MODEL,
    unjudged=UNJUDGED,
    looks_at=AS_MODEL,
    bounds=WalkBounds("ETU"),
)
def expected_total_utility(hits: Hits, *, model: str = "INST") -> Floats:
    r"""Expected total utility: all that the user of a model gains before stopping.

    $$\mathrm{ETU} = \sum_i L(i) \sum_{j \le i} g_j = \mathrm{EU} \cdot \mathrm{ED}$$

    L(i) is the probability that rank *i* is the last one read. Gains are those of the measure named by `model`.
    0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (4, 1)]], levels=[[0, 2]], retrieved=[5])
    >>> expected_total_utility(hits, model="P@4"), expected_total_utility(hits, model="RBP(p=0.5)")  # 2; 1 + 1/8
    (array([2.]), array([1.125]))
    """
    return _expected(hits, model).total_utility


@define(
    "ED",
    family="user",
    cites="moffat2017",
    aliases="ExpectedItems ExpectedDepth",
    low=1.0,
    high=INFINITY,
    swap="none",
    domain=MODEL,
    unjudged=UNJUDGED,
    looks_at=AS_MODEL,
    bounds=WalkBounds("ED"),
)
def expected_depth(hits: Hits, *, model: str = "INST") -> Floats:
    r"""Expected depth: how many documents the user of a model reads.

    $$\mathrm{ED} = \frac{1}{W(1)} = \sum_i \prod_{j < i} C(j)$$

    C(i) is the probability of going on after rank *i*. An empty list is read as one document without gain.

    >>> hits = Hits.of([[(3, 1), (4, 1)]], levels=[[0, 2]], retrieved=[5])
    >>> expected_depth(hits, model="RR"), expected_depth(hits, model="RBP(p=0.5)")  # to the first; 1 / (1 - 0.5)
    (array([3.]), array([2.]))
    """
    return _expected(hits, model).items


@define(
    "ETC",
    family="user",
    cites="moffat2017",
    aliases="ExpectedTotalCost",
    high=INFINITY,
    swap="none",
    domain=MODEL | dict.fromkeys(("item", "unit", "length"), NOT_NEGATIVE),
    needs={"length": "unit"},
    unjudged=UNJUDGED,
    looks_at=AS_MODEL,
    bounds=WalkBounds("ETC"),
)
def expected_total_cost(
    hits: Hits, *, model: str = "INST", item: float = 1, unit: float = 0, length: float | None = None
) -> Floats:
    r"""Expected total cost: what the user of a model pays for the documents read; per document it is ETC / ED.

    $$\mathrm{ETC} = \sum_i L(i) \sum_{j \le i} k_j$$

    A document costs `item`, and `unit` for every unit of its length, which is given to `evaluate(lengths=…)`;
    `length` stands for one that is not known. What is read after the end of a list costs `item`. The user who decides
    whether to go on counts 1 for each document, as in the measure named by `model`.

    >>> hits = Hits.of([[(2, 1)]], levels=[[0, 1]], retrieved=[3], lengths=[[100, 50, 10]])
    >>> expected_total_cost(hits, model="RR", item=4, unit=0.5)  # 4 + 50 and 4 + 25
    array([83.])
    """

    def cost(block: RankBlock) -> Floats:
        return reading_cost(block, "ETC", item, unit, length)

    return _expected(hits, model, cost=cost, cost_after=item).total_cost


@define(
    "CWLResidual",
    family="user",
    cites="moffat2008 moffat2017",
    low=-INFINITY,
    high=INFINITY,
    swap="none",
    domain=MODEL | {"of": one_of(*QUANTITIES)},
    unjudged="An unjudged document is what is measured.",
    smaller=True,
    bounds=WalkBounds("residual"),
)
def residual(hits: Hits, *, model: str = "INST", of: str = "EU") -> Floats:
    r"""C/W/L residual: an expectation if all that is unjudged had the highest gain, minus the one reported.

    $$X(g_u = 1) - X(g_u = 0)$$

    where *X* is EU, ETU, ED or ETC (`of`) and $g_u$ is the gain of every unjudged document and of all that follows
    the list, down to the last rank of the model. Where a user stops the earlier the more is found, the difference may
    be negative and is no bound; for models that do not look at gains, EU lies between itself and itself plus the
    residual.

    >>> hits = Hits.of([[(1, 1), (3, 0)]], levels=[[1, 1]], retrieved=[3])
    >>> residual(hits, model="P@4")  # ranks 2 and 4
    array([0.5])
    """
    best, worst = (getattr(_expected(hits, model, unjudged=gain), QUANTITIES[of]) for gain in (1.0, 0.0))
    return np.asarray(best - worst)


def _expected(
    hits: Hits,
    model: str,
    unjudged: float = 0.0,
    cost: Callable[[RankBlock], Floats] | None = None,
    cost_after: float = 1.0,
) -> Expectation:
    """The expectations of the user behind a measure, with the gains of that measure."""
    asked = parse(model).arguments
    gain = share(hits, *(asked.get(name) for name in ("rel", "max_rel", "gains")))
    return model_of(model).of_hits(hits, gain, unjudged=unjudged, cost=cost, cost_after=cost_after)
