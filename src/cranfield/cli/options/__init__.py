"""Options that several verbs share, each group handed to the verb as one object. Read `reading` first."""

import math
import os
from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from cranfield.align.policy import Policy
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.defaults import from_file, located
from cranfield.cli.files import InputPath, OutputPath, UsedFiles, files_of
from cranfield.cli.names import FormatName, RegisteredName
from cranfield.cli.options.policy_fields import METAVARS, PolicyField, policy_fields
from cranfield.cli.options.reading import ENCODING, Reading
from cranfield.cli.options.streams import option as option
from cranfield.cli.options.streams import streams as streams
from cranfield.cli.printing.output import Output
from cranfield.errors import MeasureError, PolicyError
from cranfield.errors.wording import dashed
from cranfield.tables.sheets.forms import FORMS
from cranfield.tables.source import Grades, NameBy
from cranfield.whole_files import cannot_read

if TYPE_CHECKING:
    from cranfield.measures.grammar import Measure

F = TypeVar("F", bound=Callable[..., Any])
NAMED = "cranfield.named"  # where the names of measures are kept that given scores have
_SIZES = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}


def bundle(
    name: str, build: Callable[..., object], members: Sequence[str], *options: Callable[[Any], Any]
) -> Callable[[F], F]:
    """Options that reach the verb as one argument."""

    def decorate(function: F) -> F:
        @wraps(function)
        def verb(**given: Any) -> Any:  # whatever the verb takes and returns
            mine = {member: given.pop(member) for member in members}
            return function(**{name: build(**mine)}, **given)

        decorated: Any = verb  # a callable of the same signature, apart from the bundle
        for add in reversed(options):
            decorated = add(decorated)
        kept: F = decorated
        return kept

    return decorate


def inputs(function: F) -> F:
    """How the files are read: handed over as `reading`."""

    def build(columns: Any, format: Any, grades: Any, name_by: Any, encoding: Any, **shared: Any) -> Reading:
        return Reading(columns, format, {"encoding": ",".join(encoding) or "utf-8", **shared}, grades, name_by)

    members = ("columns", "format", "encoding", "grades", "name_by", "max_errors", "max_size")
    return bundle(
        "reading",
        build,
        members,
        option(
            "--columns",
            group="input",
            multiple=True,
            metavar="a,b,_,c",
            help="what the columns hold, in order, or role=name,… where there is a header",
        ),
        option(
            "--format-in",
            "format",
            group="input",
            multiple=True,
            type=FormatName(DeclaredNames("cranfield.read.definition", "FORMATS")),
            metavar="NAME",
            help="name of the format, instead of a guess",
        ),
        option("--encoding", group="input", multiple=True, metavar="NAME", usual="utf-8", help=ENCODING),
        _choice("--grades", Grades, "int", "whether grades are whole or real numbers"),
        _choice(
            "--name-by", NameBy, "tag", "whether runs are named by their tag, if no other run has it, or by their file"
        ),
        option(
            "--max-errors",
            group="input",
            type=click.IntRange(1),
            default=20,
            metavar="N",
            help="errors of a file that are shown before reading ends",
        ),
        _max_size(),
    )(function)


def only_topics(function: F) -> F:
    """`--only-topics`, which becomes a part of `reading`: stands below `inputs`."""
    text = "the topics that count: names with commas between them, or a file with one on each line"
    return _part_of_reading("only_topics", metavar="TOPICS", callback=recorded, help=text)(function)


def topics(function: F) -> F:
    """`--topics`, which becomes a part of `reading`: stands below `inputs`."""
    return topics_for("topics", brief=False)(function)


def topics_for(purpose: str, *, brief: bool = True) -> Callable[[F], F]:
    """`--topics` of a verb that also shows them: like `topics`."""
    text = f"{purpose}, whose ids stand for the query texts of formats without ids (OpenSearch, Quepid, RRE, ragas)"
    return _part_of_reading("topics", type=InputPath(), metavar="FILE", brief=brief, help=text)


def _part_of_reading(name: str, **facts: Any) -> Callable[[F], F]:  # what an option is made with
    """An option whose value becomes a field of `reading`."""

    def decorate(function: F) -> F:
        @wraps(function)
        def verb(reading: Reading, **given: Any) -> Any:  # whatever the verb takes and returns
            part: dict[str, Any] = {name: given.pop(name)}  # a field of Reading
            return function(reading=reading._replace(**part), **given)

        decorated: Any = verb  # a callable of the same signature, apart from the option
        kept: F = option(dashed(name), group="input", **facts)(decorated)
        return kept

    return decorate


def recorded(ctx: click.Context, _: click.Parameter, text: str | None) -> str | None:
    """The option as it is; if it names a file, that counts as one that is read."""
    if text is not None and os.path.isfile(text) and (files := files_of(ctx)) is not None:
        files.reads_recorded(text)
    return text


def _choice(name: str, words: object, default: str, text: str) -> Callable[[F], F]:
    """An option of the readers that takes one of the words of a Literal."""
    return option(name, group="input", type=click.Choice(get_args(words)), default=default, help=text)


