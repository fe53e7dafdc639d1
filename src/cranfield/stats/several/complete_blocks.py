"""Topics as blocks: the input of every comparison of several systems."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Bools, Floats
from cranfield.errors import PolicyError

ROUNDING = 1e-12  # of the largest score: differences below it are taken for errors of rounding


@dataclass(frozen=True, eq=False)
class CompleteBlocks:
    """The topics for which every run has a score.

    Attributes:
        values: scores[run, topic], without gaps.
        kept: for each topic given, whether it is among them.
    """

    values: Floats
    kept: Bools

    @property
    def runs(self) -> int:
        """How many systems are compared."""
        return self.values.shape[0]

    @property
    def n(self) -> int:
        """How many topics are used."""
        return self.values.shape[1]

    @property
    def dropped(self) -> int:
        """How many topics were left out because some run has no score for them."""
        return int((~self.kept).sum())

    @property
    def zero(self) -> float:
        """The largest difference that rounding may cause; smaller ones count as 0."""
        return ROUNDING * float(np.abs(self.values).max(initial=0.0))


def complete(scores: ArrayLike, test: str) -> CompleteBlocks:
    """The topics that can be compared; an error that names `test` if there are fewer than two topics or two runs.

    >>> blocks = complete([[0.1, 0.4, np.nan], [0.2, 0.4, 0.6]], "the test")
    >>> blocks.n, blocks.dropped
    (2, 1)
    """
    values = np.asarray(scores, dtype=np.float64)
    if values.ndim != 2:
        raise PolicyError("E241", f"{test} needs scores[run, topic], got {values.ndim} dimensions")
    if len(values) < 2:
        raise PolicyError("E207", f"{test} needs two runs, got {len(values)}", hint="give another run")
    kept: Bools = np.all(np.isfinite(values), axis=0)
    if kept.sum() < 2:
        hint = "a topic counts if every run has a score for it"
        raise PolicyError("E208", f"{test} needs at least 2 common topics, got {kept.sum()}", hint=hint)
    return CompleteBlocks(values[:, kept], kept)
