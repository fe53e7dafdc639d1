"""Which column of a table of scores holds the run, the topic, the measure and the value."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.errors.names import nearest
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.stats.score_tables.cells import ScoreCell, number_of
from cranfield.stats.score_tables.rows import ScoreRows

_NAMES = {
    "run": ("run", "system", "run_id", "run-id", "tag", "model", "pipeline"),
    "topic": (
        *(
            "topic",
            "qid",
            "query_id",
            "query-id",
            "q_id",
            "topic_id",
            "queryid",
            "sample_id",
            "question_id",
            "test_case_id",
            "id",
        ),
        *("user_input", "question", "query", "input", "prompt"),
    ),
    "measure": ("measure", "metric", "metric_name"),
    "value": ("value", "score"),
}
_LAST = {"run": ("name",), "topic": ("name", "test_case")}  # of long tables, and where nothing else will do
_TEXTS = {
    *("response", "answer", "reference", "ground_truth", "contexts", "retrieved_contexts", "reference_contexts"),
    *("actual_output", "expected_output", "retrieval_context", "output", "text", "title", "reason", "comment"),
}
_OURS = {"retrieved", "relevant", "judged", "unnamed: 0", "index", ""}  # numbers that are no scores
_HINT = setting("columns", "topic=NAME,run=NAME")


@dataclass(frozen=True)
class ScoreTableColumns:
    """The columns of a table; `measure` and `value` are None where each measure has a column of its own."""

    topic: str
    run: str | None
    measure: str | None
    value: str | None

    @classmethod
    def of(cls, rows: ScoreRows, said: Mapping[str, str]) -> "ScoreTableColumns":
        """The columns by their names, or as the caller says."""
        names = list(dict.fromkeys(name for record in rows.records for name in record))
        for role, name in said.items():
            if role not in _NAMES:
                raise PolicyError("E245", f"{setting('columns')}: there is no role {role!r}", hint=", ".join(_NAMES))
            if name not in names:
                raise _absent(rows, f"no column {name!r}", names)
        spelt = {name.lower(): name for name in reversed(names)}

        def found(role: str, more: Iterable[str] = ()) -> str | None:
            return said.get(role) or next((spelt[n] for n in (*_NAMES[role], *more) if n in spelt), None)

        measure, value = found("measure"), found("value")
        long = measure is not None and value is not None
        run = found("run", _LAST["run"] if long else ())
        topic = found("topic", () if long else _LAST["topic"])
        if topic is None:
            raise _absent(rows, "no column for the topic", names)
        return cls(topic, run, measure if long else None, value if long else None)

    def cells(self, rows: ScoreRows, name: str, wanted: Sequence[str] | None) -> Iterator[ScoreCell]:
        """Every value of the table; `name` is that of the run where no column names it."""
        columns = [] if self.measure else self._measures(rows, wanted)
        for record, line in zip(rows.records, rows.lines, strict=True):
            topic = _id(record.get(self.topic), "topic", rows, line)
            run = name if self.run is None else _id(record.get(self.run), "run", rows, line)
            if self.measure is not None and self.value is not None:
                measure = _id(record.get(self.measure), "measure", rows, line)
                yield ScoreCell(run, topic, measure, record.get(self.value), rows.path, line)
            for column in columns:
                yield ScoreCell(run, topic, column, record.get(column), rows.path, line)

    def _measures(self, rows: ScoreRows, wanted: Sequence[str] | None) -> list[str]:
        """The columns that hold scores: those that are named, or those that hold numbers."""
        names = dict.fromkeys(name for record in rows.records for name in record)
        others = [name for name in names if name not in (self.topic, self.run)]
        exact = [name for name in others if wanted is not None and name in wanted]
        if wanted is not None and len(exact) == len(set(wanted)):
            return exact
        numeric = [name for name in others if any(_is_number(record.get(name)) for record in rows.records)]
        measures = [name for name in numeric if name.lower() not in _TEXTS | _OURS]
        measures = list(dict.fromkeys([*exact, *measures]))
        left = [name for name in others if name not in measures and name.lower() not in _TEXTS | _OURS]
        if left and wanted is None:
            warn(DataWarning("W134", f"columns without numbers are no measures: {', '.join(left)}", rows.path or ""))
        return measures


def said_columns(columns: object) -> dict[str, str]:
    """Names of columns by role, from `topic=qid,run=system` or a mapping.

    >>> said_columns("topic=qid,run=system")
    {'topic': 'qid', 'run': 'system'}
    """
    if columns is None:
        return {}
    if isinstance(columns, Mapping):
        return {str(role): str(name) for role, name in columns.items()}
    parts = [part.partition("=") for part in str(columns).split(",")]
    if not all(role and equals and name for role, equals, name in parts):
        raise PolicyError("E242", f"{setting('columns', columns)} cannot be read", hint=_HINT)
    return {role.strip(): name.strip() for role, _, name in parts}


def _is_number(value: object) -> bool:
    found = number_of(value)
    return found is not None and not math.isnan(found)  # NaN is an empty cell


def _id(value: Any, noun: str, rows: ScoreRows, line: int | None) -> str:
    """A name as text: a whole number is one, too."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and value.is_integer():  # pandas makes them of whole numbers beside gaps
        value = int(value)
    text = "" if value is None or (isinstance(value, float) and math.isnan(value)) else str(value)
    if not text.strip():
        raise InputError("E119", f"a row has no {noun}", path=rows.path, line=line, hint=_HINT)
    return text


def _absent(rows: ScoreRows, problem: str, names: Sequence[str]) -> InputError:
    said = problem.partition("'")[2].rstrip("'")
    near = nearest(said, names) if said else None
    hint = f"did you mean {near}?" if near else _HINT
    return InputError("E303", f"{problem}; found: {', '.join(names)}", path=rows.path, hint=hint)
