"""The JSON Schema of what `cranfield compare --json` prints under `result`."""

from collections.abc import Container
from typing import TYPE_CHECKING, Any, get_args

from cranfield.cli.schemas.schema import COUNT, GATE, NUMBER, SHARE, TEXT, by_name, record, rows

if TYPE_CHECKING:
    from cranfield.stats.comparison.declared import Declared

INTERVAL: dict[str, Any] = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
FIELDS: dict[str, dict[str, Any]] = {
    "name": TEXT,
    "count": COUNT,
    "number": NUMBER,
    "share": SHARE,
    "flag": {"type": "boolean"},
    "interval": INTERVAL,
}


def declared_record(of: type, besides: Container[str] = ()) -> dict[str, Any]:
    """An object with the declared fields of a record; those of `besides` may be absent."""
    from cranfield.stats.comparison.declared import declared, optional

    absent = optional(of)
    known = {name: _field(about, name in absent) for name, about in declared(of).items()}
    return record(
        {name: about for name, about in known.items() if name not in besides},
        {name: about for name, about in known.items() if name in besides},
    )


def _field(about: "Declared", absent: bool) -> dict[str, Any]:
    known = FIELDS[about.kind]
    kind = [known["type"], "null"] if absent and isinstance(known["type"], str) else known["type"]
    asked = f"; null unless `{about.option}` is given" if about.option else ""
    return {**known, "type": kind, "description": f"{about.about}{asked}"}


MEASURE = record(
    {
        "measure": TEXT,
        "procedure": TEXT,
        "assumes": TEXT,
        "comparisons": COUNT,
        "notes": rows(TEXT),
        "checks": rows(
            record({"test": TEXT, "corrected": {"type": "boolean"}, "p": rows(SHARE), "otherwise": rows(COUNT)})
        ),
        "omnibus": {
            "oneOf": [
                {"type": "null"},
                record(
                    {
                        "method": TEXT,
                        "statistic": NUMBER,
                        "df": rows(COUNT),
                        "p": SHARE,
                        "effects": by_name(NUMBER),
                        "topics": COUNT,
                    }
                ),
            ]
        },
    }
)


REPLICATES = record(
    {
        "system": TEXT,
        "measure": TEXT,
        "runs": by_name(NUMBER),
        "sd": NUMBER,
        "variance": record({"topics": NUMBER, "replicates": NUMBER, "residual": NUMBER}),
    }
)


def compare_schema() -> dict[str, Any]:
    """The schema of the result, from the fields that the statistics declare; importing these loads NumPy."""
    from cranfield.missing.joined.pair import RangedPair
    from cranfield.stats.by_group.comparing import GroupPair
    from cranfield.stats.comparison.declared import declared
    from cranfield.stats.comparison.method import ComparisonFamily
    from cranfield.stats.comparison.pair import Pair
    from cranfield.stats.comparison.run_means import RunMeans
    from cranfield.stats.comparison.sheets.topic_sheet import TopicDifferences

    method = {
        "test": TEXT,
        "adjust": TEXT,
        "alpha": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "family": {"enum": [*get_args(ComparisonFamily)]},
        "interval": TEXT,
        "equivalence": NUMBER,
        "rope": NUMBER,
        "risk": NUMBER,
        "omnibus": {"type": ["string", "null"]},
        "samples": {"type": ["integer", "null"]},
        "seed": COUNT,
        "baselines": rows(TEXT),
    }
    pair = declared_record(RangedPair, declared(RangedPair).keys() - declared(Pair).keys())
    of_group = record({"group": TEXT, "topics": COUNT, "pairs": rows(declared_record(Pair))})
    plain = {"runs": rows(declared_record(RunMeans)), "pairs": rows(pair), "measures": rows(MEASURE)}
    by_group = {
        "mean_of_groups": rows(declared_record(GroupPair)),
        "groups": rows(of_group),
        "missing": by_name(rows(TEXT)),
    }
    more = {
        "topics": rows(declared_record(TopicDifferences)),
        "replicates": rows(REPLICATES),
        "gates": rows(GATE),
        "looks_at": by_name(TEXT),
        "universe": TEXT,
        "assumptions": rows(TEXT),
    }
    either = {"if": {"required": ["groups"]}, "then": {"required": [*by_group]}, "else": {"required": [*plain]}}
    return {**record(method, {**plain, **by_group, **more}), **either}
