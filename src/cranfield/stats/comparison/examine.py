"""Examine: differences -> effect sizes, intervals, p values and posterior, for thousands of pairs at once.

Every draw depends on the seed and the number of topics alone: each measure, and each block of pairs, begins with a
generator made from the seed, and the topics are in sorted order. So neither the names nor the order of runs, topics,
measures or jobs can change a p value.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.stats.comparison.contrasts import Contrasts, mean_differences
from cranfield.stats.comparison.declared import declared
from cranfield.stats.comparison.evidence import Check, Evidence
from cranfield.stats.comparison.method import NONE, Method
from cranfield.stats.comparison.pair import Pairs
from cranfield.stats.crossed import CROSSED, CrossedErrors, difference_errors
from cranfield.stats.paired.definition import TESTS, Tested
from cranfield.stats.paired.differences import medians
from cranfield.stats.paired.effects import REPORTED, Effect, effects, tally
from cranfield.stats.paired.equivalence import tost
from cranfield.stats.paired.intervals import Intervals, intervals
from cranfield.stats.paired.posterior import posterior
from cranfield.stats.paired.risk import trisk, urisk
from cranfield.tables.scores import Scores

BLOCK = 512  # pairs examined together: a fixed number, so that `jobs` cannot change a digit
CHECKED = 10_000  # draws of a test that only checks another


def examine_all(scores: Scores, contrasts: Sequence[Contrasts], method: Method, jobs: int = 1) -> list[Evidence]:
    """The evidence on the pairs of each measure, before correction."""
    tasks = [
        (measure, pairs.between(begin, begin + BLOCK))
        for measure, pairs in enumerate(contrasts)
        for begin in range(0, len(pairs), BLOCK)
    ]
    found: list[list[Evidence]] = [[] for _ in contrasts]
    with _mapping(jobs) as each:
        done = each(lambda task: examine(scores, task[0], task[1], method), tasks)
        for (measure, _), part in zip(tasks, done, strict=True):
            found[measure].append(part)
    return [_joined(parts, pairs) for parts, pairs in zip(found, contrasts, strict=True)]


@contextmanager
def _mapping(jobs: int) -> Iterator[Any]:  # map, of either kind
    """A `map` that runs in this thread, or in several."""
    if jobs <= 1:
        yield map
        return
    with ThreadPoolExecutor(jobs) as pool:
        yield pool.map


def examine(scores: Scores, column: int, contrasts: Contrasts, method: Method) -> Evidence:
    """The evidence on some pairs for one measure."""
    measure, average, differences = scores.measures[column], scores.averages[column], contrasts.differences
    pairs, unvaried = _described(scores, column, contrasts, method), np.zeros(len(contrasts), dtype=np.int64)
    if average == "sum":  # counts are not a sample of anything
        return Evidence(measure, column, average, contrasts, pairs, unvaried)
    procedure = assumes = ""
    if average != "geometric":
        spans = _interval(differences, method)
        equal = np.isnan(pairs.d_z)[:, None]  # differences without any variance show none to make an interval of
        pairs, unvaried = replace(pairs, ci=np.where(equal, np.nan, spans.bounds)), np.maximum(unvaried, spans.dropped)
    if method.test != NONE and not method.posthoc:
        tested = run_test(differences, method.test, method)
        procedure, assumes = tested.method, tested.note
        pairs = replace(pairs, statistic=tested.statistic, p_raw=tested.pvalue)
        unvaried = unvaried if tested.unvaried is None else np.maximum(unvaried, tested.unvaried)
    if method.equivalence is not None:
        pairs = replace(pairs, equivalence_p=tost(differences, method.equivalence).pvalue)
    if method.rope is not None:
        belief = posterior(differences, method.rope, level=method.level)
        better = 1 - belief.positive if contrasts.smaller else belief.positive
        pairs = replace(pairs, probability_better=better, probability_equivalent=belief.inside)
    if method.risk is not None:
        gains = -differences if contrasts.smaller else differences
        pairs = replace(pairs, urisk=urisk(gains, method.risk), trisk=trisk(gains, method.risk))
    if scores.replicates is not None and average == "mean":
        errors = difference_errors(scores.replicates, column, contrasts.run, contrasts.baseline, differences)
        pairs = _with_replicates(pairs, errors, method)
        procedure = CROSSED if method.test == "t" and not method.posthoc else procedure
    names = () if procedure == CROSSED else checks(method)  # the others know topics alone: another question
    others = {name: run_test(differences, name, method, most=CHECKED) for name in names}
    checked = tuple(Check(name, other.method, other.pvalue) for name, other in others.items())
    return Evidence(
        measure=measure,
        column=column,
        average=average,
        contrasts=contrasts,
        pairs=pairs,
        unvaried=unvaried,
        procedure=procedure,
        assumes=assumes,
        checks=checked,
    )


def _with_replicates(pairs: Pairs, errors: CrossedErrors, method: Method) -> Pairs:
    """The pairs with what Student's t says of them when topics and replicates are random."""
    if (method.interval or "t") == "t":
        pairs = replace(pairs, ci=np.where(errors.error[:, None] > 0, errors.bounds(method.level), np.nan))
    if method.test == "t" and not method.posthoc:
        t, pvalue = errors.test()
        pairs = replace(pairs, statistic=t, p_raw=pvalue)
    if method.equivalence is not None:
        pairs = replace(pairs, equivalence_p=errors.within(method.equivalence))
    return pairs


