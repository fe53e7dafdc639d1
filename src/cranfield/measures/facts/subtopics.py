"""What measures that judge by subtopic declare about missing judgments; `bounds` has the rules of all others.

`FacetBounds`      a mean over subtopics of a value of each
`NoveltyBounds`    such a sum over that of a greedy ideal list
`GlobalGainBounds` nDCG of gains that add up over subtopics, alone or averaged with the share of subtopics covered
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from cranfield.arrays import Floats, Ints
from cranfield.measures.facts.bounds import BoundsRule

FacetOf: TypeAlias = Callable[..., Any]  # of the parameters: the Measure of one subtopic
HOLES = "a hole may have any grade for each subtopic of its topic that was judged"


class FacetBounds(BoundsRule):
    """A mean over the subtopics with a relevant document of a value that the grades for the subtopic determine."""

    about = f"exact: subtopic by subtopic, over all choices of those that holes make count; {HOLES}"

    def __init__(
        self,
        facet: FacetOf,
        *,
        weighted: bool = True,
        factor: Callable[..., float] = lambda **_: 1.0,
        total: Callable[..., bool] = lambda **_: False,
    ) -> None:
        super().__init__()
        self.facet = facet
        self.weighted = weighted  # whether probabilities of subtopics count
        self.factor = factor  # of the parameters: what the mean is multiplied by
        self.total = total  # of the parameters: whether it is the sum instead, with weights of 1 on average


class NoveltyBounds(BoundsRule):
    """The discounted novelty gain over that of a greedy ideal list."""

    about = f"all completions if they are few; else the range of the gain over that of the ideal (outer bound); {HOLES}"

    def __init__(self, facet: FacetOf, discount: Callable[..., Floats]) -> None:
        super().__init__()
        self.facet = facet
        self.discount = discount  # of ranks, and the parameters

    def at(self, rank: Ints, **parameters: Any) -> Floats:  # those of the measure
        """The discount of each rank."""
        return self.discount(rank, **parameters)


class GlobalGainBounds(BoundsRule):
    """nDCG of gains that add up over subtopics; with `covered`, averaged with the share of the subtopics covered."""

    def __init__(self, covered: FacetOf | None = None) -> None:
        super().__init__()
        self.covered = covered
        self.about = (
            f"exact, as for nDCG, if a document can have at most 256 gains; else an outer bound; {HOLES}"
            if covered is None
            else f"all completions if they are few; else the sum of the ranges of both parts (outer bound); {HOLES}"
        )
