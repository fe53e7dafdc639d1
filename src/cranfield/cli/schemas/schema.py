"""The JSON Schema of the envelope that every verb prints with `--json`."""

from collections.abc import Mapping
from typing import Any

from cranfield.tables.averages import AVERAGES

TEXT: dict[str, Any] = {"type": "string"}
COUNT: dict[str, Any] = {"type": "integer", "minimum": 0}
NUMBER: dict[str, Any] = {"type": ["number", "null"]}
SHARE: dict[str, Any] = {"type": ["number", "null"], "minimum": 0, "maximum": 1}


def record(required: Mapping[str, Any], optional: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """An object with these keys; others may be added in later versions."""
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}}


def rows(item: Mapping[str, Any]) -> dict[str, Any]:
    """A list of such things."""
    return {"type": "array", "items": dict(item)}


def by_name(value: Mapping[str, Any]) -> dict[str, Any]:
    """An object with any keys, all of one kind."""
    return {"type": "object", "additionalProperties": dict(value)}


INPUT = record(
    {
        "role": TEXT,
        "name": TEXT,
        "rows": COUNT,
        "sha256": {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"},
    },
    {"collapse": {"enum": ["any", "max"]}},
)
PROBLEM = record(
    {"code": {"type": "string", "pattern": "^[EW][0-9]{3}$"}, "message": TEXT, "where": TEXT},
    {"text": {"type": ["string", "null"]}, "hint": TEXT},
)
GATE = record(
    {
        "condition": TEXT,
        "requirement": TEXT,
        "passed": {"type": "boolean"},
        "observed": NUMBER,
        "run": {"type": ["string", "null"]},
        "message": TEXT,
    },
    {"group": TEXT},
)
_SAMPLING = {"error": NUMBER, "interval": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}}
_ENDS = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
EVALUATE = record(
    {
        "scores": rows(
            record(
                {
                    "run": TEXT,
                    "measure": TEXT,
                    "mean": NUMBER,
                    "ci": {"oneOf": [{"type": "null"}, _ENDS]},
                    "judged": SHARE,
                },
                {
                    "residual": NUMBER,
                    "tracker_name": TEXT,
                    "possible": _ENDS,
                    "possible_exact": {"type": "boolean"},
                    "expected": NUMBER,
                    "band": _ENDS,
                    "group": {"type": ["string", "null"]},
                    "topics": COUNT,
                    "replicates": by_name(NUMBER),
                    "replicate_sd": NUMBER,
                },
            )
        )
    },
    {
        "looks_at": by_name(TEXT),
        "assumptions": rows(TEXT),
        "groups": rows(record({"group": TEXT, "topics": COUNT})),
        "missing": by_name(rows(TEXT)),
        "topics": rows(
            record(
                {
                    "run": TEXT,
                    "topic": TEXT,
                    "measure": TEXT,
                    "value": NUMBER,
                    "judged": SHARE,
                    "retrieved": COUNT,
                    "relevant": COUNT,
                }
            )
        ),
        "replicates": rows(record({"run": TEXT, "system": TEXT, "topic": TEXT, "measure": TEXT, "value": NUMBER})),
        "averages": by_name({"enum": list(AVERAGES)}),
        "less_is_better": rows(TEXT),
        "cutoff": {"type": "integer", "minimum": 1},
        "gates": rows(GATE),
        "sampling_errors": rows(record({"run": TEXT, "measure": TEXT, "mean": NUMBER, **_SAMPLING})),
        "sampling_errors_by_topic": rows(
            record(
                {"run": TEXT, "topic": TEXT, "measure": TEXT, "value": NUMBER, "sampled_relevant": COUNT, **_SAMPLING}
            )
        ),
        "level": SHARE,
        "draws": COUNT,
        "curves": record(
            {"kind": TEXT, "lines": rows(record({"measure": TEXT, "run": TEXT}))},
            {"rank": rows(NUMBER), "recall": rows(NUMBER)},
        ),
    },
)


def schema(command: str, result: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of one verb's envelope; after an error `result` is empty."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"cranfield {command} --json",
        **record(
            {
                "schema": {"const": "cranfield/1"},
                "command": {"const": command},
                "version": TEXT,
                "ok": {"type": "boolean"},
                "exit": {"enum": [0, 1, 2, 3, 4, 5, 70, 130]},
                "inputs": rows(INPUT),
                "policies": {"type": "object"},
                "audit": _audit(),
                "result": {"type": "object"},
                "warnings": rows(PROBLEM),
                "errors": rows(PROBLEM),
            }
        ),
        "if": {"properties": {"errors": {"maxItems": 0}}},
        "then": {"properties": {"result": dict(result)}},
        "else": {"properties": {"ok": {"const": False}, "result": {"maxProperties": 0}}},
    }


def _audit() -> dict[str, Any]:
    """The fields of an audit; policies and inputs have places of their own."""
    from cranfield.cli.schemas.of_record import of_record
    from cranfield.tables.audit import HIGHER, LOWER, Audit

    known = {name: about for name, about in of_record(Audit).items() if name not in ("policies", "inputs")}
    return record({}, {**known, "judged_at_k": by_name(by_name(SHARE)), "given": by_name({"enum": [HIGHER, LOWER]})})
