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
    from cranfield.tables.sheets.blocks import SheetBlocks

_FEW = 6  # runs named one by one in a note


def sheet(scores: "Scores") -> Sheet:
    """One row per run: means, intervals, and how much was judged; residuals are noted at the foot."""
    columns, behind = [Column("run", scores.runs)], scores.replicates
    if behind is not None:
        columns.append(Column("replicates", behind.counts(len(scores.runs))))
    for number, name in enumerate(scores.measures):
        residual = _growths(scores, name) if name in scores.residuals else None
        columns.append(_measure(scores, number, scores.means[:, number].tolist(), residual, best=True))
        if behind is not None:
            spread = [behind.sd(row, number) for row in range(len(scores.runs))]
            named = (Column(f"{name} replicate sd", spread),)
            columns.append(Column("sd", spread, ".4f", parts=named, attached=True))
        if scores.intervals is not None:
            low, high = (scores.intervals[:, number, end] for end in (0, 1))
            parts = (Column(f"{name} ci_low", low), Column(f"{name} ci_high", high))
            spans = [span(*pair) for pair in zip(low, high, strict=True)]
            columns.append(Column("95 % CI", spans, parts=parts, attached=True))
        columns += _possible(scores, number)
    columns += judged_columns(scores)
    return Sheet(tuple(columns), notes=_notes(scores), caption=_caption(scores), label="tab:scores")


def topic_sheet(scores: "Scores") -> "SheetBlocks":
    """One row per run and topic; people get one more for each run at the end, with its means."""
    from cranfield.tables.sheets.blocks import SheetBlocks

    at = np.argwhere(scores.scored)
    run, topic = at[:, 0], at[:, 1]
    labels = [("run", [scores.runs[r] for r in run]), ("topic", [scores.topics[t] for t in topic])]
    ends = (scores.runs, [_average_word(scores)] * len(scores.runs))
    rows, shown = [Column(*label) for label in labels], []
    shown += [Column(name, [*names, *end]) for (name, names), end in zip(labels, ends, strict=True)]
    for number, name in enumerate(scores.measures):
        values = scores.values[run, topic, number].tolist()
        residual = scores.residuals[name][run, topic].tolist() if name in scores.residuals else None
        rows.append(_measure(scores, number, values, residual))
        shown.append(_measure(scores, number, [*values, *scores.means[:, number].tolist()]))
    if not scores.audit.given:
        retrieved: list[int | None] = scores.retrieved[run, topic].tolist()
        rows.append(Column("retrieved", retrieved))
        shown.append(Column("retrieved", [*retrieved, *[None] * len(scores.runs)]))
    label, caption = "tab:topics", _caption(scores)
    table = Sheet(tuple(shown), caption=caption, label=label)
    return SheetBlocks(tuple(rows), notes=_notes(scores), caption=caption, label=label, blocks=(table,))


def _average_word(scores: "Scores") -> str:
    """What the last rows of a table of topics are: the mean, the sum of counts, or `all` if measures differ."""
    words = {word if word in ("sum", "median") else "mean" for word in scores.averages}
    return words.pop() if len(words) == 1 else "all"


def _measure(
    scores: "Scores", number: int, values: list[float], residual: list[float] | None = None, best: bool = False
) -> Column:
    """The column of a measure; programs get its residual, how much it could still grow, as a column beside it."""
    name = scores.measures[number]
    parts = () if residual is None else (Column(name, values), Column(f"{name} residual", residual))
    kind = _smaller_is_better() if name in scores.smaller else Column
    return kind(name, values, ".0f" if scores.averages[number] == "sum" else ".4f", best=best, parts=parts)


def _smaller_is_better() -> type[Column]:
    from cranfield.tables.sheets.marked import Lowest

    return Lowest


def _possible(scores: "Scores", number: int) -> list[Column]:
    """The range of a mean: lowest and highest, or the expected mean and its band."""
    if scores.possible is None:
        return []
    found, name = scores.possible, scores.measures[number]
    low, high = found.low[:, number], found.high[:, number]
    spans = [span(*pair) for pair in zip(low, high, strict=True)]
    if found.expected is None:
        ends = (Column(f"{name} lowest", low), Column(f"{name} highest", high))
        exact = Column(f"{name} exact", found.exact[:, number].tolist())
        return [Column("possible", spans, parts=(*ends, exact), attached=True)]
    means, band = found.expected[:, number], (Column(f"{name} p05", low), Column(f"{name} p95", high))
    expected = Column("expected", means, ".4f", parts=(Column(f"{name} expected", means),), attached=True)
    return [expected, Column("5–95 %", spans, parts=band, attached=True)]


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
    return (
        *possible,
        *_replicate_notes(scores),
        *scores.audit.footer(scores.cutoff),
        *_residual_notes(scores),
        scores.audit.policy_line(),
    )


def _replicate_notes(scores: "Scores") -> list[str]:
    """Which runs are behind systems, and what their spread is."""
    if scores.replicates is None:
        return []
    named = scores.replicates.notes(scores.runs)
    several = max(scores.replicates.counts(len(scores.runs)), default=0) > 1
    return [*named, *(["sd: standard deviation of the means of the replicates"] if several else [])]


def _caption(scores: "Scores") -> str:
    audit = scores.audit
    mean = f"{audit.averaged.capitalize()}s over {counted(audit.topics_in_mean, 'topic')}"
    possible = () if scores.possible is None else scores.possible.notes
    parts = [
        mean,
        *possible,
        *_replicate_notes(scores),
        *audit.without_relevant_notes(),
        *_residual_notes(scores),
        audit.policy_line(),
    ]
    return "; ".join(parts) + "."


def span(low: float, high: float, form: str = ".3f") -> str:
    """An interval as it is printed; a dash if there is none."""
    return "–" if math.isnan(low) else f"[{in_print(low, form)}, {in_print(high, form)}]"
