"""Several tables under one result: people get them one below the other with their titles, programs one long table."""

import re
from collections import Counter
from dataclasses import dataclass, replace

from cranfield.tables.sheets.escape import markdown, visible
from cranfield.tables.sheets.layout import wrapped
from cranfield.tables.sheets.screen import PAPER, Screen
from cranfield.tables.sheets.sheet import Sheet


@dataclass(frozen=True)
class TitledSheet(Sheet):
    """A sheet with a title line above it.

    >>> from cranfield.tables.sheets.sheet import Column
    >>> print(TitledSheet((Column("run", ["bm25"]),), title="AP · 40 topics").text())
     AP · 40 topics
    <BLANKLINE>
     run
     bm25
    """

    title: str = ""

    def text(self, screen: Screen = PAPER) -> str:
        """For a terminal: title, table, notes."""
        table = Sheet(self.columns, self.notes).text(screen)
        return "\n".join([wrapped(self.title, screen), "", table]) if self.title else table

    def markdown(self) -> str:
        """The title in bold above a GitHub table."""
        return f"**{markdown(self.title)}**\n\n{super().markdown()}" if self.title else super().markdown()

    def html(self) -> str:
        """The title as the caption of the table."""
        from html import escape

        caption = f'<caption style="text-align:left">{escape(visible(self.title))}</caption>\n' if self.title else ""
        return super().html().replace("<thead>", f"{caption}<thead>", 1)


@dataclass(frozen=True)
class SheetStack(Sheet):
    """A sheet with others below it for people; programs get the rows of the first alone.

    >>> from cranfield.tables.sheets.sheet import Column
    >>> first, second = (Sheet((Column(name, [1]),)) for name in ("a", "b"))
    >>> print(SheetStack(first.columns, ("the end",), below=(second,)).text())
      a
      1
    <BLANKLINE>
      b
      1
    <BLANKLINE>
     the end
    """

    below: tuple[Sheet, ...] = ()

    def text(self, screen: Screen = PAPER) -> str:
        """For a terminal: one table under the other, the notes at the end."""
        return "\n\n".join(part.text(screen) for part in self._parts())

    def markdown(self) -> str:
        """GitHub tables, one under the other."""
        return "\n\n".join(part.markdown() for part in self._parts())

    def latex(self) -> str:
        """Floating tables, one after the other, each with a label of its own."""
        return _with_distinct_labels("\n\n".join(part.latex() for part in self._parts()))

    def html(self) -> str:
        """Tables for a notebook, one under the other."""
        return "".join(part.html() for part in self._parts())

    def _parts(self) -> list[Sheet]:
        parts = [Sheet(self.columns, caption=self.caption, label=self.label), *self.below]
        parts[-1] = replace(parts[-1], notes=(*parts[-1].notes, *self.notes))
        return parts


@dataclass(frozen=True)
class SheetBlocks(Sheet):
    """Tables for people; `columns` is the long table that programs get instead, `latex_blocks` what LaTeX gets.

    >>> from cranfield.tables.sheets.sheet import Column
    >>> one = TitledSheet((Column("run", ["bm25"]),), title="AP")
    >>> blocks = SheetBlocks((Column("measure", ["AP"]), Column("run", ["bm25"])), ("40 topics",), blocks=(one,))
    >>> print(blocks.text())
     AP
    <BLANKLINE>
     run
     bm25
    <BLANKLINE>
     40 topics
    >>> blocks.csv()
    'measure,run\\r\\nAP,bm25\\r\\n'
    """

    blocks: tuple[Sheet, ...] = ()
    latex_blocks: tuple[Sheet, ...] = ()

    def text(self, screen: Screen = PAPER) -> str:
        """For a terminal: one table under the other, the notes at the end."""
        return "\n\n".join(block.text(screen) for block in self._noted())

    def markdown(self) -> str:
        """GitHub tables, one under the other."""
        return "\n\n".join(block.markdown() for block in self._noted())

    def latex(self) -> str:
        """Floating tables, one after the other, each with a label of its own; the captions contain the notes."""
        return _with_distinct_labels("\n\n".join(block.latex() for block in self.latex_blocks or self.blocks))

    def html(self) -> str:
        """Tables for a notebook, one under the other."""
        return "".join(block.html() for block in self._noted())

    def _noted(self) -> list[Sheet]:
        *first, last = self.blocks
        return [*first, replace(last, notes=(*last.notes, *self.notes))]


_LABEL = re.compile(r"\\label\{(.+?)(?:-\d+)?\}")


def _with_distinct_labels(tables: str) -> str:
    r"""LaTeX in which no label occurs twice: the second gets a 2, and so on.

    >>> _with_distinct_labels(r"\label{tab:groups} \label{tab:pool} \label{tab:groups}")
    '\\label{tab:groups} \\label{tab:pool} \\label{tab:groups-2}'
    """
    seen: Counter[str] = Counter()

    def numbered(found: re.Match[str]) -> str:
        seen[found[1]] += 1
        return rf"\label{{{found[1]}}}" if seen[found[1]] == 1 else rf"\label{{{found[1]}-{seen[found[1]]}}}"

    return _LABEL.sub(numbered, tables)
