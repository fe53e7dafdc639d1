"""`--junit` and `--summary`: the verdicts on conditions, for build servers."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import click

from cranfield.cli.files import OutputPath
from cranfield.cli.gates.conditions import Conditions
from cranfield.cli.options import F, bundle, option
from cranfield.cli.printing.console import Console
from cranfield.cli.printing.output import Output, append, check_place, write_whole
from cranfield.errors import Error, PolicyError

if TYPE_CHECKING:
    from cranfield.tables.sheets.sheet import Sheet
    from cranfield.tables.side.gates import GateVerdict

_WRITTEN = (3, 4, 70)  # exit codes of errors that a report tells of: wrong data, missing files, our faults


class Reports(NamedTuple):
    """Where verdicts are written, if anywhere."""

    junit: str | None
    summary: str | None

    @property
    def to_stdout(self) -> bool:
        """Whether the test report is printed instead of the table."""
        return self.junit == "-"

    def check(self, console: Console, output: Output) -> None:
        """Refuse places where no file can be, and two results on standard output."""
        if self.to_stdout and output.to_stdout and (console.json or output.form or output.path):
            other = "--json" if console.json else f"--format {output.form}" if output.form else "-o -"
            problem = f"--junit - and {other} would both write to standard output"
            raise PolicyError("E200", problem, hint="-o FILE or --junit FILE.xml writes one of them to a file")
        if self.summary == "-":
            raise PolicyError("E200", "--summary appends to a file", hint="--format markdown prints the table")
        for path in (self.junit, self.summary):
            if path is not None and path != "-":
                check_place(path)

    def write(
        self, console: Console, title: str, made: "Callable[[], Sheet]", verdicts: "Sequence[GateVerdict]"
    ) -> None:
        """A test report that replaces another, and a summary that is appended; both with the cautions of the table."""
        if self.junit is None and self.summary is None:
            return
        sheet = made()
        noted = [console.noted(warning) for warning in console.warnings]
        sheet = replace(sheet, notes=(*map(console.say, sheet.notes), *dict.fromkeys(noted)))
        if self.junit is not None:
            from cranfield.reporting.junit import junit

            self._put(console, junit(verdicts, title, sheet.text().splitlines()))
        if self.summary is not None:
            from cranfield.reporting.summary import summary

            append(self.summary, summary(title, sheet, verdicts))

    def write_error(self, console: Console, title: str, error: Error, requirements: Sequence[str]) -> None:
        """The reports on a command that an error ended."""
        if self.junit is not None and (self.to_stdout or console.files.is_free("--junit", self.junit)):
            from cranfield.reporting.junit import junit_of_error

            self._put(console, junit_of_error(error, requirements, title, console.say))
        if self.summary not in (None, "-") and console.files.is_free("--summary", str(self.summary)):
            from cranfield.reporting.summary import summary_of_error

            append(str(self.summary), summary_of_error(title, error, requirements, console.say))

    def _put(self, console: Console, text: str) -> None:
        if self.to_stdout:
            console.out(text)
        else:
            write_whole(str(self.junit), f"{text}\n".encode())


def _reported(context: click.Context, _: click.Parameter, path: str | None) -> str | None:
    """Arrange that an error is reported, too."""
    console = context.obj
    if path is not None and isinstance(console, Console) and not context.resilient_parsing:
        console.when_failing["reports"] = lambda error: _report(context, console, error)
    return path


def _report(context: click.Context, console: Console, error: Error) -> None:
    """Write the reports on an error; if they cannot be written, only the error itself is printed."""
    if error.exit not in _WRITTEN:
        return
    given = context.params
    made = Reports(given.get("junit"), given.get("summary"))
    asked = Conditions(given.get("fail_if") or (), given.get("require") or ())
    grouped = bool(given.get("by") or given.get("collections"))
    try:
        requirements = [gate.requirement for gate in asked.gates(str(context.info_name), grouped=grouped)]
    except Error:
        requirements = [*asked.require, *(f"not ({text})" for text in asked.fail_if)]
    with suppress(Error):
        made.write_error(console, f"cranfield {context.info_name}", error, requirements)


def reports(function: F) -> F:
    """The options, handed over as `reports`."""
    return bundle(
        "reports",
        Reports,
        ("junit", "summary"),
        option(
            "--junit",
            group="output",
            type=OutputPath(),
            metavar="FILE.xml",
            callback=_reported,
            help="write a test report, one case for each condition; - prints it instead of the table",
        ),
        option(
            "--summary",
            group="output",
            type=OutputPath(),
            metavar="FILE.md",
            callback=_reported,
            help="append the table and the verdicts to a job summary",
        ),
    )(function)