def _max_size() -> Callable[[F], F]:
    usual, text = "64G; half the memory for a file held whole", "most bytes that are read of a file, decompressed"
    return option("--max-size", group="input", callback=_size, metavar="SIZE", usual=usual, help=text)


def policies(function: F) -> F:
    """The choices that shape a number: handed over as `policy`; one option for each field of `Policy`."""
    known = policy_fields(Policy)
    return bundle("policy", Policy, tuple(known), *map(policy_option, known.values()))(function)


def policy_option(field: PolicyField) -> Callable[[F], F]:
    """The option of one policy, with the text of the docstring of `Policy`."""
    facts: dict[str, Any] = {"group": "policy", "help": field.said}
    if field.values:
        return option(field.flag, field.name, type=click.Choice(field.values), default=field.default, **facts)
    if field.default is False:
        return option(field.flag, field.name, is_flag=True, **facts)
    if field.name in METAVARS:
        return option(field.flag, field.name, metavar=field.metavar, **facts)
    whole = field.default is None
    return option(
        field.flag,
        field.name,
        type=int if whole else float,
        default=field.default,
        metavar=field.metavar,
        usual="all" if whole else "",
        callback=None if whole else _level,
        **facts,
    )


def measures(function: F) -> F:
    """`-m`, handed over as `measures` (parsed), and `--load`, which runs first."""
    wanted = option(
        "-m",
        "--measure",
        "measures",
        group="statistics",
        multiple=True,
        metavar="NAME",
        callback=_measures,
        shell_complete=complete_measure,
        brief=True,
        help="a measure, several separated by blanks, or @FILE with their names",
    )
    load = option(
        "--load",
        group="input",
        multiple=True,
        type=InputPath(),
        metavar="FILE.py",
        is_eager=True,
        expose_value=False,
        callback=_load,
        help="Python file with measures of your own",
    )
    return load(wanted(function))


def output(function: F) -> F:
    """Form and place of the result, handed over as `output`; -q and -v, set on the console."""
    return bundle(
        "output",
        Output,
        ("form", "path", "plain_csv"),
        option(
            "--format",
            "form",
            group="output",
            type=RegisteredName(lambda: FORMS),
            metavar="FORM",
            brief=True,
            usual="by the ending of -o, or table",
            help="form of the result",
        ),
        option(
            "-o", "path", group="output", type=OutputPath(), metavar="FILE", brief=True, help="write the result there"
        ),
        option("--plain-csv", group="output", is_flag=True, help="CSV without the guard against formulas"),
        streams,
    )(function)


def seed(function: F) -> F:
    """The seed of every random step."""
    number, text = click.IntRange(0), "start of every random step"
    return option("--seed", group="statistics", type=number, default=0, metavar="N", help=text)(function)


def _size(_: click.Context, param: click.Parameter, text: str | None) -> int | None:
    """`64G`, `500M`, `1000`: bytes."""
    if text is None:
        return None
    number, unit = text.rstrip("KMGTBkmgtb"), text.upper().removesuffix("B").lstrip("0123456789.")
    try:
        return int(float(number) * _SIZES[unit])
    except (ValueError, KeyError, OverflowError):
        raise PolicyError("E242", f"{param.opts[0]}: {text!r} is not a size", hint="write 500M or 64G") from None


def _level(_: click.Context, __: click.Parameter, grade: float) -> float:
    if not math.isfinite(grade):
        raise PolicyError("E240", f"-l: {grade} is not a grade", hint="write -l 2")
    return int(grade) if grade.is_integer() else grade


def _measures(ctx: click.Context, _: click.Parameter, given: Sequence[str]) -> tuple["Measure", ...]:
    if ctx.resilient_parsing:
        return ()
    if ctx.params.get("scores"):  # whose measures need not be ours
        ctx.meta[NAMED] = [] if from_file(ctx, "measures") else [name for text in given for name in _listed(text, None)]
        return ()
    from cranfield.measures.grammar import parse_many

    try:
        wanted = parse_many([name for text in given for name in _listed(text, files_of(ctx))])
    except MeasureError as error:
        raise located(error, "[measures] names") if from_file(ctx, "measures") else error from None
    if given and not wanted:
        raise PolicyError("E242", "-m names no measure", hint="write -m nDCG@10")
    return wanted


def _listed(text: str, files: UsedFiles | None) -> list[str]:
    """The names in one `-m`: `@file` holds one or more per line, `#` begins a comment."""
    if not text.startswith("@"):
        return [text]
    if files is not None:
        files.reads_recorded(text[1:])
    try:
        with open(text[1:], encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, ValueError) as error:
        raise cannot_read(text[1:], error, "-m @FILE reads measure names from a file") from None
    return [name for line in lines if (name := line.partition("#")[0].strip())]


def complete_measure(ctx: click.Context, _: click.Parameter, incomplete: str) -> list[str]:
    """The measures whose names begin so."""
    from cranfield.measures.definition import MEASURES

    return [name for name in MEASURES if name.lower().startswith(incomplete.lower())]


def _load(ctx: click.Context, _: click.Parameter, paths: Sequence[str]) -> None:
    if ctx.resilient_parsing or not paths:
        return
    from cranfield.cli.options.load import load

    for path in paths:
        load(path)
