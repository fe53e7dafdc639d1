"""The form and the place of a result: printed, or written to a file, which is complete or absent."""

import errno
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.cli.printing.console import Console, dumped, is_terminal
from cranfield.errors import InputError, PolicyError
from cranfield.errors.extras import need
from cranfield.tables.sheets.forms import form_of, rendered

if TYPE_CHECKING:
    from cranfield.reporting.figure import Figure
    from cranfield.tables.sheets.sheet import Sheet


class Output(NamedTuple):
    """What `--format`, `-o` and `--plain-csv` asked for."""

    form: str | None = None
    path: str | None = None
    plain_csv: bool = False

    @property
    def to_stdout(self) -> bool:
        """Whether the result is printed."""
        return self.path in (None, "-")

    def chosen(self, console: Console) -> str:
        """The form that an option names, else that of the file ending, else the table.

        An ending that is not known is an error.
        """
        if console.json:
            if self.form is not None:
                raise PolicyError("E200", "--json and --format exclude each other", hint="--json is a form of its own")
            return "json"
        if self.form is not None or self.path is None:
            return self.form or "table"
        instead = "; --format FORM writes that form, whatever the name"
        if self._ending.lower() in (".png", ".svg", ".pdf") and _has_charts():
            instead = f"; --chart NAME draws a picture{instead}"
        return form_of(self.path, "-o", instead) or "table"

    def check(self, console: Console, picture: bool = False) -> str:
        """Refuse an output that cannot be written, before any file is read; return the form."""
        form = "picture" if picture else self.chosen(console)
        if not self.to_stdout:
            check_place(str(self.path))
        elif form == "parquet" and is_terminal(1):
            raise PolicyError("E200", "parquet is not for a terminal", hint="write it to a file: -o scores.parquet")
        if form == "parquet":
            need("polars", "a Parquet file")
        return form

    def is_picture(self, console: Console) -> bool:
        """Whether the ending is that of a chart and no form was named; an error if the charts extra is missing."""
        from cranfield.reporting.figure import ENDINGS

        named = self.form is not None or console.json
        picture = not named and not self.to_stdout and self._ending.lower() in ENDINGS
        if picture:
            need("altair", "a chart")
            need("vl_convert", "a picture of a chart")
        return picture

    @property
    def _ending(self) -> str:
        return os.path.splitext(str(self.path))[1]

    def write_picture(self, console: Console, figure: "Figure") -> None:
        """Write a chart in the form of the file ending."""
        write_whole(str(self.path), figure.rendered(self._ending))
        console.detail(f"{self.path}: {figure.title}")

    def write(self, console: Console, sheet: "Sheet", envelope: Mapping[str, Any]) -> None:
        """Print or write the result in the form that was asked for."""
        form = self.chosen(console)
        sheet = replace(sheet, notes=tuple(map(console.say, sheet.notes)))
        if self.to_stdout and form == "table":
            console.out(sheet.text(console.screen))
            return
        if form == "json":
            data = dumped(envelope)
        elif form == "html":
            data = _page(console, sheet, envelope)
        else:
            data = rendered(sheet, form, self.plain_csv)
        if self.to_stdout:
            console.out(data)
        else:
            write_whole(str(self.path), data)
            console.detail(f"{self.path}: written as {form}")


def _has_charts() -> bool:
    """Whether the verb has the option `--chart`."""
    import click

    context = click.get_current_context(silent=True)
    return context is not None and any("--chart" in param.opts for param in context.command.params)


def _page(console: Console, sheet: "Sheet", envelope: Mapping[str, Any]) -> bytes:
    """A page with the table, what the envelope says of policies and inputs, and the command."""
    import shlex

    from cranfield.tables.sheets.page import page

    known = {name: envelope[name] for name in ("policies", "audit", "inputs") if envelope.get(name)}
    command = shlex.join(["cranfield", *console.arguments]) if console.arguments else ""
    return page(sheet.html(), title=f"cranfield {console.command}", command=command, **known).encode(
        "utf-8", "backslashreplace"
    )


def check_place(path: str) -> None:
    """Refuse a place where no file can be."""
    if os.path.isdir(path):
        raise _refused(path, IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR)))
    if not os.path.isdir(os.path.dirname(os.path.realpath(path))):
        raise _refused(path, FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT)))


def write_whole(path: str, data: bytes) -> None:
    """Write a file, which is complete or absent."""
    from cranfield import whole_files

    whole_files.write_whole(path, data)


def append(path: str, text: str) -> None:
    """Append to a file, such as a job summary: all or nothing."""
    from cranfield import whole_files

    whole_files.append_whole(path, text.encode("utf-8", "backslashreplace"), between=b"\n")


def _refused(path: str, error: OSError) -> InputError:
    from cranfield.whole_files import cannot_write

    return cannot_write(path, error)
