"""A column of strings as bytes in one buffer, such as the bytes of a file.

Nothing is copied out of the file. Hashes, equality and byte order are computed eight bytes at a time.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from cranfield import kernel
from cranfield.arrays import NO_INTS, Bools, Bytes, Floats, Ints, Words, strings
from cranfield.arrays.strings import LONG, Strings

if TYPE_CHECKING:
    from numpy.typing import NDArray

N = TypeVar("N", np.int64, np.float64)

_INTEGER = rb"[+-]?[0-9]{1,25}"
_NUMBER = rb"(?i:[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?(inf|infinity|nan))"
_NUMERAL = 32  # bytes; longer numerals are read one by one
SPARE = bytes(8)  # lets the last string be read in whole words


class Text:
    """Strings as `(start, length)` in a buffer of UTF-8 bytes that ends with eight spare bytes.

    >>> column = Text.of(["d1", "naïve", ""])
    >>> list(column), column[1], len(column)
    (['d1', 'naïve', ''], 'naïve', 3)
    """

    def __init__(self, buffer: Bytes, start: Ints, length: Ints) -> None:
        self.buffer = buffer
        self.start = start
        self.length = length

    @classmethod
    def of(cls, values: Iterable[str | bytes]) -> "Text":
        """A column from Python strings (or their bytes)."""
        given = list(values)
        try:
            joined = "".join(given)  # type: ignore[arg-type]  # a TypeError tells bytes
        except TypeError:
            joined = "\x80"
        if joined.isascii():
            length = np.fromiter(map(len, given), dtype=np.int64, count=len(given))
            whole = joined.encode() + SPARE
        else:
            parts = [s.encode("utf-8", "surrogateescape") if isinstance(s, str) else s for s in given]
            length = np.fromiter(map(len, parts), dtype=np.int64, count=len(parts))
            whole = b"".join((*parts, SPARE))
        return cls(np.frombuffer(whole, dtype=np.uint8), np.cumsum(length) - length, length)

    @classmethod
    def concat(cls, columns: "list[Text]") -> "Text":
        """One column after the other."""
        if len(columns) < 2:
            return columns[0] if columns else cls.of([])
        offset = np.cumsum([0] + [len(c.buffer) for c in columns])
        return cls(
            np.concatenate([c.buffer for c in columns]),
            np.concatenate([c.start + o for c, o in zip(columns, offset, strict=False)]),
            np.concatenate([c.length for c in columns]),
        )

    def __len__(self) -> int:
        return len(self.start)

    def raw(self, row: int) -> bytes:
        """The bytes of one string."""
        start = int(self.start[row])
        return self.buffer[start : start + int(self.length[row])].tobytes()

    def __getitem__(self, row: int) -> str:
        return self.raw(row).decode("utf-8", "surrogateescape")

    def raws(self) -> list[bytes]:
        """The bytes of every string."""
        if 100 * len(self) < len(self.buffer):  # few strings of a long buffer, which need not be copied
            return [self.raw(row) for row in range(len(self))]
        whole = self.buffer.tobytes()
        return [whole[s:e] for s, e in zip(self.start.tolist(), (self.start + self.length).tolist(), strict=True)]

    def __iter__(self) -> Iterator[str]:
        return (raw.decode("utf-8", "surrogateescape") for raw in self.raws())

    def hashed(self, hash_: Words, any_long: bool) -> "Text":
        """The same column, with the hashes that a scan has already computed."""
        self.__dict__["hash"] = self._with_long(hash_, any_long)  # where the cached property looks
        return self

    def take(self, rows: Ints | Bools | slice) -> "Text":
        """The strings of the given rows (numbers, mask or slice); the buffer is shared."""
        taken = Text(self.buffer, self.start[rows], self.length[rows])
        if isinstance(rows, slice) and "hash" in self.__dict__:
            taken.__dict__["hash"] = self.hash[rows]
        return taken

    @property
    def flat(self) -> tuple[Bytes, Ints, Ints]:
        """Buffer, starts and lengths, each in one stretch of memory."""
        return self.buffer, np.ascontiguousarray(self.start), np.ascontiguousarray(self.length)

    @property
    def ascii(self) -> bool:
        """Whether the buffer holds nothing but ASCII; it may hold more than these strings.

        >>> Text.of(["a", "b"]).ascii, Text.of(["a", chr(0xE9)]).ascii
        (True, False)
        """
        return int(self.buffer.max(initial=0)) < 128

    @property
    def constant(self) -> bool:
        """Whether all strings are the same: the first is compared with all others, a byte of each at a time.

        >>> Text.of(["0", "0"]).constant, Text.of(["0", "1"]).constant, Text.of(["ab", "ac"]).constant
        (True, False, False)
        """
        if len(self) < 2:
            return True
        if (self.length != self.length[0]).any():
            return False
        return all((self.buffer[self.start + i] == byte).all() for i, byte in enumerate(self.raw(0)))

    @property
    def _strings(self) -> Strings:
        return self.buffer, self.start, self.length

    @cached_property
    def hash(self) -> Words:
        """A 64-bit hash of each string, the same in every run of the program."""
        return self._with_long(*kernel.hashes(*self.flat))

    def _with_long(self, hash_: Words, any_long: bool) -> Words:
        """The hashes, those of long strings replaced by one that reads every byte."""
        if any_long:
            from hashlib import blake2b

            for row in np.flatnonzero(self.length > LONG).tolist():
                hash_[row] = int.from_bytes(blake2b(self.raw(row), digest_size=8).digest())
        return hash_

    def equal(self, rows: Ints, other: "Text", others: Ints) -> Bools:
        """Whether string `rows[i]` here and `others[i]` there are the same bytes."""
        return strings.equal(self._strings, rows, other._strings, others)

    def descending(self, group: Ints) -> Ints:
        """An order of the rows: by group, then by bytes from high to low.

        >>> Text.of(["d10", "d9", "D", "d"]).descending(np.zeros(4, dtype=np.int64))
        array([1, 0, 3, 2])
        """
        return strings.descending(self._strings, group)

    def codes(self) -> "tuple[list[str], Ints]":
        """The distinct strings in order of first appearance, and for each row the number of its string.

        >>> Text.of(["b", "b", "a", "b"]).codes()
        (['b', 'a'], array([0, 0, 1, 0]))
        """
        if len(self) == 0:
            return [], NO_INTS
        first = self._starts_stretch()
        names: dict[bytes, int] = {}
        code = [names.setdefault(raw, len(names)) for raw in self.take(first).raws()]
        repeats = np.diff(np.append(np.flatnonzero(first), len(self)))
        return [raw.decode("utf-8", "surrogateescape") for raw in names], np.repeat(np.array(code), repeats)

    def _starts_stretch(self) -> Bools:
        """Whether a string differs from the one before it."""
        if int(self.length.max(initial=0)) > LONG:
            rows = np.arange(1, len(self))
            return np.concatenate(([True], ~self.equal(rows, self, rows - 1)))
        first = np.ones(len(self), dtype=bool)
        np.not_equal(self.length[1:], self.length[:-1], out=first[1:])
        for number in range(-(-int(self.length.max(initial=0)) // 8)):
            word = strings.word(self._strings, number)
            first[1:] |= word[1:] != word[:-1]
        return first

    def integers(self) -> tuple[Ints, Bools]:
        """Each string as a whole number, and a mask of those that are none (their number is 0).

        >>> Text.of(["7", "-2", "+1", "x", "1.5", "", "1_0"]).integers()
        (array([ 7, -2,  1,  0,  0,  0,  0]), array([False, False, False,  True,  True,  True,  True]))
        """
        return self._parsed(np.int64, _INTEGER)

    def numbers(self) -> tuple[Floats, Bools]:
        """Each string as a floating-point number, and a mask of those that are none (their number is 0).

        >>> Text.of(["1e2", "-inf", "nan", "abc", "1_0"]).numbers()
        (array([100., -inf,  nan,   0.,   0.]), array([False, False, False,  True,  True]))
        """
        return self._parsed(np.float64, _NUMBER)

    def _parsed(self, kind: type[N], syntax: bytes) -> "tuple[NDArray[N], Bools]":
        longest = int(self.length.max(initial=0))
        if 0 < longest <= _NUMERAL:
            words = np.stack([strings.word(self._strings, number) for number in range(-(-longest // 8))], axis=1)
            if not (words.view(np.uint8) == ord("_")).any():  # Python numerals may hold underscores, ours may not
                try:
                    return words.view(f"S{words.shape[1] * 8}")[:, 0].astype(kind), np.zeros(len(self), dtype=bool)
                except (ValueError, OverflowError):
                    pass  # some string is no number: find out which, one by one
        raws = self.raws()
        wrong = np.array([re.fullmatch(syntax, raw) is None for raw in raws], dtype=bool)
        if kind is np.int64:
            wrong |= np.array([not bad and abs(int(raw)) >= 2**63 for raw, bad in zip(raws, wrong, strict=True)], bool)
        return np.array([kind(0 if bad else raw) for raw, bad in zip(raws, wrong, strict=True)], dtype=kind), wrong

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        rows = np.arange(len(self))
        return len(self) == len(other) and bool(self.equal(rows, other, rows).all())

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # columns are compared by content and are no keys


class Unread(Text):
    """A column that is located in its buffer on first use; most columns are never used.

    >>> column = Unread(lambda: Text.of(["a", "b"]))
    >>> list(column)
    ['a', 'b']
    """

    def __init__(self, locate: Callable[[], Text]) -> None:
        self.__dict__["locate"] = locate

    def __getattr__(self, name: str) -> Any:  # buffer, start or length
        if name not in ("buffer", "start", "length"):
            raise AttributeError(name)
        found = self.__dict__["locate"]()
        self.__dict__.update(buffer=found.buffer, start=found.start, length=found.length)
        return self.__dict__[name]
