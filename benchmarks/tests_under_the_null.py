"""What the tests and intervals do on simulated scores whose truth is known: how often they are wrong, and right.

    scripts/simulate-tests                          # the figures of docs/explanation/statistics.md, written into it
    scripts/simulate-tests --replicates 500 --print # a quick look

Every test, correction and interval of the registries takes part, so a new one appears in the tables by itself.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.marked_pages import EXPLANATION, parser, publish
from cranfield.arrays import Bools, Floats
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.comparison.doubts import doubtful
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.differences import rounded
from cranfield.stats.paired.intervals import INTERVALS, intervals
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC

PAGE = EXPLANATION / "statistics.md"
TOPICS = (10, 25, 50)
FEW_TOPICS = (2, 3, 5, 6, 8, 10, 15, 25, 50)  # of two systems where there is nothing to be found
SEVERAL_TOPICS = (3, 5, 6, 10, 25, 50)  # of several
SYSTEMS = 5
ALPHA = 0.05
TOGETHER = 250  # replicates that share the draws of a test that draws
DRAWS = 999


# --- worlds --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """A way to make `scores[replicate, system, topic]`; the last system is better by `gain`, if there is one."""

    title: str
    make: Callable[[np.random.Generator, tuple[int, int, int], float], Floats]
    gain: float  # the better system of the tables of power: half a standard deviation of the differences

    def scores(self, rng: np.random.Generator, replicates: int, systems: int, topics: int, *, better: bool) -> Floats:
        """Scores of so many replicates; without a better system all have the same mean."""
        return self.make(rng, (replicates, systems, topics), self.gain if better else 0.0)


def _normal(rng: np.random.Generator, shape: tuple[int, int, int], gain: float) -> Floats:
    scores = rng.normal(0.4, 0.2, (shape[0], 1, shape[2])) + rng.normal(0, 0.1, shape)
    scores[:, -1] += gain
    return scores


def _chances(rng: np.random.Generator, shape: tuple[int, int, int], gain: float) -> Floats:
    """The expected score of each system on each topic: most topics are hard; the better system misses less."""
    chances = np.broadcast_to(rng.beta(1, 3, (shape[0], 1, shape[2])), shape).copy()
    chances[:, -1] += gain * (1 - chances[:, -1])
    return chances


def _skewed(rng: np.random.Generator, shape: tuple[int, int, int], gain: float) -> Floats:
    chances = _chances(rng, shape, gain)
    return rng.beta(4 * chances + 1e-3, 4 * (1 - chances) + 1e-3)


def _discrete(rng: np.random.Generator, shape: tuple[int, int, int], gain: float) -> Floats:
    return rng.binomial(5, _chances(rng, shape, gain)) / 5


def _binary(rng: np.random.Generator, shape: tuple[int, int, int], gain: float) -> Floats:
    return rng.binomial(1, _chances(rng, shape, gain)).astype(np.float64)


def _lopsided(rng: np.random.Generator, shape: tuple[int, int, int], gain: float) -> Floats:
    """The first system is steady; each other is mostly a little better and sometimes far worse, equal on average."""
    noise = 0.1 * (1 - rng.exponential(size=shape))
    noise[:, 0] = 0
    noise[:, -1] += gain
    return rng.normal(0.4, 0.2, (shape[0], 1, shape[2])) + noise


WORLDS: Mapping[str, World] = {
    "normal": World("normal scores", _normal, 0.0707),
    "skewed": World("skewed scores between 0 and 1, as of AP", _skewed, 0.181),
    "discrete": World("scores of six values, as of P@5", _discrete, 0.182),
    "binary": World("scores of 0 and 1, as of Success@1", _binary, 0.419),
    "lopsided": World("often a little better, sometimes far worse", _lopsided, 0.05),
}
FAIR = ("normal", "skewed", "discrete", "binary")  # here no test has an excuse: the systems could be exchanged


# --- rates ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rate:
    """How often something happened, with its Monte-Carlo standard error; `unmarked`: without a warning beside it."""

    times: int
    replicates: int
    unmarked: int | None = None

    @property
    def share(self) -> float:
        """The share of the replicates."""
        return self.times / self.replicates

    @property
    def error(self) -> float:
        """The standard error of the share."""
        return float(np.sqrt(self.share * (1 - self.share) / self.replicates))

    @property
    def percent(self) -> str:
        """The share as it is printed, and what is left of it where some of it is warned about."""
        share = f"{100 * self.share:.1f}"
        if self.unmarked is None or self.unmarked == self.times:
            return share
        return f"{share} → {100 * self.unmarked / self.replicates:.1f}"


Rates = dict[str, Rate]


def paired_rates(
    world: str, topics: int, replicates: int, seed: int, *, better: bool = False, draws: int = DRAWS
) -> Rates:
    """How often each test of two systems is significant, and how often without a warning."""
    found, unmarked = dict.fromkeys(TESTS, 0), dict.fromkeys(TESTS, 0)
    for rng, size in _batches(replicates, seed):
        scores = WORLDS[world].scores(rng, size, 2, topics, better=better)
        differences = rounded(scores[:, 1] - scores[:, 0])
        known, differing = np.full(size, topics), np.count_nonzero(differences, axis=1)
        for name, test in TESTS.items():
            starred = test.function(differences, rng=rng, samples=draws).pvalue < ALPHA
            found[name] += int(starred.sum())
            unmarked[name] += int((starred & ~doubtful(name, known, differing, ALPHA)).sum())
    return {name: Rate(times, replicates, unmarked[name]) for name, times in found.items()}


def several_rates(
    world: str, topics: int, replicates: int, seed: int, *, better: bool = False, draws: int = DRAWS
) -> Rates:
    """How often each procedure for several systems is significant.

    A test of all systems at once counts if it is, a procedure for pairs if it tells any two apart; with a better
    system, if it tells that one from the first.
    """
    found, unmarked = dict.fromkeys(procedures(), 0), dict.fromkeys(procedures(), 0)
    for rng, size in _batches(replicates, seed):
        for scores in WORLDS[world].scores(rng, size, SYSTEMS, topics, better=better):
            moved = np.count_nonzero(np.abs(scores[:, None] - scores) > 1e-12, axis=2)
            for name, apart in procedures(scores, rng, draws).items():
                sure = apart & ~doubtful(name, np.full_like(moved, topics), moved, ALPHA)
                sure = apart if name in OMNIBUS else sure  # no star stands beside a pair
                found[name] += int(apart[0, -1] if better else apart.any())
                unmarked[name] += int(sure[0, -1] if better else sure.any())
    return {name: Rate(times, replicates, unmarked[name]) for name, times in found.items()}


def procedures(
    scores: Floats | None = None, rng: np.random.Generator | None = None, draws: int = 0
) -> dict[str, Bools]:
    """Which systems every procedure tells apart, `[system, system]`; a test of all at once says the same of all."""
    if scores is None:
        scores, draws = np.eye(3, 4), 1  # for the names
    systems = len(scores)
    told = {name: np.full((systems, systems), test(scores).pvalue < ALPHA) for name, test in OMNIBUS.items()}
    told |= {name: test(scores, rng=rng, samples=draws, alpha=ALPHA).separated for name, test in POSTHOC.items()}
    first, second = np.triu_indices(systems, 1)
    pvalue = TESTS["t"].function(scores[first] - scores[second], rng=rng or np.random.default_rng(0)).pvalue
    for name, correction in CORRECTIONS.items():
        apart = np.zeros((systems, systems), dtype=bool)
        apart[first, second] = apart[second, first] = correction(np.nan_to_num(pvalue, nan=1.0)) < ALPHA
        told[f"t, {name}"] = apart
    return told


def coverage_rates(world: str, topics: int, replicates: int, seed: int, *, draws: int = 2 * DRAWS + 1) -> Rates:
    """How often each 95 % interval of the mean difference holds the truth, which is 0, of those that can be made."""
    found, made = dict.fromkeys(INTERVALS, 0), dict.fromkeys(INTERVALS, 0)
    for rng, size in _batches(replicates, seed):
        scores = WORLDS[world].scores(rng, size, 2, topics, better=False)
        for name in INTERVALS:
            bounds = intervals(scores[:, 1] - scores[:, 0], name, samples=draws, rng=rng).bounds
            found[name] += int(((bounds[:, 0] <= 0) & (bounds[:, 1] >= 0)).sum())
            made[name] += int((~np.isnan(bounds[:, 0])).sum())
    return {name: Rate(times, made[name]) for name, times in found.items()}


def effect(world: str, seed: int = 0) -> float:
    """Mean over standard deviation of the differences to the better system."""
    scores = WORLDS[world].scores(np.random.default_rng(seed), 4000, 2, 50, better=True)
    difference = scores[:, 1] - scores[:, 0]
    return float(difference.mean() / difference.std())


def _batches(replicates: int, seed: int) -> Iterator[tuple[np.random.Generator, int]]:
    for start in range(0, replicates, TOGETHER):
        yield np.random.default_rng([seed, start]), min(TOGETHER, replicates - start)


# --- the page ------------------------------------------------------------------------------------------------------


def table(first: str, columns: Mapping[str, Rates]) -> str:
    """One row for each test, one column for each setting, and the Monte-Carlo error of a column below it."""
    names = list(next(iter(columns.values())))
    errors = [100 * max(rate.error for rate in rates.values()) for rates in columns.values()]
    lines = [f"| {first} | {' | '.join(columns)} |", "|---|" + "---:|" * len(columns)]
    lines += [f"| `{name}` | {' | '.join(rates[name].percent for rates in columns.values())} |" for name in names]
    lines += [f"| *standard error, at most* | {' | '.join(f'*{error:.1f}*' for error in errors)} |"]
    return "\n".join(lines)


def near_nominal(replicates: int) -> str:
    """The standard error, in percent, of a test that keeps its level."""
    return f"{100 * np.sqrt(ALPHA * (1 - ALPHA) / replicates):.1f}"


def pages(replicates: int, seed: int) -> Iterator[str]:
    """Each table under its heading."""
    several = max(TOGETHER, replicates // 4)
    every = {f"{world} {n}": (world, n) for world in WORLDS for n in TOPICS}

    def paired(world: str, n: int, *, better: bool = False) -> Rates:
        return paired_rates(world, n, replicates, seed, better=better)

    def nothing(first: str, topics: Sequence[int], rates: Callable[[str, int], Rates]) -> str:
        parts = (
            f"*{world}*, by number of topics:\n\n{table(first, {str(n): rates(world, n) for n in topics})}"
            for world in FAIR
        )
        return "\n\n".join(parts)

    yield f"""### Two systems that do not differ

