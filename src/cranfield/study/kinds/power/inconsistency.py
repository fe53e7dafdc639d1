"""Pairs of runs that differ significantly with few judgments and not with all of them (SK08 Table 5)."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats


@dataclass(frozen=True)
class Inconsistency:
    """Pairs that are significant in one world, counted against the full one.

    Attributes:
        significant: pairs that are significant here.
        inconsistent: those of them that are not among the full ones.
        reversed: those significant in both worlds, in opposite directions.
        lost: pairs that are significant with all judgments only.
    """

    significant: int
    inconsistent: int
    reversed: int
    lost: int

    @classmethod
    def of(cls, full: Bools, full_difference: Floats, here: Bools, difference: Floats) -> "Inconsistency":
        """Count pairs.

        >>> yes, no = True, False
        >>> full, here = np.array([yes, yes, yes, no]), np.array([yes, yes, no, yes])
        >>> Inconsistency.of(full, np.ones(4), here, np.array([1.0, -1, 1, 1]))
        Inconsistency(significant=3, inconsistent=1, reversed=1, lost=1)
        """
        return cls(
            significant=int(here.sum()),
            inconsistent=int((here & ~full).sum()),
            reversed=int((here & full & (np.sign(difference) != np.sign(full_difference))).sum()),
            lost=int((full & ~here).sum()),
        )
