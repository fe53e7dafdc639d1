"""Confidence intervals of a mean difference, by Student's t or by resampling topics."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.registry import Registry, registered
from cranfield.stats.draws import check_draws
from cranfield.stats.paired.bootstrap import resampled_t
from cranfield.stats.paired.differences import CELLS, Moments, by_size, moments, rounded
from cranfield.stats.paired.effects import student_bounds
from cranfield.stats.paired.resampling import count_all, draws, means, spreads

_HELD = 24  # bytes of a resampled mean, in its block, in one array, and in order
IntervalMethod = Literal["t", "percentile", "basic", "bca", "studentized"]


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals of many pairs; every array has one row per pair."""

    bounds: Floats  # [pair, 2]; NaN with fewer than two topics, or if too many resamples have no variance
    n: Ints
    dropped: Ints  # resamples without variance, which the studentised interval leaves out
    level: float
    method: str


@dataclass(frozen=True, eq=False)
class Drawn:
    """The resamples of pairs that have equally many topics: estimates and errors, [pair, resample], unsorted."""

    values: Floats
    of: Moments
    shift: Floats  # resampled mean - observed mean
    sd: Floats  # of each resample; empty if not needed


@dataclass(frozen=True)
class IntervalDefinition:
    """A method for the interval of a mean: from resamples, or by Student's t if `bounds` is None."""

    name: str
    title: str
    bounds: Callable[[Drawn, float], tuple[Floats, Ints]] | None  # resamples, level -> bounds, resamples left out
    spread: bool = False  # whether the standard deviation of each resample is needed
    label: str = ""  # in print, where that is not the name

    @property
    def printed(self) -> str:
        """How notes name it."""
        return self.label or self.name


INTERVALS: Registry[IntervalDefinition] = Registry("interval")
INTERVALS.add("t", IntervalDefinition("t", "Student's t", None))
B = TypeVar("B", bound=Callable[[Drawn, float], tuple[Floats, Ints]])


def interval(name: str, title: str, *, spread: bool = False, label: str = "", aliases: str = "") -> Callable[[B], B]:
    """Register a function of this module, of resamples and a level, as a method for intervals."""

    def register(bounds: B) -> B:
        INTERVALS.add(name, IntervalDefinition(name, title, bounds, spread, label), aliases.split())
        return bounds

    return register


