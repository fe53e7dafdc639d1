"""Run and qrels files as trec_eval reads them: C's white space, C's numbers, a line that is too short stops everything.

Regular files are read by the fast reader; only irregular lines and numbers are read one by one.
"""

import io
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cranfield import kernel
from cranfield.arrays import Bytes, Floats, Ints
from cranfield.arrays.memory import memory
from cranfield.compat.trec_eval.numerals import real, whole
from cranfield.compat.trec_eval.quit import Quit
from cranfield.read.sources import compressed
from cranfield.read.sources.content import PIECE
from cranfield.read.sources.devices import refuse_device
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.source import Source
from cranfield.tables.text import SPARE, Text

if TYPE_CHECKING:
    from cranfield.compat.trec_eval.preferences.table import Preferences


class TrecFormat(NamedTuple):
    """A kind of file: how many columns it has, and what trec_eval does with other lines."""

    reader: str  # what trec_eval calls its reader in messages
    noun: str
    columns: int
    longer: bool  # columns beyond the last are ignored
    blank: bool  # blank lines are skipped


RESULTS = TrecFormat("get_results", "results", columns=6, longer=True, blank=True)
QRELS = TrecFormat("get_qrels", "qrels", columns=4, longer=False, blank=False)
QRELS_JG = TrecFormat("get_qrels_jg", "qrels_jg", columns=4, longer=False, blank=False)
QRELS_PREFS = TrecFormat("get_qrels_prefs", "prefs", columns=4, longer=False, blank=False)
PREFS = TrecFormat("get_prefs", "prefs", columns=5, longer=False, blank=False)


_RUN_KINDS = (kernel.TOPIC, kernel.SKIP, kernel.TEXT, kernel.SKIP, kernel.NUMBER, kernel.CONSTANT)
_QRELS_KINDS = (kernel.TOPIC, kernel.TEXT, kernel.TEXT, kernel.TEXT)


def read_run(path: str, version: int) -> Run:
    """A run file; its name is the tag of the first line."""
    raw = _content(path, RESULTS)
    if (run := quick_run(raw, len(raw) - len(SPARE))) is not None:
        return replace(run, source=Source(path, "trec"))
    topic, _, document, _, score, tag = _columns(raw, path, RESULTS, version)
    names, code = topic.codes()
    return Run(tag[0] if len(tag) else "", tuple(names), code, document, _reals(score), source=Source(path, "trec"))


def quick_run(raw: Bytes, size: int, room: dict[object, Any] | None = None) -> Run | None:  # arrays of any kind
    """The run in the first bytes of a buffer; None if a line is irregular. With `room`, the next call overwrites it."""
    if (found := _quickly(raw, size, _RUN_KINDS, room)) is None:
        return None
    topics, topic, (_, _, document, _, score, tag) = found
    first = bytes(raw[: document.start[1]]).split()[5] if tag is None else tag  # it varies, so there is a second
    return Run(_decoded(first), topics, topic, document, score)


def read_qrels(path: str, version: int, format_: TrecFormat = QRELS) -> Qrels:
    """A qrels file."""
    raw = _content(path, format_)
    topics: Sequence[str]
    if (found := _quickly(raw, len(raw) - len(SPARE), _QRELS_KINDS)) is not None:
        topics, code, (_, iteration, document, grade) = found
    else:
        topic, iteration, document, grade = _columns(raw, path, format_, version)
        topics, code = topic.codes()
    numbers, odd = grade.integers()
    for row in np.flatnonzero(odd).tolist():
        numbers[row] = whole(grade.raw(row))
    return Qrels(tuple(topics), code, document, numbers, iteration, source=Source(path, "trec"))


def read_qrels_jg(path: str, version: int) -> Qrels:
    """A qrels file whose second column names the judgment group."""
    return read_qrels(path, version, QRELS_JG)


def read_prefs(path: str, version: int) -> "Preferences":
    """A preference file: topic, judgment group, subgroup, document, level."""
    topic, group, subgroup, document, level = columns_of(path, PREFS, version)
    return _preferences(topic, group, subgroup, document, level)


def read_qrels_prefs(path: str, version: int) -> "Preferences":
    """A qrels file read as preferences: topic, judgment group, document, level."""
    topic, group, document, level = columns_of(path, QRELS_PREFS, version)
    return _preferences(topic, group, None, document, level)


