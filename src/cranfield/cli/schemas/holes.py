"""The JSON Schema of what `cranfield holes --json` prints under `result`."""

from cranfield.cli.schemas.schema import COUNT, NUMBER, SHARE, TEXT, by_name, record, rows
from cranfield.tables.averages import AVERAGES

_FLAG = {"type": "boolean"}
_SHRINKS = {"shrinks": NUMBER, "shrinks_most": NUMBER}
_BOUNDS = ("exact bounds", "outer bounds", "exact and outer bounds")
_METHODS = [*_BOUNDS, "inner, not certified", *(f"{bounds}; some inner, not certified" for bounds in _BOUNDS)]
_RANGE = record(
    {
        "run": TEXT,
        "lowest": NUMBER,
        "as_judged": NUMBER,
        "condensed": NUMBER,
        "highest": NUMBER,
        "exact": _FLAG,
        "certified": _FLAG,
        "judged": SHARE,
    }
)
_VERDICT = record(
    {
        "a": TEXT,
        "b": TEXT,
        "status": {"enum": ["certain", "open", "unresolved", "equal"]},
        "winner": {"type": ["string", "null"]},
        "delta": NUMBER,
        "low": NUMBER,
        "high": NUMBER,
        "exact": _FLAG,
        "flips": {"type": ["integer", "null"], "minimum": 0},
        "smallest": _FLAG,
        "certified": _FLAG,
    }
)
HOLES = record(
    {
        "universe": TEXT,
        "coverage": rows(record({"run": TEXT, "depth": COUNT, "judged": SHARE, "pooled": SHARE, "unpooled": SHARE})),
        "measures": rows(
            record(
                {
                    "measure": TEXT,
                    "average": {"enum": list(AVERAGES)},
                    "universe": TEXT,
                    "grades": rows({"type": "number"}),
                    "method": {"enum": _METHODS},
                    "ranges": rows(_RANGE),
                    "verdicts": rows(_VERDICT),
                }
            )
        ),
    },
    {
        "cut": by_name(COUNT),
        "estimate": record(
            {
                "measure": TEXT,
                "draws": COUNT,
                "topics": COUNT,
                "runs": rows(
                    record(
                        {
                            "run": TEXT,
                            "as_judged": NUMBER,
                            "estimate": NUMBER,
                            "on_these_topics": record({"low": NUMBER, "high": NUMBER}),
                            "on_new_topics": record({"low": NUMBER, "high": NUMBER}),
                        }
                    )
                ),
                "pairs": rows(
                    record({"run": TEXT, "other": TEXT, "p_on_these_topics": SHARE, "p_on_new_topics": SHARE})
                ),
                "tau": {"type": ["object", "null"]},
                "prior": {"type": "object"},
            }
        ),
        "next": record(
            {
                "measure": TEXT,
                "strategy": TEXT,
                "open": COUNT,
                "asked": COUNT,
                "holes": COUNT,
                "exact": _FLAG,
                "next": rows(record({"topic": TEXT, "document": TEXT, "value": NUMBER, **_SHRINKS, "pairs": COUNT})),
            }
        ),
        "queued": record({"lab": TEXT, "queue": TEXT, "pairs": COUNT, "topics": COUNT, "without_text": COUNT}),
    },
)
