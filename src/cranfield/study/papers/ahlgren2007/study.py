"""`ahlgren2007`: the experiments of Ahlgren and Grönqvist, on any collection, compared with the printed numbers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np

from cranfield.align.hits import Hits
from cranfield.measures.grammar import parse
from cranfield.study.data.views import Views
from cranfield.study.engine.definition import define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.correlation.study import CorrelationStudy
from cranfield.study.kinds.describe import Describe
from cranfield.study.kinds.fewer_judgments.reduction import AG07, LEVELS, Reduction
from cranfield.study.kinds.swap.study import SwapStudy
from cranfield.study.papers.ahlgren2007 import printed
from cranfield.study.papers.printed_value import PrintedValue, lined_up
from cranfield.study.papers.reproduction import PaperStudy, StudyPart, cell, cells

THRESHOLD = 0.9  # τ below which an order has changed
NO_RUNS = ("Table 1", "Table 4")  # need no runs
FIRST = ("Table 1", "Table 2", "Table 3")
REMARKS = (
    "Tables 2 and 3 follow the rank column (ties=given), everything else the scores in double precision.",
    "δ: cumulative rule of the swap method, in bins of 0.002; topic sets drawn with another seed may change it by one "
    "bin. σ of Tables 5-7 is a variance, divisor n.",
    "Figs 6-8: the highest level at which the mean τ over the draws lies below 0.9.",
    "other data: the paper's number is of other runs.",
)


@define(
    "ahlgren2007",
    "Ahlgren & Grönqvist 2007, compared with the paper",
    cites="ahlgren2007",
    examples=(
        "cranfield study ahlgren2007 qrels.gz 'runs/*.gz'",
        "cranfield study ahlgren2007 qrels.gz 'runs/*.gz' --beside TREC-12",
        "cranfield study ahlgren2007 qrels.gz 'runs/*.gz' --draws 50 -o ahlgren2007/",
    ),
)
@dataclass(frozen=True)
class Ahlgren2007(PaperStudy):
    """Repeat the experiments of Ahlgren & Grönqvist (2007): MAP, bpref-10 and RankEff with fewer judgments.

    Runs with at least 95 % of the documents that full lists of 1000 would hold, and one for every topic, are kept.
    """

    usual: ClassVar[tuple[str, ...]] = tuple(printed.MEASURES)
    views: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "score": {"keep": ("ag07",)},
        "rank": {"keep": ("ag07",), "ties": "given"},
    }
    source: ClassVar[str] = printed.SOURCE
    names: ClassVar[Mapping[str, str]] = printed.MEASURES

    beside: Literal["TREC-8", "TREC-10", "TREC-12"] = option(
        "TREC-8", "collection of the paper whose printed numbers are shown"
    )
    levels: tuple[float, ...] = option(
        AG07,
        "percent of the judgments kept",
        metavar="P,…",
        also=LEVELS,
        check=lambda levels: bool(levels) and all(0 < level <= 100 for level in levels),
        rule="percentages above 0, up to 100",
    )
    draws: int = option(20, "repetitions of the reduction", metavar="N", check=lambda n: n >= 1, rule="from 1")
    sets: int = option(1000, "pairs of topic sets", metavar="N", check=lambda n: n >= 1, rule="from 1")
    boot: int = option(1000, "resamples behind intervals", metavar="N", check=lambda n: n >= 0, rule="from 0")

    def parts(self) -> Mapping[str, StudyPart]:
        """Description, swap method, correlation, reduction."""
        return {
            "collection": StudyPart("rank", Describe(depths=(1000, 100))),
            "swap": StudyPart("score", SwapStudy(sets=self.sets)),
            "correlation": StudyPart("score", CorrelationStudy(boot=self.boot)),
            "reduction": StudyPart("score", Reduction(levels=self.levels, draws=self.draws)),
        }

    def compared(self, data: Views, found: Mapping[str, Findings]) -> Sequence[PrintedValue]:
        """Tables 1 to 8, and where τ falls below 0.9."""
        computed = {
            **_counted(data, found["collection"]),
            **dict(_swapped(data, found["swap"])),
            **dict(_correlated(data, found["correlation"])),
            "% of judgments where τ of RankEff is below .9": self._fallen(found["reduction"]),
        }
        rows = lined_up(printed.PUBLISHED, self.beside, computed)
        first = [row for row in rows if row.item in FIRST]
        figures = _by_rank(self.beside, found["collection"])
        return _of_other_runs([*first, *figures, *_hypothetical(), *rows[len(first) :]])

    def remarks(self, data: Views, found: Mapping[str, Findings]) -> Sequence[str]:
        """Which order belongs to which table."""
        return REMARKS

    def _fallen(self, reduction: Findings) -> float:
        """The highest level at which the mean τ of RankEff is too low; NaN, if it never is."""
        order = cells(reduction.tidy, "agreement", measure="BprefN")
        low = [level for level, tau in zip(self.levels, order, strict=bool(order)) if tau < THRESHOLD] if order else []
        return max(low, default=float("nan"))


def _names(data: Views) -> dict[str, str]:
    """Canonical name -> name in the paper, of the measures that were asked for."""
    return {name: short for name, short in printed.MEASURES.items() if name in map(str, data.measures)}


def _counted(data: Views, collection: Findings) -> dict[str, float]:
    """Tables 1 to 3."""
    names = [each.what for each in printed.PUBLISHED if each.item in FIRST]
    runs = sum(entry["role"] == "run" for entry in data.audit.inputs)
    means = {name: cell(collection.tidy, "mean", what=name) for name in names}
    kept = len(data.first.runs)
    return means | {"topics": len(data.first.topics), "runs kept": kept, "runs excluded": runs - kept}


def _swapped(data: Views, swap: Findings) -> Iterator[tuple[str, float]]:
    """Tables 5 to 7."""
    for name, short in _names(data).items():
        yield f"best {short}", cell(swap.tidy, "best", measure=name)
        yield f"δ of {short}", cell(swap.tidy, "delta", measure=name)
        yield f"100 δ/best of {short}", cell(swap.tidy, "delta_percent", measure=name)
        yield f"variance of {short} (headed σ)", cell(swap.tidy, "variance", measure=name)


def _correlated(data: Views, correlation: Findings) -> Iterator[tuple[str, float]]:
    """Table 8."""
    for (a, first), (b, second) in combinations(_names(data).items(), 2):
        yield f"τ of {first} and {second}", cell(correlation.tidy, "value", measure=a, other=b)


def _of_other_runs(rows: Sequence[PrintedValue]) -> list[PrintedValue]:
    """The rows, marked as numbers of other runs where the paper keeps more or fewer of them."""
    runs = next(row for row in rows if row.what == "runs kept")
    other = runs.printed is not None and runs.printed != runs.computed
    return [replace(row, other=other and row.item not in NO_RUNS) for row in rows]


def _by_rank(collection: str, described: Findings) -> list[PrintedValue]:
    """Figure 1: the numbers that the text reads from it, for one collection."""
    ranks = described.details["ranks"]
    shares = {f"% unjudged at rank {n} (about)": 100 * cell(ranks, "unjudged", rank=n) for n in printed.UNJUDGED}
    return lined_up([each for each in printed.FIGURE_1 if collection in each.values], collection, shares)


def _hypothetical() -> list[PrintedValue]:
    """Table 4: two rankings that bpref-10 cannot tell apart."""
    rows = []
    for (ranking, short), value in printed.TABLE_4.items():
        measure = parse(next(name for name, known in printed.MEASURES.items() if known == short))
        relevant = printed.RANKINGS[ranking]
        listed = [(rank, int(rank in relevant)) for rank in range(1, printed.JUDGED + 1)]
        levels = [[printed.JUDGED - len(relevant), len(relevant)]]
        scored = float(np.asarray(measure(Hits.of([listed], levels, [printed.JUDGED])))[0])
        rows.append(PrintedValue("Table 4", f"{short} of {ranking}", value, scored, 3))
    return rows