def _preferences(topic: Text, group: Text, subgroup: Text | None, document: Text, level: Text) -> "Preferences":
    from cranfield.compat.trec_eval.preferences.table import Preferences

    return Preferences.of(topic, group, subgroup, document, _reals(level))


def _reals(column: Text) -> Floats:
    numbers, odd = column.numbers()
    for row in np.flatnonzero(odd).tolist():
        numbers[row] = real(column.raw(row))
    return numbers


def columns_of(path: str, format_: TrecFormat, version: int) -> list[Text]:
    """The columns of a file."""
    return _columns(_content(path, format_), path, format_, version)


def _columns(raw: Bytes, path: str, format_: TrecFormat, version: int) -> list[Text]:
    from cranfield.read.formats.scan import scan

    data = raw[: -len(SPARE)]
    found = scan(data, format_.columns)
    if found.rows == _lines(data):
        return [Text(raw, start, length) for start, length in zip(found.start, found.length, strict=True)]
    return _line_by_line(data.tobytes(), path, format_, version)


def _quickly(
    raw: Bytes, size: int, kinds: Sequence[int], room: dict[object, Any] | None = None
) -> tuple[tuple[str, ...], Ints, list[Any]] | None:  # columns by kind
    """Topics and columns from the fast reader; None for files with comments, blank lines or irregular lines."""
    if (found := kernel.scan(raw, size, kinds, room)) is None:
        return None
    topics, topic, made, line, any_long, *_ = found
    if line is not None:
        return None
    columns = [Text(raw, *c[:2]).hashed(c[2], any_long) if isinstance(c, tuple) else c for c in made]
    return tuple(map(_decoded, topics)), topic, columns


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


def _content(path: str, format_: TrecFormat) -> Bytes:
    """The bytes of a file, followed by the spare bytes that columns need."""
    try:
        with open(path, "rb", buffering=0) as file:
            refuse_device(file.fileno(), path)
            size = os.fstat(file.fileno()).st_size
            raw, filled = np.frombuffer(memory(size + len(SPARE)), dtype=np.uint8), 0
            while filled < size and (count := file.readinto(raw[filled:size].data)):
                filled += count
            rest = _rest(file, path)  # of a pipe, or of a file that has grown
    except OSError:
        filled, rest = 0, b""
    if not filled and not rest:
        raise _stop(path, f"trec_eval.{format_.reader}: Cannot read {format_.noun} file '{path}'")
    if rest or filled < size:
        return np.frombuffer(raw[:filled].tobytes() + rest + SPARE, dtype=np.uint8)
    return raw


def _rest(file: io.FileIO, path: str) -> bytes:
    """The rest of the file, if it fits into memory."""
    rest, most = bytearray(), compressed.held(None)
    while piece := file.read(PIECE):
        rest += piece
        if len(rest) > most:
            raise compressed.too_large(path, None)
    return bytes(rest)


def _lines(data: Bytes) -> int:
    """Number of lines; the last one may lack its newline."""
    return int(np.count_nonzero(data == 10)) + int(data[-1] != 10)


def _line_by_line(raw: bytes, path: str, format_: TrecFormat, version: int) -> list[Text]:
    """The columns of a file with comments, blank lines, or lines with another number of columns."""
    rows = []
    for number, line in enumerate(raw.removesuffix(b"\n").split(b"\n"), start=1):
        if version >= 10 and line.startswith(b"#"):
            continue
        words = line.split()
        if not words and format_.blank:
            continue
        if len(words) < format_.columns or (len(words) > format_.columns and not format_.longer):
            raise _stop(path, f"trec_eval.{format_.reader}: Malformed line {number}")
        rows.append(words[: format_.columns])
    columns: list[tuple[bytes, ...]] = list(zip(*rows, strict=True)) or [()] * format_.columns
    return [Text.of(column) for column in columns]


def _stop(path: str, text: str) -> Quit:
    return Quit(2, f"{text}\ntrec_eval: Quit in file '{path}'\n")


JUDGMENT_FORMATS: dict[str, "Callable[[str, int], Qrels | Preferences]"] = {
    "qrels": read_qrels,
    "prefs": read_prefs,
    "qrels_prefs": read_qrels_prefs,
    "qrels_jg": read_qrels_jg,
}
RESULT_FORMATS: dict[str, Callable[[str, int], Run]] = {"trec_results": read_run}
