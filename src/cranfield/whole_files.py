"""Files that are there whole or not at all: written under another name, then renamed."""

import os

from cranfield.errors import InputError

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


def _place(data: bytes, path: str) -> None:
    from pathlib import Path  # which is slow to import, and seldom needed

    target = Path(os.path.realpath(path))  # a link stays a link
    if path.startswith(("/dev/", "/proc/")) or (target.exists() and not target.is_file()):
        Path(path).write_bytes(data)  # a device or named pipe cannot be renamed over
        return
    part = target.with_name(f".{target.name}.{os.getpid()}{UNFINISHED}")
    try:
        part.write_bytes(data)
        if target.exists():
            part.chmod(target.stat().st_mode)
        os.replace(part, target)
    finally:
        part.unlink(missing_ok=True)
