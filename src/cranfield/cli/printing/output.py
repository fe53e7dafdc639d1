"""The form and the place of a result: printed, or written to a file, which is complete or absent."""

import errno
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cranfield.cli.printing.console import Console, dumped, is_terminal
from cranfield.errors import InputError, PolicyError
from cranfield.errors.extras import need
from cranfield.registry import Registry

if TYPE_CHECKING:
    from cranfield.reporting.figure import Figure
    from cranfield.tables.sheets.sheet import Sheet

Renderer: TypeAlias = Callable[["Sheet", bool], bytes]  # a sheet, and whether CSV goes without its guard


class OutputForm(NamedTuple):
    """A form in which tables are printed or written; the JSON envelope is not one: see `--json` and .json files."""

    name: str
    endings: tuple[str, ...]
    render: Renderer


FORMS: Registry[OutputForm] = Registry("form")


def form(name: str, *endings: str) -> Callable[[Renderer], Renderer]:
    """Register a function of this module that writes a sheet, and the file endings of its form."""

    def register(render: Renderer) -> Renderer:
        FORMS.add(name, OutputForm(name, endings, render))
        return render

    return register


@dataclass(frozen=True)
class Output:
    """What `--format`, `-o` and `--plain-csv` asked for."""

    form: str | None = None
    path: str | None = None
    plain_csv: bool = False

    @property
    def to_stdout(self) -> bool:
        """Whether the result is printed."""
        return self.path in (None, "-")

    def chosen(self, console: Console) -> str:
        """The form that an option names, else that of the file ending, else the table."""
        if console.json:
            if self.form is not None:
                raise PolicyError("E200", "--json and --format exclude each other", hint="--json is a form of its own")
            return "json"
        if self.form is not None or self.path is None:
            return self.form or "table"
        ending = Path(self.path).suffix.lower()
        if ending == ".json":
            return "json"
        return next((form.name for form in FORMS.values() if ending in form.endings), "table")

    def check(self, console: Console) -> str:
        """Refuse an output that cannot be written, before any file is read; return the form."""
        form = self.chosen(console)
        if not self.to_stdout:
            check_place(str(self.path))
        elif form == "parquet" and is_terminal(1):
            raise PolicyError("E200", "parquet is not for a terminal", hint="write it to a file: -o scores.parquet")
        if form == "parquet":
            need("polars", "a Parquet file")
        return form

    def is_picture(self, console: Console) -> bool:
        """Whether the ending asks for a chart and no form was named; an error if the charts extra is missing."""
        from cranfield.reporting.figure import ENDINGS

        named = self.form is not None or console.json
        picture = not named and not self.to_stdout and Path(str(self.path)).suffix.lower() in ENDINGS
        if picture:
            need("altair", "a chart")
            need("vl_convert", "a picture of a chart")
        return picture

    def write_picture(self, console: Console, figure: "Figure") -> None:
        """Write a chart in the form of the file ending."""
        write_whole(str(self.path), figure.rendered(Path(str(self.path)).suffix))
        console.detail(f"{self.path}: {figure.title}")

    def write(self, console: Console, sheet: "Sheet", envelope: Mapping[str, Any]) -> None:
        """Print or write the result in the form that was asked for."""
        form = self.chosen(console)
        sheet = replace(sheet, notes=tuple(map(console.say, sheet.notes)))
        if self.to_stdout and form == "table":
            console.out(sheet.text())
            return
        data = dumped(envelope) if form == "json" else rendered(sheet, form, self.plain_csv)
        if self.to_stdout:
            console.out(data)
        else:
            write_whole(str(self.path), data)
            console.detail(f"{self.path}: written as {form}")


def rendered(sheet: "Sheet", form: str, plain_csv: bool = False) -> bytes:
    """A sheet as the bytes of a file."""
    return FORMS[form].render(sheet, plain_csv)


@form("table", ".txt")
def _table(sheet: "Sheet", plain: bool) -> bytes:
    return _encoded(sheet.text() + "\n")


@form("tsv", ".tsv", ".tab")
def _tsv(sheet: "Sheet", plain: bool) -> bytes:
    return _encoded(sheet.tsv(plain))


@form("csv", ".csv")
def _csv(sheet: "Sheet", plain: bool) -> bytes:
    return _encoded(sheet.csv(plain=plain))


@form("jsonl", ".jsonl", ".ndjson")
def _jsonl(sheet: "Sheet", plain: bool) -> bytes:
    return _encoded(sheet.jsonl())


@form("markdown", ".md", ".markdown")
def _markdown(sheet: "Sheet", plain: bool) -> bytes:
    return _encoded(sheet.markdown() + "\n")


@form("latex", ".tex")
def _latex(sheet: "Sheet", plain: bool) -> bytes:
    return _encoded(sheet.latex() + "\n")


@form("parquet", ".parquet", ".pq")
def _parquet(sheet: "Sheet", plain: bool) -> bytes:
    return sheet.parquet()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


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

    whole_files.append_whole(path, _encoded(text), between=b"\n")


def _refused(path: str, error: OSError) -> InputError:
    from cranfield.whole_files import cannot_write

    return cannot_write(path, error)
