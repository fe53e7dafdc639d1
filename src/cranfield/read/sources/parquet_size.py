"""How much a Parquet file decodes to, from the headers of its pages: nothing is decoded.

A dictionary and runs of references to it make some bytes stand for billions of rows, so the size of the file says
nothing. The headers are written in Thrift's compact protocol, of which this is a small reader.
"""

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

Fields: TypeAlias = dict[int, Any]  # what a Thrift struct holds, by the number of the field
MAGIC = b"PAR1"
_BYTES = 6  # the physical type of strings
_TEXT, _NUMBER = 32, 16  # bytes that a value needs as columns of a frame and of a table


@dataclass(frozen=True)
class PageTotals:
    """What all pages of a file come to."""

    unpacked: int  # bytes of pages
    values: int
    texts: int  # values that are strings

    @property
    def decoded(self) -> int:
        """The bytes of the columns, each value for itself."""
        return max(self.unpacked, 8 * self.values)

    @property
    def held(self) -> int:
        """The memory that a table needs, at the least."""
        return max(self.unpacked, _TEXT * self.texts + _NUMBER * (self.values - self.texts))


def page_totals(raw: bytes | memoryview) -> PageTotals | None:
    """What the pages of a file come to; None for what is no Parquet file, which its reader will say.

    >>> page_totals(b"PAR1 and something else") is None
    True
    """
    try:
        if len(raw) < 12 or bytes(raw[-4:]) != MAGIC:
            return None
        size = int(struct.unpack("<i", raw[-8:-4])[0])
        if not 0 < size <= len(raw) - 12:
            return None
        footer = _Thrift(raw, len(raw) - 8 - size).fields()
        pages = [page for group in footer[4] for chunk in group[1] for page in _pages(raw, chunk[3])]
    except (KeyError, IndexError, TypeError, ValueError, RecursionError, struct.error):
        return None
    return PageTotals(
        unpacked=sum(unpacked for _, unpacked, _ in pages),
        values=sum(values for *_, values in pages),
        texts=sum(values for kind, _, values in pages if kind == _BYTES),
    )


def _pages(raw: bytes | memoryview, chunk: Fields) -> Iterator[tuple[int, int, int]]:
    """Of each page of a column the type, its bytes when unpacked, and its values."""
    begin = min(chunk[9], chunk.get(11) or chunk[9])
    at, end = begin, begin + chunk[7]
    while at < end:
        thrift = _Thrift(raw, at)
        header = thrift.fields()
        values = next((header[kind][1] for kind in (5, 8) if kind in header), 0)  # of either version
        yield chunk[1], header[2], values
        if header[3] < 0:
            raise ValueError("a page ends before it begins")
        at = thrift.at + header[3]


class _Thrift:
    """A reader of Thrift's compact protocol, at a place in a buffer."""

    def __init__(self, raw: bytes | memoryview, at: int) -> None:
        self.raw, self.at = raw, at

    def fields(self) -> Fields:
        """The fields of a struct."""
        found: Fields = {}
        number = 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            found[number] = self._value(head & 15)
        return found

    def _value(self, kind: int) -> Any:  # of whatever kind
        if kind in (1, 2):
            return kind == 1
        return self._readers()[kind]()

    def _readers(self) -> dict[int, Callable[[], Any]]:
        whole = dict.fromkeys((4, 5, 6), self._signed)
        return {
            3: self._byte,
            **whole,
            7: lambda: self._skip(8),
            8: lambda: self._skip(self._unsigned()),
            9: self._list,
            10: self._list,
            11: self._map,
            12: self.fields,
        }

    def _byte(self) -> int:
        self.at += 1
        return self.raw[self.at - 1]

    def _skip(self, size: int) -> None:
        """Pass by text and fractions, which say nothing of sizes."""
        if size > len(self.raw) - self.at:
            raise ValueError("it ends too early")
        self.at += size

    def _unsigned(self) -> int:
        value = shift = 0
        while (byte := self._byte()) > 127 and shift < 63:
            value, shift = value | (byte & 127) << shift, shift + 7
        return value | byte << shift

    def _signed(self) -> int:
        value = self._unsigned()
        return value >> 1 ^ -(value & 1)

    def _list(self) -> list[Any]:  # of members of one kind
        head = self._byte()
        size = self._unsigned() if head >> 4 == 15 else head >> 4
        return [self._member(head & 15) for _ in range(size)]

    def _map(self) -> None:
        if size := self._unsigned():
            kinds = self._byte()
            for _ in range(size):
                self._member(kinds >> 4), self._member(kinds & 15)

    def _member(self, kind: int) -> Any:  # truth values take a byte here
        return self._byte() == 1 if kind in (1, 2) else self._readers()[kind]()
