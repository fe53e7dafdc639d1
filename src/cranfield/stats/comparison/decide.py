"""Decide: the findings of all measures -> p values corrected for their family, and what is significant."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.stats.comparison.contrasts import Contrasts
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.comparison.evidence import Check, Evidence
from cranfield.stats.comparison.examine import CHECKED
from cranfield.stats.comparison.method import Method
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.effects import REPORTED
from cranfield.stats.several.all_pairs import PostHoc
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.marked import probability
from cranfield.tables.words import counted

_NAMES = {"paired t test": "paired t"}  # as they are written above a table
_FIELDS = (
    *("topics", "difference", "low", "high", "median", *REPORTED, *(f"{name}_ci" for name in REPORTED)),
    *("statistic", "raw", "wins", "ties", "losses", "dropped", "better", "inside"),
)


def decide(
    scores: Scores, contrasts: Sequence[Contrasts], found: Sequence[dict[str, Any]], method: Method
) -> tuple[Evidence, ...]:
    """What was found on each measure, corrected and judged."""
    posthoc = [_all_pairs(pairs, scores.averages[at], method) for at, pairs in enumerate(contrasts)]
    rule = "holm" if method.posthoc else method.adjust
    raw = [part["raw"] for part in found]
    pvalues, sizes = _corrected(raw, rule, method.family)
    equivalence = None
    if method.equivalence is not None:
        margins = [part.get("equivalence", np.full(len(part["raw"]), np.nan)) for part in found]
        equivalence, _ = _corrected(margins, rule, method.family)
    evidence = []
    for at, (pairs, part, whole) in enumerate(zip(contrasts, found, posthoc, strict=True)):
        corrected = pvalues[at] if whole is None else whole.pvalue[pairs.run, pairs.baseline]
        permitted = whole is None or whole.permitted
        evidence.append(
            Evidence(
                measure=scores.measures[at],
                column=at,
                average=scores.averages[at],
                contrasts=pairs,
                pvalue=corrected,
                significant=_below(corrected, method.alpha) & permitted,
                procedure=_procedure(part["procedure"], whole),
                assumes=part["assumes"] if whole is None else whole.note,
                family=sizes[at] if whole is None else len(scores.runs) * (len(scores.runs) - 1) // 2,
                notes=_notes(scores.averages[at], pairs, method, whole, part, corrected),
                checks=tuple(_check(at, name, found, sizes[at], method) for name in part["checks"]),
                omnibus=_omnibus(pairs, scores.averages[at], method),
                posthoc=whole,
                equivalence=None if equivalence is None else equivalence[at],
                **{field: part[field] for field in _FIELDS if field in part},
            )
        )
    return tuple(evidence)


def _corrected(pvalues: Sequence[Floats], rule: str, family: str) -> tuple[list[Floats], list[int]]:
    """Corrected p values of each measure, and how many were corrected together."""
    sizes = [int(np.count_nonzero(~np.isnan(column))) for column in pvalues]
    if family == "all":
        cuts = np.cumsum([len(column) for column in pvalues])[:-1]
        return np.split(CORRECTIONS[rule](np.concatenate(pvalues)), cuts), [sum(sizes)] * len(sizes)
    return [CORRECTIONS[rule](column) for column in pvalues], sizes


def _check(at: int, name: str, found: Sequence[dict[str, Any]], size: int, method: Method) -> Check:
    """Another test of one measure, and where it decides otherwise."""
    raw = [part["checks"].get(name, np.full(len(part["raw"]), np.nan)) for part in found]
    corrects = not TESTS[name].random or size <= method.alpha * CHECKED / 10
    rule = method.adjust if corrects else "none"
    ours, theirs = (_corrected(column, rule, method.family)[0][at] for column in ([p["raw"] for p in found], raw))
    known = ~np.isnan(ours) & ~np.isnan(theirs)
    otherwise = np.flatnonzero(known & (_below(ours, method.alpha) != _below(theirs, method.alpha)))
    return Check(name, found[at]["titles"][name], theirs, corrects, otherwise)


def _all_pairs(pairs: Contrasts, average: str, method: Method) -> PostHoc | None:
    """The procedure for all pairs; runs are handed over in the order of their values, so that names do not matter."""
    if not method.posthoc or average == "sum":
        return None
    values = -pairs.values if pairs.smaller else pairs.values
    order = np.lexsort(values.T[::-1])
    rng = np.random.default_rng(method.seed)
    samples = {} if method.samples is None else {"samples": method.samples}
    whole = POSTHOC[method.adjust](values[order], rng=rng, alpha=method.alpha, **samples)
    return replace(whole.take(np.argsort(order)), negated=pairs.smaller)


def _omnibus(pairs: Contrasts, average: str, method: Method) -> Any:  # an OmnibusResult
    if method.omnibus is None or average == "sum":
        return None
    return OMNIBUS[method.omnibus](pairs.values)


def _procedure(tested: str, whole: PostHoc | None) -> str:
    return whole.method if whole is not None else _NAMES.get(tested, tested)


def _below(pvalue: Floats, alpha: float) -> Bools:
    return ~np.isnan(pvalue) & (pvalue < alpha)


def _too_few_draws(pvalue: Floats, raw: Floats, method: Method) -> bool:
    """Whether a test that draws could not have come out significant: its smallest p is the smallest there is."""
    definition = TESTS.get(method.test)
    if definition is None or not definition.random or np.isnan(raw).all():
        return False
    least = 1 / (1 + (method.samples or definition.samples))
    return bool(np.nanmin(raw) <= least * 1.000001 and np.nanmin(pvalue) >= method.alpha)


def _differ_in_topics(pairs: Contrasts) -> bool:
    """Whether some mean is over topics that are not common to a pair."""
    own, common = np.count_nonzero(~np.isnan(pairs.values), axis=1), pairs.common.sum(axis=1)
    return bool((common < np.maximum(own[pairs.run], own[pairs.baseline])).any())


def _notes(
    average: str,
    pairs: Contrasts,
    method: Method,
    whole: PostHoc | None,
    found: dict[str, Any],
    pvalue: Floats,
) -> tuple[str, ...]:
    """What must be known to read the numbers of a measure."""
    said = []
    topics = pairs.common.sum(axis=1)
    if average == "sum":
        said.append("a sum over topics, which has no test.")
    if average == "geometric":
        said.append("tests and d_z are on logarithms; Δ is that of the geometric means.")
    if average == "micro":
        said.append("tests and intervals are on the influence of each topic on the ratio of the sums.")
    if pairs.smaller:
        said.append("less is better; a win is a smaller value.")
    if few := int(np.count_nonzero(topics < 2)) if method.tested and average != "sum" else 0:
        said.append(f"{counted(few, 'pair')} with fewer than 2 common topics: not tested.")
    if whole is None and found["procedure"] and TESTS[method.test].tests == "median":
        said.append(f"{found['assumes']}.")
    if most := int(found["dropped"].max(initial=0)):
        said.append(f"up to {counted(most, 'resample')} of a pair without any variance left out.")
    if whole is None and _too_few_draws(pvalue, found["raw"], method):
        least = float(np.nanmin(pvalue))
        said.append(
            f"too few draws: the smallest p they can give is {probability(least)} when corrected; see --samples."
        )
    if _differ_in_topics(pairs):
        said.append("Δ is taken over the topics that both runs have.")
    if whole is not None and whole.dropped:
        said.append(f"{counted(whole.dropped, 'topic')} without a score for every run left out.")
    if whole is not None and not whole.permitted:
        said.append(f"{whole.note}.")
    return tuple(said)
