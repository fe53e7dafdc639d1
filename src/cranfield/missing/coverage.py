"""Coverage: which documents of the lists were judged, pooled but not judged, or never pooled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Policy
from cranfield.arrays import Bools, Floats, ratio
from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.wording import setting
from cranfield.pooling.candidates import Candidates
from cranfield.registry import one_of
from cranfield.tables.charts import ChartChoices, draw
from cranfield.tables.qrels import Qrels
from cranfield.tables.sheets.sheet import Cell, Column, Sheet
from cranfield.tables.side.pool import Pool
from cranfield.tables.words import counted

if TYPE_CHECKING:
    import polars
    from numpy.typing import NDArray

    from cranfield.tables.charts import Figure

CoverageBy = Literal["run", "topic", "rank"]
AT = (1, 3, 5, 10, 20)
STATES = ("judged", "pooled", "unpooled")
_NO_DOCUMENT = len(STATES)  # the list is shorter, or missing


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Coverage:
    """The state of every document at the top of the lists.

    A document is *judged*; or *pooled* (chosen for judging, and not judged: its grade is negative, or a pool names it);
    or *unpooled*. Shares are those of the documents that a list holds: a list of 4 documents has 4 among its first 10.

    Attributes:
        runs: the runs.
        topics: the topics that are looked at.
        at: depths down to which shares are computed.
        state: `[run, topic, rank]`: a place in `STATES`, or 3 where the list has no document.

    >>> from cranfield.tables.run import Run
    >>> runs = [Run.of("r", ["1"] * 3, ["a", "b", "c"], [3, 2, 1]), Run.of("s", ["1"], ["b"], [1])]
    >>> qrels = Qrels.of(["1", "1"], ["a", "b"], [2, -1])
    >>> Coverage.of(Candidates.of(runs, 10), qrels, at=[1, 2, 10])
     judged share of the top k      1     2    10
     r                          100 %  50 %  33 %
     s                            0 %   0 %   0 %
    <BLANKLINE>
     3 unjudged places in the first 10: 2 of them pooled but not judged, 1 never pooled
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    at: tuple[int, ...]
    state: "NDArray[np.int8]"

    @classmethod
    def of(
        cls,
        candidates: Candidates,
        qrels: Qrels,
        at: Sequence[int] = AT,
        policy: Policy | None = None,
        pool: Pool | None = None,
    ) -> "Coverage":
        """Look up the documents of the lists, as deep as the candidates are known, in the qrels and the pool.

        Only topics with judgments are looked at, unless the policy takes others into the mean, too.
        """
        chosen = policy or Policy()
        depths = checked_depths(at)
        if depths[-1] > candidates.depth:
            problem = f"{setting('at', depths[-1])} is deeper than the {candidates.depth:,} ranks that were read"
            raise PolicyError("E240", problem)
        judged, pooled = _judged_and_pooled(candidates, qrels, pool, chosen)
        of_pair = np.where(judged, 0, np.where(pooled, 1, 2)).astype(np.int8)
        kept = chosen.topic_set == "union" or set(qrels.topics)
        known = [at for at, name in enumerate(candidates.topics) if kept is True or name in kept]
        row = np.full(len(candidates.topics), -1)
        row[known] = np.arange(len(known))
        deepest = min(depths[-1], int(candidates.rank.max(initial=0)))
        topic = row[candidates.topic[candidates.pair]]
        inside = (topic >= 0) & (candidates.rank <= deepest)
        state = np.full((len(candidates.runs), len(known), deepest), _NO_DOCUMENT, dtype=np.int8)
        state[candidates.run[inside], topic[inside], candidates.rank[inside] - 1] = of_pair[candidates.pair[inside]]
        return cls(candidates.runs, tuple(candidates.topics[at] for at in known), depths, state)

    def shares(self, by: CoverageBy = "run") -> Floats:
        """`[run or topic, depth, state]`, or `[run, rank, state]`: shares of the documents; NaN where there is none.

        The share of a run is the mean over the topics that it answers, that of a topic the mean over the runs that
        answer it, and that of a rank is taken over the lists that are long enough.
        """
        one_of("by", by, get_args(CoverageBy))
        if by == "rank":
            counts = np.stack([np.count_nonzero(self.state == state, axis=1) for state in range(len(STATES))], axis=-1)
            return ratio(counts, counts.sum(axis=-1, keepdims=True))
        lists = self._of_lists()
        known = ~np.isnan(lists)
        axis = 1 if by == "run" else 0
        return ratio(np.where(known, lists, 0.0).sum(axis=axis), np.count_nonzero(known, axis=axis))

    def _of_lists(self) -> Floats:
        """`[run, topic, depth, state]`: shares of the documents of one list."""
        last = [min(depth, self.state.shape[2]) for depth in self.at]
        sums = [np.cumsum(self.state == state, axis=2, dtype=np.int32) for state in range(len(STATES))]
        none = np.zeros((*self.state.shape[:2], 1), dtype=np.int32)
        counts = np.stack([np.concatenate((none, each), axis=2)[:, :, last] for each in sums], axis=-1)
        return ratio(counts, counts.sum(axis=-1, keepdims=True))

    def counts(self) -> dict[str, int]:
        """How many places of all lists, down to the last depth, hold a document of each state."""
        return {name: int(np.count_nonzero(self.state == state)) for state, name in enumerate(STATES)}

    def table(self, by: CoverageBy = "run") -> "polars.DataFrame":
        """A row for each run and depth, topic and depth, or run and rank, with the three shares."""
        return self.rows(by).polars()

    def rows(self, by: CoverageBy = "run") -> Sheet:
        """The same rows without any other package."""
        shares = self.shares(by)
        names = self.topics if by == "topic" else self.runs
        steps = range(1, shares.shape[1] + 1) if by == "rank" else self.at
        size = (len(names), len(steps))
        labels: list[Cell] = [name for name in names for _ in steps]
        return Sheet(
            (
                Column("topic" if by == "topic" else "run", labels),
                Column("rank" if by == "rank" else "depth", list(steps) * size[0]),
                *(Column(state, shares[:, :, at].reshape(-1)) for at, state in enumerate(STATES)),
            )
        )

    def sheet(self, by: Literal["run", "topic"] = "run") -> Sheet:
        """The judged share of the first documents: a row for each run or topic, a column for each depth."""
        shares = self.shares(by)[:, :, 0]
        names = self.topics if by == "topic" else self.runs
        first = "judged share of the top k" if by == "run" else "topic"
        columns = (Column(first, names), *(WholePercent(f"{k:,}", shares[:, at]) for at, k in enumerate(self.at)))
        return Sheet(columns, tuple(self._notes()), label="tab:coverage")

    def result(self) -> list[dict[str, Any]]:
        """The part of the JSON envelope: a row for each run and depth."""
        return [dict(row) for row in self.rows().records()]

    def plot(self, topic: str | None = None, **choices: Unpack[ChartChoices]) -> "Figure":
        """Draw the judged share by run and rank, over all topics or of one."""
        return draw("holes", "coverage", self, topic=topic, **choices)

    def _notes(self) -> Iterator[str]:
        found = self.counts()
        holes = found["pooled"] + found["unpooled"]
        if holes and found["pooled"]:
            kinds = f"{found['pooled']:,} of them pooled but not judged, {found['unpooled']:,} never pooled"
            yield f"{counted(holes, 'unjudged place')} in the first {self.at[-1]:,}: {kinds}"

    def __repr__(self) -> str:
        from cranfield.tables.sheets.screen import Screen

        return self.sheet().text(Screen.of_output())


