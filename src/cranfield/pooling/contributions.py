"""The pairs that each run or group contributes to a pool, those that it alone lists, and the overlap of two."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Ints, segment_size
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.pooling.candidates import Candidates

_AT_ONCE = 1 << 24  # cells of the table runs × pairs that are held at once


@dataclass(frozen=True, eq=False)
class Contributions:
    """How many pairs each contributor lists, how many it lists alone, and how many two list together."""

    names: tuple[str, ...]
    pairs: Ints
    unique: Ints
    overlap: Ints  # [contributor, contributor]; on the diagonal its own pairs

    @classmethod
    def of(cls, candidates: Candidates, chosen: Bools, groups: Mapping[str, str] | None = None) -> "Contributions":
        """Count the chosen pairs by run, or by the group of the run.

        >>> from cranfield.tables.run import Run
        >>> lists = {"r1": "abcd", "r2": "bcef", "r3": "aegb"}
        >>> runs = [Run.of(name, ["1"] * 4, ids, [4, 3, 2, 1]) for name, ids in lists.items()]
        >>> found = Candidates.of(runs, depth=3)
        >>> counted = Contributions.of(found, np.ones(len(found), dtype=bool))
        >>> counted.unique  # run 3 alone lists g
        array([0, 0, 1])
        >>> counted.overlap[0]  # abc with itself, bc, a
        array([3, 2, 1])
        """
        names, owner = _owners(candidates, groups)
        cell = np.unique(candidates.pair * len(names) + owner[candidates.run])
        pair, contributor = np.divmod(cell, len(names))
        kept = chosen[pair]
        pair, contributor = pair[kept], contributor[kept]
        alone = segment_size(pair, len(candidates))[pair] == 1
        return cls(
            names,
            segment_size(contributor, len(names)),
            segment_size(contributor[alone], len(names)),
            _overlap(pair, contributor, len(names)),
        )


def _owners(candidates: Candidates, groups: Mapping[str, str] | None) -> tuple[tuple[str, ...], Ints]:
    """The contributors, and which of them each run belongs to."""
    if groups is None:
        return candidates.runs, np.arange(len(candidates.runs))
    if missing := next((run for run in candidates.runs if run not in groups), None):
        raise PolicyError(
            "E246", f"{setting('groups')}: run {missing!r} belongs to no group", hint="one line each: RUN<tab>GROUP"
        )
    names = tuple(dict.fromkeys(groups[run] for run in candidates.runs))
    place = {name: number for number, name in enumerate(names)}
    return names, np.array([place[groups[run]] for run in candidates.runs])


def _overlap(pair: Ints, contributor: Ints, names: int) -> Ints:
    """Pairs that two contributors list, as a product of the table contributors × pairs with itself, in stretches."""
    overlap = np.zeros((names, names))
    last = int(pair.max(initial=-1)) + 1
    step = max(1, _AT_ONCE // max(1, names))
    for begin in range(0, last, step):
        low, high = np.searchsorted(pair, (begin, begin + step))
        table = np.zeros((names, min(step, last - begin)), dtype=np.float32)  # counts below 2**24 are exact
        table[contributor[low:high], pair[low:high] - begin] = 1
        overlap += table @ table.T
    return overlap.astype(np.int64)
