"""`cranfield study KIND …`: study how far a collection, or a measure, can be trusted."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import defaults, options
from cranfield.cli.files import InputPath, OutputFolder
from cranfield.cli.help import FLAGS, Option, Verb, line, page
from cranfield.cli.options.reading import Reading, read_judged, run_sources
from cranfield.cli.options.score_tables import ScoreTableOptions, given_scores
from cranfield.cli.options.workers import workers
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output
from cranfield.cli.printing.progress import progress
from cranfield.cli.schemas.schema import TEXT, record, rows
from cranfield.cli.verbs.study.kind_options import arguments, own_option, run_options, without_data
from cranfield.errors import PolicyError
from cranfield.errors.extras import installed
from cranfield.study.engine.catalogue import STUDIES, questions

if TYPE_CHECKING:
    from cranfield.align.policy import Policy
    from cranfield.measures.grammar import Measure
    from cranfield.study.engine.definition import StudyKind
    from cranfield.study.engine.result import StudyResult

RESULT = record(
    {
        "settings": record({"kind": TEXT, "options": {"type": "object"}, "seed": {"type": "integer"}}),
        "title": TEXT,
        "rows": rows({"type": "object"}),
    }
)
_EXAMPLES = (
    "cranfield study reduction qrels.txt runs/*.run -m AP --draws 50 -o reduced/",
    "cranfield study power qrels.txt runs/*.run -m AP -m nDCG@10",
    "cranfield study --from reduced/study.json",
)


class Kinds(click.Group):
    """The kinds of study, each a verb of its own; its options come from its definition."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The kinds in the order in which they are listed."""
        return list(questions())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The kind of exactly that name."""
        return built(STUDIES[cmd_name]) if cmd_name in questions() else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """A kind, or an error that names the nearest one."""
        if args[0] not in (known := questions()) and not ctx.resilient_parsing:
            from cranfield.errors.names import nearest

            near = nearest(args[0], known)
            hint = f"did you mean {near}?" if near else f"one of {', '.join(known)}"
            raise PolicyError("E200", f"there is no study {args[0]!r}", hint=hint)
        if "--scores" in args[1:] and not STUDIES[args[0]].study.takes_scores and not ctx.resilient_parsing:
            kinds = ", ".join(name for name in known if STUDIES[name].study.takes_scores)
            problem = f"{args[0]} needs judgments and rankings, and --scores holds neither"
            raise PolicyError("E246", problem, hint=f"scores alone are enough for {kinds}")
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The help page: what a study is, how to call it, the kinds."""
        records = [param.get_help_record(ctx) for param in self.get_params(ctx)]
        lines = [*_listed(), "", "Options:", *(line(*record) for record in records if record)]
        formatter.write(page(lines))


@click.group(
    "study",
    cls=Kinds,
    context_settings=FLAGS,
    invoke_without_command=True,
    help="Study how far a collection, and a measure, can be trusted.",
)
@options.option(
    "--from", "settings", group="input", type=InputPath(), metavar="study.json", help="make a study again, exactly"
)
@workers
@options.option(
    "-o", "folder", group="output", type=OutputFolder(), metavar="DIR", help="write tables and charts there"
)
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
        console.out_text("\n".join(_listed()))
        return 0
    from cranfield.study.engine.repetition import input_names, read_settings, repeat

    recorded = read_settings(settings)
    for name in input_names(recorded):
        console.files.reads_recorded(name)
    console.files.check()
    with progress(console, "studying") as step:
        made = repeat(recorded, jobs=jobs, cluster=cluster, folder=folder, progress=step)
    return _write(console, made, Output(), folder, [])