@dataclass(frozen=True, eq=False)
class WholePercent(Column):
    """Shares in whole per cent, of which only all is 100 % and only none is 0 %.

    >>> WholePercent("10", [1.0, 0.999, 0.654, 0.001, 0.0, None]).cells
    ['100 %', '>99 %', '65 %', '<1 %', '0 %', '–']
    """

    format: str = ".0%"

    @property
    def cells(self) -> list[str]:
        """Every value as the reader sees it."""
        return [self._worded(value, cell) for value, cell in zip(self.raw, super().cells, strict=True)]

    @staticmethod
    def _worded(value: Cell, cell: str) -> str:
        if isinstance(value, float) and 0 < value < 1 and cell in ("0 %", "100 %"):
            return "<1 %" if cell == "0 %" else ">99 %"
        return cell


def checked_depths(at: Sequence[int]) -> tuple[int, ...]:
    """The depths in ascending order, each once; whole numbers from 1.

    >>> checked_depths([10, 1, 5, 5])
    (1, 5, 10)
    >>> checked_depths([0])
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E240: at=0 is no depth
      hint: whole numbers from 1, such as 1, 5, 10
    """
    if wrong := [depth for depth in at if type(depth) is not int or depth < 1]:
        raise PolicyError(
            "E240", f"{setting('at', wrong[0])} is no depth", hint="whole numbers from 1, such as 1, 5, 10"
        )
    if not at:
        raise PolicyError("E242", f"{setting('at')} names no depth", hint="whole numbers from 1, such as 1, 5, 10")
    return tuple(sorted(set(at)))


def _judged_and_pooled(candidates: Candidates, qrels: Qrels, pool: Pool | None, policy: Policy) -> tuple[Bools, Bools]:
    """By pair: whether it is judged, and whether the qrels or the pool name it."""
    row = candidates.rows_in(JudgmentIndex.of(qrels, policy.negative))
    named = row >= 0
    judged = named & (qrels.grade[row] >= 0) if len(qrels) and policy.negative == "unjudged" else named.copy()
    if pool is not None:
        chosen = Qrels(pool.topics, pool.topic, pool.document, np.zeros(len(pool), dtype=np.int64), source=pool.source)
        named |= candidates.rows_in(JudgmentIndex.of(chosen)) >= 0
    return judged, named
