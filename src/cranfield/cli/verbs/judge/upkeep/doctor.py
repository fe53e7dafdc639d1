"""`cranfield judge doctor LAB`: check a lab, rebuild what is derived."""

import click

from cranfield.cli import options
from cranfield.cli.printing.console import Console
from cranfield.cli.schemas.schema import COUNT, TEXT, record, rows
from cranfield.cli.verbs.judge.lab import lab_argument, subverb, tell
from cranfield.tables.words import counted

_RESULT = record({"problems": rows(TEXT), "events": COUNT, "rebuilt": {"type": "boolean"}})
_EXAMPLES = (
    "cranfield judge doctor lab.db",
    "cranfield judge doctor lab.db --rebuild",
    "cranfield judge doctor lab.db --json",
)


@subverb("LAB", _EXAMPLES, _RESULT)
@lab_argument
@options.option(
    "--rebuild", group="policy", is_flag=True, brief=True, help="make the derived tables again from the events"
)
@options.streams
@click.pass_obj
def command(console: Console, lab: str, rebuild: bool) -> int:
    """Check that the file is sound and that its tables follow from its events; exit code 1 if not."""
    from cranfield.judging.lab import Lab
    from cranfield.judging.store.files.doctor import examine, repair

    path = Lab.open(lab).path
    found = repair(path) if rebuild else examine(path)
    well = "well" if not found.problems else "rebuilt" if found.rebuilt else "not well"
    lines = "\n".join([f"{lab}: {well}, {counted(found.events, 'event')}", *(f"  {each}" for each in found.problems)])
    result = {"problems": list(found.problems), "events": found.events, "rebuilt": found.rebuilt}
    return tell(console, lines, result, exit=1 if found.problems and not found.rebuilt else 0)
