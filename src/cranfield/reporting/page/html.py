"""Sections -> the page: headings, paragraphs, tables and figures in HTML, everything from outside escaped."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape

from cranfield.errors import printable
from cranfield.reporting.figure import Figure
from cranfield.reporting.page.blocks import (
    Block,
    FactsBlock,
    FigureBlock,
    FigureForm,
    Heading,
    ListBlock,
    Paragraph,
    TableBlock,
)
from cranfield.reporting.page.pictures import Pictures, data_block
from cranfield.reporting.page.scripts import look, own, policy, vega
from cranfield.tables.sheets.page import TOKENS, document
from cranfield.tables.sheets.sheet import Column, Sheet

_OWN_STYLE = re.compile(r' style="[^"]*"')


@dataclass(frozen=True)
class WrittenSection:
    """A section with its content."""

    name: str
    title: str
    blocks: tuple[Block, ...]


def page(title: str, under: str, lead: str, sections: Sequence[WrittenSection], shared: Mapping[str, object]) -> str:
    """The whole file: title, what it rests on, what is known, the sections, and the data that charts share."""
    writer = PageWriter()
    parts = [
        '<a class="skip" href="#content">To the content</a>',
        "<header>",
        f"<h1>{text(title)}</h1>",
        f'<p class="under">{text(under)}</p>' if under else "",
        f'<p class="lead">{text(lead)}</p>',
        f'<nav aria-label="Sections"><ol>{_contents(sections)}</ol></nav>' if len(sections) > 1 else "",
        "</header>",
        '<main id="content">',
        *(_section(writer, section) for section in sections),
        "</main>",
    ]
    pictures = writer.pictures
    scripts = [*([vega()] if pictures.figures else []), own()]
    style = TOKENS + look() + pictures.style()
    body = [
        *filter(None, parts),
        data_block("report", shared),
        pictures.data(),
        *(f"<script>{script}</script>" for script in scripts),
    ]
    return document(printable(title), "\n".join(body), style, policy(scripts, style))


def _contents(sections: Iterable[WrittenSection]) -> str:
    return "".join(f'<li><a href="#{each.name}">{text(each.title)}</a></li>' for each in sections)


def _section(writer: "PageWriter", section: WrittenSection) -> str:
    blocks = "\n".join(writer.block(each) for each in section.blocks)
    heading = f'<h2 id="{section.name}-title">{text(section.title)}</h2>'
    return f'<section id="{section.name}" aria-labelledby="{section.name}-title">\n{heading}\n{blocks}\n</section>'


@dataclass
class PageWriter:
    """Writes blocks one after the other; figures and tables are numbered."""

    pictures: Pictures = field(default_factory=Pictures)
    tables: int = 0

    def block(self, block: Block) -> str:
        """One block in HTML."""
        if isinstance(block, Paragraph):
            look = f' class="{block.look}"' if block.look else ""
            return f"<p{look}>{text(block.text)}</p>"
        if isinstance(block, Heading):
            return f"<h3>{text(block.text)}</h3>"
        if isinstance(block, TableBlock):
            return self._table(block)
        if isinstance(block, FigureBlock):
            return self._figure(block)
        if isinstance(block, FactsBlock):
            rows = "".join(f"<dt>{text(name)}</dt><dd>{text(fact)}</dd>" for name, fact in block.facts.items())
            return f'<dl class="facts">{rows}</dl>'
        if isinstance(block, ListBlock):
            return f'<ul class="references">{"".join(f"<li>{text(item)}</li>" for item in block.items)}</ul>'
        return f"<pre>{text(block.text)}</pre>"

    def _table(self, block: TableBlock) -> str:
        self.tables += 1
        name = f"Table {self.tables}"
        caption = f"<b>{name}.</b> {text(block.caption)}"
        inside = scrolled(table(block.sheet, block.marks), name) + _notes(block.sheet)
        if block.folded:
            return f"<details><summary>{caption}</summary>{inside}</details>"
        return f'<p class="caption">{caption}</p>{inside}'

    def _figure(self, block: FigureBlock) -> str:
        number, picture = self.pictures.add(block.figure)
        name = f"Figure {number}"
        width = "wide" if block.figure.width > 12 else "narrow"
        caption = f"<figcaption><b>{name}.</b> {text(block.caption)}</figcaption>"
        numbers = f"<details><summary>Data of figure {number}</summary>{_numbers(block.figure, number)}</details>"
        forms = "".join(self._form(number, form) for form in block.others)
        chosen = f' data-choice="{text(block.choice)}" data-form="{text(block.form)}"' if block.others else ""
        return (
            f'<figure class="{width}" id="figure-{number}" data-kind="{text(block.kind)}"{chosen}>'
            f'<div class="picture" role="region" tabindex="0" aria-label="{name}"><div class="still">{picture}</div>'
            f'<div class="live" data-chart="chart-{number}" hidden></div></div>{caption}'
            f"{numbers}{forms}</figure>"
        )

    def _form(self, number: int, form: FigureForm) -> str:
        """Another form of a figure, which is not seen until a reader chooses it."""
        chart = self.pictures.add_form(number, form.figure)
        words = text(f"{form.figure.title}. {form.figure.description}")
        inside = f"<p>{text(form.caption)}</p>{_numbers(form.figure, number)}"
        return f'<template data-form="{text(form.name)}" data-chart="{chart}" data-words="{words}">{inside}</template>'


def _numbers(figure: Figure, number: int) -> str:
    return "".join(scrolled(table(sheet), f"Data of figure {number}") for sheet in sheets(figure.table))


def sheets(sheet: Sheet) -> list[Sheet]:
    """The tables of a printed result, one below the other."""
    return list(getattr(sheet, "blocks", ())) or [Sheet(sheet.columns), *getattr(sheet, "below", ())]


def table(sheet: Sheet, marks: Sequence[Sequence[str]] = ()) -> str:
    """A table in HTML; where there are marks, the first word of a cell is one, such as the grade of a document."""
    head = "".join(f'<th scope="col"{_side(column.numeric)}>{text(column.name)}</th>' for column in sheet.columns)
    numeric = [column.numeric for column in sheet.columns]
    rows = []
    for at, cells in enumerate(zip(*(_cells(column) for column in sheet.columns), strict=True)):
        looks = marks[at] if marks else [""] * len(cells)
        row = zip(cells, numeric, looks, strict=True)
        rows.append(f"<tr>{''.join(_cell(place, *each) for place, each in enumerate(row))}</tr>")
    look = ' class="lists"' if marks else ""
    return f"<table{look}><thead><tr>{head}</tr></thead>\n<tbody>\n" + "\n".join(rows) + "\n</tbody></table>"


def _cells(column: Column) -> list[str]:
    """The cells of a column; what stands out in a notebook by a style of its own does so here by the style sheet."""
    return [_OWN_STYLE.sub(' class="chip"', cell) for cell in column.html_cells]


def _cell(place: int, cell: str, right: bool, mark: str) -> str:
    side = _side(right)
    if mark:
        word, _, rest = cell.partition(" ")
        cell = f'<span class="mark {mark}">{word}</span> {rest}'
    return f'<th scope="row"{side}>{cell}</th>' if place == 0 else f"<td{side}>{cell}</td>"


def _side(right: bool) -> str:
    return ' class="n"' if right else ""


def scrolled(inside: str, name: str) -> str:
    """A box of its own, in which what is too wide is scrolled."""
    return f'<div class="scroll" role="region" tabindex="0" aria-label="{text(name)}">{inside}</div>'


def _notes(sheet: Sheet) -> str:
    return f'<p class="quiet">{"<br>".join(text(note) for note in sheet.notes)}</p>' if sheet.notes else ""


def text(words: str) -> str:
    """Text in HTML; control characters are shown as escapes."""
    return escape(printable(words))
