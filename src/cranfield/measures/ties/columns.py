"""What measures say of rankings, before it is shared out to the runs."""

from collections.abc import Mapping
from dataclasses import dataclass

from cranfield.arrays import Floats, Ints


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ScoreColumns:
    """What measures say of rankings: `[ranking, measure]`, or columns by name."""

    values: Floats
    judged: Floats
    judged_among_first: Mapping[int, Floats]
    residuals: Mapping[str, Floats]
    method: Ints | None = None
    error: Floats | None = None
