"""What the tests of worked numbers share: the rankings of the lecture notes, and the value of one list."""

from collections.abc import Sequence

from cranfield.measures.grammar import parse
from tests.laws.worlds import Document, hits_of

# ranks of the relevant documents in lists of ten; nothing relevant is missed
RANKS = {"A": (1, 3, 4, 5, 6, 10), "B": (2, 5, 6, 7, 9, 10), "C": (1, 6, 10), "D": (2, 5, 7)}
LISTS = {name: [int(rank in ranks) for rank in range(1, 11)] for name, ranks in RANKS.items()}
SIX, FOUR = 5.1e-7, 5.1e-5  # half a unit of the last digit printed, and a little


def value(name: str, found: Sequence[Document], missed: Sequence[Document] = ()) -> float:
    """The value of one list; `missed` are documents of the topic that it does not hold."""
    return float(parse(name)(hits_of(found, missed))[0])
