r"""Topics with weights, such as how often each query is asked.

The mean of a run is $\sum w_i v_i / \sum w_i$. A topic of weight 0 has no part in anything: it counts for no mean, no
interval and no test.

The difference of two runs, $\sum w_i d_i / \sum w_i$, is the plain mean of $w_i d_i / \bar w$. These are what a test
of the mean is given: swapping two runs on a topic flips the sign of $w_i d_i$ and keeps its weight, so the permutation
test is exact, and the t test and its interval decide alike. The interval of the mean of one run, which is far from 0,
is that of `weighted_mean`; with `bootstrap` topics are drawn with their weights.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.read.pairs import side_input
from cranfield.stats.weights.reading import as_weights
from cranfield.stats.weights.weighted_mean import WeightedMean
from cranfield.tables.averages import Average
from cranfield.tables.scores import Scores
from cranfield.tables.side.matching import listed, match_names
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.comparison.method import Method

WEIGHTED: Final[Average] = "weighted"  # how such scores are averaged
_LARGE = 0.5  # share of the weight from which one topic decides alone


def weighted(scores: Scores, weights: "Mapping[str, float] | str | os.PathLike[str]") -> Scores:
    """The same scores with weights for topics: means, intervals, tests and groups count each topic by its weight.

    Args:
        scores: what `evaluate` made.
        weights: `{topic: weight}`, or a file with a topic and its weight on each line (TSV, CSV, JSON). Every topic
            needs a weight, a number from 0; 0 leaves a topic out.

    Returns:
        Scores whose averages are `weighted`, without intervals and ranges.

    >>> import cranfield as cf
    >>> scores = cf.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["a", "b"]}, "RR")
    >>> weighted(scores, {"q1": 1, "q2": 1.5}).means  # (1 · 1 + 1.5 · 0.5) / 2.5
    array([[0.7]])
    """
    for measure, average in zip(scores.measures, scores.averages, strict=True):
        if average != "mean":
            problem = f"weights of topics need means, and {measure} is no mean ({average})"
            raise PolicyError("E244", problem, hint=f"leave it out, or {setting('average', 'macro')}")
    if scores.possible is not None:
        problem = f"{setting('unjudged', 'bounds', 'estimate')} does not support weights of topics"
        raise PolicyError("E244", problem, hint="leave one of them out")
    if scores.replicates is not None:
        raise PolicyError(
            "E244", "systems with replicates do not support weights of topics", hint="leave one of them out"
        )
    path = os.fspath(weights) if isinstance(weights, str | os.PathLike) else ""
    of_topic = as_weights(weights)
    match_names(of_topic, scores.topics, "topic", path=path or "weights", more_is_fine=True)
    own = _of_topics(of_topic, scores.topics, path or None)
    audit = scores.audit
    inputs = [*audit.inputs, *([side_input("weights", path, len(of_topic))] if path else [])]
    return replace(
        scores,
        averages=(WEIGHTED,) * len(scores.measures),
        weights=np.broadcast_to(own[None, :, None], scores.values.shape),
        intervals=None,
        residuals={},
        origin=None,
        audit=replace(audit, policies={**audit.policies, "weights": path or "given"}, inputs=inputs),
    )


def _of_topics(of_topic: Mapping[str, float], topics: tuple[str, ...], path: str | None) -> Floats:
    """The weight of each topic; an error if one has none or all have 0, a warning if one has most of it."""
    if lacking := [topic for topic in topics if topic not in of_topic]:
        problem = f"{counted(len(lacking), 'topic')} without a weight: {listed(lacking)}"
        raise InputError("E128", problem, path=path, hint="give each topic a weight; 0 leaves it out")
    own = np.array([of_topic[topic] for topic in topics])
    total = own.sum()
    if not total > 0:
        raise InputError("E119", "no topic has a weight above 0", path=path, hint="a weight is a number from 0")
    most = int(own.argmax())
    if len(own) > 2 and own[most] > _LARGE * total:
        message = f"topic {topics[most]} has {100 * own[most] / total:.1f} % of the weight, and decides alone"
        warn(DataWarning("W135", message, path or "weights"))
    return own


def has_weights(scores: Scores) -> bool:
    """Whether topics have weights."""
    return WEIGHTED in scores.averages


def counting(scores: Scores, column: int) -> Floats:
    """`[run, topic]`: the values of topics that have a weight; NaN elsewhere."""
    values = scores.values[:, :, column]
    return values if scores.weights is None else np.where(scores.weights[:, :, column] > 0, values, np.nan)


def products(scores: Scores, column: int) -> Floats:
    r"""`[run, topic]`: $w_i v_i / \bar w$, whose mean is the weighted mean; NaN for topics without a weight.

    >>> import cranfield as cf
    >>> scores = cf.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["a", "b"]}, "RR")
    >>> products(weighted(scores, {"q1": 1, "q2": 1.5}), 0)  # mean weight 1.25
    array([[0.8, 0.6]])
    """
    values = counting(scores, column)
    if scores.weights is None or not len(values):
        return values
    known = ~np.isnan(values)
    if not (known == known.any(axis=0)).all():
        run, topic = np.argwhere(known.any(axis=0) & ~known)[0]
        problem = (
            f"weights compare runs on the same topics, and {scores.runs[run]} has no value for {scores.topics[topic]}"
        )
        raise PolicyError("E246", problem, hint="compare without weights, or leave the topic out")
    own = scores.weights[0, :, column]
    here = known.any(axis=0)
    return values * own / own[here].mean() if here.any() else values


def weighted_mean(scores: Scores, column: int) -> WeightedMean:
    """The mean of each run on one measure, with its error."""
    values = scores.values[:, :, column]
    return WeightedMean.of(values, np.ones_like(values) if scores.weights is None else scores.weights[:, :, column])


def refuse_without_weights(scores: Scores, method: "Method") -> None:
    """Refuse tests and summaries that do not support weights, if topics have some."""
    from cranfield.stats.paired.definition import TESTS

    if not has_weights(scores):
        return
    wanted = {"adjust": method.adjust if method.posthoc else None, "omnibus": method.omnibus, "risk": method.risk}
    if method.test in TESTS and TESTS[method.test].tests == "median":
        wanted["test"] = method.test
    if found := next(((name, value) for name, value in wanted.items() if value is not None), None):
        problem = f"{setting(*found)} does not support weights of topics"
        raise PolicyError("E244", problem, hint=setting("test", "t", "permutation"))
