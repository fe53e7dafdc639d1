"""Doubts: why a pair has no p, and what speaks against believing a significant one."""

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.method import Method
from cranfield.stats.comparison.pair import NameArray, Pairs
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.signflips import too_few
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.tables.sheets.marked import p_words
from cranfield.tables.words import counted


def untestable(found: Evidence, pvalue: Floats) -> Bools:
    """Pairs with topics enough for a test, whose statistic is not finite: their differences are all equal."""
    return np.isnan(pvalue) & (found.pairs.topics > 1) & (found.average != "sum")


def reasons(found: Evidence, pvalue: Floats, method: Method, whole: PostHoc | None) -> NameArray:
    """For every pair why it has no p; empty where it has one, or where nobody asked."""
    said = np.full(len(pvalue), "", dtype=object)
    if not method.tested:
        return said
    if found.average == "sum":
        said[:] = "a sum over topics has no test"
        return said
    said[np.isnan(pvalue)] = "fewer than 2 common topics"
    for at in np.flatnonzero(untestable(found, pvalue)):
        said[at] = _equal(int(found.pairs.topics[at]) if whole is None else whole.n, method.alpha)
    return said


def _equal(topics: int, alpha: float) -> str:
    """What is said of differences that are all the same: of all sign flips, two are as extreme.

    >>> _equal(5, 0.05).split("; ")
    ['its 5 differences are all equal, so no statistic is finite', 'the permutation test gives p = 0.062']
    """
    flips = p_words(2.0 ** (1 - topics), alpha)
    return f"its {topics:,} differences are all equal, so no statistic is finite; the permutation test gives {flips}"


def warnings(pairs: Pairs, method: Method) -> NameArray:
    """For every significant pair what speaks against it; empty where nothing is known to."""
    said = np.full(len(pairs), "", dtype=object)
    differing = pairs.wins + pairs.losses
    needs = TESTS[method.test].enough if method.test in TESTS and not method.posthoc else None
    for at in np.flatnonzero(pairs.significant):
        topics, moved = int(pairs.topics[at]), int(differing[at])
        if too_few(moved, method.alpha):
            said[at] = _few_flips(moved, method.alpha)
        elif needs is not None and (topics < needs.topics or moved < needs.differing):
            said[at] = (
                f"{counted(topics, 'topic')}, {moved:,} of them with a difference: {method.test} finds too much with "
                f"fewer than {needs.topics:,}, or {needs.differing:,} with a difference"
            )
    return said


def _few_flips(differing: int, alpha: float) -> str:
    """What is said of a pair with few differences.

    >>> _few_flips(4, 0.05)
    'only 4 topics differ: no sign-flip test of so few can be significant at 0.05'
    """
    some = "1 topic differs" if differing == 1 else f"{differing:,} topics differ"
    return f"only {some}: no sign-flip test of so few can be significant at {alpha:g}"
