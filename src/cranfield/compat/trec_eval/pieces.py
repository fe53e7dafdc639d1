"""A large run file, evaluated some topics at a time, so that neither memory nor its cost grows with the file.

Only for regular files: the rows of a topic together, no comments, nothing that trec_eval would stop at. Whatever else
there is, is left to the reader of whole files.
"""

import io
import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield import kernel
from cranfield.align.join import JudgmentIndex
from cranfield.align.pieces import joined
from cranfield.compat.trec_eval.arguments import Options
from cranfield.compat.trec_eval.evaluation import Evaluation, by_grade, in_order, ranked
from cranfield.compat.trec_eval.reader import quick_run
from cranfield.compat.trec_eval.units import twice
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import SPARE

if TYPE_CHECKING:
    from cranfield.compat.trec_eval.preferences import Preferences

LARGE = 16 << 20  # bytes of a file that is worth it
PIECE = 8 << 20


class Irregular(Exception):
    """The file has to be read as a whole."""


def in_pieces(judgments: "Qrels | Preferences", options: Options) -> Evaluation | None:
    """The evaluation of a large run; None where it has to be read as a whole."""
    if not isinstance(judgments, Qrels) or options.judgment_format != "qrels" or kernel.compiled is None:
        return None
    if not os.path.isfile(options.run) or os.path.getsize(options.run) < LARGE:
        return None
    try:
        with open(options.run, "rb", buffering=0) as file:
            return _evaluation(judgments, _runs(file), options)
    except (OSError, Irregular):
        return None


def _evaluation(judgments: Qrels, runs: Iterator[Run], options: Options) -> Evaluation:
    if _repeats(judgments) or (options.max_docs is not None and options.max_docs < 1):
        raise Irregular
    qrels = in_order(judgments)
    index = JudgmentIndex.of(qrels)
    hits, answered, name = [], set[str](), ""
    for run in runs:
        if _repeats(run) or not answered.isdisjoint(run.topics):
            raise Irregular
        name = name or run.name
        answered.update(run.topics)
        hits.append(replace(index.hits(ranked(run, options)), lists=None))
    present = np.array([topic in answered for topic in qrels.topics], dtype=bool)
    if not present.all() and (options.version < 10 or not options.complete):
        raise Irregular
    empty = Evaluation(options, qrels.topics, present, len(qrels.topics), name, None)
    return by_grade(empty, qrels, joined(hits), int(np.count_nonzero(qrels.grade > 0)))


def _repeats(table: Run | Qrels) -> bool:
    """Whether a document stands twice in a topic."""
    return bool(twice(table.topics, table.topic, table.document, table.topic))


def _runs(file: io.FileIO) -> Iterator[Run]:
    """The lists of some topics at a time; each piece is gone when the next is asked for."""
    buffer, room = bytearray(PIECE + len(SPARE)), dict[object, Any]()
    held = 0  # bytes of a topic whose end has not been read yet
    while True:
        filled, ended = _fill(file, buffer, held)
        size = filled if ended else buffer.rfind(b"\n", 0, filled) + 1
        run = quick_run(np.frombuffer(buffer, dtype=np.uint8), size, room)
        if run is None or (run.topic[1:] < run.topic[:-1]).any():
            raise Irregular
        if ended:
            yield run
            return
        whole = int(np.searchsorted(run.topic, len(run.topics) - 1))  # rows of all topics but the last
        if whole:
            yield _first(run, whole)
        begin = buffer.rfind(b"\n", 0, int(run.document.start[whole])) + 1
        rest = buffer[begin:filled]
        if not whole:
            buffer = bytearray(2 * len(buffer))  # a topic longer than a piece
        held = len(rest)
        buffer[:held] = rest


def _first(run: Run, rows: int) -> Run:
    kept = slice(rows)
    document, score = run.document.take(kept), run.score[kept]
    return replace(run, topics=run.topics[:-1], topic=run.topic[kept], document=document, score=score)


def _fill(file: io.FileIO, buffer: bytearray, held: int) -> tuple[int, bool]:
    """Fill the buffer behind what it holds; how far it is filled, and whether the file has ended."""
    filled, size = held, len(buffer) - len(SPARE)
    with memoryview(buffer) as view:
        while filled < size and (count := file.readinto(view[filled:size])):
            filled += count
        view[filled : filled + len(SPARE)] = SPARE
    return filled, filled < size
