"""Label probabilities: how likely each grade of an unjudged document is."""

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
class Probabilities(EqualByContent):
    """Rows `(topic, document)` with `chance[row, grade]`, which adds up to 1 in each row.

    >>> Probabilities.of(["1"], ["d1"], [[0.7, 0.2, 0.1]])
    Probabilities: 1 topic, 1 document, grades 0…2
    """

    topics: tuple[str, ...]
    topic: Ints
    document: Text
    chance: Floats  # [row, grade]
    source: Source = field(default=IN_MEMORY, compare=False)

    @classmethod
    def of(cls, topic: Iterable[str], document: Iterable[str], chance: ArrayLike) -> "Probabilities":
        """Probabilities from columns of equal length."""
        topics, code = Text.of(topic).codes()
        documents, chances = Text.of(document), np.atleast_1d(np.asarray(chance, dtype=np.float64))
        same_length(topic=code, document=documents, chance=chances)
        return cls(tuple(topics), code, documents, chances)

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        size = f"{counted(len(self.topics), 'topic')}, {counted(len(self), 'document')}"
        return f"Probabilities: {size}, grades 0…{self.chance.shape[1] - 1}"
