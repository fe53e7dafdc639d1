"""Friedman's test on ranks within topics, and the comparisons of pairs that follow it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats
from cranfield.stats.paired.differences import signed_ratio
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.stats.several.complete_blocks import CompleteBlocks, complete
from cranfield.stats.several.omnibus import omnibus
from cranfield.stats.several.posthoc import posthoc
from cranfield.stats.several.studentized import quantile, survival
from cranfield.tables.sheets.marked import p_words
from cranfield.tables.words import counted

ASSUMES = "compares ranks within topics, not means; assumes independent topics"
_ENOUGH = 5  # topics for the F distribution of T2
_DECIMALS = 12  # scores that agree so far are tied
_NOTHING = 1e-9  # variances of ranks are multiples of 1/4 (means: of 1/b²); less is an error of rounding


@dataclass(frozen=True, eq=False)
class Friedman:
    """Friedman's test; `statistic` and `pvalue` are T2, the F form, which is the more accurate.

    Attributes:
        rank_sums: for each run, the sum of its ranks within topics (1 = lowest score; ties share mid-ranks).
        t1, t1_pvalue: T1, nearly χ² with k - 1 degrees of freedom.
        t2, t2_pvalue: T2, nearly F with k - 1 and (b - 1)(k - 1) degrees of freedom.
        w: Kendall's coefficient of concordance, an effect size between 0 and 1.
        spread: b A1 - Σ R², what is left of the squared ranks; Conover's comparisons use it.
        n: topics used; `dropped` were left out because some run had no score.
    """

    rank_sums: Floats
    t1: float
    t1_pvalue: float
    t2: float
    t2_pvalue: float
    w: float
    spread: float
    n: int
    dropped: int
    method: str = "Friedman"
    note: str = ASSUMES

    @property
    def mean_ranks(self) -> Floats:
        """For each run, the mean of its ranks; the higher, the better."""
        return self.rank_sums / self.n

    @property
    def statistic(self) -> float:
        """T2."""
        return self.t2

    @property
    def df(self) -> tuple[int, int]:
        """The degrees of freedom of T2."""
        k = len(self.rank_sums)
        return k - 1, (self.n - 1) * (k - 1)

    @property
    def effects(self) -> dict[str, float]:
        """How far the topics agree on the order of the systems."""
        return {"Kendall's W": self.w}

    @property
    def doubt(self) -> str:
        """A warning for few topics, with which T2 rejects too often in simulations."""
        few = f"{counted(self.n, 'topic')}: it rejects too often with fewer than {_ENOUGH}"
        return few if self.n < _ENOUGH else ""

    @property
    def infinite(self) -> str:
        """The note if T2 is infinite: its p is then the chance that all topics agree."""
        return f"all topics rank the runs alike, so F is not finite; the chance of that is {p_words(self.t2_pvalue)}"

    @property
    def pvalue(self) -> float:
        """The p value of T2."""
        return self.t2_pvalue


@omnibus("friedman", "Friedman, ranks within topics")
def friedman(scores: ArrayLike) -> Friedman:
    r"""Whether some systems are ranked higher than others, topic by topic.

    $$T_1 = \frac{(k-1) \sum_j (R_j - b(k+1)/2)^2}{A_1 - C_1}, \qquad T_2 = \frac{(b-1) T_1}{b(k-1) - T_1}$$

    where $A_1$ is the sum of the squared ranks and $C_1 = bk(k+1)^2/4$ (Conover 1999; T2 is due to Iman and
    Davenport 1980). If all topics agree, T2 is infinite, and its p is the chance of that, $(1/k!)^{b-1}$ without ties.
    If every topic ties all systems, nothing is defined.

    >>> result = friedman([[0.1, 0.4, 0.2], [0.2, 0.5, 0.1], [0.3, 0.6, 0.5]])
    >>> result.rank_sums, round(result.t1, 6), round(result.t2, 6)  # 2 (4 + 1 + 9) / (42 - 36); 2 T1 / (6 - T1)
    (array([4., 5., 9.]), 4.666667, 7.0)
    """
    blocks = complete(scores, "Friedman's test")
    return _tested(blocks)


@posthoc("conover", "Conover, rank sums", omnibus="friedman")
def conover(scores: ArrayLike, *, alpha: float = 0.05) -> PostHoc:
    r"""Conover's comparisons of rank sums, to be read only if Friedman's test (T2) is significant.

    $$|R_i - R_j| > t_{1-\alpha/2,\,(b-1)(k-1)} \sqrt{\frac{2 (b A_1 - \sum_j R_j^2)}{(b-1)(k-1)}}$$

    The p values are not adjusted: the test before them protects the family. If all topics agree, no error is left, t is
    infinite, and a pair that differs has no p.

    >>> result = conover([[0.1, 0.4, 0.2], [0.2, 0.5, 0.1], [0.3, 0.6, 0.5]])
    >>> round(result.critical, 4)  # t of 4 degrees of freedom, 2.7764 × √(2 (3 × 42 - 122) / 4)
    3.9265
    """
    from scipy.special import stdtr, stdtrit

    blocks = complete(scores, "Conover's comparison")
    test = _tested(blocks)
    df = (blocks.n - 1) * (blocks.runs - 1)
    error = np.sqrt(2 * test.spread / df)
    permitted = bool(test.t2_pvalue < alpha)
    signed = test.rank_sums[:, None] - test.rank_sums
    gaps = np.abs(signed)
    note = f"{ASSUMES}; not adjusted, but protected by Friedman's test, p = {test.t2_pvalue:.4g}"
    # where all topics agree there is no error left: t is infinite, and a pair that differs has no p
    pvalue = 2 * stdtr(df, -gaps / error) if error > 0 else np.where(gaps > 0, np.nan, 1.0)
    return PostHoc(
        method="Conover",
        statistic=signed_ratio(signed, np.full_like(signed, error)),
        pvalue=pvalue,
        centre=test.rank_sums,
        scale="rank sum",
        critical=float(stdtrit(df, 1 - alpha / 2)) * float(error),
        alpha=alpha,
        n=blocks.n,
        dropped=blocks.dropped,
        note=note if permitted else f"{note}: nothing may be concluded about pairs",
        permitted=permitted,
        corrected=False,
    )


@posthoc("nemenyi", "Nemenyi, mean ranks", omnibus="friedman")
def nemenyi(scores: ArrayLike, *, alpha: float = 0.05) -> PostHoc:
    r"""Nemenyi's comparisons of mean ranks, all pairs at once.

    $$|\bar R_i - \bar R_j| > \frac{q_{1-\alpha}(k, \infty)}{\sqrt 2} \sqrt{\frac{k(k+1)}{6b}}$$

    with the studentised range *q* (Nemenyi 1963; Demšar 2006). Conservative if there are ties.

    >>> result = nemenyi([[0.1, 0.4, 0.2], [0.2, 0.5, 0.1], [0.3, 0.6, 0.5]])
    >>> round(result.critical, 4)  # 2.3437 × √(3 × 4 / 18)
    1.9136
    """
    blocks = complete(scores, "Nemenyi's comparison")
    test = _tested(blocks)
    k = blocks.runs
    error = np.sqrt(k * (k + 1) / (12 * blocks.n))  # of a mean rank
    ranges = (test.mean_ranks[:, None] - test.mean_ranks) / error
    return PostHoc(
        method="Nemenyi",
        statistic=ranges,
        pvalue=survival(np.abs(ranges), k),
        centre=test.mean_ranks,
        scale="mean rank",
        critical=quantile(alpha, k) * float(error),
        alpha=alpha,
        n=blocks.n,
        dropped=blocks.dropped,
        note=ASSUMES,
    )


def _tested(blocks: CompleteBlocks) -> Friedman:
    from scipy.special import chdtrc, fdtrc
    from scipy.stats import rankdata

    k, b = blocks.runs, blocks.n
    ranks = rankdata(np.round(blocks.values, _DECIMALS), axis=0)
    sums = ranks.sum(axis=1)
    squares = float((ranks**2).sum())
    varied = squares - b * k * (k + 1) ** 2 / 4
    spread = b * squares - float((sums**2).sum())
    spread = spread if spread > _NOTHING else 0.0
    t1 = (k - 1) * float(((sums - b * (k + 1) / 2) ** 2).sum()) / varied if varied > _NOTHING else np.nan
    t2 = (b - 1) * t1 / (b * (k - 1) - t1) if spread else np.inf if varied > _NOTHING else np.nan
    return Friedman(
        rank_sums=sums,
        t1=t1,
        t1_pvalue=float(chdtrc(k - 1, t1)),
        t2=t2,
        t2_pvalue=_agreement(ranks) if np.isinf(t2) else float(fdtrc(k - 1, (b - 1) * (k - 1), t2)),
        w=t1 / (b * (k - 1)),
        spread=spread,
        n=b,
        dropped=blocks.dropped,
        note=ASSUMES if varied > _NOTHING else f"{ASSUMES}; all systems are tied on every topic",
    )


def _agreement(ranks: Floats) -> float:
    """The probability that all topics give the same order of systems: the first any order, the others that one."""
    from scipy.special import gammaln

    systems, topics = ranks.shape
    _, tied = np.unique(ranks[:, 0], return_counts=True)
    orders = gammaln(systems + 1) - gammaln(tied + 1).sum()  # of one topic, on a logarithmic scale
    return float(np.exp(-orders * (topics - 1)))
