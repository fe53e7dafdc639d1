"""One topic under the microscope: its lists side by side, what was judged, what moved, and what could still change."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from cranfield.missing.result import Holes
from cranfield.missing.situation import depth_of
from cranfield.reporting.joining import farthest_move
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.words import counted

SHOWN, MOST = 10, 30  # ranks: of measures that look at whole lists, and at most


@dataclass(frozen=True)
class ListedDocument:
    """One document of a list; `grade` is None if it is not judged."""

    rank: int
    document: str
    grade: float | None


@dataclass(frozen=True)
class ListOfRun:
    """The list of one run: its documents, its value as judged, and the ends of what is possible (NaN: undefined).

    >>> ListOfRun("bm25", (), 0.0, -1e-17, 0.5).words
    '0.000 (0.000 … 0.500)'
    """

    run: str
    documents: tuple[ListedDocument, ...]
    value: float
    lowest: float
    highest: float

    @property
    def words(self) -> str:
        """The value, and its ends where they differ."""
        if isnan(self.value):
            return "–"
        low, high = (end_of_range(end) for end in (self.lowest, self.highest))
        ends = f" ({low} … {high})"
        return in_print(self.value, ".3f") + ("" if isnan(self.lowest) or self.lowest == self.highest else ends)


@dataclass(frozen=True)
class ListsOfTopic:
    """The lists of some runs in one topic, as deep as the measure looks.

    >>> import cranfield as cf
    >>> runs = {"old": {"1": ["a", "b", "c"]}, "new": {"1": ["x", "c", "a"]}}
    >>> found = topic_lists(cf.holes({"1": {"a": 1, "b": 0, "c": 1}}, runs, "P@3"), "1", ["old", "new"])
    >>> found.sentence
    'Unjudged document at rank 1 in new; a moved 1 → 3 from old to new.'
    >>> [(each.run, each.words) for each in found.runs]
    [('old', '0.667'), ('new', '0.667 (0.667 … 1.000)')]
    """

    topic: str
    measure: str
    depth: int
    runs: tuple[ListOfRun, ...]

    @property
    def sentence(self) -> str:
        """The highest unjudged document, and the one that moves most between the first list and another."""
        names = [each.run for each in self.runs]
        lists = [[document.document for document in each.documents] for each in self.runs]
        judged = {d.document for each in self.runs for d in each.documents if d.grade is not None}
        return what_strikes(names, lists, judged)


def what_strikes(names: Sequence[str], lists: Sequence[Sequence[str]], judged: "set[str] | Mapping[str, int]") -> str:
    """What strikes the eye in lists side by side: what is unjudged, and what moved."""
    said = []
    unjudged = [
        (rank, name, document)
        for name, each in zip(names, lists, strict=True)
        for rank, document in enumerate(each, 1)
        if document not in judged
    ]
    if unjudged:
        rank, name, _ = min(unjudged, key=lambda found: found[0])
        number = len({document for _, _, document in unjudged})
        more = f", {counted(number, 'unjudged document')} in all" if number > 1 else ""
        said.append(f"unjudged document at rank {rank} in {name}{more}")
    else:
        said.append("every document shown is judged")
    moves = [
        (abs(found[1] - found[2]), name, found)
        for name, each in zip(names[1:], lists[1:], strict=True)
        if (found := farthest_move(lists[0], each)) is not None
    ]
    if moves:
        _, name, (document, before, after) = max(moves, key=lambda move: move[0])
        said.append(f"{document} moved {before} → {after} from {names[0]} to {name}")
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}."


def topic_lists(holes: Holes, topic: str, runs: Sequence[str], measure: str | None = None) -> ListsOfTopic:
    """The lists of these runs in a topic."""
    bounder, candidates = holes.bounder(measure), holes.candidates
    name = measure or holes.measures[0]
    depth = min(depth_of(bounder.situation.named) or SHOWN, MOST)
    place = candidates.topics.index(topic) if topic in candidates.topics else -1
    inside = (candidates.topic[candidates.pair] == place) & (candidates.rank <= depth)
    number = holes.scores.topics.index(topic)
    found = []
    for run in runs:
        row = holes.runs.index(run)
        own = np.flatnonzero(inside & (candidates.run == candidates.runs.index(run)))
        own = own[np.argsort(candidates.rank[own], kind="stable")]
        pairs = candidates.pair[own]
        grades = holes.grade[pairs].tolist()
        listed = zip(candidates.rank[own].tolist(), candidates.document.take(pairs), grades, strict=True)
        found.append(
            ListOfRun(
                run=run,
                documents=tuple(
                    ListedDocument(rank, doc, None if isnan(grade) else grade) for rank, doc, grade in listed
                ),
                value=float(holes.scores.values[row, number, holes.measures.index(name)]),
                lowest=float(bounder.runs.low[row, number]),
                highest=float(bounder.runs.high[row, number]),
            )
        )
    deepest = max((document.rank for each in found for document in each.documents), default=0)
    return ListsOfTopic(topic, name, deepest, tuple(found))


def end_of_range(value: float) -> str:
    """An end of a range in print; one that rounding error moved below 0 is 0.

    >>> end_of_range(-1e-17), end_of_range(-0.25)
    ('0.000', '−0.250')
    """
    return in_print(round(value, 3) + 0.0, ".3f")


def chosen_topics(holes: Holes, runs: Sequence[str], number: int, measure: str | None = None) -> list[tuple[str, str]]:
    """Topics to look at, and why: the largest differences of the first two runs, and the widest possible ranges.

    >>> import cranfield as cf
    >>> runs = {"old": {"1": ["a"], "2": ["b"], "3": ["x"]}, "new": {"1": ["a"], "2": ["c"], "3": ["y"]}}
    >>> chosen_topics(cf.holes({"1": {"a": 1}, "2": {"b": 1, "c": 0}, "3": {"d": 1}}, runs, "P@1"), ["old", "new"], 2)
    [('2', 'A large difference: old 1.000, new 0.000'),
     ('3', 'A wide range: P@1 of old is possible from 0.000 to 1.000')]
    """
    name = measure or holes.measures[0]
    rows = [holes.runs.index(run) for run in runs]
    values = holes.scores.values[rows, :, holes.measures.index(name)]
    ends = holes.bounder(name).runs
    width = np.nan_to_num(ends.high[rows] - ends.low[rows])
    widest = np.argsort(-width.max(axis=0), kind="stable").tolist()
    gap = np.nan_to_num(np.abs(values[0] - values[1])) if len(rows) > 1 else np.zeros(values.shape[1])
    largest = np.argsort(-gap, kind="stable").tolist()
    found: dict[int, str] = {}
    for at in [at for at in largest if gap[at] > 0][: -(-number // 2)]:
        first, second = (in_print(float(values[row, at]), ".3f") for row in (0, 1))
        found[at] = f"A large difference: {runs[0]} {first}, {runs[1]} {second}"
    for at in [at for at in widest if width[:, at].max() > 0 and at not in found][: number - len(found)]:
        row = int(np.argmax(width[:, at]))
        low, high = (end_of_range(float(end[rows[row], at])) for end in (ends.low, ends.high))
        found[at] = f"A wide range: {name} of {runs[row]} is possible from {low} to {high}"
    return [(holes.scores.topics[at], why) for at, why in found.items()]
