"""Pools inside the judgments: which judged documents some of the runs would have contributed to a pool."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from cranfield.arrays import Bools, Ints
from cranfield.errors.wording import setting
from cranfield.read.pairs import read_lines
from cranfield.study.data.collection import Collection
from cranfield.study.engine.definition import option
from cranfield.tables.side.matching import match_names
from cranfield.tables.words import counted

NEVER = np.iinfo(np.int64).max  # the rank of a document that no run lists


@dataclass(frozen=True, eq=False)
class Listings:
    """Every judged document in the list of a run that built the pool: the run, the place of the judgment, the rank."""

    run: Ints
    place: Ints
    rank: Ints
    places: int

    @classmethod
    def of(cls, data: Collection, builders: Bools) -> "Listings":
        """The listings of the runs in the mask."""
        hits = data.hits
        run = hits.ranking // max(len(data.topics), 1)
        kept = np.flatnonzero(builders[run])
        return cls(run[kept], hits.document[kept], hits.rank[kept], len(data.judgments))

    def best_rank(self) -> Ints:
        """`[place]`: the best rank of each judged document in any of the runs.

        >>> Listings(np.array([0, 0, 1]), np.array([0, 2, 2]), np.array([1, 5, 3]), 3).best_rank() == [1, NEVER, 3]
        array([ True,  True,  True])
        """
        best = np.full(self.places, NEVER)
        np.minimum.at(best, self.place, self.rank)
        return best

    def pool(self, runs: Bools, depth: int | None) -> Bools:
        """`[place]`: whether the judged document is in the pool of the first documents of the runs in the mask."""
        pooled = np.zeros(self.places, dtype=bool)
        pooled[self.place[runs[self.run] & self._near(depth)]] = True
        return pooled

    def owner(self, group: Ints, depth: int | None) -> Ints:
        """`[place]`: the only group whose runs list the document, by the group of each run; -1 if there is none.

        >>> found = Listings(np.array([0, 1, 2, 2]), np.array([0, 0, 0, 1]), np.array([1, 4, 1, 2]), 3)
        >>> found.owner(np.array([0, 0, 1]), depth=3), found.owner(np.array([0, 0, 0]), depth=3)
        (array([-1,  1, -1]), array([ 0,  0, -1]))
        """
        near = self._near(depth)
        groups = int(group.max(initial=0)) + 1
        place, found = np.divmod(np.unique(self.place[near] * groups + group[self.run[near]]), groups)
        owner = np.full(self.places, -1)
        owner[place] = np.where(np.bincount(place, minlength=self.places)[place] == 1, found, -1)
        return owner

    def _near(self, depth: int | None) -> Bools:
        return np.ones(len(self.rank), dtype=bool) if depth is None else self.rank <= depth


def pool_depth_option() -> int | None:
    """The option `pool_depth` of a study."""
    chosen: int | None = option(
        None,
        "ranks of each list that were pooled",
        usual="all",
        metavar="K",
        check=lambda k: k >= 1,
        rule="a whole number from 1",
    )
    return chosen


def builders_option() -> str | None:
    """The option `builders` of a study."""
    chosen: str | None = option(
        None, "file with the runs that built the pool, one on each line", usual="all", metavar="FILE", file=True
    )
    return chosen


def builders(data: Collection, path: str | None, warn: bool = False) -> Bools:
    """`[run]`: which runs built the pool: all, or those that a file names, one on each line.

    With `warn`, names that are not runs give a warning.
    """
    if path is None:
        return np.ones(len(data.runs), dtype=bool)
    named = {
        line.strip() for _, line in read_lines(path, f"{setting('builders')} names a file with a run on each line")
    }
    match_names(sorted(named), data.runs, "run", path=path, more_is_fine=not warn)
    return np.array([run in named for run in data.runs], dtype=bool)


@lru_cache(maxsize=1)
def listings(data: Collection, path: str | None) -> Listings:
    """The listings of the runs that built the pool, which all units of a process share."""
    return Listings.of(data, builders(data, path))


def relevant(data: Collection, judged: Bools) -> int:
    """How many judgments of the mask are relevant."""
    return int(np.count_nonzero(data.judgments.grade[judged] >= data.policy.rel))


def unlisted_note(data: Collection, found: Listings) -> tuple[str, ...]:
    """A note on judged documents that are in no list, which no pool of these runs can contain."""
    outside = (found.best_rank() == NEVER) & (data.judgments.grade >= 0)
    if not outside.any():
        return ()
    gone = int(np.count_nonzero(outside))
    are, they = ("is", "it is") if gone == 1 else ("are", "they are")
    return (
        f"{counted(gone, 'judged document')}, {relevant(data, outside)} of them relevant, {are} in no list of the "
        f"runs that built the pool: {they} in none of these pools.",
    )
