"""Rankings as blocks: one row per ranking, one column per rank, for measures that walk down whole lists.

Hits hold the judged documents only. A user model also needs the documents between them, so a few rankings at a time are
expanded to all ranks; a block holds about half a million cells, however many rankings there are.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.errors import MeasureError
from cranfield.errors.wording import either

CELLS = 1 << 19  # of one block: 4 MB for each column of numbers


@dataclass(frozen=True, eq=False)
class RankBlock:
    """The rankings from `start` to `stop`, with all ranks up to `width`.

    >>> hits = Hits.of([[(1, 2), (3, 1)], [(2, 1)]], levels=[[0, 1, 1], [0, 1]], retrieved=[3, 2])
    >>> [block.spread(hits.grade) for block in blocks(hits, np.array([3, 3]))]
    [array([[2., 0., 1.], [0., 1., 0.]])]
    """

    hits: Hits
    start: int
    stop: int
    width: int
    own: Ints  # the hits of the block that are not below its last rank

    @property
    def rows(self) -> slice:
        """The rankings of the block."""
        return slice(self.start, self.stop)

    @property
    def rank(self) -> Ints:
        """The ranks from 1, one per column."""
        return np.arange(1, self.width + 1)

    def spread(self, values: ArrayLike, fill: float = 0.0) -> Floats:
        """One value per hit, each at the rank of its hit; `fill` stands at all other ranks."""
        cells = np.full((self.stop - self.start, self.width), fill)
        cells[self.hits.ranking[self.own] - self.start, self.hits.rank[self.own] - 1] = np.asarray(values)[self.own]
        return cells

    def listed(self) -> Floats:
        """1 at the ranks of each list, 0 after its end."""
        return (self.rank <= self.hits.retrieved[self.rows, None]).astype(np.float64)

    def lengths(self, measure: str, missing: float | None) -> Floats:
        """The length of the document at each rank; `missing` stands for an unknown one, 0 after the end of a list."""
        known = self._known_lengths()
        if missing is None and np.isnan(known).any():
            write = either("give lengths={document: length}, or write", "write")
            raise MeasureError(
                "E216",
                f"{measure} needs the length of every document",
                hint=f"{write} {measure}(length=500) for a usual one",
            )
        return np.where(np.isnan(known), missing or 0.0, known)

    def _known_lengths(self) -> Floats:
        """Lengths by rank; unknown is NaN, and after the end of a list they are 0."""
        hits, here = self.hits, self.listed()
        unknown = np.where(here > 0, np.nan, 0.0)
        if hits.length is None:
            return unknown
        if hits.is_condensed:
            return np.where(here > 0, self.spread(hits.length[hits.place], np.nan), 0.0)
        row, column = np.nonzero(here)
        unknown[row, column] = hits.length[hits.begin[self.rows][row] + column]
        return unknown


def blocks(hits: Hits, depth: Ints) -> Iterator[RankBlock]:
    """The rankings of `hits` in blocks, each wide enough for the `depth` of its rankings."""
    start, total = 0, len(hits)
    while start < total:
        cells = np.maximum.accumulate(depth[start:]) * np.arange(1, total - start + 1)
        stop = start + max(1, int(np.searchsorted(cells, CELLS, side="right")))
        width = int(depth[start:stop].max())
        first, last = np.searchsorted(hits.ranking, (start, stop))
        own = np.arange(first, last)
        yield RankBlock(hits, start, stop, width, own[hits.rank[first:last] <= width])
        start = stop


def share(
    hits: Hits,
    rel: float | None = None,
    max_rel: float | None = None,
    gains: Mapping[float, float] | None = None,
) -> Floats:
    """The gain of each hit between 0 and 1: its grade over the highest of the collection, or over `max_rel`.

    `gains` replaces the gain of single grades first; with `rel` the gain is 1 from that grade on, else 0.

    >>> hits = Hits.of([[(1, 2), (2, 1)]], levels=[[0, 1, 1]], retrieved=[2])
    >>> share(hits), share(hits, max_rel=4), share(hits, rel=2), share(hits, max_rel=8, gains={2: 3})
    (array([1. , 0.5]), array([0.5 , 0.25]), array([1., 0.]), array([0.375, 0.125]))
    """
    if rel is not None:
        return (hits.grade >= rel).astype(np.float64)
    top = max_rel or (_named(hits.base_grade, gains).max(initial=0) if gains else hits.top_grade) or 1
    return np.clip(_named(hits.grade, gains) / top, 0, 1)


def _named(grade: Ints | Floats, gains: Mapping[float, float] | None) -> Floats:
    gain = grade.astype(np.float64)
    for level, worth in (gains or {}).items():
        gain[grade == level] = worth
    return gain
