"""Confidence intervals of a mean over topics."""

from dataclasses import replace
from typing import Literal

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.tables.scores import FLOOR, Scores

Method = Literal["t", "bootstrap"]


def with_intervals(
    scores: Scores, method: Method = "t", *, level: float = 0.95, samples: int = 10_000, seed: int = 0
) -> Scores:
    """The same scores with an interval for the mean of each run and measure.

    Topics are taken for a random sample. `t` is Student's interval; `bootstrap` the percentile interval over
    resampled topics, the same topics for every run. Sums have no interval; one topic has none either (NaN). The
    interval of a geometric mean is computed on logarithms.

    >>> import cranfield as cf
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 0, "b": 1}}
    >>> scores = cf.evaluate(qrels, {"q1": ["a"], "q2": ["a", "b"]}, "RR")
    >>> cf.with_intervals(scores, "bootstrap", samples=1000).intervals[0, 0]  # both topics hard, both easy
    array([0.5, 1. ])
    """
    if method not in ("t", "bootstrap"):
        raise PolicyError("E213", f"ci={method!r} is unknown", hint="one of t, bootstrap")
    spans = np.full((len(scores.runs), len(scores.measures), 2), np.nan)
    for column, average in enumerate(scores.averages):
        if average == "sum":
            continue
        values = scores.values[:, :, column]
        if average == "geometric":
            values = np.log(np.maximum(values, FLOOR))
        for run, row in enumerate(values):
            known = row[~np.isnan(row)]
            if len(known) > 1:
                rng = np.random.default_rng(seed)  # the same draws for every run
                span = _student(known, level) if method == "t" else _percentile(known, level, samples, rng)
                spans[run, column] = np.exp(span) if average == "geometric" else span
    return replace(scores, intervals=spans)


def _student(values: Floats, level: float) -> tuple[float, float]:
    from scipy.special import stdtrit

    half = float(stdtrit(len(values) - 1, 0.5 + level / 2)) * float(values.std(ddof=1)) / np.sqrt(len(values))
    return float(values.mean() - half), float(values.mean() + half)


def _percentile(values: Floats, level: float, samples: int, rng: np.random.Generator) -> tuple[float, float]:
    draws = rng.multinomial(len(values), np.full(len(values), 1 / len(values)), size=samples) @ values / len(values)
    low, high = np.quantile(draws, [0.5 - level / 2, 0.5 + level / 2])
    return float(low), float(high)
