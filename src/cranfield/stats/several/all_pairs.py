"""The result of a procedure for all pairs: which runs differ significantly."""

from dataclasses import dataclass, replace

import numpy as np

from cranfield.arrays import Bools, Floats, Ints


@dataclass(frozen=True, eq=False)
class PostHoc:
    """All pairs of runs, compared at once.

    Attributes:
        method: the procedure.
        statistic: statistic[run, run] that p belongs to, with the sign of the difference: the studentised range of
            Tukey and Nemenyi, Conover's t, the difference of means where scores are permuted.
        pvalue: p[run, run], symmetric, 1 on the diagonal; already corrected for all pairs, except in Conover's
            procedure, which Friedman's test protects. NaN where the statistic is not finite.
        centre: what is compared, for each run: its mean, rank sum or mean rank; the higher, the better.
        scale: which of them: "mean", "rank sum" or "mean rank".
        negated: whether the scores were negated before, because less is better.
        critical: the critical difference between two centres at level `alpha`.
        alpha: the level.
        n: topics used; `dropped` were left out because some run had no score.
        note: assumptions and circumstances.
        permitted: whether the procedure may be used (Conover's only after a significant Friedman test).
        corrected: whether p is corrected for all pairs.
        samples: permutations drawn, or all there are; 0 if none.

    >>> from cranfield.stats.several.tukey import tukey
    >>> result = tukey([[0.1, 0.2, 0.3], [0.5, 0.6, 0.71], [0.5, 0.62, 0.7]])
    >>> [group.tolist() for group in result.groups]  # the first run differs from the others
    [[0], [1, 2]]
    """

    method: str
    statistic: Floats
    pvalue: Floats
    centre: Floats
    scale: str
    critical: float
    alpha: float
    n: int
    dropped: int
    note: str
    permitted: bool = True
    samples: int = 0
    negated: bool = False
    corrected: bool = True

    @property
    def difference(self) -> Floats:
        """difference[i, j] = centre[i] - centre[j]."""
        return self.centre[:, None] - self.centre

    @property
    def separated(self) -> Bools:
        """separated[i, j]: whether run i and run j differ significantly."""
        return (self.pvalue < self.alpha) & self.permitted

    def take(self, order: Ints) -> "PostHoc":
        """The same result for the runs in another order."""
        places = np.ix_(order, order)
        return replace(self, statistic=self.statistic[places], pvalue=self.pvalue[places], centre=self.centre[order])

    @property
    def groups(self) -> list[Ints]:
        """The largest groups of neighbours, from the lowest centre up, in which no two runs differ significantly.

        A run alone in its group differs significantly from all others; every run is in a group.
        """
        order = np.argsort(self.centre, kind="stable")
        apart = self.separated[np.ix_(order, order)]
        after = np.triu(apart).any(axis=1)
        ends = np.where(after, np.argmax(np.triu(apart), axis=1), len(order))  # the first run that differs
        ends = np.minimum.accumulate(ends[::-1])[::-1]
        starts = np.flatnonzero(np.diff(ends, prepend=0) > 0)
        return [order[start : ends[start]] for start in starts]
