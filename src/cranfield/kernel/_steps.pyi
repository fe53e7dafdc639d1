from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from cranfield.arrays import Bytes, Floats, Ints, Words

def hashes(buffer: Bytes, start: Ints, length: Ints) -> tuple[Words, bool]: ...

Scanned = tuple[list[bytes], Ints, list[Any], Ints | None, bool, bool, bool]  # columns of the kinds that were asked for

def scan(
    buffer: Bytes, size: int, kinds: Sequence[int], room: dict[object, NDArray[Any]] | None = None
) -> Scanned | None: ...
def rank(
    topic: Ints, topics: int, key: Floats, buffer: Bytes | None, start: Ints | None, length: Ints | None
) -> tuple[Ints | None, Ints]: ...
def repeats(row: Ints | None, begin: Ints, code: Words) -> bool: ...
def ties(row: Ints | None, begin: Ints, key: Floats, cutoff: int) -> tuple[int, int, int]: ...
def ascending(key: Words) -> Ints: ...
def table(key: Words, topic: Ints, topics: int, start: Ints) -> tuple[Ints, Words, Words]: ...
def find(
    table_begin: Ints,
    sieve: Words,
    slot: Words,
    judged_buffer: Bytes,
    judged_length: Ints,
    row: Ints | None,
    begin: Ints,
    topic_of: Ints,
    code: Words,
    buffer: Bytes,
    start: Ints,
    length: Ints,
) -> tuple[Ints, Ints, Ints]: ...
