"""The JSON Schema of what `cranfield compare --json` prints under `result`."""

from cranfield.cli.schemas.schema import COUNT, GATE, NUMBER, SHARE, TEXT, by_name, record, rows

INTERVAL = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}
PAIR = record(
    {
        "run": TEXT,
        "baseline": TEXT,
        "measure": TEXT,
        "topics": COUNT,
        "difference": NUMBER,
        "ci": INTERVAL,
        "median": NUMBER,
        "percent": NUMBER,
        "percent_ci": INTERVAL,
        "d_z": NUMBER,
        "d_z_ci": INTERVAL,
        "hedges_g": NUMBER,
        "hedges_g_ci": INTERVAL,
        "cliffs_delta": NUMBER,
        "cliffs_delta_ci": INTERVAL,
        "test": TEXT,
        "statistic": NUMBER,
        "p_raw": SHARE,
        "p": SHARE,
        "significant": {"type": "boolean"},
        "wins": COUNT,
        "ties": COUNT,
        "losses": COUNT,
        "equivalence_p": SHARE,
        "probability_better": SHARE,
        "probability_equivalent": SHARE,
    }
)
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
COMPARE = record(
    {
        "test": TEXT,
        "adjust": TEXT,
        "alpha": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
        "family": {"enum": ["measure", "all"]},
        "interval": TEXT,
        "equivalence": NUMBER,
        "rope": NUMBER,
        "omnibus": {"type": ["string", "null"]},
        "samples": {"type": ["integer", "null"]},
        "seed": COUNT,
        "baselines": rows(TEXT),
        "runs": rows(record({"run": TEXT, "measure": TEXT, "mean": NUMBER, "judged": SHARE})),
        "pairs": rows(PAIR),
        "measures": rows(MEASURE),
    },
    {
        "topics": rows(
            record(
                {
                    "measure": TEXT,
                    "topic": TEXT,
                    "run": TEXT,
                    "baseline": TEXT,
                    "value": NUMBER,
                    "baseline_value": NUMBER,
                    "difference": NUMBER,
                }
            )
        ),
        "gates": rows(GATE),
    },
)
