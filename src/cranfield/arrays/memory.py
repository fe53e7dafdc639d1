"""Allocate memory for a whole file in large pages; find out how much memory there is."""

import mmap
import os
from contextlib import suppress
from typing import TypeAlias

from cranfield.errors import Error

Memory: TypeAlias = bytearray | mmap.mmap
_SMALL = 1 << 20
_CGROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")  # limits of a container
_UNKNOWN = 8 << 30  # where the system does not tell


def memory(size: int) -> Memory:
    """A buffer of `size` zero bytes.

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


def at_most() -> int:
    """The bytes of memory that this process can use: those of the machine, or the limit set for the process.

    >>> at_most() > 1 << 20
    True
    """
    return min([_installed(), *_limits()])


def afford(needed: float, what: str, hint: str = "") -> None:
    """Refuse work that needs more memory than there is, before allocating any.

    >>> afford(8e6, "1,000,000 draws")
    >>> afford(8e18, "10^18 draws", hint="take fewer")
    Traceback (most recent call last):
    cranfield.errors.Error: E250: 10^18 draws need about 8,000,000,000 GB of memory, more than there is
      hint: take fewer
    """
    if needed > at_most():
        problem = f"{what} need about {needed / 1e9:,.0f} GB of memory, more than there is"
        raise Error("E250", problem, hint=hint)


def afford_each(count: int, size: float, what: str) -> None:
    """Refuse to hold more things of so many bytes each than there is memory for.

    >>> afford_each(10**15, 8, "draws")
    Traceback (most recent call last):
    cranfield.errors.Error: E250: 1,000,000,000,000,000 draws need about 8,000,000 GB of memory, more than there is
      hint: no more than ... fit into a tenth of the memory
    """
    most = int(at_most() / size / 10)
    afford(size * count, f"{count:,} {what}", hint=f"no more than {most:,} fit into a tenth of the memory")


def _installed() -> int:
    """The memory of the machine."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # Windows
        return _UNKNOWN


def _limits() -> list[int]:
    """The memory limits of the container and of the process (ulimit)."""
    found = []
    for path in _CGROUPS:
        with suppress(OSError, ValueError), open(path, "rb") as file:
            found.append(int(file.read()))  # `max`, where there is none
    with suppress(ImportError):  # Windows
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[0]
        found += [] if most == resource.RLIM_INFINITY else [most]
    return found
