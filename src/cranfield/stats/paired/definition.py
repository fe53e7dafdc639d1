"""What a paired test is: a function of differences, a name, and facts about it, in one registry."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, TypeVar

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.registry import Registry

Alternative = Literal["two-sided", "greater", "less"]
Swapped = Literal["negated", "same", "counted"]


@dataclass(frozen=True, eq=False)
class Tested:
    """The outcome of one test for many pairs of systems; every array has one element per pair."""

    __test__ = False  # for pytest, which collects names like this one

    statistic: Floats
    pvalue: Floats  # NaN with fewer than two topics, or if the differences have no finite statistic
    n: Ints  # topics that both systems have a score for
    method: str
    note: str  # what it assumes
    unvaried: Ints | None = None  # resamples without variance, where the test draws resamples


class PairedTest(Protocol):
    """The shape of every test.

    `differences[pair, topic]` are treatment minus baseline, NaN where either score is missing. Tests that draw give
    all pairs the same draws; the draws belong to the positions of topics, so pass the topics in one canonical order
    (sorted by name), and the order of the input files does not matter. The results of all other tests do not depend on
    the order.
    """

    def __call__(
        self, differences: Floats, *, rng: np.random.Generator, samples: int = ..., alternative: Alternative = ...
    ) -> Tested: ...


@dataclass(frozen=True)
class Enough:
    """The fewest topics, and topics with a difference, with which a test keeps its level in simulations."""

    topics: int = 0
    differing: int = 0


ALWAYS = Enough()


@dataclass(frozen=True)
class TestDefinition:
    """A test: its function, name, and the facts that other modules read."""

    __test__ = False  # for pytest, which collects names like this one

    name: str
    function: PairedTest
    aliases: tuple[str, ...]
    tests: Literal["mean", "median"]
    random: bool  # whether chance enters
    samples: int  # draws, unless told otherwise; 0 where chance does not enter
    note: str
    cites: tuple[str, ...]
    swapped: Swapped  # what becomes of the statistic if the two systems change places
    interval: str  # the way to find an interval that goes with it
    enough: Enough  # with fewer topics what it calls significant is doubtful

    @property
    def title(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]


TESTS: Registry[TestDefinition] = Registry("test", "cranfield.stats.paired")

F = TypeVar("F", bound=PairedTest)


def define_test(
    name: str,
    *,
    tests: Literal["mean", "median"],
    note: str,
    aliases: str = "",
    samples: int = 0,
    cites: str = "",
    swapped: Swapped = "negated",
    interval: str = "t",
    enough: Enough = ALWAYS,
) -> Callable[[F], F]:
    """Register a function of differences as the test `name`.

    Args:
        name: canonical name, the one printed.
        tests: the parameter whose being zero is the null hypothesis.
        note: what the test assumes, in one sentence.
        aliases: other names, separated by blanks.
        samples: the default number of draws, for a test with random draws.
        cites: publications, separated by semicolons.
        swapped: the statistic after the two systems change places: it is `negated`, it stays the `same`, or it is
            `counted` anew, over the topics that it did not count before.
        interval: the kind of interval that belongs to it (`INTERVALS`).
        enough: the number of topics it needs to keep its level, as simulations show.
    """

    def register(function: F) -> F:
        spellings = tuple(aliases.split())
        publications = tuple(filter(None, cites.split("; ")))
        definition = TestDefinition(
            name=name,
            function=function,
            aliases=spellings,
            tests=tests,
            random=samples > 0,
            samples=samples,
            note=note,
            cites=publications,
            swapped=swapped,
            interval=interval,
            enough=enough,
        )
        TESTS.add(name, definition, aliases=spellings, home=getattr(function, "__module__", ""))
        return function

    return register
