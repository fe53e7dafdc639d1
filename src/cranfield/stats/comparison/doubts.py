"""Doubts: why a pair has no p, and why a significant result may be wrong."""

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.method import Method
from cranfield.stats.comparison.pair import NameArray, Pairs
from cranfield.stats.comparison.sheets.cells import HOLES, MOREOVER
from cranfield.stats.paired.definition import ALWAYS, TESTS
from cranfield.stats.paired.differences import rounded
from cranfield.stats.paired.signflips import too_few
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.tables.sheets.marked import p_words
from cranfield.tables.sheets.numerals import percent
from cranfield.tables.words import counted

MUCH = 0.1  # ten points between the judged shares of two runs
_ROUNDING = 1e-9


def untestable(found: Evidence, pvalue: Floats) -> Bools:
    """Pairs with enough topics for a test but no finite statistic, because their differences are all equal."""
    return np.isnan(pvalue) & (found.pairs.topics > 1) & (found.average != "sum")


def reasons(found: Evidence, pvalue: Floats, method: Method, whole: PostHoc | None) -> NameArray:
    """For every pair the reason why it has no p; empty if it has one, or if no test was requested."""
    said = np.full(len(pvalue), "", dtype=object)
    if not method.tested:
        return said
    if found.average == "sum":
        said[:] = "a sum over topics has no test"
        return said
    said[np.isnan(pvalue)] = "fewer than 2 common topics"
    flips = permutations(found, pvalue, whole)
    for at in np.flatnonzero(untestable(found, pvalue)):
        topics = int(found.pairs.topics[at]) if whole is None else whole.n
        said[at] = _infinite(topics, flips[at], method, whole)
    return said


def permutations(found: Evidence, pvalue: Floats, whole: PostHoc | None) -> Floats:
    """The p of the permutation test for pairs without a finite statistic; NaN for others.

    All their differences have the same sign, so two of all sign flips are as extreme.
    """
    topics = found.pairs.topics if whole is None else np.full(len(pvalue), whole.n)
    return np.where(untestable(found, pvalue), 2.0 ** (1 - topics), np.nan)


def _infinite(topics: int, flips: float, method: Method, whole: PostHoc | None) -> str:
    """The reason why a pair has no finite statistic, and the p of the permutation test."""
    equal = f"its {topics:,} differences are all equal"
    alike = f"all {topics:,} topics rank the runs alike"
    cause = alike if whole is not None and whole.scale == "rank sum" else equal
    return f"{cause}, so no statistic is finite; the permutation test gives {p_words(flips, method.alpha)}"


def without_p(pairs: Pairs, method: Method) -> str:
    """How many pairs have no p, why, and what the permutation test gives; empty if every pair has one."""
    known = pairs.permutation_p[~np.isnan(pairs.permutation_p)]
    if len(known) == 0:
        return ""
    cause = "all topics rank the runs alike" if method.adjust == "conover" else "all differences of each are equal"
    low, high = (p_words(float(p), method.alpha) for p in (known.min(), known.max()))
    flips = low if low == high else f"{low} to {high}"
    return (
        f"{counted(len(known), 'pair')} without p: {cause}, so no statistic is finite; "
        f"the permutation test (perm.) gives {flips}, not corrected"
    )


def doubtful(test: str, topics: Ints, differing: Ints, alpha: float) -> Bools:
    """Whether a star of a test, or of a procedure for all pairs, gets a warning.

    It does if so few topics differ that no sign-flip test could be significant, or if simulations show that the test
    rejects too often with so few topics.

    >>> doubtful("bootstrap-t", np.array([60, 60, 40]), np.array([60, 5, 40]), 0.05)
    array([False,  True,  True])
    """
    needs = TESTS[test].enough if test in TESTS else ALWAYS
    return too_few(differing, alpha) | (topics < needs.topics) | (differing < needs.differing)


def warnings(found: Evidence, pairs: Pairs, method: Method, shares: Floats) -> NameArray:
    """For every significant pair the warning beside its star; empty if there is none.

    `shares` are the judged shares of the runs.
    """
    said = np.full(len(pairs), "", dtype=object)
    if not pairs.significant.any():
        return said
    differing = _differing(found) if method.posthoc else pairs.wins + pairs.losses
    marked = pairs.significant & doubtful(method.performed, pairs.topics, differing, method.alpha)
    few = too_few(differing, method.alpha)
    for at in np.flatnonzero(marked):
        moved, topics = int(differing[at]), int(pairs.topics[at])
        said[at] = _few_flips(moved, method.alpha) if few[at] else _few_topics(topics, moved, method.performed)
    holes = _unequally_judged(found, shares)
    for at in np.flatnonzero(pairs.significant):
        said[at] = MOREOVER.join(filter(None, (said[at], holes[at])))
    return said


def _differing(found: Evidence) -> Ints:
    """The number of topics on which each pair differs, of those that all runs have: the input of procedures for all."""
    complete = ~np.isnan(found.contrasts.values).any(axis=0)
    return np.count_nonzero(rounded(found.contrasts.differences[:, complete]), axis=1)


def _few_flips(differing: int, alpha: float) -> str:
    """The warning for a pair with few differences.

    >>> _few_flips(4, 0.05)
    'only 4 topics differ: no sign-flip test of so few can be significant at 0.05'
    """
    some = "1 topic differs" if differing == 1 else f"{differing:,} topics differ"
    return f"only {some}: no sign-flip test of so few can be significant at {alpha:g}"


def _few_topics(topics: int, differing: int, test: str) -> str:
    """The warning for a test that rejects too often with few topics.

    >>> _few_topics(30, 28, "bootstrap-t").partition(": ")[0]
    '30 topics, 28 of them with a difference'
    """
    needs = TESTS[test].enough
    return (
        f"{counted(topics, 'topic')}, {differing:,} of them with a difference: {test} rejects too often with "
        f"fewer than {needs.topics:,}, or {needs.differing:,} with a difference"
    )


def _unequally_judged(found: Evidence, shares: Floats) -> list[str]:
    """For every pair a sentence if the judged shares of its runs differ by ten points or more; else empty."""
    run, baseline = shares[found.contrasts.run], shares[found.contrasts.baseline]
    apart = np.abs(run - baseline) >= MUCH - _ROUNDING  # not where a share is unknown
    pairs = zip(found.pairs.run, run, found.pairs.baseline, baseline, apart, strict=True)
    return [f"{a} {percent(x)} judged, {b} {percent(y)}: {HOLES}" if far else "" for a, x, b, y, far in pairs]
