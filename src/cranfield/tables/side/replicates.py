"""Replicates: several runs of one system, such as seeds of its training, become one row of scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.arrays import EqualByContent, Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.names import nearest
from cranfield.errors.wording import either
from cranfield.tables.averages import Average
from cranfield.tables.scores import Scores
from cranfield.tables.summary import summary

_NAMED = 5  # runs named one by one


@dataclass(frozen=True, eq=False)
class Replicates(EqualByContent):
    """The runs behind systems.

    Attributes:
        runs: the names of all runs.
        system: `[run]`: the row of its system in the scores.
        values: `[run, topic, measure]`: the value of each run; NaN if undefined.
        averages: how the topics of each measure become one number: mean or sum.
    """

    runs: tuple[str, ...]
    system: Ints
    values: Floats
    averages: tuple[Average, ...]

    @cached_property
    def means(self) -> Floats:
        """`[run, measure]`: the mean of each run over the topics, or the sum of counts."""
        rows = (zip(values.T, self.averages, strict=True) for values in self.values)
        return np.array([[summary(column, average) for column, average in row] for row in rows])

    def of(self, system: int) -> Ints:
        """The places of the runs of a system."""
        return np.flatnonzero(self.system == system)

    def counts(self, systems: int) -> list[int]:
        """How many runs each system has."""
        return np.bincount(self.system, minlength=systems).tolist()

    def sd(self, system: int, measure: int) -> float:
        """The standard deviation of the means of the runs of a system; NaN if there is one run only."""
        means = self.means[self.of(system), measure]
        return float(np.std(means, ddof=1)) if len(means) > 1 else float("nan")

    def ends(self, system: int, measure: int) -> tuple[float, float]:
        """The lowest and the highest mean of the runs of a system."""
        means = self.means[self.of(system), measure]
        return float(means.min()), float(means.max())

    def on_topics(self, topics: Ints) -> "Replicates":
        """The same runs on some of the topics."""
        return replace(self, values=self.values[:, topics])

    def select(self, measures: Sequence[int]) -> "Replicates":
        """The same runs on some of the measures."""
        averages = tuple(self.averages[column] for column in measures)
        return replace(self, values=self.values[:, :, measures], averages=averages)

    def in_order(self, systems: Ints) -> "Replicates":
        """The same runs with the systems in another order."""
        return replace(self, system=np.argsort(systems)[self.system])

    def rows(self, systems: Sequence[str], topics: Sequence[str], measures: Sequence[str]) -> list[dict[str, Any]]:
        """Plain data: a row for each run, topic and measure; undefined is None."""
        return [
            {
                "run": run,
                "system": systems[self.system[r]],
                "topic": topic,
                "measure": measure,
                "value": None if np.isnan(value := float(self.values[r, t, m])) else value,
            }
            for r, run in enumerate(self.runs)
            for t, topic in enumerate(topics)
            for m, measure in enumerate(measures)
        ]

    @classmethod
    def of_rows(
        cls,
        rows: Sequence[Mapping[str, Any]],
        systems: Sequence[str],
        topics: Sequence[str],
        averages: Mapping[str, Average],
    ) -> "Replicates | None":
        """The runs behind saved scores; None if there are none."""
        if not rows:
            return None
        known = {row["run"]: row["system"] for row in rows}
        at = [{name: n for n, name in enumerate(names)} for names in (known, topics, averages)]
        values = np.full((len(known), len(topics), len(averages)), np.nan)
        for row in rows:
            place = at[0][row["run"]], at[1][row["topic"]], at[2][row["measure"]]
            values[place] = np.nan if row["value"] is None else row["value"]
        system = np.array([systems.index(name) for name in known.values()], dtype=np.int64)
        return cls(tuple(known), system, values, tuple(averages.values()))

    def notes(self, systems: Sequence[str]) -> list[str]:
        """Which runs are behind each system, in words."""
        said = []
        for row, name in enumerate(systems):
            runs = [self.runs[at] for at in self.of(row)]
            if runs != [name]:
                listed = ", ".join(runs) if len(runs) <= _NAMED else f"{runs[0]} … {runs[-1]}"
                said.append(f"{name}: {len(runs):,} replicates ({listed})" if len(runs) > 1 else f"{name}: {listed}")
        return said


def with_replicates(scores: Scores, replicates: Mapping[str, str]) -> Scores:
    """The same scores with several runs of one system as one row: on each topic the mean of its runs.

    Args:
        scores: what `evaluate` made, or `load_scores` read.
        replicates: pattern of names of runs -> name of their system; a run that no pattern matches is a system itself.

    Returns:
        Scores of systems; `replicates` holds the runs behind them. A topic counts for a system if all its runs have a
        value there. Intervals and ranges, which are of runs, are left out.

    >>> import cranfield as cf
    >>> qrels = {"q1": {"a": 1, "b": 0}}
    >>> runs = {"bm25": {"q1": ["b", "a"]}, "dense-1": {"q1": ["a"]}, "dense-2": {"q1": ["b", "a"]}}
    >>> scores = cf.with_replicates(cf.evaluate(qrels, runs, "RR"), {"dense-*": "dense"})
    >>> scores.by_run()
    {'bm25': {'RR': 0.5}, 'dense': {'RR': 0.75}}
    >>> scores.replicates.runs
    ('bm25', 'dense-1', 'dense-2')
    """
    if scores.replicates is not None:
        raise PolicyError("E248", "these scores have replicates already", hint="begin with the scores of the runs")
    other = next((average for average in scores.averages if average not in ("mean", "sum")), None)
    if other is not None:
        problem = f"replicates are averaged on each topic, and a measure is averaged otherwise ({other})"
        raise PolicyError("E244", problem, hint="leave the measure, the average or the replicates out")
    if scores.possible is not None:
        raise PolicyError("E244", "ranges are of runs, not of systems with replicates", hint="leave one of them out")
    names = _systems(scores.runs, replicates)
    systems = tuple(dict.fromkeys(names))
    of_run = np.array([systems.index(name) for name in names], dtype=np.int64)
    found = Replicates(scores.runs, of_run, scores.values, scores.averages)
    rows = [found.of(row) for row in range(len(systems))]
    policies = {**scores.audit.policies, "replicates": dict(replicates)}
    return replace(
        scores,
        runs=systems,
        values=np.array([scores.values[at].mean(axis=0) for at in rows]),  # NaN if a run has no value
        scored=np.array([scores.scored[at].all(axis=0) for at in rows]),
        judged=np.array([scores.judged[at].mean(axis=0) for at in rows]),
        retrieved=np.array([np.rint(scores.retrieved[at].mean(axis=0)) for at in rows]).astype(np.int64),
        intervals=None,
        residuals={
            name: np.array([values[at].mean(axis=0) for at in rows]) for name, values in scores.residuals.items()
        },
        origin=None,
        replicates=found,
        audit=replace(scores.audit, policies=policies),
    )


def _systems(runs: Sequence[str], patterns: Mapping[str, str]) -> list[str]:
    """The name of the system of each run."""
    if not patterns:
        raise PolicyError("E248", "no pattern of replicates was given", hint=_example())
    names = []
    for run in runs:
        matching = {name: pattern for pattern, name in patterns.items() if fnmatchcase(run, pattern)}
        if len(matching) > 1:
            said = " and ".join(f"{pattern}={name}" for name, pattern in matching.items())
            raise PolicyError("E248", f"run {run!r} is a replicate of two systems: {said}", hint="let patterns differ")
        names.append(next(iter(matching), run))
    for pattern, name in patterns.items():
        if not any(fnmatchcase(run, pattern) for run in runs):
            listed = ", ".join(runs[:_NAMED]) + (", …" if len(runs) > _NAMED else "")
            near = nearest(pattern.rstrip("*?-_"), runs)
            hint = f"did you mean {near}? " if near else ""
            raise PolicyError("E248", f"no run is called {pattern!r}: there are {listed}", hint=hint + _example())
        if any(run == name and not any(fnmatchcase(run, other) for other in patterns) for run in runs):
            problem = f"{name!r} is the name of a run that no pattern matches"
            raise PolicyError("E248", problem, hint=f"call the system {name}-mean, or let a pattern match the run")
    return names


def _example() -> str:
    return either('replicates={"dense-*": "dense"}', "--replicates 'dense-*=dense'")
