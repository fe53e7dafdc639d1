"""What trec_eval prints for a measure: one column per printed name, a value per topic, and their summary."""

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from cranfield.arrays import Floats

Summary: TypeAlias = Literal["mean", "sum", "geometric", "topics", "run", "none"]
FLOOR = 1e-5  # of a value whose logarithm is taken
MOST = 709.0  # what may be exponentiated


class PrintedColumn(NamedTuple):
    """A printed name; `values` are numbers, `texts` what is printed instead where a topic has no number."""

    name: str
    values: Floats
    summary: Summary = "mean"
    texts: Sequence[str] | None = None
    total: int | None = None  # a sum that is not the sum of the values
    standardised: bool = False  # the values are z-scores, those of a geometric mean of logarithms

    @property
    def by_topic(self) -> bool:
        """Whether topics have a line of their own."""
        return self.summary in ("mean", "sum", "none")

    def lines(self, topics: Sequence[str]) -> list[str]:
        """The line of each topic."""
        label = self._label
        return [_line(label, topic, value) for topic, value in zip(topics, self.topic_values(), strict=True)]

    def topic_values(self) -> Sequence[float | str]:
        """The value of each topic: a count, a number or a text."""
        if self.texts is not None:
            return [f"'{text}'" for text in self.texts]
        counts = self.summary == "sum" and not self.standardised
        return [*map(int, self.values.tolist())] if counts else self.values.tolist()

    @property
    def _label(self) -> str:
        return f"{'Z' if self.standardised else ''}{self.name:<22}"

    def summarised(self, topics: int, missing: int, run_id: str) -> int | float | str | None:
        """The summary over all topics, `missing` of which have no value; some columns have no summary."""
        if self.summary == "none":
            return None
        if self.summary == "run":
            return run_id
        if self.summary == "topics":
            return float(topics) if self.standardised else topics
        if self.summary == "sum" and self.standardised:
            return total(self.values)
        if self.summary == "sum":
            return int(total(self.values)) if self.total is None else self.total
        return self.average(topics, missing)

    def summary_line(self, topics: int, missing: int, run_id: str) -> str:
        """The line of all topics together."""
        value = self.summarised(topics, missing, run_id)
        return "" if value is None else _line(self._label, "all", value)

    def average(self, topics: int, missing: int) -> float:
        """The mean over topics, in trec_eval's order of summation; the geometric mean has a floor."""
        if self.summary != "geometric":
            return total(self.values) / topics
        if self.standardised:
            return math.exp(min(total(self.values) / topics, MOST))
        return math.exp((total(logarithms(self.values)) + missing * math.log(FLOOR)) / topics)


def logarithms(values: Floats) -> Floats:
    """The logarithm of each value, of the floor where it is lower; that of the C library, to the last bit."""
    return np.array([math.log(value) for value in np.maximum(values, FLOOR).tolist()])


def total(values: Floats) -> float:
    """The sum, added one by one from the first to the last.

    >>> total(np.array([1.0, 2.5]))
    3.5
    """
    return float(np.cumsum(values)[-1]) if len(values) else 0.0


def _line(label: str, topic: str, value: float | str) -> str:
    return f"{label}\t{topic}\t{value:6.4f}\n" if isinstance(value, float) else f"{label}\t{topic}\t{value}\n"
