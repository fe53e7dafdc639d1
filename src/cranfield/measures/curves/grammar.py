"""The grammar of curves: `KIND[(param=value, …)][@k]`, a kind being one way to draw a measure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cranfield.errors import MeasureError, PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.definition import Value, is_whole
from cranfield.measures.grammar import Measure, build, parse, parse_many
from cranfield.measures.names import words
from cranfield.registry import unknown
from cranfield.tables.curves.kind import CURVES, CurveKind

SCENARIOS: Mapping[str, Mapping[str, Value]] = {  # of Järvelin and Kekäläinen 2002
    "busy": {"dcg": "jk", "b": 2, "gains": {1: 1, 2: 10, 3: 100}, "cutoff": 30},
    "patient": {"dcg": "jk", "b": 10, "gains": {1: 1, 2: 2, 3: 3}, "cutoff": 200},
}
_WORD = re.compile(r"(?P<name>[^'(@]*)(?P<inside>'?(?:\(.*\))?)(?:@(?P<last>[^@]*))?", re.DOTALL)


@dataclass(frozen=True)
class CurveRequest:
    """What is to be drawn: a kind, the measures seen in that way, and the last rank."""

    kind: CurveKind
    measures: tuple[Measure, ...]
    last: int | None


def read_kind(
    text: str | Sequence[str],
    models: object = (),
    scenario: str | None = None,
    values: Mapping[str, Value] | None = None,
) -> CurveRequest:
    """Read what is to be drawn: one curve or several of a kind, with parameters in the text or beside it.

    >>> read_kind("ndcg(dcg='jk', b=10)").measures, read_kind("pr@50", values={"rel": [1, 2]}).measures
    ((nDCG(dcg='jk', b=10)@100,), (P(rel=1)@50, P(rel=2)@50))
    >>> read_kind("cwl@5", models="RBP(p=0.5) P@3").measures
    (RBP(p=0.5), P@3)
    """
    given = dict(values or {})
    levels = given.pop("rel", None)
    several = (
        [{"rel": level} for level in levels]
        if isinstance(levels, list | tuple)
        else [{} if levels is None else {"rel": levels}]
    )
    asked = [
        _one(word, models, _preset(scenario), given | level)
        for word in (words(text) if isinstance(text, str) else text)
        for level in several
    ]
    if len({request.kind.name for request in asked}) != 1 or len({request.last for request in asked}) != 1:
        raise PolicyError("E243", f"cannot draw {text!r} together", hint="curves of one kind, all to the same rank")
    measures = dict.fromkeys(measure for request in asked for measure in request.measures)
    return CurveRequest(asked[0].kind, tuple(measures), asked[0].last)


def _one(word: str, models: object, preset: Mapping[str, Value], values: Mapping[str, Value]) -> CurveRequest:
    shape = _WORD.fullmatch(word.strip())
    kind = CURVES.find(shape["name"]) if shape else None
    if shape is None or kind is None:
        raise PolicyError("E213", f"there is no curve {word!r}", hint=f"one of {', '.join(CURVES)}")
    last = _last(kind, shape["last"], values.get("cutoff", preset.get("cutoff", kind.last)))
    if kind.models:
        if shape["inside"] or set(values) - {"cutoff"}:
            raise PolicyError(
                "E242",
                f"{word!r}: a user model has its parameters",
                hint=f"as in RBP(p=0.5), with {setting('measures')}",
            )
        return CurveRequest(kind, parse_many(models or kind.measure), last)
    name = kind.measure if last is None else kind.measure_at or kind.measure
    measure = parse(f"{name}{shape['inside']}" + ("" if last is None else f"@{last}"))
    known = {name: value for name, value in preset.items() if name in measure.definition.parameters}
    said = {name: value for name, value in values.items() if name != "cutoff"}
    measure = build(measure.definition, known | dict(measure.values) | said, measure.condensed)
    if measure.arguments.get("avg_pos"):
        raise MeasureError("E203", f"{measure}: a curve shows every rank, avg_pos is one number", hint=f"use {name}")
    return CurveRequest(kind, (measure,), last)


def _last(kind: CurveKind, text: str | None, given: Value) -> int | None:
    """The last rank: behind the `@`, or as a parameter, or that of the kind."""
    last = given if text is None else int(text) if text.isdecimal() else text
    if last is None:
        return None
    if kind.axis == "recall":
        raise MeasureError("E204", f"{kind.name} takes no cut-off", hint=f"write {kind.name}")
    if not is_whole(last) or not 1 <= int(last) <= 10**6:
        raise MeasureError("E203", f"{kind.name}@{last}: the last rank must be a whole number from 1 to 1,000,000")
    return int(last)


def _preset(scenario: str | None) -> Mapping[str, Value]:
    if scenario is None:
        return {}
    if scenario not in SCENARIOS:
        raise unknown("scenario", scenario, SCENARIOS)
    return SCENARIOS[scenario]
