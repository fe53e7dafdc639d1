"""The strategies of pooling on the holes: they look for relevant documents, not for decisions."""

import numpy as np

from cranfield.arrays import Floats, ordinal
from cranfield.missing.next.question import Question
from cranfield.missing.next.strategies import next_strategy
from cranfield.pooling.adaptive import walk
from cranfield.pooling.strategies import by_depth
from cranfield.random_streams import stream


@next_strategy("depth")
def depth(question: Question) -> Floats:
    """The document with the best rank in any run; among equals the one that most runs list near the top.

    >>> import cranfield as cf
    >>> runs = {"A": {"1": ["a", "b"]}, "B": {"1": ["b", "c"]}}
    >>> cf.holes({"1": {"a": 1}}, runs, "P@2").next(2, strategy="depth").table()["document"].to_list()
    ['b', 'c']
    """
    return by_depth(question.candidates)[question.places]


@next_strategy("random")
def at_random(question: Question) -> Floats:
    """Documents in random order, by the seed."""
    return stream(question.seed, "next", "random").random(len(question.holes))


@next_strategy("mtf", cites="Cormack, Palmer and Clarke 1998")
def move_to_front(question: Question) -> Floats:
    """MoveToFront in each topic, which learns from the judgments so far; the topics take turns."""
    return _walked(question, "mtf")


@next_strategy("maxmean", cites="Losada, Parapar and Barreiro 2016")
def max_mean(question: Question) -> Floats:
    """MaxMean in each topic, which learns from the judgments so far; the topics take turns."""
    return _walked(question, "maxmean")


@next_strategy("thompson", cites="Losada, Parapar and Barreiro 2016")
def thompson(question: Question) -> Floats:
    """Thompson sampling in each topic, which learns from the judgments so far; the topics take turns."""
    return _walked(question, "thompson")


def _walked(question: Question, name: str) -> Floats:
    """The negative position of each hole among the holes of its topic; a hole teaches that it is not relevant."""
    situation = question.situation
    kept = np.zeros(len(question.candidates), dtype=bool)
    kept[situation.candidate[situation.pair]] = True
    place = np.flatnonzero(kept)
    listed = question.candidates.only(kept)
    order = place[walk(listed, name, question.grade[place] >= situation.measure.rel, None, question.seed)]
    row = np.full(len(question.candidates), -1)
    row[question.places] = np.arange(len(question.places))
    holes = row[order]
    holes = holes[holes >= 0]
    found = np.full(len(question.holes), -np.inf)  # of holes that no run lists
    topic = situation.topic[question.holes[holes]]
    found[holes] = -ordinal(topic).astype(np.float64)
    return found
