r"""Bounds of a sum over that of the ideal list: recall, F, nCG, nDCG; of one run, or of the difference of two.

The difference of two runs has one divisor, so it is one ratio: $(N_A - N_B) / I$. A hole adds $g w$ to the numerator,
where *w* is the weight of its rank in A minus that in B. For a fixed number of holes of each grade the divisor is
fixed, and the numerator is largest if grades fall in the order of *w*. So the holes of grade $g_j$ or more are the
first $n_j$ of that order, and $N - \lambda I$ is a sum over grades,

$$\sum_j (g_j - g_{j-1}) \left( S(n_j) - \lambda D(R_j + n_j) \right), \qquad n_1 \ge n_2 \ge \dots$$

*S* being the sum of the first weights, $R_j$ the judged documents of grade $g_j$ or more, and *D(n)* what *n*
documents of gain 1 collect in the ideal list. Dinkelbach's iteration finds the largest ratio: start with a ratio
$\lambda$ that can be attained, maximise $N - \lambda I$, take the ratio found there, until nothing is gained.

Holes that neither list, or that both list at one rank, have weight 0: a maximum takes none of them or all of them.
"""

from typing import NamedTuple

import numpy as np

from cranfield.arrays import Floats, Ints, ordinal, ratio
from cranfield.measures.facts.bounds import OverIdeal
from cranfield.missing.bounds.additive import TermTable
from cranfield.missing.bounds.method import NO_RUN, BoundsMethod, Ends, narrowed, narrowed_pair
from cranfield.missing.situation import Situation, TopicHoles

STEPS = 100  # of the iteration; it ends after a few
ENOUGH = 1e-13
NEAR = 1e-10  # of a witness: a little below the end, so that nothing at all is no longer as good
NEVER = -1e30  # of a step that is not allowed; not infinite, because a grade may add nothing
ROWS = 1 << 21  # numbers of one block of pairs


class _Ordered(NamedTuple):
    """The holes of each row in the order of their weights; those of weight 0 are one step."""

    total: Floats  # [row, step]: sum of the first weights
    collected: Floats  # [level, row, step]: what the ideal list collects if these holes have the level or more
    size: Ints  # [row, step]: number of holes


