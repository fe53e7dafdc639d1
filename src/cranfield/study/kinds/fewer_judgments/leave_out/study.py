"""`leave-out`: how the score of a run changes if neither it nor its group helps to build the pool."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Ints
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.grammar import Measure
from cranfield.study.data.collection import Collection
from cranfield.study.data.pools import builders, builders_option, listings, pool_depth_option
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.fewer_judgments.leave_out.left_out import LeftOut
from cranfield.study.summaries.order_agreement import coefficient_option, need_order


@define(
    "leave-out",
    "a new system or group that did not help to build the pool",
    cites="zobel1998 buckley2007",
    examples=(
        "cranfield study leave-out qrels.txt runs/*.run -m AP",
        "cranfield study leave-out qrels.txt runs/*.run --groups g.tsv --pool-depth 100",
        "cranfield study leave-out qrels.txt runs/*.run -m AP --condensed -o new/",
    ),
)
@dataclass(frozen=True)
class LeaveOut(Study[Collection]):
    """Remove the judgments of documents that only one run, or one group, found, and score it as if it were new.

    For each group (each run, without groups) the judged documents that only its runs list become unjudged, and every
    run is scored with the remaining judgments. The change in score and place of the runs of the group is what a new
    system of their kind would suffer. Measures are computed on whole and on condensed lists, unless one form is chosen.
    """

    pool_depth: int | None = pool_depth_option()
    plain: bool = option(False, "only the measures as they are")
    condensed: bool = option(False, "only on lists without unjudged documents")
    bounds: bool = option(False, "whether bounds hold the truth")
    builders: str | None = builders_option()
    coefficient: str = coefficient_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.bounds:
            raise PolicyError(
                "E244", f"{setting('bounds', True)}: there are no bounds yet", hint="bounds join when they exist"
            )

    def units(self, data: Collection) -> Sequence[Any]:
        """One for each group of runs that built the pool."""
        need_order(len(data.runs))
        builders(data, self.builders, warn=True)
        return [{"group": group} for group in self._groups(data)]

    def size(self, data: Collection, unit: Any) -> int:
        """The bytes of all hits, for each measure."""
        return len(data.hits.rank) * len(self._forms(data)) * 8

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of every run where a group did not help to build the pool."""
        formed = _formed(data, self._forms(data))
        alone = self._owner(data) == self._groups(data).index(unit["group"])
        if not alone.any():
            return {"means": formed.full_means}
        return {"means": formed.means(formed.scores(~alone[None]))[0]}

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Change of score and place of each run, as if it were new."""
        groups = self._groups(data)
        left = LeftOut(
            _formed(data, self._forms(data)),
            groups=groups,
            owner=self._owner(data),
            built=self._built(data),
            means=np.stack([each["means"] for each in found]),
            coefficient=self.coefficient,
            grouped=data.chosen["groups"] is not None,
            depth=self.pool_depth,
        )
        return left.findings()

    def _built(self, data: Collection) -> Bools:
        return builders(data, self.builders)

    def _groups(self, data: Collection) -> list[str]:
        built = self._built(data)
        return list(dict.fromkeys(group for group, its in zip(data.groups, built, strict=True) if its))

    def _owner(self, data: Collection) -> Ints:
        """`[place]`: the group that alone lists a document, or -1."""
        return _owner(data, self.builders, self.pool_depth, tuple(self._groups(data)))

    def _forms(self, data: Collection) -> tuple[Measure, ...]:
        """Each measure as it is and on condensed lists, or one of the two."""
        both = self.plain == self.condensed
        forms = [
            form
            for measure in data.measures
            for form in ([measure] if both or self.plain else [])
            + ([measure.as_condensed()] if both or self.condensed else [])
        ]
        return tuple(dict.fromkeys(forms))


@lru_cache(maxsize=1)
def _formed(data: Collection, measures: tuple[Measure, ...]) -> Collection:
    """The same collection with other measures; all units of a process share it."""
    return replace(data, measures=measures)


@lru_cache(maxsize=1)
def _owner(data: Collection, path: str | None, depth: int | None, groups: tuple[str, ...]) -> Ints:
    """The only group that lists each judged document; all units of a process share it."""
    number = {group: at for at, group in enumerate(groups)}
    group = np.array([number.get(name, 0) for name in data.groups])  # runs of no group here list nothing either
    owner = listings(data, path).owner(group, depth)
    return np.where(data.judgments.grade >= 0, owner, -1)
