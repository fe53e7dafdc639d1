"""The JSON Schema of the envelope that every verb prints with `--json`."""

from collections.abc import Mapping
from typing import Any

_TEXT = {"type": "string"}
_COUNT = {"type": "integer", "minimum": 0}
_NUMBER = {"type": ["number", "null"]}
_SHARE = {"type": ["number", "null"], "minimum": 0, "maximum": 1}


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
        "role": _TEXT,
        "name": _TEXT,
        "rows": _COUNT,
        "sha256": {"type": ["string", "null"], "pattern": "^[0-9a-f]{64}$"},
    },
    {"collapse": {"enum": ["any", "max"]}},
)
PROBLEM = record(
    {"code": {"type": "string", "pattern": "^[EW][0-9]{3}$"}, "message": _TEXT, "where": _TEXT},
    {"text": {"type": ["string", "null"]}, "hint": _TEXT},
)
AUDIT = record(
    {},
    {
        "topics_in_mean": _COUNT,
        "topics_scored": by_name(_COUNT),
        "topics_missing": by_name(rows(_TEXT)),
        "topics_extra": by_name(rows(_TEXT)),
        "topics_without_relevant": rows(_TEXT),
        "tie_groups": _COUNT,
        "tie_groups_by_run": by_name(_COUNT),
        "tie_groups_at_cutoff": _COUNT,
        "single_precision_ties": by_name(_COUNT),
        "duplicates": _COUNT,
        "duplicates_by_run": by_name(_COUNT),
        "negative_grades": _COUNT,
        "repeated_judgments": _COUNT,
        "infinite_scores": _COUNT,
        "undefined": by_name(_COUNT),
        "judged_at_k": by_name(by_name(_SHARE)),
        "versions": by_name(_TEXT),
        "seed": _COUNT,
    },
)
GATE = record(
    {
        "condition": _TEXT,
        "passed": {"type": "boolean"},
        "observed": _NUMBER,
        "run": {"type": ["string", "null"]},
        "message": _TEXT,
    }
)
EVALUATE = record(
    {
        "scores": rows(
            record(
                {
                    "run": _TEXT,
                    "measure": _TEXT,
                    "mean": _NUMBER,
                    "ci": {
                        "oneOf": [{"type": "null"}, {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 2}]
                    },
                    "judged": _SHARE,
                },
                {"residual": _NUMBER},
            )
        )
    },
    {
        "topics": rows(
            record(
                {
                    "run": _TEXT,
                    "topic": _TEXT,
                    "measure": _TEXT,
                    "value": _NUMBER,
                    "judged": _SHARE,
                    "retrieved": _COUNT,
                    "relevant": _COUNT,
                }
            )
        ),
        "averages": by_name({"enum": ["mean", "sum", "geometric", "micro"]}),
        "cutoff": {"type": "integer", "minimum": 1},
        "gates": rows(GATE),
        "curves": record(
            {"kind": _TEXT, "lines": rows(record({"measure": _TEXT, "run": _TEXT}))},
            {"rank": rows(_NUMBER), "recall": rows(_NUMBER)},
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
                "version": _TEXT,
                "ok": {"type": "boolean"},
                "exit": {"enum": [0, 1, 2, 3, 4, 5, 70, 130]},
                "inputs": rows(INPUT),
                "policies": {"type": "object"},
                "audit": AUDIT,
                "result": {"type": "object"},
                "warnings": rows(PROBLEM),
                "errors": rows(PROBLEM),
            }
        ),
        "if": {"properties": {"errors": {"maxItems": 0}}},
        "then": {"properties": {"result": dict(result)}},
        "else": {"properties": {"ok": {"const": False}, "result": {"maxProperties": 0}}},
    }
