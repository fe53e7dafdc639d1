"""The sheets of a prior: coefficients, and how predicted shares compare with observed ones."""

from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.missing.prior.calibration import Reliability
from cranfield.missing.prior.features import NAMES
from cranfield.missing.prior.steps import GradeStep
from cranfield.tables.sheets.blocks import SheetStack, TitledSheet
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.missing.prior.result import Prior


def sheet(prior: "Prior") -> Sheet:
    """The coefficients of each step, with the reliability table below."""
    rows = coefficients(prior)
    columns = (
        Column("grade", [row["grade"] for row in rows], "g"),
        Column("term", [row["term"] for row in rows]),
        Column("coefficient", [row["coefficient"] for row in rows], "+.3f"),
        Column("s.e.", [row["error"] for row in rows], ".3f"),
    )
    below = () if prior.reliability is None else (reliability_sheet(prior.reliability),)
    return SheetStack(columns, tuple(said(prior)), label="tab:prior", below=below)


def said(prior: "Prior") -> list[str]:
    """What a reader has to know, line by line: source, size, calibration, notes."""
    holes = np.flatnonzero(prior.holes)
    share = prior.at_least[holes, 1].mean() if len(holes) else np.nan
    judged = int(np.count_nonzero(~np.isnan(prior.grade)))
    lines = [f"{prior.source}: {counted(judged, 'judged pair')}, {counted(len(holes), 'hole')}"]
    lines[0] += f", {in_print(float(share), '.1%')} of them expected to be relevant" if len(holes) else ""
    if prior.reliability is not None:
        lines.append(
            f"relevant or not, judged pairs left out in turn: Brier score {prior.reliability.brier:.4f} "
            f"(the share of relevant pairs alone {prior.reference:.4f}), log loss {prior.reliability.log_loss:.4f}"
        )
    return [*lines, *prior.notes]


def reliability_sheet(found: Reliability) -> Sheet:
    """One row per bin: how often documents were relevant that were said to be so with about this probability."""
    columns = (
        Column("predicted", [f"{low:g}…{high:g}" for low, high in zip(found.low, found.high, strict=True)]),
        Column("pairs", found.number, ","),
        Column("mean predicted", found.predicted, ".3f"),
        Column("relevant", found.observed, ".3f"),
    )
    return TitledSheet(columns, label="tab:reliability")


def coefficients(prior: "Prior") -> list[dict[str, Any]]:
    """The coefficients of every step as rows; features are standardised, so their sizes can be compared."""
    return [row for step in prior.steps for row in _rows(step)]


def _rows(step: GradeStep) -> list[dict[str, Any]]:
    if step.fit is None:
        return []
    names = NAMES if step.by_features else ()
    terms = ["intercept", *names, *(f"square of: {name}" for name in names)]
    values = zip(terms, step.fit.coefficient.tolist(), step.fit.errors().tolist(), strict=True)
    rows = [{"grade": step.grade, "term": t, "coefficient": c, "error": e} for t, c, e in values]
    spread = {"term": "spread of the topics", "coefficient": step.fit.topic_spread, "error": None}
    return [*rows, {"grade": step.grade, **spread}]


def plain(prior: "Prior") -> dict[str, Any]:
    """Plain data for JSON."""
    found = prior.reliability
    return {
        "source": prior.source,
        "grades": prior.levels.tolist(),
        "holes": int(np.count_nonzero(prior.holes)),
        "coefficients": coefficients(prior),
        "run_effect": {"size": prior.effect.size, "hidden": prior.effect.hidden},
        "calibration": None if found is None else _calibration(found, prior.reference),
        "notes": list(prior.notes),
    }


def _calibration(found: Reliability, reference: float) -> dict[str, Any]:
    rows = zip(found.low, found.high, found.number, found.predicted, found.observed, strict=True)
    return {
        "brier": found.brier,
        "log_loss": found.log_loss,
        "brier_of_prevalence": reference,
        "bins": [
            {"low": float(a), "high": float(b), "pairs": int(n), "predicted": float(p), "observed": float(o)}
            for a, b, n, p, o in rows
        ],
    }