def _described(scores: Scores, column: int, contrasts: Contrasts, method: Method) -> Pairs:
    """The pairs with their names, counts and effect sizes, before any test."""
    average, differences, runs = scores.averages[column], contrasts.differences, np.array(scores.runs, dtype=object)
    counts, nothing = tally(differences), np.full(len(contrasts), np.nan)
    asked = {name: nothing for name, about in declared(Pairs).items() if about.option and method.chosen(about.option)}
    return Pairs(
        run=runs[contrasts.run],
        baseline=runs[contrasts.baseline],
        measure=np.full(len(contrasts), scores.measures[column], dtype=object),
        topics=contrasts.common.sum(axis=1),
        difference=mean_differences(contrasts, average),
        ci=np.stack([nothing, nothing], axis=1),
        median=medians(differences),
        test=np.full(len(contrasts), method.performed, dtype=object),
        statistic=nothing,
        p_raw=nothing,
        p=nothing,
        significant=np.zeros(len(contrasts), dtype=bool),
        reason=np.full(len(contrasts), "", dtype=object),
        permutation_p=nothing,
        warning=np.full(len(contrasts), "", dtype=object),
        wins=counts.losses if contrasts.smaller else counts.wins,
        ties=counts.ties,
        losses=counts.wins if contrasts.smaller else counts.losses,
        **_sizes(contrasts, average, method.level),
        **asked,
    )


def _sizes(pairs: Contrasts, average: str, level: float) -> dict[str, Floats]:
    """Effect sizes with their intervals; for sums, only the difference in percent."""
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
    """One test of all pairs, with the given number of draws, or that of the test."""
    definition = TESTS[name]
    wanted = method.samples or definition.samples
    samples = wanted if most is None else min(wanted, most)
    return definition.function(differences, rng=np.random.default_rng(method.seed), samples=samples)


def checks(method: Method) -> tuple[str, ...]:
    """The tests that are reported beside the chosen one: t beside others, a permutation test beside t."""
    if method.test == NONE or method.posthoc:
        return ()
    if TESTS[method.test].tests == "median":
        return ("t", "permutation")
    return ("permutation",) if method.test == "t" else ("t",)


def _interval(differences: Floats, method: Method) -> Intervals:
    rng, way = np.random.default_rng(method.seed), method.interval or "t"
    return intervals(differences, way, level=method.level, samples=method.resamples, rng=rng)


def _joined(parts: Sequence[Evidence], contrasts: Contrasts) -> Evidence:
    """The blocks of one measure, one after the other."""
    first = parts[0]
    every = [[part.checks[at].pvalue for part in parts] for at in range(len(first.checks))]
    return replace(
        first,
        contrasts=contrasts,
        pairs=Pairs.together([part.pairs for part in parts]),
        unvaried=np.concatenate([part.unvaried for part in parts]),
        procedure=max((part.procedure for part in parts), key=len),  # exact for some pairs, drawn for others
        checks=tuple(
            replace(check, pvalue=np.concatenate(values)) for check, values in zip(first.checks, every, strict=True)
        ),
    )
