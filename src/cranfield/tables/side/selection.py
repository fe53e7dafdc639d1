"""Parts of scores: some of the measures or topics, or the runs in another order."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors.names import place

if TYPE_CHECKING:
    from cranfield.tables.scores import Scores


def best_first(means: Floats, smaller: bool = False) -> Ints:
    """Places from the best mean to the worst; undefined means last, equal ones as they come.

    >>> best_first(np.array([0.2, np.nan, 0.5])), best_first(np.array([3.0, 1.0]), smaller=True)
    (array([2, 0, 1]), array([1, 0]))
    """
    return np.argsort(means if smaller else -means, kind="stable")


def some_measures(scores: "Scores", at: Sequence[int]) -> "Scores":
    """The scores of the measures at these places."""
    names = tuple(scores.measures[column] for column in at)
    return replace(
        scores,
        measures=names,
        averages=tuple(scores.averages[column] for column in at),
        values=scores.values[:, :, at],
        judged=scores.judged[:, :, at],
        relevant=scores.relevant[:, at],
        looks_at=tuple(scores.looks_at[column] for column in at) if scores.looks_at else (),
        smaller=tuple(name for name in scores.smaller if name in names),
        intervals=None if scores.intervals is None else scores.intervals[:, at],
        residuals={name: values for name, values in scores.residuals.items() if name in names},
        weights=None if scores.weights is None else scores.weights[:, :, at],
        possible=None if scores.possible is None else scores.possible.select(at),
        replicates=None if scores.replicates is None else scores.replicates.select(at),
    )


def runs_in_order(scores: "Scores", order: Ints) -> "Scores":
    """The same scores with the runs in another order."""
    return replace(
        scores,
        runs=tuple(scores.runs[row] for row in order),
        values=scores.values[order],
        scored=scores.scored[order],
        judged=scores.judged[order],
        retrieved=scores.retrieved[order],
        intervals=None if scores.intervals is None else scores.intervals[order],
        residuals={name: values[order] for name, values in scores.residuals.items()},
        weights=None if scores.weights is None else scores.weights[order],
        possible=None if scores.possible is None else scores.possible.in_order(order),
        replicates=None if scores.replicates is None else scores.replicates.in_order(order),
    )


def some_topics(scores: "Scores", names: Sequence[str]) -> "Scores":
    """The scores on these topics, in this order; intervals and ranges, which are of all topics, are left out.

    The audit counts topics anew; what it says of ties and duplicates is still of all topics.

    >>> from cranfield import evaluate
    >>> scores = evaluate({"q1": {"a": 1}, "q2": {"b": 1, "c": 0}}, {"q1": ["a"], "q2": ["c"]}, "RR")
    >>> some_topics(scores, ["q2"]).by_run()
    {'run': {'RR': 0.0}}
    """
    known = {topic: row for row, topic in enumerate(scores.topics)}
    at = np.array([known[name] if name in known else place(name, scores.topics, "topic") for name in names], np.int64)
    empty = np.count_nonzero(scores.relevant[at] == 0, axis=0).tolist()
    return replace(
        scores,
        topics=tuple(names),
        values=scores.values[:, at],
        scored=scores.scored[:, at],
        judged=scores.judged[:, at],
        retrieved=scores.retrieved[:, at],
        relevant=scores.relevant[at],
        intervals=None,
        residuals={name: values[:, at] for name, values in scores.residuals.items()},
        weights=None if scores.weights is None else scores.weights[:, at],
        possible=None,
        replicates=None if scores.replicates is None else scores.replicates.on_topics(at),
        audit=scores.audit.of_topics(
            names, scores.runs, scores.scored[:, at], dict(zip(scores.measures, empty, strict=True))
        ),
    )
