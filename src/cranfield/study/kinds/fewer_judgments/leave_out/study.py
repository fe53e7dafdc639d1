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
from cranfield.missing.situation import depth_of
from cranfield.missing.universe import read_universe
from cranfield.study.data.collection import Collection
from cranfield.study.data.judged_runs import JudgedRuns
from cranfield.study.data.pools import builders, builders_option, listings, pool_depth_option
from cranfield.study.data.universes import universe_option
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.fewer_judgments.leave_out.held import ranges_found
from cranfield.study.kinds.fewer_judgments.leave_out.left_out import LeftOut
from cranfield.study.kinds.fewer_judgments.leave_out.possible import possible
from cranfield.study.summaries.order_agreement import coefficient_option, need_order


@define(
    "leave-out",
    "a new system or group that did not help to build the pool",
    cites="zobel1998 buckley2007",
    examples=(
        "cranfield study leave-out qrels.txt runs/*.run -m AP",
        "cranfield study leave-out qrels.txt runs/*.run --groups g.tsv --pool-depth 100",
        "cranfield study leave-out qrels.txt runs/*.run -m P@10 --bounds -o new/",
    ),
)
@dataclass(frozen=True)
class LeaveOut(Study[Collection | JudgedRuns]):
    """Remove the judgments of documents that only one run, or one group, found, and score it as if it were new.

    For each group (each run, without groups) the judged documents that only its runs list become unjudged, and every
    run is scored with the remaining judgments. The change in score and place of the runs of the group is what a new
    system of their kind would suffer. Measures are computed on whole and on condensed lists, unless one form is chosen.

    With bounds, the range of each run is found that the remaining judgments leave, as `holes` finds it: whether it
    contains the score with all judgments, how wide it is, and how many of the orders with other runs that are certain
    from the remaining judgments are those with all judgments.
    """

    pool_depth: int | None = pool_depth_option()
    plain: bool = option(False, "only measures on lists as they are")
    condensed: bool = option(False, "only measures on lists without unjudged documents")
    bounds: bool = option(False, "also possible ranges, and whether they hold the score with all judgments")
    universe: str = universe_option()
    builders: str | None = builders_option()
    coefficient: str = coefficient_option()

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.universe != "runs" and not self.bounds:
            problem = f"{setting('universe', self.universe)} has no effect without {setting('bounds', True)}"
            raise PolicyError("E244", problem, hint=f"add {setting('bounds', True)}")

    def reads(self) -> str:
        """Ranges need whole lists, scores do not."""
        return "judged runs" if self.bounds else self.data

    def units(self, data: Collection | JudgedRuns) -> Sequence[Any]:
        """One for each group of runs that built the pool."""
        joined = _joined(data)
        need_order(len(joined.runs))
        builders(joined, self.builders, warn=True)
        return [{"group": group} for group in self._groups(joined)]

    def size(self, data: Collection | JudgedRuns, unit: Any) -> int:
        """The bytes of all hits, for each measure; ranges take longer."""
        joined = _joined(data)
        return len(joined.hits.rank) * len(self._forms(joined)) * (800 if self.bounds else 8)

    def work(self, data: Collection | JudgedRuns, unit: Any, seed: int) -> UnitResult:
        """The means of every run where a group did not help to build the pool, and the ranges of its runs."""
        joined = _joined(data)
        forms = self._forms(joined)
        formed = _formed(joined, forms)
        alone = self._owner(joined) == self._groups(joined).index(unit["group"])
        means = formed.means(formed.scores(~alone[None]))[0] if alone.any() else formed.full_means
        if not isinstance(data, JudgedRuns):
            return {"means": means}
        runs = np.array(self._members(joined)[unit["group"]])
        return {"means": means, **possible(data, forms, read_universe(self.universe), alone, runs)}

    def findings(self, data: Collection | JudgedRuns, found: Sequence[UnitResult], seed: int) -> Findings:
        """Change of score and place of each run, as if it were new, and whether ranges held."""
        joined = _joined(data)
        left = self._left(joined, found)
        if not self.bounds:
            return left.findings()
        members = self._members(joined)
        place = [
            (world, members[left.groups[world]].index(run)) for run, world in zip(left.rows, left.world, strict=True)
        ]
        known = read_universe(self.universe)
        words = tuple(f"universe={known}: {known.words(depth_of(measure))}" for measure in self._forms(joined))
        return left.findings(ranges_found(left.data, left.rows, found, place, words))

    def _left(self, data: Collection, found: Sequence[UnitResult]) -> LeftOut:
        groups = self._groups(data)
        return LeftOut(
            _formed(data, self._forms(data)),
            groups=groups,
            owner=self._owner(data),
            built=self._built(data),
            means=np.stack([each["means"] for each in found]),
            coefficient=self.coefficient,
            grouped=data.chosen["groups"] is not None,
            depth=self.pool_depth,
        )

    def _members(self, data: Collection) -> dict[str, list[int]]:
        """The runs of each group that built the pool."""
        found: dict[str, list[int]] = {}
        for run in np.flatnonzero(self._built(data)).tolist():
            found.setdefault(data.groups[run], []).append(run)
        return found

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


def _joined(data: Collection | JudgedRuns) -> Collection:
    return data.collection if isinstance(data, JudgedRuns) else data


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
