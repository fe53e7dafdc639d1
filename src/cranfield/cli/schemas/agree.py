"""The JSON Schema of what `cranfield agree --json` prints under `result`."""

from cranfield.cli.schemas.schema import COUNT, NUMBER, TEXT, by_name, record, rows

_CI = {"oneOf": [{"type": "null"}, {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}]}
_TABLE = rows(rows(COUNT))
_VALUES = dict.fromkeys(("raw", "cohen", "linear", "quadratic", "scott", "ac1", "s", "overlap"), NUMBER)
_TWO = {"type": "array", "items": TEXT, "minItems": 2, "maxItems": 2}
_CONSEQUENCES = record(
    {
        "assessors": _TWO,
        "measure": TEXT,
        "pairs": COUNT,
        "topics": COUNT,
        "tau": NUMBER,
        "swapped": COUNT,
        "systems": rows(record({"run": TEXT, "means": rows(NUMBER), "bias": NUMBER})),
    }
)
AGREE = record(
    {
        "mode": {"enum": ["between", "within"]},
        "assessors": rows(record({"name": TEXT, "kind": TEXT, "labels": COUNT})),
        "pairs": COUNT,
        "labels": COUNT,
        "grades": rows({"type": "number"}),
        "coefficients": rows(record({"id": TEXT, "name": TEXT, "value": NUMBER, "ci": _CI, "pairs": COUNT})),
        "cohen_standard_errors": record({"no_agreement": NUMBER, "interval": NUMBER}),
        "weights": {"enum": ["none", "linear", "quadratic"]},
        "level": {"enum": ["nominal", "ordinal", "interval", "ratio"]},
        "interpretation": record({"scale": TEXT, "word": TEXT}),
        "prevalence": TEXT,
        "confusion": _TABLE,
        "per_grade": rows(record({"grade": {"type": "number"}, "agreement": NUMBER})),
        "disagreements": record({"pairs": COUNT, "by": rows(record({"grades": {"type": "number"}, "pairs": COUNT}))}),
        "fleiss_labels": COUNT,
        "labels_per_pair": by_name(COUNT),
        "repeated": COUNT,
        "couples": rows(record({"assessors": _TWO, "pairs": COUNT, **_VALUES, "confusion": _TABLE})),
        "couples_left_out": COUNT,
    },
    {
        "topics": rows(record({"topic": TEXT, "pairs": COUNT, "labels": COUNT, "raw": NUMBER, "confusion": _TABLE})),
        "consequences": rows(_CONSEQUENCES),
        "model": {"type": "object"},
    },
)
