"""Expectations over a ranked list: the tables behind `UserModel`."""

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Bools, Floats, Ints, ratio
from cranfield.errors import MeasureError

Law: TypeAlias = Callable[..., ArrayLike]  # a function of arguments named as in KNOWN
KNOWN = ("i", "gain", "cost", "total_gain", "total_cost")


class Functions(NamedTuple):
    """C, W and L by rank, of one ranking."""

    C: Floats
    W: Floats
    L: Floats


@dataclass(frozen=True, eq=False)
class Expectation:
    """What a user can expect of each ranking: documents read, gain and cost, in total and per document read."""

    items: Floats
    total_utility: Floats
    total_cost: Floats
    utility: Floats
    cost: Floats

    @classmethod
    def of(cls, items: Floats, total_utility: Floats, total_cost: Floats) -> "Expectation":
        """The totals, and each divided by the number of documents read."""
        return cls(items, total_utility, total_cost, ratio(total_utility, items), ratio(total_cost, items))

    @classmethod
    def joined(cls, parts: Iterable["Expectation"]) -> "Expectation":
        """Several blocks of rankings as one."""
        several = list(parts)
        return cls(*(np.concatenate([np.empty(0), *(getattr(part, f.name) for part in several)]) for f in fields(cls)))

    def __sub__(self, other: "Expectation") -> "Expectation":
        """The difference, quantity by quantity."""
        return Expectation(*(getattr(self, f.name) - getattr(other, f.name) for f in fields(self)))


@dataclass(frozen=True, eq=False)
class Walk:
    """Lists as a user reads them: one row per ranking, one column per rank, 0 after the last rank."""

    gain: Floats
    cost: Floats
    depth: Ints  # the last rank of each row

    @property
    def inside(self) -> Bools:
        """Which cells are not after the last rank."""
        return np.arange(1, self.gain.shape[1] + 1) <= self.depth[:, None]

    def call(self, law: Law) -> Floats:
        """The values of a law at every rank, 0 after the last one."""
        values = np.asarray(law(**{name: self._column(name) for name in asked_by(law)}), dtype=np.float64)
        return np.where(self.inside, np.broadcast_to(values, self.gain.shape), 0.0)

    def call_after(self, law: Law, gain: float) -> Floats:
        """The value of a law about the documents after the last rank, each of that gain and of cost 1."""
        constant = {"gain": gain, "cost": 1.0}
        asked = {
            name: np.full(len(self.depth), constant[name]) if name in constant else self.last(self._column(name))
            for name in asked_by(law)
        }
        return np.broadcast_to(np.asarray(law(**asked), dtype=np.float64), self.depth.shape)

    def last(self, values: Floats) -> Floats:
        """The value at the last rank of each row."""
        return np.broadcast_to(values, self.gain.shape)[np.arange(len(self.depth)), self.depth - 1]

    def _column(self, name: str) -> Floats:
        if name == "i":
            return np.arange(1.0, self.gain.shape[1] + 1)[None, :]  # not whole numbers: i**-2 must work
        values = self.gain if name.endswith("gain") else self.cost
        return np.cumsum(values, axis=1) if name.startswith("total") else values


def asked_by(law: Law) -> list[str]:
    """The arguments of a law that a walk can give; any other must have a default.

    >>> asked_by(lambda i, total_gain, p=0.5: p)
    ['i', 'total_gain']
    """
    parameters = inspect.signature(law).parameters.values()
    unknown = next((p.name for p in parameters if p.name not in KNOWN and p.default is p.empty), None)
    if unknown is not None:
        raise MeasureError(
            "E204", f"a user model's function asks for {unknown!r}", hint=f"it may take {', '.join(KNOWN)}"
        )
    return [p.name for p in parameters if p.name in KNOWN]
