"""From arguments to an exit code: the one place where errors and warnings become text, JSON and exit codes."""

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

import click

from cranfield.cli.group import group
from cranfield.cli.printing.console import Console
from cranfield.errors import DataWarning, Error, PolicyError

PROGRAM = "cranfield"
COMPLETE = "_CRANFIELD_COMPLETE"


def run(arguments: Sequence[str]) -> int:
    """Run a verb; print its errors on stderr, and with --json in the envelope."""
    if instruction := os.environ.get(COMPLETE):
        from click.shell_completion import shell_complete

        return shell_complete(group, {}, PROGRAM, COMPLETE, instruction)
    _never_fail_to_print()
    console = Console(command=_verb(arguments), arguments=tuple(arguments), json="--json" in arguments)
    with _collected(console):
        code = _invoke(list(arguments), console)
    console.say_notes()
    console.say_time()
    return code


def _invoke(arguments: list[str], console: Console) -> int:
    try:
        with group.make_context(PROGRAM, arguments, obj=console) as context:
            code = group.invoke(context)
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return 2
    except click.ClickException as error:
        return console.fail(_usage(error))
    except (KeyboardInterrupt, BrokenPipeError):
        raise
    except click.Abort:
        raise KeyboardInterrupt from None
    except Error as error:
        _trace(console)
        return console.fail(error)
    except Exception as error:  # the last net
        _trace(console)
        return console.fault(error)


def _trace(console: Console) -> None:
    """The stack trace, with -vv."""
    if console.verbosity > 1:
        import traceback

        traceback.print_exc()


@contextmanager
def _collected(console: Console) -> Iterator[None]:
    """Data warnings go to the console; -v shows those of other packages, -vv also where they were raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", DataWarning)
        usual = warnings.showwarning

        def show(
            message: Warning | str,
            category: type[Warning],
            filename: str,
            lineno: int,
            file: TextIO | None = None,
            line: str | None = None,
        ) -> None:
            if isinstance(message, DataWarning):
                console.warnings.append(message)
            elif console.verbosity > 1:
                usual(message, category, filename, lineno, file, line)
            else:
                console.detail(f"{category.__name__}: {message}")

        warnings.showwarning = show
        yield


def _usage(error: click.ClickException) -> Error:
    """A mistake in the command line as our error: the problem, then one hint."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    manual = f"'{context.command_path} --help' shows how it is written" if context else ""
    if isinstance(error, click.NoSuchOption):
        return _unknown("option", error.option_name, _spelled(context, error) or error.possibilities, manual)
    if isinstance(error, click.exceptions.NoSuchCommand):
        return _unknown("verb", error.command_name, error.possibilities, manual)
    if isinstance(error, click.MissingParameter):
        return PolicyError("E200", _sentence(error.format_message()), hint=manual)
    if isinstance(error, click.BadParameter) and error.param and isinstance(error.param.type, click.Choice):
        choices = ", ".join(map(str, error.param.type.choices))
        name = error.param.opts[-1]
        return PolicyError(
            "E213",
            f"{name}: {_sentence(error.message).rpartition(' is not ')[0]} is unknown",
            hint=f"one of {choices}",
        )
    return PolicyError("E200", _sentence(error.format_message()), hint=manual)


def _unknown(noun: str, name: str, near: Sequence[str] | None, manual: str) -> Error:
    hint = f"did you mean {near[0]}? {manual}" if near else manual
    return PolicyError("E200", f"there is no {noun} {name!r}", hint=hint)


def _spelled(context: click.Context | None, error: click.NoSuchOption) -> list[str]:
    """How the verb spells an option that was written as the parameter is called in Python."""
    name = error.option_name.lstrip("-").replace("-", "_")
    params = context.command.get_params(context) if context else []
    return [param.opts[0] for param in params if isinstance(param, click.Option) and param.name == name]


def _sentence(message: str) -> str:
    """Click's messages in our form: lower case, no full stop, one line."""
    one = " ".join(message.split()).removesuffix(".")
    return one[:1].lower() + one[1:]


def _verb(arguments: Sequence[str]) -> str:
    return next((word for word in arguments if not word.startswith("-")), "")


def _never_fail_to_print() -> None:
    """A character that the terminal cannot show is escaped instead of ending the command."""
    for stream in (sys.stdout, sys.stderr):
        if getattr(stream, "errors", "") == "strict" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
