"""The grammar of measure names: `NAME['][(param=value, …)][@k]`.

The notation is that of ir_measures; names and aliases are found in any letter case; trec_eval's names are aliases
(`map`, `ndcg_cut_10`, `P.5`). A prime asks for the condensed list. What is parsed prints back in one canonical form.
"""

import ast
import math
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.errors import MeasureError, PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.wording import setting
from cranfield.measures.definition import MEASURES, MeasureDefinition, MeasureParameter, Value
from cranfield.measures.names import words
from cranfield.measures.names.elsewhere import NEEDS_NUMBER, WHOLE_LIST, refusal, respelled, spelled, with_beta

_SHAPE = re.compile(r"(?P<name>[^'()@\s]+)(?P<prime>')?(?:\((?P<inside>.*)\))?(?:@(?P<at>\S+))?", re.DOTALL)
_ABOVE_ZERO = 5e-324  # the smallest number: grades may be real
_TREC = r"(?P<stem>.+?)[_.](?P<number>\d*\.?\d+)"

_TREC_NUMBERS: dict[str, tuple[str, Callable[[float], float]]] = {"RBP": ("p", float), "SetF": ("beta", math.sqrt)}


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Measure:
    """A definition with its parameters filled in.

    >>> parse("ndcg_cut_10"), parse("AP(judged_only=True, rel=2)"), parse("RBP(p=.5)")
    (nDCG@10, AP'(rel=2), RBP(p=0.5))
    """

    definition: MeasureDefinition  # what is known of it
    values: tuple[tuple[str, Value], ...] = ()  # the parameters that were given
    condensed: bool = False  # whether unjudged documents are left out first

    def __call__(self, hits: Hits) -> Floats:
        """The value of each ranking; undefined is NaN."""
        return self.definition.function(hits.condensed() if self.condensed else hits, **self.arguments)

    def divisor(self, hits: Hits) -> Floats:
        """What each value is a share of, if the measure is a ratio: the weight of the ranking in a micro average.

        >>> parse("P@5").divisor(Hits.of([[(1, 1)], []], levels=[[0, 2], [0, 1]], retrieved=[9, 0]))
        array([5., 5.])
        """
        whole = self.require_ratio()(hits.condensed() if self.condensed else hits, **self.arguments)
        return np.asarray(whole, dtype=np.float64)

    def require_ratio(self) -> Callable[..., Ints | Floats]:
        """The divisor of the definition; a measure without one has no micro average, and that is an error."""
        if self.definition.divisor is None:
            hint = "ratios are " + ", ".join(name for name, known in MEASURES.items() if known.divisor)
            raise PolicyError("E244", f"{setting('average', 'micro')} needs a ratio, and {self} is none", hint=hint)
        return self.definition.divisor

    @property
    def arguments(self) -> dict[str, Value]:
        """Every parameter with its value."""
        return {p.name: p.default for p in self.definition.parameters.values()} | dict(self.values)

    def has_effect(self, parameter: MeasureParameter) -> bool:
        """Whether the value of a parameter matters: some do only where another one is set."""
        other, _, setting = parameter.needs.partition("=")
        said = dict(self.values)
        return not other or (other in said and setting in ("", _literal(said[other])))

    @property
    def cutoff(self) -> int | None:
        """The rank after which nothing is looked at, if there is one."""
        value = self.arguments.get("cutoff")
        return value if isinstance(value, int) else None

    @property
    def rel(self) -> float:
        """The grade from which a document counts as relevant: any above 0 for measures without a threshold."""
        value = self.arguments.get("rel")
        return _ABOVE_ZERO if value is None else value

    def at_level(self, rel: float) -> "Measure":
        """The measure with `rel` as its threshold, unless it has its own or is not binary."""
        parameter = self.definition.parameters.get("rel")
        if parameter is None or parameter.default != 1 or "rel" in dict(self.values):
            return self
        return build(self.definition, dict(self.values) | {"rel": rel}, self.condensed)

    def as_condensed(self) -> "Measure":
        """The measure on condensed lists."""
        return Measure(self.definition, self.values, condensed=True)

    def __str__(self) -> str:
        given = dict(self.values)
        at = f"@{given.pop(self.definition.at)}" if self.definition.at in given else ""
        inside = ", ".join(f"{name}={_literal(value)}" for name, value in spelled(self.definition, given).items())
        return self.definition.name + ("'" if self.condensed else "") + (f"({inside})" if inside else "") + at

    __repr__ = __str__

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if isinstance(other, Measure) else NotImplemented

    def __hash__(self) -> int:
        return hash(str(self))


