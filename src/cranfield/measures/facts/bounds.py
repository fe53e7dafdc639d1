"""What a measure declares about missing judgments: how its lowest and highest possible value are found.

Each class states a property of the measure; `cranfield.missing.bounds` has the method that the property allows.

`Additive`      a sum with one term for each document, which depends on its own grade and rank alone
`OverIdeal`     such a sum over what the ideal list of the topic collects
`Exchange`      binary relevance: if two documents exchange their grades, a relevant one higher up is never worse
`Monotone`      a higher grade of one document never lowers the value
`OverRisingIdeal` a monotone measure over its value on the ideal list
`ThresholdBounds`  an average of average precisions, one for each grade from which documents are relevant
`TwoParts`      documents of the first ranks raise the value and all others lower it, or the other way round
`SearchLength`  the longer, the lower the ranks of relevant documents
`WalkBounds`    what a user who reads down the list gains, reads or pays
`Limited`       at most the length of the list
`OfEstimated`   an estimate of another measure, whose range it takes
`NoProperty`    no property: all completions are gone through, or the range of the measure is given
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from cranfield.arrays import Floats, Ints

SharesOf: TypeAlias = Callable[..., Mapping[float, float] | None]  # of the highest grade, and the parameters
BestOf: TypeAlias = Callable[..., Floats]  # of numbers of documents, and the parameters of the measure


class BoundsRule:
    """What all rules share: the parameter with which the property does not hold."""

    about: str  # how the bounds are found, for the page of a measure

    def __init__(self, *, without: str = "", value: object = True) -> None:
        self.without = without  # a parameter with which the property does not hold …
        self.value = value  # … if it has this value

    def holds(self, levels: int, **parameters: Any) -> bool:  # those of the measure
        """Whether the measure has the property with these parameters, where holes have `levels` grades above 0."""
        return not (self.without and parameters.get(self.without) == self.value)


class Additive(BoundsRule):
    """The value is a sum over documents: each hole takes the grade that is worst, or best, for itself.

    >>> Additive(without="avg_pos").holds(1, avg_pos=True)
    False
    """

    about = "exact: a sum with one term for each document"


class OverIdeal(BoundsRule):
    """A sum over documents, divided by what the ideal list of the topic collects.

    `best(n, **parameters)` is what *n* documents of gain 1 collect in the ideal list.
    """

    about = "exact: a sum over that of the ideal list, which grows with what the holes hold (Dinkelbach iteration)"

    def __init__(self, best: BestOf, *, without: str = "") -> None:
        super().__init__(without=without)
        self.best = best


class Exchange(BoundsRule):
    """For each number of relevant holes the highest ranks are best and the lowest are worst: all numbers are tried."""

    about = "exact: for each number of relevant holes the highest ranks are best, the lowest worst"

    def __init__(
        self, *, precisions: bool = False, interpolated: bool = False, binary_only: bool = False, without: str = ""
    ) -> None:
        super().__init__(without=without)
        self.interpolated = interpolated  # whether the value is the best precision from some number of documents on
        self.precisions = precisions  # whether the value is an average of precisions, for which there is a formula
        self.binary_only = binary_only  # whether several grades above 0 break the property

    def holds(self, levels: int, **parameters: Any) -> bool:
        return super().holds(levels, **parameters) and not (self.binary_only and levels > 1)


class Monotone(BoundsRule):
    """All holes without relevance give the lowest value, all with the highest grade the highest.

    >>> Monotone(without="highest", value="topic").holds(1, highest="topic")
    False
    """

    about = "exact: all holes at the lowest grade, all at the highest"


class OverRisingIdeal(BoundsRule):
    """The value of another measure, which is monotone, over its value on the ideal list."""

    about = "all completions if they are few; else the range of the numerator over that of the ideal list (outer bound)"

    def __init__(self, numerator: str, *, without: str = "", value: object = True) -> None:
        super().__init__(without=without, value=value)
        self.numerator = numerator  # its name; it has the same parameters


class ThresholdBounds(BoundsRule):
    """A weighted sum, or mean, of average precisions: one for each grade from which documents are relevant.

    `shares(top, **parameters)` is the weight of each grade, where *top* is the highest one of the collection; None if
    grades are too many.
    """

    about = "all completions if they are few; else from the range of average precision at each grade (outer bound)"

    def __init__(self, shares: SharesOf, *, mean: bool) -> None:
        super().__init__()
        self.shares = shares
        self.mean = mean  # whether weights are those of documents, and add up to 1


class TwoParts(BoundsRule):
    """Higher grades of the documents of the first ranks raise the value, those of others lower it; or conversely."""

    about = "exact: the holes of the first ranks at one end of the grades, all others at the other"


class SearchLength(BoundsRule):
    """Binary relevance: for each number of relevant holes in a list the highest and the lowest ranks are the ends."""

    about = "exact: for each number of relevant holes in a list the highest ranks and the lowest"


class MonotoneGrades(Monotone):
    """Monotone as long as the gain of a document is its grade."""

    def holds(self, levels: int, **parameters: Any) -> bool:
        return parameters.get("gains") is None


class Limited(BoundsRule):
    """No document of a list adds more than 1: the value lies between the lowest and one more than the length."""

    about = "all completions of a topic if they are few; else no more than the list has documents (outer bound)"


class WalkBounds(BoundsRule):
    """An expectation over a user who reads down the list: gain (EU, ETU), documents (ED), cost (ETC), or a residual."""

    def __init__(self, quantity: str = "EU") -> None:
        super().__init__()
        self.quantity = quantity
        self.about = (
            "from the ranges with all that is unjudged of the highest gain, and of none (outer bound)"
            if quantity == "residual"
            else "exact: the user is followed rank by rank, for every sum of gains that is possible; else outer bounds"
        )


class OfEstimated(BoundsRule):
    """The value is an estimate of another measure, from a sample: its range is that of the other measure.

    Once all holes are judged every rate is 1, nothing is left to estimate, and the estimate is that measure.

    >>> OfEstimated("nDCG", "dcg", "cutoff").about
    'those of nDCG, which it estimates: with all holes judged nothing is left to estimate; the estimate may lie outside'
    """

    def __init__(self, measure: str, *parameters: str) -> None:
        super().__init__()
        self.measure = measure  # its name
        self.parameters = parameters  # those that both have
        self.about: str = (
            f"those of {measure}, which it estimates: with all holes judged nothing is left to estimate; the estimate "
            "may lie outside"
        )


class NoProperty(BoundsRule):
    """No property is known."""

    about = "all completions of a topic are tried if they are few; else the range of the measure (outer bound)"


ADDITIVE = Additive()
MONOTONE = Monotone()
EXCHANGE = Exchange()
SEARCH_LENGTH = SearchLength()
TWO_PARTS = TwoParts()
LIMITED = Limited()
NO_PROPERTY = NoProperty()


def number(documents: Ints, **_: Any) -> Floats:  # the parameters of the measure
    """The number of relevant documents itself: what recall divides by.

    >>> number(np.array([0, 2]))
    array([0., 2.])
    """
    return documents.astype(np.float64)
