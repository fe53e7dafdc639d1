"""Where bytes go: standard output, or a file that appears under its name only when it is complete."""

import bz2
import gzip
import io
import lzma
import os
import sys
from pathlib import Path
from typing import IO, Any

from cranfield.errors import InputError
from cranfield.extras import need
from cranfield.read.sources.paths import ending as format_ending

UNFINISHED = ".part"  # the ending of a file that is still being written


def put(data: bytes, path: "str | os.PathLike[str] | IO[bytes]", *, compress: bool = True) -> None:
    """Write everything at once; a file that cannot be written leaves nothing behind."""
    if not isinstance(path, str | os.PathLike):
        path.write(data)
        return
    if path == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    if os.path.isdir(path):
        raise InputError("E102", "is a directory, expected a file", path=os.fspath(path))
    write_whole(path, _packed(data, Path(path).suffix.lower()) if compress else data)


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


def ending(path: Any) -> str:  # a path, or an open file
    """The ending that tells the format, if the target has a name."""
    return format_ending(os.fspath(path)) if isinstance(path, str | os.PathLike) else ""


def _place(data: bytes, path: str) -> None:
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


def _packed(data: bytes, ending: str) -> bytes:
    if ending == ".gz":
        return gzip.compress(data, compresslevel=6, mtime=0)  # the same bytes for the same table
    if ending == ".bz2":
        return bz2.compress(data)
    if ending == ".xz":
        return lzma.compress(data)
    return _zst(data) if ending == ".zst" else data


def _zst(data: bytes) -> bytes:
    """Zstandard through polars, which packs what it writes as lines."""
    need("polars", "a .zst file")
    import polars as pl

    packed = io.BytesIO()
    text = data.decode()
    lines = pl.DataFrame({"line": text.removesuffix("\n").split("\n")})
    lines.write_csv(packed, include_header=False, quote_style="never", compression="zstd")
    return packed.getvalue()
