"""The words that conditions may use beside measures."""

COUNTS = ("missing", "ties", "duplicates")  # numbers that the audit holds for each run
PAIRS = ("worse", "delta", "drop", "p")  # about a run and its baseline
RANGES = ("lower", "upper", "undecided")  # about judgments that are missing
