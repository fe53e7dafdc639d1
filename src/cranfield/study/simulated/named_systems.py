"""The collection of the demo: a few named systems of given quality, partial judgments, and the complete truth.

Every document has a true grade 0, 1 or 2 for every topic. A system sees the grade through noise:

    score = quality · grade + shared · family noise + noise

so systems of one family make the same mistakes. Only some of the systems contribute to the pool, and only their first
few documents are judged, so that documents which only other systems found are unjudged.
"""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.study.simulated.lists import best_first, judged_table, pooled, run_table
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.text import Text

DEPTH = 100  # length of each list
POOL = 10  # documents of each list that are judged


@dataclass(frozen=True)
class SimulatedSystem:
    """How one simulated system sees the truth."""

    name: str
    quality: float
    family: str = ""
    shared: float = 0.0
    pooled: bool = False  # whether its first documents are judged


SYSTEMS = (
    SimulatedSystem("lexical", quality=1.1, family="words", shared=0.9, pooled=True),
    SimulatedSystem("lexical-tuned", quality=1.25, family="words", shared=0.9),
    SimulatedSystem("letters", quality=0.75, pooled=True),
    SimulatedSystem("title", quality=0.9, pooled=True),
    SimulatedSystem("vector", quality=1.3),
    SimulatedSystem("hybrid", quality=1.6),
)


@dataclass(frozen=True, eq=False)
class SimulatedCollection:
    """Topics, runs and judgments of a simulated world, and the true grades behind them.

    `truth[topic, document]` is the grade a complete assessment would give.
    """

    topics: dict[str, str]
    documents: tuple[str, ...]
    truth: Ints
    qrels: Qrels
    runs: Runs


def generate(topics: int = 20, documents: int = 400, seed: int = 7) -> SimulatedCollection:
    """Draw a world; the same arguments give the same collection.

    >>> small = generate(topics=3, documents=50)
    >>> small.runs
    Runs: 6 systems (lexical, lexical-tuned, letters, title, vector, hybrid)
    >>> small.qrels == generate(topics=3, documents=50).qrels
    True
    """
    rng = np.random.default_rng(seed)
    topic_names = tuple(f"q{number:02d}" for number in range(1, topics + 1))
    names = tuple(f"d{number:03d}" for number in range(1, documents + 1))
    truth = _truth(rng, topics, documents)
    seen = _scores(rng, truth)
    order = np.stack([best_first(scores, min(DEPTH, documents)) for scores in seen], axis=1)
    runs = Runs(_run(system, order[:, n], seen[n], topic_names, names) for n, system in enumerate(SYSTEMS))
    judged = pooled(order[:, [system.pooled for system in SYSTEMS], :POOL], documents)
    qrels = judged_table(topic_names, names, truth, judged)
    return SimulatedCollection(
        {name: f"simulated information need {number}" for number, name in enumerate(topic_names, start=1)},
        names,
        truth,
        qrels,
        runs,
    )


def _truth(rng: np.random.Generator, topics: int, documents: int) -> Ints:
    """True grades: between 2 % and 8 % of the documents are relevant to a topic, a third of them highly."""
    share = rng.uniform(0.02, 0.08, size=(topics, 1))
    draw = rng.random((topics, documents))
    return (draw < share).astype(np.int64) + (draw < share / 3)


def _scores(rng: np.random.Generator, truth: Ints) -> Floats:
    """`[system, topic, document]`: the truth through each system's noise, rounded so that some scores tie."""
    families = {system.family: rng.standard_normal(truth.shape) for system in SYSTEMS if system.family}
    scores = []
    for system in SYSTEMS:
        noise = rng.standard_normal(truth.shape) * np.sqrt(1 - system.shared**2)
        common = families[system.family] * system.shared if system.family else 0.0
        scores.append((system.quality * truth + noise + common).round(3))
    return np.stack(scores)


def _run(
    system: SimulatedSystem, order: Ints, scores: Floats, topics: tuple[str, ...], documents: tuple[str, ...]
) -> Run:
    """The first documents of each topic; a system outside the pool also lacks one topic, as happens in practice."""
    lost = len(topics) - 4 if system.name == "vector" and len(topics) > 4 else -1
    kept = [number for number in range(len(topics)) if number != lost]
    score = np.take_along_axis(scores, order, axis=1)
    return run_table(system.name, tuple(topics[t] for t in kept), Text.of(documents), order[kept], score[kept])
