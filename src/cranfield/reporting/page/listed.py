"""Lists of all topics for the script of a page: documents of every run, their grades, how much was judged."""

from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import printable
from cranfield.missing.situation import depth_of
from cranfield.reporting.charts.coverage import rank_bands
from cranfield.reporting.charts.microscope import grade_colours
from cranfield.reporting.page.material import ReportMaterial
from cranfield.reporting.topic_lists import MOST, SHOWN

MOST_LISTED, LEAST_DEPTH = 120_000, 5  # documents of all lists; ranks below which lists are not cut
RUNS = 4  # that are shown at first
PARTS = 10_000  # of one: how finely the ends of ranges are told
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
TITLE = 80  # letters


def shared_coverage(material: ReportMaterial) -> dict[str, Any]:
    """How many documents of each list were judged at each rank, or between two ranks, as one digit each."""
    holes = material.holes
    if holes is None:
        return {}
    covered = holes.covered
    bands = rank_bands(covered)
    widths = [last - first + 1 for first, last in bands]
    if (
        max(widths, default=0) >= len(DIGITS)
        or covered.state.shape[0] * covered.state.shape[1] * len(bands) > MOST_LISTED
    ):
        return {}
    parts = [covered.state[:, :, first - 1 : last] for first, last in bands]
    judged = np.stack([np.count_nonzero(part == 0, axis=2) for part in parts], axis=-1)
    held = np.stack([np.count_nonzero(part < 3, axis=2) for part in parts], axis=-1)
    place = {topic: at for at, topic in enumerate(material.scores.topics)}
    kept = [(at, place[topic]) for at, topic in enumerate(covered.topics) if topic in place]
    marks = [["".join(_marks(judged[run, at], held[run, at])) for run in range(len(judged))] for at, _ in kept]
    known: dict[str, Any] = {"topics": [topic for _, topic in kept], "judged": marks, "widths": widths}
    if max(widths) > 1:
        known["held"] = [["".join(DIGITS[n] for n in held[run, at]) for run in range(len(held))] for at, _ in kept]
    return {"coverage": known}


def _marks(judged: Any, held: Any) -> list[str]:  # counts
    return ["-" if documents == 0 else DIGITS[number] for number, documents in zip(judged, held, strict=True)]


def shared_lists(material: ReportMaterial) -> dict[str, Any]:
    """The first documents of every list, by topic, with grades, titles, and the ranges of the values."""
    holes, scores = material.holes, material.scores
    lists = len(scores.runs) * len(scores.topics)
    if holes is None or material.measure not in holes.measures or lists * LEAST_DEPTH > MOST_LISTED:
        return {}
    bounder, candidates = holes.bounder(material.measure), holes.candidates
    depth = min(depth_of(bounder.situation.named) or SHOWN, MOST, max(LEAST_DEPTH, MOST_LISTED // lists))
    inside = np.flatnonzero(candidates.rank <= depth)
    topic = candidates.topic[candidates.pair[inside]]
    order = inside[np.lexsort((candidates.rank[inside], candidates.run[inside], topic))]
    pairs = candidates.pair[order]
    rows = zip(
        candidates.topic[pairs].tolist(),
        candidates.run[order].tolist(),
        candidates.document.take(pairs),
        holes.grade[pairs].tolist(),
        strict=True,
    )
    run_of = {at: scores.runs.index(run) for at, run in enumerate(candidates.runs) if run in scores.runs}
    found = {name: _ListedTopic(len(scores.runs)) for name in scores.topics}
    for at, run, document, grade in rows:
        name = candidates.topics[at]
        if name in found and run in run_of:
            found[name].add(run_of[run], document, grade)
    documents = dict.fromkeys(document for each in found.values() for document in each.places)
    titles = {printable(each): words for each in documents if (words := material.words_of(each)[:TITLE])}
    number = {name: at for at, name in enumerate(bounder.situation.topics)}
    known = np.array([number.get(name, -1) for name in scores.topics])
    rows_of = [holes.runs.index(run) for run in scores.runs]
    values = scores.values[:, :, material.column]
    low, high = (np.where(known < 0, np.nan, ends[rows_of][:, known]) for ends in (bounder.runs.low, bounder.runs.high))
    levels = sorted({float(grade) for grade in holes.grade if np.isfinite(grade)})
    return {
        "documents": titles,
        "grades": grade_colours([f"grade {grade:g}" for grade in levels]),
        "lists": {
            "depth": depth,
            "runs": [scores.runs.index(run) for run in material.compared(RUNS)],
            "topics": [found[name].written() for name in scores.topics],
            "low": [parts_of(row) for row in values - low],
            "high": [parts_of(row) for row in high - values],
        },
    }


class _ListedTopic:
    """The lists of one topic: documents in the order in which they are first met, and places of them for each run."""

    def __init__(self, runs: int) -> None:
        self.places: dict[str, int] = {}
        self.grades: list[float | None] = []
        self.ranks: list[list[int]] = [[] for _ in range(runs)]

    def add(self, run: int, document: str, grade: float) -> None:
        """The next document of a run."""
        if document not in self.places:
            self.places[document] = len(self.places)
            self.grades.append(None if np.isnan(grade) else int(grade) if grade == int(grade) else grade)
        self.ranks[run].append(self.places[document])

    def written(self) -> dict[str, Any]:
        """For JSON."""
        return {"documents": [printable(each) for each in self.places], "grades": self.grades, "ranks": self.ranks}


def parts_of(values: Floats) -> list[int | None]:
    """Numbers in parts of ten thousand, which are short to write.

    >>> parts_of(np.array([0.25, np.nan]))
    [2500, None]
    """
    return [round(value * PARTS) if np.isfinite(value) else None for value in values.tolist()]
