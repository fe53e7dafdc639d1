"""Systems with replicates in a comparison: their spread, in notes and as plain data, and saved ones beside new ones."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.arrays import Ints
from cranfield.stats.comparison.evidence import Evidence
from cranfield.stats.comparison.method import NONE, Method
from cranfield.stats.crossed import components
from cranfield.tables.scores import Scores, number
from cranfield.tables.sheets.numerals import minus
from cranfield.tables.side.replicates import Replicates
from cranfield.tables.words import counted

_NAMED = 3  # systems or pairs named one by one
_FEW = 10  # replicates up to which the test rejects noticeably less often than alpha says


def with_spread(found: Evidence, scores: Scores) -> Evidence:
    """The evidence with notes on differences that are no larger than the spread of replicates."""
    return replace(found, notes=(*found.notes, *_large(found, scores)))


def replicate_notes(scores: Scores, method: Method) -> list[str]:
    """What replicates mean for a comparison, in words."""
    behind = scores.replicates
    if behind is None:
        return []
    counts = behind.counts(len(scores.runs))
    if max(counts) < 2:
        return ["no system has two replicates: their spread is not known, and only topics are random."]
    said = [f"{'; '.join(note for note in behind.notes(scores.runs) if 'replicates' in note)}."]
    if alone := [name for name, count in zip(scores.runs, counts, strict=True) if count == 1]:
        about = (
            "one run; verdicts are about this run" if len(alone) == 1 else "one run each; verdicts are about these runs"
        )
        said.append(f"{_listed(alone, 'system')}: {about}, not about others that the system could give.")
    if method.test == "t" and not method.posthoc and min(count for count in counts if count > 1) <= _FEW:
        said.append("with few replicates p is careful: it may be too large, and is not too small.")
    if method.posthoc or method.test not in ("t", NONE):
        said.append(f"{method.performed} takes the replicates as they are: only topics are random.")
    if method.rope is not None:
        said.append("P takes the replicates as they are: only topics are random.")
    return said


def _large(found: Evidence, scores: Scores) -> list[str]:
    """The differences that are no larger than the distance between replicates of one of the systems."""
    behind = scores.replicates
    if behind is None:
        return []
    counts = behind.counts(len(scores.runs))
    pairs = zip(found.contrasts.run.tolist(), found.contrasts.baseline.tolist(), found.pairs.difference, strict=True)
    said = []
    for run, baseline, difference in pairs:
        for system in (run, baseline):
            low, high = behind.ends(system, found.column)
            if counts[system] > 1 and high > low and high - low >= abs(difference):
                apart, pair = f"{low:.4f} to {high:.4f}", f"{scores.runs[run]} – {scores.runs[baseline]}"
                shown, name = minus(f"{difference:+.4f}"), scores.runs[system]
                said.append(f"{pair} ({shown}) is no larger than the distance between replicates of {name} ({apart}).")
    more = f"{len(said):,} differences are no larger than the distance between replicates of one of the systems."
    return said if len(said) <= _NAMED else [more]


def _listed(names: Sequence[str], kind: str) -> str:
    return ", ".join(names) if len(names) <= _NAMED else counted(len(names), kind)


def spread_rows(scores: Scores) -> list[dict[str, Any]]:
    """Plain data: for each system and measure its runs with their means, their spread, and variance components."""
    behind = scores.replicates
    if behind is None:
        return []
    rows = []
    for column, measure in enumerate(scores.measures):
        for system, name in enumerate(scores.runs):
            found = components(behind, system, column)
            means = {behind.runs[at]: number(float(behind.means[at, column])) for at in behind.of(system)}
            variance = {
                "topics": number(found.topics),
                "replicates": number(found.replicates),
                "residual": number(found.residual),
            }
            spread = number(behind.sd(system, column))
            rows.append({"system": name, "measure": measure, "runs": means, "sd": spread, "variance": variance})
    return rows


def together(both: Sequence[Scores], at: Sequence[Ints], topics: int) -> Replicates | None:
    """The replicates of new and saved scores, each value in the column of its topic; None if neither has any."""
    if all(scores.replicates is None for scores in both):
        return None
    first, second = (
        Replicates(scores.runs, np.arange(len(scores.runs)), scores.values, scores.averages)
        if scores.replicates is None
        else scores.replicates
        for scores in both
    )
    parts = []
    for behind, places in zip((first, second), at, strict=True):
        part = np.full((len(behind.runs), topics, behind.values.shape[2]), np.nan)
        part[:, places] = behind.values
        parts.append(part)
    system = np.concatenate([first.system, second.system + len(both[0].runs)])
    return Replicates((*first.runs, *second.runs), system, np.concatenate(parts), first.averages)
