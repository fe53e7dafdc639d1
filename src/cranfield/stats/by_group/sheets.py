"""The printed tables of scores by group."""

from typing import TYPE_CHECKING

from cranfield.errors.names import place
from cranfield.tables.sheets.blocks import SheetBlocks, TitledSheet
from cranfield.tables.sheets.scores import span
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.by_group.grouped import GroupedScores, GroupMean

SIDE_BY_SIDE = 5  # groups that are printed side by side; more are printed below each other


def sheet(grouped: "GroupedScores") -> SheetBlocks:
    """A table for each measure for people; one row for each run, measure and group for programs."""
    rows = list(grouped.rows())
    columns = (
        Column("run", [row.run for row in rows]),
        Column("measure", [row.measure for row in rows]),
        Column(grouped.grouping.noun, [row.group or grouped.mean_of for row in rows]),
        Column("topics", [row.topics for row in rows]),
        Column("mean", [row.mean for row in rows]),
        Column("ci_low", [row.ci[0] for row in rows]),
        Column("ci_high", [row.ci[1] for row in rows]),
        Column("judged", [row.judged for row in rows]),
    )
    blocks = tuple(_block(grouped, measure) for measure in grouped.scores.measures)
    return SheetBlocks(columns, _notes(grouped), blocks=blocks)


def _block(grouped: "GroupedScores", measure: str) -> TitledSheet:
    """One measure: the runs below each other, and the groups beside each other if they are few."""
    noun, scores = grouped.grouping.noun, grouped.scores
    column = place(measure, scores.measures, "measure")
    title = f"{measure} · {counted(len(grouped.groups), noun)} · {counted(len(scores.topics), 'topic')}"
    rows = [row for row in grouped.rows() if row.measure == measure]
    if len(grouped.groups) > SIDE_BY_SIDE:
        return TitledSheet(_long(grouped, rows), title=title, caption=_caption(grouped, title), label="tab:groups")
    columns = [Column("run", scores.runs)]
    for group in (*grouped.groups, None):
        own = [row for row in rows if row.group == group]
        name = (
            grouped.mean_of
            if group is None
            else f"{group} ({len(grouped.grouping.members[grouped.groups.index(group)]):,})"
        )
        columns.append(Column(name, [row.mean for row in own], ".4f", best=True))
        if grouped.interval != "none":
            columns.append(Column("95 % CI", [span(*row.ci) for row in own], attached=True))
    if not grouped.missing:
        columns.append(Column("all topics", scores.means[:, column], ".4f", best=True))
    return TitledSheet(tuple(columns), title=title, caption=_caption(grouped, title), label="tab:groups")


def _caption(grouped: "GroupedScores", title: str) -> str:
    return f"{title}; {grouped.audit.policy_line()}."


def _long(grouped: "GroupedScores", rows: "list[GroupMean]") -> tuple[Column, ...]:
    """Groups below each other, with a column for each run."""
    names = [*grouped.groups, None]
    sizes = [*map(len, grouped.grouping.members), sum(map(len, grouped.grouping.members))]
    by_cell = {(row.run, row.group): row for row in rows}
    columns = [
        Column(grouped.grouping.noun, [name or grouped.mean_of for name in names]),
        Column("topics", sizes, ","),
    ]
    for run in grouped.scores.runs:
        columns.append(Column(run, [by_cell[run, name].mean for name in names], ".4f"))
        if grouped.interval != "none":
            columns.append(Column("95 % CI", [span(*by_cell[run, name].ci) for name in names], attached=True))
    return tuple(columns)


def _notes(grouped: "GroupedScores") -> tuple[str, ...]:
    noun, audit = grouped.grouping.noun, grouped.audit
    everywhere = "" if grouped.missing or len(grouped.groups) > SIDE_BY_SIDE else "; in that of all topics every topic"
    said = [f"in the mean of {noun}s every {noun} counts alike{everywhere}."]
    if grouped.interval != "none":
        said.append(f"intervals: {grouped.interval} over the topics of a {noun}; of their mean: stratified t.")
    said += [*replicate_notes(grouped), *missing_notes(grouped)]
    return (*said, *audit.footer(grouped.scores.cutoff), audit.policy_line())


def replicate_notes(grouped: "GroupedScores") -> list[str]:
    """Where systems have replicates: that these are random within groups, and fixed in the mean of groups."""
    behind, noun = grouped.scores.replicates, grouped.grouping.noun
    if behind is None:
        return []
    named = "; ".join(behind.notes(grouped.scores.runs))
    return [f"{named}.", f"within a {noun} topics and replicates are random, in the mean of {noun}s only topics."]


def missing_notes(grouped: "GroupedScores") -> list[str]:
    """Which runs have no topic in some group; and if no run has all, that there is no mean of groups."""
    noun, missing = grouped.grouping.noun, grouped.missing
    if missing and not grouped.complete.any():
        named = [f"{run} lacks {', '.join(lost)}" for run, lost in missing.items()]
        return [f"no run is in every {noun} by its name, so that there is no mean of {noun}s: {'; '.join(named)}."]
    return [f"{run} has no topic in {', '.join(lost)}, and so no mean of {noun}s." for run, lost in missing.items()]
