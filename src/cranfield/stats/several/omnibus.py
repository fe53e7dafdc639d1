"""Whether several systems differ at all: the tests by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeVar

from numpy.typing import ArrayLike

from cranfield.registry import Registry


class OmnibusResult(Protocol):
    """The result of a test of several systems at once."""

    @property
    def statistic(self) -> float: ...
    @property
    def pvalue(self) -> float: ...
    @property
    def method(self) -> str: ...
    @property
    def df(self) -> tuple[int, int]: ...
    @property
    def effects(self) -> Mapping[str, float]: ...
    @property
    def n(self) -> int: ...
    @property
    def dropped(self) -> int: ...
    @property
    def note(self) -> str: ...
    @property
    def doubt(self) -> str:
        """Why its p may be wrong; empty if nothing speaks against it."""

    @property
    def infinite(self) -> str:
        """Why the statistic is infinite, and what can be said in place of its p."""


@dataclass(frozen=True)
class Omnibus:
    """A test of several systems at once, called with `scores[run, topic]`.

    >>> round(OMNIBUS["anova"]([[0.0, 1.0, 2.0], [1.0, 2.0, 6.0]]).statistic, 6)
    4.0
    """

    name: str
    title: str
    function: Callable[[ArrayLike], OmnibusResult]

    def __call__(self, scores: ArrayLike) -> OmnibusResult:
        """Test whether the runs differ."""
        return self.function(scores)


OMNIBUS: Registry[Omnibus] = Registry("test of several systems", "cranfield.stats.several")
F = TypeVar("F", bound=Callable[[ArrayLike], OmnibusResult])


def omnibus(name: str, title: str, *, aliases: str = "") -> Callable[[F], F]:
    """Register a function of `scores[run, topic]` as a test of several systems at once."""

    def register(function: F) -> F:
        OMNIBUS.add(name, Omnibus(name, title, function), aliases.split(), home=function.__module__)
        return function

    return register
