"""One value of a table of scores: a number, nothing, or something that is no score."""

import math
from dataclasses import dataclass
from numbers import Real

from cranfield.errors import InputError

ABSENT = frozenset({"", "nan", "na", "n/a", "null", "none", "-", "–"})  # how tables write that there is no value
_TRUTH = {"true": 1.0, "false": 0.0}


@dataclass(frozen=True)
class ScoreCell:
    """The value of a run on a topic, and where it stands."""

    run: str
    topic: str
    measure: str
    value: object
    path: str | None
    line: int | None

    def number(self) -> float:
        """The value; NaN if there is none; an error if it is no score."""
        found = number_of(self.value)
        if found is None or math.isinf(found):
            problem = f"{self.measure} of topic {self.topic!r} is {self.value!r}, which is no score"
            hint = "name the measures to be taken, or correct the value; an empty cell is a missing score"
            raise InputError("E311", problem, path=self.path, line=self.line, hint=hint)
        return found


def number_of(value: object) -> float | None:
    """The number that a cell holds; NaN if it is empty, None if it is no number.

    >>> [number_of(cell) for cell in ("0.5", True, None, "n/a", "good")]
    [0.5, 1.0, nan, nan, None]
    """
    if value is None:
        return math.nan
    if isinstance(value, Real):  # truth values and numbers of NumPy are
        return float(value)
    if not isinstance(value, str):
        return None
    text = value.strip().lower()
    if text in ABSENT:
        return math.nan
    if text in _TRUTH:
        return _TRUTH[text]
    try:
        return float(text)
    except ValueError:
        return None
