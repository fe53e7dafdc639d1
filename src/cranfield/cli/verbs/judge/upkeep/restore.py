"""`cranfield judge restore LAB COPY`: put a copy in place."""

from pathlib import Path

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import TEXT, record
from cranfield.cli.verbs.judge.lab import LabPath, subverb, tell

_RESULT = record({"lab": TEXT, "replaced": {"type": ["string", "null"]}})
_EXAMPLES = (
    "cranfield judge restore lab.db lab-monday.db",
    "cranfield judge restore lab.db lab.db.backups/lab-2026-11-16.db",
    "cranfield judge restore new.db lab-monday.db --json",
)


@subverb("LAB COPY", _EXAMPLES, _RESULT)
@click.argument("lab", type=LabPath(new=True), metavar="LAB")
@click.argument("copy", type=LabPath(), metavar="COPY")
@options.streams
@click.pass_obj
def command(console: Console, lab: str, copy: str) -> int:
    """Put a copy in the place of a lab; what was there before is kept beside it."""
    from cranfield.judging.store.files.backup import restore_lab
    from cranfield.judging.store.files.clock import Clock

    old = restore_lab(Path(copy), Path(lab), Clock().now())
    kept = f"; what was there before is {old}" if old else ""
    return tell(console, f"{lab}: restored from {copy}{kept}", {"lab": lab, "replaced": old and str(old)})
