"""`ferrante2014`: the experiments of Ferrante, Ferro and Maistro, on any graded collection, beside the print."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from cranfield.study.data.topic_sets import topic_sets
from cranfield.study.data.views import Views
from cranfield.study.engine.definition import define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.describe import Describe
from cranfield.study.kinds.grid import Grid
from cranfield.study.kinds.reduction import LEVELS
from cranfield.study.papers.claims import Claim, Discussion, Ordering
from cranfield.study.papers.ferrante2014 import printed
from cranfield.study.papers.ferrante2014.grid_points import Points
from cranfield.study.papers.ferrante2014.robustness import Robustness
from cranfield.study.papers.printed_value import PrintedValue
from cranfield.study.papers.reproduction import StudyPart, cell
from cranfield.tables.sheets.numerals import in_print

CLOSE = 0.05  # τ: so much below AP is still as robust
FULL = 100  # percent
TABLES, FIGURES = "Tables 2, 3", "Figs 1, 2"
FEW = f"few of grade {printed.HIGH}"
REMARKS = (
    "other data: the paper's number is of other judgments or runs. Runs: those with MAP above the first quartile.",
    "Figures 1 and 2: GAP, xGAP and eGAP of users who want every grade equally often; one stratum for each grade.",
)


@define(
    "ferrante2014",
    "Ferrante, Ferro & Maistro 2014, beside the print",
    cites="ferrante2014 robertson2010",
    examples=(
        "cranfield study ferrante2014 qrels.gz 'runs/*.gz'",
        "cranfield study ferrante2014 qrels.gz 'runs/*.gz' --beside TREC-21",
        "cranfield study ferrante2014 qrels.gz 'runs/*.gz' --draws 50 -o ferrante2014/",
    ),
)
@dataclass(frozen=True)
class Ferrante2014(Discussion):
    """Repeat the experiments of Ferrante, Ferro & Maistro (2014): GAP, xGAP and eGAP beside other measures.

    Runs with MAP above the first quartile are kept. Topics are looked at together, and where highly relevant or key
    documents (grades 2 and 3) are few. Judgments are removed at random within each grade.
    """

    usual: ClassVar[tuple[str, ...]] = ("AP", "nDCG", "RBP(rel=1)", "Bpref")
    views: ClassVar[Mapping[str, Mapping[str, Any]]] = {"score": {"keep": ("first-quartile",)}}
    source: ClassVar[str] = printed.SOURCE
    names: ClassVar[Mapping[str, str]] = printed.MEASURES

    beside: Literal["TREC-10", "TREC-14", "TREC-21"] = option("TREC-14", "whose printed numbers are shown")
    levels: tuple[float, ...] = option(
        LEVELS["ffm14"],
        "percent of the judgments kept",
        metavar="P,…",
        also=LEVELS,
        check=lambda levels: bool(levels) and all(0 < level <= 100 for level in levels),
        rule="percentages above 0, up to 100",
    )
    draws: int = option(20, "repetitions of the reduction", metavar="N", check=lambda n: n >= 1, rule="from 1")

    def parts(self) -> Mapping[str, StudyPart]:
        """Description, grid of users, reduction on each set of topics."""
        fewer = Robustness(levels=self.levels, draws=self.draws, stratify="grade")
        return {
            "collection": StudyPart("score", Describe(top_grade=printed.KEY)),
            "grid": StudyPart("score", Grid()),
            "reduction": StudyPart("score", fewer),
            "reduction-few-high": StudyPart("score", replace(fewer, few=printed.HIGH)),
            "reduction-few-key": StudyPart("score", replace(fewer, few=printed.KEY)),
        }

    def compared(self, data: Views, found: Mapping[str, Findings]) -> Sequence[PrintedValue]:
        """Table 1, what is printed of Tables 2 and 3, and what is said of them and of the figures."""
        counts = list(self._counted(data, found["collection"]))
        points = Points(found["grid"].tidy)
        anchors = [*_anchors(points, self.beside), *_others(points, self.beside)]
        same = all(row.verdict == "yes" for row in counts)
        return [
            *_told_apart(counts),
            *(anchors if same else map(Claim.aside, anchors)),
            *_said(points),
            *self._robust(found["reduction"]),
        ]

    def remarks(self, data: Views, found: Mapping[str, Findings]) -> Sequence[str]:
        """What stands beside what."""
        return REMARKS

    def _counted(self, data: Views, collection: Findings) -> Iterator[PrintedValue]:
        """Table 1."""
        runs = sum(entry["role"] == "run" for entry in data.audit.inputs)
        rare = [int(each.kept.sum()) for each in topic_sets(data.first, (printed.HIGH, printed.KEY))[1:]]
        grades = [what for what in _whats(collection) if what.startswith("grade ")]
        relevant = [cell(collection.tidy, name, what="relevant per topic") for name in ("min", "mean", "max")]
        here = (len(data.first.topics), *relevant, len(grades), *rare, runs, len(data.first.runs))
        for each, value in zip(printed.TABLE_1, here, strict=True):
            if self.beside in each.values:
                yield each.beside(self.beside, float(value))

    def _robust(self, reduction: Findings) -> Iterator[Claim]:
        """What the figures are said to show: τ, averaged over all levels with fewer judgments."""
        fewer = [level for level in self.levels if level < FULL]
        tau = {
            name: [cell(reduction.tidy, "agreement", level=level, measure=name) for level in fewer]
            for name in (*printed.GRADED[1:], "AP")
        }
        if fewer and not np.isnan(list(tau.values())).any():
            mean = {name: float(np.mean(values)) for name, values in tau.items()}
            here = ", ".join(f"{name} {in_print(value, '.2f')}" for name, value in mean.items())
            holds = min(mean.values()) >= mean["AP"] - CLOSE
            yield Claim.of(FIGURES, "xGAP, eGAP are robust: mean τ of all levels", "as AP is", here, holds=holds)


def _told_apart(counts: Sequence[PrintedValue]) -> Iterator[PrintedValue]:
    """Table 1 as numbers that have to agree, as far as it is of the same judgments and of the same runs."""
    fits = {row.what: row.verdict == "yes" for row in counts}
    judged, runs = all(fits[what] for what in printed.JUDGED), fits[printed.RUNS]
    for row in counts:
        yield row if (runs if "runs" in row.what else judged) else Claim.aside(row)


def _whats(collection: Findings) -> list[str]:
    return [str(what) for column in collection.tidy if column.name == "what" for what in column.raw]


def _anchors(points: Points, collection: str) -> Iterator[PrintedValue]:
    """Tables 2 and 3: τ with AP, and with GAP."""
    for shares, rows in printed.WITH_AP[collection].items():
        for topics, row in zip(("all", FEW), rows, strict=False):
            for name, value in zip(printed.GRADED, row, strict=True):
                here = points.value(shares, name, "AP", topics)
                if not np.isnan(here):
                    yield PrintedValue(TABLES, f"τ of {name} and AP, g = {_worded(shares)}, {topics}", value, here, 2)
    for topics, row in zip(("all", FEW), printed.WITH_GAP.get(collection, ()), strict=False):
        for name, value in zip(printed.GRADED[1:], row, strict=True):
            here = points.value((0.1, 0.9), name, "GAP", topics)
            if not np.isnan(here):
                yield PrintedValue(TABLES, f"τ of {name} and GAP, g = (0.1, 0.9), {topics}", value, here, 2)


def _others(points: Points, collection: str) -> Iterator[PrintedValue]:
    """τ of AP, which GAP is where all users want grade 1, and the other measures."""
    others = ("nDCG", "RBP(rel=1)", "Bpref")
    for other, value in zip(others, printed.OTHERS.get(collection, ()), strict=False):
        here = points.value(points.corners[0], "GAP", other)
        if not np.isnan(here):
            yield PrintedValue(TABLES, f"τ of AP and {printed.MEASURES.get(other, other)}", value, here, 2)


def _said(points: Points) -> Iterator[Claim]:
    """Statements about Tables 2 and 3."""
    same = points.least(points.corners, "GAP")
    what = "all users want one grade: least τ of the three"
    yield Claim.of(TABLES, what, "1", f"{same:.2f}", holds=same > 1 - 1e-9)
    lenient = points.least([point for point in points.corners if point[0] == 1], "AP")
    if np.isnan(lenient):
        return
    yield Claim.of(TABLES, "all users want grade 1: least τ with AP", "1", f"{lenient:.2f}", holds=lenient > 1 - 1e-9)
    for what, pair in (("GAP is as near to AP as xGAP", ("GAP", "xGAP")), ("xGAP as near as eGAP", ("xGAP", "eGAP"))):
        yield _all(TABLES, what, *points.ordered(*pair))
    for name in printed.GRADED:
        yield _all(TABLES, f"{name} leaves AP as users want more, steps", *points.falling(name))
    if FEW in points.sets:
        for name in printed.GRADED[1:]:
            yield _all(TABLES, f"{name} is further from AP where few are high", *points.apart(name, FEW))
    near = Ordering(
        {
            printed.MEASURES.get(other, other): points.value(points.corners[0], "GAP", other)
            for other in ("nDCG", "RBP(rel=1)", "Bpref")
        }
    )
    if near.knows(near.values):
        yield Claim.of(TABLES, "nDCG, bpref, RBP: furthest from AP", "RBP", near.last(1), holds=near.ends(["RBP"]))


def _all(item: str, what: str, count: int, of: int) -> Claim:
    """A statement that is said of all points."""
    return Claim.of(item, what, "always", f"{count} of {of}", holds=count == of)


def _worded(shares: Sequence[float]) -> str:
    return f"({', '.join(f'{share:g}' for share in shares)})"
