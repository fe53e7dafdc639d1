"""The place of a number in a picture."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from cranfield.tables.sheets.numerals import minus

MARKS = 5  # at most, on an axis


@dataclass(frozen=True)
class Axis:
    """An axis from one number to another, drawn between two places.

    >>> axis = Axis(0.0, 1.0, 100.0, 300.0)
    >>> axis.at(0.25), [mark.text for mark in axis.marks]
    (150.0, ['0', '0.2', '0.4', '0.6', '0.8', '1.0'])
    """

    low: float
    high: float
    first: float
    last: float

    @classmethod
    def around(cls, values: Iterable[float], first: float, last: float, margin: float = 0.04) -> "Axis":
        """An axis on which all values have a place."""
        known = list(values) or [0.0, 1.0]
        low, high = min(known), max(known)
        more = (high - low or 1.0) * margin
        return cls(low - more, high + more, first, last)

    def at(self, value: float) -> float:
        """The place of a number."""
        span = self.high - self.low
        return round(self.first + (value - self.low) / (span or 1.0) * (self.last - self.first), 2)

    @property
    def marks(self) -> "tuple[AxisTick, ...]":
        """Round numbers on the axis."""
        step = _round_step((self.high - self.low) / MARKS)
        digits = max(0, -floor(log10(step) + 1e-9))
        numbers = range(ceil(self.low / step - 1e-9), floor(self.high / step + 1e-9) + 1)
        return tuple(AxisTick(self.at(n * step), minus(f"{n * step:.{digits}f}") if n else "0") for n in numbers)


@dataclass(frozen=True)
class AxisTick:
    """A label at an axis."""

    at: float
    text: str


def _round_step(least: float) -> float:
    """1, 2 or 5 times a power of ten that is not smaller."""
    power = 10.0 ** floor(log10(least))
    return next((factor * power for factor in (1, 2, 5) if factor * power >= least * (1 - 1e-9)), 10 * power)
