"""Write bytes to standard output, or to a file that gets its name only when it is complete."""

import bz2
import gzip
import io
import lzma
import os
import sys
from pathlib import Path
from typing import IO, Any

from cranfield.errors import InputError
from cranfield.errors.extras import need
from cranfield.read.sources.paths import ending as format_ending
from cranfield.standard_streams import write_all
from cranfield.whole_files import write_whole


def put(data: bytes, path: "str | os.PathLike[str] | IO[bytes]", *, compress: bool = True) -> None:
    """Write everything at once; a file that cannot be written leaves nothing behind."""
    if not isinstance(path, str | os.PathLike):
        write_all(path, data)
        return
    if path == "-":
        write_all(sys.stdout.buffer, data)
        sys.stdout.buffer.flush()
        return
    if os.path.isdir(path):
        raise InputError("E102", "is a directory, expected a file", path=os.fspath(path))
    write_whole(path, _packed(data, Path(path).suffix.lower()) if compress else data)


def ending(path: Any) -> str:  # a path, or an open file
    """The ending that names the format, if the target has a name."""
    return format_ending(os.fspath(path)) if isinstance(path, str | os.PathLike) else ""


def _packed(data: bytes, ending: str) -> bytes:
    if ending == ".gz":
        return gzip.compress(data, compresslevel=6, mtime=0)  # the same bytes for the same table
    if ending == ".bz2":
        return bz2.compress(data)
    if ending == ".xz":
        return lzma.compress(data)
    return _zst(data) if ending == ".zst" else data


def _zst(data: bytes) -> bytes:
    """Zstandard compression through polars, which can compress a file of lines."""
    need("polars", "a .zst file")
    import polars as pl

    packed = io.BytesIO()
    text = data.decode()
    lines = pl.DataFrame({"line": text.removesuffix("\n").split("\n")})
    lines.write_csv(packed, include_header=False, quote_style="never", compression="zstd")
    return packed.getvalue()
