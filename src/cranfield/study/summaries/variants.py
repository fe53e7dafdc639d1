"""Variants of measures: the same measure with other parameters, on the lists of the policy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cranfield.arrays import Floats
from cranfield.measures.definition import MEASURES, Value
from cranfield.measures.grammar import Measure, build
from cranfield.study.data.collection import Collection


@dataclass(frozen=True)
class MeasureVariants:
    """Variants of one measure: a label and a measure each, and which of them is the usual one."""

    name: str
    labels: tuple[str, ...]
    measures: tuple[Measure, ...]
    usual: int


def variant(data: Collection, name: str, values: Mapping[str, Value]) -> Measure:
    """A measure with parameters, on condensed lists if the policy says so."""
    measure = build(MEASURES[name], values)
    return measure.as_condensed() if data.policy.unjudged == "condensed" else measure


def scores_of(data: Collection, measures: Sequence[Measure]) -> tuple[Floats, Floats]:
    """Scores `[run, topic, measure]` and means `[run, measure]` of other measures, with all judgments."""
    other = replace(data, measures=tuple(measures))
    return other.full, other.full_means


def top_weights(data: Collection, weights: Sequence[float]) -> MeasureVariants:
    """nDCG with gains from 1 for the lowest relevant grade up to a weight for the highest, in equal ratios.

    With grades up to 3, the weight 100 is 1, 10, 100; the weight 1 is binary (Voorhees 2001).
    """
    top = max(1, int(data.hits.top_grade))
    schemes = [{grade: _gain(weight, grade, top) for grade in range(1, top + 1)} for weight in weights]
    labels = tuple("-".join(f"{gain:.4g}" for gain in (0, *scheme.values())) for scheme in schemes)
    measures = tuple(variant(data, "nDCG", {"gains": scheme}) for scheme in schemes)
    return MeasureVariants("nDCG, gains by grade", labels, measures, 0)


def numbered(
    data: Collection, title: str, name: str, key: str, values: Sequence[float], usual: float
) -> MeasureVariants:
    """A measure with each value of one parameter; the usual one is the value nearest to `usual`."""
    fixed = {"dcg": "jk"} if name == "nDCG" else {}
    measures = tuple(variant(data, name, {**fixed, key: value}) for value in values)
    near = min(range(len(values)), key=lambda at: abs(values[at] - usual), default=0)
    return MeasureVariants(title, tuple(f"{key} = {value:.4g}" for value in values), measures, near)


def cut(data: Collection, ranks: Sequence[int]) -> Iterator[MeasureVariants]:
    """Each measure of the study that can be cut, at each last rank; the deepest one is the usual one."""
    seen = set()
    for measure in data.measures:
        given = {name: value for name, value in measure.values if name != "cutoff"}
        if "cutoff" not in measure.definition.parameters or (key := str((measure.definition.name, given))) in seen:
            continue
        seen.add(key)
        cuts = [build(measure.definition, {**given, "cutoff": rank}, measure.condensed) for rank in ranks]
        deepest = max(range(len(ranks)), key=ranks.__getitem__, default=0)
        title = str(replace(measure, values=tuple(given.items())))
        yield MeasureVariants(f"{title}, last rank", tuple(f"@{rank}" for rank in ranks), tuple(cuts), deepest)


def _gain(weight: float, grade: int, top: int) -> float:
    """From 1 at grade 1 to the weight at the highest; the same steps, as ratios, in between."""
    gain = weight if top == 1 else weight ** ((grade - 1) / (top - 1))
    return round(gain) if abs(gain - round(gain)) < 1e-9 else gain