Percent of {replicates:,} replicates in which the test is significant at 5 %. 5 is right, less is careful, more is
wrong; a 5 has a standard error of {near_nominal(replicates)}. After an arrow: in which it is significant without a
warning (†). Tests that draw did so {DRAWS} times.

{nothing("test", FEW_TOPICS, paired)}"""

    yield f"""### Equal means, unequal medians

The same where the second system is often a little better and sometimes far worse. The means are equal, so a test of the
mean should say 5; the medians are not.

{table("test", {f"lopsided {n}": paired("lopsided", n) for n in TOPICS})}"""

    yield f"""### Two systems that do differ

Percent of {replicates:,} replicates in which the test finds the difference with 25 topics. The mean difference is half
a standard deviation of the differences ({", ".join(f"{world} {effect(world):.2f}" for world in WORLDS)}).

{table("test", {f"{world} 25": paired(world, 25, better=True) for world in WORLDS})}"""

    yield f"""### Five systems that do not differ

Percent of {several:,} replicates in which anything is significant: the test of all systems, or any of the
{SYSTEMS * (SYSTEMS - 1) // 2} pairs; after an arrow: any pair without a warning (†). `t, holm` is the t test of every
pair, corrected by `holm`. A 5 has a standard error of {near_nominal(several)}.

{nothing("procedure", SEVERAL_TOPICS, lambda world, n: several_rates(world, n, several, seed))}"""

    yield f"""### Five systems, one of them better

Percent of {several:,} replicates in which the better system is told from the first of the others, with 25 topics and
the difference of above. For `anova` and `friedman`: in which they are significant.

{table("procedure", {f"{world} 25": several_rates(world, 25, several, seed, better=True) for world in FAIR})}"""

    yield f"""### Intervals of the mean difference

Percent of {replicates:,} replicates in which the 95 % interval, if there is one, holds the true difference. 95 is
right, less is wrong. Intervals that draw did so {2 * DRAWS + 1:,} times.

{table("interval", {head: coverage_rates(*setting, replicates, seed) for head, setting in every.items()})}"""


def main() -> None:
    """Simulate, and print the tables or write them into the page."""
    arguments = parser("rejection rates, power and coverage on simulated scores")
    arguments.add_argument("--replicates", type=int, default=4000)
    arguments.add_argument("--seed", type=int, default=0)
    options = arguments.parse_args()
    publish(PAGE, pages(options.replicates, options.seed), options.print)


if __name__ == "__main__":
    main()
