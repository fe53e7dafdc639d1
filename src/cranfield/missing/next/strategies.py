"""The registry of strategies: in which order holes are judged."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from cranfield.arrays import Floats
from cranfield.missing.next.question import Question
from cranfield.registry import Registry, unknown

ValueOfHoles: TypeAlias = Callable[[Question], Floats]


@dataclass(frozen=True)
class NextStrategy:
    """A way to choose what is judged next.

    Attributes:
        name: what callers ask for.
        function: the value of each hole; the highest is judged first.
        shows: what the value is, in a few words, if it says more than the order.
        cites: the paper that describes it.
    """

    name: str
    function: ValueOfHoles
    shows: str = ""
    cites: str = ""

    @property
    def summary(self) -> str:
        """The first sentence of its docstring."""
        return (self.function.__doc__ or "").partition("\n")[0]


NEXT: Registry[NextStrategy] = Registry("strategy of judging", "cranfield.missing.next")


def next_strategy(name: str, *, shows: str = "", cites: str = "") -> Callable[[ValueOfHoles], ValueOfHoles]:
    """Register a strategy."""

    def register(function: ValueOfHoles) -> ValueOfHoles:
        NEXT.add(name, NextStrategy(name, function, shows, cites), home=function.__module__)
        return function

    return register


def named(name: str) -> NextStrategy:
    """The strategy of that name."""
    found = NEXT.find(name)
    if found is None:
        raise unknown("strategy", name, NEXT, NEXT.nearest(name))
    return found
