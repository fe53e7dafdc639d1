"""Gain discounted by the time or text read so far: TBG, U-measure."""

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, ratio
from cranfield.measures.definition import POSITIVE, UNIT, Domain, define, is_number, plain
from cranfield.measures.facts.bounds import LIMITED
from cranfield.measures.families.gain import INFINITY, Gains
from cranfield.measures.families.user.patience import GAIN
from cranfield.measures.users.dense import RankBlock, blocks, share

NOT_NEGATIVE = Domain(lambda n: is_number(n) and 0 <= n <= 1e15, "must be a number from 0", canonical=plain)
_TIMES = dict.fromkeys(("summary", "word", "opening", "length"), NOT_NEGATIVE)
_CHANCES = dict.fromkeys(("click", "click_non", "save"), UNIT)


@define(
    "TBG",
    family="user",
    cites="smucker2012",
    high=INFINITY,
    swap="none",
    domain={"h": POSITIVE} | _TIMES | _CHANCES,
    needs={"normalize": "length"},
    unjudged="An unjudged document counts as not relevant and takes the time of one.",
    bounds=LIMITED,
)
def time_biased_gain(
    hits: Hits,
    *,
    length: float | None = None,
    h: float = 224,
    summary: float = 4.4,
    word: float = 0.018,
    opening: float = 7.8,
    click: float = 0.64,
    click_non: float = 0.39,
    save: float = 0.77,
    normalize: bool = False,
    rel: int = 1,
) -> Floats:
    r"""Time-biased gain: the relevant documents saved, each worth half as much for every *h* seconds that passed.

    $$\mathrm{TBG} = \sum_k g_k \, 2^{-T(k)/h}, \qquad
    T(k) = \sum_{m < k} \left(T_S + (\alpha \, l_m + \beta) \, P(click \mid m)\right)$$

    A user reads each summary in $T_S$ seconds (`summary`), opens a relevant document with probability `click` and
    another with `click_non`, and reads its $l_m$ words at $\alpha$ seconds each (`word`) after $\beta$ seconds
    (`opening`). A relevant document is worth `click` times `save`. The length of every document is given to
    `evaluate(lengths=…)` in words; `length` stands for one that is not known, and without it that is an error.
    With `normalize` the value is divided by that of a list of all relevant documents, each of that length; then it is
    undefined if no document is relevant. Moving a long relevant document up may lower the value of what follows.

    >>> hits = Hits.of([[(1, 1), (2, 1)]], levels=[[0, 2]], retrieved=[2])
    >>> time_biased_gain(hits, length=1000, h=4.4 + 25.8 * 0.64)  # 0.4928 (1 + 1/2): T(2) = h
    array([0.7392])
    """
    worth = click * save
    values = np.zeros(len(hits))
    for block in blocks(hits, np.maximum(hits.retrieved, 1)):
        relevant = block.spread(hits.grade >= rel)
        reading = (word * block.lengths("TBG", length) + opening) * np.where(relevant > 0, click, click_non)
        spent = (summary + reading) * block.listed()
        values[block.rows] = (relevant * worth * np.exp2(-_before(spent) / h)).sum(axis=1)
    if not normalize:
        return values
    slower = np.exp2(-(summary + (word * (length or 0) + opening) * click) / h)
    best = np.arange(int(hits.judged_at_least(rel).max(initial=0)) + 1)
    return ratio(values, np.concatenate(([0], np.cumsum(worth * slower**best)))[hits.judged_at_least(rel)])


@define(
    "UMeasure",
    family="user",
    cites="sakai2013",
    aliases="U-measure",
    high=INFINITY,
    swap="none",
    domain=GAIN | {"L": POSITIVE, "length": NOT_NEGATIVE, "snippet": NOT_NEGATIVE, "read": UNIT},
    needs={"snippet": "trail=True", "read": "trail=True"},
    unjudged="An unjudged document counts as not relevant, but its text is gone through.",
    bounds=LIMITED,
)
def u_measure(
    hits: Hits,
    *,
    length: float | None = None,
    L: float = 132_000,
    trail: bool = False,
    snippet: float = 200,
    read: float = 0.2,
    rel: int | None = None,
    max_rel: float | None = None,
    gains: Gains | None = None,
) -> Floats:
    r"""U-measure: the gains of the documents, each worth less the more text was read up to its end.

    $$U = \sum_k g_k \max\left(0, 1 - \frac{pos_k}{L}\right), \qquad pos_k = \sum_{m \le k} l_m$$

    Nothing is gained after *L* characters. The length of every document is given to `evaluate(lengths=…)` in
    characters; `length` stands for one that is not known, and without it that is an error. With `trail` the user
    reads a `snippet` of each document and the share `read` of a relevant one, instead of all. Gains are those of
    `SDCG`. 0 if nothing is relevant.

    >>> hits = Hits.of([[(1, 1), (3, 1)]], levels=[[0, 2]], retrieved=[3], lengths=[[100, 300, 100]])
    >>> u_measure(hits, L=1000)  # (1 - 0.1) + (1 - 0.5)
    array([1.4])
    """
    gain = share(hits, rel, max_rel, gains)
    values = np.zeros(len(hits))
    for block in blocks(hits, np.maximum(hits.retrieved, 1)):
        gained, text = block.spread(gain), block.lengths("UMeasure", length)
        passed = (snippet + read * text * (gained > 0)) * block.listed() if trail else text
        values[block.rows] = (gained * np.maximum(0, 1 - np.cumsum(passed, axis=1) / L)).sum(axis=1)
    return values


def _before(spent: Floats) -> Floats:
    """What was spent before each rank."""
    return np.cumsum(spent, axis=1) - spent


def reading_cost(block: RankBlock, measure: str, item: float, unit: float, length: float | None) -> Floats:
    """What each document of a block costs: `item`, and `unit` for every unit of its length."""
    lengths = block.lengths(measure, length) if unit else 0.0
    return np.full((block.stop - block.start, block.width), item) + unit * lengths
