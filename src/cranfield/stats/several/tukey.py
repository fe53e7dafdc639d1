"""Tukey's honestly significant difference, with topics as blocks: the classical test."""

import numpy as np
from numpy.typing import ArrayLike

from cranfield.stats.paired.differences import signed_ratio
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.stats.several.anova import ASSUMES, parts
from cranfield.stats.several.complete_blocks import complete
from cranfield.stats.several.posthoc import posthoc
from cranfield.stats.several.studentized import quantile, survival


@posthoc("tukey", "Tukey HSD, topics as blocks", omnibus="anova", aliases="hsd tukey-hsd")
def tukey(scores: ArrayLike, *, alpha: float = 0.05) -> PostHoc:
    r"""Tukey's HSD: all pairs of means at once, with the error of the two-way analysis of variance.

    $$|\bar x_i - \bar x_j| > q_{1-\alpha}(k, (b-1)(k-1)) \sqrt{MS_\mathrm{err} / b}$$

    For two systems it is the paired t test. Without any error, because the differences are the same on every topic, the
    studentised range is infinite, and a pair that differs has no p.

    >>> result = tukey([[0.0, 1.0, 2.0], [1.0, 2.0, 6.0]])
    >>> result.pvalue[0, 1].round(4)  # t = 2 / √(3 / 3) = 2 with 2 degrees of freedom
    np.float64(0.1835)
    """
    blocks = complete(scores, "Tukey's test")
    k, b = blocks.values.shape
    _, _, error = parts(blocks)
    means = blocks.values.mean(axis=1)
    gaps = means[:, None] - means
    gaps[np.abs(gaps) <= blocks.zero] = 0
    of_mean = np.sqrt(error.ms / b)
    return PostHoc(
        method="Tukey HSD, topics as blocks",
        statistic=signed_ratio(gaps, np.full_like(gaps, of_mean)),
        pvalue=survival(np.abs(gaps) / of_mean, k, error.df) if of_mean > 0 else np.where(gaps != 0, np.nan, 1.0),
        centre=means,
        scale="mean",
        critical=quantile(alpha, k, error.df) * float(of_mean),
        alpha=alpha,
        n=b,
        dropped=blocks.dropped,
        note=ASSUMES if of_mean > 0 else f"{ASSUMES}; the error variance is 0",
    )
