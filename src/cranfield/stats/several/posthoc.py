"""Which of several systems differ: the procedures by name."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from cranfield.registry import Registry
from cranfield.stats.several.all_pairs import PostHoc


@dataclass(frozen=True)
class Procedure:
    """A comparison of all pairs, called with `scores[run, topic]`; `sampled` if chance enters.

    >>> POSTHOC["tukey"]([[0.0, 1.0, 2.0], [1.0, 2.0, 6.0]]).pvalue.round(4)
    array([[1.    , 0.1835],
           [0.1835, 1.    ]])
    """

    name: str
    title: str
    omnibus: str  # the test of all systems at once that belongs to it
    function: Callable[..., PostHoc]
    sampled: bool = False

    def __call__(
        self, scores: ArrayLike, *, rng: np.random.Generator | None = None, samples: int = 100_000, alpha: float = 0.05
    ) -> PostHoc:
        """Compare all pairs; `rng` and `samples` matter to a procedure that samples."""
        if self.sampled:
            return self.function(scores, alpha=alpha, samples=samples, rng=rng)
        return self.function(scores, alpha=alpha)


POSTHOC: Registry[Procedure] = Registry("comparison of all pairs", "cranfield.stats.several")
F = TypeVar("F", bound=Callable[..., PostHoc])


def posthoc(name: str, title: str, *, omnibus: str, aliases: str = "", sampled: bool = False) -> Callable[[F], F]:
    """Register a function of `scores[run, topic]` as a comparison of all pairs.

    Args:
        name: the one printed.
        title: its name in tables.
        omnibus: the test of all systems at once that belongs to it.
        aliases: other names, separated by blanks.
        sampled: whether chance enters; the function then takes `samples` and `rng`.
    """

    def register(function: F) -> F:
        found = Procedure(name, title, omnibus, function, sampled)
        POSTHOC.add(name, found, aliases.split(), home=function.__module__)
        return function

    return register
