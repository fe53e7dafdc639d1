"""Saved scores: the JSON envelope read back."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.errors.json_problems import json_problem
from cranfield.errors.wording import either
from cranfield.tables.audit import Audit
from cranfield.tables.averages import AVERAGES, Average
from cranfield.tables.scores import Scores
from cranfield.tables.side.possible import PossibleScores
from cranfield.tables.side.replicates import Replicates
from cranfield.whole_files import cannot_read

SAVES = either("Scores.save", "cranfield evaluate --save")


def load_scores(path: str | Path) -> Scores:
    """Read what `Scores.save` (or `evaluate --save`) wrote.

    >>> import tempfile
    >>> import cranfield as cf
    >>> scores = cf.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, "RR")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     scores.save(f"{folder}/main.json")
    ...     cf.load_scores(f"{folder}/main.json") == scores
    True
    """
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
        return _from_envelope(data)
    except (OSError, UnicodeDecodeError) as error:
        raise cannot_read(path, error, f"{SAVES} writes one") from None
    except json.JSONDecodeError as error:
        words, line, column = json_problem(error)
        raise InputError("E302", f"not valid JSON, {words} at column {column}", path=path, line=line) from None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        hint = f"{SAVES} writes the scores of every topic"
        raise InputError("E119", "is not a file of saved scores", path=path, hint=hint) from None


def _from_envelope(data: Mapping[str, Any]) -> Scores:
    result = data["result"]
    rows = result["topics"]
    runs = tuple(dict.fromkeys(row["run"] for row in result["scores"]))
    topics = tuple(dict.fromkeys(row["topic"] for row in rows))
    averages: dict[str, Average] = result["averages"]
    if strange := {*averages.values()} - {*AVERAGES}:
        raise ValueError(strange)
    measures = tuple(averages)
    at_run, at_topic, at_measure = ({name: n for n, name in enumerate(names)} for names in (runs, topics, measures))
    values = np.full((len(runs), len(topics), len(measures)), np.nan)
    judged = values.copy()
    scored = np.zeros(values.shape[:2], dtype=bool)
    retrieved = np.zeros(values.shape[:2], dtype=np.int64)
    relevant = np.zeros(values.shape[1:], dtype=np.int64)
    weights = np.full(values.shape, np.nan) if {"micro", "weighted"} & {*averages.values()} else None
    residuals = {row["measure"]: np.full(scored.shape, np.nan) for row in rows if "residual" in row}
    for row in rows:
        r, t, m = at_run[row["run"]], at_topic[row["topic"]], at_measure[row["measure"]]
        values[r, t, m] = np.nan if row["value"] is None else row["value"]
        judged[r, t, m] = np.nan if row["judged"] is None else row["judged"]
        scored[r, t] = True
        if weights is not None:
            weights[r, t, m] = np.nan if row["weight"] is None else row["weight"]
        if "residual" in row:
            residuals[row["measure"]][r, t] = np.nan if row["residual"] is None else row["residual"]
        retrieved[r, t] = row["retrieved"]
        relevant[t, m] = row["relevant"]
    audit = Audit.from_dict({**data["audit"], "policies": data["policies"], "inputs": data["inputs"]})
    cis = {(row["run"], row["measure"]): row["ci"] for row in result["scores"]}
    intervals = None
    if all(ci is not None for ci in cis.values()):
        intervals = np.array([[cis[run, measure] for measure in measures] for run in runs], dtype=np.float64)
    return Scores(
        runs=runs,
        topics=topics,
        measures=measures,
        averages=tuple(averages.values()),
        values=values,
        scored=scored,
        judged=judged,
        retrieved=retrieved,
        relevant=relevant,
        audit=audit,
        cutoff=result["cutoff"],
        intervals=intervals,
        residuals=residuals,
        weights=weights,
        possible=PossibleScores.of_rows(result["scores"], runs, measures, result.get("assumptions", ())),
        replicates=Replicates.of_rows(result.get("replicates", ()), runs, topics, averages),
        looks_at=tuple(result.get("looks_at", {}).get(name, "") for name in measures) if "looks_at" in result else (),
        smaller=tuple(result.get("less_is_better", ())),
    )
