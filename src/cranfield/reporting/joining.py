"""Lines between the same documents in rankings that stand side by side."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class DocumentLine:
    """A document in two neighbouring columns: from which rank to which."""

    document: str
    left: int  # the first of the two columns
    ranks: tuple[int, int]


def document_lines(lists: Sequence[Sequence[str]], depth: int) -> tuple[DocumentLine, ...]:
    """The lines between neighbouring columns.

    >>> document_lines([["a", "b"], ["c", "a"]], 2)
    (DocumentLine(document='a', left=0, ranks=(1, 2)),)
    """
    ranks = [{document: rank for rank, document in enumerate(each[:depth], 1)} for each in lists]
    return tuple(
        DocumentLine(document, left, (rank, ranks[left + 1][document]))
        for left in range(len(ranks) - 1)
        for document, rank in ranks[left].items()
        if document in ranks[left + 1]
    )


def farthest_move(first: Sequence[str], second: Sequence[str]) -> tuple[str, int, int] | None:
    """The document that moves most ranks from one list to another, upwards or down; None, if no rank changes.

    >>> farthest_move(["a", "b", "c"], ["c", "a", "b"])
    ('c', 3, 1)
    """
    before = _ranks(first)
    moves = [(abs(before[d] - rank), -rank, d, before[d], rank) for d, rank in _ranks(second).items() if d in before]
    farthest = max(moves, default=None)
    return None if farthest is None or farthest[0] == 0 else (farthest[2], farthest[3], farthest[4])


def _ranks(documents: Sequence[str]) -> Mapping[str, int]:
    return {document: rank for rank, document in enumerate(documents, 1)}
