'''What a study is: frozen options, independent units of work, a pure function of each, and findings from all.

A kind of study is one module in `study/kinds/` with one frozen dataclass, whose fields are the options. Command line,
Python function, settings file, documentation and tests read the registry, so no other file changes.

    @define("reduction", "fewer judgments, removed at random", cites="ahlgren2007 sakai2008")
    @dataclass(frozen=True)
    class Reduction(Study[Collection]):
        """One sentence. The docstring is the help page; `Args:` is not needed, each option says what it does."""

        levels: tuple[float, ...] = option((100, 50, 10), "percent of the judgments that are kept")
        nested: bool = option(False, "lower levels are subsets of higher ones")

        def units(self, data): …            # plain data (JSON), the same whatever the number of jobs
        def work(self, data, unit, seed): … # unit -> {name: array}; random numbers from `stream(seed, *key)` only
        def findings(self, data, found): …  # the arrays of all units, in order -> Findings

The engine (`study/engine/make.py`) runs units in this process, in several (`jobs`) or on a cluster, journals each
finished unit, resumes, and writes the folder. It requires:

- `work` is pure: it depends only on `data`, the options, the unit and the seed, and changes nothing.
- A stream is named by its purpose: `stream(seed, draw, topic)`; units never share a stream.
- A unit takes a tenth of a second or more if possible; its result is small (it is written to disk).
- `Findings.title`, the first line, says what the numbers are and under which model judgments are missing.
- Options are numbers, strings, truth values or tuples of them; `Literal` types list the choices.
- `data` is the input of the study: `Collection` (judgments × runs × measures), or `Measures` if no data are read.
  A study that works with both sets `needs_data = False`; `without_data` returns the study to make without data.
'''

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from cranfield.errors import PolicyError
from cranfield.errors.arguments import check_options, plain_number
from cranfield.errors.ranges import out_of_range, wrong_kind
from cranfield.errors.wording import either, setting
from cranfield.registry import Registry, registered
from cranfield.study.engine.catalogue import STUDIES

if TYPE_CHECKING:
    from cranfield.study.data.definition import Measures, StudyData
    from cranfield.study.engine.findings import Findings
    from cranfield.study.engine.result import StudyResult

M = TypeVar("M", bound="StudyData")
Unit: TypeAlias = Any  # plain data that JSON can hold
UnitResult: TypeAlias = Mapping[str, NDArray[Any]]  # what a unit found: arrays of numbers by name


def option(
    default: Any,
    help: str,
    *,
    usual: str = "",
    metavar: str = "",
    also: Mapping[str, Any] | None = None,  # of the type of the option
    check: Callable[[Any], bool] = lambda value: True,
    rule: str = "",
    file: bool | Callable[[str], str | None] = False,
    names: Registry[Any] | None = None,  # a registry of any kind
    besides: Sequence[str] = (),
) -> Any:  # a field of a dataclass, of the type of its default
    """An option of a study: a field with a default and what the help page says about it.

    Args:
        default: its default value.
        help: a few words.
        usual: the default in words, if the default value does not say it.
        metavar: the placeholder for the value on the help page.
        also: other spellings of values.
        check: whether a value may be used.
        rule: what a value has to be, for the message if it may not; `must be …`.
        file: whether it names a file, which is then recorded with its fingerprint; or what finds the file's name in it.
        names: where its value is the name of a definition, the registry that knows it.
        besides: further names that are accepted, though they are not in the registry.
    """
    known = {
        "help": help,
        "usual": usual,
        "metavar": metavar,
        "also": also or {},
        "check": check,
        "rule": rule,
        "file": file,
    }
    return field(default=default, metadata={**known, "names": names, "besides": tuple(besides)})


@dataclass(frozen=True)
class Study(ABC, Generic[M]):
    """The frozen options of one study, and its methods: see the top of this module."""

    data: ClassVar[str] = "collection"  # or "measures"; "judged runs", if it looks at documents by name
    needs_data: ClassVar[bool] = True  # False, if with some options it does without them: see `without_data`
    takes_scores: ClassVar[bool] = False  # whether the scores of every topic are all that it needs
    usual: ClassVar[tuple[str, ...]] = ("AP", "nDCG@10")  # the default measures

    def __post_init__(self) -> None:
        for name, kind in parameters(type(self)).items():
            object.__setattr__(self, name, kind.checked(getattr(self, name)))

    @abstractmethod
    def units(self, data: M) -> Sequence[Unit]:
        """The independent pieces of work, in the order of their results."""

    @abstractmethod
    def work(self, data: M, unit: Unit, seed: int) -> UnitResult:
        """The result of one unit."""

    @abstractmethod
    def findings(self, data: M, found: Sequence[UnitResult], seed: int) -> "Findings":
        """The findings from the results of all units: text, tables and drawings."""

    def reads(self) -> str:
        """The data that these options need: usually those of the kind, `data`."""
        return self.data

    def without_data(self) -> "Study[Measures] | None":
        """The study to make without judgments and runs; None if these options need them."""
        return None

    def repetitions(self) -> int:
        """The total number of draws, repetitions or resamples."""
        return sum(getattr(self, name, 0) for name in ("draws", "repeats", "sets", "boot"))

    def size(self, data: M, unit: Unit) -> int:
        """The bytes that a unit processes, roughly; large work is given to several processes."""
        return 0


