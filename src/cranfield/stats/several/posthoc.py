"""Which of several systems differ: the procedures by name."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.registry import Registry
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.stats.several.friedman import conover, nemenyi
from cranfield.stats.several.tukey import tukey
from cranfield.stats.several.tukey_randomized import tukey_randomized


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


POSTHOC: Registry[Procedure] = Registry("comparison of all pairs")
POSTHOC.add("conover", Procedure("conover", "Conover, rank sums", "friedman", conover))
POSTHOC.add("nemenyi", Procedure("nemenyi", "Nemenyi, mean ranks", "friedman", nemenyi))
POSTHOC.add("tukey", Procedure("tukey", "Tukey HSD, topics as blocks", "anova", tukey), ["hsd", "tukey-hsd"])
POSTHOC.add(
    "tukey-randomized",
    Procedure("tukey-randomized", "randomised Tukey HSD", "anova", tukey_randomized, sampled=True),
    ["tukey-randomised", "max-t"],
)
