"""The sheets of an estimate: runs, and pairs of runs."""

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.missing.prior.sheet import said
from cranfield.tables.sheets.blocks import TitledSheet
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.estimates.estimate import Estimate

ONLY_AS_GOOD = "These probabilities are as good as the prior: they cannot be checked on holes that stay unjudged."


def sheet(found: "Estimate") -> Sheet:
    """One row per run: as judged, mean over completions, band."""
    low, high = found.band()
    columns = (
        Column("run", found.runs),
        Column("as judged", found.now, ".4f"),
        Column("estimate", found.mean, ".4f"),
        Column("5 %", low, ".4f"),
        Column("95 %", high, ".4f"),
    )
    return TitledSheet(columns, _notes(found), label="tab:estimate", title=_title(found))


def pair_sheet(found: "Estimate", pairs: Sequence[tuple[int, int]]) -> Sheet:
    """One row per pair of runs."""
    left, right = (np.array([pair[side] for pair in pairs], dtype=np.int64) for side in (0, 1))
    drawn = found.these[:, left] - found.these[:, right]
    low, high = np.quantile(drawn, (0.05, 0.95), axis=0) if pairs else (np.empty(0), np.empty(0))
    these, new = found.probabilities("these topics"), found.probabilities("new topics")
    columns = (
        Column("pair", [f"{found.runs[a]} – {found.runs[b]}" for a, b in pairs]),
        Column("Δ estimate", drawn.mean(axis=0), "+.4f"),
        Column("5 %", low, "+.4f"),
        Column("95 %", high, "+.4f"),
        Column("P(A > B) on these topics", these[left, right], ".3f"),
        Column("on new topics", new[left, right], ".3f"),
    )
    return TitledSheet(columns, _notes(found), label="tab:estimate-pairs", title=_title(found))


def _title(found: "Estimate") -> str:
    return f"{found.measure} · {counted(found.topics, 'topic')} · {counted(found.draws, 'completion')}"


def _notes(found: "Estimate") -> tuple[str, ...]:
    notes = []
    if not np.isnan(found.tau).all():
        low, middle, high = np.nanquantile(found.tau, (0.05, 0.5, 0.95))
        notes.append(f"Kendall tau-b with the present order: median {middle:.3f}, 5–95 % {low:.3f} to {high:.3f}")
    return (*notes, *said(found.prior), ONLY_AS_GOOD)


def plain(found: "Estimate") -> dict[str, Any]:
    """Plain data for JSON."""
    low, high = found.band()
    new_low, new_high = found.band("new topics")
    these, new = found.probabilities("these topics"), found.probabilities("new topics")
    tau = None
    if not np.isnan(found.tau).all():
        tau = dict(zip(("low", "median", "high"), np.nanquantile(found.tau, (0.05, 0.5, 0.95)).tolist(), strict=True))
    rows = zip(found.runs, *(x.tolist() for x in (found.now, found.mean, low, high, new_low, new_high)), strict=True)
    return {
        "measure": found.measure,
        "draws": found.draws,
        "topics": found.topics,
        "runs": [
            {
                "run": run,
                "as_judged": now,
                "estimate": mean,
                "on_these_topics": {"low": a, "high": b},
                "on_new_topics": {"low": c, "high": d},
            }
            for run, now, mean, a, b, c, d in rows
        ],
        "pairs": [
            {
                "run": found.runs[a],
                "other": found.runs[b],
                "p_on_these_topics": float(these[a, b]),
                "p_on_new_topics": float(new[a, b]),
            }
            for a, b in combinations(range(len(found.runs)), 2)
        ],
        "tau": tau,
        "prior": found.prior.result(),
    }
