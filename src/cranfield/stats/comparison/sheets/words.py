"""A comparison in words: the line above a table, the notes below it, the caption of a printed one."""

import math
from typing import TYPE_CHECKING

import numpy as np

from cranfield.errors.wording import Wording, template
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.comparison.doubts import without_p
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.replicated import replicate_notes
from cranfield.stats.comparison.sheets.cells import HOLES, marks, permuted, warned_of
from cranfield.stats.paired.intervals import INTERVALS
from cranfield.tables.sheets.marked import DOUBT, UNJUDGED, p_words, probability
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.comparison.pair import Pair
    from cranfield.stats.comparison.result import Comparison

_NAMED = 3  # runs or pairs named one by one in a note


def title(comparison: "Comparison", found: Evidence, baseline: str = "") -> str:
    """Measure, topics, test and correction: the line above every table with p values."""
    measure = f"{found.measure} against {baseline}" if baseline else found.measure
    return " · ".join([measure, topics(found), *tested(comparison, found)])


def topics(found: Evidence) -> str:
    """How many topics the pairs have in common."""
    low, high = int(found.pairs.topics.min()), int(found.pairs.topics.max())
    return counted(high, "topic") if low == high else f"{low:,}–{high:,} topics"


def tested(comparison: "Comparison", found: Evidence) -> list[str]:
    """The test, and how its p values are corrected for the number of comparisons."""
    method, many = comparison.method, counted(found.family, "comparison")
    if not found.tested:
        return ["no test"]
    if method.posthoc:
        return [f"{found.procedure}, over {many}"]
    across = f" in {counted(len(comparison.evidence), 'measure')}" if method.family == "all" else ""
    if method.adjust == "none":
        return [f"{found.procedure}, two-sided", f"uncorrected, {many}{across}"]
    return [f"{found.procedure}, two-sided", f"{CORRECTIONS[method.adjust].title} over {many}{across}"]


def caption(comparison: "Comparison", found: Evidence | None = None, paper: bool = False) -> str:
    """The caption of a printed table: test, topics, alpha, correction, policies."""
    every = comparison.evidence if found is None else (found,)
    said = list(dict.fromkeys(", ".join([topics(each), *tested(comparison, each)]) for each in every))
    measures = ", ".join(each.measure for each in every)
    parts = [f"{measures}: {'; '.join(said)}"]
    if comparison.baselines and not paper:
        parts.append(f"Δ is the difference from {' or '.join(comparison.baselines)}")
    if any(each.tested for each in every):
        mark = _raised(comparison) if paper else "* significant"
        parts.append(f"{mark}: {_level(comparison, 'α = ')}")
    parts += list(dict.fromkeys(filter(None, (without_p(each.pairs, comparison.method) for each in every))))
    warned = [warned_of(warning) for each in every for warning in each.pairs.warning]
    parts += [f"{DOUBT} {few}" for few in dict.fromkeys(few for few, _ in warned if few)]
    unequal = [note.removesuffix(".") for each in every for note in _of_measure(each, _holes(each), len(every) > 1)]
    parts += list(dict.fromkeys(unequal))
    parts += [note.removesuffix(".") for note in replicate_notes(comparison.scores, comparison.method)]
    if comparison.method.posthoc and not paper:
        parts += [note.removesuffix(".") for note in _intervals(comparison)]
    return "; ".join([*parts, comparison.audit.policy_line()]) + "."


def _raised(comparison: "Comparison") -> str:
    """What the marks in the table of a paper mean."""
    if len(comparison.baselines) == 1:
        return f"* differs significantly from {comparison.baselines[0]}"
    return f"letters name the {'baselines' if comparison.baselines else 'runs'} that a run is significantly better than"


def _of_measure(found: Evidence, notes: list[str], several: bool) -> list[str]:
    """Notes that begin with a mark, with the measure behind it if there are several."""
    return [f"{note[0]} {found.measure}: {note[2:]}" for note in notes] if several else notes


def _level(comparison: "Comparison", name: str = "") -> str:
    """When a difference is significant."""
    method = comparison.method
    after = ", protected by Friedman's test" if method.adjust == "conover" else ""
    return f"{method.corrected}p < {name}{method.alpha:g}{after}"


