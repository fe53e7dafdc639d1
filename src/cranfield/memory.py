"""Memory for a whole file: much of it comes in pages that the machine hands out quickly."""

import mmap
from contextlib import suppress
from typing import TypeAlias

Memory: TypeAlias = bytearray | mmap.mmap
_SMALL = 1 << 20


def memory(size: int) -> Memory:
    """So many zeros.

    >>> len(memory(3)), len(memory(3 << 20))
    (3, 3145728)
    """
    if size <= _SMALL:
        return bytearray(size)
    if not hasattr(mmap, "MAP_PRIVATE"):  # Windows
        return mmap.mmap(-1, size)
    pages = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):  # a system that has none
            pages.madvise(mmap.MADV_HUGEPAGE)
    return pages
