"""What effectiveness costs: latencies, facts about indexes, and the front of the best trade-offs."""

import csv
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import NO_INTS, Bools, Floats, Ints
from cranfield.errors import InputError
from cranfield.tables.side.latencies import Latencies
from cranfield.whole_files import cannot_read

FACTS = {
    "index_bytes": "size of the index",
    "collection_bytes": "size of the documents",
    "peak_bytes": "most space that indexing took for a while",
    "index_seconds": "time of indexing",
    "index_cpu_seconds": "processor time of indexing",
    "wall_seconds": "time from the first query to the last answer",
    "concurrency": "queries at a time",
    "energy_joules": "energy of all queries",
}
_DRAWN = 2_000_000  # measurements of resamples at once


@dataclass(frozen=True, eq=False)
class Timings:
    """The latencies of one run in milliseconds, fastest first, with the topic of each."""

    milliseconds: Floats
    topic: Ints

    @classmethod
    def of(cls, latencies: Latencies, run: str, topics: Sequence[str], warm_up: int = 0) -> "Timings":
        """The measurements of a run, without its first ones; topics are numbered by `topics`."""
        names, code = latencies.run.codes()
        mine = np.flatnonzero(code == names.index(run))[warm_up:] if run in names else NO_INTS
        number = {topic: at for at, topic in enumerate(topics)}
        topic = np.array([number[name] for name in latencies.topic.take(mine)], dtype=np.int64)
        values = latencies.milliseconds[mine]
        order = np.argsort(values, kind="stable")
        return cls(values[order], topic[order])

    def summary(self) -> dict[str, float]:
        """Mean, quantiles (linear, type 7) and maximum; undefined without measurements.

        >>> found = Timings(np.array([10.0, 20, 30, 40, 100]), np.arange(5)).summary()
        >>> found["mean"], found["median"], round(found["p90"], 6)  # 40 + 0.6 (100 - 40)
        (40.0, 30.0, 76.0)
        """
        values = self.milliseconds
        if not len(values):
            return dict.fromkeys(("mean", "median", "p90", "p95", "p99", "max"), math.nan)
        shares = np.quantile(values, [0.5, 0.9, 0.95, 0.99, 1.0]).tolist()
        named = zip(("median", "p90", "p95", "p99", "max"), shares, strict=True)
        return {"mean": math.fsum(values.tolist()) / len(values), **dict(named)}

    def medians(self, counts: Floats) -> Floats:
        """The median of each resample `counts[draw, topic]`; a topic that was drawn twice counts twice.

        >>> timings = Timings(np.array([10.0, 20.0, 60.0]), np.array([0, 1, 2]))
        >>> timings.medians(np.array([[1.0, 1, 1], [2, 1, 0], [0, 2, 2]]))
        array([20., 10., 40.])
        """
        medians = np.full(len(counts), np.nan)
        if not len(self.topic):
            return medians
        step = max(1, _DRAWN // len(self.topic))
        for start in range(0, len(counts), step):
            upto = counts[start : start + step][:, self.topic].cumsum(axis=1)
            total = upto[:, -1]
            some = np.flatnonzero(total > 0)
            places = [(upto[some] > np.floor(middle)[:, None]).argmax(axis=1) for middle in _middles(total[some])]
            medians[start + some] = sum(self.milliseconds[place] for place in places) / 2
        return medians


def throughput(timings: Timings, facts: Mapping[str, float]) -> float:
    """Queries per second: over the time that the facts name, else over the sum of the latencies, so many at a time.

    >>> timings = Timings(np.array([10.0, 30.0]), np.arange(2))
    >>> throughput(timings, {}), throughput(timings, {"concurrency": 4.0}), throughput(timings, {"wall_seconds": 0.5})
    (50.0, 200.0, 4.0)
    """
    queries = len(timings.milliseconds)
    seconds = facts.get("wall_seconds", math.fsum(timings.milliseconds.tolist()) / 1000 / facts.get("concurrency", 1.0))
    return queries / seconds if queries and seconds > 0 else math.nan


def front(effect: Floats, cost: Floats) -> Bools:
    """Whether no other run is at least as effective and as cheap, and better in one of the two.

    >>> front(np.array([0.5, 0.4, 0.4, 0.3]), np.array([30.0, 20.0, 25.0, 20.0]))
    array([ True,  True, False, False])
    """
    at_least = (effect[None] >= effect[:, None]) & (cost[None] <= cost[:, None])
    better = (effect[None] > effect[:, None]) | (cost[None] < cost[:, None])
    return np.asarray(~(at_least & better).any(axis=1) & ~np.isnan(effect) & ~np.isnan(cost))


def read_facts(path: "str | os.PathLike[str]") -> dict[str, dict[str, float]]:
    """Run -> facts about its index, from a CSV file with a column `run` and columns of numbers."""
    place = os.fspath(path)
    try:
        with open(place, encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except csv.Error as error:
        raise InputError("E309", f"not a valid CSV file: {error}", path=place) from None
    except (OSError, ValueError) as error:
        raise cannot_read(place, error, "a CSV file: run,index_bytes,…") from None
    found: dict[str, dict[str, float]] = {}
    for line, row in enumerate(rows, start=2):
        if not row.get("run"):
            raise InputError("E303", "there is no column run", path=place, line=line, hint="run,index_bytes,…")
        known = {name: text for name, text in row.items() if name not in ("run", None) and text}
        try:
            found[row["run"]] = {name: float(text) for name, text in known.items()}
        except ValueError as error:
            raise InputError("E119", str(error), path=place, line=line, hint="facts are numbers") from None
    return found


def _middles(total: Floats) -> tuple[Floats, Floats]:
    """The places of the two values whose mean is the median of so many, from 0."""
    return (total - 1) / 2, total / 2
