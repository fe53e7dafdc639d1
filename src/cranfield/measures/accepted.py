"""What functions take as measures: the type `MeasuresLike`, for annotations of your own."""

from collections.abc import Iterable, Sized
from typing import Any, Protocol, TypeAlias

from cranfield.measures.grammar import Measure


class ForeignMeasure(Protocol):
    """A measure of another package whose `str()` is its name, such as `ir_measures.nDCG @ 10`."""

    @property
    def NAME(self) -> Any: ...  # a name
    @property
    def params(self) -> Any: ...  # parameters by name


MeasureLike: TypeAlias = str | Measure | ForeignMeasure
MeasuresLike: TypeAlias = MeasureLike | Iterable[MeasureLike]
"""What functions take as measures: a name, several names separated by blanks, or a collection of names.

A result of `parse`, or a measure of ir_measures, may take the place of a name. Use the type to annotate functions of
your own.

>>> import cranfield as cf
>>> def at_depths(name: str, *depths: int) -> cf.MeasuresLike:
...     return [f"{name}@{depth}" for depth in depths]
>>> cf.evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d2", "d1"]}, at_depths("P", 1, 2)).means
array([[0. , 0.5]])
"""


def none_named(measures: object) -> bool:
    """Whether no measure is named; a collection may be an array, which is neither true nor false.

    >>> none_named(None), none_named([]), none_named("AP")
    (True, True, False)
    """
    return measures is None or (isinstance(measures, Sized) and len(measures) == 0)
