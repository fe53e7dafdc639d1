"""The lines of a file, read piece by piece."""

from collections.abc import Iterator
from typing import TypeAlias

from cranfield.read.sources import on_disk
from cranfield.read.sources.content import Content

PlacedLine: TypeAlias = tuple[int, bytes]  # where it begins, and its bytes


def lines(content: Content) -> Iterator[PlacedLine]:
    r"""Position and bytes of each line, without its line feed.

    >>> from cranfield.read.sources.content import SPARE
    >>> list(lines(Content("", b"a\n\nbc" + SPARE, "")))
    [(0, b'a'), (2, b''), (3, b'bc')]
    """
    start, size, most = 0, content.size, on_disk.WINDOW
    while start < size:
        piece = bytes(content.buffer[start : min(start + most, size)])
        end = len(piece) if start + len(piece) >= size else piece.rfind(b"\n") + 1
        if end == 0:  # a line that is longer than the piece
            most *= 2
            continue
        most = on_disk.WINDOW
        at = start
        for line in piece[: end - piece.endswith(b"\n", 0, end)].split(b"\n"):
            yield at, line
            at += len(line) + 1
        start += end
