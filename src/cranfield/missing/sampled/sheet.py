"""The printed forms of sampling errors, and of estimates from two kinds of labels."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.missing.sampled.errors import FEW, LINEARISED
from cranfield.tables.scores import number
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.sampled.errors import SamplingErrors
    from cranfield.missing.sampled.prediction import PredictionPowered


def sheet(found: "SamplingErrors") -> Sheet:
    """One row per run and measure: the mean, its standard error and its interval."""
    scores = found.scores
    rows = [(r, m) for m in range(len(scores.measures)) for r in range(len(scores.runs))]
    run, measure = (np.array([row[side] for row in rows], dtype=np.int64) for side in (0, 1))
    columns = (
        Column("run", [scores.runs[r] for r in run]),
        Column("measure", [scores.measures[m] for m in measure]),
        Column("mean", scores.means[run, measure], ".4f"),
        Column("std. error", found.mean_errors[run, measure], ".4f"),
        Column("low", found.mean_intervals[run, measure, 0], ".4f"),
        Column("high", found.mean_intervals[run, measure, 1], ".4f"),
    )
    return Sheet(columns, notes(found), label="tab:sampling-errors")


def topic_sheet(found: "SamplingErrors") -> Sheet:
    """One row per run, topic and measure."""
    scores = found.scores
    cells = [(r, t, m) for r, t in np.argwhere(scores.scored).tolist() for m in range(len(scores.measures))]
    run, topic, measure = (np.array([cell[side] for cell in cells], dtype=np.int64) for side in (0, 1, 2))
    columns = (
        Column("run", [scores.runs[r] for r in run]),
        Column("topic", [scores.topics[t] for t in topic]),
        Column("measure", [scores.measures[m] for m in measure]),
        Column("value", scores.values[run, topic, measure], ".4f"),
        Column("std. error", found.errors[run, topic, measure], ".4f"),
        Column("low", found.intervals[run, topic, measure, 0], ".4f"),
        Column("high", found.intervals[run, topic, measure, 1], ".4f"),
        Column("sampled relevant", found.sampled[topic, measure], ","),
    )
    return Sheet(columns, notes(found), label="tab:sampling-errors")


def notes(found: "SamplingErrors") -> tuple[str, ...]:
    """What the intervals are of, how they were made, and where they are missing or too short."""
    scores = found.scores
    linear = {
        name for name in scores.measures if name.partition("'")[0].partition("(")[0].partition("@")[0] in LINEARISED
    }
    how = []
    if linear:
        how.append("linearisation")
    if set(scores.measures) - linear:
        how.append(f"{counted(found.draws, 'resample')} inside strata, seed {scores.audit.seed}")
    said = [
        f"{100 * found.level:g} % intervals of the value that judging the whole pool would give, on these topics: "
        + "; ".join(how)
    ]
    few = int(((found.sampled > 0) & (found.sampled < FEW)).any(axis=1).sum())
    none = int((found.sampled == 0).any(axis=1).sum())
    if few:
        said.append(
            f"{counted(few, 'topic')} with fewer than {FEW} sampled relevant documents: no interval of their own, and "
            "the error of the mean is rather too small"
        )
    if none:
        said.append(f"{counted(none, 'topic')} without a sampled relevant document: nothing in the error of the mean")
    if np.isnan(found.mean_errors).any():
        said.append("no error where one document alone was judged of a larger stratum")
    return (*said, scores.audit.policy_line())


def plain(found: "SamplingErrors", per_topic: bool) -> dict[str, Any]:
    """Plain data for JSON: the scores, and the errors beside them."""
    scores = found.scores
    rows = [
        {
            "run": run,
            "measure": measure,
            "mean": number(float(scores.means[r, m])),
            "error": number(float(found.mean_errors[r, m])),
            "interval": [number(end) for end in found.mean_intervals[r, m].tolist()],
        }
        for r, run in enumerate(scores.runs)
        for m, measure in enumerate(scores.measures)
    ]
    told = {**scores.result(per_topic), "sampling_errors": rows, "level": found.level, "draws": found.draws}
    if per_topic:
        told["sampling_errors_by_topic"] = [
            {
                "run": scores.runs[r],
                "topic": scores.topics[t],
                "measure": measure,
                "value": number(float(scores.values[r, t, m])),
                "error": number(float(found.errors[r, t, m])),
                "interval": [number(end) for end in found.intervals[r, t, m].tolist()],
                "sampled_relevant": int(found.sampled[t, m]),
            }
            for r, t in np.argwhere(scores.scored).tolist()
            for m, measure in enumerate(scores.measures)
        ]
    return told


def prediction_sheet(found: "PredictionPowered") -> Sheet:
    """One row per run and measure: the model's labels alone, people's alone, and both together."""
    rows = [(r, m) for m in range(len(found.measures)) for r in range(len(found.runs))]
    at = tuple(np.array([row[side] for row in rows], dtype=np.int64) for side in (0, 1))
    columns = (
        Column("run", [found.runs[r] for r in at[0]]),
        Column("measure", [found.measures[m] for m in at[1]]),
        Column("model", found.model[at], ".4f"),
        Column("people", found.people[at], ".4f"),
        Column("people's error", found.people_errors[at], ".4f"),
        Column("estimate", found.values[at], ".4f"),
        Column("std. error", found.errors[at], ".4f"),
        Column("low", found.intervals[at][:, 0], ".4f"),
        Column("high", found.intervals[at][:, 1], ".4f"),
        Column("weight", found.weights[at], ".3f"),
    )
    what = "topic" if found.by == "topics" else "document"
    whom = "a mean over topics like these" if found.by == "topics" else "these topics with every document judged"
    notes = (
        f"people judged {counted(found.labelled, what)}, the model {found.others:,} more",
        f"{100 * found.level:g} % intervals, for {whom}; they hold if people's {what}s are a random sample",
    )
    return Sheet(columns, (*notes, found.audit.policy_line()), label="tab:prediction-powered")
