"""Differences of each topic between runs and a baseline, and where they are drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from cranfield.tables.scores import Scores
from cranfield.tables.sheets.numerals import in_print

DASH = "–"


@dataclass(frozen=True)
class TopicDelta:
    """The differences of one topic: the value of the baseline, and how far each run is from it."""

    topic: str
    baseline: str
    deltas: tuple[str, ...]
    numbers: tuple[float, ...]
    bars: tuple[tuple[float, float], ...] = ()  # from where to where each difference is drawn, from 0 to 100


def topic_deltas(scores: Scores, base: str, others: Sequence[str]) -> tuple[TopicDelta, ...]:
    """How far each run is from the baseline, by topic."""
    rows = scores.runs
    value = scores.values[:, :, 0]
    first = value[rows.index(base)]
    columns = [value[rows.index(name)] - first for name in others]
    farthest = max((abs(_number(float(each))) for column in columns for each in column), default=0.0) or 1.0
    return tuple(
        TopicDelta(
            topic=topic,
            baseline=_print(float(first[place]), ".4f"),
            deltas=tuple(_print(float(column[place]), "+.4f") for column in columns),
            numbers=tuple(_number(float(column[place])) for column in columns),
            bars=tuple(_bar(_number(float(column[place])) / farthest) for column in columns),
        )
        for place, topic in enumerate(scores.topics)
    )


def _bar(share: float) -> tuple[float, float]:
    """Where a difference begins and how long it is, of 100; no difference is in the middle.

    >>> _bar(-0.5), _bar(1.0)
    ((25.0, 25.0), (50.0, 50.0))
    """
    return (50.0 + min(share, 0.0) * 50, abs(share) * 50)


def _print(value: float, style: str) -> str:
    return DASH if isnan(value) else in_print(value, style)


def _number(value: float) -> float:
    return 0.0 if isnan(value) else value
