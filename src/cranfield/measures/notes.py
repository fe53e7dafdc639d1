"""Warnings about scores, one for each kind."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import DataWarning
from cranfield.measures.facts.looks_at import WEIGHT
from cranfield.measures.grammar import Measure
from cranfield.tables.scores import Scores
from cranfield.tables.words import counted

_ROUNDING = 1e-9
_ENOUGH = 0.9  # judged share below which a score deserves a warning
_DEEPEST = 20  # cut-off at which unjudged documents are worth a warning
_MANY = 3  # runs named one by one; more are counted


def notes_on(scores: Scores, measures: Sequence[Measure], where: Mapping[str, str]) -> Iterator[DataWarning]:
    """Missing topics, ignored topics, infinities, many holes, undefined values, values above 1.

    `where` is the place each run came from.
    """
    audit = scores.audit
    fate = audit.fate_of_missing
    if audit.policies["topic_set"] != "intersection":
        yield from _each(
            "W101",
            {
                where[run]: f"{counted(len(topics), 'judged topic')} missing, {fate} (first: {topics[0]})"
                for run, topics in audit.topics_missing.items()
            },
            f"judged topics missing, {fate}",
        )
    if audit.policies["topic_set"] != "union":
        yield from _each(
            "W102",
            {
                where[run]: f"{counted(len(topics), 'topic')} without judgments, ignored (first: {topics[0]})"
                for run, topics in audit.topics_extra.items()
            },
            "topics without judgments, ignored",
        )
    if audit.infinite_scores:
        yield DataWarning("W103", f"{counted(audit.infinite_scores, 'infinite score')} ranked first or last")
    yield from _each(
        "W105", _poorly_judged(scores, measures, where), "less than 90 % of the first documents were judged"
    )
    if not audit.negative_grades and any(measure.definition.name == "infAP" for measure in measures):
        yield DataWarning("W106", "no document is marked as pooled but unjudged (-1), so infAP equals AP")
    for measure, count in audit.undefined.items():
        why = _too_large(measure) if audit.policies["no_relevant"] != "exclude" else ""
        yield DataWarning("W107", f"{measure} is undefined for {counted(count, 'ranking')}, not in the mean{why}")
    yield from _above_one(scores.values, measures)


def _too_large(measure: str) -> str:
    """Why a measure with exponential gains is undefined although every topic counts."""
    exponential = "dcg='exp-log2'" in measure
    return ": a gain of 2^grade − 1 is too large for grades from 1,024 on" if exponential else ""


def _poorly_judged(scores: Scores, measures: Sequence[Measure], where: Mapping[str, str]) -> dict[str, str]:
    """The runs of which little was judged, among the first ranks or by weight.

    Whole lists and deep cut-offs are nearly always judged in part, condensed lists hold no unjudged documents, and
    estimators expect them.
    """
    said: dict[str, list[str]] = {}
    for column, (measure, words) in enumerate(zip(measures, scores.looks_at, strict=True)):
        if measure.definition.needs_sample:  # what was not judged is estimated
            continue
        if words == WEIGHT:
            part = f"the weight of {measure}"
        elif measure.cutoff and measure.cutoff <= _DEEPEST and words == f"first {measure.cutoff}":
            part = f"the first {measure.cutoff} documents" if measure.cutoff > 1 else "the first documents"
        else:
            continue
        for row, run in enumerate(scores.runs):
            share = float(scores.judged_shares[row, column])
            if share < _ENOUGH:
                said.setdefault(where[run], []).append(_share_of(part, share))
    return {place: f"only {_listed(parts)} judged" for place, parts in said.items()}


def _share_of(part: str, share: float) -> str:
    """`46.0 % of the first 10 documents`."""
    from cranfield.tables.sheets.numerals import percent  # needed by warnings only

    return f"{percent(share)} of {part}"


def _listed(parts: Sequence[str]) -> str:
    """`46.0 % of the first 10 documents were`, each part once."""
    several = list(dict.fromkeys(parts))
    verb = "was" if len(several) == 1 and not several[0].endswith("documents") else "were"
    return f"{' and '.join([', '.join(several[:-1]), several[-1]] if several[1:] else several)} {verb}"


def _above_one(values: Floats, measures: Sequence[Measure]) -> Iterator[DataWarning]:
    """Values `[run, topic, measure]` above 1 of measures whose ideal list was found greedily."""
    for column, measure in enumerate(measures):
        above = int(np.count_nonzero(values[:, :, column] > 1 + _ROUNDING)) if measure.definition.greedy else 0
        if above:
            message = f"{measure} is above 1 for {counted(above, 'ranking')}: better than the greedy ideal list"
            yield DataWarning("W111", message)


def _each(code: str, messages: Mapping[str, str], summary: str) -> Iterator[DataWarning]:
    if len(messages) > _MANY:
        yield DataWarning(code, f"{summary} (first: {next(iter(messages))})", f"{len(messages)} runs")
        return
    for where, message in messages.items():
        yield DataWarning(code, message, where)
