"""How often a difference of 0 is called significant, and how often the interval covers the truth, with replicates.

    python -m benchmarks.crossed_replicates                 # the table of docs/explanation/statistics.md
    python -m benchmarks.crossed_replicates --draws 2000    # a quick look

Scores are drawn from the model itself: topics, replicates and the rest are normal and independent.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.crossed import CrossedErrors
from cranfield.stats.paired.definition import TESTS
from cranfield.tables.side.replicates import Replicates

REPLICATES = ((2, 1), (3, 1), (5, 1), (2, 2), (3, 3), (5, 5), (5, 2))
SPREADS = (0.0, 0.01, 0.03, 0.1)  # standard deviations of replicates
TOPIC_SD, REST_SD = 0.15, 0.08


@dataclass(frozen=True)
class CrossedRate:
    """What came of one setting: shares of draws."""

    replicates: tuple[int, int]
    spread: float
    crossed: float  # significant at 0.05, topics and replicates random
    topics_only: float  # significant at 0.05, the paired t test on means over replicates
    covered: float  # intervals of 95 % that contain 0


def rates(topics: int, draws: int, seed: int = 1) -> Iterator[CrossedRate]:
    """The rates of every setting."""
    rng = np.random.default_rng(seed)
    for counts in REPLICATES:
        for spread in SPREADS:
            yield rate(counts, spread, topics, draws, rng)


def rate(counts: tuple[int, int], spread: float, topics: int, draws: int, rng: np.random.Generator) -> CrossedRate:
    """The rates where two systems do not differ; a system with one run has no spread."""
    sides = [_values(count, spread if count > 1 else 0.0, topics, draws, rng) for count in counts]
    means = np.concatenate([side.mean(axis=1) for side in sides])
    runs = np.concatenate([side.reshape(-1, topics) for side in sides])
    system = np.repeat(np.arange(2 * draws), np.repeat(counts, draws))
    behind = Replicates(("",) * len(runs), system, runs[:, :, None], ("mean",))
    ours, theirs = np.arange(draws), np.arange(draws, 2 * draws)
    differences = means[ours] - means[theirs]
    errors = CrossedErrors.of(behind, 0, ours, theirs, differences)
    bounds, plain = errors.bounds(0.95), TESTS["t"].function(differences, rng=rng, samples=0)
    inside = (bounds[:, 0] <= 0) & (bounds[:, 1] >= 0)
    return CrossedRate(
        counts,
        spread,
        float(np.mean(errors.test()[1] < 0.05)),
        float(np.mean(plain.pvalue < 0.05)),
        float(np.mean(inside)),
    )


def _values(runs: int, spread: float, topics: int, draws: int, rng: np.random.Generator) -> Floats:
    """`[draw, run, topic]`."""
    topic = rng.normal(0, TOPIC_SD, (draws, 1, topics))
    return topic + rng.normal(0, spread, (draws, runs, 1)) + rng.normal(0, REST_SD, (draws, runs, topics))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=4000)
    parser.add_argument("--topics", type=int, default=50)
    given = parser.parse_args()
    print("| replicates | sd of replicates | topics and replicates random | topics only | covered |")
    print("|---|---|---|---|---|")
    for found in rates(given.topics, given.draws):
        one, other = found.replicates
        print(
            f"| {one} and {other} | {found.spread:g} | {found.crossed:.3f} | {found.topics_only:.3f} "
            f"| {found.covered:.3f} |"
        )


if __name__ == "__main__":
    main()
