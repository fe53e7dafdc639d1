"""Print results, notes and errors, as many as -q and -v ask for."""

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import click

from cranfield.cli import close_stdout
from cranfield.cli.files import UsedFiles
from cranfield.errors import DataWarning, Error, printable
from cranfield.errors.wording import as_command, dashed
from cranfield.standard_streams import STDOUT
from cranfield.tables.sheets.screen import Screen

SCHEMA = "cranfield/1"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


@dataclass(eq=False, repr=False)
class Console:
    """The two streams of one command: results on stdout; notes, progress and errors on stderr."""

    command: str = ""
    arguments: Sequence[str] = ()  # as they were given
    json: bool = False
    quiet: bool = False
    verbosity: int = 0
    plain: bool = False
    warnings: list[DataWarning] = field(default_factory=list)
    said: set[str] = field(default_factory=set)  # of the warnings, as they were worded
    began: float = field(default_factory=time.monotonic)
    closed: bool = False
    files: UsedFiles = field(default_factory=UsedFiles)
    options: Mapping[str, str] = field(default_factory=dict)  # parameter -> how the verb spells it
    when_failing: dict[str, Callable[[Error], None]] = field(default_factory=dict)  # what else receives an error

    @property
    def color(self) -> bool | None:
        """False if colour is switched off, None if click decides by the stream."""
        refused = self.plain or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return False if refused else None

    @property
    def screen(self) -> Screen:
        """What tables are fitted to: the terminal, or paper where a file or a pipe is written."""
        return Screen.of_output(bold=self.color is not False)

    def out(self, text: str | bytes) -> None:
        """Write a result; a reader that closed the pipe does not change the exit code."""
        if self.closed:
            return
        try:
            if isinstance(text, bytes):
                sys.stdout.flush()
                click.echo(text, nl=False)
            else:
                click.echo(text, color=self.color)
        except BrokenPipeError:
            self.closed = True
            close_stdout()

    def out_text(self, text: str) -> None:
        """Write a result in words, whose lines are broken where the terminal is too narrow; tables fit already."""
        self.out(self.screen.wrapped(text))

    def aside(self, text: str) -> None:
        """Write a line to stderr, broken between words where the terminal is too narrow."""
        click.echo(Screen.of(sys.stderr).wrapped(text), err=True, color=self.color)

    def say(self, text: str) -> str:
        """A message with its options as this verb spells them."""
        return as_command(text, lambda name: self.options.get(name) or dashed(name))

    def note(self, text: str) -> None:
        """Write a line to stderr unless -q."""
        if not self.quiet:
            self.aside(f"cranfield: {text}")

    def detail(self, text: str) -> None:
        """Write a line to stderr with -v."""
        if self.verbosity:
            self.note(text)

    @contextmanager
    def timed(self, what: str) -> Iterator[None]:
        """With -v: how long a part took."""
        began = time.monotonic()
        yield
        self.detail(f"{time.monotonic() - began:.2f} s {what}")

    def say_notes(self) -> None:
        """Print every warning that was not printed yet, in order, once."""
        for warning in map(self.noted, self.warnings):
            if warning not in self.said:
                self.said.add(warning)
                self.note(warning)

    def say_time(self) -> None:
        """With -v: how long it took."""
        self.detail(f"{time.monotonic() - self.began:.2f} s in all")

    def fail(self, error: Error) -> int:
        """Print an error and those it carries; the exit code is that of the first."""
        self.say_notes()  # they were met before
        errors = (error, *error.more)
        hints = [each.hint for each in errors[1:]] + [""]
        for each, following in zip(errors, hints, strict=True):
            self.aside(self._shown(each, hint=each.hint != following))
        if self.json:
            self.out(dumped(envelope(self, exit=error.exit, errors=errors)))
        for tell in self.when_failing.values():
            tell(error)
        return error.exit

    def noted(self, warning: DataWarning) -> str:
        """A warning as it is printed."""
        where = f"{printable(warning.where)}: " if warning.where else ""
        return f"note {warning.code}: {where}{printable(self.say(warning.message))}"

    def _shown(self, error: Error, hint: bool) -> str:
        lines = error.lines(self.say)
        kept = lines if hint or not error.hint else lines[:-1]
        word = click.style("error", fg="red", bold=True)
        return "\n".join([f"cranfield: {word} {kept[0]}", *kept[1:]])

    def fault(self, error: Exception) -> int:
        """Report an unexpected exception as a fault of cranfield, not of the user."""
        if isinstance(error, OSError) and (error.errno in _NO_ROOM or error.filename == STDOUT):
            reason = str(error.strerror).lower()
            return self.fail(Error("E120", f"cannot be written: {reason}", path=error.filename or STDOUT))
        if isinstance(error, MemoryError):
            hint = "work on fewer runs or topics at a time, or on a machine with more memory"
            return self.fail(Error("E250", "there is not enough memory for this", hint=hint))
        problem = f"this is a fault of cranfield, not yours: {type(error).__name__}: {error}"
        return self.fail(Error("E700", problem, hint="please report it with the command and the output of -vv"))


def envelope(  # one argument per key
    console: Console,
    *,
    exit: int = 0,  # the key's own name
    inputs: Sequence[Mapping[str, Any]] = (),
    policies: Mapping[str, Any] | None = None,
    audit: Mapping[str, Any] | None = None,
    result: Mapping[str, Any] | None = None,
    errors: Sequence[Error] = (),
) -> dict[str, Any]:
    """The JSON form of every result and of every failure; keys are never renamed within `cranfield/1`."""
    import cranfield

    return {
        "schema": SCHEMA,
        "command": console.command,
        "version": cranfield.__version__,
        "ok": exit == 0,
        "exit": exit,
        "inputs": [dict(entry) for entry in inputs],
        "policies": dict(policies or {}),
        "audit": dict(audit or {}),
        "result": dict(result or {}),
        "warnings": [{"code": w.code, "message": console.say(w.message), "where": w.where} for w in console.warnings],
        "errors": [
            {
                "code": e.code,
                "message": console.say(e.problem),
                "where": e.place,
                "text": e.text,
                "hint": console.say(e.hint),
            }
            for e in errors
        ],
    }


def dumped(data: Mapping[str, Any]) -> bytes:
    """One line of JSON in UTF-8; a name that is no valid text is escaped."""
    import json

    return (json.dumps(data, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8", "backslashreplace")


def is_terminal(stream_number: int) -> bool:
    """Whether stdout (1) or stderr (2) is a terminal."""
    stream = {1: sys.stdout, 2: sys.stderr}[stream_number]
    return stream.isatty()
