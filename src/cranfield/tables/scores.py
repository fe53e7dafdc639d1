"""Scores: one number for each run, topic and measure, with the audit."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from cranfield.arrays import Bools, EqualByContent, Floats, Ints, same
from cranfield.errors import UnknownNameError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import place
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.source import ScoresOrigin
from cranfield.tables.summary import micro, summary

if TYPE_CHECKING:
    from pathlib import Path

    import pandas
    import polars

    from cranfield.tables.averages import Average
    from cranfield.tables.charts import Figure
    from cranfield.tables.sheets.sheet import Cell, Sheet
    from cranfield.tables.side.gates import GateResult
    from cranfield.tables.side.possible import PossibleScores
    from cranfield.tables.side.replicates import Replicates

MeasureNames = Literal["measure", "tracker"]


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Scores(Result, EqualByContent):
    """Values `[run, topic, measure]`; NaN if undefined, or not scored under the topic-set policy.

    `judged` is the share judged of what the measure looks at, which `looks_at` names: the first ranks, the whole list,
    every rank by its weight, or, on condensed lists, the ranks gone through (what was not judged was dropped).
    `relevant` is the number of relevant documents of a topic at the measure's level.

    >>> from cranfield import evaluate
    >>> evaluate({"q1": {"d1": 1}, "q2": {"d2": 1, "d9": 0}}, {"q1": ["d1"], "q2": ["d9", "d2"]}, "RR")["run", "RR"]
    array([1. , 0.5])
    """

    command: ClassVar[str] = "evaluate"

    runs: tuple[str, ...]  # names
    topics: tuple[str, ...]  # ids
    measures: tuple[str, ...]  # names in canonical form
    averages: "tuple[Average, ...]"  # how each measure is averaged: mean, sum, geometric, micro, median or weighted
    values: Floats  # [run, topic, measure]
    scored: Bools  # [run, topic]: whether the topic counts for the run
    judged: Floats  # [run, topic, measure]: share judged of what the measure looks at
    retrieved: Ints  # [run, topic]: length of the list
    relevant: Ints  # [topic, measure]: number of relevant documents
    audit: Audit = field(compare=False)  # what shaped the numbers
    cutoff: int = 10  # that of the first measure that has one: where ties are counted
    intervals: Floats | None = None  # [run, measure, 2]: of the means, where asked for
    residuals: Mapping[str, Floats] = field(default_factory=dict)  # measure -> [run, topic]: how much it could grow
    weights: Floats | None = None  # the divisors of ratios (micro), or those of topics (weighted)
    looks_at: tuple[str, ...] = ()  # of each measure: first 10, whole list, weight, first 10 judged …; none: not known
    smaller: tuple[str, ...] = ()  # the measures of which less is better
    possible: "PossibleScores | None" = None  # ranges of the means, where asked for
    replicates: "Replicates | None" = None  # the runs behind systems that have several
    origin: ScoresOrigin | None = field(default=None, compare=False)  # what they were made of; not saved

    def __post_init__(self) -> None:
        arrays = (self.values, self.scored, self.judged, self.retrieved, self.relevant, self.intervals, self.weights)
        for array in (each for each in arrays if each is not None):
            array.setflags(write=False)

    @cached_property
    def means(self) -> Floats:
        """`[run, measure]`: the mean over the topics (the sum of counts, the median …: see `averages`)."""
        if self.weights is not None:
            return np.array([list(map(micro, v.T, w.T)) for v, w in zip(self.values, self.weights, strict=True)])
        summaries = [
            [summary(run[:, column], average) for column, average in enumerate(self.averages)] for run in self.values
        ]
        return np.array(summaries, dtype=np.float64).reshape(len(self.runs), len(self.measures))

    @cached_property
    def judged_shares(self) -> Floats:
        """`[run, measure]`: the mean share judged of what each measure looks at, over the topics with a list.

        >>> from cranfield import evaluate
        >>> scores = evaluate({"q1": {"d1": 1}}, {"q1": ["d1", "d2"]}, ["P@1", "AP"])
        >>> scores.looks_at, scores.judged_shares
        (('first 1', 'whole list'), array([[1. , 0.5]]))
        """
        return np.array([[summary(column, "mean") for column in run.T] for run in self.judged])

    def __getitem__(self, key: tuple[str, str]) -> Floats:
        given: object = key  # which callers may get wrong
        if not (isinstance(given, tuple) and len(given) == 2):
            hint = "scores[run, measure], or scores.matrix(measure) for all runs"
            raise UnknownNameError("E241", f"scores are not found by {key!r}", hint=hint)
        return self.matrix(key[1])[place(key[0], self.runs, "run")]

    def matrix(self, measure: str) -> Floats:
        """Systems × topics, for one measure."""
        return self.values[:, :, place(measure, self.measures, "measure")]

    def select(self, measures: str | Iterable[str]) -> "Scores":
        """The same scores for some of the measures, or for one."""
        from cranfield.tables.side.selection import some_measures

        names = (measures,) if isinstance(measures, str) else tuple(measures)
        return some_measures(self, [place(name, self.measures, "measure") for name in names])

    def sorted(self, measure: str = "") -> "Scores":
        """The same scores with the best run first, by one of the measures: the first, if none is named.

        Where less is better the smallest value is the best; runs of equal values keep their order.

        >>> from cranfield import evaluate
        >>> runs = {"worse": {"q1": ["d2", "d1"]}, "better": {"q1": ["d1", "d2"]}}
        >>> evaluate({"q1": {"d1": 1, "d2": 0}}, runs, ["RR", "ESL"]).sorted("ESL").runs
        ('better', 'worse')
        """
        from cranfield.tables.side.selection import best_first, runs_in_order

        column = place(measure, self.measures, "measure") if measure else 0
        return runs_in_order(self, best_first(self.means[:, column], self.measures[column] in self.smaller))

    def on_topics(self, topics: str | Iterable[str]) -> "Scores":
        """The same scores on some of the topics, or on all of them in another order, without intervals and ranges."""
        from cranfield.tables.side.selection import some_topics

        return some_topics(self, (topics,) if isinstance(topics, str) else tuple(topics))

    def bounds(self, measures: str | Iterable[str] = (), universe: str = "runs") -> "polars.DataFrame":
        """The range of each mean, whatever grades the unjudged documents have: run, measure, lowest, mean …

        Scores remember the judgments and runs that `evaluate` was given, and read them again. Those that were loaded or
        unpickled do not: `cranfield.holes(qrels, runs, measures).bounds()` gives the same.

        Args:
            measures: some of the measures; all by default.
            universe: which unjudged documents may be relevant: see `cranfield.holes`.

        >>> from cranfield import evaluate
        >>> scores = evaluate({"q1": {"d1": 1}}, {"q1": ["x", "d1"]}, "RR")  # x may be relevant, or not
        >>> scores.bounds("RR").rows()
        [('run', 'RR', 0.5, 0.5, 1.0, True)]
        """
        from cranfield.tables.sheets.score_rows import bounds

        return bounds(self, measures, universe)

    def check(self, *conditions: str, universe: str = "runs") -> "GateResult":
        """Check what must hold: `scores.check("nDCG@10 >= 0.6").require()` in a test.

        Args:
            conditions: `TERM OP NUMBER [for RUNGLOB]`, as those of `evaluate --require`; a term is a measure, a count
                or a range.
            universe: of `lower`, `upper` and `undecided`: which unjudged documents may be relevant.

        Returns:
            The verdicts, which are true if all conditions passed.

        >>> from cranfield import evaluate
        >>> scores = evaluate({"q1": {"d1": 1, "d2": 0}}, {"bm25": {"q1": ["d2", "d1"]}}, "RR")
        >>> scores.check("RR >= 0.6")
        FAILED  RR >= 0.6: smallest is 0.5 (bm25)
        """
        from cranfield.tables.side.gates import CHECKERS

        return CHECKERS["scores"](self, conditions, universe)

    def by_run(self, names: MeasureNames = "measure") -> dict[str, dict[str, float | None]]:
        """`{run: {measure: mean}}` as plain numbers; undefined is None.

        Args:
            names: `measure`, or `tracker` for names that MLflow and others take: `ndcg_10`, `rbp_p0.8`.

        >>> from cranfield import evaluate
        >>> scores = evaluate({"q1": {"d1": 1, "d2": 0}}, {"bm25": {"q1": ["d2", "d1"]}}, ["RR", "P@1"])
        >>> scores.by_run(), scores.by_run(names="tracker")
        ({'bm25': {'RR': 0.5, 'P@1': 0.0}}, {'bm25': {'rr': 0.5, 'p_1': 0.0}})
        """
        from cranfield.tables.sheets.score_rows import by_run

        return by_run(self, names)

    def to_records(self, per_topic: bool = False) -> "list[dict[str, Cell]]":
        """One dictionary per run and measure, as the rows of `mean()`; or per topic, as those of `per_topic()`.

        >>> from cranfield import evaluate
        >>> evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d2", "d1"]}, "RR").to_records()
        [{'run': 'run', 'measure': 'RR', 'mean': 0.5, 'ci_low': None, 'ci_high': None, 'judged': 1.0}]
        """
        from cranfield.tables.sheets.score_rows import records

        return records(self, per_topic)

    def table(self) -> "polars.DataFrame":
        """One row per run and one column per measure: the means.

        >>> from cranfield import evaluate
        >>> evaluate({"q1": {"d1": 1, "d2": 0}}, {"bm25": {"q1": ["d2", "d1"]}}, ["RR", "P@1"]).table().rows()
        [('bm25', 0.5, 0.0)]
        """
        from cranfield.tables.sheets.score_rows import frame, run_rows

        return frame(run_rows(self), ("run", *self.measures))

    def mean(self) -> "polars.DataFrame":
        """One row per run and measure: run, measure, mean, ci_low, ci_high, judged."""
        from cranfield.tables.sheets.score_rows import MEAN, frame, mean_rows

        return frame(mean_rows(self), MEAN)

    def per_topic(self) -> "polars.DataFrame":
        """One row per run, topic and measure: run, topic, measure, value, judged, retrieved, relevant."""
        from cranfield.tables.sheets.score_rows import TOPIC, frame, topic_rows

        return frame(topic_rows(self), TOPIC)

    def sheet(self) -> "Sheet":
        """The printed table of means with its footer."""
        from cranfield.tables.sheets.scores import sheet

        return sheet(self)

    def topic_sheet(self) -> "Sheet":
        """The printed table of every topic, with the same footer."""
        from cranfield.tables.sheets.scores import topic_sheet

        return topic_sheet(self)

    def to_polars(self) -> "polars.DataFrame":
        """The table of means as a polars frame."""
        return self.mean()

    def to_pandas(self) -> "pandas.DataFrame":
        """The table of means as a pandas frame (pandas must be installed)."""
        from cranfield.tables.sheets.score_rows import pandas_frame

        return pandas_frame(self)

    def to_dict(self, per_topic: bool = True, names: MeasureNames = "measure") -> dict[str, Any]:
        """Everything, as plain data: what `save` writes; `names="tracker"` adds the names that `by_run` gives."""
        return {**super().to_dict(), "result": self.result(per_topic, names)}

    def save(self, path: "str | Path") -> None:
        """Write everything to a JSON file that `load_scores` reads, or the table of means in the form of the ending.

        The endings are `.json`, `.txt`, `.tsv`, `.csv`, `.jsonl`, `.md`, `.tex`, `.html` and `.parquet`.
        """
        from cranfield.whole_files import write_whole

        write_whole(path, self.rendered(path))

    def result(self, per_topic: bool = False, names: MeasureNames = "measure") -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        from cranfield.tables.sheets.score_rows import result

        return result(self, per_topic, names)

    def plot(
        self,
        kind: str = "leaderboard",
        *,
        measure: str | None = None,
        topic: str | None = None,
        width: Literal["one", "two"] | float = "two",
        title: str = "",
    ) -> "Figure":
        """Draw the `leaderboard` of all runs, or the `distribution` over topics, in which a topic may stand out."""
        from cranfield.tables.charts import draw

        return draw("scores", kind, self, measure=measure, topic=topic, width=width, title=title)

    def same_values(self, other: "Scores") -> bool:
        """Whether runs, topics, measures and values are the same; intervals, residuals and counts are not compared.

        Scores are equal (`==`) if everything that they hold is the same; the audit is not compared.
        """
        names = ("runs", "topics", "measures", "averages", "values")
        return all(same(getattr(self, name), getattr(other, name)) for name in names)


def number(value: float | None) -> float | None:
    """A number for JSON: undefined and infinite values are null."""
    return None if value is None or not math.isfinite(value) else float(value)
