"""A pool: the topic-document pairs chosen for judging, and how they were chosen."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import EqualByContent, Floats, Ints
from cranfield.errors.arguments import checked_methods
from cranfield.tables.caller_columns import same_length
from cranfield.tables.source import IN_MEMORY, Source
from cranfield.tables.text import Text
from cranfield.tables.words import counted


@checked_methods
@dataclass(frozen=True, eq=False)
class Pool(EqualByContent):
    """Rows `(topic, document, stratum, probability)`.

    The probability that a pair was chosen is 1 in a depth pool, and unknown (NaN) in an adaptive one: sampling
    estimators then refuse the pool.

    >>> Pool.of(["1", "1"], ["d1", "d2"], ["depth20", "depth20"], [1.0, 1.0])
    Pool: 1 topic, 2 pairs (depth20)
    """

    topics: tuple[str, ...]
    topic: Ints
    document: Text
    stratum: Text  # by row: of the sample
    probability: Floats  # by row: that the pair was chosen
    line: Ints | None = field(default=None, compare=False)
    source: Source = field(default=IN_MEMORY, compare=False)

    @classmethod
    def of(
        cls,
        topic: Iterable[str],
        document: Iterable[str],
        stratum: Iterable[str],
        probability: ArrayLike,
    ) -> "Pool":
        """A pool from columns of equal length."""
        topics, code = Text.of(topic).codes()
        documents, strata = Text.of(document), Text.of(stratum)
        chance = np.atleast_1d(np.asarray(probability, dtype=np.float64))
        same_length(topic=code, document=documents, stratum=strata, probability=chance)
        return cls(tuple(topics), code, documents, strata, chance)

    @property
    def strata(self) -> list[str]:
        """The distinct strata, in order of appearance."""
        return self.stratum.codes()[0]

    @property
    def adaptive(self) -> bool:
        """Whether the pairs were chosen by looking at earlier judgments, so that no probability is known."""
        return bool(np.isnan(self.probability).any())

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        shown = ", ".join(self.strata[:4])
        return f"Pool: {counted(len(self.topics), 'topic')}, {counted(len(self), 'pair')} ({shown})"
