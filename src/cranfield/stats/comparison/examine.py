"""Examine: differences -> effect sizes, intervals, p values and posterior, for thousands of pairs at once.

Every draw depends on the seed and the number of topics alone: each measure, and each block of pairs, begins with a
generator made from the seed, and the topics stand in sorted order. So neither the names nor the order of runs, topics,
measures or jobs can change a p value.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.comparison.contrasts import Contrasts, mean_differences
from cranfield.stats.comparison.method import NONE, Method
from cranfield.stats.paired.definition import TESTS, Tested
from cranfield.stats.paired.differences import medians
from cranfield.stats.paired.effects import REPORTED, Effect, effects, tally
from cranfield.stats.paired.equivalence import tost
from cranfield.stats.paired.intervals import Intervals, intervals
from cranfield.stats.paired.posterior import posterior

BLOCK = 512  # pairs examined together: a fixed number, so that `jobs` cannot change a digit
CHECKED = 10_000  # draws of a test that only checks another

Examined = Mapping[str, Any]  # arrays with one element per pair, and the names of methods


def examine_all(
    contrasts: Sequence[Contrasts], averages: Sequence[str], method: Method, jobs: int = 1
) -> list[dict[str, Any]]:
    """What is found about the pairs of each measure."""
    tasks = [
        (measure, pairs.between(begin, begin + BLOCK))
        for measure, pairs in enumerate(contrasts)
        for begin in range(0, len(pairs), BLOCK)
    ]
    found: list[list[Examined]] = [[] for _ in contrasts]
    with _mapping(jobs) as each:
        done = each(lambda task: examine(task[1], averages[task[0]], method), tasks)
        for (measure, _), part in zip(tasks, done, strict=True):
            found[measure].append(part)
    return [_joined(parts) for parts in found]


@contextmanager
def _mapping(jobs: int) -> Iterator[Any]:  # map, of either kind
    """A `map` that runs in this thread, or in several."""
    if jobs <= 1:
        yield map
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield pool.map


def examine(pairs: Contrasts, average: str, method: Method) -> Examined:
    """What is found about some pairs: one array for each thing, one element per pair."""
    differences = pairs.differences
    counts = tally(differences)
    nothing = np.full(len(pairs), np.nan)
    found: dict[str, Any] = {
        "topics": pairs.common.sum(axis=1),
        "difference": mean_differences(pairs, average),
        "median": medians(differences),
        **_sizes(pairs, average, method.level),
        "wins": counts.losses if pairs.smaller else counts.wins,
        "ties": counts.ties,
        "losses": counts.wins if pairs.smaller else counts.losses,
        "low": nothing,
        "high": nothing,
        "statistic": nothing,
        "raw": nothing,
        "dropped": np.zeros(len(pairs), dtype=np.int64),
        "procedure": "",
        "assumes": "",
        "checks": {},
        "titles": {},
    }
    if average == "sum":  # counts are not a sample of anything
        return found
    if average != "geometric":
        spans = _interval(differences, method)
        found["low"], found["high"] = spans.bounds.T
        found["dropped"] = np.maximum(found["dropped"], spans.dropped)
    if method.test != NONE:
        tested = run_test(differences, method.test, method)
        found |= {"statistic": tested.statistic, "raw": tested.pvalue}
        found |= {"procedure": tested.method, "assumes": tested.note}
        if tested.dropped is not None:
            found["dropped"] = np.maximum(found["dropped"], tested.dropped)
    for name in checks(method):
        checked = run_test(differences, name, method, most=CHECKED)
        found["checks"][name], found["titles"][name] = checked.pvalue, checked.method
    if method.equivalence is not None:
        found["equivalence"] = tost(differences, method.equivalence).pvalue
    if method.rope is not None:
        belief = posterior(differences, method.rope, level=method.level)
        found["inside"] = belief.inside
        found["better"] = 1 - belief.positive if pairs.smaller else belief.positive
    return found


def _sizes(pairs: Contrasts, average: str, level: float) -> dict[str, Floats]:
    """Effect sizes with their intervals; of sums there is nothing but the difference in percent."""
    found = dict(effects(pairs.values[pairs.run], pairs.values[pairs.baseline], level=level))
    if average == "geometric":  # a difference of logarithms is the logarithm of a ratio
        shift = found["difference"]
        found["percent"] = Effect(100 * np.expm1(shift.value), 100 * np.expm1(shift.bounds), shift.method)
    values: dict[str, Floats] = {}
    for name, effect in REPORTED.items():
        undefined = np.nan if average == "sum" else 1.0
        values[name] = found[effect].value * (1.0 if effect == "percent" else undefined)
        values[f"{name}_ci"] = found[effect].bounds * undefined
    return values


def run_test(differences: Floats, name: str, method: Method, most: int | None = None) -> Tested:
    """One test of all pairs, with as many draws as were asked for, or as it wants."""
    definition = TESTS[name]
    wanted = method.samples or definition.samples
    samples = wanted if most is None else min(wanted, most)
    return definition.function(differences, rng=np.random.default_rng(method.seed), samples=samples)


def checks(method: Method) -> tuple[str, ...]:
    """The tests that are held beside the chosen one: t beside others, a permutation test beside t."""
    if method.test == NONE or method.posthoc:
        return ()
    if TESTS[method.test].tests == "median":
        return ("t", "permutation")
    return ("permutation",) if method.test == "t" else ("t",)


def _interval(differences: Floats, method: Method) -> Intervals:
    rng, way = np.random.default_rng(method.seed), method.interval or "t"
    return intervals(differences, way, level=method.level, samples=method.resamples, rng=rng)


def _joined(parts: Sequence[Examined]) -> dict[str, Any]:
    """The blocks of one measure, one after the other."""
    words = ("procedure", "assumes", "checks", "titles")
    whole: dict[str, Any] = {
        name: np.concatenate([part[name] for part in parts]) for name in parts[0] if name not in words
    }
    beside = {name: np.concatenate([part["checks"][name] for part in parts]) for name in parts[0]["checks"]}
    said = max((part["procedure"] for part in parts), key=len)  # exact for some pairs, drawn for others
    same = {name: parts[0][name] for name in ("assumes", "titles")}
    return whole | same | {"checks": beside, "procedure": said}
