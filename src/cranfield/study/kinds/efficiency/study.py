"""`efficiency`: what effectiveness costs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.random_streams import stream
from cranfield.read import read_latencies
from cranfield.study.data.collection import Collection
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.kinds.efficiency.costs import FACTS, Timings, front, read_facts, throughput
from cranfield.study.summaries.by_level import labels
from cranfield.tables.sheets.sheet import MISSING, Column
from cranfield.tables.side.latencies import Latencies
from cranfield.tables.side.matching import match_names
from cranfield.tables.words import counted

LATENCY = ("mean", "median", "p90", "p95", "p99", "max")
SHARE = 20  # slowest over fastest median: from there on the axis of the chart is logarithmic


@define(
    "efficiency",
    "what does effectiveness cost",
    cites="",
    examples=(
        "cranfield study efficiency qrels.txt runs/*.run -m AP --latencies times.csv",
        "cranfield study efficiency qrels.txt *.run --latencies t.csv --index i.csv",
        "cranfield study efficiency qrels.txt runs/*.run --latencies t.csv --warm-up 5",
    ),
)
@dataclass(frozen=True)
class Efficiency(Study[Collection]):
    """Show latency, throughput and index size beside effectiveness, and find the runs with the best trade-offs.

    A run is on the front if no other is at least as effective and as fast by its median, and better in one of the two.
    Index facts are records without topic in the JSONL file, or --index FILE: run,index_bytes,collection_bytes,…
    """

    latencies: str | None = option(None, "latencies as JSONL or CSV: run, topic, latency_ms", metavar="FILE", file=True)
    index: str | None = option(None, "CSV of facts about indexes", metavar="FILE", file=True)
    warm_up: int = option(
        0,
        "first measurements of each run that are left out",
        metavar="N",
        check=lambda n: n >= 0,
        rule="a whole number",
    )
    boot: int = option(1000, "resamples of topics", metavar="N", check=lambda n: n >= 1, rule="1 or more")
    level: float = option(
        0.95, "level of the intervals", metavar="L", check=lambda c: 0 < c < 1, rule="between 0 and 1"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.latencies is None:
            raise PolicyError(
                "E244",
                "latencies are missing",
                hint=f"{setting('latencies', 'FILE')}, with records of run, topic and latency_ms",
            )

    def units(self, data: Collection) -> Sequence[Any]:
        """One: it is quick."""
        times, _, _ = self._read(data, warn=True)
        most = int(np.bincount(times.run.codes()[1]).max(initial=0))
        if self.warm_up >= most > 0:
            problem = f"{setting('warm_up', self.warm_up)} leaves no measurement"
            raise PolicyError("E246", problem, hint=f"no run has more than {most:,}")
        return [{}]

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """Summaries and resampled medians of every run."""
        times, facts, topics = self._read(data)
        chance = stream(seed, "efficiency")
        counts = chance.multinomial(len(topics), np.full(len(topics), 1 / len(topics)), size=self.boot)
        timings = [Timings.of(times, run, topics, self.warm_up) for run in data.runs]
        medians = np.stack([each.medians(counts.astype(np.float64)) for each in timings], axis=1)
        one, two = np.triu_indices(len(data.runs), 1)
        return {
            "latency": np.array([[each.summary()[name] for name in LATENCY] for each in timings]),
            "measurements": np.array([len(each.milliseconds) for each in timings]),
            "throughput": np.array([throughput(t, f) for t, f in zip(timings, facts, strict=True)]),
            "interval": self._interval(medians),
            "difference": self._interval(medians[:, one] - medians[:, two]),
            "facts": np.array([[f.get(name, math.nan) for name in FACTS] for f in facts]),
        }

    def _interval(self, values: Floats) -> Floats:
        """`[2, …]`: the middle of resampled values; undefined where one of them is."""
        ends = [0.5 - self.level / 2, 0.5 + self.level / 2]
        known = ~np.isnan(values).any(axis=0)
        found = np.full((2, values.shape[1]), np.nan)
        found[:, known] = np.quantile(values[:, known], ends, axis=0)
        return found

    def _read(self, data: Collection, warn: bool = False) -> tuple[Latencies, list[dict[str, float]], list[str]]:
        """Latencies, the facts of each run, and the topics that were measured, by name."""
        times = read_latencies(str(self.latencies))
        more = {} if self.index is None else read_facts(self.index)
        measured = set(times.run.codes()[0])
        match_names(sorted(measured), data.runs, "run", path=str(self.latencies), more_is_fine=not warn)
        timed, fate = times.topic.codes()[0], "their times are counted"
        match_names(timed, data.topics, "topic", path=str(self.latencies), more_is_fine=not warn, fate=fate)
        if more:
            match_names(more, data.runs, "run", path=str(self.index), more_is_fine=not warn)
        facts = [{**times.facts.get(run, {}), **more.get(run, {})} for run in data.runs]
        return times, facts, sorted(timed)

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """A row for each run, the most effective first."""
        (made,) = found
        names = [str(measure) for measure in data.measures]
        smaller = np.array([measure.definition.smaller for measure in data.measures])
        means, median = data.full_means, made["latency"][:, 1]
        fronts = np.array([front(-m if low else m, median) for m, low in zip(means.T, smaller, strict=True)])
        first = -means[:, 0] if smaller[0] else means[:, 0]
        order = np.argsort(-first, kind="stable")
        facts = dict(zip(FACTS, made["facts"].T, strict=True))
        overhead = {
            "overhead": facts["index_bytes"] / facts["collection_bytes"],
            "peak_overhead": facts["peak_bytes"] / facts["collection_bytes"],
        }
        times, _, _ = self._read(data)
        return Findings(
            title=f"Effectiveness and what it costs · latency in ms, {100 * self.level:g} % bootstrap over topics · "
            f"{counted(len(data.runs), 'run')} · {counted(len(data.topics), 'topic')} · no judgment removed",
            shown=_shown(data, made, fronts, facts, overhead, order),
            tidy=_tidy(data, made, fronts, facts, overhead),
            notes=tuple(self._notes(data, times, made, facts)),
            details={"pairs": _pairs(data, made)},
            drawings={
                f"front-{name}" if at else "front": _drawing(data, made, fronts[at], at)
                for at, name in enumerate(names)
            },
        )

    def _notes(self, data: Collection, times: Latencies, made: UnitResult, facts: dict[str, Floats]) -> list[str]:
        """Notes on how throughput was computed, and on what was left out."""
        lone = [run for run, n in zip(data.runs, made["measurements"], strict=True) if not n]
        others = sorted(set(times.run.codes()[0]) - set(data.runs))
        at_once = sorted({f"{int(c)}" for c in facts["concurrency"] if not np.isnan(c)}) or ["1"]
        wall = "over the wall time given" if not np.isnan(facts["wall_seconds"]).all() else "over the sum of latencies"
        said = [
            "Front: no other run is at least as effective and as fast, and better in one of the two.",
            f"Queries per second: {wall}, {' or '.join(at_once)} at a time.",
        ]
        said += [f"The first {self.warm_up} measurements of each run are left out."] if self.warm_up else []
        said += [f"Without latencies: {', '.join(lone)}."] if lone else []
        return said + ([f"Latencies of runs that are not here: {', '.join(others)}."] if others else [])


def _shown(
    data: Collection,
    made: UnitResult,
    fronts: Any,  # [measure, run]
    facts: dict[str, Floats],
    overhead: dict[str, Floats],
    order: Any,  # of the rows
) -> tuple[Column, ...]:
    """The table for people; facts that no run has are left out."""
    latency = dict(zip(LATENCY, made["latency"].T, strict=True))
    low, high = made["interval"]
    middle = [_median(*cell) for cell in zip(latency["median"], low, high, strict=True)]
    columns = [Column("run", [data.runs[at] for at in order])]
    for at, measure in enumerate(data.measures):
        columns.append(Column(str(measure), data.full_means[order, at], ".4f"))
        columns.append(Column("front" if len(data.measures) == 1 else f"front {measure}", _yes(fronts[at][order])))
    columns.append(Column("median", [middle[at] for at in order]))
    columns += [Column(name, latency[name][order], ".1f") for name in ("mean", "p90", "p95", "p99", "max")]
    columns.append(Column("queries/s", made["throughput"][order], ".1f"))
    sizes = {
        "index MB": facts["index_bytes"] / 1e6,
        "overhead": overhead["overhead"],
        "indexing s": facts["index_seconds"],
    }
    shapes = {"index MB": ".1f", "overhead": ".1%", "indexing s": ".1f"}
    known = {name: values for name, values in sizes.items() if not np.isnan(values).all()}
    return (*columns, *(Column(name, values[order], shapes[name]) for name, values in known.items()))


def _tidy(
    data: Collection, made: UnitResult, fronts: Any, facts: dict[str, Floats], overhead: dict[str, Floats]
) -> tuple[Column, ...]:
    """A row for each run and measure, with everything that is known of the run."""
    shape = (len(data.runs), len(data.measures))
    run, measure = labels(shape, run=data.runs, measure=[str(m) for m in data.measures])
    of_run = {f"latency_{name}": values for name, values in zip(LATENCY, made["latency"].T, strict=True)}
    of_run |= {"latency_median_low": made["interval"][0], "latency_median_high": made["interval"][1]}
    of_run |= {"measurements": made["measurements"], "queries_per_second": made["throughput"], **facts, **overhead}
    return (
        run,
        measure,
        Column("mean", data.full_means.ravel()),
        Column("front", fronts.T.ravel().astype(np.int64)),
        *(Column(name, np.repeat(values, shape[1])) for name, values in of_run.items()),
    )


def _pairs(data: Collection, made: UnitResult) -> tuple[Column, ...]:
    """The difference of the medians of every two runs, on the same resampled topics."""
    one, two = np.triu_indices(len(data.runs), 1)
    median = made["latency"][:, 1]
    return (
        Column("run", [data.runs[at] for at in one]),
        Column("other", [data.runs[at] for at in two]),
        Column("difference", median[one] - median[two]),
        Column("difference_low", made["difference"][0]),
        Column("difference_high", made["difference"][1]),
    )


def _drawing(data: Collection, made: UnitResult, on: Any, measure: int) -> Drawing:  # `on`: [run], on the front
    """A mark for each run, those on the front first, and steps along a front of several."""
    median, effect = made["latency"][:, 1], data.full_means[:, measure]
    timed = np.flatnonzero(~np.isnan(median) & ~np.isnan(effect))
    best = timed[on[timed]][np.argsort(median[timed[on[timed]]], kind="stable")]
    ends = float(median[timed].min()), float(median[timed].max())
    wide = ends[0] > 0 and ends[1] / ends[0] > SHARE
    across = (ends[0] / 1.3, ends[1] * 1.3) if wide else (max(0.0, 1.1 * ends[0] - 0.1 * ends[1]), 1.1 * ends[1] or 1.0)
    up = (0.0, 1.1 * float(effect[timed].max()) or 1.0)
    curves = [Curve("front", *_steps(median[best], effect[best]))] if len(best) > 1 else []
    others = timed[~on[timed]]
    for at in [*best, *others[np.argsort(-effect[others], kind="stable")]]:
        curves.append(Curve(data.runs[at], median[[at]], effect[[at]]))
    name = str(data.measures[measure])
    return Drawing(f"{name} by median latency", "median latency (ms)", name, tuple(curves), across, up, log=wide)


def _steps(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The corners of a line that rises only where the next run begins."""
    return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]


def _median(value: float, low: float, high: float) -> str:
    return MISSING if np.isnan(value) else f"{value:.1f} [{low:.1f}, {high:.1f}]"


def _yes(values: Any) -> list[str]:  # truth values
    return ["yes" if value else "" for value in values]
