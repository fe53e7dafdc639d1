"""`cranfield judge backup LAB COPY`: copy a lab, also while it is served."""

from pathlib import Path

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import COUNT, TEXT, record
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell

_RESULT = record({"copy": TEXT, "bytes": COUNT})
_EXAMPLES = (
    "cranfield judge backup lab.db lab-monday.db",
    "cranfield judge backup lab.db /media/disk/lab.db",
    "cranfield judge backup lab.db copy.db --json",
)


@subverb("LAB COPY", _EXAMPLES, _RESULT)
@lab_argument
@click.argument("copy", metavar="COPY")
@options.streams
@click.pass_obj
def command(console: Console, lab: str, copy: str) -> int:
    """Copy a lab to a new file; the copy is checked, and holds all that was saved when it began."""
    from cranfield.judging.lab import Lab
    from cranfield.judging.store.files.backup import copy_lab

    made = copy_lab(Lab.open(lab).path, Path(copy))
    size = made.stat().st_size
    return tell(console, f"{copy}: {size:,} bytes, checked", {"copy": copy, "bytes": size})
