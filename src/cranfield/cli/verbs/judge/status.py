"""`cranfield judge status LAB`: progress by queue, topic and assessor."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import COUNT, NUMBER, TEXT, record, rows
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell

if TYPE_CHECKING:
    from cranfield.judging.records import QueueState
    from cranfield.judging.serving.summaries import LabStatus, PersonStatus
    from cranfield.tables.sheets.sheet import Sheet

_COUNTS = ("pairs", "open", "agreed", "disputed", "settled", "wanted")
_RESULT = record(
    {
        "name": TEXT,
        **dict.fromkeys(_COUNTS, COUNT),
        "per_minute": NUMBER,
        "minutes_left": NUMBER,
        "queues": rows(record({"name": TEXT, "kind": TEXT, "pairs": COUNT, "open": COUNT, "k": COUNT})),
        "topics": rows(record({"topic": TEXT, "pairs": COUNT, "open": COUNT})),
        "assessors": rows(record({"name": TEXT, "kind": TEXT, "judged": COUNT, "cannot": COUNT})),
        "leases": rows(record({"assessor": TEXT, "since_ms": COUNT, "until_ms": COUNT})),
    }
)
_EXAMPLES = (
    "cranfield judge status lab.db",
    "cranfield judge status lab.db --topics",
    "cranfield judge status lab.db --json",
)


@subverb("LAB", _EXAMPLES, _RESULT)
@lab_argument
@options.option("--topics", "topics", group="output", is_flag=True, brief=True, help="also show every topic")
@options.streams
@click.pass_obj
def command(console: Console, lab: str, topics: bool) -> int:
    """Say how far a lab is: queues, topics, assessors, pairs that are held, pace and time left."""
    from cranfield.judging.lab import Lab

    status = Lab.open(lab).status()
    sheets = [_queues(status), _assessors(status), *([_topics(status)] if topics else [])]
    tables = [sheet.text(console.screen) for sheet in sheets if sheet.records()]
    text = "\n\n".join([_line(lab, status), *("\n".join(each[1:] for each in t.splitlines()) for t in tables)])
    return tell(console, text, _data(status))


def _line(lab: str, status: "LabStatus") -> str:
    """The lab in one line."""
    done = status.agreed + status.settled
    parts = [f"{status.pairs:,} pairs", f"{done:,} done", f"{status.open:,} open", f"{status.disputed:,} in dispute"]
    parts.append(f"{status.wanted:,} judgments needed")
    if status.leases:
        parts.append(f"{len(status.leases):,} held")
    if status.minutes_left is not None:
        hours, minutes = divmod(round(status.minutes_left), 60)
        left = f"{hours:,} h {minutes} min" if hours else f"{minutes} min"
        parts.append(f"{status.per_minute:.1f} per minute, {left} left")
    return f"{lab}: {' · '.join(parts)}"


def _queues(status: "LabStatus") -> "Sheet":
    from cranfield.tables.sheets.sheet import Column, Sheet

    states = status.queues
    return Sheet(
        (
            Column("queue", [state.queue.name for state in states]),
            Column("kind", [state.queue.kind for state in states]),
            Column("pairs", [state.pairs for state in states], ","),
            Column("open", [state.open for state in states], ","),
            Column("assessors", [state.queue.k for state in states]),
            Column("overlap", [state.queue.overlap for state in states], ".0%"),
            *([Column("gold", [_mixed_in(state) for state in states])] if any(state.gold for state in states) else []),
        )
    )


def _assessors(status: "LabStatus") -> "Sheet":
    from cranfield.tables.sheets.sheet import Column, Sheet

    people = status.people
    return Sheet(
        (
            Column("assessor", [each.person.name for each in people]),
            Column("kind", [each.person.kind for each in people]),
            Column("judged", [each.judged for each in people], ","),
            Column("cannot", [each.cannot for each in people], ","),
            Column("later", [each.later for each in people], ","),
            Column("seconds", [None if each.median_ms is None else each.median_ms / 1000 for each in people], ".1f"),
            Column("gold", [_gold(each) for each in people]),
        )
    )


def _topics(status: "LabStatus") -> "Sheet":
    from cranfield.tables.sheets.sheet import Column, Sheet

    return Sheet(
        (
            Column("topic", [each.topic for each in status.topics]),
            Column("pairs", [each.pairs for each in status.topics], ","),
            Column("open", [each.open for each in status.topics], ","),
            Column("title", [each.title for each in status.topics]),
        )
    )


def _mixed_in(state: "QueueState") -> str:
    return f"{state.gold:,} at {100 * state.queue.gold_rate:.3g} %" if state.gold else "–"


def _gold(each: "PersonStatus") -> str:
    return f"{each.gold_right} of {each.gold_seen}" if each.gold_seen else "–"


def _data(status: "LabStatus") -> dict[str, Any]:
    return {
        "name": status.name,
        **{name: getattr(status, name) for name in _COUNTS},
        "per_minute": status.per_minute,
        "minutes_left": status.minutes_left,
        "queues": [
            {
                "name": state.queue.name,
                "kind": state.queue.kind,
                "pairs": state.pairs,
                "open": state.open,
                "k": state.queue.k,
                "overlap": state.queue.overlap,
                "gold": state.gold,
                "gold_rate": state.queue.gold_rate,
                "closed": state.closed,
                "adaptive": state.queue.adaptive,
            }
            for state in status.queues
        ],
        "topics": [asdict(topic) for topic in status.topics],
        "assessors": [
            {**asdict(each), "name": each.person.name, "kind": each.person.kind, "person": None}
            for each in status.people
        ],
        "leases": [asdict(lease) for lease in status.leases],
    }
