"""Scores: one number for each run, topic and measure, with the audit of everything that shaped it."""

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.tables.audit import Audit
from cranfield.tables.sheet import Column, Sheet

if TYPE_CHECKING:
    import pandas
    import polars

FLOOR = 1e-5  # smallest value that enters a geometric mean


@dataclass(frozen=True, eq=False)
class Scores:
    """Values `[run, topic, measure]`; what is undefined, or not scored under the topic-set policy, is NaN.

    `judged` is the share of documents judged within the measure's cut-off, `relevant` the number of relevant
    documents of a topic at the measure's level.

    >>> from cranfield import evaluate
    >>> evaluate({"q1": {"d1": 1}, "q2": {"d2": 1, "d9": 0}}, {"q1": ["d1"], "q2": ["d9", "d2"]}, "RR")["run", "RR"]
    array([1. , 0.5])
    """

    runs: tuple[str, ...]
    topics: tuple[str, ...]
    measures: tuple[str, ...]
    averages: tuple[str, ...]
    values: Floats
    scored: Bools
    judged: Floats
    retrieved: Ints
    relevant: Ints
    audit: Audit
    cutoff: int = 10
    intervals: Floats | None = None
    residuals: Mapping[str, Floats] = field(default_factory=dict)  # measure -> [run, topic]: how much it could grow

    @cached_property
    def means(self) -> Floats:
        """`[run, measure]`: the mean over the topics (sum of counts, geometric mean where so defined)."""
        summaries = [
            [_summary(self.values[run, :, column], average) for column, average in enumerate(self.averages)]
            for run in range(len(self.runs))
        ]
        return np.array(summaries, dtype=np.float64).reshape(len(self.runs), len(self.measures))

    @cached_property
    def judged_shares(self) -> Floats:
        """`[run, measure]`: judged ÷ retrieved within each measure's cut-off, over the topics of the run."""
        looked_at = np.minimum(self.retrieved[:, :, None], self._depths)
        judged = np.where(looked_at > 0, self.judged * looked_at, 0.0).sum(axis=1)
        total = looked_at.sum(axis=1)
        return np.divide(judged, total, out=np.full(judged.shape, np.nan), where=total > 0)

    @property
    def _depths(self) -> Ints:
        cutoffs = [name.rpartition("@")[2] for name in self.measures]
        return np.array([int(k) if k.isdigit() else np.iinfo(np.int64).max for k in cutoffs])

    def __getitem__(self, key: tuple[str, str]) -> Floats:
        run, measure = key
        return self.values[self.runs.index(run), :, self.measures.index(measure)]

    def matrix(self, measure: str) -> Floats:
        """Systems × topics, for one measure."""
        return self.values[:, :, self.measures.index(measure)]

    def select(self, measures: Iterable[str]) -> "Scores":
        """The same scores for some of the measures."""
        names = tuple(measures)
        at = [self.measures.index(name) for name in names]
        return replace(
            self,
            measures=names,
            averages=tuple(self.averages[column] for column in at),
            values=self.values[:, :, at],
            judged=self.judged[:, :, at],
            relevant=self.relevant[:, at],
            intervals=None if self.intervals is None else self.intervals[:, at],
            residuals={name: values for name, values in self.residuals.items() if name in names},
        )

    # --- tables ------------------------------------------------------------------------------------------------

    def mean(self) -> "polars.DataFrame":
        """One row per run and measure: run, measure, mean, ci_low, ci_high, judged."""
        import polars

        return polars.DataFrame(self._mean_rows(), schema=_MEAN, orient="row", nan_to_null=True)

    def per_topic(self) -> "polars.DataFrame":
        """One row per run, topic and measure: run, topic, measure, value, judged, retrieved, relevant."""
        import polars

        return polars.DataFrame(self._topic_rows(), schema=_TOPIC, orient="row", nan_to_null=True)

    def sheet(self) -> Sheet:
        """The printed table of means with its footer."""
        columns = [Column("run", self.runs)]
        for number, name in enumerate(self.measures):
            columns.append(Column(name, self.means[:, number].tolist(), _format(self.averages[number]), best=True))
            if self.intervals is not None:
                low, high = (self.intervals[:, number, end] for end in (0, 1))
                parts = (Column(f"{name} ci_low", low), Column(f"{name} ci_high", high))
                columns.append(Column("95 % CI", [_span(*pair) for pair in zip(low, high, strict=True)], parts=parts))
        share = [self.audit.judged_at_k[run][self.cutoff] for run in self.runs]
        if f"Judged@{self.cutoff}" not in self.measures:
            columns.append(Column(f"judged@{self.cutoff}", share, ".1%"))
        notes = [*self.audit.footer(self.cutoff), *self._residual_notes(), self._policy_line()]
        return Sheet(tuple(columns), notes=tuple(notes), caption=self._caption(), label="tab:scores")

    def topic_sheet(self) -> Sheet:
        """The printed table of every topic, with the same footer."""
        at = [(r, t) for r in range(len(self.runs)) for t in range(len(self.topics)) if self.scored[r, t]]
        columns = [
            Column("run", [self.runs[r] for r, _ in at]),
            Column("topic", [self.topics[t] for _, t in at]),
            *(
                Column(name, [float(self.values[r, t, m]) for r, t in at], _format(self.averages[m]))
                for m, name in enumerate(self.measures)
            ),
            Column("retrieved", [int(self.retrieved[r, t]) for r, t in at]),
        ]
        return Sheet(tuple(columns), notes=self.sheet().notes, caption=self._caption(), label="tab:topics")

    def _caption(self) -> str:
        return f"Means over {self.audit.topics_in_mean} topics; {self._policy_line()}."

    def _policy_line(self) -> str:
        shown = ("ties", "topic_set", "no_relevant", "negative", "unjudged")
        usual = {"duplicates": "error", "rel": 1, "depth": None}
        policies = self.audit.policies
        said = [*shown, *(name for name, value in usual.items() if policies.get(name, value) != value)]
        return " ".join(f"{name.replace('_', '-')}={policies[name]}" for name in said if name in policies)

    def _residual_notes(self) -> list[str]:
        notes = []
        for name, values in self.residuals.items():
            means = [_summary(row, "mean") for row in values[:4]]
            shown = ", ".join(f"{run} +{mean:.4f}" for run, mean in zip(self.runs, means, strict=False))
            notes.append(f"{name}: what is not judged could add {shown}{', …' if len(self.runs) > 4 else ''}")
        return notes

    def to_polars(self) -> "polars.DataFrame":
        """The table of means as a polars frame."""
        return self.mean()

    def to_pandas(self) -> "pandas.DataFrame":
        """The table of means as a pandas frame (pandas must be installed)."""
        import pandas

        return pandas.DataFrame(self._mean_rows(), columns=list(_MEAN))

    def to_markdown(self) -> str:
        """The table of means in GitHub's Markdown."""
        return self.sheet().markdown()

    def to_latex(self) -> str:
        """The table of means for a LaTeX document (booktabs)."""
        return self.sheet().latex()

    def to_csv(self) -> str:
        """The table of means as CSV in full precision."""
        return self.sheet().csv()

    def to_dict(self, per_topic: bool = True) -> dict[str, Any]:
        """Everything, as plain data: the JSON envelope, which is also what `save` writes."""
        return {
            "schema": "cranfield/1",
            "command": "evaluate",
            "version": self.audit.versions.get("cranfield", ""),
            "ok": True,
            "exit": 0,
            "inputs": [dict(entry) for entry in self.audit.inputs],
            "policies": dict(self.audit.policies),
            "audit": self.audit.as_dict(),
            "result": self.result(per_topic),
            "warnings": [],
            "errors": [],
        }

    def to_json(self) -> str:
        """Everything, as one JSON document."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def save(self, path: str | Path) -> None:
        """Write everything to a JSON file that `load_scores` reads."""
        Path(path).write_text(self.to_json() + "\n", encoding="utf-8")

    def result(self, per_topic: bool = False) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        scores = []
        for run, measure, mean, low, high, judged in self._mean_rows():
            ci = None if self.intervals is None else [number(low), number(high)]
            row = {"run": run, "measure": measure, "mean": number(mean), "ci": ci, "judged": number(judged)}
            if measure in self.residuals:
                row["residual"] = number(_summary(self.residuals[measure][self.runs.index(run)], "mean"))
            scores.append(row)
        if not per_topic:
            return {"scores": scores}
        rows = [dict(zip(_TOPIC, map(_json, row), strict=True)) for row in self._topic_rows()]
        for row in rows:
            if (values := self.residuals.get(str(row["measure"]))) is not None:
                row["residual"] = number(values[self.runs.index(row["run"]), self.topics.index(row["topic"])])
        averages = dict(zip(self.measures, self.averages, strict=True))
        return {"scores": scores, "topics": rows, "averages": averages, "cutoff": self.cutoff}

    def _mean_rows(self) -> list[tuple[str, str, float, float | None, float | None, float]]:
        return [
            (
                run,
                measure,
                float(self.means[r, m]),
                *((None, None) if self.intervals is None else self.intervals[r, m].tolist()),
                float(self.judged_shares[r, m]),
            )
            for r, run in enumerate(self.runs)
            for m, measure in enumerate(self.measures)
        ]

    def _topic_rows(self) -> list[tuple[str, str, str, float, float, int, int]]:
        return [
            (
                run,
                topic,
                measure,
                float(self.values[r, t, m]),
                float(self.judged[r, t, m]),
                int(self.retrieved[r, t]),
                int(self.relevant[t, m]),
            )
            for r, run in enumerate(self.runs)
            for t, topic in enumerate(self.topics)
            if self.scored[r, t]
            for m, measure in enumerate(self.measures)
        ]

    def __repr__(self) -> str:
        return self.sheet().text()

    def _repr_html_(self) -> str:
        return self.sheet().html()

    def _repr_latex_(self) -> str:
        return self.sheet().latex()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        labels = (self.runs, self.topics, self.measures, self.averages, self.audit.policies)
        theirs = (other.runs, other.topics, other.measures, other.averages, other.audit.policies)
        return labels == theirs and np.array_equal(self.values, other.values, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]  # compared by content


_MEAN = ("run", "measure", "mean", "ci_low", "ci_high", "judged")
_TOPIC = ("run", "topic", "measure", "value", "judged", "retrieved", "relevant")


def number(value: float | None) -> float | None:
    """A number for JSON: undefined is null, and so is what JSON cannot write."""
    return None if value is None or not math.isfinite(value) else float(value)


def _json(value: Any) -> Any:  # noqa: ANN401  # names, counts and numbers alike
    return number(value) if isinstance(value, float) else value


def _summary(values: Floats, average: str) -> float:
    """Exactly rounded sums, so that the order of the topics cannot change a digit."""
    defined = values[~np.isnan(values)].tolist()
    if average == "sum":
        return math.fsum(defined)
    if not defined:
        return math.nan
    if average == "geometric":
        return math.exp(math.fsum(math.log(max(value, FLOOR)) for value in defined) / len(defined))
    return math.fsum(defined) / len(defined)


def _format(average: str) -> str:
    return ".0f" if average == "sum" else ".4f"


def _span(low: float, high: float) -> str:
    return "–" if math.isnan(low) else f"[{low:.3f}, {high:.3f}]"
