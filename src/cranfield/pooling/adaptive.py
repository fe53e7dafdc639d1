"""Adaptive strategies: the next document depends on the judgments so far.

They are simulated on known judgments, topic by topic: the strategy names a document, its grade is looked up, the
strategy learns. A document that the judgments lack counts as not relevant, so without any judgments most of these
strategies go around the runs in turn.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from cranfield.arrays import NO_INTS, Bools, Floats, Ints
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.strategies import named, strategy
from cranfield.random_streams import stream

BETA = 0.1  # how strongly Hedge punishes a system for what it ranked high
DECAY = 0.9  # what a judgment is worth to a non-stationary strategy when the next one has been made


@dataclass(frozen=True, eq=False)
class TopicLists:
    """The lists of one topic: documents numbered from 0, best first, one list for each run."""

    lists: tuple[Ints, ...]
    documents: int
    depth: int


class Arms(Protocol):
    """A rule that says from which run the next document is taken."""

    def choose(self, open_: Bools) -> int:
        """The run from which the next document is taken, among those that still have documents."""
        ...

    def learn(self, run: int, relevant: bool) -> None:
        """Learn the judgment of the document taken from that run."""
        ...


def walk(candidates: Candidates, name: str, relevant: Bools, budget: int | None, seed: int = 0) -> Ints:
    """The pairs in the order in which an adaptive strategy chooses them, topic after topic.

    >>> from cranfield.tables.run import Run
    >>> runs = [Run.of("r", ["1"] * 2, ["a", "b"], [2, 1]), Run.of("s", ["1"] * 2, ["c", "d"], [2, 1])]
    >>> found = Candidates.of(runs, depth=2)
    >>> [found.document[pair] for pair in walk(found, "mtf", np.array([False, True, True, False]), None)]
    ['a', 'c', 'd', 'b']
    """
    rule = named(name).function
    orders = []
    for topic, (pairs, lists) in enumerate(by_topic(candidates)):
        most = len(pairs) if budget is None else min(budget, len(pairs))
        rng = stream(seed, candidates.topics[topic], name)
        orders.append(pairs[rule(lists, relevant[pairs], most, rng)])
    return np.concatenate(orders) if orders else NO_INTS


def by_topic(candidates: Candidates) -> "list[tuple[Ints, TopicLists]]":
    """The pairs of each topic, and its lists over them."""
    runs = len(candidates.runs)
    topic = candidates.topic[candidates.pair]
    order = np.lexsort((candidates.rank, candidates.run, topic))
    pair, cell = candidates.pair[order], (topic * runs + candidates.run)[order]
    ends = np.searchsorted(cell, np.arange(len(candidates.topics) * runs + 1))
    begin = np.searchsorted(candidates.topic, np.arange(len(candidates.topics) + 1))
    found = []
    for number in range(len(candidates.topics)):
        low, high = begin[number], begin[number + 1]
        cells = range(number * runs, (number + 1) * runs)
        lists = tuple(pair[ends[c] : ends[c + 1]] - low for c in cells)
        found.append((np.arange(low, high), TopicLists(lists, int(high - low), candidates.depth)))
    return found


@strategy("mtf", adaptive=True, cites="Cormack, Palmer and Clarke 1998")
def move_to_front(lists: TopicLists, relevant: Bools, budget: int, rng: np.random.Generator) -> Ints:
    """Move to front: judge from the run at the head until it names a document that is not relevant, then it goes last.

    >>> lists = TopicLists((np.array([0, 1]), np.array([2, 3])), 4, 2)
    >>> move_to_front(lists, np.array([True, False, False, True]), 4, np.random.default_rng(0))
    array([0, 1, 2, 3])
    """
    return _walked(lists, _MoveToFront(list(range(len(lists.lists)))), relevant, budget)


@strategy("maxmean", adaptive=True, cites="Losada, Parapar and Barreiro 2016")
def max_mean(lists: TopicLists, relevant: Bools, budget: int, rng: np.random.Generator) -> Ints:
    """MaxMean: judge from the run with the highest mean (1 + relevant) / (2 + judged) of its documents so far.

    >>> lists = TopicLists((np.array([0, 1]), np.array([2, 3])), 4, 2)  # means: 1/2 1/2, 1/3 1/2, 1/3 2/3
    >>> max_mean(lists, np.array([False, False, True, True]), 4, np.random.default_rng(0))
    array([0, 2, 3, 1])
    """
    return _walked(lists, _Means.over(len(lists.lists)), relevant, budget)


@strategy("maxmean-ns", adaptive=True, cites="Losada, Parapar and Barreiro 2017")
def max_mean_decaying(lists: TopicLists, relevant: Bools, budget: int, rng: np.random.Generator) -> Ints:
    """MaxMean for runs that change on the way down: each judgment of a run weighs 0.9 of the next one.

    >>> lists = TopicLists((np.array([0, 1]), np.array([2, 3])), 4, 2)
    >>> max_mean_decaying(lists, np.array([False, False, True, True]), 4, np.random.default_rng(0))
    array([0, 2, 3, 1])
    """
    return _walked(lists, _Means.over(len(lists.lists), DECAY), relevant, budget)


@strategy("thompson", adaptive=True, cites="Losada, Parapar and Barreiro 2016")
def thompson(lists: TopicLists, relevant: Bools, budget: int, rng: np.random.Generator) -> Ints:
    """Thompson sampling: judge from the run whose draw from its posterior share of relevant documents is highest.

    >>> lists = TopicLists((np.array([0, 1]), np.array([2, 3])), 4, 2)
    >>> np.sort(thompson(lists, np.array([False, False, True, True]), 4, np.random.default_rng(0)))
    array([0, 1, 2, 3])
    """
    return _walked(lists, _Means.over(len(lists.lists), rng=rng), relevant, budget)


@strategy("hedge", adaptive=True, cites="Aslam, Pavlu and Savell 2003")
def hedge(lists: TopicLists, relevant: Bools, budget: int, rng: np.random.Generator) -> Ints:
    r"""Hedge: judge the document that the weighted runs rank highest; a run's weight falls with what it ranked wrongly.

    A document at rank *r* is worth $\ln(Z/r)$, with $Z$ the depth plus one; not listed, 0. The next document has the
    highest $\sum_s w_s \ln(Z/r_s)$; judging it adds $\mp\frac{1}{2}\ln(Z/r_s)$ to the loss $L_s$ of each run (minus
    if it is relevant), and $w_s \propto 0.1^{L_s}$.

    >>> lists = TopicLists((np.array([0, 1]), np.array([2, 1])), 3, 2)  # ln 3 once, 2 · ln 1.5 for document 1
    >>> hedge(lists, np.array([False, True, True]), 3, np.random.default_rng(0))
    array([0, 2, 1])
    """
    worth = np.zeros((len(lists.lists), lists.documents))
    for run, listed in enumerate(lists.lists):
        worth[run, listed] = np.log((lists.depth + 1) / np.arange(1, len(listed) + 1))
    loss = np.zeros(len(lists.lists))
    judged = np.zeros(lists.documents, dtype=bool)
    order = np.empty(budget, dtype=np.int64)
    for step in range(budget):
        weight = BETA ** (loss - loss.min())
        value = np.where(judged, -np.inf, np.round((weight / weight.sum()) @ worth, 12))
        chosen = int(np.argmax(value))
        judged[chosen], order[step] = True, chosen
        loss += worth[:, chosen] * (-0.5 if relevant[chosen] else 0.5)
    return order


def _walked(lists: TopicLists, arms: Arms, relevant: Bools, budget: int) -> Ints:
    """Take documents from the runs that the rule names; documents that were judged already are skipped."""
    waiting = [iter(listed.tolist()) for listed in lists.lists]
    ahead: list[int | None] = [next(each, None) for each in waiting]
    judged = [False] * lists.documents
    answers: Sequence[bool] = relevant.tolist()
    open_ = np.array([document is not None for document in ahead], dtype=bool)
    order: list[int] = []
    while len(order) < budget:
        run = arms.choose(open_)
        document = ahead[run]
        while document is not None and judged[document]:
            document = next(waiting[run], None)
        ahead[run] = document
        if document is None:
            open_[run] = False
            continue
        judged[document] = True
        order.append(document)
        arms.learn(run, answers[document])
    return np.array(order, dtype=np.int64)


@dataclass
class _MoveToFront:
    queue: list[int]

    def choose(self, open_: Bools) -> int:
        self.queue = [run for run in self.queue if open_[run]]
        return self.queue[0]

    def learn(self, run: int, relevant: bool) -> None:
        if not relevant:
            self.queue.append(self.queue.pop(0))


@dataclass(eq=False)
class _Means:
    """Relevant and other documents of each run, as a Beta(1 + relevant, 1 + other) posterior."""

    relevant: Floats
    other: Floats
    decay: float = 1.0
    rng: np.random.Generator | None = None  # draws from the posterior instead of taking its mean

    @classmethod
    def over(cls, runs: int, decay: float = 1.0, rng: np.random.Generator | None = None) -> "_Means":
        return cls(np.zeros(runs), np.zeros(runs), decay, rng)

    def choose(self, open_: Bools) -> int:
        first, second = 1 + self.relevant, 1 + self.other
        value = first / (first + second) if self.rng is None else self.rng.beta(first, second)
        return int(np.argmax(np.where(open_, value, -1.0)))

    def learn(self, run: int, relevant: bool) -> None:
        self.relevant[run] = self.decay * self.relevant[run] + relevant
        self.other[run] = self.decay * self.other[run] + (not relevant)
