"""The JSON Schema of what `cranfield agree --json` prints under `result`."""

from typing import Any, get_args

from cranfield.cli.schemas.schema import COUNT, NUMBER, SHARE, TEXT, by_name, record, rows

_CI = {"oneOf": [{"type": "null"}, {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}]}
_TABLE = rows(rows(COUNT))
_TWO = {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2}
_FLAG = {"type": "boolean"}
_INTERVAL = {"ci": _CI, "excludes_zero": _FLAG, "n": COUNT}
_DIFFERENCE = {"difference": NUMBER, **_INTERVAL}
_BETTER = {"type": ["string", "null"]}
_DECIDED = rows(record({"systems": _TWO, "people": _BETTER, "model": _BETTER, "p_people": SHARE, "p_model": SHARE}))
_DECISIONS = record(
    {
        "test": TEXT,
        "correction": TEXT,
        "alpha": SHARE,
        "pairs": COUNT,
        "counts": _TABLE,
        "agreeing": SHARE,
        "false_positives": _DECIDED,
        "missed": _DECIDED,
        "reversed": _DECIDED,
    }
)
_GROUP = record({"group": TEXT, "runs": rows(TEXT), "bias": NUMBER, **_INTERVAL, "above_others": record(_DIFFERENCE)})
_OVERRATING = record(
    {"grade": NUMBER, "pairs": COUNT, **_DIFFERENCE, "overrated": SHARE, "underrated": SHARE},
)
_CONSEQUENCES = record(
    {
        "assessors": _TWO,
        "measure": TEXT,
        "pairs": COUNT,
        "topics": COUNT,
        "tau": NUMBER,
        "swapped": COUNT,
        "systems": rows(record({"run": TEXT, "means": rows(NUMBER), "bias": NUMBER}, _INTERVAL)),
    },
    {
        "groups": rows(_GROUP),
        "group_differences": rows(record({"groups": _TWO, **_DIFFERENCE})),
        "decisions": _DECISIONS,
    },
)


def agree_schema() -> dict[str, Any]:
    """The schema of the result, with all coefficients that are registered; importing these loads NumPy."""
    from cranfield.stats.agreement.alpha import MeasurementLevel
    from cranfield.stats.agreement.coefficients import PAIRWISE
    from cranfield.stats.agreement.measured import Weights

    values = dict.fromkeys(PAIRWISE, NUMBER)
    return record(
        {
            "mode": {"enum": ["between", "within"]},
            "assessors": rows(record({"name": TEXT, "kind": TEXT, "labels": COUNT})),
            "pairs": COUNT,
            "labels": COUNT,
            "grades": rows({"type": "number"}),
            "coefficients": rows(record({"id": TEXT, "name": TEXT, "value": NUMBER, "ci": _CI, "pairs": COUNT})),
            "cohen_standard_errors": record({"no_agreement": NUMBER, "interval": NUMBER}),
            "weights": {"enum": [*get_args(Weights)]},
            "level": {"enum": [*get_args(MeasurementLevel)]},
            "interpretation": record({"scale": TEXT, "word": TEXT}),
            "prevalence": TEXT,
            "confusion": _TABLE,
            "per_grade": rows(record({"grade": {"type": "number"}, "agreement": NUMBER})),
            "disagreements": record(
                {"pairs": COUNT, "by": rows(record({"grades": {"type": "number"}, "pairs": COUNT}))}
            ),
            "fleiss_labels": COUNT,
            "labels_per_pair": by_name(COUNT),
            "repeated": COUNT,
            "couples": rows(record({"assessors": _TWO, "pairs": COUNT, **values, "confusion": _TABLE})),
            "couples_left_out": COUNT,
        },
        {
            "topics": rows(
                record({"topic": TEXT, "pairs": COUNT, "labels": COUNT, "raw": NUMBER, "confusion": _TABLE})
            ),
            "consequences": rows(_CONSEQUENCES),
            "overrating": rows(_OVERRATING),
            "model": {"type": "object"},
        },
    )
