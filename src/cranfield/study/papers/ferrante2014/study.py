"""`ferrante2014`: the experiments of Ferrante, Ferro and Maistro, on any graded collection, compared with the paper."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

import numpy as np

from cranfield.study.data.topic_sets import topic_sets
from cranfield.study.data.views import Views
from cranfield.study.engine.definition import define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.describe import Describe
from cranfield.study.kinds.fewer_judgments.reduction import LEVELS
from cranfield.study.kinds.grid import Grid
from cranfield.study.papers.claims import Claim, Discussion
from cranfield.study.papers.ferrante2014 import printed, statements
from cranfield.study.papers.ferrante2014.grid_points import Points
from cranfield.study.papers.ferrante2014.robustness import Robustness, graded, user
from cranfield.study.papers.printed_value import PrintedValue
from cranfield.study.papers.reproduction import StudyPart, cell

FULL = 100  # percent
TABLES = "Tables 2, 3"
FEW = statements.FEW[printed.HIGH]
PANELS = {"reduction": "all", "reduction-few-high": FEW, "reduction-few-key": statements.FEW[printed.KEY]}
REMARKS = (
    "other data: the paper's number is of other judgments or runs. Runs: those with MAP above the first quartile.",
    "Figs 1, 2: GAP, xGAP and eGAP of the users g = {user}; one stratum for each grade. Mean τ: over all levels with "
    "fewer judgments; better is higher, alike is within 0.05.",
    "As g₁ grows: from all users who want the highest grade to all who want grade 1; with GAP without the first step, "
    "as the three are equal where no user wants grade 1. High: at least 0.84, the lowest that the paper prints for "
    "these users; little: at most 0.05, where it prints 0.02 to 0.04.",
)


@define(
    "ferrante2014",
    "Ferrante, Ferro & Maistro 2014, compared with the paper",
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

    Runs with MAP above the first quartile are kept. The studies use all topics, and those with few highly relevant or
    key documents (grades 2 and 3). Judgments are removed at random within each grade.
    """

    usual: ClassVar[tuple[str, ...]] = ("AP", "nDCG", "RBP(rel=1)", "Bpref")
    views: ClassVar[Mapping[str, Mapping[str, Any]]] = {"score": {"keep": ("first-quartile",)}}
    source: ClassVar[str] = printed.SOURCE
    names: ClassVar[Mapping[str, str]] = printed.MEASURES | printed.users_measures()

    beside: Literal["TREC-10", "TREC-14", "TREC-21"] = option(
        "TREC-14", "collection of the paper whose printed numbers are shown"
    )
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
        """Table 1, the printed parts of Tables 2 and 3, and the statements about them and the figures."""
        counts = list(self._counted(data, found["collection"]))
        points = Points(found["grid"].tidy)
        anchors = [*_anchors(points, self.beside), *_others(points, self.beside)]
        same = all(row.verdict == "yes" for row in counts)
        return [
            *_told_apart(counts),
            *(anchors if same else map(Claim.aside, anchors)),
            *statements.on_tables(points),
            *statements.on_figures(self._panels(data, found), len(user(data.first))),
        ]

    def remarks(self, data: Views, found: Mapping[str, Findings]) -> Sequence[str]:
        """Remarks on what is compared."""
        return tuple(remark.format(user=_worded(user(data.first))) for remark in REMARKS)

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

    def _panels(self, data: Views, found: Mapping[str, Findings]) -> dict[str, statements.Lines]:
        """Set of topics -> measure -> level -> τ, for the levels with fewer judgments; unknown values are left out."""
        fewer = [level for level in self.levels if level < FULL]
        names = {short: str(measure) for short, measure in graded(data.first).items()}
        names |= {printed.MEASURES.get(each, each): each for each in ("AP", "nDCG", "RBP(rel=1)", "Bpref")}
        panels: dict[str, statements.Lines] = {}
        for part, topics in PANELS.items():
            tidy = found[part].tidy
            if tidy and fewer:
                lines = {
                    short: {level: cell(tidy, "agreement", level=level, measure=name) for level in fewer}
                    for short, name in names.items()
                }
                panels[topics] = {s: line for s, line in lines.items() if not np.isnan(list(line.values())).any()}
        return panels


def _told_apart(counts: Sequence[PrintedValue]) -> Iterator[PrintedValue]:
    """The numbers of Table 1 that must agree, because they are from the same judgments and runs."""
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


def _worded(shares: Sequence[float]) -> str:
    return f"({', '.join(f'{share:g}' for share in shares)})"
