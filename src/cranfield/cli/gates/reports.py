"""`--junit` and `--summary`: the verdicts on conditions, for build servers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cranfield.cli.files import OutputPath
from cranfield.cli.options import F, bundle, option
from cranfield.cli.printing.output import append, check_place, write_whole
from cranfield.reporting.verdict import GateVerdict

if TYPE_CHECKING:
    from cranfield.tables.sheets.sheet import Sheet


@dataclass(frozen=True)
class Reports:
    """Where verdicts are written, if anywhere."""

    junit: str | None
    summary: str | None

    def check(self) -> None:
        """Refuse places where no file can be."""
        for path in (self.junit, self.summary):
            if path is not None:
                check_place(path)

    def write(self, title: str, sheet: "Sheet", verdicts: Sequence[GateVerdict]) -> None:
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
            type=OutputPath(),
            metavar="FILE.xml",
            help="write a test report, one case for each condition of --fail-if",
        ),
        option(
            "--summary",
            group="output",
            type=OutputPath(),
            metavar="FILE.md",
            help="append the table and the verdicts to a job summary",
        ),
    )(function)
