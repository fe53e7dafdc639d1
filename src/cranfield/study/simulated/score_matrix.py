"""Simulated scores without documents: chosen marginals, joined by a Gaussian copula over topics.

For questions about statistical methods that need the true means: how often does a test err, does an interval contain
the truth?
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats
from cranfield.arrays.memory import afford_each
from cranfield.errors import PolicyError
from cranfield.errors.ranges import check_least, out_of_range
from cranfield.errors.wording import setting
from cranfield.random_streams import stream
from cranfield.registry import one_of
from cranfield.tables.audit import Audit
from cranfield.tables.scores import Scores

Marginal = Literal["beta", "normal"]


@dataclass(frozen=True, eq=False)
class ScoreMatrix:
    """Drawn scores, with the truth they were drawn from.

    Attributes:
        scores: one value for each run and topic, ready for `compare` and all statistics.
        means: the true mean of each run over all possible topics.
        correlation: of the normal scores behind the values of two runs.
    """

    scores: Scores
    means: Floats
    correlation: Floats

    @property
    def differences(self) -> Floats:
        """`[run, run]`: the true difference of two means."""
        return self.means[:, None] - self.means


def simulate_scores(
    means: ArrayLike | None = None,
    *,
    like: Scores | None = None,
    measure: str = "AP",
    sd: ArrayLike = 0.2,
    correlation: ArrayLike | None = None,
    marginal: Marginal = "beta",
    topics: int = 50,
    seed: int = 0,
    draw: int = 0,
    runs: Sequence[str] = (),
) -> ScoreMatrix:
    """Draw a matrix of scores, runs × topics, whose true means are known.

    Args:
        means: the true mean of each run; with `like` they are those of the marginals.
        like: scores to imitate: each run keeps its own distribution over topics (quantiles, linearly interpolated)
            and two runs keep the correlation of their normal scores.
        measure: the measure to imitate, and the name of the values.
        sd: standard deviation over topics, of all runs or of each.
        correlation: of the normal scores of every two runs: a number (by default 0.7), or a matrix.
        marginal: `beta` (between 0 and 1) or `normal`.
        topics: number of topics.
        seed: of every random step.
        draw: which of the matrices of this seed.
        runs: names of the runs.

    >>> drawn = simulate_scores([0.3, 0.25], topics=2000, sd=0.1, seed=1)
    >>> drawn.means, drawn.scores.means[:, 0].round(2)
    (array([0.3 , 0.25]), array([0.3 , 0.25]))
    """
    if (means is None) == (like is None):
        raise PolicyError("E243", "give means, or scores to imitate", hint="simulate_scores([0.3, 0.25])")
    if topics < 1:
        raise out_of_range("topics", topics, "a whole number from 1")
    check_least(0, draw=draw)
    observed = None if like is None else like.matrix(measure)
    wanted = np.empty(0) if means is None else np.atleast_1d(np.asarray(means, dtype=np.float64))
    count = len(wanted) if observed is None else len(observed)
    spread = np.asarray(sd, dtype=np.float64)
    if count < 1 or spread.shape not in ((), (1,), (count,)):
        raise PolicyError("E246", f"{count} means and {spread.size} deviations do not belong together")
    afford_each(topics, 32 * count, "topics")
    joint = _correlation(count, 0.7 if correlation is None and observed is None else correlation, observed)
    normal = _root(joint) @ stream(seed, draw, "scores").standard_normal((count, topics))
    if observed is not None:
        values, wanted = _empirical(observed, normal)
    else:
        values = _parametric(wanted, np.broadcast_to(spread, count), normal, marginal)
    names = tuple(runs) or (like.runs if like is not None else tuple(f"s{n:02d}" for n in range(1, count + 1)))
    return ScoreMatrix(_scores(values, names, measure, seed), wanted, joint)


def _correlation(count: int, given: ArrayLike | None, observed: Floats | None) -> Floats:
    """A correlation matrix: given, or that of the normal scores of observed values."""
    if given is None and observed is not None:
        return np.atleast_2d(np.corrcoef(_normal_scores(observed)))
    matrix = np.asarray(given, dtype=np.float64)
    if matrix.ndim == 0:
        matrix = np.where(np.eye(count, dtype=bool), 1.0, float(matrix))
    usable = matrix.shape == (count, count) and np.allclose(matrix, matrix.T) and np.allclose(np.diag(matrix), 1)
    if not usable or np.linalg.eigvalsh(matrix).min() < -1e-9:
        problem = f"this is not a correlation matrix of {count} runs"
        raise PolicyError(
            "E240", problem, hint="a number, or a symmetric matrix with ones, without negative eigenvalues"
        )
    return matrix


def _normal_scores(values: Floats) -> Floats:
    from scipy.stats import norm, rankdata

    ranks = rankdata(values, axis=1)
    scores: Floats = norm.ppf(ranks / (values.shape[1] + 1))
    if (scores.std(axis=1) == 0).any():
        raise PolicyError("E246", "a run has the same score on every topic", hint="give a correlation")
    return scores


def _root(matrix: Floats) -> Floats:
    """A matrix square root, also for a matrix without full rank."""
    values, vectors = np.linalg.eigh(matrix)
    return vectors * np.sqrt(np.maximum(values, 0))


def _parametric(means: Floats, sd: Floats, normal: Floats, marginal: Marginal) -> Floats:
    """Values with these means and deviations."""
    from scipy.stats import beta, norm

    one_of("marginal", marginal, get_args(Marginal))
    if marginal == "normal":
        return means[:, None] + sd[:, None] * normal
    size = means * (1 - means) / sd**2 - 1
    if not ((means > 0) & (means < 1) & (sd > 0) & (size > 0)).all():
        problem = "no beta distribution has such a mean and deviation"
        raise PolicyError("E240", problem, hint="means lie between 0 and 1, and sd² below mean · (1 - mean)")
    first, second = means * size, (1 - means) * size
    values: Floats = beta.ppf(norm.cdf(normal), first[:, None], second[:, None])
    return values


def _empirical(observed: Floats, normal: Floats) -> tuple[Floats, Floats]:
    """Values with the quantiles that were observed, linear between them, and their true means."""
    from scipy.stats import norm

    known = np.sort(observed, axis=1)
    if np.isnan(known).any() or known.shape[1] < 2:
        raise PolicyError(
            "E246", "scores to imitate need two topics, and a value for each run", hint=setting("topic_set", "qrels")
        )
    at = np.linspace(0, 1, known.shape[1])
    chance = norm.cdf(normal)
    values = np.stack([np.interp(row, at, quantiles) for row, quantiles in zip(chance, known, strict=True)])
    return values, ((known[:, 1:] + known[:, :-1]) / 2).mean(axis=1)


def _scores(values: Floats, runs: tuple[str, ...], measure: str, seed: int) -> Scores:
    count, topics = values.shape
    if len(runs) != count:
        raise PolicyError("E243", f"{len(runs)} names for {count} runs", hint="a name for each run")
    facts: dict[str, Any] = {"topics_in_mean": topics, "seed": seed, "policies": {"simulated": "copula"}}
    judged = {run: {10: 1.0} for run in runs}
    return Scores(
        runs=runs,
        topics=tuple(f"t{number:03d}" for number in range(1, topics + 1)),
        measures=(measure,),
        averages=("mean",),
        values=values[:, :, None].copy(),
        scored=np.ones(values.shape, dtype=bool),
        judged=np.ones((count, topics, 1)),
        retrieved=np.zeros(values.shape, dtype=np.int64),
        relevant=np.ones((topics, 1), dtype=np.int64),
        audit=Audit(judged_at_k=judged, **facts),
    )
