"""How often a difference of 0 is called significant where systems have replicates.

    python -m benchmarks.crossed_replicates                 # the table of docs/how-to/compare-replicates.md
    python -m benchmarks.crossed_replicates --draws 2000    # a quick look

Topics, replicates and the rest are normal and independent. What the test reads of such scores is a mean and mean
squares, whose distributions are known (multiples of chi-squared), so these are drawn instead of scores. An interval of
95 % holds the truth in all draws but those that are significant at 5 %.
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.crossed import CrossedErrors

DESIGNS = ((2, 1), (3, 1), (5, 1), (10, 1), (2, 2), (3, 3), (5, 5), (10, 10), (3, 2), (10, 2), (5, 3), (10, 3))
TOPICS = (10, 25, 50, 200)
INTERACTIONS = (0.0, 0.5, 1.0, 2.0, 4.0)  # standard deviation of topics × systems, in that of the rest
SPREADS = (0.0, 0.3, 0.6, 1.0, 2.0, 5.0, 15.0)  # standard deviation of replicates, in that of the rest of one mean
USUAL = (2.0, 1.0)  # interaction and spread of the table of usual scores
TRUE_SD = 0.08  # of the rest


@dataclass(frozen=True)
class SimulatedDesign:
    """Two systems that do not differ: numbers of replicates and topics, and standard deviations.

    Attributes:
        counts: the replicates of both; a system with one run has no spread.
        topics: how many topics there are.
        interaction: of topics × systems.
        spreads: of the replicates of each system.
        rest: of what is left.
    """

    counts: tuple[int, int]
    topics: int
    interaction: float
    spreads: tuple[float, float]
    rest: float = TRUE_SD

    def draw(self, draws: int, rng: np.random.Generator) -> tuple[CrossedErrors, Floats]:
        """The errors of many differences, and the variance of each over topics."""
        sides = [(count, spread) for count, spread in zip(self.counts, self.spreads, strict=True) if count > 1]
        over_topics = self.interaction**2 + sum(self.rest**2 / count for count in self.counts)
        variance = over_topics / self.topics + sum(spread**2 / count for count, spread in sides)
        seen = over_topics * _scatter(self.topics - 1, draws, rng)
        squares = [
            (
                (spread**2 + self.rest**2 / self.topics) / count * _scatter(count - 1, draws, rng),
                self.rest**2 / (count * self.topics) * _scatter((count - 1) * (self.topics - 1), draws, rng),
                np.full(draws, count - 1.0),
            )
            for count, spread in sides
        ]
        parts = (np.column_stack(columns) for columns in zip(*squares, strict=True))
        mean = rng.normal(0, np.sqrt(variance), draws)
        return CrossedErrors.of_parts(mean, seen, np.full(draws, self.topics), *parts), seen

    def levels(self, draws: int, rng: np.random.Generator, alphas: tuple[float, ...] = (0.05, 0.01)) -> list[float]:
        """The share that is significant at each alpha, and at the first where topics alone are random."""
        found, seen = self.draw(draws, rng)
        bounds = [found.bounds(1 - alpha) for alpha in alphas]
        topics = np.full((draws, 1), self.topics - 1.0)
        alone = CrossedErrors(found.mean, seen[:, None] / self.topics, topics)
        return [
            float(np.mean((low > 0) | (high < 0))) for low, high in (ends.T for ends in (*bounds, alone.bounds(0.95)))
        ]


def _scatter(df: int, draws: int, rng: np.random.Generator) -> Floats:
    """A mean square in units of what it estimates."""
    return rng.chisquare(df, draws) / df


def designs(counts: tuple[int, int], topics: int) -> Iterator[SimulatedDesign]:
    """All ratios of variances: both systems spread, or one of them."""
    for interaction, spread in product(INTERACTIONS, SPREADS):
        own = spread * TRUE_SD / np.sqrt(topics)
        both = dict.fromkeys([(own, own), *([(own, 0.0), (0.0, own)] if min(counts) > 1 else [])])
        for spreads in both:
            yield SimulatedDesign(counts, topics, interaction * TRUE_SD, spreads)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=6000)
    draws, rng = parser.parse_args().draws, np.random.default_rng(1)
    print(
        "| replicates |"
        + "".join(f" {topics} topics |" for topics in TOPICS)
        + " at 1 % | usual scores | topics alone |"
    )
    print("|---" * (len(TOPICS) + 4) + "|")
    for counts in DESIGNS:
        found = {topics: [each.levels(draws, rng) for each in designs(counts, topics)] for topics in TOPICS}
        every = [levels for each in found.values() for levels in each]
        spread = USUAL[1] * TRUE_SD / np.sqrt(50)
        usual = SimulatedDesign(counts, 50, USUAL[0] * TRUE_SD, (spread, spread)).levels(draws, rng)
        cells = [_span([levels[0] for levels in each]) for each in found.values()]
        cells += [
            _span([levels[1] for levels in every], 2),
            f"{100 * usual[0]:.1f}",
            _span([each[2] for each in every]),
        ]
        print(f"| {counts[0]} and {counts[1]} | " + " | ".join(cells) + " |", flush=True)


def _span(rates: list[float], digits: int = 1) -> str:
    return f"{100 * min(rates):.{digits}f}–{100 * max(rates):.{digits}f}"


if __name__ == "__main__":
    main()
