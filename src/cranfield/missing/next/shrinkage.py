"""By how much judging a hole shrinks the ranges of the open pairs."""

from typing import NamedTuple

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.bounds.additive import Terms
from cranfield.missing.bounds.ideal import SharesOfIdeal
from cranfield.missing.next.question import Question
from cranfield.missing.next.swing import swing


class Shrinkage(NamedTuple):
    """By how much the ranges of the open pairs shrink, in sum, if each of some holes is judged."""

    least: Floats  # over the grades that the hole may get
    most: Floats
    exact: bool  # if not, both are the approximation that `swing` orders by


def shrinkage(question: Question, holes: Ints) -> Shrinkage:
    """What judging each of some holes takes off the ranges, by trying its grades where ranges are found quickly."""
    if not _is_exact(question):
        about = swing(question)[holes]
        return Shrinkage(about, about, exact=False)
    widths = [_widths(question, hole) for hole in holes.tolist()]
    shape = (len(holes), 1 + len(question.situation.levels))
    before, after = np.split(np.array(widths).reshape(shape) * question.share, [1], axis=1)
    taken = np.round(before - after, 12)
    return Shrinkage(taken.min(axis=1), taken.max(axis=1), exact=True)


def _is_exact(question: Question) -> bool:
    """Whether the range of a mean is the mean of ranges that are exact: each topic counts for each pair."""
    bounder = question.bounder
    counts, optional = bounder.counted(question.a, question.b)
    whole = bool(counts.all()) and not optional.any() and bounder.average in ("mean", "sum")
    return whole and isinstance(bounder.method, Terms | SharesOfIdeal)


def _widths(question: Question, hole: int) -> list[float]:
    """The sum of the widths of the ranges in the topic of a hole: before it is judged, and with each grade."""
    number, own = question.place(hole)
    topic = question.bounder.topics[number]
    judged = (topic.judged(own, level) for level in question.situation.levels.tolist())
    ends = [question.bounder.method.ends(each, question.a, question.b) for each in (topic, *judged)]
    return [float((each.high - each.low).sum()) for each in ends]
