"""Files that are there whole or not at all: written under another name, brought to the disk, then renamed."""

import os
import stat
from contextlib import suppress

from cranfield.errors import InputError
from cranfield.standard_streams import write_all

UNFINISHED = ".part"  # the ending of a file that is still being written


def write_whole(path: "str | os.PathLike[str]", data: bytes) -> None:
    """Write to a temporary file beside the target, then rename: readers see the old file or the new one."""
    name = os.fspath(path)
    try:
        _place(data, name)
    except OSError as error:
        raise cannot_write(name, error) from None


def cannot_write(path: str, error: OSError) -> InputError:
    """The error for a place where nothing can be written."""
    reason = (error.strerror or str(error)).lower()
    return InputError("E120", f"cannot be written: {reason}", path=path, hint="choose a place you may write to")


def same_file(one: "str | os.PathLike[str]", other: "str | os.PathLike[str]") -> bool:
    """Whether two paths lead to one file, which need not be there; `-` stands for what standard input comes from.

    >>> same_file("a/../b.txt", "b.txt"), same_file("a.txt", "b.txt")
    (True, False)
    """
    try:
        return os.path.samestat(_status(one), _status(other))
    except OSError:
        return "-" not in (one, other) and os.path.realpath(one) == os.path.realpath(other)


def _status(path: "str | os.PathLike[str]") -> os.stat_result:
    return os.fstat(0) if path == "-" else os.stat(path)


def _place(data: bytes, path: str) -> None:
    target = os.path.realpath(path)  # a link stays a link
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        mode = None
    if path.startswith(("/dev/", "/proc/")) or (mode is not None and not stat.S_ISREG(mode)):
        with open(os.open(path, os.O_WRONLY | os.O_TRUNC), "wb", buffering=0) as file:
            write_all(file, data)  # a device or named pipe is never renamed over, and none is made
        return
    folder = os.path.dirname(target)
    part = os.path.join(folder, f".{os.urandom(8).hex()}{UNFINISHED}")  # nobody can foresee the name; it is short
    try:
        _write_new(part, data, mode)
        os.replace(part, target)
    except FileExistsError:
        raise
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
    _sync_folder(folder)


def _write_new(path: str, data: bytes, mode: int | None) -> None:
    """Write a file that is not there yet, wherever a link of that name leads, down to the disk."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, 0o666), "wb", buffering=0) as file:
        write_all(file, data)
        if mode is not None:
            os.chmod(path, stat.S_IMODE(mode))
        os.fsync(file.fileno())


def _sync_folder(folder: str) -> None:
    """The new name is on the disk too, where the system lets one ask for that."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
