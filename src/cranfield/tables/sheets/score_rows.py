"""The rows of scores for programs: means, topics, ranges, and the part of the JSON envelope."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.errors import PolicyError
from cranfield.errors.extras import need
from cranfield.errors.wording import verb
from cranfield.tables.scores import MeasureNames, Scores, number
from cranfield.tables.sheets.tracker_names import names_of
from cranfield.tables.side.possible import RANGES
from cranfield.tables.summary import growth

if TYPE_CHECKING:
    import pandas
    import polars

    from cranfield.tables.sheets.sheet import Cell
    from cranfield.tables.side.replicates import Replicates

MEAN = ("run", "measure", "mean", "ci_low", "ci_high", "judged")
TOPIC = ("run", "topic", "measure", "value", "judged", "retrieved", "relevant")
BOUNDS = ("run", "measure", "lowest", "mean", "highest", "exact")


def by_run(scores: Scores, names: MeasureNames) -> dict[str, dict[str, float | None]]:
    """`{run: {measure: mean}}`."""
    return {
        run: dict(zip(names_of(scores.measures, names), map(number, means), strict=True))
        for run, *means in run_rows(scores)
    }


def run_rows(scores: Scores) -> list[tuple[Any, ...]]:  # a name, and numbers
    """One row per run: its name and the means."""
    return [(run, *means) for run, means in zip(scores.runs, scores.means.tolist(), strict=True)]


def mean_rows(scores: Scores) -> list[tuple[str, str, float, float | None, float | None, float]]:
    """One row per run and measure."""
    return [
        (
            run,
            measure,
            float(scores.means[r, m]),
            *((None, None) if scores.intervals is None else scores.intervals[r, m].tolist()),
            float(scores.judged_shares[r, m]),
        )
        for r, run in enumerate(scores.runs)
        for m, measure in enumerate(scores.measures)
    ]


def topic_rows(scores: Scores) -> list[tuple[str, str, str, float, float, int, int]]:
    """One row per run, topic and measure."""
    return [
        (
            scores.runs[r],
            scores.topics[t],
            scores.measures[m],
            float(scores.values[r, t, m]),
            float(scores.judged[r, t, m]),
            int(scores.retrieved[r, t]),
            int(scores.relevant[t, m]),
        )
        for r, t, m in _cells(scores)
    ]


def _cells(scores: Scores) -> Iterator[tuple[int, int, int]]:
    """Every scored value as (run, topic, measure)."""
    for r, t in np.argwhere(scores.scored).tolist():
        for m in range(len(scores.measures)):
            yield r, t, m


def records(scores: Scores, per_topic: bool) -> "list[dict[str, Cell]]":
    """The rows as dictionaries."""
    if per_topic:
        return [dict(zip(TOPIC, map(_json, row), strict=True)) for row in topic_rows(scores)]
    return [dict(zip(MEAN, map(_json, row), strict=True)) for row in mean_rows(scores)]


def frame(rows: Sequence[tuple[Any, ...]], names: Sequence[str]) -> "polars.DataFrame":  # cells of several types
    """The rows as a polars frame."""
    need("polars", "a polars frame")
    import polars

    return polars.DataFrame(rows, schema=list(names), orient="row", nan_to_null=True)


def pandas_frame(scores: Scores) -> "pandas.DataFrame":
    """The rows of `mean_rows` as a pandas frame."""
    need("pandas", "a pandas frame")
    import pandas

    return pandas.DataFrame(mean_rows(scores), columns=list(MEAN))


def bounds(scores: Scores, measures: str | Iterable[str], universe: str) -> "polars.DataFrame":
    """The lowest and the highest possible mean of each run and measure, found from the inputs of the scores."""
    names = measures if isinstance(measures, str) else tuple(measures)  # an array is neither true nor false
    scores = scores.select(names) if names else scores
    if scores.origin is None:
        hint = f"{verb('holes')} reads them"
        raise PolicyError("E246", "bounds need rankings, and these scores do not remember any", hint=hint)
    found = RANGES["bounds"](scores, scores.origin, universe, 0)
    return frame(
        [
            (
                run,
                measure,
                float(found.low[r, m]),
                float(scores.means[r, m]),
                float(found.high[r, m]),
                bool(found.exact[r, m]),
            )
            for r, run in enumerate(scores.runs)
            for m, measure in enumerate(scores.measures)
        ],
        BOUNDS,
    )


def result(scores: Scores, per_topic: bool = False, names: MeasureNames = "measure") -> dict[str, Any]:
    """The part of the JSON envelope under `result`."""
    tracker = names_of(scores.measures, names) if names != "measure" else None
    rows: list[dict[str, Any]] = []
    for place, (run, measure, mean, low, high, judged) in enumerate(mean_rows(scores)):
        r, m = divmod(place, len(scores.measures))
        ci = None if scores.intervals is None else [number(low), number(high)]
        row = {"run": run, "measure": measure, "mean": number(mean), "ci": ci, "judged": number(judged)}
        row |= {} if tracker is None else {"tracker_name": tracker[m]}
        row |= {} if scores.possible is None else scores.possible.row(r, m)
        row |= {} if scores.replicates is None else _spread(scores.replicates, r, m)
        if measure in scores.residuals:
            row["residual"] = number(growth(scores.values[r, :, m], scores.residuals[measure][r], scores.averages[m]))
        rows.append(row)
    looks_at = dict(zip(scores.measures, scores.looks_at, strict=True)) if scores.looks_at else {}
    told: dict[str, Any] = {"scores": rows, **({"looks_at": looks_at} if looks_at else {})}
    if scores.possible is not None:
        told["assumptions"] = list(scores.possible.notes)
    return told | _by_topic(scores) if per_topic else told


def _spread(behind: "Replicates", system: int, measure: int) -> dict[str, Any]:
    """What the JSON row of a system says of the runs behind it."""
    at = behind.of(system)
    means = {behind.runs[run]: number(float(behind.means[run, measure])) for run in at}
    return {"replicates": means, "replicate_sd": number(behind.sd(system, measure))}


def _by_topic(scores: Scores) -> dict[str, Any]:
    rows: list[dict[str, Any]] = []
    for (r, t, m), cells in zip(_cells(scores), topic_rows(scores), strict=True):
        rows.append(dict(zip(TOPIC, map(_json, cells), strict=True)))
        if (residual := scores.residuals.get(scores.measures[m])) is not None:
            rows[-1]["residual"] = number(float(residual[r, t]))
        if scores.weights is not None:
            rows[-1]["weight"] = number(float(scores.weights[r, t, m]))
    averages, behind = dict(zip(scores.measures, scores.averages, strict=True)), scores.replicates
    return {
        "topics": rows,
        "averages": averages,
        "less_is_better": list(scores.smaller),
        "cutoff": scores.cutoff,
        **({} if behind is None else {"replicates": behind.rows(scores.runs, scores.topics, scores.measures)}),
    }


def _json(value: Any) -> Any:  # names, counts and numbers alike
    return number(value) if isinstance(value, float) else value
