"""`depth`: how scores and the order of runs change when the pool is shallower."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.study.data.collection import Collection
from cranfield.study.data.pools import builders, builders_option, listings, relevant, unlisted_note
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.summaries.by_level import ByLevel
from cranfield.study.summaries.order_agreement import coefficient_option, need_order
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted


@define(
    "depth",
    "shallower pool",
    cites="zobel1998 buckley2007",
    examples=(
        "cranfield study depth qrels.txt runs/*.run -m AP -m bpref",
        "cranfield study depth qrels.txt runs/*.run -m nDCG@10 --depths 100,50,20,10,5",
        "cranfield study depth qrels.txt runs/*.run --builders pooled.txt -o depth/",
    ),
)
@dataclass(frozen=True)
class DepthStudy(Study[Collection]):
    """Judge only the top of each run, and see how scores and the order of runs change.

    A document keeps its judgment if one of the runs that built the pool lists it among its first *d*; all others are
    unjudged. These judgments are not missing at random: they are of documents that all runs rank low.
    """

    depths: tuple[int, ...] = option(
        (100, 50, 20, 10, 5),
        "depths of the pool",
        metavar="K,…",
        check=lambda depths: bool(depths) and min(depths) >= 1,
        rule="whole numbers from 1",
    )
    builders: str | None = builders_option()
    coefficient: str = coefficient_option()

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each depth."""
        need_order(len(data.runs))
        builders(data, self.builders, warn=True)
        return [{"depth": depth} for depth in self.depths]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of all hits, for each measure."""
        return len(data.hits.rank) * len(data.measures) * 8

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of every run with the pool of a depth, and the size of the pool."""
        judged = listings(data, self.builders).best_rank() <= unit["depth"]
        held = np.count_nonzero(judged & (data.judgments.grade >= 0)), relevant(data, judged)
        return {"means": data.means(data.scores(judged[None]))[0], "held": np.array(held)}

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Agreement with the full order, mean score, and relevant documents lost, by depth."""
        building = int(np.count_nonzero(builders(data, self.builders)))
        everyone = f"all {counted(building, 'run')}" if self.builders is None else counted(building, "run")
        by_level = ByLevel(
            data,
            level=Column("depth", self.depths),
            levels=self.depths,
            axis="pool depth",
            means=np.stack([each["means"] for each in found])[None],
            coefficient=self.coefficient,
            model=f"pool of the top of {everyone}, documents outside it unjudged",
        )
        judged, kept = np.stack([each["held"] for each in found]).T
        all_judged = int(np.count_nonzero(data.judgments.grade >= 0))
        all_relevant = relevant(data, np.ones(len(data.judgments), dtype=bool))
        lost = all_relevant - kept
        share = lost / max(all_relevant, 1)
        made = by_level.findings(
            notes=(
                "A shallow pool misses what all runs rank low.",
                *unlisted_note(data, listings(data, self.builders)),
            ),
            columns={
                "judged": judged.tolist(),
                "judged_share": (judged / max(all_judged, 1)).tolist(),
                "relevant": kept.tolist(),
                "relevant_lost": lost.tolist(),
                "relevant_lost_share": share.tolist(),
            },
            lowest=f"depth {min(self.depths)}",
        )
        level, *measures = made.shown
        held = (Column("judged", judged, ","), Column("relevant", kept, ","), Column("lost", share, ".1%"))
        return replace(made, shown=(level, *held, *measures), drawings={**made.drawings, "lost": self._drawing(share)})

    def _drawing(self, share: Any) -> Drawing:  # floats, one for each depth
        order = np.argsort(self.depths, kind="stable")
        x = np.array(self.depths, dtype=np.float64)[order]
        curve = Curve("relevant documents", x, share[order])
        return Drawing("Relevant documents lost", "pool depth", "share lost", (curve,), across=(0, float(x[-1])))
