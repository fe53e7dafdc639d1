"""What a measure is: a function of hits, a name, and facts about it, put into one registry by a decorator.

Parser, command line, documentation page and laws read the registry; adding a measure touches one module.
"""

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, TypeVar

from cranfield.arrays import Floats, Ints
from cranfield.measures.facts.bounds import NO_PROPERTY, BoundsRule
from cranfield.measures.facts.looks_at import FirstRanks, LooksAt
from cranfield.measures.ties.rules import TieRule
from cranfield.registry import Registry

if TYPE_CHECKING:
    from cranfield.measures.users.cwl import UserModel

Value: TypeAlias = Any  # a Python literal: number, string, truth value, mapping of numbers
Family = Literal["ranked", "graded", "incomplete", "user", "set", "diversity", "own"]
DefinedAverage = Literal["mean", "sum", "geometric"]
SampleFacts = Literal["", "strata", "probabilities"]
Swap = Literal["strict", "weak", "none"]
ModelOf: TypeAlias = "Callable[..., UserModel]"  # of the parameters of a measure

FAMILIES: Mapping[Family, str] = {
    "ranked": "binary relevance, ranked lists",
    "graded": "graded relevance, cumulated gain",
    "incomplete": "made for, or about, incomplete judgments",
    "user": "models of a user who stops somewhere",
    "set": "sets and counts, without regard to order",
    "diversity": "subtopics and intents",
    "own": "defined by you",
}


class Domain(NamedTuple):
    """The values a parameter may take, with a rule that follows the parameter's name (`must be …`) and a hint."""

    contains: Callable[[Value], bool]
    rule: str
    hint: str = ""
    canonical: Callable[[Value], Value] = lambda value: value
    largest: float = math.inf

    def problem(self, value: Value) -> str:
        """Why it may not take a value."""
        return f"must be at most {self.largest:,}" if is_whole(value) and value > self.largest else self.rule


class MeasureParameter(NamedTuple):
    """One keyword of a measure's function."""

    name: str
    default: Value
    required: bool
    domain: Domain | None
    needs: str = ""  # the parameter (`cutoff`) or setting (`dcg='jk'`) without which it would have no effect


class MeasureDefinition(NamedTuple):
    """A measure: its function, name, parameters, and the facts that other modules read."""

    name: str
    function: Callable[..., Floats]
    family: Family
    parameters: Mapping[str, MeasureParameter]
    at: str | None
    cites: tuple[str, ...]
    aliases: tuple[str, ...]
    average: DefinedAverage
    low: float
    high: float
    ideal: float | None
    swap: Swap
    ignores_unjudged: bool
    uses_grades: bool
    unjudged: str
    residual: str | None
    divisor: (
        Callable[..., Ints | Floats] | None
    )  # of hits and parameters: what the value is a share of, if it is a ratio
    partial: bool
    model: "ModelOf | None"  # where the value is the score of a user model
    needs_subtopics: bool
    needs_sample: SampleFacts
    needs_lists: bool
    greedy: bool
    smaller: bool
    looks_at: LooksAt
    ties: TieRule | None
    bounds: BoundsRule

    @property
    def title(self) -> str:
        """The first line of the docstring."""
        return self.document.partition("\n")[0]

    @property
    def document(self) -> str:
        """The docstring: definition, formula, undefined cases, example."""
        from inspect import getdoc

        return getdoc(self.function) or ""

    def __reduce__(self) -> tuple[Callable[..., "MeasureDefinition"], tuple[Any, ...]]:
        """Pickle a built-in measure by its name, a user's own with its function."""
        return (_own, (self._asdict(),)) if self.family == "own" else (_known, (self.name,))


MEASURES: Registry[MeasureDefinition] = Registry("measure", "cranfield.measures.families")
REQUIRED: Value = object()  # instead of a default
WHOLE_OR_CUT = FirstRanks()


def _known(name: str) -> MeasureDefinition:
    return MEASURES[name]


def _own(facts: Mapping[str, Any]) -> MeasureDefinition:  # by name
    return MeasureDefinition(**facts)


F = TypeVar("F", bound=Callable[..., Floats])


