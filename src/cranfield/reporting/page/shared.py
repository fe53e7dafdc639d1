"""Data that the charts of a page share: written once, as JSON, for the script that makes them answer to each other."""

from collections.abc import Collection
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.errors import printable
from cranfield.missing.joined.pair import RangedPair
from cranfield.missing.joined.result import RangedComparison
from cranfield.reporting.page.listed import parts_of, shared_coverage, shared_lists
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.run_rows import six_digits
from cranfield.stats.comparison.pair import Pair
from cranfield.tables.sheets.marked import p_words
from cranfield.tables.sheets.numerals import minus

MOST_ENDS = 60_000  # pairs of runs times topics, up to which every pair has ranges by topic


def shared_data(material: ReportMaterial, sections: Collection[str]) -> dict[str, Any]:
    """The names of runs and topics as the page prints them, and what the sections need beside their charts."""
    scores, topics = material.scores, material.topics
    found: dict[str, Any] = {
        "runs": [printable(run) for run in scores.runs],
        "topics": [printable(topic) for topic in scores.topics],
        "measure": printable(material.measure),
        "smaller": material.smaller,
    }
    if topics is not None:
        found["titles"] = [printable(topics[each].query) if each in topics else "" for each in scores.topics]
    if "topics" in sections or "microscope" in sections:
        values = scores.values[:, :, material.column]
        found["values"] = [[six_digits(float(value)) for value in row] for row in values]
    if "topics" in sections:
        found |= _pairs(material)
    if "missing" in sections:
        found |= shared_coverage(material)
    if "microscope" in sections:
        found |= shared_lists(material)
    return found


def _pairs(material: ReportMaterial) -> dict[str, Any]:
    """The pair that is drawn first, what was found about every pair, and the ranges of each by topic."""
    place = {run: at for at, run in enumerate(material.scores.runs)}
    both = [each for pair in material.pairs for each in (pair, pair.reversed())]
    said = {f"{place[pair.run]},{place[pair.baseline]}": _sentence(material, pair) for pair in both}
    drawn = [[place[pair.run], place[pair.baseline]] for pair in material.against_reference]
    return {"drawn": drawn, "said": said, **_ends(material, drawn)}


def _sentence(material: ReportMaterial, pair: Pair) -> str:
    """The mean difference of a pair, its interval, test and possible range, in words."""
    low, high = pair.ci
    corrected = material.comparison.method.corrected if material.comparison is not None else ""
    words = [f"Mean difference {_signed(pair.difference)}"]
    words += [] if np.isnan(low) else [f"95 % interval {_signed(low)} to {_signed(high)}"]
    words += [] if np.isnan(pair.p) else [f"{corrected}{p_words(pair.p)}"]
    if isinstance(pair, RangedPair) and pair.possible_low is not None and pair.possible_high is not None:
        words.append(f"possible from {_signed(pair.possible_low)} to {_signed(pair.possible_high)}")
    return f"{', '.join(words)}."


def _signed(value: float) -> str:
    return minus(f"{value:+.4f}")


def _ends(material: ReportMaterial, drawn: list[list[int]]) -> dict[str, Any]:
    """How far below and above each difference its range reaches, for every pair, or for those of the reference."""
    comparison, scores = material.comparison, material.scores
    if not isinstance(comparison, RangedComparison) or material.measure not in comparison.bounders:
        return {}
    bounder = comparison.bounders[material.measure]
    every = list(combinations(range(len(scores.runs)), 2))
    if len(every) * len(scores.topics) > MOST_ENDS:
        every = [(a, b) for a, b in drawn[: max(1, MOST_ENDS // max(1, len(scores.topics)))]]
    number = {run: at for at, run in enumerate(bounder.situation.runs)}
    a, b = (np.array([number[scores.runs[pair[side]]] for pair in every]) for side in (0, 1))
    ranges = bounder.of(a, b)
    at = {topic: place for place, topic in enumerate(bounder.situation.topics)}
    known = np.array([at.get(topic, -1) for topic in scores.topics])
    values = scores.values[:, :, material.column]
    first, second = (values[[pair[side] for pair in every]] for side in (0, 1))
    below, above = (first - second - ranges.low[:, known], ranges.high[:, known] - (first - second))
    below[:, known < 0] = above[:, known < 0] = np.nan
    ends = {f"{one},{other}": [parts_of(below[row]), parts_of(above[row])] for row, (one, other) in enumerate(every)}
    return {"ends": ends, "outer": not bool(ranges.exact.all())}
