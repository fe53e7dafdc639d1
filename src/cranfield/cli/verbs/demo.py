"""`cranfield demo [DIR]`: build a small collection, evaluate it, and show what to try next."""

from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import options
from cranfield.cli.help import Verb
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.schemas.holes import holes_schema
from cranfield.cli.schemas.schema import COUNT, EVALUATE, TEXT, record, rows
from cranfield.errors import InputError, PolicyError

if TYPE_CHECKING:
    from cranfield.sample.demo import Demo

_COLLECTION = record({"python": TEXT, "documents": COUNT, "sha256": TEXT, "absent": rows(TEXT)})
_EXAMPLES = ("cranfield demo", "cranfield demo my-demo --serve", "cranfield demo my-demo --simulate --json")


def _result() -> dict[str, Any]:
    """The schema of what `cranfield demo --json` prints under `result`."""
    told = record(
        {
            **EVALUATE["properties"],
            "holes": holes_schema(),
            "directory": TEXT,
            "files": rows(TEXT),
            "page": TEXT,
            "commands": rows(TEXT),
            "collection": _COLLECTION,
            "comparison": {"type": "object"},  # the result of `compare`
            "simulated": rows(TEXT),
        }
    )
    return {**told, "required": ["scores", "holes", "directory", "files", "page", "commands"]}


@click.command("demo", cls=Verb, synopsis="[DIR]", examples=_EXAMPLES, result_schema=_result)
@click.argument("directory", type=click.Path(), default="cranfield-demo")
@options.option(
    "--serve",
    group="input",
    is_flag=True,
    brief=True,
    help="serve a room, to judge the unjudged documents in a browser",
)
@options.option(
    "--simulate", group="input", is_flag=True, brief=True, help="build a simulated world with its truth instead"
)
@options.option("--force", group="input", is_flag=True, help="build it even if DIR holds other files")
@options.output
@click.pass_obj
def command(console: Console, directory: str, serve: bool, force: bool, simulate: bool, output: Output) -> int:
    """Build a small collection in DIR (or cranfield-demo), evaluate it, say what to try."""
    import cranfield as cf

    form = output.check(console)
    if serve:
        _check_room(simulate)
    demo = cf.build_demo(directory, force=force, simulate=simulate)
    output.write(console, demo.sheet(), _envelope(console, demo))
    if form == "table" and output.to_stdout:
        console.out_text(_below(console, demo))
    if not serve:
        return 0
    console.say_notes()
    return _serve(demo)


def _serve(demo: "Demo") -> int:
    """Serve the lab of the demo; on another port where the usual one is taken."""
    from cranfield.judging.web.server import serve
    from cranfield.judging.web.settings import ServerSettings

    def say(text: str) -> None:
        click.echo(f" {text}", err=True)

    lab = demo.lab().path
    try:
        return serve(lab, ServerSettings(), say=say)
    except InputError as refused:
        if refused.code != "E402":
            raise
    return serve(lab, ServerSettings(port=0), say=say)


def _check_room(simulate: bool) -> None:
    """Refuse to serve what cannot be served, before anything is built."""
    from cranfield.cli.verbs.judge.serve import need_room

    if simulate:
        hint = "one of them"
        raise PolicyError("E200", "--serve and --simulate exclude each other: nothing can be read there", hint=hint)
    need_room()


def _envelope(console: Console, demo: "Demo") -> dict[str, object]:
    scores, audit = demo.scores, demo.scores.audit
    more: dict[str, object] = {
        "directory": str(demo.directory),
        "files": list(map(str, demo.files)),
        "page": str(demo.page),
        "commands": list(demo.commands),
    }
    if demo.library is not None and demo.comparison is not None:
        more |= {"collection": demo.library.result(), "comparison": demo.comparison.result()}
    if demo.simulated is not None:
        more["simulated"] = list(map(str, demo.simulated.files))
    return envelope(
        console,
        inputs=audit.inputs,
        policies=audit.policies,
        audit=audit.as_dict(),
        result={**scores.result(), "holes": demo.holes.result(), **more},
    )


def _below(console: Console, demo: "Demo") -> str:
    """The lines below the table."""
    lines = [] if demo.library else ["", demo.ranges(console.screen)]
    page = "the same table as a page" if demo.simulated else "a report on them"
    lines += ["", f" {len(demo.files)} files in {demo.directory}, {page}: {demo.page}", ""]
    if demo.simulated is not None:
        lines += [f" {demo.simulated.line}", ""]
    return "\n".join([*lines, " try:", *(f"   {line}" for line in demo.commands)])
