"""`cranfield measures`: list the measures, or explain one."""

from collections.abc import Mapping, Sequence
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
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.screen import PAPER, Screen

if TYPE_CHECKING:
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
    family: str | None,
    load: Sequence[str],
    tex: bool,
    bibtex: bool,
    output: Output,
) -> None:
    """Everything printed here stands in the registry."""
    from cranfield.measures.pages.page import bibliography, by_family, describe, page_text

    form = output.check(console)
    for path in load:
        load_file(path)
    listed = by_family(family)
    pages = [describe(name) for name in names] or [page for members in listed.values() for page in members]
    if tex or bibtex:
        _print(
            console, output, bibliography(pages) if bibtex else "\n".join(filter(None, (p.to_latex() for p in pages)))
        )
    elif form == "table":
        screen = console.screen if output.to_stdout else PAPER
        _print(
            console,
            output,
            "\n\n\n".join(page_text(page, screen) for page in pages) if names else _list(listed, screen),
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


def _list(listed: Mapping[str, Sequence["MeasurePage"]], screen: Screen) -> str:
    """Measures under the headings of their families."""
    count = sum(map(len, listed.values()))
    foot = f"{count} measures · NAME' leaves the unjudged documents out · 'cranfield measures NAME' explains one"
    block = _block if screen.columns is None else _narrow_block
    return screen.wrapped("\n\n".join([*(block(family, pages) for family, pages in listed.items()), f" {foot}"]))


def _heading(family: str, pages: Sequence["MeasurePage"]) -> str:
    from cranfield.measures.definition import FAMILIES

    return f" {family}: {FAMILIES[pages[0].family]}"


def _narrow_block(family: str, pages: Sequence["MeasurePage"]) -> str:
    """For a terminal, which has no room for a third column: other names stand below what a measure is."""
    room = max(width(page.name) for page in pages)
    lines = [_heading(family, pages)]
    for page in pages:
        lines.append(f"   {page.name}{' ' * (room - width(page.name))}  {page.summary}")
        lines += [f"   {' ' * room}  also {', '.join(page.aliases)}"] if page.aliases else []
    return "\n".join(lines)


def _block(family: str, pages: Sequence["MeasurePage"]) -> str:
    names = [[page.name, ", ".join(page.aliases)] for page in pages]
    room = [max(width(text) for text in texts) for texts in zip(*names, strict=True)]
    lines = [
        "  ".join(
            [*(text + " " * (space - width(text)) for text, space in zip(texts, room, strict=True)), page.summary]
        )
        for texts, page in zip(names, pages, strict=True)
    ]
    return "\n".join([_heading(family, pages), *(f"   {line}" for line in lines)])


def _print(console: Console, output: Output, text: str) -> None:
    if output.to_stdout:
        console.out(text)
    else:
        write_whole(str(output.path), f"{text}\n".encode())