def notes(comparison: "Comparison") -> tuple[str, ...]:
    """The foot of the tables."""
    method = comparison.method
    tested = any(found.tested for found in comparison.evidence)
    said = [f"* {_level(comparison)}." if comparison.baselines else _letters(comparison)] if tested else []
    unequal = [note for found in comparison.evidence for note in _of(comparison, found, _holes(found))]
    said = [*["   ".join(filter(None, (*said, *unequal[:1])))], *unequal[1:]] if said or unequal else []
    for found in comparison.evidence:
        said += _of(comparison, found, _found(found))
        said += _doubts(found, f"{found.measure}: " if len(comparison.evidence) > 1 else "")
    said += _disagreements(comparison)
    said += replicate_notes(comparison.scores, method)
    if method.equivalence is not None:
        corrected = "Holm" if method.posthoc else CORRECTIONS[method.adjust].title
        said.append(
            f"p(|Δ|<{method.equivalence:g}): two one-sided t tests, {corrected}; "
            f"below {method.alpha:g} the runs are equivalent."
        )
    if method.risk is not None:
        said.append(f"URisk, TRisk: a loss against the baseline counts {1 + method.risk:g} times.")
    if method.rope is not None:
        said.append("P: posterior probability under Jeffreys' prior.")
    said += _intervals(comparison)
    audit = comparison.audit
    lacking = audit.undefined_notes() if audit.given else []
    topics_said = " · ".join(
        [*audit.missing_notes(), *audit.without_relevant_notes(), *audit.cleaning_notes(), *lacking]
    )
    return (*said, *([topics_said] if topics_said else []), *audit.name_notes(), audit.policy_line())


def _intervals(comparison: "Comparison") -> list[str]:
    """How intervals were computed; of Student's t only where a procedure for all pairs gives the p beside them."""
    method = comparison.method
    if all(found.average in ("geometric", "sum") for found in comparison.evidence):
        return []
    way = INTERVALS[method.interval or "t"]
    if way.bounds is None:
        return [f"{method.percent:g} % intervals: paired t, not {method.performed}."] if method.posthoc else []
    drawn = f"{way.printed} bootstrap over topics, {method.resamples:,} resamples, seed {method.seed}"
    return [f"{method.percent:g} % intervals: {drawn}."]


def _letters(comparison: "Comparison") -> str:
    pairs = max(len(found.pairs) for found in comparison.evidence)
    from cranfield.stats.comparison.sheets.sheet import FEW

    more = "" if pairs <= FEW else f" All {pairs:,} pairs are in the CSV form."
    return f"better than: {_level(comparison)}.{more}"


def _of(comparison: "Comparison", found: Evidence, notes: list[str]) -> list[str]:
    """Notes on a measure, with its name if there are several."""
    return [Wording(f"{found.measure}: {template(note)}") if len(comparison.evidence) > 1 else note for note in notes]


def _found(found: Evidence) -> list[str]:
    return [*([found.omnibus_line] if found.omnibus_line else []), *found.notes]


def _doubts(found: Evidence, where: str) -> list[str]:
    """The warnings about stars, and the pairs they concern."""
    few = np.array([warned_of(warning)[0] for warning in found.pairs.warning], dtype=object)
    warned = {text: np.flatnonzero(few == text) for text in dict.fromkeys(few) if text}
    return [
        f"{DOUBT} {where}"
        + (", ".join(_pair(found, int(at)) for at in places) if len(places) <= _NAMED else f"{len(places):,} pairs")
        + f": {text}."
        for text, places in warned.items()
    ]


def _holes(found: Evidence) -> list[str]:
    """The warning about stars of pairs that unjudged documents could reverse, or that are judged unequally."""
    holes = [text for _, text in map(warned_of, found.pairs.warning) if text]
    if holes and not holes[0].endswith(HOLES):
        more = f"{UNJUDGED} {len(holes):,} pairs are significant as judged, yet unjudged documents could reverse them."
        return [f"{UNJUDGED} {text}." for text in holes] if len(holes) <= _NAMED else [more]
    if len(holes) <= _NAMED:
        named = "; ".join(text.removesuffix(f": {HOLES}") for text in holes)
        return [f"{UNJUDGED} {named}: {HOLES}."] if holes else []
    first = holes[0].removesuffix(f": {HOLES}")
    return [f"{UNJUDGED} {len(holes):,} pairs differ by 10 points or more in what was judged (as {first}): {HOLES}."]


def _disagreements(comparison: "Comparison") -> list[str]:
    """Where another test decides differently."""
    said = []
    for found in comparison.evidence:
        where = f"{found.measure}: " if len(comparison.evidence) > 1 else ""
        for check in found.checks:
            when = "" if check.corrected else "before correction, "
            test, _, how = check.title.partition(", ")
            shown = f"{test} ({how})" if how else test
            head, others = f"{where}{when}the {shown} decides differently on", check.otherwise
            if len(others) > _NAMED:
                said.append(f"{head} {len(others):,} of {len(check.pvalue):,} pairs.")
                continue
            said += [
                f"{head} {_pair(found, at)}: {p_words(check.pvalue[at], comparison.method.alpha)}." for at in others
            ]
    return said


def _pair(found: Evidence, at: int) -> str:
    return f"{found.pairs.run[at]} – {found.pairs.baseline[at]}"


def brief_p(pair: "Pair", alpha: float) -> str:
    if math.isnan(pair.p):
        said = " ".join(filter(None, ("no p", permuted(pair.permutation_p, alpha))))
        return said if pair.reason and pair.topics > 1 else "no test"
    return f"p {probability(pair.p, alpha)}" + "*" * bool(pair.significant) + marks(pair.warning)
