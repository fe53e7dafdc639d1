"""Pairs of runs of which much more was judged for one than for the other: their difference may be one of judging."""

from typing import TYPE_CHECKING

import numpy as np

from cranfield.stats.comparison.evidence import Evidence
from cranfield.tables.sheets.numerals import percent

if TYPE_CHECKING:
    from cranfield.stats.comparison.result import Comparison

MUCH = 0.1  # ten points
_ROUNDING = 1e-9
_NAMED = 3  # pairs named one by one
_DOUBT = "a difference may lie in what nobody judged"


def unequally_judged(comparison: "Comparison", found: Evidence) -> list[str]:
    """A sentence on the pairs whose judged shares differ by ten points or more, if there are any.

    >>> from cranfield.stats.comparison.compare import compare
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 6)}
    >>> runs = {"new": dict.fromkeys(qrels, ["x", "a"]), "old": dict.fromkeys(qrels, ["b", "a"])}
    >>> comparison = compare(qrels, runs, "P@2", baseline="old")
    >>> unequally_judged(comparison, comparison.evidence[0])
    ['new 50.0 % judged, old 100.0 %: a difference may lie in what nobody judged.']
    """
    scores, (run, baseline) = comparison.scores, (found.contrasts.run, found.contrasts.baseline)
    shares = scores.judged_shares[:, found.column]
    apart = np.abs(shares[run] - shares[baseline])
    places = np.flatnonzero(apart >= MUCH - _ROUNDING)  # not where a share is unknown
    if len(places) == 0:
        return []
    if len(places) <= _NAMED:
        return [f"{'; '.join(_pair(comparison, found, int(at)) for at in places)}: {_DOUBT}."]
    most = _pair(comparison, found, int(places[np.argmax(apart[places])]))
    return [f"{len(places):,} of {len(run):,} pairs differ by 10 points or more in what was judged ({most}): {_DOUBT}."]


def _pair(comparison: "Comparison", found: Evidence, at: int) -> str:
    """Both runs with what was judged of each."""
    scores = comparison.scores
    rows = int(found.contrasts.run[at]), int(found.contrasts.baseline[at])
    first, second = (percent(float(scores.judged_shares[row, found.column])) for row in rows)
    return f"{scores.runs[rows[0]]} {first} judged, {scores.runs[rows[1]]} {second}"
