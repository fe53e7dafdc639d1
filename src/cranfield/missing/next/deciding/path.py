"""The path: ask, enter the answer, look at the range and the probability, until a rule says stop."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.next.deciding.pair import PairState
from cranfield.missing.next.deciding.worlds import Worlds
from cranfield.missing.next.question import SETTLED
from cranfield.random_streams import stream

Answer: TypeAlias = float | int | None  # None: cannot be judged
PairOrder = Literal["progress", "swing", "random"]
StopReason = Literal["certain", "equal", "probable", "budget", "nothing left"]


@dataclass(frozen=True)
class DecisionStep:
    """What is known after a judgment; the first step is what was known before any.

    Attributes:
        topic: of the document that was judged; None at the beginning.
        document: its id.
        grade: the answer; None if there was none.
        low: the lowest possible difference.
        high: the highest one.
        probability: P(A > B) on these topics, under the prior and all answers so far.
    """

    topic: str | None
    document: str | None
    grade: float | None
    low: float
    high: float
    probability: float

    @property
    def settled(self) -> bool:
        """Whether the order is certain, or both are equal."""
        return self.low > SETTLED or self.high < -SETTLED or max(abs(self.low), abs(self.high)) <= SETTLED


@dataclass(frozen=True)
class StopRule:
    """When asking ends: when the order is certain, or earlier.

    Attributes:
        alpha: P(A > B) outside [alpha, 1 - alpha] is enough; 0: it has to be certain.
        budget: most judgments; None: no limit.
    """

    alpha: float = 0.0
    budget: int | None = None

    def reason(self, step: DecisionStep, asked: int) -> StopReason | None:
        """Why asking ends after a step; None if it goes on.

        >>> step = DecisionStep(None, None, None, low=-0.1, high=0.4, probability=0.97)
        >>> StopRule(0.05).reason(step, 3), StopRule(0.01).reason(step, 3), StopRule(0.01, budget=3).reason(step, 3)
        ('probable', None, 'budget')
        """
        if step.low > SETTLED or step.high < -SETTLED:
            return "certain"
        if step.settled:
            return "equal"
        if self.alpha and not self.alpha < step.probability < 1 - self.alpha:
            return "probable"
        return "budget" if self.budget is not None and asked >= self.budget else None


def follow(
    state: PairState,
    worlds: Worlds,
    ask: Callable[[str, str], Answer],
    rule: StopRule,
    order: PairOrder = "progress",
    batch: int = 1,
    seed: int = 0,
) -> tuple[list[DecisionStep], StopReason]:
    """Ask for judgments until the rule says stop; the steps, and why it ended.

    Args:
        state: the two runs; it is changed.
        worlds: their completions; changed too.
        ask: topic and document -> grade, or None.
        rule: when to stop.
        order: `progress`, `swing` or `random`.
        batch: how many documents are asked about before the order is made anew.
        seed: of the random order.
    """
    situation = state.situation
    refused: set[int] = set()
    chance = stream(seed, "decide", "order").random(len(state.pairs))
    steps = [_step(state, worlds)]
    asked = 0
    while True:
        if (why := rule.reason(steps[-1], asked)) is not None:
            return steps, why
        waiting = np.array([hole for hole in state.open.tolist() if hole not in refused], dtype=np.int64)
        if len(waiting) == 0:
            return steps, "nothing left"
        room = batch if rule.budget is None else min(batch, rule.budget - asked)
        for hole in _best(state, worlds, waiting, order, chance, steps[-1])[:room].tolist():
            pair = int(state.pairs[hole])
            topic, document = situation.topics[int(situation.topic[pair])], situation.document[pair]
            grade = _checked(ask(topic, document), situation.levels, topic, document)
            asked += 1
            if grade is None:
                refused.add(hole)
                steps.append(_step(state, worlds, topic, document))
                continue
            state.judge(hole, grade)
            worlds.judge(hole, grade)
            steps.append(_step(state, worlds, topic, document, grade))
            if rule.reason(steps[-1], asked) is not None:
                break


def _step(
    state: PairState,
    worlds: Worlds,
    topic: str | None = None,
    document: str | None = None,
    grade: float | None = None,
) -> DecisionStep:
    low, high = state.range
    likely = worlds.probability
    if low > SETTLED or high < -SETTLED:
        likely = float(low > 0)
    return DecisionStep(topic, document, grade, low, high, likely)


def _best(state: PairState, worlds: Worlds, waiting: Ints, order: PairOrder, chance: Floats, now: DecisionStep) -> Ints:
    """The holes that wait, the most useful first; equal ones in the order of topics."""
    if order == "random":
        return waiting[np.argsort(chance[waiting], kind="stable")]
    gap = state.gap[waiting]
    value = np.abs(gap)
    if order == "progress":
        likely, sign = worlds.expected_gain()[waiting], 1.0 if now.probability >= 0.5 else -1.0
        value = value * np.where(gap * sign > 0, likely, 1 - likely)
    return waiting[np.argsort(-np.round(value, 12), kind="stable")]


def _checked(answer: Answer, levels: Floats, topic: str, document: str) -> float | None:
    """The grade of an answer; one outside the scale would break the range that was promised."""
    from cranfield.errors import PolicyError
    from cranfield.errors.wording import setting

    if answer is None:
        return None
    given: object = answer  # which callers may get wrong
    if isinstance(given, int | float | np.number) and float(given) in levels:
        return float(given)
    known = ", ".join(f"{level:g}" for level in levels)
    raise PolicyError(
        "E240",
        f"the answer {answer!r} to document {document} of topic {topic} is no grade of the scale",
        hint=f"one of {known}; further grades: {setting('scale', [0, 1, 2])}",
    )
