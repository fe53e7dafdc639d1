"""Scores by group of topics: the mean of every run in each group, the mean of the groups, and that of all topics."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, Unpack

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import place
from cranfield.stats.by_group.stratified import StratifiedMean
from cranfield.stats.by_group.topic_groups import TopicGroups
from cranfield.stats.comparison.method import MethodChoices
from cranfield.stats.mean_intervals import interval_range, with_intervals
from cranfield.stats.weights.weighted import WEIGHTED, weighted_mean
from cranfield.tables.audit import Audit
from cranfield.tables.averages import MeanIntervalMethod
from cranfield.tables.charts import GroupChartChoices, draw
from cranfield.tables.result import Result
from cranfield.tables.scores import Scores, number
from cranfield.tables.side.gates import CHECKERS, GateResult
from cranfield.tables.side.selection import best_first, runs_in_order

if TYPE_CHECKING:
    from cranfield.stats.by_group.comparing import GroupedComparison
    from cranfield.tables.charts import Figure
    from cranfield.tables.sheets.sheet import Sheet

GroupInterval = Literal["none"] | MeanIntervalMethod
LEVEL = 0.95  # of intervals


class GroupMean(NamedTuple):
    """The mean of a run in a group, or over the groups (`group` is None)."""

    run: str
    measure: str
    group: str | None
    topics: int  # of the run in the group
    mean: float
    ci: tuple[float, float]
    judged: float


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class GroupedScores(Result):
    """Scores by group of topics: see `cranfield.by_group` and `cranfield.evaluate_collections`.

    Attributes:
        scores: the scores of every topic.
        grouping: the names of the groups, and the group of each topic.
        interval: the method for intervals of means: `t`, `bootstrap` or `none`.
        seed: of resampled topics.

    >>> import cranfield as cf
    >>> scores = cf.evaluate(
    ...     {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}, {"q1": ["a"], "q2": ["b"], "q3": ["a", "c"]}, "RR"
    ... )
    >>> found = cf.by_group(scores, {"q1": "head", "q2": "tail", "q3": "tail"})
    >>> found.groups, found.means[0, :, 0], found.mean_of_groups[0, 0].item()
    (('head', 'tail'), array([1.  , 0.75]), 0.875)
    """

    command: ClassVar[str] = "evaluate"

    scores: Scores
    grouping: TopicGroups
    interval: GroupInterval = "none"
    seed: int = 0

    @property
    def groups(self) -> tuple[str, ...]:
        """The names of the groups."""
        return self.grouping.names

    @property
    def audit(self) -> Audit:
        """What shaped the numbers."""
        audit, grouping = self.scores.audit, self.grouping
        if grouping.by:
            policies = {**audit.policies, "by": grouping.by}
            audit = replace(audit, policies=policies, inputs=[*audit.inputs, *grouping.inputs])
        if self.interval == "none":
            return audit
        return replace(audit.computed_with("scipy"), policies={**audit.policies, "ci": self.interval}, seed=self.seed)

    def part(self, group: str) -> Scores:
        """The scores on the topics of one group."""
        return self.parts[place(group, self.groups, self.grouping.noun)]

    @cached_property
    def parts(self) -> tuple[Scores, ...]:
        """The scores on the topics of each group, with intervals where they were asked for."""
        topics = self.scores.topics
        parts = [self.scores.on_topics([topics[at] for at in places]) for places in self.grouping.members]
        if self.interval == "none":
            return tuple(parts)
        return tuple(with_intervals(part, self.interval, level=LEVEL, seed=self.seed) for part in parts)

    @cached_property
    def topics(self) -> Ints:
        """`[run, group]`: how many topics count for each run."""
        return np.stack([part.scored.sum(axis=1) for part in self.parts], axis=1)

    @cached_property
    def means(self) -> Floats:
        """`[run, group, measure]`: the mean over the topics of each group; NaN where a run has none."""
        found = np.stack([part.means for part in self.parts], axis=1)
        return np.where(self.topics[:, :, None] > 0, found, np.nan)

    @cached_property
    def mean_of_groups(self) -> Floats:
        """`[run, measure]`: the mean of the group means; NaN where a run has no score in some group."""
        return np.where(np.isnan(self.means).any(axis=1), np.nan, self.means.mean(axis=1))

    @cached_property
    def intervals_of_groups(self) -> Floats:
        """`[run, measure, 2]`: the stratified interval of the mean of groups: Student's, whatever `interval` is."""
        shape = len(self.scores.runs), len(self.scores.measures), 2
        found = np.full(shape, np.nan)
        if self.interval == "none":
            return found
        for column, average in enumerate(self.scores.averages):
            if average in ("mean", WEIGHTED):
                mean = (
                    StratifiedMean.combined([weighted_mean(part, column) for part in self.parts])
                    if average == WEIGHTED
                    else StratifiedMean.of(self.scores.values[:, :, column], self.grouping.members)
                )
                found[:, column] = np.clip(mean.interval(LEVEL), *interval_range(self.scores.measures[column]))
        return found

    @property
    def mean_of(self) -> str:
        """The name of the mean over the groups."""
        return f"mean of {self.grouping.noun}s"

    @property
    def complete(self) -> Bools:
        """`[run]`: whether the run has a topic in every group."""
        return np.all(self.topics > 0, axis=1)

    @property
    def missing(self) -> dict[str, list[str]]:
        """The groups in which a run has no topic, for each run that lacks some."""
        lost = {
            run: [group for group, count in zip(self.groups, counts, strict=True) if not count]
            for run, counts in zip(self.scores.runs, self.topics.tolist(), strict=True)
        }
        return {run: groups for run, groups in lost.items() if groups}

    def rows(self) -> Iterator[GroupMean]:
        """Every mean: by run and measure, the groups and then their mean."""
        for at, run in enumerate(self.scores.runs):
            for column, measure in enumerate(self.scores.measures):
                for group, part in enumerate(self.parts):
                    span = (np.nan, np.nan) if part.intervals is None else part.intervals[at, column]
                    judged, count = part.judged_shares[at, column], int(self.topics[at, group])
                    mean = float(self.means[at, group, column])
                    yield GroupMean(
                        run=run,
                        measure=measure,
                        group=self.groups[group],
                        topics=count,
                        mean=mean,
                        ci=tuple(span),
                        judged=float(judged),
                    )
                total, span = int(self.topics[at].sum()), self.intervals_of_groups[at, column]
                judged = np.mean([part.judged_shares[at, column] for part in self.parts])
                mean = float(self.mean_of_groups[at, column])
                yield GroupMean(
                    run=run, measure=measure, group=None, topics=total, mean=mean, ci=tuple(span), judged=float(judged)
                )

    def compare(
        self, baseline: str | Sequence[str] | None = None, **choices: Unpack[MethodChoices]
    ) -> "GroupedComparison":
        """Compare the runs in each group, and by the mean of groups: see `cranfield.compare` for the choices.

        Args:
            baseline: one or more runs with which the others are compared; without one all pairs are compared.
            choices: test, correction, level and so on.
        """
        from cranfield.stats.by_group.comparing import compare_by_group

        return compare_by_group(self, baseline, **choices)

    def sorted(self, measure: str = "") -> "GroupedScores":
        """The same scores with the best run first, by the mean of groups of one of the measures: by default the first.

        Args:
            measure: its name.
        """
        column = place(measure, self.scores.measures, "measure") if measure else 0
        smaller = self.scores.measures[column] in self.scores.smaller
        order = best_first(self.mean_of_groups[:, column], smaller)
        return replace(self, scores=runs_in_order(self.scores, order))

    def check(self, *conditions: str) -> "GateResult":
        """Check what must hold: `grouped.check("nDCG@10 >= 0.6 in head").require()` in a test.

        Args:
            conditions: `TERM OP NUMBER [for RUNGLOB] [in GROUPGLOB]`, as those of `evaluate --by --require`. A pattern
                of groups has a verdict for each of them; without `in` a condition is about the mean of groups.

        Returns:
            The verdicts, which are true if all conditions passed.

        >>> import cranfield as cf
        >>> scores = cf.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["a", "b"]}, "RR")
        >>> cf.by_group(scores, {"q1": "head", "q2": "tail"}).check("RR >= 0.6 in *", "RR >= 0.7")
        passed  RR >= 0.6 in head: smallest is 1 (run)
        FAILED  RR >= 0.6 in tail: smallest is 0.5 (run)
        passed  RR >= 0.7: mean of groups: smallest is 0.75 (run)
        """
        return CHECKERS["grouped scores"](self, conditions, "")

    def plot(self, kind: str = "groups", **choices: Unpack[GroupChartChoices]) -> "Figure":
        """A chart: the means of the runs in each group, with their intervals."""
        return draw("groups", kind, self, **choices)

    def sheet(self) -> "Sheet":
        """The printed tables: one for each measure, with the groups side by side or below each other."""
        from cranfield.stats.by_group.sheets import sheet

        return sheet(self)

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        return {
            "groups": [
                {"group": name, "topics": len(places)}
                for name, places in zip(self.groups, self.grouping.members, strict=True)
            ],
            "scores": [
                {
                    **row._asdict(),
                    "mean": number(row.mean),
                    "ci": list(map(number, row.ci)),
                    "judged": number(row.judged),
                }
                for row in self.rows()
            ],
            "missing": self.missing,
        }
