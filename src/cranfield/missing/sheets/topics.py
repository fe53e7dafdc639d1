"""The possible range of each run in each topic."""

from collections.abc import Sequence

from cranfield.arrays import Floats
from cranfield.missing.ranges import TopicRanges
from cranfield.tables.sheets.sheet import Column, Sheet


def topic_sheet(runs: Sequence[str], topics: Sequence[str], values: Floats, found: TopicRanges) -> Sheet:
    """One row for each run and topic."""
    cells = [(run, topic) for run in range(len(runs)) for topic in range(len(topics))]
    return Sheet(
        (
            Column("run", [runs[run] for run, _ in cells]),
            Column("topic", [topics[topic] for _, topic in cells]),
            Column("lowest", [float(found.low[cell]) for cell in cells]),
            Column("as_judged", [float(values[cell]) for cell in cells]),
            Column("highest", [float(found.high[cell]) for cell in cells]),
            Column("exact", [bool(found.exact[cell]) for cell in cells]),
        )
    )