def define(  # one keyword per fact
    name: str,
    *,
    family: Family,
    cites: str = "",
    aliases: str = "",
    at: str = "cutoff",
    domain: Mapping[str, Domain] | None = None,
    needs: Mapping[str, str] | None = None,
    average: DefinedAverage = "mean",
    low: float = 0.0,
    high: float = 1.0,
    ideal: float | None = None,
    swap: Swap = "weak",
    ignores_unjudged: bool = False,
    uses_grades: bool = True,
    unjudged: str = "An unjudged document counts as not relevant and keeps its rank.",
    residual: str | None = None,
    divisor: Callable[..., Ints | Floats] | None = None,
    partial: bool = False,
    model: "ModelOf | None" = None,
    keywords: Mapping[str, Value] | None = None,
    needs_subtopics: bool = False,
    needs_sample: SampleFacts = "",
    needs_lists: bool = False,
    greedy: bool = False,
    smaller: bool = False,
    looks_at: LooksAt = WHOLE_OR_CUT,
    ties: TieRule | None = None,
    bounds: BoundsRule = NO_PROPERTY,
) -> Callable[[F], F]:
    """Register a function of `Hits` as the measure `name`.

    Args:
        name: canonical name, the one printed.
        family: heading under which it is listed.
        cites: keys of the bibliography, separated by blanks.
        aliases: other names (trec_eval's among them), separated by blanks; `NAME_10` and `NAME.10` fill the cut-off.
        at: the parameter that `@` fills, where the function has it.
        domain: the values each parameter may take.
        needs: parameters that have an effect only with another setting: `{"b": "dcg='jk'"}`.
        average: how topics are summarised.
        low: smallest value the measure can take.
        high: largest value the measure can take.
        ideal: value of a list that holds all judged documents, best first, if it is always the same.
        swap: whether moving a relevant document above a judged nonrelevant one always raises the value, or never lowers
            it.
        ignores_unjudged: whether inserting unjudged documents leaves the value as it is.
        uses_grades: whether the value depends on the grades, and not only on which documents were judged.
        unjudged: what an unjudged document does to the value, in words.
        residual: measure that says how much the value could still grow.
        divisor: of a ratio, as a function of hits and the parameters, so that topics can be averaged micro.
        needs_subtopics: whether it needs judgments of subtopics instead of one grade per document.
        needs_sample: whether it estimates from sampled judgments (`hits.sample`), and what it must know of them: the
            `strata`, or the `probabilities` with which documents were judged.
        needs_lists: whether it looks at whole lists (`hits.lists`, `hits.begin`, `hits.place`), unjudged documents and
            scores among them; runs are then read as a whole. If False, these three are empty.
        greedy: whether its ideal list is found greedily, so that a value may exceed 1; evaluate then says so.
        smaller: whether a smaller value is better.
        model: the user model behind it, as a function of its parameters, if the value is the score of one.
        keywords: the parameters with their defaults, where the function does not name them itself.
        looks_at: which documents of a list can change the value; the judged share of those is given beside it.
        ties: how equal scores change the value, with a formula of the mean over all orders of tied documents; without
            one, orders are gone through.
        bounds: what is known of the value when judgments are missing, so that its bounds can be found.
        partial: whether it can be undefined for a topic that has relevant documents; the docstring says when.
    """

    def register(function: F) -> F:
        parameters = _parameters(_keywords(function) if keywords is None else keywords, domain or {}, needs or {})
        MEASURES.add(
            name,
            MeasureDefinition(
                name=name,
                function=function,
                family=family,
                parameters=parameters,
                at=at if at in parameters else None,
                cites=tuple(cites.split()),
                aliases=tuple(aliases.split()),
                average=average,
                low=low,
                high=high,
                ideal=ideal,
                swap=swap,
                ignores_unjudged=ignores_unjudged,
                uses_grades=uses_grades,
                unjudged=unjudged,
                residual=residual,
                divisor=divisor,
                needs_subtopics=needs_subtopics,
                needs_sample=needs_sample,
                needs_lists=needs_lists,
                greedy=greedy,
                smaller=smaller,
                model=model,
                partial=partial,
                looks_at=looks_at,
                ties=ties,
                bounds=bounds,
            ),
            aliases=aliases.split(),
            home=function.__module__,
        )
        return function

    return register


def _keywords(function: Any) -> dict[str, Value]:  # a plain function: callables in general have no code
    """The keyword-only arguments of a function with their defaults, in order."""
    code, defaults = function.__code__, function.__kwdefaults__ or {}
    names = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return {name: defaults.get(name, REQUIRED) for name in names}


def _parameters(
    keywords: Mapping[str, Value], domain: Mapping[str, Domain], needs: Mapping[str, str]
) -> dict[str, MeasureParameter]:
    return {
        name: MeasureParameter(
            name,
            default=None if default is REQUIRED else default,
            required=default is REQUIRED,
            domain=domain.get(name, FLAG if isinstance(default, bool) else _USUAL.get(name)),
            needs=needs.get(name, ""),
        )
        for name, default in keywords.items()
    }


def is_whole(value: Value) -> bool:
    """Whether a value is an integer (truth values are not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_number(value: Value) -> bool:
    """Whether a value is a finite number (truth values are not)."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e300


def plain(value: Value) -> Value:
    """A number without a needless fraction, so that `rel=2.0` and `rel=2` are one measure.

    >>> plain(2.0), plain(0.5)
    (2, 0.5)
    """
    return int(value) if isinstance(value, float) and value.is_integer() else value


def by_grade(gains: Value) -> Value:
    """A mapping in the order of its keys, so that the same gains print in the same way."""
    return {plain(grade): plain(gains[grade]) for grade in sorted(gains)}


def one_of(*names: str) -> Domain:
    """The domain of a parameter with named values."""
    listed = ", ".join(repr(name) for name in names[:-1]) + f" or {names[-1]!r}"
    return Domain(lambda value: isinstance(value, str) and value in names, f"must be {listed}")


FLAG = Domain(lambda value: isinstance(value, bool), "must be True or False")
POSITIVE = Domain(lambda value: is_number(value) and 0 < value <= 1e15, "must be a number above 0", canonical=plain)
UNIT = Domain(lambda value: is_number(value) and 0 <= value <= 1, "must lie between 0 and 1", canonical=float)
OPEN_UNIT = Domain(
    lambda p: is_number(p) and 0 < p < 1,
    "must lie strictly between 0 and 1",
    "p=0.8 models a patient user, p=0.5 an impatient one",
)
CUTOFF = Domain(lambda k: is_whole(k) and 1 <= k <= 2**53, "must be a whole number from 1", largest=2**53)
_USUAL = {"cutoff": CUTOFF, "rel": Domain(is_number, "must be a grade", canonical=plain), "p": OPEN_UNIT}
