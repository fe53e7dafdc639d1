"""Interpolated precision: the best precision at a recall or beyond."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.measures.definition import UNIT, define, one_of
from cranfield.measures.facts.bounds import Exchange

RECALL_RULE = one_of("geq", "te9", "lround")
RECALLS = tuple(i / 10 for i in range(11))
INTERPOLATED = Exchange(interpolated=True)


@define(
    "IPrec",
    family="ranked",
    cites="manning2008 buckley2005",
    aliases="iprec_at_recall",
    at="recall",
    domain={"recall": UNIT, "rule": RECALL_RULE},
    ideal=1.0,
    bounds=INTERPOLATED,
)
def interpolated_precision(hits: Hits, *, rel: int = 1, rule: str = "geq", recall: float) -> Floats:
    r"""Interpolated precision: the best precision at any rank where the recall is at least *t*.

    $$\mathrm{IPrec}@t = \max \{ \mathrm{P}@j : \mathrm{R}@j \ge t \}$$

    0 if that recall is never reached, undefined if no document is relevant. Recall *t* means
    $\lceil tR \rceil$ relevant documents (`rule='geq'`); trec_eval 9 takes $\lfloor tR + 0.9 \rfloor$ in floating
    point (`'te9'`), trec_eval 10 rounds $tR$ half up (`'lround'`).

    >>> hits = Hits.of([[(1, 0), (2, 1), (3, 1)]], levels=[[4, 4]], retrieved=[5])
    >>> interpolated_precision(hits, recall=0.25).round(4)  # one of 4 is enough; max(1/2, 2/3)
    array([0.6667])
    """
    found = hits.relevant(rel)
    relevant = hits.judged_at_least(rel)
    enough = found.ordinal >= documents_at(recall, relevant, rule)[found.ranking]
    best = np.zeros(len(hits))
    np.maximum.at(best, found.ranking[enough], (found.ordinal / found.rank)[enough])
    return np.where(relevant > 0, best, np.nan)


def documents_at(recall: float, relevant: Ints, rule: str) -> Ints:
    """How many relevant documents make up a recall: whole numbers, so that 0.7 * 3 cannot miss 2.1 by a rounding."""
    exact = recall * relevant
    rounded = {"geq": np.ceil(exact - 1e-9), "te9": np.trunc(exact + 0.9), "lround": np.floor(exact + 0.5)}[rule]
    with np.errstate(invalid="ignore"):  # trec_eval takes `nan` for a recall
        return rounded.astype(np.int64)


@define(
    "11pt",
    family="ranked",
    cites="manning2008",
    aliases="11pt_avg 11-point",
    domain={"rule": RECALL_RULE},
    ideal=1.0,
    bounds=INTERPOLATED,
)
def eleven_points(hits: Hits, *, rel: int = 1, rule: str = "geq") -> Floats:
    r"""Eleven-point average: the mean of the interpolated precision at recall 0, 0.1, …, 1.

    $$\frac{1}{11} \sum_{i=0}^{10} \mathrm{IPrec}@\tfrac{i}{10}$$

    Undefined if no document is relevant. `rule` is that of `IPrec`.

    >>> hits = Hits.of([[(1, 1), (4, 1)]], levels=[[4, 2]], retrieved=[5])
    >>> eleven_points(hits).round(4)  # six points at 1/1, five at 2/4: (6 + 2.5) / 11
    array([0.7727])
    """
    points = [interpolated_precision(hits, rel=rel, rule=rule, recall=recall) for recall in RECALLS]
    return np.mean(points, axis=0, dtype=np.float64)
