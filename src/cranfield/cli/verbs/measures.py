"""`cranfield measures`: list the measures, or explain one."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cranfield.cli import options
from cranfield.cli.declared import DeclaredNames
from cranfield.cli.files import InputPath
from cranfield.cli.help import Verb
from cranfield.cli.names import RegisteredName
from cranfield.cli.options.load import load as load_file
from cranfield.cli.printing.console import Console, envelope
from cranfield.cli.printing.output import Output, write_whole
from cranfield.cli.schemas.schema import record, rows
from cranfield.tables.sheets.screen import PAPER

if TYPE_CHECKING:
    from cranfield.measures.definition import Family
    from cranfield.measures.pages.page import MeasurePage
    from cranfield.tables.sheets.sheet import Sheet

FAMILY = RegisteredName(DeclaredNames("cranfield.measures.definition", "Family"))

_TEXT = {"type": "string"}
_NUMBER = {"type": ["number", "null"]}
_PAGE = {
    **dict.fromkeys(("name", "title", "family", "written", "explanation", "undefined", "unjudged", "looks_at"), _TEXT),
    **dict.fromkeys(("average", "bounds", "example"), _TEXT),
    **dict.fromkeys(("aliases", "formulas", "cites", "references"), rows(_TEXT)),
    **dict.fromkeys(("low", "high", "ideal"), _NUMBER),
    "residual": {"type": ["string", "null"]},
    "parameters": rows(
        record({"name": _TEXT, "default": {}, "required": {"type": "boolean"}, "rule": _TEXT, "needs": _TEXT})
    ),
}
_EXAMPLES = (
    "cranfield measures --family graded",
    "cranfield measures nDCG RBP",
    "cranfield measures AP --bibtex >> paper.bib",
)


@click.command(
    "measures",
    cls=Verb,
    synopsis="[NAME…]",
    examples=_EXAMPLES,
    result_schema=record({"measures": rows(record(_PAGE))}),
    help="List the measures, or explain some of them.",
)
@click.argument("names", nargs=-1, shell_complete=options.complete_measure)
@options.option("--family", group="input", type=FAMILY, brief=True, help="only the measures of a family")
@options.option(
    "--load",
    group="input",
    multiple=True,
    type=InputPath(),
    metavar="FILE.py",
    help="Python file with measures of your own",
)
@options.option("--tex", group="output", is_flag=True, help="only the formulas, as LaTeX")
@options.option("--bibtex", group="output", is_flag=True, help="only the references, as BibTeX")
@options.output
@click.pass_obj
def command(
    console: Console,
    names: Sequence[str],
    family: "Family | None",
    load: Sequence[str],
    tex: bool,
    bibtex: bool,
    output: Output,
) -> None:
    """Everything printed here comes from the registry."""
    from cranfield.measures.pages.describe import describe
    from cranfield.measures.pages.page import bibliography, page_text

    form = output.check(console)
    for path in load:
        load_file(path)
    listed = describe(family=family)
    pages = [describe(name) for name in names] or list(listed.values())
    if tex or bibtex:
        _print(
            console, output, bibliography(pages) if bibtex else "\n".join(filter(None, (p.to_latex() for p in pages)))
        )
    elif form == "table":
        screen = console.screen if output.to_stdout else PAPER
        _print(
            console,
            output,
            "\n\n\n".join(page_text(page, screen) for page in pages)
            if names
            else listed.text(screen, "'cranfield measures NAME'"),
        )
    elif form == "markdown" and names:
        _print(console, output, "\n\n".join(page.to_markdown() for page in pages))
    else:
        data = envelope(console, result={"measures": [page.to_dict() for page in pages]})
        output.write(console, _sheet(pages), data)


def _sheet(pages: Sequence["MeasurePage"]) -> "Sheet":
    from cranfield.tables.sheets.sheet import Column, Sheet

    return Sheet(
        (
            Column("measure", [page.name for page in pages]),
            Column("family", [page.family for page in pages]),
            Column("aliases", [" ".join(page.aliases) for page in pages]),
            Column("title", [page.title for page in pages]),
        ),
        caption="Measures",
        label="tab:measures",
    )


def _print(console: Console, output: Output, text: str) -> None:
    if output.to_stdout:
        console.out(text)
    else:
        write_whole(str(output.path), f"{text}\n".encode())
