"""Columns of a table side by side on a line, or in several tables one below the other where the screen is narrow."""

from collections.abc import Sequence
from dataclasses import replace

from cranfield.tables.sheets.column import Column
from cranfield.tables.sheets.escape import visible, width
from cranfield.tables.sheets.names import cut, shortened
from cranfield.tables.sheets.screen import Screen

GAP = "  "
_NAME = 16  # columns that a name keeps where it is shortened
_MANY = 40  # rows above which columns are left out rather than shown in a table below
_BOLD = "\x1b[1m{}\x1b[22m"
_MARGIN = 1


def fitted(columns: Sequence[Column], screen: Screen) -> tuple[list[str], list[str]]:
    """The table as text, in several parts if it is too wide for the screen; and what a note says about that.

    >>> wide = [Column("run", ["bm25"]), *(Column(f"nDCG(rel={rel})@10", [0.5], ".4f") for rel in (1, 2, 3))]
    >>> for part in fitted(wide, Screen(40))[0]:
    ...     print(part)
     run    nDCG(rel=1)@10   nDCG(rel=2)@10
     bm25           0.5000           0.5000
     run    nDCG(rel=3)@10
     bm25           0.5000
    """
    if screen.columns is None or _wide(columns) <= screen.columns:
        return [_table(columns, screen)], []
    names = _names(columns)
    if (shorter := _one_line(columns, names, screen.columns)) is not None:
        return [_table(shorter, screen)], []
    keys = _shorter(columns[:names], screen.columns // 3)
    bands, said = _bands(keys, _groups(columns[names:]), screen.columns)
    if len(bands) > 1 and len(columns[0].values) > _MANY:
        left_out = ", ".join(visible(column.name) for band in bands[1:] for column in band)
        said.append(f"no room for {left_out}: widen the terminal, or write a file")
        bands = bands[:1]
    return [_table((*keys, *band), screen) for band in bands], said


def footer(notes: Sequence[str], screen: Screen) -> list[str]:
    """The notes below a table, after an empty line; on a narrow screen they go on in the next line."""
    lines = [wrapped(note, screen) for note in notes]
    return ["", *lines] if lines else []


def wrapped(text: str, screen: Screen) -> str:
    """A sentence above or below a table, in lines that the screen has room for.

    >>> print(wrapped("20 topics in the mean · vector: 1 missing, scored 0", Screen(40)))
     20 topics in the mean · vector: 1
       missing, scored 0
    """
    return screen.wrapped(f" {visible(text)}".rstrip())


def _table(columns: Sequence[Column], screen: Screen) -> str:
    rows = zip(*(_padded(column, screen.bold) for column in columns), strict=True)
    return "\n".join(f" {GAP.join(cells).rstrip()}" for cells in rows)


def _padded(column: Column, bold: bool = False) -> list[str]:
    """Header and cells in equal width; a header wider than its numbers keeps one blank more from its neighbour."""
    name, cells, numeric = visible(column.header), column.cells, column.numeric
    room = max([width(name) + numeric, *map(width, cells)])
    pads = [" " * (room - width(text)) for text in (name, *cells)]
    shown = [name, *cells]
    if bold:
        shown[1:] = [_BOLD.format(cell) if best else cell for cell, best in zip(cells, column.winners, strict=True)]
    return [pad + text if numeric else text + pad for text, pad in zip(shown, pads, strict=True)]


def _room(column: Column) -> int:
    return max([width(visible(column.header)) + column.numeric, *map(width, column.cells)])


def _wide(columns: Sequence[Column]) -> int:
    """Columns of characters that a table takes."""
    return _MARGIN + sum(map(_room, columns)) + len(GAP) * (len(columns) - 1)


def _names(columns: Sequence[Column]) -> int:
    """How many columns say what a row is about: those with texts at the beginning, two at most."""
    texts = [not column.numeric for column in columns[:2]]
    return max(1, texts.index(False) if False in texts else min(2, len(columns) - 1))


def _one_line(columns: Sequence[Column], names: int, most: int) -> list[Column] | None:
    """The columns with names shortened as much as is needed for one table, if they remain long enough."""
    rooms = [0 if column.numeric else _room(column) for column in columns[:names]]
    others = _wide(columns) - sum(rooms)
    for room in range(max(rooms) - 1, _NAME - 1, -1):
        if others + sum(min(room, own) for own in rooms) <= most:
            return [*_shorter(columns[:names], room), *columns[names:]]
    return None


def _shorter(columns: Sequence[Column], room: int) -> list[Column]:
    """Columns of names, each at most so wide."""
    return [_cut_names(column, room) if not column.numeric and _room(column) > room else column for column in columns]


def _cut_names(column: Column, room: int) -> Column:
    labels = shortened(column.cells, room)
    return Column(cut(visible(column.name), room), [labels[cell] for cell in column.cells])


def _groups(columns: Sequence[Column]) -> list[list[Column]]:
    """Columns that stay side by side."""
    groups: list[list[Column]] = []
    for column in columns:
        if column.attached and groups:
            groups[-1].append(column)
        else:
            groups.append([column])
    return groups


def _bands(keys: Sequence[Column], groups: Sequence[list[Column]], most: int) -> tuple[list[list[Column]], list[str]]:
    """The groups in as few tables as there is room for; what is too wide alone is cut."""
    room = most - _wide(keys) - len(GAP)
    bands: list[list[Column]] = [[]]
    for group in groups:
        alone = _wide([*keys, *group]) <= most
        for part in [group] if alone else [[_cut_texts(column, room)] for column in group]:
            if bands[-1] and _wide([*keys, *bands[-1], *part]) > most:
                bands.append([])
            bands[-1] += part
    known = {id(column) for group in groups for column in group}
    cut_some = any(id(column) not in known for band in bands for column in band)
    return bands, ["… stands for what has no room: widen the terminal, or write a file"] if cut_some else []


def _cut_texts(column: Column, room: int) -> Column:
    """The column at most so wide; numbers stay as they are."""
    if _room(column) <= room:
        return column
    name = cut(visible(column.name), room - column.numeric)
    return replace(
        column, name=name, values=column.values if column.numeric else [_begin(c, room) for c in column.cells]
    )


def _begin(text: str, room: int) -> str:
    """The beginning of a text that is too wide.

    >>> _begin("open: 44 documents can reverse it", 12), _begin("open", 12)
    ('open: 44 do…', 'open')
    """
    if width(text) <= room:
        return text
    while width(text) > max(room, 2) - 1:
        text = text[:-1]
    return f"{text}…"