_KINDS = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: either("True or False", "a flag without a value"),
}


@dataclass(frozen=True)
class StudyOption:
    """One option: its type as the command line reads it, and the values it takes."""

    name: str
    type: type  # of the value, or of the members of a tuple
    default: Any  # of that type
    several: bool
    choices: tuple[str, ...]
    optional: bool
    facts: Mapping[str, Any]  # what `option` was told

    def checked(self, value: Any) -> Any:  # of the option's type
        """The value in its plain form; an error says what it must be."""
        if value is None and self.optional:
            return None
        if self.several:
            value = self.facts["also"].get(value, value) if isinstance(value, str) else value
            if not isinstance(value, str | int | float | Iterable):
                raise wrong_kind(self.name, value, self._rule)
            members = [value] if isinstance(value, str | int | float) else list(value)
            plain: Any = tuple(self._one(member) for member in members)
        else:
            plain = self._one(value)
        if not self.facts["check"](plain):
            raise out_of_range(self.name, value, self._rule) if self.type in (int, float) else self._unknown(value)
        return plain

    def path(self, value: Any) -> str | None:  # of the option's type
        """The file that a value names; None if it names none."""
        find = self.facts["file"]
        if value is None or find is False:
            return None
        return str(value) if find is True else find(value)

    def _one(self, value: Any) -> Any:
        if isinstance(value, np.generic):
            value = value.item()
        if self.choices and not isinstance(value, str):
            raise wrong_kind(self.name, value, self._rule)
        if self.choices:
            value = self.facts["also"].get(value, value)
            if value not in self.choices:
                raise self._unknown(value)
            return value
        if self.facts["names"] is not None and isinstance(value, str):
            return value if value in self.facts["besides"] else registered(self.name, value, self.facts["names"])
        value = plain_number(self.name, self.type, value) if self.type in (int, float) else value
        if type(value) is not self.type and not (self.type is float and type(value) is int):
            raise wrong_kind(self.name, value, self._rule)
        return value

    @property
    def _rule(self) -> str:
        """What a value has to be."""
        usual = f"one of {', '.join(self.choices)}" if self.choices else _KINDS[self.type]
        return self.facts["rule"] or usual

    def _unknown(self, value: object) -> PolicyError:
        return PolicyError("E213", f"{setting(self.name, value)} is unknown", hint=self._rule)


@cache
def parameters(study: type[Study[Any]]) -> Mapping[str, StudyOption]:
    """The options of a kind of study, by name."""
    from typing import get_type_hints

    hints = get_type_hints(study)
    return {each.name: _parameter(each, hints[each.name]) for each in dataclasses.fields(study)}


def _parameter(each: "dataclasses.Field[Any]", hint: Any) -> StudyOption:
    optional = False
    if get_origin(hint) in (Union, UnionType):
        members = [member for member in get_args(hint) if member is not type(None)]
        optional, hint = len(members) < len(get_args(hint)), members[0]
    several = get_origin(hint) is tuple
    if several:
        hint = get_args(hint)[0]
    choices = tuple(map(str, get_args(hint))) if get_origin(hint) is Literal else ()
    return StudyOption(
        name=each.name,
        type=str if choices else hint,
        default=each.default,
        several=several,
        choices=choices,
        optional=optional,
        facts=each.metadata,
    )


@dataclass(frozen=True)
class StudyKind:
    """A kind of study, with the facts that other modules read; call it to make a study."""

    name: str
    study: type[Study[Any]]
    question: str
    cites: tuple[str, ...]
    examples: tuple[str, ...]

    @property
    def parameters(self) -> Mapping[str, StudyOption]:
        """Its options."""
        return parameters(self.study)

    @property
    def title(self) -> str:
        """The first line of the docstring."""
        return (self.study.__doc__ or "").strip().partition("\n")[0]

    def __call__(self, *inputs: Any, **options: Any) -> "StudyResult":  # see `make`
        """Make such a study: see `cranfield.study`."""
        from cranfield.study.engine.choices import EngineChoices, StudyChoices
        from cranfield.study.engine.make import make

        alone = self.study.data == "measures"
        known = ("measures", *self.parameters) if alone else ("qrels", "runs", "measures", *self.parameters)
        plain = check_options(self.name, options, EngineChoices if alone else StudyChoices, known)
        return make(self, *inputs, **plain)


C = TypeVar("C", bound=type[Study[Any]])


def define(name: str, question: str, *, cites: str = "", examples: Sequence[str] = ()) -> Callable[[C], C]:
    """Register a frozen dataclass of options as the kind of study `name`.

    Args:
        name: the word after `cranfield study`; in Python a dash is an underscore.
        question: the question that it answers, in a few words.
        cites: keys of the bibliography, separated by blanks.
        examples: command lines for the help page.
    """

    def register(study: C) -> C:
        found = StudyKind(name, study, question, tuple(cites.split()), tuple(examples))
        STUDIES.add(name, found, home=study.__module__)
        return study

    return register
