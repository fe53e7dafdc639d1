"""Deciding as a state: give the documents that decide soonest, take answers in any order, say what is known."""

from collections.abc import Iterable
from typing import Literal

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.missing.next.deciding.apart import kept_apart
from cranfield.missing.next.deciding.asked import AskedPairs
from cranfield.missing.next.deciding.left import judgments_left
from cranfield.missing.next.deciding.state import DecisionState, PairNow
from cranfield.missing.next.deciding.steps import Answer, DecisionStep, StopReason, StopRule
from cranfield.missing.next.deciding.worlds import Worlds
from cranfield.missing.situation import ZERO
from cranfield.random_streams import stream

PairOrder = Literal["progress", "swing", "random"]


class Decider:
    """Pairs of runs that wait for a decision; `batch` says what to judge, `enter` takes the answers.

    By `progress` the next document has the largest sum, over pairs that are not decided, of $|w_A - w_B|$ times the
    chance that its grade helps the run that is probably better; by `swing` that of $|w_A - w_B|$.

    Examples are in `making.decider_of`.
    """

    def __init__(
        self,
        asked: AskedPairs,
        worlds: Worlds,
        rule: StopRule | None = None,
        order: PairOrder = "progress",
        seed: int = 0,
    ) -> None:
        self.asked: AskedPairs = asked
        self.worlds: Worlds = worlds
        self.rule: StopRule = rule or StopRule()
        self.order: PairOrder = order
        situation = asked.situation
        self._number = {name: number for number, name in enumerate(situation.topics)}
        names = zip(asked.topic.tolist(), situation.document.take(asked.pairs), strict=True)
        self._pair = [(situation.topics[topic], document) for topic, document in names]
        self._hole = {pair: hole for hole, pair in enumerate(self._pair)}
        self._answers: dict[tuple[str, str], float | None] = {}
        self._ordered: Ints | None = None  # until the next answer
        self._chance = stream(seed, "decide", "order").random(len(asked.pairs))
        self.steps: list[list[DecisionStep]] = [[step] for step in self._now()]  # by pair of runs

    # --- what to judge -------------------------------------------------------------------------------------------

    def batch(self, n: int = 1, held: Iterable[tuple[str, str]] = (), *, apart: bool = True) -> list[tuple[str, str]]:
        """The topics and documents that decide soonest; none if all is decided.

        Args:
            n: how many.
            held: topics and documents that others judge now; they are not given again.
            apart: whether documents that one answer would make useless to each other are kept apart, those held
                included, where there are others; not needed where answers come one after the other.
        """
        if self.reason is not None:
            return []
        taken = np.array([self._hole[pair] for pair in held if pair in self._hole], dtype=np.int64)
        ordered = self.ordered
        order = ordered[~np.isin(ordered, taken)]
        if apart:
            order = kept_apart(self.asked, order, np.intersect1d(taken, ordered), self._undecided, n)
        return [self._pair[hole] for hole in order[:n].tolist()]

    @property
    def ordered(self) -> Ints:
        """The holes that wait, the most useful first."""
        if self._ordered is None:
            self._ordered = self._best(self._waiting)
        return self._ordered

    def documents(self) -> list[tuple[str, str]]:
        """Topic and document of all holes that there were at the beginning."""
        return list(self._pair)

    # --- answers -------------------------------------------------------------------------------------------------

    def enter(self, topic: str, document: str, grade: Answer) -> bool:
        """Enter an answer, and say whether it is new. None: the document cannot be judged, and is not requested again.

        A second answer takes the place of the first. A document that no run lists counts as judged: it may change how
        many relevant ones the topic has.
        """
        pair = (topic, document)
        if topic not in self._number or (pair in self._answers and self._answers[pair] == grade):
            return False
        checked = self._checked(grade, topic, document)
        if pair in self._answers:
            self._forget(pair)
        hole = self._hole.get(pair)
        self._answers[pair] = checked
        if checked is not None and hole is not None:
            self.asked.judge(hole, checked)
            self.worlds.judge(hole, checked)
        elif checked is not None:
            self.asked.judge_other(self._number[topic], checked)
            self.worlds.update(self._number[topic])
        self._record(topic, document, checked)
        return True

    def take_back(self, topic: str, document: str) -> bool:
        """Forget an answer, so that the document may be requested again; return whether there was one."""
        if (topic, document) not in self._answers:
            return False
        self._forget((topic, document))
        self._record(topic, document, None)
        return True

    def _forget(self, pair: tuple[str, str]) -> None:
        grade, hole = self._answers.pop(pair), self._hole.get(pair)
        if grade is not None and hole is not None:
            self.asked.take_back(hole)
            self.worlds.take_back(hole, grade)
        elif grade is not None:
            self.asked.take_back_other(self._number[pair[0]], grade)
            self.worlds.update(self._number[pair[0]])

    # --- what is known -------------------------------------------------------------------------------------------

    @property
    def reason(self) -> StopReason | None:
        """Why one may stop; None if one may not."""
        reasons = [self.rule.reason(path[-1]) for path in self.steps]
        if all(reasons):
            return max((reason for reason in reasons if reason), key=WEAKER.index)
        return None if len(self._waiting) else "nothing left"

    def state(self) -> DecisionState:
        """What is known now."""
        situation, undecided = self.asked.situation, self._undecided
        waiting, names, smaller = self._waiting, situation.runs, situation.measure.definition.smaller
        left = judgments_left(self.asked, self.worlds, self.ordered, undecided)
        return DecisionState(
            measure=str(situation.named),
            topics=len(situation.topics),
            pairs=tuple(
                PairNow(names[a], names[b], path[-1], self.rule.reason(path[-1]), self.rule.alpha, smaller)
                for a, b, path in zip(self.asked.a.tolist(), self.asked.b.tolist(), self.steps, strict=True)
            ),
            reason=self.reason,
            judged=sum(grade is not None for pair, grade in self._answers.items() if pair in self._hole),
            cannot=sum(grade is None for grade in self._answers.values()),
            holes=len(self._pair),
            waiting=len(waiting),
            left=0 if self.reason is not None else left,
        )

    @property
    def _waiting(self) -> Ints:
        """The holes without an answer."""
        unanswerable = [
            self._hole[pair] for pair, grade in self._answers.items() if grade is None and pair in self._hole
        ]
        return np.setdiff1d(self.asked.open, np.array(unanswerable, dtype=np.int64))

    @property
    def _undecided(self) -> Bools:
        return np.array([self.rule.reason(path[-1]) is None for path in self.steps])

    def _best(self, waiting: Ints) -> Ints:
        """The holes that wait, the most useful first; equal ones in the order of topics."""
        if self.order == "random":
            return waiting[np.argsort(self._chance[waiting], kind="stable")]
        gap = self.asked.gap[np.ix_(self._undecided, waiting)]
        value = np.abs(gap)
        if self.order == "progress":
            likely = self.worlds.expected_gain()[waiting]
            ahead = np.array([path[-1].probability >= 0.5 for path in self.steps])[self._undecided]
            sign = np.where(ahead, 1.0, -1.0)[:, None]
            value = value * np.where(gap * sign > 0, likely, 1 - likely)
        return waiting[np.argsort(-np.round(value.sum(axis=0), 12), kind="stable")]

    def _record(self, topic: str, document: str, grade: float | None) -> None:
        self._ordered = None
        for path, step in zip(self.steps, self._now(topic, document, grade), strict=True):
            path.append(step)

    def _now(
        self, topic: str | None = None, document: str | None = None, grade: float | None = None
    ) -> list[DecisionStep]:
        found, chance = self.asked.ranges, self.worlds.probability
        ends = zip(found.low.tolist(), found.high.tolist(), chance.tolist(), strict=True)
        return [DecisionStep(topic, document, grade, low, high, _sure(low, high, likely)) for low, high, likely in ends]

    def _checked(self, answer: Answer, topic: str, document: str) -> float | None:
        """The grade of an answer; one outside the scale would break the range that was promised."""
        if answer is None:
            return None
        given: object = answer  # which callers may get wrong
        levels: Floats = self.asked.situation.levels
        if isinstance(given, int | float | np.number) and float(given) in levels:
            return float(given)
        known = ", ".join(f"{level:g}" for level in levels)
        raise PolicyError(
            "E240",
            f"the answer {answer!r} to document {document} of topic {topic} is no grade of the scale",
            hint=f"one of {known}; further grades: {setting('scale', [0, 1, 2])}",
        )


WEAKER: tuple[StopReason, ...] = ("equal", "certain", "probable")


def _sure(low: float, high: float, likely: float) -> float:
    return float(low > 0) if low > ZERO or high < -ZERO else likely
