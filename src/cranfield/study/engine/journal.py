"""The journal of a study: what each finished unit found, one line each, safe against a sudden end.

A line is a checksum and a JSON object. It is on the disk before the next unit counts; a line that was torn by a sudden
end is cut off, and its unit is done again. An interrupted and resumed journal is byte for byte an uninterrupted one.
"""

import base64
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from cranfield.errors import InputError
from cranfield.study.engine.definition import UnitResult

NAME = "units.jsonl"


class Journal:
    """The units of one study that are done, in a file that only grows."""

    def __init__(self, folder: Path, study: str) -> None:
        """Open the journal of a folder; `study` identifies what is journalled, others are refused."""
        self.path: Path = folder / NAME
        self.found: dict[int, UnitResult] = {}
        self._file: IO[bytes] = self.path.open("ab+")
        try:
            _lock(self._file, folder)
            self._resume(folder, study)
        except BaseException:
            self._file.close()
            raise

    def _resume(self, folder: Path, study: str) -> None:
        """Read what is there, and cut off what is not whole."""
        self._file.seek(0)
        good = 0
        for number, (record, end) in enumerate(_records(self._file.read())):
            if number == 0 and record.get("study") != study:
                raise InputError("E231", "its journal belongs to another study", path=str(folder), hint=HINT)
            if number:
                self.found[record["unit"]] = {name: _array(value) for name, value in record["found"].items()}
            good = end
        self._file.truncate(good)
        if good == 0:
            self._append({"study": study})

    def add(self, unit: int, found: UnitResult) -> None:
        """Keep what a unit found; when this returns, it is on the disk."""
        self._append({"unit": unit, "found": {name: _plain(array) for name, array in found.items()}})

    def close(self) -> None:
        """Let others work in the folder."""
        self._file.close()

    def _append(self, record: dict[str, Any]) -> None:
        text = json.dumps(record, separators=(",", ":")).encode()
        self._file.write(b"%08x %s\n" % (zlib.crc32(text), text))
        self._file.flush()
        os.fsync(self._file.fileno())


HINT = "-o another folder, or remove this one"


def _records(data: bytes) -> Iterator[tuple[dict[str, Any], int]]:
    """Every whole line, with where it ends; nothing after the first that is not."""
    begin = 0
    while (end := data.find(b"\n", begin)) >= 0:
        line = data[begin:end]
        if line[:8] != b"%08x" % zlib.crc32(line[9:]):
            return
        begin = end + 1
        yield json.loads(line[9:]), begin


def _plain(array: Any) -> dict[str, Any]:  # anything that NumPy takes for an array
    whole = np.ascontiguousarray(array)
    little = whole.astype(whole.dtype.newbyteorder("<"), copy=False)
    return {
        "type": little.dtype.str,
        "shape": list(np.shape(array)),
        "data": base64.b64encode(little.tobytes()).decode(),
    }


def _array(plain: dict[str, Any]) -> Any:  # an array of the type it was written with
    return np.frombuffer(base64.b64decode(plain["data"]), dtype=plain["type"]).reshape(plain["shape"])


def _lock(file: IO[bytes], folder: Path) -> None:
    """One process at a time, where the system can tell."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # which the processes of --jobs do not inherit
    except OSError:
        hint = "wait for it, or -o another folder"
        raise InputError("E231", "another process is at work in this folder", path=str(folder), hint=hint) from None
