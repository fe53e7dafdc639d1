"""The pairs to judge: from a pool file, or a list of topics and documents."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cranfield.errors import InputError, StoreError
from cranfield.errors.wording import either
from cranfield.judging.records import PairRow, TopicRow
from cranfield.read import read_pool, read_topics
from cranfield.read.pairs import read_pairs

_COLUMNS = "topic and document on each line, or a pool with stratum and inclusion probability"


@dataclass(frozen=True)
class ChosenPairs:
    """Pairs, and where they come from; `adaptive` if no inclusion probability is known."""

    rows: tuple[PairRow, ...]
    adaptive: bool
    name: str  # of the file
    sha256: str | None

    @property
    def topics(self) -> list[str]:
        """The topics, in order of appearance."""
        return list(dict.fromkeys(row.topic for row in self.rows))

    @property
    def documents(self) -> list[str]:
        """The documents, in order of appearance."""
        return list(dict.fromkeys(row.document for row in self.rows))


def read_chosen(path: str, encoding: str = "utf-8") -> ChosenPairs:
    """The pairs of a file: a pool with four columns, or a list with two."""
    if _columns(path) == 2:
        rows = [PairRow(pair.name, pair.label, "list", None) for pair in read_pairs(path, _COLUMNS)]
        return ChosenPairs(tuple(rows), adaptive=True, name=path, sha256=None)
    pool = read_pool(path, encoding=encoding)
    rows = [
        PairRow(pool.topics[topic], document, stratum, None if math.isnan(chance) else chance)
        for topic, document, stratum, chance in zip(
            pool.topic.tolist(), pool.document, pool.stratum, pool.probability.tolist(), strict=True
        )
    ]
    return ChosenPairs(tuple(rows), adaptive=pool.adaptive, name=pool.source.name, sha256=pool.source.sha256)


def _columns(path: str) -> int:
    """The number of columns of the first line; 0 if the readers have to say what is wrong."""
    try:
        with open(path, encoding="utf-8-sig", errors="replace") as file:
            line = next((line for line in file if line.strip() and not line.startswith("#")), "")
    except OSError:
        return 0
    return len(line.rstrip("\n").split("\t") if "\t" in line else line.split())


def topic_rows(path: str | None, wanted: Sequence[str], encoding: str = "utf-8") -> list[TopicRow]:
    """The topics of the pairs; without a file, the id of a topic is all that assessors see of it."""
    if path is None:
        return [TopicRow(topic, topic) for topic in wanted]
    topics = read_topics(path, encoding=encoding)
    missing = [topic for topic in wanted if topic not in topics]
    if missing and len(missing) == len(wanted):
        some, others = wanted[0], next(iter(topics), "")
        hint = f"topics of the pool look like {some!r}, those of the file like {others!r}"
        raise InputError("E114", "none of its topics occurs in the pool", path=path, hint=hint)
    if missing:
        problem = f"{len(missing)} of {len(wanted)} topics of the pool are not in {path} (first: {missing[0]})"
        hint = either(
            python="leave topics out to show ids alone", command="without --topics, their ids alone are shown"
        )
        raise StoreError("E408", problem, hint=hint)
    chosen = (topics[topic] for topic in wanted)
    return [TopicRow(each.id, each.query, each.description, each.narrative) for each in chosen]
