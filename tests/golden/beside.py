"""Our values beside those of other programs, topic by topic, for programs called on tables rather than files."""

import math
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cranfield as cf
from cranfield.measures.grammar import parse
from tests.golden.cases import load

Ranked = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Case:
    """One input; `expected[tool][topic][measure]`, with `all` among the topics."""

    name: str
    qrels: dict[str, dict[str, int]]
    run: Ranked
    expected: Mapping[str, Mapping[str, Mapping[str, Any]]]  # Any: numbers, lists, null, as the tools gave them
    options: Mapping[str, Any]  # Any: numbers and truth values

    @property
    def topics(self) -> list[str]:
        """Topics that were judged and retrieved."""
        return [topic for topic in self.run if topic in self.qrels]

    @property
    def top_grade(self) -> int:
        """The top of the grade scale."""
        return int(self.options["max_grade"])

    def ordered(self, key: Callable[[str, float], Any]) -> Ranked:
        """The run with scores that follow another order of its documents; equal keys stay in file order."""
        return {
            topic: {d: -rank for rank, (d, _) in enumerate(sorted(row.items(), key=lambda pair: key(*pair)))}
            for topic, row in self.run.items()
        }


def cases(folder: Path, tool: str) -> list[Case]:
    """The cases a tool was run on that we accept too (see `_accepted`)."""
    return [
        Case(r["name"], _nested(r["qrels"], 2, 3, int), _nested(r["run"], 1, 2, float), r["expected"], r["options"])
        for r in _records(folder)
        if tool in r["expected"] and _accepted(r)
    ]


@cache
def _records(folder: Path) -> list[dict[str, Any]]:
    return [record for group in ("handmade", "medium", "random") for record in load(folder, group).values()]


def _accepted(record: Mapping[str, Any]) -> bool:
    """No subtopics; nothing that is an error here: a document listed twice, a score that is NaN, no common topic."""
    run, qrels = [(t, d) for t, d, _ in record["run"]], [(t, d) for t, _, d, _ in record["qrels"]]
    twice = len(set(run)) < len(run) or len(set(qrels)) < len(qrels)
    undefined = any(math.isnan(float(score)) for _, _, score in record["run"])
    common = {topic for topic, _ in run} & {topic for topic, _ in qrels}
    return bool(common) and not twice and not undefined and not record["options"].get("diversity")


def _nested(rows: Iterable[list[Any]], document: int, value: int, kind: Callable[[Any], Any]) -> dict[str, Any]:
    table: dict[str, Any] = {}
    for row in rows:
        table.setdefault(row[0], {})[row[document]] = kind(row[value])
    return table


def values_of(
    case: Case, names: Iterable[str], run: Ranked | None = None, **policies: Any
) -> dict[str, dict[str, float]]:
    """Our values: by topic, then by the names as given."""
    wanted = list(names)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        scores = cf.evaluate(case.qrels, {"run": run or case.run}, wanted, **policies)
    columns = {name: scores["run", str(parse(name))] for name in wanted}
    return {topic: {n: float(column[i]) for n, column in columns.items()} for i, topic in enumerate(scores.topics)}


def differences(
    case: Case,
    tool: str,
    ours: Mapping[str, Mapping[str, float]],
    theirs: Mapping[str, str],
    tolerance: float = 1e-9,
) -> Iterator[str]:
    """Values that differ: `theirs` translates our names into the tool's; what it could not compute is passed over."""
    for topic in case.topics:
        for name, other in theirs.items():
            expected = case.expected[tool].get(topic, {}).get(other)
            if expected is None or isinstance(expected, str):  # the tool failed, or printed nan
                continue
            actual = ours[topic][name]
            if not math.isclose(actual, expected, rel_tol=0, abs_tol=tolerance):
                yield f"{case.name} topic {topic}: {name} is {actual!r}, {tool} says {other} {expected!r}"
