r"""Bounds of binary measures in which a relevant document is never worth less higher up.

For each number *t* of relevant holes the *t* highest ranks are best and the *t* lowest, unlisted ones first, are worst;
all numbers are tried. Average precision has a formula for the step from *t* to *t + 1* (`AveragePrecisions`).
"""

from collections.abc import Callable

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, ordinal, ratio, segment_sum
from cranfield.missing.bounds.method import MOST, NO_RUN, Ends, narrowed_pair
from cranfield.missing.bounds.precision_pairs import PrecisionPair
from cranfield.missing.bounds.separate import SeparateRuns, ends_of
from cranfield.missing.completions import CELLS, scored, values
from cranfield.missing.situation import TopicHoles

MOST_CELLS = 1 << 28  # documents of all lists times completions of a topic; beyond that the declared range is given


class Exchanges(SeparateRuns):
    """Bounds by the number of relevant holes."""

    @property
    def levels(self) -> Floats:
        return self.situation.levels[[0, -1]]  # only relevance counts

    def alone(self, topic: TopicHoles) -> Ends:
        total = topic.holes + topic.unseen
        definition = self.situation.measure.definition
        if (total + 1) * len(topic.rank) > MOST_CELLS:
            low, high = (np.full(topic.runs, end) for end in (definition.low, definition.high))
            return Ends(low, high, np.zeros(topic.runs, dtype=bool))
        unknown = topic.hole >= 0
        order = ordinal(topic.run[unknown]) - 1  # of the holes of each run, from the highest rank on
        listed = np.bincount(topic.run[unknown], minlength=topic.runs)
        below = (listed[topic.run[unknown]] - 1) - order
        others = (total - listed)[topic.run[unknown]]  # holes that the run does not list: the first to be worst
        low, high = np.full((2, topic.runs), np.nan)
        block = max(1, CELLS // max(len(topic.rank) + len(topic.base) + total, 1))
        for start in range(0, total + 1, block):
            number = np.arange(start, min(start + block, total + 1))[:, None]
            base = np.concatenate(
                (np.tile(topic.base, (len(number), 1)), self._graded(np.arange(total) < number)), axis=1
            )
            for chosen in (order < number, below < number - others):
                grade = np.tile(topic.grade, (len(number), 1))
                grade[:, unknown] = self._graded(chosen)
                value = scored(self.situation, topic, grade, base)
                low, high = np.fmin(low, np.fmin.reduce(value)), np.fmax(high, np.fmax.reduce(value))
        return Ends(low, high, np.ones(topic.runs, dtype=bool))

    def _graded(self, relevant: Bools) -> Floats:
        return np.where(relevant, self.situation.levels[-1], 0.0)

    def _tried(self, topic: TopicHoles, run: int) -> Floats:
        return values(self.situation, topic, self._steps(topic, run), np.array([run]))[:, 0]

    def _steps(self, topic: TopicHoles, run: int) -> Floats:
        """The completions with 0, 1, 2 … relevant holes, from the highest rank on and from the lowest on."""
        total = topic.holes + topic.unseen
        rank = np.full(total, np.iinfo(np.int64).max)
        own = (topic.run == run) & (topic.hole >= 0)
        rank[topic.hole[own]] = topic.rank[own]
        place = np.empty(total, dtype=np.int64)
        place[np.argsort(rank, kind="stable")] = np.arange(total)
        number = np.arange(total + 1)[:, None]
        chosen = np.concatenate((place < number, place >= total - number))
        return self._graded(chosen)

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        if (topic.holes + topic.unseen) ** 2 > MOST_CELLS:
            return np.zeros(topic.holes)
        value = self._tried(topic, run)
        known = np.where(np.isnan(value), -np.inf if high else np.inf, value)
        return self._steps(topic, run)[known.argmax() if high else known.argmin()]


class AveragePrecisions(Exchanges):
    """Bounds of average precision, all runs at once.

    If the holes above rank *r* are relevant already, the hole at *r* adds its own precision and $1/r_j$ for every
    relevant document below it; from the lowest rank on, the holes below count among these.
    """

    def alone(self, topic: TopicHoles) -> Ends:
        arguments = self.situation.measure.arguments
        cutoff, least = arguments.get("cutoff"), arguments.get("denominator", "R") == "min"
        rel = self.situation.measure.rel
        relevant = int(np.count_nonzero(topic.base >= rel))
        holes = topic.holes + topic.unseen if self.situation.levels[-1] >= rel else 0  # that can be relevant
        inside = ((topic.hole >= 0) & (holes > 0) | (topic.grade >= rel)) & (
            topic.rank <= (cutoff or np.iinfo(np.int64).max)
        )
        run, rank, hole = topic.run[inside], topic.rank[inside], topic.hole[inside] >= 0
        listed = np.bincount(run[hole], minlength=topic.runs)
        above = before(run, ~hole, topic.runs)
        reached = segment_sum(run[~hole], (above[~hole] + 1) / rank[~hole], topic.runs)  # of judged documents alone

        def divisor(added: Ints) -> Floats:
            total = relevant + added
            return np.minimum(total, cutoff).astype(np.float64) if least and cutoff else total.astype(np.float64)

        def value(sums: Floats, added: Ints) -> Floats:
            return self.situation.policy.counted(ratio(sums, divisor(added)), relevant + added == 0)

        after = _after(run, np.where(hole, 0.0, 1 / rank), topic.runs)  # of relevant documents below
        others = holes - listed  # that the run does not list
        nothing = np.zeros(topic.runs, dtype=np.int64)
        high = np.fmax(value(reached, nothing), value(reached, others))
        order = before(run, hole, topic.runs)  # holes above each
        gained = np.where(hole, (above + order + 1) / rank + after, 0.0)
        self._scan(run, hole, gained, reached, order + 1, value, high, np.fmax)

        low = np.fmin(value(reached, nothing), value(reached, others))
        everything = _after(run, 1 / rank, topic.runs)
        lost = np.where(hole, (above + 1) / rank + everything, 0.0)
        left = _after(run, hole.astype(np.float64), topic.runs).astype(np.int64)  # holes below each
        back = slice(None, None, -1)
        self._scan(run[back], hole[back], lost[back], reached, (left + 1 + others[run])[back], value, low, np.fmin)
        return Ends(low, high, np.ones(topic.runs, dtype=bool))

    def _pair(self, topic: TopicHoles, a: int, b: int) -> PrecisionPair | None:
        measure = self.situation.measure
        return PrecisionPair.of(
            *narrowed_pair(topic, a, b),
            rel=measure.rel,
            cutoff=measure.arguments.get("cutoff"),
            least=measure.arguments.get("denominator", "R") == "min",
            possible=bool(self.situation.levels[-1] >= measure.rel),
        )

    def _every(self, pair: PrecisionPair) -> Floats:
        """`[others, completion]`: the difference if no hole that neither lists is relevant, and if all are."""
        form, number = pair.every()
        added = np.array([[0], [pair.others]])
        value = form / pair.divisor(number + added)
        return self.situation.policy.counted(value, True)

    def refined(self, topic: TopicHoles, a: int, b: int, most: int = MOST) -> Ends | None:
        pair = self._pair(topic, a, b)
        if pair is None:
            return None
        if not pair.few:
            return Ends(np.array([pair.lowest()]), np.array([-pair.turned().lowest()]), np.zeros(1, dtype=bool))
        return ends_of(self._every(pair).ravel())

    def witness(self, topic: TopicHoles, a: int, b: int, *, high: bool) -> Floats:
        pair = None if b == NO_RUN else self._pair(topic, a, b)
        if pair is None or not pair.few:
            return super().witness(topic, a, b, high=high)
        value = self._every(pair) * (1 if high else -1)
        added, completion = divmod(int(np.where(np.isnan(value), -np.inf, value).argmax()), value.shape[1])
        top = float(self.situation.levels[-1])
        return pair.filled(completion, added * pair.others, top, topic.holes + topic.unseen)

    def lowest_by_number(self, topic: TopicHoles, a: int, b: int, most: int = MOST) -> Floats | None:
        pair = self._pair(topic, a, b)
        if pair is None or not pair.few:
            return None
        form, number = pair.every()
        fewest = np.full(len(pair.holes) + 1, np.inf)  # the lowest form by the number of listed holes
        np.minimum.at(fewest, number, form)
        total = np.arange(len(fewest) + pair.others)
        listed = np.arange(len(fewest))
        fits = (listed <= total[:, None]) & (total[:, None] - listed <= pair.others)
        lowest = np.where(fits, fewest, np.inf).min(axis=1) / pair.divisor(total)
        return self.situation.policy.counted(lowest, True)

    @staticmethod
    def _scan(
        run: Ints,
        hole: Bools,
        gained: Floats,
        start: Floats,
        added: Ints,
        value: Callable[[Floats, Ints], Floats],
        ends: Floats,
        choose: np.ufunc,
    ) -> None:
        """Add hole after hole, in the order given, and keep the best end of each run."""
        rows = np.flatnonzero(hole)
        total = start[run[rows]] + _running(run[rows], gained[rows])
        choose.at(ends, run[rows], value(total, added[rows]))


def _running(segment: Ints, values_: Floats) -> Floats:
    """Cumulated sums inside stretches of equal segments."""
    if len(segment) == 0:
        return np.empty(0)
    total = np.cumsum(values_)
    first = np.ones(len(segment), dtype=bool)
    first[1:] = segment[1:] != segment[:-1]
    starts = np.flatnonzero(first)
    above = total[starts] - values_[starts]
    return total - np.repeat(above, np.diff(np.append(starts, len(segment))))


def before(segment: Ints, which: Bools, segments: int) -> Ints:
    """For each element how many of `which` stand before it in its segment."""
    return (_running(segment, which.astype(np.float64)) - which).astype(np.int64)


def _after(segment: Ints, values_: Floats, segments: int) -> Floats:
    """For each element the sum of the values after it in its segment."""
    return segment_sum(segment, values_, segments)[segment] - _running(segment, values_)
