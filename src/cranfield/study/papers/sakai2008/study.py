"""`sakai2008`: the experiments of Sakai and Kando, on any collection, compared with the paper."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from cranfield.measures.grammar import parse
from cranfield.stats.orders.kendall import critical_tau
from cranfield.study.data.views import Views
from cranfield.study.engine.definition import UnitResult, define, option
from cranfield.study.engine.findings import Drawing, Findings
from cranfield.study.kinds.correlation.study import CorrelationStudy
from cranfield.study.kinds.describe import Describe
from cranfield.study.kinds.fewer_judgments.reduction import LEVELS, Reduction
from cranfield.study.kinds.power.study import Power
from cranfield.study.papers.claims import Claim, Discussion, Ordering
from cranfield.study.papers.printed_value import PrintedValue
from cranfield.study.papers.reproduction import StudyPart, cell
from cranfield.study.papers.sakai2008 import printed
from cranfield.study.summaries.census import JudgedCounts
from cranfield.study.summaries.single_hits import ideal, scored
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import Cell, Column

CLOSE = 0.025  # of all pairs: a difference in discriminative power that is none
PAIRS = "Tables 3 to 5: pairs that are told apart, with all judgments and with 10 %, best first"
REMARKS = (
    "Gains: relevant 1, highly relevant 3. Judgments are reduced as in the paper (nested), but several times.",
    "other data: the paper's number is of runs, or of topics, that are not the same.",
)
GRADED = (
    "Graded beyond binary: share of pairs that the better of Q and nDCG separates, minus that of AP; none: up to 2.5 %."
)


@define(
    "sakai2008",
    "Sakai & Kando 2008, compared with the paper",
    cites="sakai2008",
    examples=(
        "cranfield study sakai2008 qrels.gz 'runs/*.gz' --groups groups.tsv",
        "cranfield study sakai2008 qrels.gz 'runs/*.gz' --groups groups.tsv --draws 5",
        "cranfield study sakai2008 qrels.gz 'runs/*.gz' --groups groups.tsv -o sakai/",
    ),
)
@dataclass(frozen=True)
class Sakai2008(Discussion):
    """Repeat the experiments of Sakai & Kando (2008): Q, AP, nDCG, bpref and RBP with fewer judgments.

    Mean scores and τ are those of 30 runs drawn at random; discriminative power is that of one run of each group, which
    needs `--groups`.
    """

    usual: ClassVar[tuple[str, ...]] = tuple(printed.MEASURES)
    views: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "runs": {"sample": printed.RUNS},
        "teams": {"keep": ("one-per-group",)},
    }
    source: ClassVar[str] = printed.SOURCE
    names: ClassVar[Mapping[str, str]] = printed.MEASURES

    draws: int = option(20, "repetitions of the reduction", metavar="N", check=lambda n: n >= 1, rule="from 1")
    boot: int = option(1000, "resamples of topics", metavar="N", check=lambda n: n >= 20, rule="20 or more")

    def parts(self) -> Mapping[str, StudyPart]:
        """Description, reduction, discriminative power, correlation."""
        fewer = LEVELS["sk08"]
        reduction = Reduction(levels=(100, *fewer), draws=self.draws, nested=True, rounding="sk08")
        return {
            "collection": StudyPart("teams", Describe()),
            "reduction": StudyPart("runs", reduction),
            "power": StudyPart("teams", Power(boot=self.boot, at=fewer, draws=self.draws)),
            "correlation": StudyPart("runs", CorrelationStudy(boot=0)),
        }

    def compared(self, data: Views, found: Mapping[str, Findings]) -> Sequence[PrintedValue]:
        """Table 1, then the numbers quoted from Tables 3 to 7, and the statements about them."""
        return [*_ideal_lists(), *_quoted(found["power"]), *_said(data, found)]

    def remarks(self, data: Views, found: Mapping[str, Findings]) -> Sequence[str]:
        """How the experiments differ from the printed ones."""
        return (*REMARKS, GRADED) if _is_graded(data) else REMARKS

    def findings(self, data: Views, found: Sequence[UnitResult], seed: int) -> Findings:
        """Charts of many measures become two: lists as they are, and condensed lists."""
        made = super().findings(data, found, seed)
        apart = [entry for name, drawing in made.drawings.items() for entry in _apart(name, drawing)]
        return replace(made, aside={**made.aside, PAIRS: _pairs(made.details["power"])}, drawings=dict(apart))


def _ideal_lists() -> Iterator[PrintedValue]:
    """Table 1."""
    for p, row in printed.TABLE_1.items():
        values = scored(parse(f"RBP(p={p:g})"), ideal(printed.IDEAL)).tolist()
        for relevant, value, here in zip(printed.IDEAL, row, values, strict=True):
            yield PrintedValue("Table 1", f"RBP{p:g}".replace("0.", ".") + f" of {relevant} relevant", value, here, 4)


def _quoted(power: Findings) -> Iterator[Claim]:
    """Numbers of Tables 3 to 5, for other runs."""
    named = {short: name for name, short in printed.MEASURES.items()}
    q, ap, bpref = (named[short] for short in ("Q", "AP", "bpref_R"))

    def counts(measure: str, part: str, whole: str, kept: float) -> tuple[float, float]:
        return cell(power.tidy, part, measure=measure, kept=kept), cell(power.tidy, whole, measure=measure, kept=kept)

    here = (
        counts(q, "significant", "pairs", 100.0),
        counts(ap, "significant", "pairs", 10),
        counts(ap, "inconsistent", "significant", 10),
        counts(bpref, "inconsistent", "significant", 10),
    )
    needed = cell(power.tidy, "difference_needed", measure=q, kept=100.0)
    if not np.isnan(needed):
        what = f"difference that Q needs ({printed.TREC})"
        yield Claim.aside(PrintedValue("Tables 3, 4", what, printed.NEEDED, needed, 2))
    for ((item, what), theirs), ours in zip(printed.COUNTS.items(), here, strict=True):
        if ours[1] > 0:
            yield Claim.counts(item, what, theirs, ours)


def _said(data: Views, found: Mapping[str, Findings]) -> Iterator[Claim]:
    """Statements about Tables 3 to 7."""
    full, low, tau = (_ordering(found, *which) for which in (("power", 100.0), ("power", 10), ("reduction", 10)))
    yield from _separating(full, low, graded=_is_graded(data))
    left = Ordering({name: value for name, value in tau.values.items() if name != printed.DROPPED})
    if left.knows(set(printed.MEASURES.values()) - {printed.DROPPED}):
        best, worst = ", ".join(printed.ROBUST), ", ".join(printed.COLLAPSED)
        leads, falls = left.leads(printed.ROBUST), set(left.names[-2:]) == set(printed.COLLAPSED)
        yield Claim.of("Table 7", "the three highest τ at 10 %", best, left.first(3), holds=leads)
        yield Claim.of("Table 7", "the two lowest τ at 10 %, RBP.5 aside", worst, left.last(2), holds=falls)
    pool = JudgedCounts.of(data.first)
    fine = int((pool.relevant <= pool.judged - pool.relevant).sum())
    topics = len(pool.judged)
    yield Claim.of("text", "topics with R ≤ N (bpref is bpref_R)", "all", f"{fine} of {topics}", holds=fine == topics)
    exact = critical_tau(printed.RUNS, 0.01)
    said, here = f"above {printed.SIGNIFICANT}", f"{exact:.4f} at 0.01; {critical_tau(printed.RUNS, 0.05):.4f} at 0.05"
    holds = exact <= printed.SIGNIFICANT < exact + 0.01
    yield Claim.of("text", f"significant τ of {printed.RUNS} runs, no level named", said, here, holds=holds)


def _separating(full: Ordering, low: Ordering, graded: bool) -> Iterator[Claim]:
    """Statements about Tables 3 and 4, at 100 % and at 10 %; one of them is about grades."""
    everything = set(printed.MEASURES.values())
    if not (full.knows(everything) and low.knows(everything)):
        return
    group, robust, last = (", ".join(names) for names in (printed.GROUP, printed.ROBUST, printed.LAST))
    left = Ordering({name: value for name, value in low.values.items() if name != printed.DROPPED})
    tables = "Tables 3, 4"
    most = len(printed.GROUP)
    what = f"the group that separates most pairs (TREC 2003, 2004: {most})"
    yield Claim.of(tables, what, group, full.first(most), holds=full.leads(printed.GROUP))
    dropped = full.ends([printed.DROPPED])
    yield Claim.of(tables, "separates fewest pairs", printed.DROPPED, full.last(1), holds=dropped)
    yield Claim.of(tables, "the three best at 10 %", robust, left.first(3), holds=left.leads(printed.ROBUST))
    between = left.names[len(printed.ROBUST) : -len(printed.LAST)]
    holds = set(between) == set(printed.MIDDLE)
    middle = ", ".join(printed.MIDDLE)
    yield Claim.of("conclusion", "the middle at 10 %, in any order", middle, ", ".join(between), holds=holds)
    ends = left.ends(printed.LAST)
    yield Claim.of(tables, "the last at 10 %, RBP.5 aside", last, left.last(len(printed.LAST)), holds=ends)
    if not graded:
        return
    whole, condensed = (
        max(low.values[f"Q{mark}"], low.values[f"nDCG{mark}"]) - low.values[f"AP{mark}"] for mark in ("", "′")
    )
    here = f"{in_print(whole, '+.1%')}; {in_print(condensed, '+.1%')}"
    holds = whole > CLOSE >= condensed
    yield Claim.of(tables, "graded beyond binary at 10 %; condensed", "some; none", here, holds=holds)


def _ordering(found: Mapping[str, Findings], part: str, level: float) -> Ordering:
    """Discriminative power, or τ, of all measures at a level, by the names of the paper."""
    value, axis = {"power": ("share", "kept"), "reduction": ("agreement", "level")}[part]
    rows: dict[str, dict[str, Cell]] = {s: {axis: level, "measure": name} for name, s in printed.MEASURES.items()}
    return Ordering({short: cell(found[part].tidy, value, **where) for short, where in rows.items()})


def _is_graded(data: Views) -> bool:
    return data.first.hits.top_grade > 1


def _pairs(power: Sequence[Column]) -> tuple[Column, ...]:
    """The layout of Tables 3 to 5: a row for each measure, those that separate most pairs first."""
    names = {
        name: s for name, s in printed.MEASURES.items() if not np.isnan(cell(power, "share", measure=name, kept=10))
    }
    order = sorted(names, key=lambda name: -cell(power, "share", measure=name, kept=100.0))

    def column(value: str, kept: float) -> list[float]:
        return [cell(power, value, measure=name, kept=kept) for name in order]

    inconsistent, separated = (np.array(column(value, 10)) for value in ("inconsistent", "significant"))
    share = np.divide(inconsistent, separated, out=np.full(len(order), np.nan), where=separated > 0)
    return (
        Column("measure", [names[name] for name in order]),
        Column("separated", column("significant", 100.0), ".0f"),
        Column("share", column("share", 100.0), ".1%"),
        Column("needed", column("difference_needed", 100.0), ".2f"),
        Column("at 10 %", separated, ".1f"),
        Column("share at 10 %", column("share", 10), ".1%"),
        Column("needed at 10 %", column("difference_needed", 10), ".2f"),
        Column("inconsistent", inconsistent, ".1f"),
        Column("of these", share, ".0%"),
    )


def _apart(name: str, drawing: Drawing) -> list[tuple[str, Drawing]]:
    """The drawing; if it has all measures, one drawing of whole lists and one of condensed lists."""
    sides = {"whole": printed.WHOLE, "condensed": printed.CONDENSED}
    curves = {curve.label: curve for curve in drawing.curves}
    if not curves.keys() >= {*printed.WHOLE, *printed.CONDENSED}:
        return [(name, drawing)]
    tops = [float(np.nanmax(curve.y if curve.high is None else curve.high)) for curve in drawing.curves]
    up = drawing.up or (0.0, max(tops) or 1.0)  # the same for both
    return [
        (f"{name}-{side}", replace(drawing, curves=tuple(curves[label] for label in labels), up=up))
        for side, labels in sides.items()
    ]
