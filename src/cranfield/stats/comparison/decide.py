"""Decide: the findings of all measures -> p values corrected for their family, and what is significant."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.stats.comparison.contrasts import Contrasts
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.comparison.doubts import permutations, reasons, untestable, warnings, without_p
from cranfield.stats.comparison.evidence import Check, Evidence
from cranfield.stats.comparison.examine import CHECKED
from cranfield.stats.comparison.method import Method
from cranfield.stats.comparison.pair import Pairs
from cranfield.stats.comparison.sheets.cells import of_means
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.stats.several.omnibus import OMNIBUS, OmnibusResult
from cranfield.stats.several.posthoc import POSTHOC
from cranfield.tables.sheets.marked import probability
from cranfield.tables.words import counted

NAMED = 3  # pairs named one by one in a note
_NAMES = {"paired t test": "paired t"}  # as they are written above a table


def decide(examined: Sequence[Evidence], method: Method, judged: Sequence[Floats]) -> tuple[Evidence, ...]:
    """The evidence with corrected p values and significance; `judged` are the shares of runs, for each measure."""
    rule = "holm" if method.posthoc else method.adjust
    pvalues, sizes = _corrected(examined, [found.pairs.p_raw for found in examined], rule, method.family)
    margins = [found.pairs.equivalence_p for found in examined if found.pairs.equivalence_p is not None]
    equivalence = _corrected(examined, margins, rule, method.family)[0] if margins else [None] * len(examined)
    decided = []
    for at, found in enumerate(examined):
        whole, runs = _all_pairs(found, method), len(found.contrasts.values)
        pairs = replace(found.pairs, p=pvalues[at], significant=_below(pvalues[at], method.alpha))
        if whole is not None:
            pairs = _by_procedure(found, whole)
        pairs = replace(pairs, equivalence_p=equivalence[at], reason=reasons(found, pairs.p, method, whole))
        if method.tested:
            pairs = replace(pairs, permutation_p=permutations(found, pairs.p, whole))
        pairs = replace(pairs, warning=warnings(found, pairs, method, judged[at]))
        decided.append(
            replace(
                found,
                pairs=pairs,
                procedure=_procedure(found.procedure, whole),
                assumes=found.assumes if whole is None else whole.note,
                family=sizes[at] if whole is None else runs * (runs - 1) // 2,
                notes=_notes(replace(found, pairs=pairs), method, whole),
                checks=tuple(_checked(at, check, examined, sizes[at], method) for check in found.checks),
                omnibus=_omnibus(found, method),
                posthoc=whole,
            )
        )
    return tuple(decided)


def _by_procedure(found: Evidence, whole: PostHoc) -> Pairs:
    """The pairs with the results of a procedure for all pairs; a p that it does not correct is also the raw p."""
    places = found.contrasts.run, found.contrasts.baseline
    p, statistic = whole.pvalue[places], whole.statistic[places]
    return replace(
        found.pairs,
        statistic=-statistic if whole.negated else statistic,
        p_raw=np.full(len(p), np.nan) if whole.corrected else p,
        p=p,
        significant=whole.separated[places],
    )


def _corrected(
    examined: Sequence[Evidence], pvalues: Sequence[Floats], rule: str, family: str
) -> tuple[list[Floats], list[int]]:
    """Corrected p values of each measure, and how many were corrected together.

    A pair whose differences have no finite statistic stays in the family as if its p were 1, because the size of the
    family may not depend on the results.
    """
    tested = [bool(found.procedure) for found in examined]
    gaps = [untestable(found, p) & made for found, p, made in zip(examined, pvalues, tested, strict=True)]
    filled = [np.where(gap, 1.0, p) for p, gap in zip(pvalues, gaps, strict=True)]
    sizes = [int(np.count_nonzero(~np.isnan(p))) for p in filled]
    cuts = np.cumsum([len(p) for p in filled])[:-1]
    if family == "all":
        corrected, sizes = np.split(CORRECTIONS[rule](np.concatenate(filled)), cuts), [sum(sizes)] * len(sizes)
    else:
        corrected = [CORRECTIONS[rule](p) for p in filled]
    return [np.where(gap, np.nan, p) for p, gap in zip(corrected, gaps, strict=True)], sizes


def _checked(at: int, check: Check, examined: Sequence[Evidence], size: int, method: Method) -> Check:
    """Another test of one measure, corrected, and the pairs on which it decides differently."""
    raw = [_pvalues(found, check.name) for found in examined]
    corrects = not TESTS[check.name].random or size <= method.alpha * CHECKED / 10
    rule = method.adjust if corrects else "none"
    tested = [found.pairs.p_raw for found in examined]
    ours, theirs = (_corrected(examined, column, rule, method.family)[0][at] for column in (tested, raw))
    known = ~np.isnan(ours) & ~np.isnan(theirs)
    otherwise = np.flatnonzero(known & (_below(ours, method.alpha) != _below(theirs, method.alpha)))
    return replace(check, pvalue=theirs, corrected=corrects, otherwise=otherwise)


def _pvalues(found: Evidence, check: str) -> Floats:
    """The p values of another test; NaN on a measure where it was not made."""
    made = (other.pvalue for other in found.checks if other.name == check)
    return next(made, np.full(len(found.pairs), np.nan))


def _all_pairs(found: Evidence, method: Method) -> PostHoc | None:
    """The procedure for all pairs; runs are passed in the order of their values, so that names do not matter."""
    if not method.posthoc or found.average == "sum":
        return None
    values = -found.contrasts.values if found.contrasts.smaller else found.contrasts.values
    order = np.lexsort(values.T[::-1])
    rng = np.random.default_rng(method.seed)
    samples = {} if method.samples is None else {"samples": method.samples}
    whole = POSTHOC[method.adjust](values[order], rng=rng, alpha=method.alpha, **samples)
    return replace(whole.take(np.argsort(order)), negated=found.contrasts.smaller)


def _omnibus(found: Evidence, method: Method) -> OmnibusResult | None:
    if method.omnibus is None or found.average == "sum":
        return None
    return OMNIBUS[method.omnibus](found.contrasts.values)


def _procedure(tested: str, whole: PostHoc | None) -> str:
    return whole.method if whole is not None else _NAMES.get(tested, tested)


def _below(pvalue: Floats, alpha: float) -> Bools:
    return ~np.isnan(pvalue) & (pvalue < alpha)


def _too_few_draws(pvalue: Floats, raw: Floats, method: Method) -> bool:
    """Whether a test with random draws cannot be significant, because its smallest possible p is too large."""
    definition = TESTS.get(method.test)
    if definition is None or not definition.random or np.isnan(raw).all():
        return False
    least = 1 / (1 + (method.samples or definition.samples))
    return bool(np.nanmin(raw) <= least * 1.000001 and np.nanmin(pvalue) >= method.alpha)


def _differ_in_topics(pairs: Contrasts) -> bool:
    """Whether some mean is over topics that are not common to a pair."""
    own, common = np.count_nonzero(~np.isnan(pairs.values), axis=1), pairs.common.sum(axis=1)
    return bool((common < np.maximum(own[pairs.run], own[pairs.baseline])).any())


def _without_p(pairs: Pairs, equal: int, method: Method) -> list[str]:
    """Notes on pairs without a finite statistic: the reason and the p of the permutation test."""
    if equal > NAMED:
        return [f"{without_p(pairs, method)}."]
    known = zip(pairs.run, pairs.baseline, pairs.reason, pairs.topics, strict=True)
    return [f"{run} – {baseline}: no p; {why}." for run, baseline, why, topics in known if why and topics > 1]


def _without_interval(pairs: Pairs) -> list[str]:
    """A note on pairs with topics but no interval, unless the note on their p covers it."""
    lost = np.isnan(pairs.ci[:, 0]) & (pairs.topics > 1) & (pairs.reason == "")
    equal, scarce = (int(np.count_nonzero(lost & kind)) for kind in (np.isnan(pairs.d_z), ~np.isnan(pairs.d_z)))
    said = [f"{counted(equal, 'pair')} without an interval: all differences of each are equal."] * bool(equal)
    return [*said, *[f"{counted(scarce, 'pair')} without an interval: too few resamples vary."] * bool(scarce)]


def _without_variance(most: int, method: Method) -> str:
    """A note on how resamples with equal differences only are counted."""
    tested = "; the test counts their t as infinite, unless their mean is 0" if "bootstrap" in method.test else ""
    left_out = "; the interval leaves them out" if method.interval == "studentized" else ""
    return f"up to {counted(most, 'resample')} of a pair without any variance{tested}{left_out}."


def _notes(found: Evidence, method: Method, whole: PostHoc | None) -> tuple[str, ...]:
    """The notes on the numbers of a measure."""
    said = []
    average, pairs = found.average, found.pairs
    if average == "sum":
        said.append("a sum over topics, which has no test.")
    if average == "geometric":
        said.append("tests and d_z are on logarithms; Δ is that of the geometric means.")
    if average == "micro":
        said.append("tests and intervals are on the influence of each topic on the ratio of the sums.")
    if average == "weighted":
        said.append("tests, intervals and d_z are on the differences times the weights of their topics.")
    if found.contrasts.smaller:
        said.append("less is better; a win is a smaller value.")
    if few := int(np.count_nonzero(pairs.topics < 2)) if method.tested and average != "sum" else 0:
        said.append(f"{counted(few, 'pair')} with fewer than 2 common topics: not tested.")
    if whole is None and found.procedure and TESTS[method.test].tests == "median":
        said.append(f"{found.assumes}.")
    if equal := int(np.count_nonzero(untestable(found, pairs.p))) if method.tested else 0:
        said += _without_p(pairs, equal, method)
    if of_means(found):
        said += _without_interval(pairs)
    moving = ~np.isnan(pairs.d_z) & (pairs.wins + pairs.losses > 0)  # nothing is drawn where differences are all equal
    if most := int(found.unvaried[moving].max(initial=0)):
        said.append(_without_variance(most, method))
    if whole is None and _too_few_draws(pairs.p, pairs.p_raw, method):
        least = float(np.nanmin(pairs.p))
        said.append(
            f"too few draws: the smallest p they can give is {probability(least)} when corrected; take more samples."
        )
    if _differ_in_topics(found.contrasts):
        said.append("Δ is taken over the topics that both runs have.")
    if whole is not None and whole.dropped:
        said.append(f"{counted(whole.dropped, 'topic')} without a score for every run left out.")
    if whole is not None and not whole.permitted:
        said.append(f"{whole.note}.")
    return tuple(said)
