"""The result of `agree`: coefficients, confusion tables, topics, and the effect of disagreement on the systems."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import named
from cranfield.stats.agreement.alpha import MeasurementLevel
from cranfield.stats.agreement.coefficients import cohen_errors
from cranfield.stats.agreement.consequences import Consequences
from cranfield.stats.agreement.model.overrating import Overrating
from cranfield.stats.agreement.statistics import Statistic
from cranfield.tables.audit import Audit
from cranfield.tables.charts import AgreementChartChoices, draw
from cranfield.tables.result import Result
from cranfield.tables.scores import number
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import Sheet

if TYPE_CHECKING:
    import polars

    from cranfield.tables.charts import Figure

SCALE = ((0.0, "poor"), (0.20, "slight"), (0.40, "fair"), (0.60, "moderate"), (0.80, "substantial"))


@dataclass(frozen=True)
class Assessor:
    """An assessor: a person or a model."""

    name: str
    kind: str
    labels: int


@dataclass(frozen=True, eq=False)
class Couple:
    """Two assessors, or one at two times: the confusion table and what follows from it."""

    assessors: tuple[str, str]
    pairs: int
    confusion: Floats
    values: Mapping[str, float]  # coefficient -> value

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        values = {name: number(value) for name, value in self.values.items()}
        return {
            "assessors": list(self.assessors),
            "pairs": self.pairs,
            **values,
            "confusion": self.confusion.astype(int).tolist(),
        }


@dataclass(frozen=True, eq=False)
class TopicAgreement:
    """One topic: the pairs with two labels or more, and their agreement."""

    topic: str
    pairs: int
    labels: int
    confusion: Floats
    values: Mapping[str, float]  # coefficient -> value

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        values = {name: number(value) for name, value in self.values.items()}
        confusion = self.confusion.astype(int).tolist()
        return {"topic": self.topic, "pairs": self.pairs, "labels": self.labels, **values, "confusion": confusion}


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Agreement(Result):
    """How far assessors agree: every coefficient with its interval, and the tables behind them.

    Attributes:
        mode: `between` assessors, or `within`: earlier and later judgments of the same assessor.
        assessors: who judged.
        pairs: topic–document pairs with two labels or more.
        labels: labels of those pairs.
        grades: the scale: every grade that was given.
        statistics: all coefficients; of more than two assessors, means over couples weighted by their common pairs.
        confusion: `[grade, grade]`; the first assessor in the rows. Of many couples, all of them together.
        couples: every two assessors who judged enough pairs together; `within`, every assessor at two times.
        topics: the same by topic.
        apart: by how many grades labels differ -> number of pairs; of several labels, the two farthest apart count.
        consequences: the systems under each assessor, if runs were given.
        model: people and model as two assessors, if there are a model and several people.
        overrating: where people are compared with a model, the model's grades beside each grade of theirs; the last
            one is of all grades.

    >>> import cranfield as cf
    >>> found = cf.agree({"ann": {"q1": {"d1": 1, "d2": 0, "d3": 1}}, "bob": {"q1": {"d1": 1, "d2": 0, "d3": 0}}})
    >>> found.pairs, found.confusion.tolist()  # ann's grades in the rows
    (3, [[1.0, 0.0], [1.0, 1.0]])
    >>> round(found["cohen"].value, 4)  # (2/3 - 4/9) / (1 - 4/9)
    0.4
    """

    command: ClassVar[str] = "agree"

    mode: str
    assessors: tuple[Assessor, ...]
    pairs: int
    labels: int
    grades: tuple[float, ...]
    statistics: tuple[Statistic, ...]
    confusion: Floats
    couples: tuple[Couple, ...]
    topics: tuple[TopicAgreement, ...]
    apart: Mapping[float, int]
    equal_labels: int  # labels of each pair that Fleiss' kappa looks at
    labels_per_pair: Mapping[int, int]  # how many pairs have so many labels
    repeated: int  # pairs that one assessor judged again
    audit: Audit  # what shaped the numbers
    weights: str = "quadratic"  # of the weighted kappa that is printed
    level: MeasurementLevel = "ordinal"  # of the alpha that is printed
    couples_left_out: int = 0  # couples with too few common pairs
    consequences: tuple[Consequences, ...] = ()
    model: "Agreement | None" = None
    groups: int = 0  # topics, or pairs, that were resampled
    overrating: tuple[Overrating, ...] = ()

    def __getitem__(self, id: str) -> Statistic:
        return named(id, {statistic.id: statistic for statistic in self.statistics}, "coefficient")

    @property
    def two(self) -> bool:
        """Whether there are two assessors, and so one confusion table."""
        return self.mode == "within" or len(self.assessors) == 2

    @property
    def per_grade(self) -> dict[float, float]:
        """Of the labels of each grade, the share with which another assessor's label agrees."""
        both = self.confusion + self.confusion.T
        given = both.sum(axis=1)
        return {
            grade: float(both[place, place] / given[place]) if given[place] else np.nan
            for place, grade in enumerate(self.grades)
        }

    @property
    def interpretation(self) -> str:
        """The word of Landis and Koch's disputed scale for Cohen's kappa; empty where that is undefined."""
        return word(self["cohen"].value)

    @property
    def prevalence(self) -> str:
        """A warning where kappa is low though agreement is high, because one grade prevails; else empty."""
        raw, kappa = self["raw"].value, self["cohen"].value
        if not (raw >= 0.8 and not kappa >= 0.4):
            return ""
        given = (self.confusion + self.confusion.T).sum(axis=1)
        top = int(given.argmax())
        low = "undefined" if np.isnan(kappa) else f"low ({in_print(kappa, '.3f')})"
        beside = self["ac1"].value
        advice = "" if np.isnan(beside) else f"; read it beside Gwet AC1 ({in_print(beside, '.3f')})"
        return (
            f"κ is {low} though raw agreement is high ({100 * raw:.1f} %): {100 * given[top] / given.sum():.1f} % of "
            f"the labels are {self.grades[top]:g}{advice}"
        )

    # --- forms -------------------------------------------------------------------------------------------------

    def sheet(self, every: bool = False) -> Sheet:
        """The printed tables; `every` shows every coefficient."""
        from cranfield.stats.agreement.sheet import sheet

        return sheet(self, every)

    def topic_sheet(self) -> Sheet:
        """The printed table of every topic."""
        from cranfield.stats.agreement.sheet import topic_sheet

        return topic_sheet(self)

    def couple_sheet(self) -> Sheet:
        """The printed table of every two assessors."""
        from cranfield.stats.agreement.sheet import couple_sheet

        return couple_sheet(self, len(self.couples))

    def system_sheet(self) -> Sheet:
        """The printed table of every system under people and under a model, if there are both, and runs."""
        from cranfield.stats.agreement.model.sheets import system_sheet

        return system_sheet((self.model or self).consequences)

    def per_topic(self) -> "polars.DataFrame":
        """One row per topic."""
        return self.topic_sheet().polars()

    def per_couple(self) -> "polars.DataFrame":
        """One row for every two assessors."""
        return self.couple_sheet().polars()

    def per_system(self) -> "polars.DataFrame":
        """One row for every system and measure: its mean under people and under a model, and the bias."""
        return self.system_sheet().polars()

    def plot(self, kind: str = "confusion", **choices: Unpack[AgreementChartChoices]) -> "Figure":
        """Draw the `confusion` of grades, the `coefficients`, or the `systems` under each assessor."""
        return draw("agreement", kind, self, **choices)

    def result(self, per_topic: bool = True) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        errors = cohen_errors(self.confusion) if self.two else (np.nan, np.nan)
        found: dict[str, Any] = {
            "mode": self.mode,
            "assessors": [{"name": a.name, "kind": a.kind, "labels": a.labels} for a in self.assessors],
            "pairs": self.pairs,
            "labels": self.labels,
            "grades": list(self.grades),
            "coefficients": [
                {"id": s.id, "name": s.label, "value": number(s.value), "ci": _ci(s), "pairs": s.pairs}
                for s in self.statistics
            ],
            "cohen_standard_errors": {"no_agreement": number(errors[0]), "interval": number(errors[1])},
            "weights": self.weights,
            "level": self.level,
            "interpretation": {"scale": "Landis and Koch 1977, disputed", "word": self.interpretation},
            "prevalence": self.prevalence,
            "confusion": self.confusion.astype(int).tolist(),
            "per_grade": [{"grade": g, "agreement": number(share)} for g, share in self.per_grade.items()],
            "disagreements": {
                "pairs": sum(self.apart.values()),
                "by": [{"grades": by, "pairs": n} for by, n in self.apart.items()],
            },
            "fleiss_labels": self.equal_labels,
            "labels_per_pair": {str(size): pairs for size, pairs in self.labels_per_pair.items()},
            "repeated": self.repeated,
            "couples": [couple.as_dict() for couple in self.couples],
            "couples_left_out": self.couples_left_out,
        }
        if per_topic:
            found["topics"] = [topic.as_dict() for topic in self.topics]
        if self.overrating:
            found["overrating"] = [each.as_dict() for each in self.overrating]
        if self.consequences:
            found["consequences"] = [each.as_dict() for each in self.consequences]
        if self.model is not None:
            found["model"] = self.model.result(per_topic)
        return found


def word(kappa: float) -> str:
    """The word of Landis and Koch's disputed scale.

    >>> [word(kappa) for kappa in (-0.1, 0.2, 0.21, 0.672, 1.0)]
    ['poor', 'slight', 'fair', 'substantial', 'almost perfect']
    """
    if np.isnan(kappa):
        return ""
    if kappa < 0:
        return "poor"
    return next((name for top, name in SCALE[1:] if round(kappa, 2) <= top), "almost perfect")


def _ci(statistic: Statistic) -> list[float | None] | None:
    return None if np.isnan(statistic.low) else [number(statistic.low), number(statistic.high)]
