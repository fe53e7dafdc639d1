r"""C/W/L: a user who reads a ranked list from the top, described by three functions of the rank; each gives the others.

    C(i)   how probable it is to go on after rank i
    W(i)   the share of all attention that rank i gets
    L(i)   how probable it is that rank i is the last one read

Behind all three stands V(i) = C(1) … C(i - 1), the probability that rank i is viewed at all: W(i) = V(i) / sum of V,
L(i) = V(i) - V(i + 1). With gains g and costs k,

    items ED      sum of V        total utility ETU   sum of V g        total cost ETC   sum of V k
                                  utility EU          ETU / ED          cost EC          ETC / ED
"""

from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ratio
from cranfield.errors import MeasureError
from cranfield.errors.arguments import checked_class
from cranfield.measures.users.dense import RankBlock, blocks
from cranfield.measures.users.walk import Expectation, Functions, Law, Walk, asked_by

PAD = 2000
SLACK = 1e-9  # how far a rounding may carry a probability past 0 or 1


@checked_class
@dataclass(frozen=True, eq=False)
class UserModel:
    """A user who reads from the top, given by one function: C (going on), W (attention) or L (last rank).

    The function takes any of these arguments by name and returns numbers of the same shape, or one number:

    - `i`: the rank;
    - `gain`, `cost`: of the document at that rank, the gain between 0 and 1;
    - `total_gain`, `total_cost`: of all documents down to that rank, itself included.

    They are arrays with one row per ranking and one column per rank, so write `np.where`, not `if`. W and L need not
    add to 1. A list is continued by documents without gain up to rank `pad`, where every user stops; with `cutoff`
    every user stops at that rank. Instead of a long `pad`, `tail` may give the number of documents that a user reads
    after the last rank, if each of them has the gain `gain`.

    >>> import cranfield as cf
    >>> hasty = cf.UserModel(lambda i: 0.5, pad=3)
    >>> C, W, L = hasty.functions([1, 0, 1])
    >>> W * 7, L  # attention halves with each rank: 4, 2, 1 parts of 7
    (array([4., 2., 1.]), array([0.5 , 0.25, 0.25]))
    >>> hasty.expect([1, 0, 1]).utility * 7  # 4 + 1 parts
    array([5.])
    >>> cf.UserModel(L=lambda i: i == 2, pad=3).functions([1, 0, 1]).W  # every user stops at rank 2
    array([0.5, 0.5, 0. ])
    >>> cf.UserModel.of("RBP(p=0.5)").expect([1, 0, 1]).items  # the model behind a measure: 1 / (1 - 0.5)
    array([2.])
    """

    C: Law | None = None  # probability of going on to the next rank
    _: KW_ONLY
    W: Law | None = None  # share of attention that a rank gets
    L: Law | None = None  # probability that a rank is the last
    pad: int = PAD  # ranks that are looked at
    cutoff: int | None = None  # rank at which every user stops
    tail: Law | None = None  # how many documents are still read after those ranks

    def __post_init__(self) -> None:
        if len(self._given) != 1:
            raise MeasureError("E203", "a user model is given by one of C, W and L", hint="the other two follow")
        if self.tail is not None and self.C is None:
            raise MeasureError("E203", "the tail of a user model continues C", hint="with W or L, use a larger pad")
        for law in (*self._given.values(), *([self.tail] if self.tail else [])):
            asked_by(law)

    @classmethod
    def of(cls, measure: object) -> "UserModel":
        """The model behind a measure: RBP, INST(T=2), P@10, … or one of your own."""
        from cranfield.measures.users.models import model_of

        return model_of(measure)

    # --- one ranking -------------------------------------------------------------------------------------------

    def functions(self, gains: ArrayLike, costs: ArrayLike | None = None) -> Functions:
        """C, W and L at each rank of one ranking, given the gains of its documents (NaN, unjudged, counts as 0)."""
        walk = self._walk(np.nan_to_num(_vector(gains)), costs)
        viewed, beyond = self._viewed(walk)
        items = viewed.sum() + self._read_after(walk, beyond, 0.0)[0]
        following = np.append(viewed[0, 1:], beyond)
        going_on = np.nan_to_num(ratio(following, viewed[0]))  # 0 at ranks that no user reaches
        return Functions(going_on, viewed[0] / items, viewed[0] - following)

    def expect(self, gains: ArrayLike, costs: ArrayLike | None = None) -> Expectation:
        """What the user can expect of one ranking, given the gains of its documents (NaN, unjudged, counts as 0)."""
        return self._expected(self._walk(np.nan_to_num(_vector(gains)), costs), 0.0)

    def residual(self, gains: ArrayLike, costs: ArrayLike | None = None) -> Expectation:
        """The increase if every unjudged document (NaN), and every document after the list, had the gain 1.

        For models that do not depend on gains, utility can grow by this much. Other models stop earlier if more is
        found, so any of the differences may be negative.
        """
        known = _vector(gains)
        best = self._walk(np.where(np.isnan(known), 1.0, known), costs, after=1.0)
        return self._expected(best, 1.0) - self.expect(gains, costs)

    def _walk(self, gains: Floats, costs: ArrayLike | None, after: float = 0.0) -> Walk:
        depth = self._depth(np.array([len(gains)]))
        paid = np.ones(len(gains)) if costs is None else np.atleast_1d(np.asarray(costs, dtype=np.float64))
        if paid.shape != gains.shape or gains.ndim > 1:
            raise MeasureError("E203", f"{len(gains)} gains and {len(paid)} costs do not belong together")
        gain, cost = np.full((1, depth[0]), after), np.ones((1, depth[0]))
        gain[0, : len(gains)], cost[0, : len(paid)] = gains[: depth[0]], paid[: depth[0]]
        return Walk(gain, cost, depth)

    # --- many rankings -----------------------------------------------------------------------------------------

    def of_hits(
        self,
        hits: Hits,
        gain: Floats,
        *,
        unjudged: float = 0.0,
        cost: Callable[[RankBlock], Floats] | None = None,
        cost_after: float = 1.0,
    ) -> Expectation:
        """The expectations of many rankings. For the user each document costs 1, whatever is counted as its cost.

        Args:
            hits: the judged documents.
            gain: their gains, between 0 and 1.
            unjudged: the gain of every other document, those after the end of a list among them.
            cost: what the documents of a block are counted with; 1 each, if not given.
            cost_after: the same for documents after the last rank.
        """
        depth = self._depth(hits.retrieved)
        parts = []
        for block in blocks(hits, depth):
            gains = block.spread(gain, unjudged)
            inside = block.rank <= depth[block.rows, None]
            walk = Walk(gains * inside, inside.astype(np.float64), depth[block.rows])
            parts.append(self._expected(walk, unjudged, None if cost is None else cost(block), cost_after))
        return Expectation.joined(parts)

    def attention(self, hits: Hits, gain: Floats) -> Iterator[tuple[RankBlock, Floats]]:
        """The probability that each rank is read, block by block; unjudged documents have no gain."""
        # documents after the list cannot change whether a user goes on before its end
        ends = hits.retrieved if self.cutoff is None else np.minimum(hits.retrieved, self.cutoff)
        depth = self._depth(hits.retrieved) if self.C is None else np.maximum(ends, 1)
        for block in blocks(hits, depth):
            inside = block.rank <= depth[block.rows, None]
            walk = Walk(block.spread(gain) * inside, inside.astype(np.float64), depth[block.rows])
            yield block, self._viewed(walk)[0] * inside

    def utility(self, hits: Hits, gain: Floats) -> Floats:
        """The score of each ranking: the expected utility of a document read."""
        return self.of_hits(hits, gain).utility

    # --- the mechanism -----------------------------------------------------------------------------------------

    @property
    def _given(self) -> dict[str, Law]:
        """The function that defines the model, by its letter."""
        laws = {"C": self.C, "W": self.W, "L": self.L}
        return {letter: law for letter, law in laws.items() if law is not None}

    def _depth(self, retrieved: Ints) -> Ints:
        """The last rank of each walk: the cut-off, or the end of the padded list; at least 1."""
        if self.cutoff is not None:
            return np.full_like(retrieved, self.cutoff)
        return np.maximum(retrieved, max(self.pad, 1))

    def _expected(self, walk: Walk, after: float, cost: Floats | None = None, cost_after: float = 1.0) -> Expectation:
        """Sums over the ranks, and what is read, gained and paid after the last one."""
        viewed, beyond = self._viewed(walk)
        more = self._read_after(walk, beyond, after)
        counted = (walk.gain, walk.cost if cost is None else cost)
        gained, paid = (np.einsum("ij,ij->i", viewed, values) for values in counted)
        return Expectation.of(viewed.sum(axis=1) + more, gained + after * more, paid + cost_after * more)

    def _viewed(self, walk: Walk) -> tuple[Floats, Floats]:
        """V at each rank, 0 after the last one, and the probability of reading on after it (0 without a tail)."""
        ((letter, law),) = self._given.items()
        values = _checked(letter, law, walk)
        if letter == "C":
            viewed = np.ones_like(values)
            np.cumprod(values[:, :-1], axis=1, out=viewed[:, 1:])
            viewed *= walk.inside
            return viewed, walk.last(viewed * values) * (self.tail is not None)
        attention = values if letter == "W" else np.cumsum(values[:, ::-1], axis=1)[:, ::-1]
        if (attention[:, 0] <= 0).any() or (np.diff(attention, axis=1) > SLACK).any():
            raise MeasureError("E203", "attention W must be above 0 at rank 1 and never grow with the rank")
        return attention / attention[:, :1], np.zeros(len(attention))

    def _read_after(self, walk: Walk, beyond: Floats, gain: float) -> Floats:
        """How many documents are read after the last rank, if each of them has that gain."""
        return np.zeros_like(beyond) if self.tail is None else beyond * walk.call_after(self.tail, gain)


def _checked(letter: str, law: Law, walk: Walk) -> Floats:
    """The values of the model's function at all ranks; an error if they are no valid C, W or L."""
    try:
        values = walk.call(law)
    except ValueError as problem:
        raise MeasureError(
            "E203", f"{letter} of a user model: {problem}", hint="its arguments are arrays: write np.where, not if"
        ) from problem
    most = 1.0 if letter == "C" else np.inf
    wrong = ~((values >= -SLACK) & (values <= most + SLACK))
    if wrong.any():
        row, column = np.argwhere(wrong)[0]
        rule = "must lie between 0 and 1" if letter == "C" else "must not be negative"
        raise MeasureError("E203", f"{letter}({column + 1}) of a user model is {values[row, column]:g}; it {rule}")
    return np.clip(values, 0.0, most)


def _vector(gains: ArrayLike) -> Floats:
    return np.atleast_1d(np.asarray(gains, dtype=np.float64))
