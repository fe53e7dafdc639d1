"""Which pairs of runs differ significantly, and how large a difference has to be."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.stats.paired.bootstrap import exceedances, resampled_t
from cranfield.stats.paired.differences import moments, rounded
from cranfield.stats.paired.resampling import draws, spreads
from cranfield.stats.paired.signflips import too_few
from cranfield.stats.several.all_pairs import PostHoc

Test = Literal["bootstrap", "t", "tukey", "tukey-randomized"]
TESTS = {
    "bootstrap": "shifted bootstrap test",
    "t": "paired t test",
    "tukey": "Tukey HSD",
    "tukey-randomized": "randomised Tukey HSD",
}
_CELLS = 1 << 17  # resamples of pairs at once: what fits into a processor's cache


@dataclass(frozen=True, eq=False)
class Separation:
    """All pairs of runs, the first against the second, in the order of `numpy.triu_indices`.

    Attributes:
        level: the achieved significance level of each pair; NaN, and not significant, if its differences are all equal
            but not 0, because there is no finite statistic.
        difference: of the means of each pair.
        needed: the difference that is significant for every pair that has a statistic: the largest of those that single
            pairs need; NaN if no pair has one, infinite if no finite difference is significant for some pair.
        differing: topics on which the two runs of each pair differ.
        unvaried: the number of resamples without variance, whose t is infinite, or 0 if their mean is 0.
    """

    level: Floats
    difference: Floats
    needed: float
    differing: Ints
    unvaried: int = 0

    def significant(self, alpha: float) -> Bools:
        """The pairs that differ significantly."""
        return np.asarray(self.level < alpha)

    def doubtful(self, alpha: float) -> Bools:
        """The significant pairs that differ on so few topics that no sign-flip test could be significant."""
        return self.significant(alpha) & too_few(self.differing, alpha)


def separate(scores: Floats, test: Test, *, alpha: float, samples: int, key: int) -> Separation:
    """Test all pairs of `scores[run, topic]`, which has no gaps; all pairs use the same draws, with the seed `key`.

    >>> scores = np.array([[0.4, 0.6, 0.5, 0.5], [0.3, 0.3, 0.3, 0.3], [0.3, 0.2, 0.3, 0.4]])
    >>> found = separate(scores, "t", alpha=0.05, samples=0, key=0)
    >>> found.significant(0.05), round(found.needed, 4)  # t = 4.9, 2.83, 0; largest sd 0.1414: 3.1824 · 0.1414 / 2
    (array([ True, False, False]), 0.225)
    """
    return _TESTS[test](scores, alpha, samples, key)


def _differing(differences: Floats) -> Ints:
    return np.count_nonzero(differences, axis=1)


def _differences(scores: Floats) -> Floats:
    one, two = np.triu_indices(len(scores), 1)
    return rounded(scores[one] - scores[two])


def _bootstrap(scores: Floats, alpha: float, samples: int, key: int) -> Separation:
    differences = _differences(scores)
    found = exceedances(differences, rng=np.random.default_rng(key), samples=samples)
    needed = estimated(differences, alpha, samples, key)
    still = found.of.constant  # nothing was drawn for these
    most, unvaried = _most(needed, ~still), int(found.unvaried[~still].sum())
    return Separation(found.asl, found.of.mean, most, _differing(differences), unvaried)


def _most(needed: Floats, known: Bools) -> float:
    return float(needed[known].max()) if known.any() else np.nan


def estimated(differences: Floats, alpha: float, samples: int, key: int) -> Floats:
    r"""The difference that each pair needs: $|\bar w_b|$ of the resample with the $(B\alpha)$-th largest $|t_b|$.

    The resamples are those of the test itself. Where so many of them have an infinite t, no finite difference is
    significant, and the needed one is infinite; a pair without a statistic needs NaN.
    """
    n = differences.shape[1]
    place = max(1, round(samples * alpha))
    seed = int(np.random.default_rng(key).integers(2**63))
    of = moments(differences)
    centred = differences - of.mean[:, None]
    needed = np.full(len(differences), np.nan)
    moving = np.flatnonzero(~of.constant)
    counts = np.concatenate(list(draws(n, samples, seed)))
    step = max(1, _CELLS // samples)
    for start in range(0, len(moving), step):
        here = moving[start : start + step]
        mean, sd = spreads(centred[here], counts)
        t = np.abs(resampled_t(mean, sd, n))
        reached = np.partition(t, samples - place, axis=1)[:, samples - place]
        last = np.abs(mean[np.arange(len(here)), _largest(mean, t == reached[:, None])])
        needed[here] = np.where(np.isinf(reached), np.inf, last)
    return needed


def _largest(mean: Floats, among: Bools) -> Ints:
    """Among resamples with the same t, the one with the largest mean."""
    return np.where(among, np.abs(mean), -1.0).argmax(axis=1)


def _student(scores: Floats, alpha: float, samples: int, key: int) -> Separation:
    from scipy.special import stdtrit

    from cranfield.stats.paired.student import student

    differences = _differences(scores)
    of, n = moments(differences), differences.shape[1]
    level = student(differences).pvalue
    needed = _most(stdtrit(n - 1, 1 - alpha / 2) * of.error, ~of.constant)
    return Separation(level, of.mean, needed, _differing(differences))


def _tukey(scores: Floats, alpha: float, samples: int, key: int) -> Separation:
    from cranfield.stats.several.tukey import tukey

    return _post_hoc(scores, tukey(scores, alpha=alpha))


def _tukey_randomized(scores: Floats, alpha: float, samples: int, key: int) -> Separation:
    from cranfield.stats.several.tukey_randomized import tukey_randomized

    drawn = np.random.default_rng(key)
    return _post_hoc(scores, tukey_randomized(scores, alpha=alpha, samples=samples, rng=drawn))


def _post_hoc(scores: Floats, found: PostHoc) -> Separation:
    pairs = np.triu_indices(len(found.centre), 1)
    differing = _differing(_differences(scores))
    needed = found.critical if found.critical > 0 else np.nan  # no error, no statistic
    return Separation(found.pvalue[pairs], found.difference[pairs], needed, differing)


_TESTS: dict[str, Callable[[Floats, float, int, int], Separation]] = {
    "bootstrap": _bootstrap,
    "t": _student,
    "tukey": _tukey,
    "tukey-randomized": _tukey_randomized,
}