def built(definition: "StudyKind") -> Verb:
    """The command of a kind of study: what all have, and its own options."""
    data, needed = definition.study.data != "measures", definition.study.needs_data
    synopsis = "QRELS RUN…" if needed else "[QRELS RUN…]"
    synopsis += " | --scores TABLE" if definition.study.takes_scores else ""

    def verb(**given: Any) -> int:  # the options below
        return _study(click.get_current_context(), definition, **given)

    decorators = [
        *arguments(data),
        *([given_scores] if definition.study.takes_scores else []),
        *([options.inputs] if data else []),
        *run_options(data),
        workers,
        *([options.policies] if data else []),
        options.measures,
        *(own_option(parameter) for parameter in definition.parameters.values()),
        options.seed,
        options.output,
    ]
    function: Any = verb  # what click's decorators take and return
    for decorate in reversed(decorators):
        function = decorate(function)
    found: Verb = click.command(
        "study",  # the verb that the envelope names; the kind is what was called
        cls=Verb,
        synopsis=synopsis if data else "",
        examples=definition.examples,
        result_schema=RESULT,
        help=definition.title,
    )(function)
    for param in found.params:
        if isinstance(param, Option) and param.name == "path":
            param.type = OutputFolder()
            param.metavar, param.help = "DIR", "write tables, charts and settings there; resume what was begun there"
    return found


def _study(
    context: click.Context,
    definition: "StudyKind",
    measures: "tuple[Measure, ...]",
    output: Output,
    seed: int,
    jobs: int | None,
    cluster: str | None,
    policy: "Policy | None" = None,
    reading: Reading | None = None,
    qrels: str | None = None,
    runs: Sequence[str] = (),
    keep: Sequence[str] = (),
    sample: int | None = None,
    groups: str | None = None,
    given: ScoreTableOptions | None = None,
    **own: Any,  # options of the study
) -> int:
    console: Console = context.obj
    study = definition.study(**own)  # a choice that cannot be followed is refused before anything is read
    notes = [defaults.NOTE] if defaults.used(context) else []
    scored = given is not None and bool(given.scores) and given.check(context, qrels, runs)
    if reading is not None and not scored and without_data(context, study, qrels, runs):
        reading, notes = None, []
        measures = () if defaults.from_file(context, "measures") else measures
    folder, output = output.path, output._replace(path=None)
    if folder == "-":
        raise PolicyError("E200", "-o names a folder", hint="without -o the table is printed")
    output.check(console)
    data: dict[str, Any] = {}
    wanted: Any = measures  # those of ours, or names of given ones
    if scored and given is not None and reading is not None:
        data = {"qrels": given.read(context, reading), "reading": {"scores": given.reading(reading)}}
        wanted = ()
    elif reading is not None and qrels is not None:
        with console.timed("reading"):
            data = {"qrels": read_judged(console, qrels, reading), "runs": run_sources(console, runs, reading)}
        data |= {"policy": policy, "keep": keep, "sample": sample, "groups": groups, "reading": _recorded(reading)}
        wanted = measures or _parsed(definition.study.usual)
    with console.timed("studying"), progress(console, "studying") as step:
        made = definition(
            **data, measures=wanted, **own, seed=seed, jobs=jobs, cluster=cluster, folder=folder, progress=step
        )
    return _write(console, made, output, folder, notes)


def _parsed(names: Sequence[str]) -> "tuple[Measure, ...]":
    from cranfield.measures.grammar import parse_many

    return parse_many(names)


def _recorded(reading: Reading) -> dict[str, Any]:
    """The reading options that differ from the defaults."""
    usual = Reading(shared={"encoding": "utf-8", "max_errors": 20, "max_size": None})
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
        charts = ", charts" if installed("charts") else ""
        console.note(f"{folder}: tables{charts} and study.json written")
    return 0


def _listed() -> list[str]:
    """The kinds and their questions."""
    known = questions()
    width = max(map(len, known))
    kinds = [f"  {name:<{width}}  {question}" for name, question in known.items()]
    return [
        "Study how far a collection, and a measure, can be trusted.",
        "",
        "Usage: cranfield study KIND … [OPTIONS]",
        *(f"  {example}" for example in _EXAMPLES),
        "",
        "Kinds ('cranfield study KIND --help' explains one):",
        *kinds,
    ]
