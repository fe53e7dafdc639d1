"""What a disagreement changes: by how much differences between systems move with the one grade or the other.

Only the topic of the pair moves. All pairs are scored at once: each has two copies of its topic, one with the lowest
grade that was given and one with the highest; all other documents have the grade of the rule.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from cranfield.align.policy import Policy
from cranfield.arrays import Floats, Ints
from cranfield.measures.evaluate import evaluate
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike

_AT_ONCE = 200_000  # rows of all runs that are copied at a time


@dataclass(frozen=True)
class GradeChange:
    """A pair whose grade is in question: between the lowest and the highest that was given."""

    topic: str
    document: str
    low: float
    high: float


@dataclass(frozen=True)
class SystemEffect:
    """How far the difference of two systems moves, in the mean of all topics, and whether their order turns over."""

    size: float
    runs: tuple[str, str] | None  # those whose difference moves most; None if nothing moves
    turns: int  # pairs of systems whose order is not the same under both grades


def effects(qrels: Qrels, runs: Runs, measure: "MeasuresLike", changes: Sequence[GradeChange]) -> list[SystemEffect]:
    """The effect of each change on the differences of the systems.

    >>> from cranfield.read.objects import as_runs
    >>> qrels = Qrels.of(["1", "1"], ["a", "b"], [0, 1])
    >>> runs = as_runs({"x": {"1": ["a", "b"]}, "y": {"1": ["b", "a"]}})
    >>> effects(qrels, runs, "P@1", [GradeChange("1", "a", 0, 1)])  # y is ahead by 1, or both find one
    [SystemEffect(size=1.0, runs=('x', 'y'), turns=1)]
    """
    if not changes or not len(qrels):
        return [SystemEffect(0.0, None, 0) for _ in changes]
    base = evaluate(qrels, runs, measure, policy=_QUIET)
    per_topic = base.values[:, :, 0]
    means, topics = base.means[:, 0], max(len(base.topics), 1)
    place = {name: number for number, name in enumerate(base.topics)}
    found: list[SystemEffect] = []
    for part in _parts(changes, runs):
        scores = _both(qrels, runs, measure, part)  # [run, change, low or high]
        for number, change in enumerate(part):
            now = per_topic[:, place[change.topic]]
            moved = means[:, None] + (scores[:, number, :] - now[:, None]) / topics
            found.append(_effect(base.runs, moved))
    return found


def _effect(runs: Sequence[str], means: Floats) -> SystemEffect:
    """The largest movement of a difference between the two columns of means."""
    shift = np.nan_to_num(means[:, 1] - means[:, 0])
    most, least = int(shift.argmax()), int(shift.argmin())
    size = float(shift[most] - shift[least])
    turns = sum(
        np.sign(round(means[a, 0] - means[b, 0], 12)) != np.sign(round(means[a, 1] - means[b, 1], 12))
        for a, b in combinations(range(len(runs)), 2)
    )
    return SystemEffect(size, (runs[most], runs[least]) if size > 0 else None, int(turns))


def _both(qrels: Qrels, runs: Runs, measure: "MeasuresLike", changes: Sequence[GradeChange]) -> Floats:
    """`[run, change, 0 or 1]`: the score of each run on the topic of each change, under either grade."""
    names = tuple(f"{number}{end}" for number in range(len(changes)) for end in "lh")
    judged = _copied_qrels(qrels, changes, names)
    copied = Runs(_copied_run(run, changes, names) for run in runs.values())
    scores = evaluate(judged, copied, measure, policy=_QUIET)
    order = [scores.topics.index(name) for name in names]
    values: Floats = scores.values[:, order, 0].reshape(len(scores.runs), len(changes), 2)
    return values


def _copied_run(run: Run, changes: Sequence[GradeChange], names: tuple[str, ...]) -> Run:
    rows, topic = _copies(run.topics, run.topic, changes)
    known = run.ranks()
    return Run(
        name=run.name,
        topics=names,
        topic=topic,
        document=run.document.take(rows),
        score=run.score[rows],
        rank=None if known is None else known[rows],
    )


def _copied_qrels(qrels: Qrels, changes: Sequence[GradeChange], names: tuple[str, ...]) -> Qrels:
    rows, topic = _copies(qrels.topics, qrels.topic, changes)
    document = qrels.document.take(rows)
    grade = qrels.grade[rows].astype(np.float64)
    ids = [changes[number // 2].document for number in range(2 * len(changes))]
    mine = np.array([ids[t] == name for t, name in zip(topic.tolist(), document, strict=True)], dtype=bool)
    ends = np.array([[change.low, change.high] for change in changes], dtype=np.float64).ravel()
    grade[mine] = ends[topic[mine]]
    whole = grade.astype(np.int64) if (grade == np.rint(grade)).all() else grade
    return Qrels(names, topic, document, whole)


def _copies(topics: Sequence[str], topic: Ints, changes: Sequence[GradeChange]) -> tuple[Ints, Ints]:
    """The rows of the topic of each change, twice, and the number of the copy that each row belongs to."""
    place = {name: number for number, name in enumerate(topics)}
    of = [np.flatnonzero(topic == place[change.topic]) if change.topic in place else _NONE for change in changes]
    twice = [rows for rows in of for _ in range(2)]
    return np.concatenate(twice), np.repeat(np.arange(len(twice)), [len(rows) for rows in twice])


def _parts(changes: Sequence[GradeChange], runs: Runs) -> list[Sequence[GradeChange]]:
    """The changes in parts of which not too many rows are copied."""
    longest = max((len(run) // max(len(run.topics), 1) for run in runs.values()), default=1) + 1
    size = max(1, _AT_ONCE // (2 * longest * max(len(runs), 1)))
    return [changes[start : start + size] for start in range(0, len(changes), size)]


_NONE = np.zeros(0, dtype=np.int64)
_QUIET = Policy()
