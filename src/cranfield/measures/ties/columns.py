"""What measures say of rankings, before it is shared out to the runs."""

from collections.abc import Mapping

from cranfield.arrays import Floats, Ints


class ScoreColumns:
    """What measures say of rankings: `[ranking, measure]`, or columns by name."""

    def __init__(
        self,
        values: Floats,
        judged: Floats,
        judged_among_first: Mapping[int, Floats],
        residuals: Mapping[str, Floats],
        method: Ints | None = None,
        error: Floats | None = None,
    ) -> None:
        self.values = values
        self.judged = judged
        self.judged_among_first = judged_among_first
        self.residuals = residuals
        self.method = method
        self.error = error
