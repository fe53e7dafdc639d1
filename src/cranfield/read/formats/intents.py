"""Intent probabilities: how likely each subtopic is, as NTCIR writes it, or as a dictionary."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cranfield.errors import InputError
from cranfield.read.definition import reads
from cranfield.read.formats.trec import scanned
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Content
from cranfield.tables.side.intents import Intents
from cranfield.tables.side.matching import match_names

LAYOUT = ("topic", "iteration", "probability")
ROUNDING = 1e-3  # the sum of probabilities that were printed with four digits may miss 1 by as much
_EMPTY = "a line is: TOPIC SUBTOPIC PROBABILITY"
_KINDS = "a path, a table of intents, or {topic: {subtopic: probability}}"


@reads("intents-ntcir", "intents", "201 1 1.0")
def read_ntcir_intents(content: Content, options: ReadOptions) -> Intents:
    """Intent probabilities: topic, subtopic, probability, separated by any white space; they add up to 1 per topic."""
    columns = scanned(content, options, LAYOUT, LAYOUT, _EMPTY)
    columns.ids("topic", "iteration")
    probability = columns.numbers("probability", 0, 1)
    seen: dict[tuple[str, str], int] = {}
    for row, pair in enumerate(zip(columns["topic"], columns["iteration"], strict=True)):
        if seen.setdefault(pair, row) != row:
            columns.problem("E124", f"subtopic {pair[1]!r} of topic {pair[0]!r} is listed twice", row)
    columns.check()
    table = Intents.of(columns["topic"], columns["iteration"], probability.tolist())
    return checked(replace(table, source=content.source("intents-ntcir")))


def as_intents(source: Any) -> Intents:  # any of the accepted objects
    """Intents from any accepted object.

    >>> as_intents({"201": {"1": 0.75, "2": 0.25}})
    Intents: 1 topic, 2 subtopics
    """
    if isinstance(source, Intents):
        return checked(source)
    if isinstance(source, str | os.PathLike):
        from cranfield.read import read_intents

        return read_intents(source)
    if not isinstance(source, Mapping) or not all(isinstance(inner, Mapping) for inner in source.values()):
        raise InputError("E121", f"{type(source).__name__} cannot be read as intents", hint=f"give {_KINDS}")
    members: dict[str, dict[str, float]] = {}
    for topic, inner in source.items():
        members[str(topic)] = {str(name): _chance(topic, name, value) for name, value in inner.items()}
    return checked(Intents(members))


def intents_of(source: Any, topics: Sequence[str]) -> Intents:  # any of the accepted objects
    """Intents of the given topics: refused if they are of others only."""
    intents = as_intents(source)
    match_names(intents.members, topics, "topic", path=intents.source.name or "intents")
    return intents


def checked(intents: Intents) -> Intents:
    """The same table, if the probabilities of each topic add up to 1."""
    for topic, inner in intents.members.items():
        total = sum(inner.values())
        if abs(total - 1) > ROUNDING:
            raise InputError(
                "E124",
                f"the probabilities of topic {topic!r} add up to {total:.4g}, not to 1",
                path=intents.source.name or "intents",
                hint="every subtopic of the topic needs its probability; divide each by their sum",
            )
    return intents


def _chance(topic: object, subtopic: object, value: object) -> float:
    number = float(value) if isinstance(value, int | float | np.number) and not isinstance(value, bool) else np.nan
    if 0 <= number <= 1:
        return number
    problem = f"probability {value!r} of topic {topic!r}, subtopic {subtopic!r} is not a number between 0 and 1"
    raise InputError("E119", problem)