def parse(text: object) -> Measure:
    """Read a measure from its name, or from an object of another package (with a `NAME`) whose `str()` is one.

    >>> str(parse("nDCG'@10")), str(parse("P_5")), str(parse("MAP"))
    ("nDCG'@10", 'P@5', 'AP')
    """
    if isinstance(text, Measure):
        return text
    if not isinstance(text, str) and not hasattr(text, "NAME"):
        raise PolicyError("E241", f"{type(text).__name__} is not a measure", hint="give names, such as nDCG@10")
    given = str(text).strip()
    name = respelled(given)
    shape = _SHAPE.fullmatch(name)
    instead = refusal(given)
    if shape is None or instead:
        hint = instead or "write NAME, NAME@10 or NAME(param=value)@10"
        raise MeasureError("E201", f"cannot read the measure {given!r}", hint=hint)
    definition, number = _lookup(shape["name"])
    if definition is None:
        from cranfield.measures.names.suggestions import did_you_mean

        raise MeasureError("E201", f"unknown measure {given!r}", hint=did_you_mean(shape["name"], name))
    if shape["name"].lower() in NEEDS_NUMBER and shape["at"] is None:
        example = "10" if definition.at == "cutoff" else "0.2"
        raise MeasureError("E202", f"{name} needs a number", hint=f"write {shape['name']}_{example}")
    if name.lower() in WHOLE_LIST:
        hint = f"write {definition.name}@10, or {WHOLE_LIST[name.lower()]} for the whole list"
        raise MeasureError("E202", f"{definition.name} needs a cut-off", hint=hint)
    values = with_beta(definition, _inside(definition, shape["inside"] or ""))
    condensed = _truth(definition, values.pop("judged_only", False)) or bool(shape["prime"])
    if number and definition.name in _TREC_NUMBERS and ("." in number or definition.at is None):
        values, number = _trec_number(definition, number) | values, None
    for at in filter(None, (number, shape["at"])):
        if definition.at is None:
            raise MeasureError("E204", f"{definition.name} takes no cut-off", hint=f"write {definition.name}")
        values[definition.at] = _value(at)
    return build(definition, values, condensed)


def parse_many(texts: object) -> tuple[Measure, ...]:
    """Read several measures: a name, several names separated by blanks or commas, or any collection of those.

    >>> parse_many(["AP P@5", "nDCG(dcg='exp-log2')@10"]), parse_many("ndcg_cut.5,10,MAP")
    ((AP, P@5, nDCG(dcg='exp-log2')@10), (nDCG@5, nDCG@10, AP))
    """
    if isinstance(texts, str):
        return tuple(parse(word) for word in words(texts))
    if isinstance(texts, Iterable):
        several = [parse_many(text) if isinstance(text, str) else (parse(text),) for text in texts]
        return tuple(dict.fromkeys(measure for measures in several for measure in measures))
    return (parse(texts),)


def build(definition: MeasureDefinition, values: Mapping[str, Value], condensed: bool = False) -> Measure:
    """A measure from a definition and parameter values, which are checked.

    Values other than None are kept, in the order of the definition, so that `RBP(p=0.8)` prints as it was written.
    """
    given = {name: value for name, value in values.items() if value is not None}
    for name in values:
        if name not in definition.parameters:
            raise MeasureError(
                "E204", f"{definition.name} has no parameter {name!r}", hint=_takes(definition, definition.at in given)
            )
    said = []
    for name, parameter in definition.parameters.items():
        if name not in given:
            if parameter.required:
                raise _needs_cutoff(definition, definition.name, given, "0.5" if name == "recall" else "10")
            continue
        said.append((name, _checked(definition, parameter, given[name])))
    measure = Measure(definition, tuple(said), condensed)
    for name in dict(said):
        _check_needs(measure, definition.parameters[name])
    return measure


