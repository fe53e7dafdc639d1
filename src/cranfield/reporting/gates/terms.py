"""The words that conditions may use beside measures."""

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.tables.audit import Audit

COUNTS: dict[str, Callable[["Audit", str], int]] = {  # numbers that the audit holds for each run
    "missing": lambda audit, run: len(audit.topics_missing.get(run, ())),
    "ties": lambda audit, run: audit.tie_groups_by_run.get(run, 0),
    "duplicates": lambda audit, run: audit.duplicates_by_run.get(run, 0),
}
PAIRS = ("worse", "delta", "drop", "p")  # about a run and its baseline
RANGES = ("lower", "upper", "undecided")  # about judgments that are missing
