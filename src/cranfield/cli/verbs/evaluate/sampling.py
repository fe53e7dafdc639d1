"""`evaluate --sampling-error`: standard errors and intervals of measures that estimate from sampled judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from cranfield.align.policy import Policy
from cranfield.cli import defaults
from cranfield.cli.options.reading import Reading, read_tables
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.measures.grammar import Measure

DEFAULT = "xinfAP infNDCG@10"


def refuse_others(given: Mapping[str, object]) -> None:
    """Refuse options that have no meaning beside sampling errors."""
    if other := next((option for option, value in given.items() if value), None):
        hint = "leave one of them out"
        if other == "--ci":
            hint = "--ci takes topics for a sample, --sampling-error the judgments"
        raise PolicyError("E200", f"--sampling-error and {other} exclude each other", hint=hint)


def show(
    context: click.Context,
    measures: "Sequence[Measure]",
    qrels: str,
    runs: Sequence[str],
    reading: Reading,
    policy: Policy,
    seed: int,
    per_topic: bool,
    output: Output,
) -> int:
    """Read, estimate and write."""
    import cranfield as cf

    console: Console = context.obj
    output.check(console)
    with console.timed("reading"):
        judgments, systems = read_tables(console, qrels, runs, reading)
    with console.timed("evaluating"):
        found = cf.sampling_errors(judgments, systems, measures or DEFAULT, policy=policy, seed=seed)
    sheet = found.topic_sheet() if per_topic else found.sheet()
    notes = [defaults.NOTE] if defaults.used(context) else []
    audit = found.audit
    written = envelope(
        console, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=found.result(per_topic)
    )
    form = output.chosen(console)
    output.write(console, replace(sheet, notes=(*sheet.notes, *notes)), written if form == "json" else {})
    return 0
