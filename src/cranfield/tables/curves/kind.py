"""The registry of curves: ways to draw a measure, and the facts that tables, charts and the command line ask about.

Results may not import the modules that compute them. Those register their kinds with `curve_kind` and are found by
their folder.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias, TypeVar

from cranfield.arrays import Floats
from cranfield.registry import Registry

VectorColumns: TypeAlias = dict[str, Floats]
Vectors = TypeVar("Vectors", bound=Callable[..., VectorColumns])  # of hits, measure and points: [ranking, point]


@dataclass(frozen=True)
class CurveKind:
    """One way to draw a measure.

    Attributes:
        name: what callers ask for.
        title: what is drawn, in a few words.
        measure: the measure that is drawn.
        vectors: the function that computes the columns, given hits (condensed, if the measure is), measure and points.
        last: the last rank, if none is given.
        measure_at: the measure that is drawn if a last rank is given.
        axis: what a point is: a `rank`, a `recall` level, or nothing (one point per topic).
        measure_at_point: the measure whose value is one point; by default the one that is drawn, cut there.
        x: the axis or column along which a curve runs.
        y: the columns that are drawn.
        y_title: what the vertical axis shows; by default the measure.
        level: the column that runs are compared by; by default the first that is drawn.
        banded: whether a band can be drawn around it.
        ideal: whether the curve of the ideal list is drawn beside it, so that curves are read across.
        normalised: whether it can be averaged before or after it is normalised.
        steps: whether each relevant document is a step of recall, up to the end of the list.
        models: whether the measures that the caller names are drawn, by the functions of their user models.
        example: how one with a parameter is written.
    """

    name: str
    title: str
    measure: str
    vectors: Callable[..., VectorColumns]
    last: int | None = None
    measure_at: str = ""
    axis: str = "rank"
    measure_at_point: str = ""
    x: str = "rank"
    y: tuple[str, ...] = ("gained",)
    y_title: str = ""
    level: str = ""
    banded: bool = False
    ideal: bool = False
    normalised: bool = False
    steps: bool = False
    models: bool = False
    example: str = ""

    @property
    def compared(self) -> str:
        """The column that runs are compared by."""
        return self.level or self.y[0]

    @property
    def usage(self) -> str:
        """How one with a parameter is written."""
        return self.example or f"{self.name}@50"


CURVES: Final = Registry[CurveKind]("curve", "cranfield.measures.curves.kinds")


def curve_kind(name: str, title: str, **facts: Any) -> Callable[[Vectors], Vectors]:  # the fields of `CurveKind`
    """Register the function below as what computes the curve of that name."""

    def add(vectors: Vectors) -> Vectors:
        CURVES.add(name, CurveKind(name, title, vectors=vectors, **facts), home=vectors.__module__)
        return vectors

    return add


def kinds_with(fact: str) -> list[str]:
    """The names of the kinds of which a fact is true.

    >>> kinds_with("normalised")
    ['ncg', 'ndcg']
    """
    return [name for name, kind in CURVES.items() if getattr(kind, fact)]
