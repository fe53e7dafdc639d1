"""Weights of topics, such as how often each query is asked."""

import math
import os
from collections.abc import Mapping
from typing import Any

from cranfield.errors import InputError
from cranfield.read.pairs import PairLine, is_json, read_pairs, read_table

_HINT = "one line each: TOPIC<tab>WEIGHT"
_HEADS = ("weight", "weights", "count", "traffic", "frequency")  # of the second column, in a first line of names


def as_weights(source: Any) -> dict[str, float]:  # a mapping, or a path
    """Topic -> weight, from a mapping or a file (TSV, CSV, JSON); a weight is a number from 0.

    >>> as_weights({"q1": 120, "q2": 0})
    {'q1': 120.0, 'q2': 0.0}
    """
    if isinstance(source, Mapping):
        return {str(topic): _number(topic, value) for topic, value in source.items()}
    if not isinstance(source, str | os.PathLike):
        raise InputError(
            "E121", f"{type(source).__name__} does not say which weight a topic has", hint="{topic: weight}"
        )
    path = os.fspath(source)
    if is_json(path):
        return {topic: _number(topic, value, path) for topic, value in read_table(path, '{"TOPIC": 12}').items()}
    found: dict[str, float] = {}
    for at, pair in enumerate(read_pairs(path, _HINT)):
        if at == 0 and pair.label.lower() in _HEADS:
            continue
        weight = _number(pair.name, pair.label, path, pair)
        if found.setdefault(pair.name, weight) != weight:
            problem = f"topic {pair.name!r} has two weights"
            raise InputError("E119", problem, path=path, line=pair.number, text=pair.line)
    if not found:
        raise InputError("E104", "the file is empty", path=path, hint=_HINT)
    return found


def _number(topic: Any, value: Any, path: str | None = None, pair: PairLine | None = None) -> float:
    """The weight as a number, finite and not negative."""
    try:
        weight = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        weight = math.nan
    if not (math.isfinite(weight) and weight >= 0):
        problem = f"{value!r} is no weight of topic {str(topic)!r}"
        line, text = (None, None) if pair is None else (pair.number, pair.line)
        raise InputError("E119", problem, path=path, line=line, text=text, hint="a weight is a number from 0")
    return weight
