"""Confidence intervals of a mean or median over topics."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from typing import get_args

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import MeasureError, PolicyError
from cranfield.errors.wording import setting
from cranfield.registry import one_of
from cranfield.stats.draws import check_draws
from cranfield.stats.paired.differences import by_size, moments
from cranfield.stats.paired.effects import student_bounds
from cranfield.stats.weights.weighted import WEIGHTED, counting, weighted_mean
from cranfield.tables.averages import MeanIntervalMethod, intervals_of, refuse_t_interval
from cranfield.tables.scores import Scores
from cranfield.tables.summary import FLOOR, influence


@intervals_of("means")
def with_intervals(
    scores: Scores, method: MeanIntervalMethod = "t", *, level: float = 0.95, samples: int = 10_000, seed: int = 0
) -> Scores:
    """The same scores with an interval for the mean of each run and measure.

    Topics are treated as a random sample. `t` is Student's interval; `bootstrap` the percentile interval over
    resampled topics, the same topics for every run. Sums have no interval; one topic has none either (NaN). The
    interval of a geometric mean is computed on logarithms, that of a micro average on the influence of each topic, as
    is the bootstrap interval of a weighted mean, whose `t` has Satterthwaite's degrees of freedom; a median has the
    bootstrap interval only. Where systems have replicates, `t` treats these as random, too. No interval extends beyond
    the values that the measure can take.

    >>> import cranfield as cf
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 0, "b": 1}}
    >>> scores = cf.evaluate(qrels, {"q1": ["a"], "q2": ["a", "b"]}, "RR")
    >>> cf.with_intervals(scores, "bootstrap", samples=1000).intervals[0, 0]  # both topics hard, both easy
    array([0.5, 1. ])
    """
    one_of("method", method, get_args(MeanIntervalMethod))
    if method == "bootstrap":
        if scores.replicates is not None:
            problem = f"{setting('ci', 'bootstrap')} draws topics alone, and replicates are random, too"
            raise PolicyError("E244", problem, hint=setting("ci", "t"))
        check_draws(samples, 16 * len(scores.topics))
    resamples = cache(partial(_resamples, samples, seed))
    spans = np.full((len(scores.runs), len(scores.measures), 2), np.nan)
    for column, average in enumerate(scores.averages):
        if average == "sum":
            continue
        refuse_t_interval(method, average)
        values = scores.values[:, :, column]
        if average == "geometric":
            values = np.log(np.maximum(values, FLOOR))
        if scores.weights is not None:
            known = counting(scores, column) if average == WEIGHTED else values
            values = np.array(list(map(influence, known, scores.weights[:, :, column])))
        drawn = _medians if average == "median" else _means
        bounds = None if method != "t" else _student(scores, column, values, level)
        found = _percentile(values, level, resamples, drawn) if bounds is None else bounds
        found = np.exp(found) if average == "geometric" else found
        spans[:, column] = np.clip(found, *interval_range(scores.measures[column]))
    audit = replace(scores.audit, policies={**scores.audit.policies, "ci": method})
    audit = audit.computed_with("scipy") if method == "t" else audit
    return replace(scores, intervals=spans, audit=audit)


def _student(scores: Scores, column: int, values: Floats, level: float) -> Floats:
    """Student's interval of each row; of systems with replicates the one in which these are random, too."""
    if scores.averages[column] == WEIGHTED:
        return weighted_mean(scores, column).interval(level)
    if scores.replicates is None:
        return student_bounds(moments(values), level)
    from cranfield.stats.crossed import mean_bounds

    return mean_bounds(scores, column, level)


def interval_range(measure: str) -> tuple[float, float]:
    """The range of a measure, and so of its mean; an unknown measure has no limits."""
    from cranfield.measures.grammar import parse

    try:
        definition = parse(measure).definition
    except MeasureError:  # saved scores of a user-defined measure
        return -np.inf, np.inf
    return definition.low, definition.high


def _percentile(
    values: Floats, level: float, resamples: Callable[[int], Floats], drawn: Callable[[Floats, Floats], Floats]
) -> Floats:
    """The interval of each row that has two values or more, between interpolated quantiles."""
    found = np.full((len(values), 2), np.nan)
    for rows, known in by_size(values):
        averages = drawn(known, resamples(known.shape[1]))
        found[rows] = np.quantile(averages, [0.5 - level / 2, 0.5 + level / 2], axis=1).T
    return found


def _means(values: Floats, shares: Floats) -> Floats:
    """`[row, resample]`: the mean of each row under each resample."""
    return values @ shares.T


def _medians(values: Floats, shares: Floats) -> Floats:
    """`[row, resample]`: the median of each row under each resample.

    >>> _medians(np.array([[0.4, 0.2]]), np.array([[0.5, 0.5], [1.0, 0.0]])).round(4)
    array([[0.3, 0.4]])
    """
    topics = values.shape[1]
    times = np.rint(shares * topics).astype(np.int64)
    found = np.empty((len(values), len(shares)))
    for row, known in enumerate(values):
        order = np.argsort(known, kind="stable")
        reached = times[:, order].cumsum(axis=1)
        middle = [(reached > place).argmax(axis=1) for place in ((topics - 1) // 2, topics // 2)]
        found[row] = (known[order][middle[0]] + known[order][middle[1]]) / 2
    return found


def _resamples(samples: int, seed: int, topics: int) -> Floats:
    """How often each topic is drawn in each resample, as a share: the same draws for every run and measure."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(topics, np.full(topics, 1 / topics), size=samples) / topics
