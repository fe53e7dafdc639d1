"""The journal of a study: the result of each finished unit, one line each, safe against a crash.

A line is a checksum and a JSON object, and is written to disk before the next unit counts. A line that is incomplete or
damaged is cut off with all lines after it, with a warning, and their units are done again. A journal that was
interrupted and resumed has the same bytes as one that was not.
"""

import base64
import json
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np

from cranfield.errors import DataWarning, InputError
from cranfield.errors.warning import warn
from cranfield.errors.wording import either
from cranfield.study.engine.definition import UnitResult

NAME = "units.jsonl"


class Journal:
    """The units of one study that are done, in a file that only grows."""

    def __init__(self, folder: Path, study: str) -> None:
        """Open the journal of a folder; a journal of another study than `study` is refused."""
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
        """Read the journal, and cut off incomplete lines."""
        self._file.seek(0)
        data = self._file.read()
        good = 0
        for number, (record, end) in enumerate(_records(data)):
            if number == 0 and record.get("study") != study:
                raise InputError("E231", "its journal belongs to another study", path=str(folder), hint=HINT)
            if number and not self._keep(record):
                break
            good = end
        if good < len(data):
            problem = f"could not be read from byte {good:,} on and was cut back there; units kept: {len(self.found):,}"
            warn(DataWarning("W130", problem, str(self.path)))
        self._file.truncate(good)
        if good == 0:
            self._append({"study": study})

    def _keep(self, record: dict[str, Any]) -> bool:
        """Keep the result of a unit; False if the record is not valid."""
        try:
            unit, found = record["unit"], {name: _array(value) for name, value in record["found"].items()}
        except (KeyError, TypeError, ValueError, AttributeError):
            return False
        if type(unit) is not int:
            return False
        self.found[unit] = found
        return True

    def add(self, unit: int, found: UnitResult) -> None:
        """Add the result of a unit; when this returns, it is on the disk."""
        self._append({"unit": unit, "found": {name: _plain(array) for name, array in found.items()}})

    def close(self) -> None:
        """Close the file and release the lock of the folder."""
        self._file.close()

    def _append(self, record: dict[str, Any]) -> None:
        text = json.dumps(record, separators=(",", ":")).encode()
        self._file.write(b"%08x %s\n" % (zlib.crc32(text), text))
        self._file.flush()
        os.fsync(self._file.fileno())


_ANOTHER = either("choose another folder", "-o another folder")
HINT = f"{_ANOTHER}, or remove this one"


def _records(data: bytes) -> Iterator[tuple[dict[str, Any], int]]:
    """The object of every complete line, with the end of the line; stops at the first invalid line."""
    begin = 0
    while (end := data.find(b"\n", begin)) >= 0:
        line = data[begin:end]
        if line[:8] != b"%08x" % zlib.crc32(line[9:]):
            return
        try:
            record = json.loads(line[9:])
        except (ValueError, RecursionError):
            return
        if not isinstance(record, dict):
            return
        begin = end + 1
        yield record, begin


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
    """Lock the file for one process at a time, if the system supports it."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # which the processes of --jobs do not inherit
    except OSError:
        hint = f"wait for it, or {_ANOTHER}"
        raise InputError("E231", "another process is at work in this folder", path=str(folder), hint=hint) from None