def intervals(
    differences: Floats,
    method: str = "t",
    *,
    level: float = 0.95,
    samples: int = 10_000,
    rng: np.random.Generator | None = None,
    exact: bool = False,
) -> Intervals:
    r"""An interval of the mean of each row of `differences[pair, topic]`.

    `t` is Student's. The others resample topics, the same for all pairs: `percentile` takes quantiles of the resampled
    means, `basic` mirrors them at the mean, `bca` corrects their levels for bias and skewness, `studentized` takes
    quantiles of $(\bar d_b - \bar d) / (s_b / \sqrt n)$. Quantiles are order statistics (the inverted distribution
    function, from either end). `exact` takes all $n^n$ resamples instead of `samples` random ones, up to 6 topics.
    The studentised interval leaves out resamples without variance; if there are so many that a quantile would be one of
    them (an infinite value), it has no bounds (NaN). The same holds for equal differences that are not 0.

    >>> few = np.array([[0.0, 0.2, 0.4]])
    >>> intervals(few, "percentile", level=0.8, exact=True).bounds.round(4)  # of 27 means: the 3rd and the 25th
    array([[0.0667, 0.3333]])
    """
    way = INTERVALS[registered("interval", method, INTERVALS)]
    if not 0 < level < 1:
        raise PolicyError(
            "E240", f"{setting('level', level)} is no confidence", hint="a number between 0 and 1, such as 0.95"
        )
    table = rounded(differences)
    of = moments(table)
    dropped = np.zeros(len(table), dtype=np.int64)
    if way.bounds is None:
        return Intervals(student_bounds(of, level), of.n, dropped, level, way.title)
    if rng is None and not exact:
        raise ValueError("a bootstrap interval needs rng, unless it is exact")
    if not exact:
        check_draws(samples, _HELD * (1 + way.spread))
    seed = None if exact or rng is None else int(rng.integers(2**63))
    bounds = np.full((len(table), 2), np.nan)
    for rows, values in by_size(table):
        n = values.shape[1]
        step = max(1, 2 * CELLS // (count_all(n) if exact else samples))
        for start in range(0, len(rows), step):
            here = rows[start : start + step]
            drawn = _drawn(values[start : start + step], samples, seed, spread=way.spread)
            bounds[here], dropped[here] = way.bounds(drawn, level)
    size = "all resamples" if exact else f"{samples:,} resamples"
    return Intervals(bounds, of.n, dropped, level, f"{way.name} bootstrap, {size}")


def bca_levels(drawn: Drawn, level: float) -> tuple[Floats, Floats, Floats]:
    r"""Bias correction $z_0$, acceleration $a$ and the two corrected levels [pair, 2] of the BCa interval.

    $$z_0 = \Phi^{-1}(P(\bar d_b < \bar d) + \tfrac12 P(\bar d_b = \bar d)), \quad
      a = \frac{\sum (d_i - \bar d)^3}{6 (\sum (d_i - \bar d)^2)^{3/2}}, \quad
      \alpha' = \Phi\left(z_0 + \frac{z_0 + z_\alpha}{1 - a (z_0 + z_\alpha)}\right)$$

    The acceleration is that of the jackknife, whose means deviate by $(d_i - \bar d) / (n - 1)$.
    """
    from scipy.special import ndtr, ndtri

    size = drawn.shift.shape[1]
    close = (2e-12 + 1e-9 * np.abs(drawn.values).mean(axis=1))[:, None]
    share = ((drawn.shift < -close).sum(axis=1) + (drawn.shift <= close).sum(axis=1)) / (2 * size)
    bias = ndtri(np.clip(share, 0.5 / size, 1 - 0.5 / size))
    deviation = drawn.values - drawn.of.mean[:, None]
    squares = (deviation**2).sum(axis=1)
    cubes = (deviation**3).sum(axis=1)
    acceleration = np.where(drawn.of.constant, 0.0, cubes / (6 * np.where(squares > 0, squares, 1.0) ** 1.5))
    at = bias[:, None] + ndtri(np.array([0.5 - level / 2, 0.5 + level / 2]))
    return bias, acceleration, ndtr(bias[:, None] + at / (1 - acceleration[:, None] * at))


def _drawn(values: Floats, samples: int, seed: int | None, *, spread: bool) -> Drawn:
    of = moments(values)
    centred = np.where(of.constant[:, None], 0.0, values - of.mean[:, None])
    blocks = draws(values.shape[1], samples, seed, pairs=len(values))
    if not spread:
        return Drawn(
            values, of, np.concatenate([means(centred, counts) for counts in blocks], axis=1), np.empty((0, 0))
        )
    shift, sd = (np.concatenate(parts, axis=1) for parts in zip(*(spreads(centred, c) for c in blocks), strict=True))
    return Drawn(values, of, shift, sd)


def _order(values: Floats, share: Floats, size: Ints) -> Floats:
    """The order statistics at these shares [pair, 2] of the first `size` values of sorted rows.

    The upper one is counted from above, so that swapping the two systems only reverses the sign of the interval.
    """
    share = np.stack((share[:, 0], 1 - share[:, 1]), axis=1)
    place = np.clip(np.ceil(share * size[:, None] - 1e-9).astype(np.int64), 1, np.maximum(size, 1)[:, None])
    return np.take_along_axis(values, np.stack((place[:, 0] - 1, size - place[:, 1]), axis=1), axis=1)


def _quantiles(drawn: Drawn, share: Floats) -> Floats:
    pairs, size = drawn.shift.shape
    return _order(np.sort(drawn.shift, axis=1), np.broadcast_to(share, (pairs, 2)), np.full(pairs, size))


def _ends(level: float) -> Floats:
    return np.array([0.5 - level / 2, 0.5 + level / 2])


def _none(drawn: Drawn) -> Ints:
    return np.zeros(len(drawn.values), dtype=np.int64)


@interval("percentile", "quantiles of the resampled means")
def _percentile(drawn: Drawn, level: float) -> tuple[Floats, Ints]:
    return drawn.of.mean[:, None] + _quantiles(drawn, _ends(level)), _none(drawn)


@interval("basic", "quantiles mirrored at the mean")
def _basic(drawn: Drawn, level: float) -> tuple[Floats, Ints]:
    return drawn.of.mean[:, None] - _quantiles(drawn, _ends(level))[:, ::-1], _none(drawn)


@interval("bca", "quantiles corrected for bias and skewness", label="BCa")
def _bca(drawn: Drawn, level: float) -> tuple[Floats, Ints]:
    _, _, share = bca_levels(drawn, level)
    return drawn.of.mean[:, None] + _quantiles(drawn, share), _none(drawn)


@interval("studentized", "quantiles of the t of resamples", spread=True, label="studentised", aliases="studentised")
def _studentized(drawn: Drawn, level: float) -> tuple[Floats, Ints]:
    n, (pairs, size), held = drawn.values.shape[1], drawn.sd.shape, drawn.sd > 0
    t = resampled_t(drawn.shift, drawn.sd, n)
    share, kept = np.broadcast_to(_ends(level), (pairs, 2)), np.count_nonzero(held, axis=1)
    reached = np.isfinite(_order(np.sort(t, axis=1), share, np.full(pairs, size))).all(axis=1)
    reached &= ~(drawn.of.constant & (drawn.of.mean != 0))
    ends = _order(np.sort(np.where(held, t, np.inf), axis=1), share, kept)
    ends = np.where(drawn.of.constant[:, None], 0.0, ends)
    bounds = drawn.of.mean[:, None] - ends[:, ::-1] * drawn.of.error[:, None]
    return np.where(reached[:, None], bounds, np.nan), size - kept
