"""Latencies: how long each system took for each topic, and what is known about its index."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import EqualByContent, Floats
from cranfield.errors.arguments import checked_methods
from cranfield.tables.caller_columns import same_length
from cranfield.tables.source import IN_MEMORY, Source
from cranfield.tables.text import Text
from cranfield.tables.words import counted


@checked_methods
@dataclass(frozen=True, eq=False)
class Latencies(EqualByContent):
    """Rows `(run, topic, milliseconds)`; `facts[run]` holds numbers about the whole system, such as index size.

    >>> Latencies.of(["bm25", "bm25"], ["1", "2"], [12.5, 8.0])
    Latencies: 1 run, 2 measurements
    """

    run: Text  # by row: the name
    topic: Text  # by row: the id
    milliseconds: Floats  # by row
    facts: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # run -> number by name
    source: Source = field(default=IN_MEMORY, compare=False)

    @classmethod
    def of(cls, run: Iterable[str], topic: Iterable[str], milliseconds: ArrayLike) -> "Latencies":
        """Latencies from columns of equal length."""
        runs, topics, times = Text.of(run), Text.of(topic), np.atleast_1d(np.asarray(milliseconds, dtype=np.float64))
        same_length(run=runs, topic=topics, milliseconds=times)
        return cls(runs, topics, times)

    def __len__(self) -> int:
        return len(self.run)

    def __repr__(self) -> str:
        runs = len({*self.run.codes()[0], *self.facts})
        return f"Latencies: {counted(runs, 'run')}, {counted(len(self), 'measurement')}"
