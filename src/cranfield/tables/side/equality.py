"""When scores are the same: value by value, undefined values included."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from cranfield.tables.scores import Scores

_ARRAYS = ("scored", "judged", "retrieved", "relevant", "intervals", "weights")


def same_values(here: "Scores", there: "Scores") -> bool:
    """Whether runs, topics, measures and values of two scores are the same."""
    labels = ((each.runs, each.topics, each.measures, each.averages) for each in (here, there))
    return next(labels) == next(labels) and same_array(here.values, there.values)


def same_facts(here: "Scores", there: "Scores") -> bool:
    """Whether intervals, residuals and counts of two scores are the same."""
    return (
        here.cutoff == there.cutoff
        and here.residuals.keys() == there.residuals.keys()
        and all(same_array(values, there.residuals[measure]) for measure, values in here.residuals.items())
        and all(same_array(getattr(here, name), getattr(there, name)) for name in _ARRAYS)
        and _same_replicates(here, there)
    )


def _same_replicates(here: "Scores", there: "Scores") -> bool:
    """Whether the same runs are behind the systems."""
    one, other = here.replicates, there.replicates
    if one is None or other is None:
        return one is other
    return one.runs == other.runs and same_array(one.system, other.system) and same_array(one.values, other.values)


def same_array(here: Any, there: Any) -> bool:  # arrays of numbers or truth values, or None
    """Whether both are there and alike, undefined values included, or neither is.

    >>> same_array(np.array([1.0, np.nan]), np.array([1.0, np.nan])), same_array(None, np.zeros(2))
    (True, False)
    """
    if here is None or there is None:
        return here is there
    return np.array_equal(here, there, equal_nan=here.dtype.kind == there.dtype.kind == "f")
