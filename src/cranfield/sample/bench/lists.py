"""Rankings and judgments of a shape: the same for a seed, drawn as whole columns.

A topic has its own candidates, more than a list is long. A ranking is `(a · i + b) mod prime` over them, which never
repeats a document; in most lists the first relevant one is then moved near the top. Scores fall in steps that single
precision can tell apart, so every program ranks alike.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.sample.bench.shapes import Shape

COLLECTION = 8_388_593  # documents, a prime
FIRST_TOPIC = 1_000_000
BLOCK = 500_000  # rows drawn at a time
_MILLION = 1_000_000
_HIGHEST = 40 * _MILLION  # millionths of a score
_STEP = (8_000, 24_000)  # between one rank and the next


@dataclass(frozen=True, eq=False)
class SyntheticLists:
    """The lists of some topics: `documents[topic, rank]`, and scores in millionths."""

    topics: Ints
    documents: Ints
    millionths: Ints

    @property
    def scores(self) -> Floats:
        """The scores as a reader of the file gets them: the division rounds like reading decimals."""
        return self.millionths / _MILLION


def tag(run: int) -> str:
    """The name of a run."""
    return f"run{run:03d}"


def judgments(shape: Shape, seed: int) -> tuple[Ints, Ints, Ints]:
    """Topics, and `[topic, number]`: judged documents and their grades; the first of each topic is relevant."""
    rng = np.random.default_rng([seed, 1])
    topics = np.arange(shape.topics)
    drawn = rng.random((shape.topics, shape.judged))
    grades = (drawn > 0.90).astype(np.int64) + (drawn > 0.97)
    grades[:, 0] = np.maximum(grades[:, 0], 1)
    candidates = np.broadcast_to(np.arange(shape.judged), grades.shape)
    return topics + FIRST_TOPIC, _documents(shape, seed, topics, candidates), grades


def blocks(shape: Shape, run: int, seed: int) -> Iterator[SyntheticLists]:
    """The lists of one run, some topics at a time."""
    size = max(1, BLOCK // shape.depth)
    for first in range(0, shape.topics, size):
        topics = np.arange(first, min(first + size, shape.topics))
        rng = np.random.default_rng([seed, 2, run, first])
        documents = _documents(shape, seed, topics, _candidates(shape, rng, len(topics)))
        steps = rng.integers(*_STEP, (len(topics), shape.depth))
        yield SyntheticLists(topics + FIRST_TOPIC, documents, _HIGHEST - np.cumsum(steps, axis=1))


def _candidates(shape: Shape, rng: np.random.Generator, topics: int) -> Ints:
    """`[topic, rank]`: distinct numbers; those below `shape.judged` are judged, and 0 is relevant."""
    prime = pool(shape)
    step, offset = rng.integers(1, prime, (topics, 1)), rng.integers(0, prime, (topics, 1))
    found = (step * np.arange(shape.depth) + offset) % prime
    place = (shape.depth ** rng.random(topics)).astype(np.int64) - 1
    moved = np.flatnonzero(rng.random(topics) < 0.9)
    old, where = found[moved, place[moved]], np.argmax(found[moved] == 0, axis=1)
    listed = found[moved, where] == 0
    found[moved[listed], where[listed]] = old[listed]
    found[moved, place[moved]] = 0
    return found


def _documents(shape: Shape, seed: int, topics: Ints, candidates: Ints) -> Ints:
    """The documents that the candidates of each topic stand for, the same in every run."""
    rng = np.random.default_rng([seed, 0])
    step, offset = rng.integers(1, COLLECTION, shape.topics), rng.integers(0, COLLECTION, shape.topics)
    return (step[topics, None] * candidates + offset[topics, None]) % COLLECTION


def pool(shape: Shape) -> int:
    """How many candidates a topic has: a prime, four times the depth of a list or twice the judgments.

    >>> pool(Shape(1, 1, 1000, 1))
    4001
    """
    number = max(4 * shape.depth, 2 * shape.judged) | 1
    while any(number % divisor == 0 for divisor in range(3, int(number**0.5) + 1, 2)):
        number += 2
    return number
