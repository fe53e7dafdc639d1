"""Judgments of one pair that do not say the same: whether they are of subtopics, or contradict each other."""

import numpy as np

from cranfield.arrays import Bools, Ints
from cranfield.errors import InputError
from cranfield.errors.wording import setting, verb
from cranfield.tables.qrels import Qrels


def refuse_contradictions(qrels: Qrels, order: Ints, first: Bools, measure: object) -> None:
    """Refuse different judgments of one pair; the error says whether they are subtopics or contradictions."""
    again = np.flatnonzero(~first)
    earlier, later = order[again - 1], order[again]
    same = qrels.document.equal(earlier, qrels.document, later) & (qrels.topic[earlier] == qrels.topic[later])
    if not same.all():
        raise RuntimeError("two documents of the qrels have one 64-bit key")  # one chance in 10^9 for 10^5 judgments
    if qrels.iteration is not None and not qrels.iteration.equal(earlier, qrels.iteration, later).all():
        subtopics = sorted(set(qrels.iteration), key=lambda name: (len(name), name))
        raise InputError(
            "E115",
            f"column 2 holds subtopics {subtopics[0]}…{subtopics[-1]}, {measure} needs one judgment per document",
            path=qrels.source.name or "qrels",
            hint=f"use alpha_nDCG@20, ERR_IA@20 …, or {setting('collapse', 'any')}",
        )
    differ = np.flatnonzero(qrels.grade[earlier] != qrels.grade[later])
    if len(differ):
        at = differ[np.argmin(later[differ])]
        raise _contradiction(qrels, int(earlier[at]), int(later[at]))


def _contradiction(qrels: Qrels, earlier: int, later: int) -> InputError:
    topic, line = qrels.topics[int(qrels.topic[later])], qrels.line_of(earlier)
    return InputError(
        "E109",
        f"topic {topic!r}, document {qrels.document[later]!r} has grade {qrels.grade[later]} here "
        f"and {qrels.grade[earlier]} " + ("before" if line is None else f"at line {line}"),
        path=qrels.source.name or "qrels",
        line=qrels.line_of(later),
        text=qrels.text_of(later),
        hint=f"the file has an assessor column: {verb('convert', rule='majority')} makes one grade of several"
        if qrels.source.assessors
        else "several assessors? give each a file, or an assessor column, and use 'cranfield agree'",
    )
