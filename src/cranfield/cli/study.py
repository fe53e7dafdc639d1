"""`cranfield study KIND …`: how far a collection, or a measure, can be trusted."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import defaults, options
from cranfield.cli.console import Console, envelope
from cranfield.cli.help import FLAGS, Option, Verb, line
from cranfield.cli.output import Output
from cranfield.cli.progress import progress
from cranfield.cli.reading import Reading, read_judged, run_sources
from cranfield.cli.schema import TEXT, record, rows
from cranfield.cli.workers import workers
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.align.policy import Policy
    from cranfield.measures.spec import Measure
    from cranfield.study.definition import Definition, Parameter
    from cranfield.study.result import StudyResult

RESULT = record(
    {
        "settings": record({"kind": TEXT, "options": {"type": "object"}, "seed": {"type": "integer"}}),
        "title": TEXT,
        "rows": rows({"type": "object"}),
    }
)
_KEEP = ("ag07", "first-quartile", "one-per-group")
_SHOWN = {  # on the page of a kind, which has many options: those of all verbs in fewer lines
    "path": ("-o DIR", "tables, charts; resumes there"),
    "jobs": ("--jobs N, --cluster ADDRESS", "processes [cores]; a Dask scheduler"),
    "columns": ("--columns a,b,_,c, --format-in NAME", "layout; format, instead of a guess"),
    "format_in": ("", ""),
    "name_by": ("--name-by tag|file, --load FILE.py", "names of runs; own measures"),
    "load": ("", ""),
    "measures": ("-m NAME, --seed N", "measure (repeatable), @FILE; seed [0]"),
    "seed": ("", ""),
    "plain_csv": ("--plain-csv, --no-color", "CSV without guard; never colour"),
    "plain": ("", ""),
}
_EXAMPLES = (
    "cranfield study reduction qrels.txt runs/*.run -m AP --draws 50 -o reduced/",
    "cranfield study power qrels.txt runs/*.run -m AP -m nDCG@10",
    "cranfield study --from reduced/study.json",
)


class Kinds(click.Group):
    """The kinds of study, each a verb of its own; its options come from its definition."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The kinds in the order in which they are listed."""
        from cranfield.study.definition import STUDIES

        return list(STUDIES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The kind of exactly that name."""
        from cranfield.study.definition import STUDIES

        return built(STUDIES[cmd_name]) if cmd_name in STUDIES else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A kind, or an error that names the nearest one."""
        from cranfield.study.definition import STUDIES

        if args[0] not in STUDIES and not ctx.resilient_parsing:
            near = STUDIES.nearest(args[0])
            hint = f"did you mean {near}?" if near else f"one of {', '.join(STUDIES)}"
            raise PolicyError("E200", f"there is no study {args[0]!r}", hint=hint)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What it is, how it is called, the kinds."""
        records = [param.get_help_record(ctx) for param in self.get_params(ctx)]
        lines = [*_listed(), "", "Options:", *(line(*record) for record in records if record)]
        formatter.write("\n".join(lines) + "\n")


@click.group(
    "study",
    cls=Kinds,
    context_settings=FLAGS,
    invoke_without_command=True,
    help="Study how far a collection, and a measure, can be trusted.",
)
@options.option("--from", "settings", group="input", metavar="study.json", help="make a study again, exactly")
@workers
@options.option("-o", "folder", group="output", metavar="DIR", help="write tables and charts there")
@options.option("--json", "json", group="output", is_flag=True, help="one JSON envelope")
@options.option("-q", "quiet", group="output", is_flag=True, help="no notes")
@click.pass_context
def command(
    context: click.Context,
    settings: str | None,
    jobs: int | None,
    cluster: str | None,
    folder: str | None,
    json: bool,
    quiet: bool,
) -> int:
    """List the kinds, or make a study again from its settings."""
    console: Console = context.obj
    console.quiet = console.quiet or quiet
    if context.invoked_subcommand is not None:
        if settings is not None or jobs is not None or cluster is not None or folder is not None:
            raise PolicyError("E200", "options stand behind the kind of study", hint="cranfield study KIND … -o DIR")
        return 0
    if settings is None:
        if folder is not None or jobs is not None or cluster is not None:
            raise PolicyError("E200", "no study was named", hint="'cranfield study' lists them")
        console.out("\n".join(_listed()))
        return 0
    from cranfield.study.repetition import repeat

    with progress(console, "studying") as step:
        made = repeat(settings, jobs=jobs, cluster=cluster, folder=folder, progress=step)
    return _write(console, made, Output(), folder, [])


def built(definition: "Definition") -> Verb:
    """The command of a kind of study: what all have, and its own options."""
    data = definition.study.matter != "measures"

    def verb(**given: Any) -> int:  # the options below
        return _study(click.get_current_context(), definition, **given)

    decorators = [
        *([click.argument("qrels", type=click.Path())] if data else []),
        *([click.argument("runs", type=click.Path(), nargs=-1, required=True)] if data else []),
        *([options.inputs] if data else []),
        *_run_options(data),
        workers,
        *([options.policies] if data else []),
        options.measures,
        *(_option(parameter) for parameter in definition.parameters.values()),
        options.seed,
        options.output,
    ]
    function: Any = verb  # what click's decorators take and return
    for decorate in reversed(decorators):
        function = decorate(function)
    found: Verb = click.command(
        "study",  # the verb that the envelope names; the kind is what was called
        cls=Verb,
        synopsis="QRELS RUN…" if data else "",
        examples=definition.examples,
        result_schema=RESULT,
        help=definition.title,
    )(function)
    for param in found.params:
        if isinstance(param, Option) and param.name in _SHOWN:
            param.shown, param.help = _SHOWN[param.name]
    return found


def _run_options(data: bool) -> list[Any]:
    """Which runs are looked at."""
    if not data:
        return []
    return [
        options.option(
            "--keep",
            group="input",
            multiple=True,
            type=click.Choice(_KEEP),
            metavar="RULE",
            help=" ".join(_KEEP),
            shown="--keep RULE, --sample N, --groups FILE",
        ),
        options.option("--sample", group="input", type=click.IntRange(1), metavar="N", shown=""),
        options.option("--groups", group="input", metavar="FILE", shown=""),
    ]


def _option(parameter: "Parameter") -> Any:  # a decorator of click
    """An option of the definition as one of the command line."""
    name = f"--{parameter.name.replace('_', '-')}"
    facts: dict[str, Any] = {"group": "statistics", "help": parameter.facts["help"]}
    if parameter.type is bool:
        return options.option(name, parameter.name, is_flag=True, default=parameter.default, **facts)
    metavar = parameter.facts["metavar"] or ("|".join(parameter.choices) if parameter.choices else "VALUE")

    def read(_: click.Context, __: click.Parameter, text: Any) -> Any:  # of the type of the option
        return parameter.default if text is None else _value(parameter, name, text)

    return options.option(name, parameter.name, callback=read, metavar=metavar, **facts)


def _value(parameter: "Parameter", name: str, text: str) -> Any:  # of the type of the option
    """What was written, as the definition wants it."""
    if text in parameter.facts["also"]:
        return parameter.checked(parameter.facts["also"][text])
    words = text.replace(",", " ").split() if parameter.several else [text]
    try:
        values = [_number(word) if parameter.type is float else parameter.type(word) for word in words]
    except ValueError:
        rule = parameter.facts["rule"] or f"write {name} {parameter.facts['metavar']}"
        raise PolicyError("E213", f"{name}: {text!r} is unknown", hint=rule) from None
    return parameter.checked(tuple(values) if parameter.several else values[0])


def _number(word: str) -> float:
    value = float(word)
    return int(value) if value.is_integer() else value


def _study(
    context: click.Context,
    definition: "Definition",
    measures: "tuple[Measure, ...]",
    output: Output,
    seed: int,
    jobs: int | None,
    cluster: str | None,
    policy: "Policy | None" = None,
    reading: Reading | None = None,
    qrels: str = "",
    runs: Sequence[str] = (),
    keep: Sequence[str] = (),
    sample: int | None = None,
    groups: str | None = None,
    **own: Any,  # options of the study
) -> int:
    console: Console = context.obj
    definition.study(**own)  # a choice that cannot be followed is refused before anything is read
    folder, output = output.path, replace(output, path=None)
    if folder == "-":
        raise PolicyError("E200", "-o names a folder", hint="without -o the table is printed")
    output.check(console, [])
    data: dict[str, Any] = {}
    if reading is not None:
        with console.timed("reading"):
            data = {"qrels": read_judged(console, qrels, reading), "runs": run_sources(console, runs, reading)}
        data |= {"policy": policy, "keep": keep, "sample": sample, "groups": groups, "reading": _recorded(reading)}
        measures = measures or _parsed(definition.study.usual)
    with console.timed("studying"), progress(console, "studying") as step:
        made = definition(
            **data, measures=measures, **own, seed=seed, jobs=jobs, cluster=cluster, folder=folder, progress=step
        )
    notes = [defaults.NOTE] if defaults.used(context) else []
    return _write(console, made, output, folder, notes)


def _parsed(names: Sequence[str]) -> "tuple[Measure, ...]":
    from cranfield.measures.spec import parse_many

    return parse_many(names)


def _recorded(reading: Reading) -> dict[str, Any]:
    """How files were read, where that was not the usual way."""
    usual = Reading(shared={"encoding": "utf-8", "max_errors": 20, "max_size": 64 << 30})
    said = {"qrels": (reading.qrels, usual.qrels), "runs": (reading.runs, usual.runs)}
    unusual = {role: {k: v for k, v in now.items() if v != then.get(k)} for role, (now, then) in said.items()}
    return {role: choices for role, choices in unusual.items() if choices}


def _write(console: Console, made: "StudyResult", output: Output, folder: str | None, notes: Sequence[str]) -> int:
    sheet = made.sheet()
    sheet = replace(sheet, notes=(*sheet.notes, *notes))
    data: dict[str, Any] = {}
    if output.chosen(console) == "json":
        audit = made.audit
        data = envelope(
            console, inputs=audit.inputs, policies=audit.policies, audit=audit.as_dict(), result=made.result()
        )
    output.write(console, sheet, data)
    if folder is not None:
        console.note(f"{folder}: tables, charts and study.json written")
    return 0


def _listed() -> list[str]:
    """The kinds and their questions."""
    from cranfield.study.definition import STUDIES

    width = max(map(len, STUDIES), default=0)
    kinds = [f"  {name:<{width}}  {found.question}" for name, found in STUDIES.items()]
    return [
        "Study how far a collection, and a measure, can be trusted.",
        "",
        "Usage: cranfield study KIND … [OPTIONS]",
        *(f"  {example}" for example in _EXAMPLES),
        "",
        "Kinds ('cranfield study KIND --help' explains one):",
        *kinds,
    ]
