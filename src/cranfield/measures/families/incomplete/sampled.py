"""Estimates from sampled judgments: what a measure would be if every document of the pool had been judged.

`xinfAP` and `infNDCG` read strata: every document of the pool, −1 where it was not sampled. `statAP` and `statNDCG`
read the inclusion probability of each judged document. All of them find these facts in `hits.sample`.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from cranfield.align.columns.sampled import SampledJudgments
from cranfield.align.hits import Hits
from cranfield.arrays import NO_INTS, Floats, Ints, ordinal, ratio, running_sum, segment_sum
from cranfield.arrays.memory import afford_each
from cranfield.errors import MeasureError
from cranfield.measures.definition import define, one_of
from cranfield.measures.facts.bounds import OfEstimated
from cranfield.measures.families.gain import worth
from cranfield.measures.families.incomplete.coverage import EPSILON

INFINITY = float("inf")
_ENDLESS = 1e18  # documents; more than any memory holds
_DOMAINS = {"dcg": one_of("log2", "exp-log2"), "ideal": one_of("round", "fractional")}
_STRATA = (
    "A document of the pool that was not sampled is estimated from the judged ones of its stratum; any other unjudged "
    "document counts as not relevant."
)
_PROBABILITIES = (
    "A judged document stands for one over its inclusion probability; an unjudged document adds nothing and keeps its "
    "rank."
)


@define(
    "xinfAP",
    family="incomplete",
    cites="yilmaz2008",
    swap="none",
    unjudged=_STRATA,
    needs_sample="strata",
    bounds=OfEstimated("AP", "rel"),
)
def extended_inferred_average_precision(hits: Hits, *, rel: int = 1, adaptive: bool = False) -> Floats:
    r"""Extended inferred average precision: AP estimated from random samples of the strata of the pool.

    $$\mathrm{xinfAP} = \frac{1}{\hat R} \sum_{d} \frac{1}{f_d\,k_d} \left(1 + \sum_{s} C_s \,
    \frac{r_s + \epsilon}{r_s + u_s + 2 \epsilon}\right), \qquad \hat R = \sum_{d'} \frac{1}{f_{d'}}$$

    over the sampled relevant documents *d* found, at rank $k_d$, and *d'* found or not. $f_d$ is the rate of the
    document's stratum, the number judged over its size. Above *d* stand $C_s$ documents of stratum *s*, sampled or not,
    among them $r_s$ judged relevant and $u_s$ judged not relevant; $\epsilon = 10^{-5}$. With one stratum it is infAP;
    if everything was judged it is AP, up to $\epsilon$. Undefined if no sampled document is relevant. `adaptive=True`
    takes documents that were chosen by looking at earlier judgments for a random sample, which is wrong.

    >>> from cranfield.align.columns.sampled import sampled_list
    >>> hits = sampled_list([1, -1, 0, 1], strata=[0, 1, 1, 1])  # of stratum 1, two of three were judged
    >>> extended_inferred_average_precision(hits).round(4)  # (1 + 3/2 · 1/4 (1 + 1 + 2 · 0)) / (1 + 3/2)
    array([0.7])
    """
    table = sample_of(hits)
    found = hits.relevant(rel)
    above = _expected_above(hits, found, table, rel)
    return ratio(
        found.sum((1 + above) / found.rank / table.share[found.document]),
        estimated_relevant(table, table.share, rel, hits.topics)[hits.topic],
    )


@define(
    "infNDCG",
    family="incomplete",
    cites="yilmaz2008",
    aliases="infndcg_cut",
    high=INFINITY,
    swap="none",
    unjudged=_STRATA.replace("estimated from", "represented by"),
    domain=_DOMAINS,
    needs_sample="strata",
    bounds=OfEstimated("nDCG", "dcg", "cutoff"),
)
def inferred_ndcg(
    hits: Hits, *, dcg: str = "log2", ideal: str = "round", adaptive: bool = False, cutoff: int | None = None
) -> Floats:
    r"""Inferred nDCG: nDCG estimated from random samples of the strata of the pool.

    $$\mathrm{infNDCG} = \frac{1}{\mathrm{DCG}_{ideal}} \sum_{d} \frac{g_d}{f_d \log_2(k_d + 1)}$$

    over the sampled documents *d* found, of gain $g_d$ at rank $k_d$; $f_d$ is the rate of the document's stratum, the
    number judged over its size. The ideal list holds, of each grade, the sum of $1/f$ over its sampled documents:
    rounded to whole documents, or with `ideal='fractional'` as it is, so that a rank can be shared by grades. `dcg` is
    that of nDCG, `'log2'` or `'exp-log2'`. A value can exceed 1. If everything was judged it is nDCG. Undefined if no
    sampled document has a positive gain. `adaptive=True` as for `xinfAP`.

    >>> from cranfield.align.columns.sampled import sampled_list
    >>> hits = sampled_list([2, -1, 1], strata=[0, 1, 1])
    >>> inferred_ndcg(hits).round(4)  # (2 + 2/1 · 1/2) / (2 + 1/log2(3) + 1/2)
    array([0.9582])
    """
    return over_ideal(hits, sample_of(hits).share, dcg=dcg, ideal=ideal, cutoff=cutoff)


@define(
    "statAP",
    family="incomplete",
    cites="aslam2006 aslam2007",
    aliases="statMAP",
    high=INFINITY,
    swap="none",
    unjudged=_PROBABILITIES,
    needs_sample="probabilities",
    bounds=OfEstimated("AP", "rel"),
)
def stat_average_precision(hits: Hits, *, rel: int = 1, round_R: bool = False, adaptive: bool = False) -> Floats:
    r"""Statistical average precision: AP estimated from judgments with known inclusion probabilities.

    $$\mathrm{statAP} = \frac{1}{\hat R} \sum_{d} \frac{1}{\pi_d\,k_d} \left(1 + \sum_{j \text{ above } d}
    \frac{\pi_d}{\pi_{dj}}\right), \qquad \hat R = \sum_{d'} \frac{1}{\pi_{d'}}$$

    over the judged relevant documents *d* found, at rank $k_d$, *j* those above it, and *d'* found or not. $\pi_d$ is
    the probability that *d* is judged, $\pi_{dj}$ that both are: the product if they were drawn independently. Where
    every judged document of a stratum has the probability *n* / *M*, *n* of *M* were drawn without replacement, and
    $\pi_d / \pi_{dj} = (M - 1) / (n - 1)$ inside it. The sum and $\hat R$ are unbiased, their ratio nearly so. The
    document *d* itself counts 1, not $1/\pi_d$. `round_R=True` rounds $\hat R$ to a whole number, as the script of TREC
    does. A value can exceed 1. With probabilities of 1 it is AP. Undefined if no sampled document is relevant.
    `adaptive=True` as for `xinfAP`.

    >>> from cranfield.align.columns.sampled import sampled_list
    >>> hits = sampled_list([1, 0, 1], probabilities=[0.8, 0.5, 0.25])
    >>> stat_average_precision(hits).round(4)  # (1.25 · 1 + 4 · 1/3 (1 + 1.25)) / (1.25 + 4)
    array([0.8095])
    """
    table = sample_of(hits)
    found = hits.relevant(rel)
    relevant = estimated_relevant(table, table.chance, rel, hits.topics)
    relevant = np.floor(relevant + 0.5) if round_R else relevant
    weight = 1 / table.chance[found.document]
    return ratio(found.sum(weight * (1 + weight_above(found, table)) / found.rank), relevant[hits.topic])


@define(
    "statNDCG",
    family="incomplete",
    cites="aslam2007",
    high=INFINITY,
    swap="none",
    unjudged=_PROBABILITIES,
    domain=_DOMAINS,
    needs_sample="probabilities",
    bounds=OfEstimated("nDCG", "dcg", "cutoff"),
)
def stat_ndcg(
    hits: Hits, *, dcg: str = "log2", ideal: str = "round", adaptive: bool = False, cutoff: int | None = None
) -> Floats:
    r"""Statistical nDCG: nDCG estimated from judgments with known inclusion probabilities.

    $$\mathrm{statNDCG} = \frac{1}{\mathrm{DCG}_{ideal}} \sum_{d} \frac{g_d}{\pi_d \log_2(k_d + 1)}$$

    over the judged documents *d* found, of gain $g_d$ at rank $k_d$; $\pi_d$ is the probability that *d* is judged.
    The ideal list holds, of each grade, the sum of $1/\pi$ over its judged documents; parameters are those of
    `infNDCG`. The sum is unbiased, its ratio to the ideal nearly so, and a value can exceed 1. With probabilities of 1
    it is nDCG. Undefined if no sampled document has a positive gain.

    >>> from cranfield.align.columns.sampled import sampled_list
    >>> hits = sampled_list([2, 0, 1], probabilities=[1.0, 0.5, 0.5])
    >>> stat_ndcg(hits).round(4)  # (2 + 2 · 1/2) / (2 + 1/log2(3) + 1/2)
    array([0.9582])
    """
    return over_ideal(hits, sample_of(hits).chance, dcg=dcg, ideal=ideal, cutoff=cutoff)


# --- parts, which standard errors share ----------------------------------------------------------------------------


def sample_of(hits: Hits) -> SampledJudgments:
    """How the documents were sampled; an error where that is not known."""
    if hits.sample is None:
        raise MeasureError("E127", "the hits do not say how their documents were sampled", hint="use 'evaluate'")
    return hits.sample


def estimated_relevant(table: SampledJudgments, rate: Floats, rel: float, topics: int) -> Floats:
    """The number of relevant documents of each topic: every judged one stands for one over its rate."""
    relevant = np.flatnonzero(table.judged & (table.grade >= rel))
    return segment_sum(table.topic[relevant], 1 / rate[relevant], topics)


def weight_above(found: Hits, table: SampledJudgments) -> Floats:
    """For each relevant hit the relevant documents above it, each by P(d) / P(d, j)."""
    weight, stratum = 1 / table.chance[found.document], table.stratum[found.document]
    together = np.where(np.isnan(table.together), 0.0, table.together)[stratum]
    correction = np.where(np.isnan(table.together)[stratum], 0.0, together - weight)
    order = np.lexsort((found.rank, stratum, found.ranking))
    cell = found.ranking[order] * (len(table.first) + 1) + stratum[order]
    above = np.empty(len(order), dtype=np.int64)
    above[order] = ordinal(cell) - 1
    return running_sum(found.ranking, weight) - weight + above * correction


def _expected_above(hits: Hits, found: Hits, table: SampledJudgments, rel: float) -> Floats:
    """For each relevant hit the expected number of relevant documents above it, stratum by stratum."""
    pooled = replace(
        hits,
        rank=hits.pooled_rank,
        ranking=hits.pooled_ranking,
        grade=np.zeros_like(hits.pooled_rank),
        document=hits.pooled_document,
        place=NO_INTS,
    )
    number = table.place_in_topic
    expected = np.zeros(len(found.rank))
    for stratum in range(int(number.max(initial=-1)) + 1):
        members = hits.where(number[hits.document] == stratum)
        judged = found.above(members)
        others = found.above(pooled.where(number[pooled.document] == stratum))
        share = (found.above(members.where(members.grade >= rel)) + EPSILON) / (judged + 2 * EPSILON)
        expected += (judged + others) * share
    return expected


def over_ideal(hits: Hits, rate: Floats, *, dcg: str, ideal: str, cutoff: int | None) -> Floats:
    """The estimated discounted gain over that of the estimated ideal list."""
    near = hits.top(cutoff)
    gained = near.sum(worth(near.grade, near.rank, dcg=dcg) / rate[near.document])
    best = _IDEALS[ideal](hits, sample_of(hits), rate, dcg, cutoff)
    return ratio(gained, best[hits.topic])


def estimated_levels(table: SampledJudgments, rate: Floats) -> tuple[Ints, Ints | Floats, Floats]:
    """The grades above 0 of each topic, best first: topic, grade, and the estimated number of documents."""
    graded = np.flatnonzero(table.grade > 0)
    graded = graded[np.lexsort((-table.grade[graded], table.topic[graded]))]
    topic, grade = table.topic[graded], table.grade[graded]
    opens = np.ones(len(graded), dtype=bool)
    opens[1:] = (topic[1:] != topic[:-1]) | (grade[1:] != grade[:-1])
    number = segment_sum(np.cumsum(opens) - 1, 1 / rate[graded], int(opens.sum()))
    return topic[opens], grade[opens], number


def _of_whole_documents(hits: Hits, table: SampledJudgments, rate: Floats, dcg: str, cutoff: int | None) -> Floats:
    """The gain of the ideal list of each topic, with the number of documents of each grade rounded."""
    topic, grade, number = estimated_levels(table, rate)
    number = np.minimum(np.floor(number + 0.5), INFINITY if cutoff is None else cutoff)
    afford_each(int(min(number.sum(), _ENDLESS)), 32, "documents of ideal lists")
    size = number.astype(np.int64)
    ranking = np.repeat(topic, size)
    grades: Ints | Floats = grade[np.repeat(np.arange(len(grade)), size)]
    best = replace(hits.ideal(), rank=ordinal(ranking), grade=grades, ranking=ranking).top(cutoff)
    return best.sum(worth(best.grade, best.rank, dcg=dcg))


def _of_shared_ranks(hits: Hits, table: SampledJudgments, rate: Floats, dcg: str, cutoff: int | None) -> Floats:
    """The same with ranks that grades fill in part: each rank holds one document in all."""
    topic, grade, number = estimated_levels(table, rate)
    end = running_sum(topic, number)
    gain = worth(grade, np.ones(len(grade), dtype=np.int64), dcg=dcg)
    return segment_sum(topic, gain * (attention(end, cutoff) - attention(end - number, cutoff)), hits.topics)


def attention(depth: Floats, cutoff: int | None) -> Floats:
    """The sum of 1 / log2(i + 1) over the ranks down to a depth, which may end inside a rank.

    >>> attention(np.array([0.0, 1.0, 2.5]), None).round(4)  # 1 + 1/log2(3) + 1/2 · 1/log2(4)
    array([0.    , 1.    , 1.8809])
    """
    longest = depth.max(initial=0.0) if cutoff is None else min(depth.max(initial=0.0), cutoff)
    afford_each(int(min(longest, _ENDLESS)), 32, "ranks of ideal lists")
    ranks = np.arange(int(np.ceil(longest)) + 1)
    return np.interp(np.minimum(depth, longest), ranks, np.cumsum(np.append(0.0, 1 / np.log2(ranks[1:] + 1.0))))


_IDEALS: dict[str, Callable[[Hits, SampledJudgments, Floats, str, int | None], Floats]] = {
    "round": _of_whole_documents,
    "fractional": _of_shared_ranks,
}
