"""`cranfield demo [DIR]`: build a small collection, evaluate it, and show what to try next."""

import click

from cranfield.cli import options
from cranfield.cli.help import Verb
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.schemas.holes import HOLES
from cranfield.cli.schemas.schema import EVALUATE, record, rows
from cranfield.tables.sheets.forms import FORMS

_TEXT = {"type": "string"}
_RESULT = record(
    {
        **EVALUATE["properties"],
        "holes": HOLES,
        "directory": _TEXT,
        "files": rows(_TEXT),
        "page": _TEXT,
        "commands": rows(_TEXT),
        "simulated": rows(_TEXT),
    }
) | {"required": ["scores", "holes", "directory", "files", "page", "commands"]}
_EXAMPLES = ("cranfield demo", "cranfield demo my-demo --json", "cranfield demo my-demo --simulate")


@click.command("demo", cls=Verb, synopsis="[DIR]", examples=_EXAMPLES, result_schema=_RESULT)
@click.argument("directory", type=click.Path(), default="cranfield-demo")
@options.option("--force", group="input", is_flag=True, help="even if DIR holds other files")
@options.option("--simulate", group="input", is_flag=True, help="also a collection with complete truth")
@options.output
@click.pass_obj
def command(console: Console, directory: str, force: bool, simulate: bool, output: Output) -> None:
    """Build a small collection in DIR (or cranfield-demo), evaluate it, say what to try."""
    import cranfield as cf

    form = output.check(console)
    demo = cf.build_demo(directory, force=force, simulate=simulate)
    scores, audit = demo.scores, demo.scores.audit
    files = [str(path) for path in (demo.qrels, demo.topics, *demo.runs)]
    more = {"directory": directory, "files": files, "page": str(demo.page), "commands": list(demo.commands)}
    if demo.simulated is not None:
        more["simulated"] = [str(path) for path in demo.simulated.files]
    data = envelope(
        console,
        inputs=audit.inputs,
        policies=audit.policies,
        audit=audit.as_dict(),
        result={**scores.result(), "holes": demo.holes.result(), **more},
    )
    printed = form in FORMS and FORMS[form].for_people
    output.write(console, (scores.sorted() if printed else scores).sheet(), data)
    if form == "table" and output.to_stdout:
        console.out(f"\n{demo.ranges(console.screen)}")
        console.out(
            "\n".join(["", f" {len(files)} files in {demo.directory}, the same table as a page: {demo.page}", ""])
        )
        if demo.simulated is not None:
            console.out(f" {demo.simulated.line}\n")
        commands = [*demo.commands, *(demo.simulated.commands if demo.simulated else ())]
        console.out("\n".join([" try:", *(f"   {line}" for line in commands)]))
