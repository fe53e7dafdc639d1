"""What measures say of rankings, before it is shared out to the runs."""

from collections.abc import Mapping
from typing import NamedTuple

from cranfield.arrays import Floats, Ints


class ScoreColumns(NamedTuple):
    """What measures say of rankings: `[ranking, measure]`, or columns by name."""

    values: Floats
    judged: Floats
    judged_among_first: Mapping[int, Floats]
    residuals: Mapping[str, Floats]
    method: Ints | None = None
    error: Floats | None = None
