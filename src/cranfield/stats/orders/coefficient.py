"""What a coefficient of agreement between two orders is: a function of many pairs of vectors, a name, and facts."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypedDict, TypeVar

from cranfield.arrays import Floats
from cranfield.registry import Registry

TauTies = Literal["average", "error"]


class CoefficientChoices(TypedDict, total=False):
    """What coefficients take by name, each some of it."""

    p: float  # rbo: how far down one looks
    ties: TauTies  # tau-ap: how tied systems are met


@dataclass(frozen=True)
class Coefficient:
    """A coefficient: its function, name, and the facts that other modules read.

    `function` takes two arrays `[draws, systems]` of settled means and returns one value for each draw.
    """

    name: str
    label: str  # what a table calls it
    function: Callable[..., Floats]
    symmetric: bool
    low: float
    same: float  # the value of an order without ties and itself
    needs_order: bool  # undefined where all systems of a vector are equal
    cites: str

    @property
    def title(self) -> str:
        """The first line of the docstring."""
        return self.document.partition("\n")[0]

    @property
    def document(self) -> str:
        """The docstring: definition, formula, example."""
        return inspect.getdoc(self.function) or ""

    @property
    def parameters(self) -> tuple[str, ...]:
        """The keywords it takes."""
        arguments = inspect.signature(self.function).parameters.values()
        return tuple(argument.name for argument in arguments if argument.kind is argument.KEYWORD_ONLY)


COEFFICIENTS: Registry[Coefficient] = Registry("coefficient", "cranfield.stats.orders")

F = TypeVar("F", bound=Callable[..., Floats])


def coefficient(
    name: str,
    label: str = "",
    *,
    cites: str = "",
    aliases: str = "",
    symmetric: bool = True,
    low: float = -1.0,
    same: float = 1.0,
    needs_order: bool = True,
) -> Callable[[F], F]:
    """Register a function of two arrays `[draws, systems]` as the coefficient `name`; a table calls it `label`."""

    def register(function: F) -> F:
        found = Coefficient(
            name=name,
            label=label or name,
            function=function,
            symmetric=symmetric,
            low=low,
            same=same,
            needs_order=needs_order,
            cites=cites,
        )
        COEFFICIENTS.add(name, found, aliases=aliases.split(), home=function.__module__)
        return function

    return register
