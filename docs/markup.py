"""Markdown as the generated pages use it: tables, code in a cell, the anchor of a heading, a whole page."""

from collections.abc import Iterable

NOTE = "<!-- written by docs/generate.py -->"


def table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table; a `|` inside a cell is escaped."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |" for row in lines)


def code(sample: str) -> str:
    """Code in a cell of a table, tabs made visible."""
    return f"`{sample.replace('|', '&#124;')}`".replace("\t", "⇥")


def anchor(heading: str) -> str:
    """The anchor that the site gives a heading."""
    return "".join(character for character in heading.lower() if character.isalnum() or character in "-_")


def written(parts: Iterable[str]) -> str:
    """A page, with the note that it is generated."""
    return "\n\n".join([NOTE, *parts]) + "\n"
