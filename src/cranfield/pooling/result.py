"""The result of `pool`: the pairs to judge, and the contribution of each run."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, segment_size
from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.wording import setting
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.contributions import Contributions
from cranfield.pooling.sampling import Sample
from cranfield.read.groups import as_groups
from cranfield.tables.audit import Audit
from cranfield.tables.charts import PoolChartChoices, draw
from cranfield.tables.qrels import Qrels
from cranfield.tables.result import Result
from cranfield.tables.sheets.sheet import Sheet
from cranfield.tables.side.pool import Pool
from cranfield.tables.text import Text

if TYPE_CHECKING:
    import polars

    from cranfield.tables.charts import Figure

SECONDS = 30  # what one judgment takes, roughly


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Pooled(Result):
    """Pairs to judge, and what each run contributed.

    Attributes:
        pairs: the pool: topic, document, stratum, inclusion probability (unknown, NaN, if the strategy is adaptive).
        strategy: how they were chosen; `qrels` if they were taken from judgments.
        depth: how far down the lists were looked at.
        budget: most pairs of a topic, if there was a limit.
        contributions: by run: its pairs of the pool, those that no other run lists, and pairs shared with other runs.
        groups: the same by group, if groups were given.
        left_out: candidates that are judged already.

    >>> import cranfield as cf
    >>> pooled = cf.pool({"r1": {"1": ["a", "b"]}, "r2": {"1": ["b", "c"]}}, depth=1)
    >>> sorted(pooled.pairs.document), pooled.uniques()  # r1 lists b below its depth
    (['a', 'b'], {'r1': 1, 'r2': 1})
    """

    command: ClassVar[str] = "pool"

    pairs: Pool
    strategy: str
    depth: int
    budget: int | None
    candidates: Candidates  # all pairs that could be chosen
    chosen: Bools  # by candidate
    contributions: Contributions
    groups: Contributions | None
    left_out: int
    grade: Floats | None  # by candidate, where judgments were given
    sample: Sample | None  # how the sample was drawn, if chance decided
    audit: Audit  # what shaped the pool
    rel: float = 1  # lowest relevant grade

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.pairs)

    @property
    def topics(self) -> tuple[str, ...]:
        """Every topic that a run answered."""
        return self.candidates.topics

    @property
    def sizes(self) -> Ints:
        """Pairs of each topic."""
        return segment_size(self.candidates.topic[self.chosen], len(self.topics))

    @property
    def hours(self) -> float:
        """The hours that judging takes at half a minute per pair."""
        return len(self) * SECONDS / 3600

    @property
    def relevant(self) -> int | None:
        """Relevant documents in the pool that an adaptive strategy found."""
        if self.grade is None or not self.pairs.adaptive:
            return None
        return int(np.count_nonzero(self.grade[self.chosen] >= self.rel))

    @property
    def unknown(self) -> int | None:
        """Pairs of an adaptive pool that the judgments lack."""
        if self.grade is None or not self.pairs.adaptive:
            return None
        return int(np.count_nonzero(np.isnan(self.grade[self.chosen])))

    def uniques(self, groups: Any = None) -> dict[str, int]:  # anything `as_groups` takes
        """How many pairs of the pool each run, or group of runs, lists alone."""
        found = self.contributions
        if groups is not None:
            found = Contributions.of(self.candidates, self.chosen, as_groups(groups))
        return dict(zip(found.names, found.unique.tolist(), strict=True))

    def frame(self, judgments: Qrels | None = None) -> Qrels:
        """Every candidate of a sampled pool with its stratum and probability; grade -1 where it was not drawn.

        Drawn pairs have their grade from the judgments, or -1 if they have none: the form that estimators for sampled
        judgments read.
        """
        if self.sample is None:
            problem = f"strategy {self.strategy} draws no sample"
            raise PolicyError("E244", problem, hint=f"pool with {setting('strategy', 'sample')}")
        members = np.flatnonzero(self.sample.probability > 0)
        grade = np.full(len(members), -1)
        if judgments is not None:
            known = self.candidates.grades(judgments)[members]
            told = self.sample.drawn[members] & ~np.isnan(known)
            grade[told] = known[told]
        topic = self.candidates.topic[members]
        return Qrels(
            self.topics,
            topic,
            self.candidates.document.take(members),
            grade,
            stratum=Text.of(self.sample.strata).take(self.sample.stratum[members]),
            probability=self.sample.probability[members],
        )

    def write(self, path: "str | os.PathLike[str] | IO[bytes]") -> None:
        """Write the pool: topic, document, stratum and probability, separated by tabs."""
        from cranfield.write import write_table

        write_table(self.pairs, path)

    def plot(self, kind: str = "growth", **choices: Unpack[PoolChartChoices]) -> "Figure":
        """A chart: `growth` (relevant documents found by pairs judged, for several strategies; needs judgments)."""
        return draw("pool", kind, self, **choices)

    # --- forms -------------------------------------------------------------------------------------------------

    def line(self) -> str:
        """The pool in one line."""
        from cranfield.pooling.sheet import line

        return line(self)

    def sheet(self) -> Sheet:
        """The printed table: one row per run, or per group where groups were given."""
        from cranfield.pooling.sheet import sheet

        return sheet(self)

    def topic_sheet(self) -> Sheet:
        """One row per topic."""
        from cranfield.pooling.sheet import topic_sheet

        return topic_sheet(self)

    def overlap_sheet(self) -> Sheet:
        """How many pairs every two runs share."""
        from cranfield.pooling.sheet import overlap_sheet

        return overlap_sheet(self)

    def table(self) -> "polars.DataFrame":
        """One row per run: its pairs, and those that no other run lists."""
        return self.to_polars()

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        strata, code = self.pairs.stratum.codes()
        found: dict[str, Any] = {
            "strategy": self.strategy,
            "depth": self.depth,
            "budget": self.budget,
            "adaptive": self.pairs.adaptive,
            "pairs": len(self),
            "topics": [{"topic": t, "pairs": n} for t, n in zip(self.topics, self.sizes.tolist(), strict=True)],
            "runs": _rows("run", self.contributions),
            "overlap": {"runs": list(self.contributions.names), "pairs": self.contributions.overlap.tolist()},
            "strata": [
                {"stratum": name, "pairs": number}
                for name, number in zip(strata, segment_size(code, len(strata)).tolist(), strict=True)
            ],
            "short": self.candidates.short,
            "left_out": self.left_out,
            "hours": self.hours,
        }
        if self.groups is not None:
            found["groups"] = _rows("group", self.groups)
        if self.relevant is not None:
            found |= {"relevant": self.relevant, "unknown": self.unknown}
        return found


def _rows(noun: str, found: Contributions) -> list[Mapping[str, Any]]:  # names and counts
    rows = zip(found.names, found.pairs.tolist(), found.unique.tolist(), strict=True)
    return [{noun: name, "pairs": pairs, "unique": unique} for name, pairs, unique in rows]
