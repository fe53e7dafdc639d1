"""What somebody should look at before believing a number, said as warnings, once for each kind."""

import warnings
from collections.abc import Mapping, Sequence

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import DataWarning
from cranfield.measures.spec import Measure
from cranfield.tables.audit import Audit
from cranfield.tables.run import Runs, counted

_ROUNDING = 1e-9
_ENOUGH = 0.9  # judged share below which a score deserves a warning
_MANY = 3  # runs named one by one; more are counted


def say_what_to_look_at(audit: Audit, measures: Sequence[Measure], runs: Runs) -> None:
    """Warn about missing topics, ignored topics, infinities, many holes, and undefined values."""
    where = {run.name: run.source.name or run.name for run in runs.values()}
    if audit.policies["topic_set"] != "intersection":
        _each(
            "W101",
            {
                where[run]: f"{counted(len(topics), 'judged topic')} missing, scored 0 (first: {topics[0]})"
                for run, topics in audit.topics_missing.items()
            },
            "judged topics missing, scored 0",
        )
    if audit.policies["topic_set"] != "union":
        _each(
            "W102",
            {
                where[run]: f"{counted(len(topics), 'topic')} without judgments, ignored (first: {topics[0]})"
                for run, topics in audit.topics_extra.items()
            },
            "topics without judgments, ignored",
        )
    if audit.infinite_scores:
        _say("W103", f"{counted(audit.infinite_scores, 'infinite score')} ranked first or last")
    _each(
        "W105",
        {
            where[run]: f"only {share:.1%} of the first {k} documents were judged"
            for run, shares in audit.judged_at_k.items()
            for k, share in shares.items()
            if share is not None and share < _ENOUGH
        },
        "less than 90 % of the first documents were judged",
    )
    if not audit.negative_grades and any(measure.definition.name == "infAP" for measure in measures):
        _say("W106", "no document is marked as pooled but unjudged (-1), so infAP equals AP")
    for measure, count in audit.undefined.items():
        _say("W107", f"{measure} is undefined for {counted(count, 'ranking')}, not in the mean")


def say_what_exceeds_one(values: Floats, measures: Sequence[Measure]) -> None:
    """Warn about values `[run, topic, measure]` above 1 of measures whose ideal list was found greedily."""
    for column, measure in enumerate(measures):
        above = int(np.count_nonzero(values[:, :, column] > 1 + _ROUNDING)) if measure.definition.greedy else 0
        if above:
            _say("W111", f"{measure} is above 1 for {counted(above, 'ranking')}: better than the greedy ideal list")


def _each(code: str, messages: Mapping[str, str], summary: str) -> None:
    if len(messages) > _MANY:
        _say(code, f"{summary} (first: {next(iter(messages))})", f"{len(messages)} runs")
    else:
        for where, message in messages.items():
            _say(code, message, where)


def _say(code: str, message: str, where: str = "") -> None:
    warnings.warn(DataWarning(code, message, where), stacklevel=6)
