"""Put new scores and saved scores in one table of runs, in which the saved runs are the baselines."""

import hashlib
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.errors.warning import warn
from cranfield.errors.wording import setting
from cranfield.read.saved_scores import load_scores
from cranfield.read.sources.paths import ending
from cranfield.stats.comparison.replicated import together
from cranfield.stats.score_tables.read import read_scores
from cranfield.tables.audit import Audit
from cranfield.tables.scores import Scores
from cranfield.tables.words import counted

SAVED = "saved scores"


@dataclass(frozen=True, eq=False)
class Saved:
    """Saved scores, and where they come from."""

    scores: Scores
    name: str = SAVED
    sha256: str | None = None

    @classmethod
    def of(cls, given: "Saved | Scores | str | os.PathLike[str]") -> "Saved":
        """Scores as they are, or read from the file that `evaluate --save` wrote."""
        if isinstance(given, Saved):
            return given
        if isinstance(given, Scores):
            return cls(given)
        path: object = given  # which callers may get wrong
        if not isinstance(path, str | os.PathLike):
            raise PolicyError("E241", f"{setting('against', path)} is of the wrong kind", hint="scores, or a path")
        name = os.fspath(given)
        scores = load_scores(name) if ending(name) in ("", ".json") else read_scores(name)
        return cls(scores, os.fspath(given), hashlib.sha256(Path(given).read_bytes()).hexdigest())


def beside(today: Scores, saved: Saved) -> tuple[Scores, tuple[str, ...]]:
    """New and saved runs in one table over the topics of both, and the names of the saved runs in it.

    A saved run with the name of a new run is called `NAME (saved)`.

    >>> import cranfield as cf
    >>> before = cf.evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d2", "d1"]}, "RR")
    >>> after = cf.evaluate({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d1", "d2"]}, "RR")
    >>> beside(after, Saved(before))[0].runs
    ('run', 'run (saved)')
    """
    old = _fitting(today, saved)
    names = _distinct(old.runs, today.runs)
    topics = tuple(sorted({*today.topics, *old.topics}))
    both = (today, old)
    at = [np.array([topics.index(topic) for topic in scores.topics], dtype=np.int64) for scores in both]
    relevant = np.zeros((len(topics), len(today.measures)), dtype=np.int64)
    for scores, places in zip(reversed(both), reversed(at), strict=True):
        relevant[places] = scores.relevant
    joined = replace(
        today,
        runs=(*today.runs, *names),
        topics=topics,
        values=_joined(both, at, "values", len(topics)),
        scored=_joined(both, at, "scored", len(topics)).astype(bool),
        judged=_joined(both, at, "judged", len(topics)),
        retrieved=np.nan_to_num(_joined(both, at, "retrieved", len(topics))).astype(np.int64),
        relevant=relevant,
        intervals=None,
        possible=None,
        origin=None,
        replicates=together(both, at, len(topics)),
        residuals={},
        weights=None if today.weights is None else _joined(both, at, "weights", len(topics)),
        audit=_audit(today, old, names, saved),
    )
    return joined, names


def _joined(both: tuple[Scores, Scores], at: "list[Ints]", field: str, topics: int) -> Floats:
    """The rows of both, each value in the column of its topic."""
    parts = []
    for scores, places in zip(both, at, strict=True):
        values: Floats | Bools | Ints = getattr(scores, field)
        blank = 0.0 if values.dtype == np.bool_ else np.nan
        part = np.full((len(scores.runs), topics, *values.shape[2:]), blank)
        part[:, places] = values
        parts.append(part)
    return np.concatenate(parts)


def _fitting(today: Scores, saved: Saved) -> Scores:
    """The saved scores of the same measures; an error if they cannot be compared."""
    old = saved.scores
    if lacking := next((name for name in today.measures if name not in old.measures), None):
        hint = f"it has {', '.join(old.measures)}; save again with {setting('measures', lacking)}"
        raise InputError("E220", f"holds no scores of {lacking}", path=saved.name, hint=hint)
    old = old.select(today.measures)
    if old.averages != today.averages:
        hint = f"it was saved as {', '.join(dict.fromkeys(old.averages))}"
        raise InputError("E220", "was averaged in another way", path=saved.name, hint=hint)
    if not {*old.topics} & {*today.topics}:
        hint = f"its topics look like {old.topics[0]!r}, those of the runs like {today.topics[0]!r}"
        problem = f"none of its {counted(len(old.topics), 'topic')} occurs in the runs"
        raise InputError("E114", problem, path=saved.name, hint=hint)
    _say_what_differs(today, old, saved.name)
    return old


def _say_what_differs(today: Scores, old: Scores, name: str) -> None:
    """Warn if policies, judgments or versions differ, because scores may differ for that reason alone."""
    names = [key for key in today.audit.policies if key in old.audit.policies]
    changed = [
        key for key in names if today.audit.policies[key] != old.audit.policies[key] and key not in ("ci", "replicates")
    ]
    said = [
        f"{key.replace('_', '-')}={old.audit.policies[key]} then, {today.audit.policies[key]} now" for key in changed
    ]
    hashes = [{entry["sha256"] for entry in scores.audit.inputs if entry["role"] == "qrels"} for scores in (today, old)]
    if hashes[0] and hashes[1] and hashes[0] != hashes[1]:
        said.append("the judgments have changed since")
    if said:
        warn(DataWarning("W116", "; ".join(said), name))


def _audit(today: Scores, old: Scores, names: tuple[str, ...], saved: Saved) -> Audit:
    """The audit of the new scores, with what is known of the saved runs."""

    def also(field: str) -> dict[str, Any]:  # counts, lists or shares, by field
        before = getattr(old.audit, field)
        renamed = {new: before[run] for new, run in zip(names, old.runs, strict=True) if run in before}
        return {**getattr(today.audit, field), **renamed}

    entry = {"role": "against", "name": saved.name, "rows": int(old.scored.sum()), "sha256": saved.sha256}
    return replace(
        today.audit,
        topics_scored=also("topics_scored"),
        topics_missing=also("topics_missing"),
        tie_groups_by_run=also("tie_groups_by_run"),
        tie_groups_with_effect_by_run=also("tie_groups_with_effect_by_run"),
        tie_standard_errors=also("tie_standard_errors"),
        duplicates_by_run=also("duplicates_by_run"),
        folded=also("folded"),
        self_matches=also("self_matches"),
        judged_at_k=also("judged_at_k"),
        shared_names=also("shared_names"),
        inputs=(*today.audit.inputs, entry),
    )


def _distinct(names: tuple[str, ...], taken: tuple[str, ...]) -> tuple[str, ...]:
    found: list[str] = []
    for name in names:
        distinct = name
        while distinct in taken or distinct in found:
            distinct += " (saved)"
        found.append(distinct)
    return tuple(found)
