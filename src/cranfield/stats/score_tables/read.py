"""`read_scores`: any table with one value for each topic becomes `Scores`, on which all statistics work."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.errors import DataWarning, InputError, MeasureError, PolicyError
from cranfield.errors.names import nearest
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.measures.grammar import Measure, parse
from cranfield.read.saved_scores import load_scores
from cranfield.read.sources.paths import expand, stem
from cranfield.stats.score_tables.cells import ScoreCell
from cranfield.stats.score_tables.columns import ScoreTableColumns, said_columns
from cranfield.stats.score_tables.rows import ScoreRows, is_frame, rows_of_file, rows_of_object
from cranfield.tables.audit import HIGHER, LOWER, Audit
from cranfield.tables.averages import Average
from cranfield.tables.scores import Scores
from cranfield.tables.words import counted
from cranfield.versions import versions

if TYPE_CHECKING:
    from cranfield.read.accepted import ScoresLike

_NAMED = 5  # topics named in a warning


def read_scores(
    source: "ScoresLike",
    *,
    measures: str | Iterable[str] | None = None,
    lower_is_better: str | Iterable[str] = (),
    columns: str | Mapping[str, str] | None = None,
    encoding: str = "utf-8",
    max_size: int | None = None,
) -> Scores:
    """Scores that were computed elsewhere, for `compare`, `check` and the studies power, stability and swap.

    A table has a column for the topic and one for each measure, or the columns topic, measure and value; a column for
    the run, or one run in each table. Missing values are named and left out of means and pairs, never counted as 0.

    Args:
        source: a file (CSV, TSV, JSON, JSONL, Parquet, what `trec_eval -q` prints, saved scores), a data frame,
            records, a dictionary topic -> measure -> value, or run -> topic -> measure -> value; several in a list, or
            in a dictionary by the name of the run.
        measures: some of the measures; all by default.
        lower_is_better: measures of which a smaller value is better; of others a higher one is, unless they are ours.
        columns: which column is what, `"topic=qid,run=system"`, if the names do not say it.
        encoding: of text files.
        max_size: bytes that are read of a file.

    >>> import cranfield as cf
    >>> old = {"q1": {"faithfulness": 0.5}, "q2": {"faithfulness": 0.7}, "q3": {"faithfulness": 0.4}}
    >>> new = {"q1": {"faithfulness": 0.8}, "q2": {"faithfulness": 0.9}, "q3": {"faithfulness": 0.8}}
    >>> scores = cf.read_scores({"old": old, "new": new})
    >>> cf.compare(scores, baseline="old").pair("new", "old").difference.__round__(4)
    0.3
    """
    lower = (lower_is_better,) if isinstance(lower_is_better, str) else tuple(lower_is_better)
    wanted = None if measures is None else _listed(measures)
    said = said_columns(columns)
    cells: list[ScoreCell] = []
    ready: list[Scores] = []
    inputs: list[dict[str, Any]] = []
    for name, table in _tables(source, encoding, max_size):
        if isinstance(table, Scores):
            ready.append(table)
            continue
        layout = ScoreTableColumns.of(table, said)
        cells += layout.cells(table, name, wanted)
        place = table.path or "table"
        inputs.append({"role": "scores", "name": place, "rows": len(table.records), "sha256": table.sha256})
    if ready and not cells:
        if len(ready) == 1 and not lower:
            return ready[0] if wanted is None else ready[0].select(_chosen(wanted, ready[0].measures))
        inputs = [dict(entry) for scores in ready for entry in scores.audit.inputs]
    cells += [cell for scores in ready for cell in _cells_of(scores)]
    return _scores(cells, wanted, lower, inputs)


def _tables(source: Any, encoding: str, max_size: int | None) -> list[tuple[str, ScoreRows | Scores]]:
    """Every table with the name of its run, where no column names runs."""
    if isinstance(source, Mapping) and source and all(_is_table(value) for value in source.values()):
        found = [(str(name), each) for name, value in source.items() for _, each in _tables(value, encoding, max_size)]
    elif isinstance(source, str | os.PathLike) or hasattr(source, "read"):
        found = [_of_file(item.path, item.name, encoding, max_size) for item in expand([source])]
    elif isinstance(source, Scores):
        return [("scores", source)]
    elif isinstance(source, Sequence) and source and all(_is_table(item) or _is_path(item) for item in source):
        found = [each for item in source for each in _tables(item, encoding, max_size)]
    else:
        return [("scores", rows_of_object(source))]
    names = [name for name, table in found if isinstance(table, ScoreRows)]
    if len(set(names)) < len(names):  # as runs that share a tag are named after their files
        found = [(stem(table.path) if isinstance(table, ScoreRows) and table.path else n, table) for n, table in found]
    return found


def _is_table(value: object) -> bool:
    return is_frame(value) or isinstance(value, Scores | os.PathLike) or hasattr(value, "read") or _is_records(value)


def _is_records(value: object) -> bool:
    return (
        isinstance(value, list) and bool(value) and all(isinstance(i, Mapping) or hasattr(i, "_asdict") for i in value)
    )


def _is_path(value: object) -> bool:
    return isinstance(value, str)


def _of_file(
    path: Any, name: str | None, encoding: str, max_size: int | None
) -> tuple[str, ScoreRows | Scores]:  # a path or an open file
    table = rows_of_file(path, encoding, max_size)
    if table is None:
        return str(path), load_scores(path)
    return name or table.name or stem(table.path or "scores"), table


def _cells_of(scores: Scores) -> list[ScoreCell]:
    return [
        ScoreCell(run, topic, measure, float(scores.values[r, t, m]), None, None)
        for r, run in enumerate(scores.runs)
        for t, topic in enumerate(scores.topics)
        for m, measure in enumerate(scores.measures)
        if scores.scored[r, t]
    ]


def _scores(
    cells: Sequence[ScoreCell],
    wanted: Sequence[str] | None,
    lower: Sequence[str],
    inputs: Sequence[Mapping[str, Any]],
) -> Scores:
    """The cells as a table of runs, topics and measures."""
    known = list(dict.fromkeys(cell.measure for cell in cells))
    if not known:
        raise InputError("E303", "no column holds scores", hint="a column for each measure, or measure and value")
    measures = known if wanted is None else _chosen(wanted, known)
    chosen = [cell for cell in cells if cell.measure in set(measures)]
    runs = list(dict.fromkeys(cell.run for cell in chosen))
    topics = list(dict.fromkeys(cell.topic for cell in chosen))
    values = np.full((len(runs), len(topics), len(measures)), np.nan)
    at = [{name: place for place, name in enumerate(names)} for names in (runs, topics, measures)]
    met: dict[tuple[int, ...], ScoreCell] = {}
    for cell in chosen:
        place = (at[0][cell.run], at[1][cell.topic], at[2][cell.measure])
        if (first := met.setdefault(place, cell)) is not cell:
            raise _twice(cell, first)
        values[place] = cell.number()
    for name in lower:
        if name not in measures:
            raise _unknown(name, measures, setting("lower_is_better"))
    given = {name: LOWER if name in lower or _is_smaller(name) else HIGHER for name in measures}
    undefined = _say_missing(values, runs, topics, measures)
    scored = ~np.isnan(values).all(axis=2)
    missing = {run: [topics[t] for t in np.flatnonzero(~row)] for run, row in zip(runs, scored, strict=True)}
    return Scores(
        runs=tuple(runs),
        topics=tuple(topics),
        measures=tuple(measures),
        averages=tuple(map(_average, measures)),
        values=values,
        scored=scored,
        judged=np.full(values.shape, np.nan),
        retrieved=np.zeros(scored.shape, dtype=np.int64),
        relevant=np.zeros(values.shape[1:], dtype=np.int64),
        smaller=tuple(name for name, way in given.items() if way == LOWER),
        audit=Audit(
            topics_in_mean=len(topics),
            topics_scored={run: int(row.sum()) for run, row in zip(runs, scored, strict=True)},
            topics_missing={run: lacking for run, lacking in missing.items() if lacking},
            undefined=undefined,
            policies={"topic_set": "intersection"},
            inputs=tuple(inputs),
            versions=versions(),
            given=given,
        ),
    )


def _say_missing(
    values: Any, runs: Sequence[str], topics: Sequence[str], measures: Sequence[str]
) -> dict[str, int]:  # an array
    """Warn of every value that is not there, and count them by measure."""
    for r, m in np.argwhere(np.isnan(values).any(axis=1)).tolist():
        lacking = [topics[t] for t in np.flatnonzero(np.isnan(values[r, :, m])).tolist()]
        some = ", ".join(lacking[:_NAMED]) + (", …" if len(lacking) > _NAMED else "")
        words = f"{measures[m]}: no score on {len(lacking)} of {counted(len(topics), 'topic')} ({some}), left out"
        warn(DataWarning("W133", words, runs[r]))
    counts = np.isnan(values).sum(axis=(0, 1)).tolist()
    return {measure: count for measure, count in zip(measures, counts, strict=True) if count}


def _twice(cell: ScoreCell, first: ScoreCell) -> InputError:
    where = f" (first at line {first.line})" if first.line is not None else ""
    problem = f"run {cell.run!r} has two values of {cell.measure} on topic {cell.topic!r}{where}"
    hint = f"average them first, or name the column that tells topics apart: {setting('columns', 'topic=NAME')}"
    return InputError("E310", problem, path=cell.path, line=cell.line, hint=hint)


def _listed(measures: str | Iterable[str]) -> list[str]:
    return [measures] if isinstance(measures, str) else [str(measure) for measure in measures]


def _chosen(wanted: Sequence[str], known: Sequence[str]) -> list[str]:
    """The named measures as the table spells them: `nDCG@10` is `ndcg_cut_10`."""
    ours = {str(measure): name for name in known if (measure := _parsed(name)) is not None}
    found = []
    for text in wanted:
        whole = _one(text, known, ours) is not None or nearest(text, known) is not None
        names = [text] if whole else text.replace(",", " ").split()
        found += [_one(name, known, ours) or _raise(name, known) for name in names]
    return list(dict.fromkeys(found))


def _one(text: str, known: Sequence[str], ours: Mapping[str, str]) -> str | None:
    if text in known:
        return text
    measure = _parsed(text)
    return None if measure is None else ours.get(str(measure))


def _raise(name: str, known: Sequence[str]) -> str:
    raise _unknown(name, known, "the table")


def _unknown(name: str, known: Sequence[str], where: str) -> MeasureError | PolicyError:
    near = nearest(name, known)
    hint = f"did you mean {near}?" if near else f"there are {', '.join(known)}"
    return MeasureError("E201", f"{where}: there are no scores of {name!r}", hint=hint)


def _parsed(name: str) -> Measure | None:
    try:
        return parse(name)
    except (MeasureError, PolicyError):
        return None


def _average(name: str) -> Average:
    """How topics are summarised: a sum or a geometric mean where the measure is one of ours that has it."""
    measure = _parsed(name)
    return "mean" if measure is None else measure.definition.average


def _is_smaller(name: str) -> bool:
    measure = _parsed(name)
    return measure is not None and measure.definition.smaller
