"""The forms in which tables are written, by name or by the ending of a file, in Python and on the command line.

The JSON envelope is no form of a table: it holds all of a result, and its file ends in `.json`.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from cranfield.errors import PolicyError
from cranfield.registry import Registry

if TYPE_CHECKING:
    from cranfield.tables.sheets.sheet import Sheet

Renderer: TypeAlias = Callable[["Sheet", bool], bytes]  # a sheet, and whether CSV goes without its guard


class OutputForm(NamedTuple):
    """A form in which tables are printed or written."""

    name: str
    endings: tuple[str, ...]
    render: Renderer
    for_people: bool = False  # values are rounded, and long tables shortened


FORMS: Registry[OutputForm] = Registry("form")


def form(name: str, *endings: str, for_people: bool = False) -> Callable[[Renderer], Renderer]:
    """Register a function that writes a sheet, and the file endings of its form."""

    def register(render: Renderer) -> Renderer:
        FORMS.add(name, OutputForm(name, endings, render, for_people))
        return render

    return register


def known_endings() -> str:
    """The endings of files that can be written.

    >>> known_endings()
    '.json, .txt, .tsv, .tab, .csv, .jsonl, .ndjson, .md, .markdown, .tex, .html, .htm, .parquet, .pq'
    """
    return ", ".join([".json", *(ending for form in FORMS.values() for ending in form.endings)])


def form_of(path: "str | os.PathLike[str]", writer: str, instead: str = "") -> str | None:
    """The form of a file's ending, `json` for the envelope, None for a name without an ending.

    An ending that is not known is an error, which names who writes, and perhaps what may be done `instead`.

    >>> form_of("scores.csv", "save"), form_of("scores.json", "save"), form_of("scores", "save")
    ('csv', 'json', None)
    >>> form_of("scores.xlsx", "save")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E224: save writes no file that ends in '.xlsx'
      hint: one of .json, .txt, .tsv, .tab, .csv, .jsonl, .ndjson, .md, .markdown, .tex, .html, .htm, .parquet, .pq
    """
    ending = os.path.splitext(os.fsdecode(path))[1].lower()
    if ending in ("", ".json"):
        return "json" if ending else None
    if found := next((form.name for form in FORMS.values() if ending in form.endings), None):
        return found
    problem = f"{writer} writes no file that ends in {ending!r}"
    raise PolicyError("E224", problem, hint=f"one of {known_endings()}{instead}")


def rendered(sheet: "Sheet", form: str, plain_csv: bool = False) -> bytes:
    """A sheet as the bytes of a file."""
    return FORMS[form].render(sheet, plain_csv)


@form("table", ".txt", for_people=True)
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


@form("markdown", ".md", ".markdown", for_people=True)
def _markdown(sheet: "Sheet", plain: bool) -> bytes:
    return _encoded(sheet.markdown() + "\n")


@form("latex", ".tex", for_people=True)
def _latex(sheet: "Sheet", plain: bool) -> bytes:
    return _encoded(sheet.latex() + "\n")


@form("html", ".html", ".htm", for_people=True)
def _html(sheet: "Sheet", plain: bool) -> bytes:
    from cranfield.tables.sheets.page import page

    return _encoded(page(sheet.html(), title=sheet.caption.partition(";")[0].rstrip(".") or "cranfield"))


@form("parquet", ".parquet", ".pq")
def _parquet(sheet: "Sheet", plain: bool) -> bytes:
    return sheet.parquet()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
