"""Our measures as objects of ir_measures: they have its interface, and our definitions."""

from functools import cached_property
from typing import Any

import ir_measures
import numpy as np
from ir_measures.measures import base

from cranfield.errors import MeasureError
from cranfield.measures.definition import MEASURES, MeasureDefinition
from cranfield.measures.grammar import Measure, build, parse
from cranfield.tables.summary import summary

described: Any = base.ParamInfo  # a class without types
# names that ir_measures defines otherwise: see SETTINGS of the provider; its beta of SetF is the square
OTHERWISE = frozenset(("ERR", "INSQ", "INST", "IPrec", "NERR10", "NERR11", "SetF", "alpha_DCG"))


class CranfieldMeasure(ir_measures.Measure):
    """A measure of our registry; `@` and a call fill its parameters.

    It prints as it is written here; in small letters where ir_measures means something else by the name, so that both
    can be computed in one call.
    """

    definition: MeasureDefinition
    DEFAULT = float("nan")  # our provider gives a value to every topic, missing ones too, unless it is undefined

    @cached_property
    def ours(self) -> Measure:
        """The measure with its parameters, which are checked."""
        values = dict(self.params)
        condensed = bool(values.pop("judged_only", False))
        return build(self.definition, values, condensed)

    @property
    def cutoff(self) -> int | None:
        """The rank after which nothing is looked at, if there is one."""
        return self.ours.cutoff

    def validate_params(self) -> None:
        """Refuse parameters that the measure does not take."""
        self.validated: bool = bool(self.ours)

    def aggregator(self) -> "TopicAverage":
        """What averages the topics, as `evaluate` does."""
        return TopicAverage(self.definition)

    def __repr__(self) -> str:
        name = self.definition.name
        try:
            written = str(self.ours)
        except MeasureError:  # `P`, before it has a cut-off
            written = name
        return written.replace(name, name.lower(), 1) if name in OTHERWISE else written

    def __reduce__(self) -> tuple[Any, ...]:  # classes are made, and cannot be found by name
        return _made, (self.definition.name, self.params)


class TopicAverage(base.Agg):
    """The summary of the topics in which a measure is defined: their mean, sum, or geometric mean."""

    def __init__(self, definition: MeasureDefinition) -> None:
        self._average = definition.average
        self._values: list[float] = []

    def add(self, value: float) -> None:
        """Take the value of one more topic."""
        self._values.append(value)

    def result(self) -> float:
        """The summary of all topics."""
        return float(summary(np.array(self._values), self._average))


def measure(name: str) -> CranfieldMeasure:
    """A measure of ours for ir_measures, PyTerrier and whatever takes their measures.

    >>> measure("Q"), measure("nDCG(dcg='rank')@10"), measure("P") @ 5, measure("RBP")(p=0.5)
    (Q, nDCG(dcg='rank')@10, P@5, RBP(p=0.5))
    """
    found = MEASURES.find(name)
    if found is not None:
        return _class_of(found.name)()
    read = parse(name)
    condensed = {"judged_only": True} if read.condensed else {}
    return _class_of(read.definition.name)(**dict(read.values), **condensed)


def _made(name: str, params: dict[str, Any]) -> CranfieldMeasure:  # those of the measure
    return _class_of(name)(**params)


def _class_of(name: str) -> type[CranfieldMeasure]:
    """The class of a measure, as ir_measures has one for each name."""
    definition = MEASURES[name]
    parameters = {
        parameter.name: described(required=parameter.required, default=parameter.default)
        for parameter in definition.parameters.values()
    }
    facts = {
        "NAME": name,
        "__name__": name,
        "__doc__": definition.document,
        "AT_PARAM": definition.at or "cutoff",
        "SUPPORTED_PARAMS": parameters | {"judged_only": described(dtype=bool, default=False)},
        "definition": definition,
    }
    return type(name, (CranfieldMeasure,), facts)
