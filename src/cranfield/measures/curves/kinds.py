"""The kinds of curves. Help pages list them, so that nothing here needs NumPy."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.registry import Registry

if TYPE_CHECKING:
    from cranfield.measures.curves.vectors import Vectors


@dataclass(frozen=True)
class CurveKind:
    """One way to draw a measure."""

    name: str
    title: str
    measure: str  # the measure that is drawn
    last: int | None  # the last rank, if none is given
    computed_by: str  # the function of `vectors`, which is imported when a curve is drawn
    axis: str = "rank"  # what a point is
    x: str = "rank"  # the axis or column along which a curve runs
    y: tuple[str, ...] = ("gained",)  # the columns that are drawn

    @property
    def vectors(self) -> "Vectors":
        """What computes the points."""
        from cranfield.measures.curves import vectors

        found: Vectors = getattr(vectors, self.computed_by)
        return found


KINDS: Registry[CurveKind] = Registry("curve")
for _kind in (
    CurveKind(
        "pr", "precision against recall, rank by rank", "P", 1000, "precision_recall", x="recall", y=("precision",)
    ),
    CurveKind(
        name="11pt",
        title="interpolated precision by recall",
        measure="11pt",
        last=None,
        computed_by="interpolated",
        axis="recall",
        x="recall",
        y=("precision",),
    ),
    CurveKind(
        name="f",
        title="precision against recall, a point per topic",
        measure="SetF",
        last=None,
        computed_by="point",
        axis="",
        x="recall",
        y=("precision",),
    ),
    CurveKind("cwl", "a user model: going on, attention, last rank", "RBP", 20, "user_functions", y=("C", "W", "L")),
    CurveKind("cg", "cumulated gain", "CG", 100, "gain_vectors"),
    CurveKind("dcg", "discounted cumulated gain", "DCG", 100, "gain_vectors"),
    CurveKind("ncg", "normalised cumulated gain", "nCG", 100, "normalised_vectors", y=("mean_of_norm",)),
    CurveKind("ndcg", "normalised discounted cumulated gain", "nDCG", 100, "normalised_vectors", y=("mean_of_norm",)),
):
    KINDS.add(_kind.name, _kind)
