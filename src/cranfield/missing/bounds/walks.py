r"""Bounds of the expectations of user models: the user is followed rank by rank, for every possible sum of gains.

With the probability $C(i)$ of going on after rank *i*, what the user gains from rank *i* on is $g_i + C(i) \cdot$
(what is gained from the next rank on), and likewise for documents read and costs. $C(i)$ depends on the rank, the
gain there and the sum of gains down to there. So for each rank and each sum of gains above it, the best grade of a
hole there is known once those of all lower ranks are: dynamic programming from the last rank up finds the highest
and the lowest expectation exactly. A ratio of two, such as gain per document read, is found by Dinkelbach's
iteration: maximise $N - \lambda D$, take the ratio found there for $\lambda$, until nothing is gained.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints
from cranfield.measures.grammar import parse
from cranfield.measures.users.cwl import UserModel
from cranfield.measures.users.dense import share
from cranfield.measures.users.models import model_of
from cranfield.measures.users.walk import Law, Walk, asked_by
from cranfield.missing.bounds.enumeration import Enumeration
from cranfield.missing.bounds.method import Ends
from cranfield.missing.situation import Situation, TopicHoles

MOST_STATES = 1 << 12  # sums of gains at one rank
TURNS = 50  # of the iteration; it ends after a few
ENOUGH = 1e-13
DIGITS, EDGE, JUMP = 10, 2e-10, 1e-6  # to which sums are told apart; how far they may be off; what that may change
TRIED = 4  # completions with which a law is tried
OF_GAIN = ("gain", "total_gain")


class _Rank(NamedTuple):
    """What can happen at one rank: `[sum of gains above, choice]`."""

    gain: Floats  # [choice]
    going: Floats
    after: Ints  # place of the new sum among those of the next rank
    hole: int


class _End(NamedTuple):
    """What is still read, gained and paid after the last rank with a judgment or a hole, for each sum of gains."""

    items: Floats
    gain: Floats
    cost: Floats


@dataclass(frozen=True, eq=False)
class _WalkedList:
    """A user on one list: all ranks with their choices."""

    ranks: list[_Rank]
    end: _End
    cost: Floats  # by rank

    def best(self, above: str, below: str | None, *, high: bool) -> tuple[float, dict[int, int]]:
        """The highest (or lowest) expectation, or ratio of two, and the choice at each hole."""
        slope = 0.0
        for _ in range(TURNS):
            one, other, chosen = self._followed(above, below, slope, sign=1.0 if high else -1.0)
            if below is None:
                return one, chosen
            found = one / other
            if abs(found - slope) <= ENOUGH and _:
                break
            slope = found
        return slope, chosen

    def _followed(
        self, above: str, below: str | None, slope: float, *, sign: float
    ) -> tuple[float, float, dict[int, int]]:
        ends = {"items": self.end.items, "gain": self.end.gain, "cost": self.end.cost}
        one, other = ends[above], ends[below] if below else np.zeros_like(self.end.items)
        choices: list[Ints] = []
        for number in range(len(self.ranks) - 1, -1, -1):
            rank = self.ranks[number]
            here = {"items": 1.0, "gain": rank.gain, "cost": self.cost[number]}
            first = here[above] + rank.going * one[rank.after]
            second = (here[below] if below else 0.0) + rank.going * other[rank.after]
            place = (sign * (first - slope * second)).argmax(axis=1)
            row = np.arange(len(place))
            one, other = first[row, place], second[row, place]
            choices.append(place)
        at, chosen = 0, {}
        for rank, place in zip(self.ranks, reversed(choices), strict=True):
            taken = int(place[at])
            if rank.hole >= 0:
                chosen[rank.hole] = taken
            at = int(rank.after[at, taken])
        return float(one[0]), float(other[0]), chosen


class UserWalks(Enumeration):
    """Bounds of what the user of a model gains, reads or pays."""

    def __init__(self, situation: Situation, quantity: str) -> None:
        super().__init__(situation)
        measure, arguments = situation.measure, situation.measure.arguments
        named = measure if measure.definition.model else parse(str(arguments["model"]))
        self._model: UserModel = model_of(named)
        asked = named.arguments
        levels = situation.levels
        facts = Hits(
            rank=np.arange(1, len(levels) + 1),
            grade=levels,
            ranking=np.zeros(len(levels), dtype=np.int64),
            topic=np.zeros(1, dtype=np.int64),
            retrieved=np.array([len(levels)]),
            base_topic=np.zeros(len(levels), dtype=np.int64),
            base_grade=levels[::-1],
            topics=1,
            top_grade=situation.top_grade,
        )
        self._gain: Floats = share(facts, *(asked.get(name) for name in ("rel", "max_rel", "gains")))
        self._quantity = quantity
        self._item: float = arguments.get("item", 1.0) if quantity == "ETC" else 1.0
        self._unit: float = arguments.get("unit", 0.0) * (arguments.get("length") or 0.0) if quantity == "ETC" else 0.0
        self._moves: bool = bool(asked.get("hb") or asked.get("hc"))  # limits that depend on all gains above

    def alone(self, topic: TopicHoles) -> Ends:
        if self._quantity == "residual":
            return super().alone(topic)
        found = [self._of_run(topic, run) for run in range(topic.runs)]
        rest = super().alone(topic) if None in found else None
        low, high, exact = np.zeros(topic.runs), np.zeros(topic.runs), np.ones(topic.runs, dtype=bool)
        for run, ends in enumerate(found):
            if ends is not None:
                low[run], high[run] = ends
            elif rest is not None:
                low[run], high[run], exact[run] = rest.low[run], rest.high[run], rest.exact[run]
        return Ends(low, high, exact)

    def outer(self, topic: TopicHoles) -> tuple[Floats, Floats]:
        low, high = np.zeros(topic.runs), np.zeros(topic.runs)
        for run in range(topic.runs):
            if self._quantity == "residual":
                low[run], high[run] = self._residual(topic, run)
            else:
                low[run], high[run] = self._widest(topic, run, self._quantity)
        return low, high

    def _residual(self, topic: TopicHoles, run: int) -> tuple[float, float]:
        """The range with all that is unjudged relevant, minus that with nothing of it: an outer bound."""
        quantity = str(self.situation.measure.arguments["of"])
        ends = [self._of_run(topic, run, gain, quantity) or self._widest(topic, run, quantity) for gain in (1.0, 0.0)]
        return ends[0][0] - ends[1][1], ends[0][1] - ends[1][0]

    def _widest(self, topic: TopicHoles, run: int, quantity: str) -> tuple[float, float]:
        """What holds of every user: no more documents are read than there are ranks."""
        if quantity == "EU":
            return 0.0, 1.0
        depth = float(self._depth(topic, run))
        if self._model.tail is not None:
            return self.situation.measure.definition.low, self.situation.measure.definition.high
        least = {"ETU": 0.0, "ED": 1.0, "ETC": self._item}[quantity]
        return least, depth * (self._item + self._unit if quantity == "ETC" else 1.0)

    def _depth(self, topic: TopicHoles, run: int) -> int:
        model, retrieved = self._model, int(topic.retrieved[run])
        return model.cutoff if model.cutoff is not None else max(retrieved, model.pad, 1)

    def _of_run(
        self, topic: TopicHoles, run: int, unjudged: float = 0.0, quantity: str | None = None
    ) -> tuple[float, float] | None:
        path = self._path(topic, run, unjudged)
        if path is None:
            return None
        asked = _PARTS[quantity or self._quantity]
        return path.best(*asked, high=False)[0], path.best(*asked, high=True)[0]

    def alone_witness(self, topic: TopicHoles, run: int, *, high: bool) -> Floats:
        path = self._path(topic, run) if self._quantity != "residual" else None
        if path is None:
            return super().alone_witness(topic, run, high=high)
        filled = np.zeros(topic.holes + topic.unseen)
        for hole, choice in path.best(*_PARTS[self._quantity], high=high)[1].items():
            filled[hole] = self.situation.levels[choice]
        return filled

    def _path(self, topic: TopicHoles, run: int, unjudged: float = 0.0) -> _WalkedList | None:
        """The list of a run as its user meets it; None if sums of gains are too many, or do not say all."""
        depth = self._depth(topic, run)
        own = (topic.run == run) & (topic.rank <= depth)
        last = int(topic.rank[own].max(initial=0))
        hole, gain = np.full(last, -1), np.full(last, unjudged)
        hole[topic.rank[own] - 1] = topic.hole[own]
        known = own & (topic.hole < 0)
        gain[topic.rank[known] - 1] = self._gain[np.searchsorted(self.situation.levels, topic.grade[known])]
        law = self._law(depth)
        if law is None or self._moves or not self._single(law, gain, hole):
            return None
        ranks: list[_Rank] = []
        sums = np.zeros(1)
        for number in range(last):
            choice = self._gain if hole[number] >= 0 else gain[[number]]
            reached = sums[:, None] + choice
            states = np.unique(reached.round(DIGITS))
            going = _called(law, number + 1, np.broadcast_to(choice, reached.shape), reached, self._dyadic)
            if len(states) > MOST_STATES or going is None:
                return None
            place = np.searchsorted(states, reached.round(DIGITS))
            ranks.append(_Rank(choice, going, place, int(hole[number])))
            sums = states
        listed = np.arange(1, last + 1) <= int(topic.retrieved[run])
        end = self._after(law, sums, last, depth, unjudged, int(topic.retrieved[run]))
        if end is None:
            return None
        if depth == last and self._model.tail is None and ranks:  # the user reads no further
            ranks[-1] = ranks[-1]._replace(going=np.zeros_like(ranks[-1].going))
        return _WalkedList(ranks, end, self._item + self._unit * listed.astype(np.float64))

    @property
    def _dyadic(self) -> bool:
        """Whether sums of gains are exact."""
        return bool((self._gain * 1024 % 1 == 0).all())

    def _law(self, depth: int) -> Law | None:
        """The probability of going on; None if attention depends on gains in another way."""
        if self._model.C is not None:
            return self._model.C
        ((_, law),) = self._model._given.items()
        if any(name in OF_GAIN for name in asked_by(law)):
            return None
        blank = Walk(np.zeros((1, depth)), np.ones((1, depth)), np.array([depth]))
        viewed = self._model._viewed(blank)[0][0]
        following = np.append(viewed[1:], 0.0)
        going = np.divide(following, viewed, out=np.zeros_like(viewed), where=viewed > 0)
        return lambda i: going[np.minimum(np.asarray(i, dtype=np.int64), depth) - 1]

    def _single(self, law: Law, gain: Floats, hole: Ints) -> bool:
        """Whether the law says the same of a rank alone as of a whole list, in completions drawn at random."""
        if len(gain) == 0:
            return True
        rng = np.random.default_rng(len(gain))
        drawn = np.where(hole >= 0, rng.choice(self._gain, size=(TRIED, len(gain))), gain)
        walk = Walk(drawn, np.ones_like(drawn), np.full(TRIED, len(gain)))
        total = np.cumsum(drawn, axis=1)
        for number in range(len(gain)):
            alone = _called(law, number + 1, drawn[:, [number]], total[:, [number]], sure=True)
            if alone is None or (np.abs(alone[:, 0] - _clipped(walk.call(law))[:, number]) > JUMP).any():
                return False
        return True

    def _after(self, law: Law, sums: Floats, last: int, depth: int, gain: float, retrieved: int) -> _End | None:
        """What follows the last rank that matters, where every document has the same gain."""
        rest = depth - last
        rank = np.arange(last + 1, depth + 1)
        total = sums[:, None] + gain * np.arange(1, rest + 1)
        going = _called(law, rank[None, :], np.full_like(total, gain), total, sure=True) if rest else total
        if going is None:
            return None
        viewed = np.ones_like(total)
        if rest:
            np.cumprod(going[:, :-1], axis=1, out=viewed[:, 1:])
        more = np.zeros(len(sums))
        if self._model.tail is not None:
            final = total[:, -1] if rest else sums
            facts: dict[str, Any] = {"i": depth, "gain": gain, "cost": 1.0, "total_gain": final, "total_cost": depth}
            tail = self._model.tail
            given = {name: np.broadcast_to(facts[name], sums.shape).astype(float) for name in asked_by(tail)}
            more = np.broadcast_to(np.asarray(tail(**given), dtype=np.float64), sums.shape)
            more = more * ((viewed * going)[:, -1] if rest else 1.0)
        items = viewed.sum(axis=1) + more
        paid = viewed @ (self._item + self._unit * (rank <= retrieved)) + self._item * more
        return _End(items, gain * items, paid)


def _called(law: Law, rank: Any, gain: Floats, total: Floats, sure: bool) -> Floats | None:
    """The law at a rank, with sums of gains; None if a sum that is a little off would change what it says."""

    def at(sums: Floats) -> Floats:
        rows = gain.size if np.ndim(rank) == 0 else gain.shape[0]
        shape = (rows, -1)
        flat = gain.reshape(shape), sums.reshape(shape)
        place = np.broadcast_to(np.asarray(rank, dtype=np.float64), flat[0].shape)
        facts = {"i": place, "gain": flat[0], "cost": np.ones_like(flat[0]), "total_gain": flat[1], "total_cost": place}
        value = np.asarray(law(**{name: facts[name] for name in asked_by(law)}), dtype=np.float64)
        return _clipped(np.broadcast_to(value, flat[0].shape)).reshape(gain.shape)

    found = at(total)
    if sure:
        return found
    off = [np.abs(at(total + shift) - found) for shift in (-EDGE, EDGE)]
    return None if max(float(each.max(initial=0.0)) for each in off) > JUMP else found


def _clipped(values: Floats) -> Floats:
    return np.clip(values, 0.0, 1.0)


_PARTS: dict[str, tuple[str, str | None]] = {
    "EU": ("gain", "items"),
    "ETU": ("gain", None),
    "ED": ("items", None),
    "ETC": ("cost", None),
}
