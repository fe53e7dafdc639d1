"""The printed tables of a comparison by group."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from cranfield.stats.by_group.sheets import missing_notes, replicate_notes
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.tables.sheets.blocks import SheetBlocks, TitledSheet
from cranfield.tables.sheets.marked import Signed, Starred, probability
from cranfield.tables.sheets.scores import span
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.by_group.comparing import GroupedComparison, GroupPair
    from cranfield.stats.comparison.pair import Pair


def sheet(compared: "GroupedComparison") -> SheetBlocks:
    """For people the mean of groups, then each group; for programs one row per pair, measure and group."""
    blocks: list[Sheet] = [_mean_sheet(compared, measure) for measure in compared.grouped.scores.measures]
    said_of = [part.sheet().notes[:-1] for part in compared.parts]
    common = [note for note in said_of[0] if all(note in notes for notes in said_of)]
    notes = dict.fromkeys(common)
    for group, part in zip(compared.grouped.groups, compared.parts, strict=True):
        own = part.sheet()
        blocks += [_of_group(group, block) for block in own.blocks]
        notes |= dict.fromkeys(f"{group}: {note}" for note in own.notes[:-1] if note not in common)
    noun = compared.grouped.grouping.noun
    said = [
        f"p values of a measure are corrected over all {noun}s together, those of the mean of {noun}s over its pairs.",
        f"{compared.grouped.mean_of}: stratified t, topics within {noun}s, Satterthwaite's degrees of freedom.",
        *replicate_notes(compared.grouped)[1:],
        *missing_notes(compared.grouped),
    ]
    return SheetBlocks(_rows(compared), (*said, *notes, compared.audit.policy_line()), blocks=tuple(blocks))


def _of_group(group: str, block: Sheet) -> Sheet:
    """The table of a group, with its name in the title."""
    return replace(block, title=f"{group} · {block.title}") if isinstance(block, TitledSheet) and block.title else block


def _mean_sheet(compared: "GroupedComparison", measure: str) -> TitledSheet:
    """One measure by the mean of groups."""
    pairs = [pair for pair in compared.pairs if pair.measure == measure]
    method, known = compared.method, sum(not math.isnan(pair.p_raw) for pair in pairs)
    family = sum(not math.isnan(pair.p_raw) for pair in compared.pairs) if method.family == "all" else known
    corrected = "uncorrected" if method.adjust == "none" else CORRECTIONS[method.adjust].title
    tested = (
        []
        if method.test == "none"
        else ["stratified t, two-sided", f"{corrected} over {counted(family, 'comparison')}"]
    )
    grouped = compared.grouped
    sizes = counted(len(grouped.groups), grouped.grouping.noun)
    title = " · ".join(
        [measure, f"mean of {sizes}", counted(sum(map(len, grouped.grouping.members)), "topic"), *tested]
    )
    columns = (
        Column("pair", [f"{pair.run} – {pair.baseline}" for pair in pairs]),
        Column("mean", [pair.mean for pair in pairs], ".4f"),
        Signed("Δ", [pair.difference for pair in pairs], "+.4f"),
        Column(f"{method.percent:g} % CI of Δ", [span(*pair.ci, "+.4f") for pair in pairs]),
        *([Starred("p", [_starred(pair) for pair in pairs])] if tested else []),
    )
    return TitledSheet(columns, title=title, caption=f"{title}.", label="tab:groups")


def _rows(compared: "GroupedComparison") -> tuple[Column, ...]:
    """Every pair in every group, and by their mean, in full precision."""
    rows: list[tuple[str, GroupPair | Pair]] = [(compared.grouped.mean_of, pair) for pair in compared.pairs]
    for group, part in zip(compared.grouped.groups, compared.parts, strict=True):
        rows += [(group, pair) for pair in part.pairs()]
    names = ("run", "baseline", "measure", "difference", "statistic", "p_raw", "p", "significant")
    plain = {name: [getattr(pair, name) for _, pair in rows] for name in names}
    ends = [pair.ci for _, pair in rows]
    return (
        Column(compared.grouped.grouping.noun, [group for group, _ in rows]),
        *(Column(name, plain[name]) for name in ("run", "baseline", "measure", "difference")),
        Column("ci_low", [low for low, _ in ends]),
        Column("ci_high", [high for _, high in ends]),
        *(Column(name, plain[name]) for name in ("statistic", "p_raw", "p", "significant")),
    )


def _starred(pair: "GroupPair") -> str:
    return "–" if math.isnan(pair.p) else probability(pair.p) + "*" * pair.significant
