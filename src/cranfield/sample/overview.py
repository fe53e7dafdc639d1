"""The first table of the demo: scores, how sure they are over topics and despite holes, and a test."""

import math
from typing import TYPE_CHECKING

from cranfield.tables.sheets.marked import Signed, probability
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.scores import span
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cranfield.missing.pairs.verdicts import Verdict
    from cranfield.missing.result import Holes
    from cranfield.stats.comparison.result import Comparison
    from cranfield.tables.scores import Scores


def overview(scores: "Scores", holes: "Holes", comparison: "Comparison", more: "Sequence[str]" = ()) -> Sheet:
    """One row for each run, the best first: mean, interval, judged share, possible range, difference, p.

    Args:
        scores: with intervals; the first measure is shown.
        holes: of that measure.
        comparison: with one baseline.
        more: notes that come after those about the numbers.
    """
    measure, baseline = holes.measures[0], comparison.baselines[0]
    best = scores.sorted()
    column = best.measures.index(measure)
    ranges = {each.run: each for each in holes.ranges(measure).ranges}
    pairs = [None if run == baseline else comparison.pair(run, baseline, measure) for run in best.runs]
    low, high = ([getattr(ranges[run], end) for run in best.runs] for end in ("lowest", "highest"))
    intervals = best.intervals
    lower, upper = ([math.nan] * len(best.runs) if intervals is None else intervals[:, column, end] for end in (0, 1))
    columns = (
        Column("run", best.runs),
        Column(measure, best.means[:, column], ".4f", best=True),
        Column(
            "95 % CI",
            [span(*ends) for ends in zip(lower, upper, strict=True)],
            parts=(Column("ci_low", lower), Column("ci_high", upper)),
        ),
        Column("judged@10", best.judged_shares[:, column], ".1%"),
        Column(
            "possible range",
            [f"{in_print(a, '.3f')} – {in_print(b, '.3f')}" for a, b in zip(low, high, strict=True)],
            parts=(Column("lowest", low), Column("highest", high)),
        ),
        Signed(f"vs {baseline}", [None if pair is None else pair.difference for pair in pairs], "+.4f"),
        Column(
            "p",
            [None if pair is None else probability(pair.p) + "*" * pair.significant for pair in pairs],
            parts=(Column("p", [None if pair is None else pair.p for pair in pairs]),),
        ),
    )
    family = counted(comparison.of(measure).family, "comparison")
    tested = f"{counted(len(scores.topics), 'topic')} · paired t, Holm over {family} · * corrected p < 0.05"
    return Sheet(columns, notes=(tested, *_orders(holes), *more, scores.audit.policy_line()), label="tab:demo")


def closest(verdicts: "Sequence[Verdict]") -> "Verdict | None":
    """The pair whose order the fewest unjudged documents can reverse; None if all orders are certain."""
    return min((each for each in verdicts if each.flips), key=lambda each: each.flips or 0, default=None)


def _orders(holes: "Holes") -> list[str]:
    """How sure the order of the runs is."""
    verdicts = holes.verdicts("all")
    certain = sum(verdict.status == "certain" for verdict in verdicts)
    said = [f"{certain} of {len(verdicts)} orders of two runs are certain, whatever the other judgments are"]
    if pair := closest(verdicts):
        said.append(f"{counted(pair.flips or 0, 'unjudged document')} can reverse {pair.a} – {pair.b}")
    return [*said, f"universe={holes.universe}: {holes.ranges().universe}"]
