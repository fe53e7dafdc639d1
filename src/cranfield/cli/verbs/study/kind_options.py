"""The options of a kind of study: those of its definition, and those that choose runs."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from cranfield.cli import options
from cranfield.cli.files import InputPath, files_of
from cranfield.cli.help import Option
from cranfield.cli.names import RegisteredName
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.registry import Registry
    from cranfield.study.data.selection import SelectionRule
    from cranfield.study.engine.definition import Study, StudyOption

_ANYWAY = ("jobs", "cluster")  # of no effect on any number


def _rules() -> "Registry[SelectionRule]":
    from cranfield.study.data.selection import RULES

    return RULES


def arguments(data: bool) -> list[Any]:  # decorators of click
    """Judgments and runs, if the kind reads data; `without_data` refuses to go on where they are needed."""
    if not data:
        return []
    return [
        click.argument("qrels", type=InputPath(), required=False),
        click.argument("runs", type=InputPath(), nargs=-1),
    ]


def run_options(data: bool) -> list[Any]:
    """The options that select runs."""
    if not data:
        return []
    return [
        options.option(
            "--keep",
            group="input",
            multiple=True,
            type=RegisteredName(_rules),
            metavar="RULE",
            help="only runs that pass a rule",
        ),
        options.option(
            "--sample",
            group="input",
            type=click.IntRange(1),
            metavar="N",
            usual="all",
            help="number of runs that are drawn at random",
        ),
        options.option(
            "--groups",
            group="input",
            type=InputPath(),
            metavar="FILE",
            help="file with a run and its group on each line",
        ),
    ]


def own_option(parameter: "StudyOption") -> Any:  # a decorator of click
    """An option of the definition as one of the command line."""
    name = f"--{parameter.name.replace('_', '-')}"
    facts: dict[str, Any] = {"group": "statistics", "help": parameter.facts["help"], "brief": True}
    if parameter.type is bool:
        return options.option(name, parameter.name, is_flag=True, default=parameter.default, **facts)
    facts["usual"] = _usual(parameter)
    if (registry := parameter.facts["names"]) is not None:
        known = RegisteredName(lambda: registry, besides=parameter.facts["besides"])
        return options.option(name, parameter.name, type=known, default=parameter.default, **facts)
    metavar = parameter.facts["metavar"] or ("|".join(parameter.choices) if parameter.choices else "VALUE")

    if parameter.facts["file"] is True:
        facts["type"] = InputPath()

    def read(context: click.Context, _: click.Parameter, text: Any) -> Any:  # of the type of the option
        value = parameter.default if text is None else _value(parameter, name, text)
        path = parameter.path(value)
        if "type" not in facts and path is not None and (files := files_of(context)) is not None:
            files.reads(path)
        return value

    return options.option(name, parameter.name, callback=read, metavar=metavar, **facts)


def _usual(parameter: "StudyOption") -> str:
    """The default in words, or as it is written."""
    default = parameter.default
    if parameter.facts["usual"] or default is None or default == ():
        return str(parameter.facts["usual"])
    spelt = {value: text for text, value in parameter.facts["also"].items() if isinstance(value, str | tuple)}
    if default in spelt and not parameter.choices:
        return str(spelt[default])
    return ",".join(map(str, default)) if isinstance(default, tuple) else str(default)


def _value(parameter: "StudyOption", name: str, text: str) -> Any:  # of the type of the option
    """The value as the type that the definition declares."""
    if text in parameter.facts["also"]:
        return parameter.checked(parameter.facts["also"][text])
    words = text.replace(",", " ").split() if parameter.several else [text]
    try:
        values = [_number(word) if parameter.type is float else parameter.type(word) for word in words]
    except ValueError:
        rule = parameter.facts["rule"] or f"write {name} {parameter.facts['metavar']}"
        raise PolicyError("E242", f"{name}: {text!r} is unknown", hint=rule) from None
    return parameter.checked(tuple(values) if parameter.several else values[0])


def _number(word: str) -> float:
    value = float(word)
    return int(value) if value.is_integer() else value


def without_data(context: click.Context, study: "Study[Any]", qrels: str | None, runs: Sequence[str]) -> bool:
    """Whether the study is made without data; refused if it needs data, or if options about data were given."""
    if runs:
        return False
    if qrels or study.without_data() is None:
        lacking = "'RUNS...'" if qrels else "'QRELS'"
        raise click.MissingParameter(ctx=context, param_hint=lacking, param_type="argument")
    for param in context.command.params:
        said = context.get_parameter_source(str(param.name)) is click.core.ParameterSource.COMMANDLINE
        if said and isinstance(param, Option) and param.group in ("input", "policy") and param.name not in _ANYWAY:
            problem = f"{param.opts[0]} has no effect without runs"
            raise PolicyError("E244", problem, hint=f"{context.command_path} QRELS RUN… {param.opts[0]} …")
    return True
