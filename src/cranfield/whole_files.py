"""Write files that are complete or absent: write under another name, flush to disk, then rename.

What is added to the end of a file is taken away again where it cannot be added whole.
"""

import io
import os
import stat
import sys
from collections.abc import Iterable
from contextlib import suppress

from cranfield.errors import InputError, PolicyError
from cranfield.standard_streams import write_all

UNFINISHED = ".part"  # the ending of a file that is still being written
_APPENDING = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)


def write_whole(path: "str | os.PathLike[str]", data: bytes) -> None:
    """Write to a temporary file beside the target, then rename: readers see the old file or the new one."""
    name = os.fspath(path)
    try:
        _place(data, name)
    except (OSError, ValueError) as error:
        raise cannot_write(name, error) from None


def append_whole(path: "str | os.PathLike[str]", data: bytes, between: bytes = b"") -> None:
    """Add to the end of a file, all or nothing; `between` comes before, where the file holds something already."""
    name = os.fspath(path)
    try:
        there = os.path.exists(name)
        with open(os.open(name, _APPENDING, 0o666), "ab", buffering=0) as file:
            _append(file, data, between, None if there else name)
    except (OSError, ValueError) as error:
        raise cannot_write(name, error) from None


def cannot_write(path: str, error: OSError | ValueError) -> InputError:
    """The error for a place where nothing can be written; a folder that is missing is named."""
    if isinstance(error, ValueError):  # a character that no name of a file has
        return InputError("E120", f"cannot be written: {error}", path=path, hint="choose another name")
    folder = _named_folder(path)
    if not os.path.isdir(folder):
        what = f"{folder} is no folder" if os.path.lexists(folder) else f"there is no folder {folder}"
        return InputError("E120", f"cannot be written: {what}", path=path, hint="make the folder, or choose another")
    reason = (error.strerror or str(error)).lower()
    return InputError("E120", f"cannot be written: {reason}", path=path, hint="choose a place you may write to")


def cannot_read(path: "str | os.PathLike[str]", error: OSError | ValueError, hint: str = "") -> InputError:
    """The error for a small file that is not there, is a folder, holds no text, or is refused by the system."""
    name = os.fspath(path)
    if isinstance(error, FileNotFoundError):
        return InputError("E101", "no such file", path=name, hint=hint)
    if isinstance(error, IsADirectoryError):
        return InputError("E102", "is a directory, expected a file", path=name, hint=hint)
    if isinstance(error, UnicodeDecodeError):
        return InputError("E111", f"byte 0x{error.object[error.start]:02X} is not UTF-8", path=name)
    reason = (getattr(error, "strerror", "") or str(error)).lower()
    return InputError("E120", f"cannot be read: {reason}", path=name)


def make_folder(path: "str | os.PathLike[str]") -> None:
    """Make a folder for files, with those it lies in; an error says why there is none."""
    try:
        os.makedirs(path, exist_ok=True)
    except FileExistsError:
        raise InputError("E120", "is a file, expected a directory", path=os.fspath(path)) from None
    except (OSError, ValueError) as reason:
        problem = f"cannot be made: {(getattr(reason, 'strerror', '') or str(reason)).lower()}"
        raise InputError("E120", problem, path=os.fspath(path)) from None


def _named_folder(path: str) -> str:
    """The folder of a file, as it is named if it is missing, else that of what a link leads to."""
    named = os.path.dirname(path)
    return named if named and not os.path.isdir(named) else os.path.dirname(os.path.realpath(path))


def same_file(one: "str | os.PathLike[str]", other: "str | os.PathLike[str]") -> bool:
    """Whether two paths lead to one file, which need not exist; `-` is the file behind standard input.

    >>> same_file("a/../b.txt", "b.txt"), same_file("a.txt", "b.txt")
    (True, False)
    """
    try:
        return os.path.samestat(_status(one), _status(other))
    except OSError:
        return "-" not in (one, other) and os.path.realpath(one) == os.path.realpath(other)
    except ValueError:  # a character that no name of a file has
        return False


def refuse_redirection(sources: Iterable[str]) -> None:
    """Refuse to go on if standard output goes to a file that is read: by its path, as `-`, or in a folder."""
    if (out := output_file()) is not None and any(is_file(out, source) for source in sources):
        problem = "standard output goes to a file that is an input"
        raise PolicyError("E211", problem, hint="send it to another file")


def output_file() -> os.stat_result | None:
    """The file that standard output goes to, if it is one."""
    try:
        status = os.fstat(sys.stdout.fileno())
    except (AttributeError, OSError, ValueError):  # closed, or no file of the system
        return None
    return status if stat.S_ISREG(status.st_mode) else None


def is_file(status: os.stat_result, source: str) -> bool:
    """Whether a path, standard input (`-`), or a file in a folder is the file of that status."""
    try:
        if os.path.isdir(source):
            with os.scandir(source) as entries:
                return any(entry.inode() == status.st_ino and is_file(status, entry.path) for entry in entries)
        return os.path.samestat(status, _status(source))
    except OSError:
        return False


def _status(path: "str | os.PathLike[str]") -> os.stat_result:
    return os.fstat(0) if path == "-" else os.stat(path)


def _append(file: io.FileIO, data: bytes, between: bytes, new: str | None) -> None:
    """Write to the end; if that fails, what was written is cut off, and a `new` file removed."""
    before = os.fstat(file.fileno())
    try:
        write_all(file, between + data if before.st_size else data)
        if stat.S_ISREG(before.st_mode):
            os.fsync(file.fileno())
    except BaseException:
        with suppress(OSError):
            _take_back(file, before, new)
        raise


def _take_back(file: io.FileIO, before: os.stat_result, new: str | None) -> None:
    """Undo what was appended, unless another process wrote after it."""
    if not stat.S_ISREG(before.st_mode) or os.fstat(file.fileno()).st_size != file.tell():
        return
    os.ftruncate(file.fileno(), before.st_size)
    if new is not None and not before.st_size:
        os.unlink(new)


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
    part = os.path.join(folder, f".{os.urandom(8).hex()}{UNFINISHED}")  # an unpredictable and short name
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
    """Write a new file and flush it to disk; an existing file or link of that name is an error."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with open(os.open(path, flags, 0o666), "wb", buffering=0) as file:
        write_all(file, data)
        if mode is not None:
            os.chmod(path, stat.S_IMODE(mode))
        os.fsync(file.fileno())


def _sync_folder(folder: str) -> None:
    """Flush the folder, so that the new name is on the disk too, if the system supports it."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
