"""Run and qrels files as trec_eval reads them: C's white space, C's numbers, a line that is too short stops everything.

Regular files take the quick way of the other readers; only odd lines and odd numbers are looked at one by one.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bytes
from cranfield.compat.trec_eval.numerals import real, whole
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


def read_run(path: str, version: int) -> Run:
    """A run file; its name is the tag of the first line."""
    topic, _, document, rank, score, tag = _columns(path, RESULTS, version)
    topics, code = topic.codes()
    numbers, odd = score.numbers()
    for row in np.flatnonzero(odd).tolist():
        numbers[row] = real(score.raw(row))
    name = tag[0] if len(tag) else ""
    return Run(name, tuple(topics), code, document, numbers, rank, source=Source(path, "trec"))


def read_qrels(path: str, version: int) -> Qrels:
    """A qrels file."""
    topic, iteration, document, grade = _columns(path, QRELS, version)
    topics, code = topic.codes()
    numbers, odd = grade.integers()
    for row in np.flatnonzero(odd).tolist():
        numbers[row] = whole(grade.raw(row))
    return Qrels(tuple(topics), code, document, numbers, iteration, source=Source(path, "trec"))


def _columns(path: str, format_: Format, version: int) -> list[Text]:
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


Reader = Callable[[str, int], Qrels]

JUDGMENT_FORMATS: dict[str, Reader | None] = {  # None: known to trec_eval, not read here
    "qrels": read_qrels,
    "prefs": None,
    "qrels_prefs": None,
    "qrels_jg": None,
}
RESULT_FORMATS: dict[str, Callable[[str, int], Run]] = {"trec_results": read_run}
