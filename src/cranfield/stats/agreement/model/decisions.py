"""Decisions: which differences between systems are significant under the people's labels, and which under a model's."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.errors import InputError
from cranfield.stats.comparison.compare import compare
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.comparison.result import Comparison
from cranfield.tables.scores import Scores, number

A_BETTER, NONE, B_BETTER = range(3)  # rows and columns of the table of counts


@dataclass(frozen=True)
class Decision:
    """Which of two systems is significantly better under the people's labels and under the model's; None: neither.

    The p values are corrected; NaN where there is none.
    """

    systems: tuple[str, str]
    people: str | None
    model: str | None
    p_people: float
    p_model: float

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        p = {"p_people": number(self.p_people), "p_model": number(self.p_model)}
        return {"systems": list(self.systems), "people": self.people, "model": self.model, **p}


@dataclass(frozen=True, eq=False)
class Decisions:
    """The decisions on all pairs of systems, in the order of the runs: A is given before B.

    Attributes:
        test: the test, in words.
        correction: of the p values of all pairs.
        alpha: a corrected p below it is significant.
        pairs: the decisions.
    """

    test: str
    correction: str
    alpha: float
    pairs: tuple[Decision, ...]

    @cached_property
    def counts(self) -> Ints:
        """`[people, model]`: how many pairs; the rows and columns are A better, no decision, B better."""
        table = np.zeros((3, 3), dtype=np.int64)
        for pair in self.pairs:
            table[_place(pair, pair.people), _place(pair, pair.model)] += 1
        return table

    @property
    def agreeing(self) -> float:
        """The share of pairs on which the decision is the same."""
        return float(np.trace(self.counts)) / len(self.pairs)

    @property
    def false_positives(self) -> tuple[Decision, ...]:
        """The pairs that are significant under the model's labels only."""
        return tuple(pair for pair in self.pairs if pair.model is not None and pair.people is None)

    @property
    def missed(self) -> tuple[Decision, ...]:
        """The pairs that are significant under the people's labels only."""
        return tuple(pair for pair in self.pairs if pair.people is not None and pair.model is None)

    @property
    def reversed(self) -> tuple[Decision, ...]:
        """The pairs that are significant under both, with the other system as the better one."""
        return tuple(pair for pair in self.pairs if pair.people and pair.model and pair.people != pair.model)

    def as_dict(self) -> dict[str, Any]:
        """Plain data: all counts, and the pairs on which the decisions differ."""
        return {
            "test": self.test,
            "correction": self.correction,
            "alpha": self.alpha,
            "pairs": len(self.pairs),
            "counts": self.counts.tolist(),
            "agreeing": self.agreeing,
            "false_positives": [pair.as_dict() for pair in self.false_positives],
            "missed": [pair.as_dict() for pair in self.missed],
            "reversed": [pair.as_dict() for pair in self.reversed],
        }


def decisions(people: Scores, model: Scores, alpha: float) -> tuple[Decisions | None, ...]:
    """For each measure the decisions under either scores, by the default test and correction of `compare`.

    None where nothing can be tested: of one system, of fewer than two topics, of sums over topics.

    >>> from cranfield.measures.evaluate import evaluate
    >>> lists = {"good": ["a", "b"], "bad": ["b", "a"]}
    >>> runs = {name: {f"q{n}": lists[name] for n in range(6)} | {"q6": ["a", "b"]} for name in lists}
    >>> truth = {f"q{n}": {"a": 1, "b": 0} for n in range(7)}
    >>> nothing = {f"q{n}": {"a": n % 2, "b": 1 - n % 2} for n in range(7)}
    >>> (found,) = decisions(evaluate(truth, runs, "RR"), evaluate(nothing, runs, "RR"), 0.05)
    >>> found.counts.tolist(), found.missed[0].people
    ([[0, 1, 0], [0, 0, 0], [0, 0, 0]], 'good')
    """
    if len(people.runs) < 2:
        return (None,) * len(people.measures)
    return tuple(_of_measure(people.select(name), model.select(name), alpha) for name in people.measures)


def _of_measure(people: Scores, model: Scores, alpha: float) -> Decisions | None:
    try:
        found = [compare(scores, alpha=alpha) for scores in (people, model)]
    except InputError as error:
        if error.code != "E208":  # too few topics
            raise
        return None
    if not all(comparison.of().tested for comparison in found):
        return None
    (better, p), (better_by_model, p_by_model) = map(_better, found)
    couples = list(combinations(range(len(people.runs)), 2))
    method = found[0].method
    return Decisions(
        test=found[0].of().procedure,
        correction=CORRECTIONS[method.adjust].title,
        alpha=alpha,
        pairs=tuple(
            Decision(
                (people.runs[a], people.runs[b]),
                _named(better[a, b], a, b, people.runs),
                _named(better_by_model[a, b], a, b, people.runs),
                float(p[a, b]),
                float(p_by_model[a, b]),
            )
            for a, b in couples
        ),
    )


def _better(comparison: Comparison) -> tuple[Ints, Floats]:
    """`[run, run]`: 1 if the first is significantly better, -1 if the second is, else 0; and the corrected p."""
    found, many = comparison.of(), len(comparison.scores.runs)
    beaten = found.beaten(many).astype(np.int64)
    p = np.full((many, many), np.nan)
    places = found.contrasts.run, found.contrasts.baseline
    p[places] = p[places[::-1]] = found.pairs.p
    return beaten - beaten.T, p


def _named(better: int, a: int, b: int, runs: Sequence[str]) -> str | None:
    return None if better == 0 else runs[a if better > 0 else b]


def _place(pair: Decision, better: str | None) -> int:
    return NONE if better is None else A_BETTER if better == pair.systems[0] else B_BETTER
