"""Curves: a measure at every rank or recall level, for every run and topic."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats, ratio
from cranfield.errors import PolicyError, UnknownNameError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import place
from cranfield.tables.audit import Audit
from cranfield.tables.charts import CurveChartChoices, draw
from cranfield.tables.curves.kind import CURVES, kinds_with
from cranfield.tables.result import Result
from cranfield.tables.scores import Scores, number
from cranfield.tables.sheets.sheet import Cell, Sheet

if TYPE_CHECKING:
    import pandas
    import polars

    from cranfield.tables.charts import Figure


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Curves(Result):
    """Columns of numbers by measure, run and point, and the same by topic; `x` and `y` say which of them are drawn.

    Attributes:
        kind: the name of the kind, such as `ndcg` or `pr`.
        measures: the measures whose curves these are, by their canonical names.
        axis: what a point is: a `rank`, a `recall` level, or nothing (`f` is one point per topic).
        points: those ranks or levels.
        by_topic: column -> `[measure, run, topic, point]`; NaN where undefined or not scored.
        x: the axis or column along which a curve runs.
        y: the columns that are drawn, usually one.
        scores: the value of each measure, with the audit.
        band: what `low` and `high` enclose: nothing, the `quartiles` of the topics, or the `bounds` that unjudged
            documents leave.
        ends: of bounds: the columns `low` and `high` of the means, `[measure, run, point]`.
        assumptions: of bounds: which documents may be relevant, grades and method, in words.

    >>> import cranfield as cf
    >>> curves = cf.curve({"q1": {"d1": 2, "d2": 1, "d3": 0}}, {"q1": ["d2", "d3", "d1"]}, "cg@4")
    >>> curves["run"], curves.ideal["run"], curves.gap["run"]
    (array([1., 1., 3., 3.]), array([2., 3., 3., 3.]), array([1., 2., 0., 0.]))
    >>> curves.flat  # all gain there is has been collected at rank 2
    2
    """

    command: ClassVar[str] = "evaluate"

    kind: str
    measures: tuple[str, ...]
    axis: str
    points: Floats
    by_topic: Mapping[str, Floats]
    x: str
    y: tuple[str, ...]
    scores: Scores
    band: str = "none"
    ends: Mapping[str, Floats] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()

    # --- labels ------------------------------------------------------------------------------------------------

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs."""
        return self.scores.runs

    @property
    def topics(self) -> tuple[str, ...]:
        """Names of the topics."""
        return self.scores.topics

    @property
    def audit(self) -> Audit:
        """The policies, counts and inputs behind the numbers."""
        return self.scores.audit

    # --- means -------------------------------------------------------------------------------------------------

    @cached_property
    def means(self) -> dict[str, Floats]:
        """Column -> `[measure, run, point]`, over the topics where it is defined.

        Normalised gain is averaged both ways: `mean_of_norm` normalises each topic first; `norm_of_mean` divides the
        mean gain by the mean ideal gain, so that topics with much to find weigh more. Of the functions of a user, W
        is averaged, and C and L follow from its mean.
        """
        means = {name: _mean(values) for name, values in self.by_topic.items()}
        if CURVES[self.kind].models:
            means |= _of_mean_attention(self.by_topic["C"], self.by_topic["W"])
        if "normalised" in means:
            ways = {"mean_of_norm": means.pop("normalised"), "norm_of_mean": ratio(means["gained"], means["ideal"])}
            means = ways | means
        if self.band == "quartiles":
            drawn = self.by_topic[self._topic_column]
            means |= {"low": _quantile(drawn, 0.25), "high": _quantile(drawn, 0.75)}
        return {**means, **self.ends}

    @property
    def _topic_column(self) -> str:
        return "normalised" if "normalised" in self.by_topic else self.y[0]

    # --- reading -----------------------------------------------------------------------------------------------

    def __getitem__(self, key: str | tuple[str, str]) -> Floats:
        """The curve of a run over all topics, or of a run and a topic (of the first measure, if there are several)."""
        if not isinstance(key, tuple):
            return self.means[self.y[0]][0, place(key, self.runs, "run")]
        if len(key) != 2:
            raise UnknownNameError("E241", f"curves are not found by {key!r}", hint="curves[run] or curves[run, topic]")
        run, topic = place(key[0], self.runs, "run"), place(key[1], self.topics, "topic")
        return self.by_topic[self._topic_column][0, run, topic]

    @property
    def ideal(self) -> dict[str, Floats]:
        """For gain: what the ideal list collects, by run (the same for all that are scored on the same topics)."""
        return self._by_run("ideal")

    @property
    def gap(self) -> dict[str, Floats]:
        """For gain: how far each run stays behind the ideal list."""
        return self._by_run("gap")

    @property
    def flat(self) -> int | None:
        """For gain: the rank from which the ideal curve no longer rises; None if it rises to the end."""
        rises = np.flatnonzero((np.diff(self._column("ideal")[0], axis=-1) > 0).any(axis=0))
        last = int(rises[-1]) + 2 if len(rises) else 1
        return last if last < len(self.points) else None

    def needed(self, rank: int = 10) -> dict[str, int | None]:
        """For gain: the rank where each run has collected as much as the ideal list at `rank`; None if never."""
        if not CURVES[self.kind].ideal:
            known = ", ".join(kinds_with("ideal"))
            raise PolicyError("E244", f"a curve of kind {self.kind!r} is not read across", hint=f"one of {known}")
        if not 1 <= rank <= len(self.points):
            raise PolicyError("E240", f"rank {rank} is not on the curve", hint=f"a rank from 1 to {len(self.points)}")
        return {run: rank_needed(self[run], float(self.ideal[run][rank - 1])) for run in self.runs}

    def areas(self, envelope: bool = False) -> Floats:
        """For precision and recall: the area under each topic's step curve, `[run, topic]`.

        A step has the precision of its relevant document, which makes the area of a whole list its average precision;
        with `envelope` it has the best precision from there on, so that no step rises.

        >>> import cranfield as cf
        >>> curves = cf.curve({"q1": {"d1": 1, "d2": 0, "d3": 1}}, {"q1": ["d2", "d1", "d3"]}, "pr")
        >>> curves.areas().round(4), curves.areas(envelope=True).round(4)  # (1/2 + 2/3) / 2, (2/3 + 2/3) / 2
        (array([[0.5833]]), array([[0.6667]]))
        """
        if not CURVES[self.kind].steps:
            known = " or ".join(kinds_with("steps"))
            raise PolicyError("E244", f"a curve of kind {self.kind!r} has no steps of recall", hint=f"use {known}")
        recall, precision = self.by_topic["recall"][0], self.by_topic["precision"][0]
        if envelope:
            precision = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
        return np.sum(np.diff(recall, axis=-1, prepend=0.0) * precision, axis=-1)

    def only(self, *topics: str) -> "Curves":
        """The curves of some topics, and their means, without bounds, which are of all topics."""
        at = [place(topic, self.topics, "topic") for topic in topics]
        scores = replace(
            self.scores,
            topics=topics,
            values=self.scores.values[:, at],
            scored=self.scores.scored[:, at],
            judged=self.scores.judged[:, at],
            retrieved=self.scores.retrieved[:, at],
            relevant=self.scores.relevant[at],
            audit=replace(self.audit, topics_in_mean=len(at)),
            intervals=None,
            possible=None,
            origin=None,
            residuals={name: values[:, at] for name, values in self.scores.residuals.items()},
        )
        band = "none" if self.band == "bounds" else self.band
        by_topic = {name: values[:, :, at] for name, values in self.by_topic.items()}
        return replace(self, by_topic=by_topic, scores=scores, band=band, ends={}, assumptions=())

    def _by_run(self, column: str) -> dict[str, Floats]:
        return dict(zip(self.runs, self._column(column)[0], strict=True))

    def _column(self, column: str) -> Floats:
        if column not in self.means:
            known = " or ".join(kinds_with("ideal"))
            raise PolicyError("E244", f"a curve of kind {self.kind!r} has no {column}", hint=f"use {known}")
        return self.means[column]

    # --- tables ------------------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """The table for people: a row per run, a column for some of the points."""
        from cranfield.tables.curves.sheets import sheet

        return sheet(self)

    def point_sheet(self) -> Sheet:
        """The table for programs: a row per run and point."""
        from cranfield.tables.curves.sheets import point_sheet

        return point_sheet(self)

    def topic_sheet(self) -> Sheet:
        """The table for programs: a row per run, topic and point."""
        from cranfield.tables.curves.sheets import topic_sheet

        return topic_sheet(self)

    def to_records(self, per_topic: bool = False) -> list[dict[str, Cell]]:
        """One dictionary per run and point, or per run, topic and point."""
        return (self.topic_sheet() if per_topic else self.point_sheet()).records()

    def to_polars(self) -> "polars.DataFrame":
        """One row per run and point."""
        return self.point_sheet().polars()

    def per_topic(self) -> "polars.DataFrame":
        """One row per run, topic and point."""
        return self.topic_sheet().polars()

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per run and point (pandas must be installed)."""
        return self.point_sheet().pandas()

    def to_csv(self) -> str:
        """One row per run and point as CSV in full precision."""
        return self.point_sheet().csv()

    def _full_sheet(self) -> Sheet:
        return self.point_sheet()

    def to_dict(self, per_topic: bool = True) -> dict[str, Any]:
        """Everything as plain data: the JSON envelope of the scores, with the curves in its result."""
        envelope = self.scores.to_dict(per_topic)
        return envelope | {"result": self.result(per_topic)}

    def result(self, per_topic: bool = False) -> dict[str, Any]:
        """The part of the JSON envelope under `result`: the scores, and the columns of every curve."""
        lines = [
            {"measure": measure, "run": run}
            | {name: [number(value) for value in values[m, r].tolist()] for name, values in self.means.items()}
            for m, measure in enumerate(self.measures)
            for r, run in enumerate(self.runs)
        ]
        axis = {self.axis: self.points.tolist()} if self.axis else {}
        return self.scores.result(per_topic) | {"curves": {"kind": self.kind, **axis, "lines": lines}}

    def plot(self, kind: str = "curves", **choices: Unpack[CurveChartChoices]) -> "Figure":
        """The chart of these curves; see `cranfield.chart`."""
        return draw("curves", kind, self, **choices)


def rank_needed(curve: ArrayLike, value: float) -> int | None:
    """The smallest rank at which a curve reaches a value; None if it never does.

    >>> rank_needed([1, 3, 3, 6], 3), rank_needed([1, 3, 3, 6], 7)
    (2, None)
    """
    reached = np.flatnonzero(np.asarray(curve, dtype=np.float64) >= value - 1e-12 * abs(value))
    return int(reached[0]) + 1 if len(reached) else None


def _mean(values: Floats) -> Floats:
    """The mean over the topics, summed in extended precision; undefined topics are left out."""
    defined = ~np.isnan(values)
    total = np.sum(values, axis=2, where=defined, dtype=np.longdouble).astype(np.float64)
    return ratio(total, np.count_nonzero(defined, axis=2))


def _of_mean_attention(going_on: Floats, attention: Floats) -> dict[str, Floats]:
    """C, W and L of the mean of W over the topics: C(i) = W(i + 1) / W(i) and L(i) = (W(i) − W(i + 1)) / W(1)."""
    here, after = _mean(attention), _mean(going_on * attention)
    stopped = here == 0  # a user who has stopped does not go on
    shares = {"C": ratio(after, here), "L": ratio(here - after, here[..., :1])}
    return {name: np.where(stopped, 0.0, share) for name, share in shares.items()} | {"W": here}


def _quantile(values: Floats, share: float) -> Floats:
    """A quantile over the topics; undefined topics are left out."""
    ordered = np.sort(values, axis=2)  # NaN last
    place = np.maximum(np.count_nonzero(~np.isnan(values), axis=2) - 1, 0) * share
    below = np.floor(place).astype(np.int64)[:, :, None]
    above = np.ceil(place).astype(np.int64)[:, :, None]
    low, high = (np.take_along_axis(ordered, at, axis=2)[:, :, 0] for at in (below, above))
    return low + (high - low) * (place - below[:, :, 0])
