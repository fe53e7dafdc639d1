"""All codes of errors and notes."""

from cranfield.errors.catalogue import CATALOGUE
from docs.markup import table, written

KINDS = {
    "E1": "Files and objects",
    "E2": "Measures, names and options",
    "E3": "Damaged or unusual files",
    "E4": "The judging store",
    "E7": "Faults of cranfield",
    "W1": "Notes: the result stands",
}


def page() -> str:
    """All codes of errors and notes."""
    parts = [
        "# Errors and notes",
        "Every message names its code; `cranfield --explain E105` prints the same text. In Python the code is "
        "`error.code`, the place `error.path` and `error.line`, the remedy `error.hint`.",
        "Exit codes: 0 done; 1 a condition of `--fail-if` was met, or `check` found errors; 2 wrong usage; 3 invalid "
        "data; 4 a file is missing; 5 a partial result was written; 70 a fault of cranfield; 130 interrupted.",
    ]
    for start in sorted({code[:2] for code in CATALOGUE}):
        rows = [
            (f"<a id='{code.lower()}'></a>{code}", kind.title, kind.explanation, str(kind.exit))
            for code, kind in sorted(CATALOGUE.items())
            if code.startswith(start)
        ]
        parts += [f"## {KINDS[start]}", table(("code", "what", "why", "exit"), rows)]
    return written(parts)
