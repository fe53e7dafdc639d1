"""A simulated world with complete truth: runs of different quality, pools of some of them, holes of the others."""

from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats
from cranfield.pooling.candidates import Candidates
from cranfield.tables.run import Run


@dataclass(frozen=True)
class SimulatedWorld:
    """The candidates of all runs, the grades that a pool of the first runs shows, and all grades."""

    candidates: Candidates
    grade: Floats
    truth: Floats


def simulated(seed=0, runs=12, topics=15, documents=150, pooled=5, depth=8, grades=2, length=40):
    """Runs score relevant documents higher, each by its quality, with much noise."""
    rng = np.random.default_rng(seed)
    made = []
    tastes = rng.normal(size=(runs, topics, documents))
    chance = 1 / (1 + np.exp(2 - rng.normal(size=(topics, 1))))
    grade = (rng.random((topics, documents)) < chance) * rng.integers(1, grades + 1, size=(topics, documents))
    quality = rng.uniform(0.2, 1.5, size=runs)
    for run in range(runs):
        score = quality[run] * (grade > 0) + tastes[run]
        order = np.argsort(-score, axis=1)[:, :length]
        made.append(
            Run.of(
                f"r{run:02}",
                [str(topic) for topic in range(topics) for _ in range(length)],
                [f"d{document}" for row in order for document in row],
                np.tile(np.arange(length, 0, -1.0), topics),
            )
        )
    truth = {(str(t), f"d{d}"): float(grade[t, d]) for t in range(topics) for d in range(documents)}
    known = Candidates.of(made, length)
    whole = np.array([truth[known.topics[t], name] for t, name in zip(known.topic, known.document, strict=True)])
    seen = np.zeros(len(known), dtype=bool)
    seen[known.pair[(known.run < pooled) & (known.rank <= depth)]] = True
    return SimulatedWorld(known, np.where(seen, whole, np.nan), whole)
