"""How close the scores of a reproduced run come to the original, and whether its improvement was found again."""

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.paired.student import student, tail


def rmse(original: Floats, reproduced: Floats) -> float:
    r"""Root mean square error of the scores of the topics.

    $$\mathrm{RMSE} = \sqrt{\frac{1}{n} \sum_j (M_j(r) - M_j(r'))^2}$$

    >>> rmse(np.array([0.5, 0.1]), np.array([0.2, 0.5]))  # √((.3² + .4²) / 2)
    0.3535533905932738
    """
    both = ~(np.isnan(original) | np.isnan(reproduced))
    return float(np.sqrt(np.mean((original - reproduced)[both] ** 2))) if both.any() else float("nan")


def paired_p(original: Floats, reproduced: Floats) -> float:
    """The p value of a paired, two-sided t test.

    >>> paired_p(np.array([0.5, 0.1]), np.array([0.5, 0.1])), round(paired_p(np.zeros(2), np.array([0.1, 0.3])), 4)
    (1.0, 0.2952)
    """
    both = ~(np.isnan(original) | np.isnan(reproduced))
    return float(student((reproduced - original)[both][None]).pvalue[0]) if both.any() else float("nan")


def unpaired_p(original: Floats, reproduced: Floats) -> float:
    """The p value of an unpaired, two-sided t test with one variance, for other topics.

    >>> round(unpaired_p(np.array([0.1, 0.2, 0.3]), np.array([0.2, 0.3, 0.4])), 4)  # t = .1 / (.1 √(2/3)), 4 degrees
    0.2879
    """
    x, y = (values[~np.isnan(values)] for values in (original, reproduced))
    freedom = len(x) + len(y) - 2
    if min(len(x), len(y)) == 0 or freedom < 1:
        return float("nan")
    gap = float(y.mean() - x.mean())
    variance = (((x - x.mean()) ** 2).sum() + ((y - y.mean()) ** 2).sum()) / freedom
    if variance == 0:
        return 1.0 if gap == 0 else float("nan")
    t = gap / np.sqrt(variance * (1 / len(x) + 1 / len(y)))
    return float(tail(np.array([t]), np.array([float(freedom)]), "two-sided")[0])


def effect_ratio(original: Floats, baseline: Floats, reproduced: Floats, reproduced_baseline: Floats) -> float:
    r"""The improvement over the baseline that was found again, as a share of the original one.

    $$\mathrm{ER} = \frac{\frac{1}{n'} \sum_j (M_j(a') - M_j(b'))}{\frac{1}{n} \sum_j (M_j(a) - M_j(b))}$$

    1 if the improvement is the same, 0 if there is none. Undefined if there was no original improvement.

    >>> a, b = np.array([0.4, 0.6]), np.array([0.2, 0.4])
    >>> round(effect_ratio(a, b, np.array([0.3, 0.5]), b), 4)  # .1 / .2
    0.5
    """
    there, here = _improvement(original, baseline), _improvement(reproduced, reproduced_baseline)
    return here / there if there else float("nan")


def delta_relative_improvement(
    original: Floats, baseline: Floats, reproduced: Floats, reproduced_baseline: Floats
) -> float:
    r"""The original relative improvement over the baseline minus that of the reproduction.

    $$\Delta\mathrm{RI} = \mathrm{RI} - \mathrm{RI}', \qquad \mathrm{RI} = \frac{\bar M(a) - \bar M(b)}{\bar M(b)}$$

    0 if both are the same. Undefined if a baseline scores 0.

    >>> a, b = np.array([0.4, 0.6]), np.array([0.2, 0.3])
    >>> round(delta_relative_improvement(a, b, np.array([0.3, 0.45]), b), 4)  # 1 - .5
    0.5
    """
    return _relative(original, baseline) - _relative(reproduced, reproduced_baseline)


def _improvement(advanced: Floats, baseline: Floats) -> float:
    both = ~(np.isnan(advanced) | np.isnan(baseline))
    return float((advanced - baseline)[both].mean()) if both.any() else float("nan")


def _relative(advanced: Floats, baseline: Floats) -> float:
    both = ~(np.isnan(advanced) | np.isnan(baseline))
    below = float(baseline[both].mean()) if both.any() else float("nan")
    return _improvement(advanced, baseline) / below if below else float("nan")
