"""Evaluate a large run file some topics at a time, so that memory does not grow with the file.

Only for regular files: the rows of a topic together, no comments, nothing at which trec_eval stops. The reader of whole
files reads all others.
"""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from cranfield.align.join import JudgmentIndex
from cranfield.align.joined_run import JoinedRun
from cranfield.compat.trec_eval.arguments import TrecOptions
from cranfield.compat.trec_eval.evaluation import Evaluation, by_grade, in_order, ranked
from cranfield.compat.trec_eval.preferences.units import twice
from cranfield.compat.trec_eval.reader import quick_run
from cranfield.read.sources.pieces import Arrays, Irregular, whole_topics
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run

if TYPE_CHECKING:
    from cranfield.compat.trec_eval.preferences.table import Preferences

LARGE = 16 << 20  # bytes of a file that is worth it


def in_pieces(judgments: "Qrels | Preferences", options: TrecOptions) -> Evaluation | None:
    """The evaluation of a large run; None if it has to be read as a whole."""
    if not isinstance(judgments, Qrels) or options.judgment_format != "qrels":
        return None
    if not os.path.isfile(options.run) or os.path.getsize(options.run) < LARGE:
        return None
    try:
        with open(options.run, "rb", buffering=0) as file:
            return _evaluation(judgments, whole_topics(file, _run), options)
    except (OSError, Irregular):
        return None


def _evaluation(judgments: Qrels, runs: Iterator[Run], options: TrecOptions) -> Evaluation:
    if _repeats(judgments) or (options.max_docs is not None and options.max_docs < 1):
        raise Irregular
    qrels = in_order(judgments)
    index = JudgmentIndex.of(qrels)
    found, answered, name = [], set[str](), ""
    for run in runs:
        if _repeats(run) or not answered.isdisjoint(run.topics):
            raise Irregular
        name = name or run.name
        answered.update(run.topics)
        found.append(JoinedRun.of_lists(ranked(run, options), index))
    present = np.array([topic in answered for topic in qrels.topics], dtype=bool)
    if not present.all() and (options.version < 10 or not options.complete):
        raise Irregular
    empty = Evaluation(options, qrels.topics, present, len(qrels.topics), name, None)
    return by_grade(empty, qrels, JoinedRun.together(found).hits, int(np.count_nonzero(qrels.grade > 0)))


def _repeats(table: Run | Qrels) -> bool:
    """Whether a document occurs twice in a topic."""
    return bool(twice(table.topics, table.topic, table.document, table.topic))


def _run(buffer: bytearray, size: int, arrays: Arrays) -> Run:
    run = quick_run(np.frombuffer(buffer, dtype=np.uint8), size, arrays)
    if run is None or (run.topic[1:] < run.topic[:-1]).any():
        raise Irregular
    return run