def _checked(definition: MeasureDefinition, parameter: MeasureParameter, value: Value) -> Value:
    """The value in its canonical form, if the parameter may take it."""
    domain = parameter.domain
    if domain is None:
        return value
    if domain.contains(value):
        return domain.canonical(value)
    at = parameter.name == definition.at
    shown = f"@{value}" if at else f"({parameter.name}={_literal(value)})"
    subject = "the cut-off" if parameter.name == "cutoff" else parameter.name
    raise MeasureError("E203", f"{definition.name}{shown}: {subject} {domain.problem(value)}", hint=domain.hint)


def _check_needs(measure: Measure, parameter: MeasureParameter) -> None:
    """Refuse a parameter that would have no effect."""
    if measure.has_effect(parameter):
        return
    if parameter.needs == measure.definition.at:
        raise _needs_cutoff(measure.definition, str(measure), {}, "10")
    shown = f"{parameter.name}={_literal(measure.arguments[parameter.name])}"
    name = measure.definition.name
    raise MeasureError(
        "E203",
        f"{name}({shown}): {parameter.name} has no effect without {parameter.needs}",
        hint=f"write {name}({parameter.needs}, {shown})",
    )


def _needs_cutoff(definition: MeasureDefinition, shown: str, given: Mapping[str, Value], example: str) -> MeasureError:
    inside = ", ".join(f"{name}={_literal(value)}" for name, value in given.items() if name in definition.parameters)
    repaired = f"{shown}({inside})" if inside else shown
    return MeasureError("E202", f"{shown} needs a cut-off", hint=f"write {repaired}@{example}")


def _lookup(name: str) -> tuple[MeasureDefinition | None, str | None]:
    """The definition of a name, and the number a trec_eval name carries."""
    found = MEASURES.find(name)
    if found is not None:
        return found, None
    trec = re.fullmatch(_TREC, name)
    return (MEASURES.find(trec["stem"]), trec["number"]) if trec else (None, None)


def _trec_number(definition: MeasureDefinition, number: str) -> dict[str, Value]:
    """What the number in a trec_eval name means where it is no cut-off."""
    name, read = _TREC_NUMBERS[definition.name]
    return {name: read(float(number))}


def _inside(definition: MeasureDefinition, text: str) -> dict[str, Value]:
    """The keyword arguments between the parentheses, as Python literals."""
    if not text:
        return {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the parser remarks on odd literals; they are refused below or harmless
            call = ast.parse(f"f({text}\n)", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(k.arg is None for k in call.keywords):
            raise ValueError
        return {str(keyword.arg): _signed(ast.literal_eval(keyword.value)) for keyword in call.keywords}
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        raise MeasureError(
            "E204", f"cannot read the parameters ({text}) of {definition.name}", hint=_takes(definition)
        ) from None


def _signed(value: Value) -> Value:
    """A parameter value: a number, string, truth value, or mapping of numbers; all else is an error."""
    numbers = [number for pair in value.items() for number in pair] if isinstance(value, dict) else [value]
    if any(isinstance(number, int) and number.bit_length() > 1000 for number in numbers):  # too long to be printed
        raise ValueError
    if isinstance(value, dict) and not all(isinstance(number, int | float) for number in numbers):
        raise ValueError
    if isinstance(value, dict | int | float | str) or value is None:
        return value
    raise ValueError


def _value(text: str) -> Value:
    """The value after `@`, as a number if it is one."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _truth(definition: MeasureDefinition, value: Value) -> bool:
    if isinstance(value, bool):
        return value
    raise MeasureError("E203", f"{definition.name}(judged_only={value!r}): judged_only is True or False")


def _literal(value: Value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_literal(entry)}" for key, entry in value.items()) + "}"
    return repr(value)


def _takes(definition: MeasureDefinition, cut: bool = False) -> str:
    """The parameters that have an effect, for a hint: `a cut-off is written AP@100; AP takes rel, judged_only`."""
    cutoff = f"a cut-off is written {definition.name}@100; " if definition.at == "cutoff" else ""
    names = [p.name for p in definition.parameters.values() if p.name != definition.at and (cut or p.needs != "cutoff")]
    return f"{cutoff}{definition.name} takes {', '.join([*names, 'judged_only'])}"
