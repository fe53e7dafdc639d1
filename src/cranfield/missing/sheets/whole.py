"""All that `holes` prints: coverage, ranges and verdicts of each measure, and the assumptions behind them."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from cranfield.errors.wording import Wording
from cranfield.missing.coverage import Coverage
from cranfield.missing.inner import NOT_CERTIFIED
from cranfield.missing.pairs.verdicts import Verdict
from cranfield.missing.sheets.pairs import count_notes, pair_sheet
from cranfield.missing.sheets.ranges import INFEASIBLE, LINE, PossibleRange, range_sheet
from cranfield.tables.averages import AVERAGES
from cranfield.tables.sheets.blocks import SheetBlocks
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.sheet import Column, Sheet

HolesPart = Literal["coverage", "ranges", "pairs"]
_NEARLY = 0.95  # judged share from which on a run is almost fully judged
_NAMED = 3  # runs that a note names
_CHOSEN = ("median", "micro")  # averages that no measure has by itself
_MANY = 8  # grades that are listed one by one


@dataclass(frozen=True)
class MeasureRanges:
    """What is printed about one measure.

    Attributes:
        measure: its name.
        universe: which documents may be relevant, in words.
        grades: those that an unjudged document may have.
        ranges: of each run.
        judged: by run: how much of what the measure looks at was judged.
        verdicts: on the pairs that were compared.
        average: what became of the topics, such as `mean` or `median`.
    """

    measure: str
    universe: str
    grades: tuple[float, ...]
    ranges: tuple[PossibleRange, ...]
    judged: tuple[float, ...]
    verdicts: tuple[Verdict, ...] = ()
    average: str = "mean"

    @property
    def method(self) -> str:
        """Whether the ends of all ranges can be attained."""
        rows: list[PossibleRange | Verdict] = [*self.ranges, *self.verdicts]
        return method_words([row.exact for row in rows], [row.certified for row in rows])

    @property
    def assumptions(self) -> str:
        """Universe, grades, method, and an average that was chosen, in words."""
        chosen = "".join(f" · {words}" for name, words in AVERAGES.items() if name == self.average in _CHOSEN)
        return f"{self.universe} · {grade_words(self.grades)} · {self.method}{chosen}"

    def notes(self, only: HolesPart | None = None) -> Iterator[str]:
        """The lines below the tables."""
        if only in (None, "pairs"):
            yield from count_notes(self.verdicts)
        if only in (None, "ranges"):
            if any(row.infeasible for row in self.ranges):
                yield f"{INFEASIBLE} no judgments of these documents give the condensed score"
            shares = zip(self.ranges, self.judged, strict=True)
            if nearly := [row.run for row, share in shares if share >= _NEARLY and row.exact and row.can_fall]:
                raised = "relevant documents found by others raise the ideal"
                yield f"{_listed(nearly)} can fall although almost fully judged: {raised}"


def whole_sheet(
    coverage: Coverage,
    measures: Sequence[MeasureRanges],
    universe: str,
    notes: Sequence[str] = (),
    only: HolesPart | None = None,
) -> SheetBlocks:
    """The tables one below the other, or one of them; programs get the rows of one: of the ranges, if none is named."""
    footer = [*_notes(measures, universe, only), *(line for note in notes for line in _in_lines(note))]
    rows = {"coverage": lambda: coverage.rows().columns, "pairs": lambda: pair_rows(measures)}
    columns = rows[only]() if only in rows else range_rows(measures)
    return SheetBlocks(columns, tuple(footer), label="tab:holes", blocks=tuple(_blocks(coverage, measures, only)))


def plain(coverage: Coverage, measures: Sequence[MeasureRanges], universe: str) -> dict[str, Any]:
    """All tables as plain data."""
    return {
        "universe": universe,
        "coverage": coverage.result(),
        "measures": [
            {
                "measure": each.measure,
                "average": each.average,
                "universe": each.universe,
                "grades": list(each.grades),
                "method": each.method,
                "ranges": [
                    asdict(row) | {"judged": share} for row, share in zip(each.ranges, each.judged, strict=True)
                ],
                "verdicts": [asdict(pair) for pair in each.verdicts],
            }
            for each in measures
        ],
    }


def range_rows(measures: Sequence[MeasureRanges]) -> tuple[Column, ...]:
    """A row for each measure and run."""
    rows = [
        (each.measure, row, share) for each in measures for row, share in zip(each.ranges, each.judged, strict=True)
    ]
    return (
        Column("measure", [measure for measure, *_ in rows]),
        *(Column(each.name, [getattr(row, each.name) for _, row, _ in rows]) for each in fields(PossibleRange)),
        Column("judged", [share for *_, share in rows]),
    )


def pair_rows(measures: Sequence[MeasureRanges]) -> tuple[Column, ...]:
    """A row for each measure and pair of runs."""
    rows = [(each.measure, verdict) for each in measures for verdict in each.verdicts]
    fields = ("a", "b", "delta", "low", "high", "status", "winner", "exact", "flips", "smallest", "certified")
    return (
        Column("measure", [measure for measure, _ in rows]),
        *(Column(name, [getattr(verdict, name) for _, verdict in rows]) for name in fields),
    )


def _blocks(coverage: Coverage, measures: Sequence[MeasureRanges], only: HolesPart | None) -> Iterator[Sheet]:
    """Coverage, then ranges and verdicts of one measure after the other."""
    if only in (None, "coverage"):
        table = coverage.sheet()
        caption = "Judged share of the first documents of each list."
        yield Sheet(table.columns, table.notes, caption=caption, label=table.label)
    for each in measures:
        if only in (None, "ranges"):
            caption = f"Possible range of {each.measure}; {each.assumptions}."
            yield replace(range_sheet(each.measure, each.ranges), caption=caption)
        if only == "pairs" or (only is None and each.verdicts):
            heading = "pair" if len(measures) == 1 else f"pair, {each.measure}"
            caption = f"What missing judgments could change between two runs, {each.measure}; {each.assumptions}."
            yield replace(pair_sheet(each.verdicts, heading), caption=caption)


def _notes(measures: Sequence[MeasureRanges], universe: str, only: HolesPart | None) -> Iterator[str]:
    """The notes of each measure, and the assumptions: once, if they are the same for all measures."""
    if only == "coverage":
        return
    several = len(measures) > 1
    for each in measures:
        for note in each.notes(only):
            yield from _in_lines(f"{each.measure}: {note}" if several else note)
    if len({each.assumptions for each in measures}) == 1:
        yield from _in_lines(f"universe={universe}: {measures[0].assumptions}")
        return
    yield f"universe={universe}"
    for each in measures:
        yield from _in_lines(f"{each.measure}: {each.assumptions}")


def _in_lines(note: str) -> Iterator[str]:
    """A note in two lines, if it is too long for one; one with two forms stays as it is."""
    if width(note) < LINE or isinstance(note, Wording):
        yield note
        return
    first, dot, rest = note.partition(" · ")
    if not dot:
        first, dot, rest = note.rpartition(": ")
        first = f"{first}:" if dot else ""
    yield from filter(None, (first, rest))


def method_words(exact: Sequence[bool], certified: Sequence[bool] = ()) -> str:
    """Whether both ends of ranges can be attained, and whether all of them are bounds.

    >>> method_words([True, True]), method_words([True, False]), method_words([False], [False])
    ('exact bounds', 'exact and outer bounds', 'inner, not certified')
    >>> method_words([True, False], [True, False])
    'exact bounds; some inner, not certified'
    """
    bounds = [each for each, sure in zip(exact, certified or [True] * len(exact), strict=True) if sure]
    said = "exact bounds" if all(bounds) else "exact and outer bounds" if any(bounds) else "outer bounds"
    if len(bounds) == len(exact):
        return said
    return f"{said}; some {NOT_CERTIFIED}" if bounds else NOT_CERTIFIED


def grade_words(levels: Sequence[float]) -> str:
    """The grades that an unjudged document may have, in a few words.

    >>> grade_words([0, 1, 2]), grade_words([0, 1, 4]), grade_words([0, 0.5])
    ('grades 0–2', 'grades 0, 1, 4', 'grades 0, 0.5')
    """
    shown = [f"{level:g}" for level in levels]
    whole = len(levels) > 1 and list(levels) == list(range(int(levels[0]), int(levels[0]) + len(levels)))
    return f"grades {shown[0]}–{shown[-1]}" if whole or len(levels) > _MANY else f"grades {', '.join(shown)}"


def _listed(names: Sequence[str]) -> str:
    """Some names, and how many more there are.

    >>> _listed(["a", "b"]), _listed(list("abcde"))
    ('a and b', 'a, b, c and 2 more')
    """
    first = names if len(names) <= _NAMED + 1 else [*names[:_NAMED], f"{len(names) - _NAMED:,} more"]
    return " and ".join([", ".join(first[:-1]), first[-1]]) if len(first) > 1 else first[0]
