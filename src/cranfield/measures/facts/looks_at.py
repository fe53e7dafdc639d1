"""What a measure looks at in a list, as its definition declares it: ranks, ranks by weight, judged documents, nothing.

The judged share of these ranks says how far a value can be trusted; `judged_share` computes it.
A measure on condensed lists, and one that passes over unjudged documents, looks at judged documents only.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints

if TYPE_CHECKING:
    from cranfield.measures.users.cwl import UserModel

WHOLE_LIST = "whole list"
WEIGHT = "weight"
JUDGED_DOCUMENTS = "judged documents"
NO_DOCUMENT = "no document"


class FirstRanks:
    """The ranks down to the cut-off, or the whole list where none is given; all of them count alike.

    >>> FirstRanks().words(cutoff=10), FirstRanks().words(cutoff=None), FirstRanks("").words(cutoff=10)
    ('first 10', 'whole list', 'whole list')
    """

    def __init__(self, parameter: str = "cutoff") -> None:
        self.parameter = parameter  # that holds the last rank; none: whatever the cut-off, the whole list matters

    @property
    def about(self) -> str:
        """What is looked at, for the page of a measure."""
        last = "k" if self.parameter == "cutoff" else f"`{self.parameter}`"
        return (
            f"the first {last} ranks, where that is given; else the whole list" if self.parameter else "the whole list"
        )

    def words(self, **parameters: Any) -> str:  # those of the measure
        """What is looked at, with these parameters."""
        last = parameters.get(self.parameter)
        return WHOLE_LIST if last is None else f"first {last}"

    def depth(self, hits: Hits, **parameters: Any) -> Ints:  # those of the measure
        """The last rank of each list that is looked at; a list may be shorter."""
        last = parameters.get(self.parameter)
        return hits.retrieved if last is None else np.full_like(hits.retrieved, min(last, np.iinfo(np.int64).max))

    def weights(self, ranks: Floats, **parameters: Any) -> Floats:  # those of the measure
        """What each rank counts."""
        return np.ones_like(ranks)


class TopicRanks(FirstRanks):
    """As many ranks as the judgments of the topic say, such as the number of relevant documents."""

    def __init__(self, last: Callable[..., Ints], name: Callable[..., str] = lambda **_: "R") -> None:
        super().__init__()
        self.last = last  # of hits and the parameters
        self.name = name  # of that rank, by the parameters

    @property
    def about(self) -> str:
        """What is looked at, for the page of a measure."""
        return "as many ranks of each topic as its formula says"

    def words(self, **parameters: Any) -> str:  # those of the measure
        """What is looked at, with these parameters."""
        return f"first {self.name(**parameters)}"

    def depth(self, hits: Hits, **parameters: Any) -> Ints:  # those of the measure
        """The last rank of each list that is looked at."""
        return self.last(hits, **parameters)


class WeightedRanks(FirstRanks):
    """Every rank down to the cut-off, each by its weight, which depends on nothing but the rank.

    >>> WeightedRanks(weight=lambda rank, p, **_: p ** (rank - 1)).weights(np.array([1.0, 2.0]), p=0.5)
    array([1. , 0.5])
    """

    def __init__(self, weight: Callable[..., Floats]) -> None:
        super().__init__()
        self.weight = weight  # of ranks and the parameters

    @property
    def about(self) -> str:
        """What is looked at, for the page of a measure."""
        return "every rank, by its weight"

    def words(self, **parameters: Any) -> str:  # those of the measure
        """What is looked at, with these parameters."""
        return WEIGHT

    def weights(self, ranks: Floats, **parameters: Any) -> Floats:  # those of the measure
        """What each rank counts."""
        return self.weight(ranks, **parameters)


class UserAttention:
    """Every rank by how probable it is that the user of a model reads it, which may depend on what was found above."""

    def __init__(self, model: "Callable[..., UserModel]") -> None:
        self.model = model  # of the parameters

    @property
    def about(self) -> str:
        """What is looked at, for the page of a measure."""
        return "every rank, by the attention of its user"

    def words(self, **_: Any) -> str:  # the parameters of the measure
        """What is looked at."""
        return WEIGHT


class SameAs:
    """What another measure looks at: the one that a parameter names."""

    def __init__(self, parameter: str) -> None:
        self.parameter = parameter

    @property
    def about(self) -> str:
        """What is looked at, for the page of a measure."""
        return f"what the measure named by `{self.parameter}` looks at"


class JudgedDocuments:
    """The judged documents of the whole list; the other ranks are dropped."""

    about = "judged documents only; the other ranks are dropped"


class NoDocument:
    """Nothing: which documents a list holds does not matter."""

    about = "no document of the list"


LooksAt: TypeAlias = FirstRanks | UserAttention | SameAs | JudgedDocuments | NoDocument
