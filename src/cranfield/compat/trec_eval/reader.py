"""Run and qrels files as trec_eval reads them: C's white space, C's numbers, a line that is too short stops everything.

Regular files take the quick way of the other readers; only odd lines and odd numbers are looked at one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bytes, Floats
from cranfield.compat.trec_eval.numerals import real, whole
from cranfield.compat.trec_eval.preferences import Preferences
from cranfield.compat.trec_eval.quit import Quit
from cranfield.read.scan import scan
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.source import Source
from cranfield.tables.text import SPARE, Text


@dataclass(frozen=True)
class Format:
    """A kind of file: how many columns it has, and what trec_eval does with other lines."""

    reader: str  # what trec_eval calls its reader in messages
    noun: str
    columns: int
    longer: bool  # columns beyond the last are ignored
    blank: bool  # blank lines are skipped


RESULTS = Format("get_results", "results", columns=6, longer=True, blank=True)
QRELS = Format("get_qrels", "qrels", columns=4, longer=False, blank=False)
QRELS_JG = Format("get_qrels_jg", "qrels_jg", columns=4, longer=False, blank=False)
QRELS_PREFS = Format("get_qrels_prefs", "prefs", columns=4, longer=False, blank=False)
PREFS = Format("get_prefs", "prefs", columns=5, longer=False, blank=False)


def read_run(path: str, version: int) -> Run:
    """A run file; its name is the tag of the first line."""
    topic, _, document, rank, score, tag = columns_of(path, RESULTS, version)
    topics, code = topic.codes()
    name = tag[0] if len(tag) else ""
    return Run(name, tuple(topics), code, document, _reals(score), rank, source=Source(path, "trec"))


def read_qrels(path: str, version: int, format_: Format = QRELS) -> Qrels:
    """A qrels file."""
    topic, iteration, document, grade = columns_of(path, format_, version)
    topics, code = topic.codes()
    numbers, odd = grade.integers()
    for row in np.flatnonzero(odd).tolist():
        numbers[row] = whole(grade.raw(row))
    return Qrels(tuple(topics), code, document, numbers, iteration, source=Source(path, "trec"))


def read_qrels_jg(path: str, version: int) -> Qrels:
    """A qrels file whose second column names the judgment group."""
    return read_qrels(path, version, QRELS_JG)


def read_prefs(path: str, version: int) -> Preferences:
    """A preference file: topic, judgment group, subgroup, document, level."""
    topic, group, subgroup, document, level = columns_of(path, PREFS, version)
    return Preferences.of(topic, group, subgroup, document, _reals(level))


def read_qrels_prefs(path: str, version: int) -> Preferences:
    """A qrels file read as preferences: topic, judgment group, document, level."""
    topic, group, document, level = columns_of(path, QRELS_PREFS, version)
    return Preferences.of(topic, group, None, document, _reals(level))


def _reals(column: Text) -> Floats:
    numbers, odd = column.numbers()
    for row in np.flatnonzero(odd).tolist():
        numbers[row] = real(column.raw(row))
    return numbers


def columns_of(path: str, format_: Format, version: int) -> list[Text]:
    """The columns of a file."""
    raw = _content(path, format_)
    data = np.frombuffer(raw, dtype=np.uint8)[: -len(SPARE)]
    found = scan(data, format_.columns)
    if found.rows == _lines(data):
        buffer = np.frombuffer(raw, dtype=np.uint8)
        return [Text(buffer, start, length) for start, length in zip(found.start, found.length, strict=True)]
    return _line_by_line(raw[: -len(SPARE)], path, format_, version)


def _content(path: str, format_: Format) -> bytes:
    try:
        with open(path, "rb") as file:
            raw = file.read()
    except OSError:
        raw = b""
    if not raw:
        raise _stop(path, f"trec_eval.{format_.reader}: Cannot read {format_.noun} file '{path}'")
    return raw + SPARE


def _lines(data: Bytes) -> int:
    """Number of lines; the last one may lack its newline."""
    return int(np.count_nonzero(data == 10)) + int(data[-1] != 10)


def _line_by_line(raw: bytes, path: str, format_: Format, version: int) -> list[Text]:
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


JUDGMENT_FORMATS: dict[str, Callable[[str, int], Qrels | Preferences]] = {
    "qrels": read_qrels,
    "prefs": read_prefs,
    "qrels_prefs": read_qrels_prefs,
    "qrels_jg": read_qrels_jg,
}
RESULT_FORMATS: dict[str, Callable[[str, int], Run]] = {"trec_results": read_run}