class SharesOfIdeal(BoundsMethod):
    """Bounds of a sum over that of the ideal list."""

    def __init__(self, situation: Situation, rule: OverIdeal) -> None:
        super().__init__(situation)
        self.rule = rule
        self.table: TermTable = TermTable(situation, base=situation.levels[-1:])
        gain = np.array([self._alone(float(level)) for level in situation.levels])
        self.suitable: bool = bool(gain[0] == 0 and gain[-1] > 0 and (np.diff(gain) >= 0).all())
        self.gain: Floats = ratio(gain, np.full_like(gain, gain[-1]))
        self.step: Floats = np.diff(self.gain)  # by level above 0
        self.unit: float = float(self._best(np.array([1]))[0])

    def _alone(self, grade: float) -> float:
        """The value of a list whose first document has this grade, where one document of the highest grade exists."""
        one = np.ones(1, dtype=np.int64)
        return float(self.table.alone(one, np.array([max(self.situation.depth or 1, 1)]), grade)[0])

    def _best(self, documents: Ints) -> Floats:
        return self.rule.best(documents, **self.situation.measure.arguments)

    def ends(self, topic: TopicHoles, a: Ints, b: Ints) -> Ends:
        topic, a, b = narrowed(topic, a, b)
        now, weight = self._numerators(topic)
        listed = _listed(weight)
        padded = np.append(weight, np.zeros((len(weight), 1)), axis=1)
        low, high = np.empty((2, len(a)))
        block = max(1, ROWS // max(2 * listed.shape[1], 1))
        for start in range(0, len(a), block):
            rows = slice(start, start + block)
            second = b[rows] != NO_RUN
            base = now[a[rows]] - np.where(second, now[b[rows]], 0.0)
            gap = _gaps(padded, listed, a[rows], b[rows])
            high[rows] = self._largest(base, self._ordered(topic, gap))
            low[rows] = -self._largest(-base, self._ordered(topic, -gap))
        return Ends(low, high, np.ones(len(a), dtype=bool))

    def _numerators(self, topic: TopicHoles) -> tuple[Floats, Floats]:
        """The sum over judged documents of each run, and `[run, hole]` the weight of each hole, for gain 1."""
        return self.table.judged(topic) * self.unit, self.table.highest(topic) * self.unit

    def _ordered(self, topic: TopicHoles, gap: Floats) -> _Ordered:
        helps, harms = (gap > 0).sum(axis=1), (gap < 0).sum(axis=1)
        head, tail = _largest_first(gap, int(helps.max(initial=0))), _largest_first(-gap, int(harms.max(initial=0)))
        idle = topic.holes - helps - harms + topic.unseen
        weights = np.concatenate([np.zeros((len(gap), 1)), head, np.zeros((len(gap), 1)), -tail[:, ::-1]], axis=1)
        sizes = np.concatenate([np.zeros((len(gap), 1)), head > 0, idle[:, None], tail[:, ::-1] > 0], axis=1)
        size = np.cumsum(sizes, axis=1).astype(np.int64)
        judged = [int(np.count_nonzero(topic.base >= level)) for level in self.situation.levels[1:]]
        best = self._best(np.arange(max(judged, default=0) + topic.holes + topic.unseen + 1))
        return _Ordered(np.cumsum(weights, axis=1), np.stack([best[number + size] for number in judged]), size)

    def _largest(self, base: Floats, holes: _Ordered) -> Floats:
        """The largest ratio of each row; undefined where no document can be relevant."""
        whole = np.zeros_like(holes.total)  # of the ideal list with all holes up to a step at the highest grade
        for step, collected in zip(self.step.tolist(), holes.collected, strict=True):
            whole += step * collected  # grade by grade: the same bits for one pair and for many
        tried = ratio(base[:, None] + holes.total, whole)
        counted = self.situation.policy.counted(tried, True)
        best: Floats = np.where(np.isnan(counted), -np.inf, counted).max(axis=1)
        active = np.flatnonzero(np.isfinite(best))
        for _ in range(STEPS):
            if len(active) == 0:
                break
            above, below = self._maximised(base[active], holes, active, best[active])
            gained = above - best[active] * below > ENOUGH * np.maximum(1.0, np.abs(above))
            active, above, below = active[gained], above[gained], below[gained]
            best[active] = above / below
        return np.where(np.isfinite(best), best, np.nan)

    def _maximised(self, base: Floats, holes: _Ordered, rows: Ints, slope: Floats) -> tuple[Floats, Floats]:
        """Numerator and divisor of the choice that maximises numerator - slope * divisor."""
        above, below = base.copy(), np.zeros(len(base))
        for level, chosen in enumerate(self._chosen(holes, rows, slope)):
            above += self.step[level] * holes.total[rows, chosen]
            below += self.step[level] * holes.collected[level, rows, chosen]
        return above, below

    def _chosen(self, holes: _Ordered, rows: Ints, slope: Floats) -> list[Ints]:
        """For each level and row the step up to which holes have this level or more."""
        total, collected = holes.total[rows], holes.collected[:, rows]
        steps = np.arange(total.shape[1])
        last: list[Ints] = []  # by level, from the highest: the best step at or before each
        value = np.zeros_like(total)
        for level in range(len(self.step) - 1, -1, -1):
            value = self.step[level] * (total - slope[:, None] * collected[level]) + value
            most = np.maximum.accumulate(value, axis=1)
            last.append(np.maximum.accumulate(np.where(value >= most, steps, 0), axis=1))
            value = most
        chosen = [last[-1][:, -1]]
        for reach in last[-2::-1]:
            chosen.append(np.take_along_axis(reach, chosen[-1][:, None], axis=1)[:, 0])
        return chosen

    def witness(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        topic, a, b = narrowed_pair(topic, a, b)
        sign = 1.0 if high else -1.0
        now, weight = self._numerators(topic)
        base = sign * (now[[a]] - (0.0 if b == NO_RUN else now[[b]]))
        gap = sign * (weight[[a]] - (0.0 if b == NO_RUN else weight[[b]]))
        holes = self._ordered(topic, gap)
        end = self._largest(base, holes)
        filled = np.zeros(topic.holes + topic.unseen)
        if np.isnan(end[0]):
            return filled
        order = np.argsort(-np.append(gap[0], np.zeros(topic.unseen)), kind="stable")
        row, slope = np.zeros(1, dtype=np.int64), end - NEAR
        above, below = self._maximised(base, holes, row, slope)
        if below[0] == 0 or above[0] / below[0] < slope[0]:  # no document is relevant, and that counts 0
            return filled
        for level, chosen in enumerate(self._chosen(holes, row, slope)):
            filled[order[: holes.size[0, chosen[0]]]] = self.situation.levels[level + 1]
        return filled

    def lowest_by_number(self, topic: TopicHoles, a: int, b: int, most: int) -> Floats:
        """The lowest difference of two runs that 0, 1, 2 … relevant holes can give, up to a number of them."""
        topic, a, b = narrowed_pair(topic, a, b)
        now, weight = self._numerators(topic)
        gap = np.sort(np.append(weight[a] - weight[b], np.zeros(topic.unseen)))[:most]  # the most harmful first
        size = np.arange(len(gap) + 1)
        total = np.concatenate(([0.0], np.cumsum(-gap)))
        allowed = size <= size[:, None]  # [row, step]: in each row one hole more
        judged = [int(np.count_nonzero(topic.base >= level)) for level in self.situation.levels[1:]]
        best = self._best(np.arange(max(judged, default=0) + len(size)))
        collected = np.stack([np.where(allowed, best[number + size], 1.0) for number in judged])
        holes = _Ordered(np.where(allowed, total, NEVER), collected, np.broadcast_to(size, allowed.shape))
        return -self._largest(np.full(len(size), now[b] - now[a]), holes)


def _listed(weight: Floats) -> Ints:
    """The columns of each row that have weight; the number of columns stands for none.

    >>> _listed(np.array([[0.0, 2.0, 1.0], [3.0, 0.0, 0.0]]))
    array([[1, 2],
           [0, 3]])
    """
    row, column = np.nonzero(weight)
    found = np.full((len(weight), int(np.bincount(row, minlength=1).max())), weight.shape[1])
    found[row, ordinal(row) - 1] = column
    return found


def _gaps(weight: Floats, listed: Ints, a: Ints, b: Ints) -> Floats:
    """`[row, hole]`: the weight in the first run minus that in the second, of the holes that either lists."""
    first, second = a[:, None], b[:, None]
    own = weight[first, listed[a]]
    if (b == NO_RUN).all():
        return own
    own = own - np.where(second == NO_RUN, 0.0, weight[second, listed[a]])
    others = np.where((second == NO_RUN) | (weight[first, listed[b]] != 0), 0.0, -weight[second, listed[b]])
    return np.concatenate((own, others), axis=1)


def _largest_first(gap: Floats, number: int) -> Floats:
    """The largest numbers of each row, from large to small; 0 in place of those that are not above 0."""
    holes = gap.shape[1]
    some = (
        np.partition(gap, holes - number, axis=1)[:, holes - number :]
        if 0 < number < holes
        else gap[:, : holes * (number > 0)]
    )
    return np.maximum(-np.sort(-some, axis=1), 0.0)
