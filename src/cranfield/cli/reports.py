"""`--junit` and `--summary`: the verdicts on conditions, for build servers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.cli.options import F, bundle, option
from cranfield.cli.output import append, refuse, write_whole
from cranfield.reporting.verdict import Verdict

if TYPE_CHECKING:
    from cranfield.tables.sheets.sheet import Sheet


@dataclass(frozen=True)
class Reports:
    """Where verdicts are written, if anywhere."""

    junit: str | None
    summary: str | None

    def check(self, files: Sequence[object]) -> None:
        """Refuse to write over an input."""
        for name, path in (("--junit", self.junit), ("--summary", self.summary)):
            if path is not None:
                refuse(name, path, files)

    def write(self, title: str, sheet: "Sheet", verdicts: Sequence[Verdict]) -> None:
        """A test report that replaces another, and a summary that is appended."""
        if self.junit is not None:
            from cranfield.reporting.junit import junit

            write_whole(self.junit, (junit(verdicts, title) + "\n").encode())
        if self.summary is not None:
            from cranfield.reporting.summary import summary

            append(self.summary, summary(title, sheet, verdicts))


def reports(function: F) -> F:
    """The options, handed over as `reports`."""
    return bundle(
        "reports",
        Reports,
        ("junit", "summary"),
        option(
            "--junit",
            group="output",
            metavar="FILE.xml",
            help="write a test report, one case for each condition of --fail-if",
        ),
        option(
            "--summary", group="output", metavar="FILE.md", help="append the table and the verdicts to a job summary"
        ),
    )(function)
