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
from cranfield.read.paths import ending as format_ending


def put(data: bytes, path: "str | os.PathLike[str] | IO[bytes]", *, compress: bool = True) -> None:
    """Write everything at once; a file that cannot be written leaves nothing behind."""
    if not isinstance(path, str | os.PathLike):
        path.write(data)
        return
    if path == "-":
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    if target.is_dir():
        raise InputError("E102", "is a directory, expected a file", path=target)
    packed = _packed(data, target.suffix.lower()) if compress else data
    try:
        _place(packed, target)
    except OSError as reason:
        raise InputError("E120", f"cannot be written: {reason.strerror or reason}", path=target) from None


def ending(path: Any) -> str:  # a path, or an open file
    """The ending that tells the format, if the target has a name."""
    return format_ending(os.fspath(path)) if isinstance(path, str | os.PathLike) else ""


def _place(data: bytes, target: Path) -> None:
    if target.exists() and not target.is_file():  # a pipe or a device
        target.write_bytes(data)
        return
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(data)
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
    import polars as pl

    packed = io.BytesIO()
    text = data.decode()
    lines = pl.DataFrame({"line": text.removesuffix("\n").split("\n")})
    lines.write_csv(packed, include_header=False, quote_style="never", compression="zstd", null_value="")
    return packed.getvalue()
