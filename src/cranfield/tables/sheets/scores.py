"""The printed tables of scores: means with their footer, and every topic."""

import math
from typing import TYPE_CHECKING

import numpy as np

from cranfield.tables.sheets.judged_columns import judged_columns
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.summary import growth
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.tables.scores import Scores

_FEW = 6  # runs named one by one in a note


def sheet(scores: "Scores") -> Sheet:
    """One row per run: means, intervals, and how much was judged; residuals are noted at the foot."""
    columns = [Column("run", scores.runs)]
    for number, name in enumerate(scores.measures):
        residual = _growths(scores, name) if name in scores.residuals else None
        columns.append(_measure(name, scores.means[:, number].tolist(), scores.averages[number], residual, best=True))
        if scores.intervals is not None:
            low, high = (scores.intervals[:, number, end] for end in (0, 1))
            parts = (Column(f"{name} ci_low", low), Column(f"{name} ci_high", high))
            columns.append(Column("95 % CI", [_span(*pair) for pair in zip(low, high, strict=True)], parts=parts))
        columns += _possible(scores, number)
    columns += judged_columns(scores)
    return Sheet(tuple(columns), notes=_notes(scores), caption=_caption(scores), label="tab:scores")


def topic_sheet(scores: "Scores") -> Sheet:
    """One row per run and topic."""
    at = np.argwhere(scores.scored)
    run, topic = at[:, 0], at[:, 1]
    columns = [Column("run", [scores.runs[r] for r in run]), Column("topic", [scores.topics[t] for t in topic])]
    for number, name in enumerate(scores.measures):
        residual = scores.residuals[name][run, topic].tolist() if name in scores.residuals else None
        columns.append(_measure(name, scores.values[run, topic, number].tolist(), scores.averages[number], residual))
    columns.append(Column("retrieved", scores.retrieved[run, topic].tolist()))
    return Sheet(tuple(columns), notes=_notes(scores), caption=_caption(scores), label="tab:topics")


def _measure(name: str, values: list[float], average: str, residual: list[float] | None, best: bool = False) -> Column:
    """The column of a measure; programs get its residual, how much it could still grow, as a column beside it."""
    parts = () if residual is None else (Column(name, values), Column(f"{name} residual", residual))
    return Column(name, values, ".0f" if average == "sum" else ".4f", best=best, parts=parts)


def _possible(scores: "Scores", number: int) -> list[Column]:
    """The range of a mean: lowest and highest, or the expected mean and its band."""
    if scores.possible is None:
        return []
    found, name = scores.possible, scores.measures[number]
    low, high = found.low[:, number], found.high[:, number]
    spans = [_span(*pair) for pair in zip(low, high, strict=True)]
    if found.expected is None:
        ends = (Column(f"{name} lowest", low), Column(f"{name} highest", high))
        return [Column("possible", spans, parts=(*ends, Column(f"{name} exact", found.exact[:, number].tolist())))]
    expected = Column(
        "expected", found.expected[:, number], ".4f", parts=(Column(f"{name} expected", found.expected[:, number]),)
    )
    return [expected, Column("5–95 %", spans, parts=(Column(f"{name} p05", low), Column(f"{name} p95", high)))]


def _growths(scores: "Scores", name: str) -> list[float]:
    """By how much the average of each run could still grow."""
    column = scores.measures.index(name)
    values, residuals = scores.values[:, :, column], scores.residuals[name]
    return [growth(*both, scores.averages[column]) for both in zip(values, residuals, strict=True)]


def _residual_notes(scores: "Scores") -> list[str]:
    """How much each run could still grow; of many runs, the least and the most."""
    notes = []
    for name in scores.residuals:
        rows = list(zip(_growths(scores, name), scores.runs, strict=True))
        shown = rows if len(rows) <= _FEW else [min(rows), max(rows)]
        between = ", " if len(rows) <= _FEW else " … "
        said = between.join(f"{run} +{mean:.4f}" for mean, run in shown)
        notes.append(f"{name}: unjudged documents could add {said}")
    return notes


def _notes(scores: "Scores") -> tuple[str, ...]:
    possible = () if scores.possible is None else scores.possible.notes
    return (*possible, *scores.audit.footer(scores.cutoff), *_residual_notes(scores), scores.audit.policy_line())


def _caption(scores: "Scores") -> str:
    audit = scores.audit
    mean = f"{audit.averaged.capitalize()}s over {counted(audit.topics_in_mean, 'topic')}"
    possible = () if scores.possible is None else scores.possible.notes
    parts = [mean, *possible, *audit.without_relevant_notes(), *_residual_notes(scores), audit.policy_line()]
    return "; ".join(parts) + "."


def _span(low: float, high: float) -> str:
    return "–" if math.isnan(low) else f"[{in_print(low, '.3f')}, {in_print(high, '.3f')}]"
