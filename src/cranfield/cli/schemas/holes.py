"""The JSON Schema of what `cranfield holes --json` prints under `result`."""

from typing import Any

from cranfield.cli.schemas.schema import COUNT, NUMBER, SHARE, TEXT, by_name, record, rows
from cranfield.tables.averages import AVERAGES

_BOUNDS = ("exact bounds", "outer bounds", "exact and outer bounds")
_METHODS = [*_BOUNDS, "inner, not certified", *(f"{bounds}; some inner, not certified" for bounds in _BOUNDS)]
_COVERAGE = record({"run": TEXT, "depth": COUNT, "judged": SHARE, "pooled": SHARE, "unpooled": SHARE})
_BAND = record({"low": NUMBER, "high": NUMBER})
_ESTIMATED = {"run": TEXT, "as_judged": NUMBER, "estimate": NUMBER, "on_these_topics": _BAND, "on_new_topics": _BAND}
_ESTIMATE = record(
    {
        "measure": TEXT,
        "draws": COUNT,
        "topics": COUNT,
        "runs": rows(record(_ESTIMATED)),
        "pairs": rows(record({"run": TEXT, "other": TEXT, "p_on_these_topics": SHARE, "p_on_new_topics": SHARE})),
        "tau": {"type": ["object", "null"]},
        "prior": {"type": "object"},
    }
)
_VALUE = {"value": NUMBER, "shrinks": NUMBER, "shrinks_most": NUMBER}
_NEXT = record(
    {
        "measure": TEXT,
        "strategy": TEXT,
        "open": COUNT,
        "asked": COUNT,
        "holes": COUNT,
        "exact": {"type": "boolean"},
        "next": rows(record({"topic": TEXT, "document": TEXT, **_VALUE, "pairs": COUNT})),
    }
)
_QUEUED = record({"lab": TEXT, "queue": TEXT, "pairs": COUNT, "topics": COUNT, "without_text": COUNT})


def holes_schema() -> dict[str, Any]:
    """The schema of the result, with the fields of ranges and verdicts; importing these loads NumPy."""
    from cranfield.cli.schemas.of_record import of_record
    from cranfield.missing.pairs.verdicts import Verdict
    from cranfield.missing.sheets.ranges import PossibleRange

    measure = record(
        {
            "measure": TEXT,
            "average": {"enum": list(AVERAGES)},
            "universe": TEXT,
            "grades": rows({"type": "number"}),
            "method": {"enum": _METHODS},
            "ranges": rows(record({**of_record(PossibleRange), "judged": SHARE})),
            "verdicts": rows(record(of_record(Verdict))),
        }
    )
    result = {"universe": TEXT, "coverage": rows(_COVERAGE), "measures": rows(measure)}
    return record(result, {"cut": by_name(COUNT), "estimate": _ESTIMATE, "next": _NEXT, "queued": _QUEUED})
