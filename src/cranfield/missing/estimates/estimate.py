"""The estimate: scores of all runs over drawn completions, and what follows for pairs and for the order of runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.arrays.memory import afford
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import named
from cranfield.errors.ranges import check_least
from cranfield.missing.prior.drawing import DrawnLevels
from cranfield.missing.prior.result import Prior
from cranfield.missing.situation import ZERO
from cranfield.random_streams import stream
from cranfield.registry import one_of
from cranfield.stats.orders.kendall import tau_b
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.sheets.sheet import Sheet
from cranfield.tables.words import counted

DRAWS = 4000  # with fewer, P(A > B) differs visibly from seed to seed
On = Literal["these topics", "new topics"]
BAND = (0.05, 0.95)


class CompletionScores(Protocol):
    """Whatever scores completions, topic by topic; pairs are numbered as in the candidates."""

    @property
    def topics(self) -> Ints:
        """The topics in the mean."""

    def holes_of(self, topic: int) -> Ints:
        """The pairs of a topic that a completion fills."""

    def values(self, topic: int, levels: DrawnLevels) -> Floats:
        """`[completion, run]` for the levels of the topic's holes, `[completion, hole]`; undefined is NaN."""


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Estimate(Result):
    """Scores over completions drawn from a prior.

    *On these topics*, only the judgments that are missing are uncertain; *on new topics*, the topics are resampled too.

    Attributes:
        measure: its name.
        runs: their names.
        now: the score of each run with every hole not relevant.
        these: `[draw, run]`: mean scores over completions.
        new: `[draw, run]`: mean scores over completions and resampled topics.
        topics: how many are in the mean.
        prior: where the completions come from.
    """

    command: ClassVar[str] = "holes"

    measure: str
    runs: tuple[str, ...]
    now: Floats
    these: Floats
    new: Floats
    topics: int
    prior: Prior
    audit: Audit

    @property
    def draws(self) -> int:
        """How many completions were drawn."""
        return len(self.these)

    @property
    def mean(self) -> Floats:
        """The mean score of each run over completions."""
        return self.these.mean(axis=0)

    def band(self, on: On = "these topics") -> Floats:
        """`[end, run]`: between these two ends lie 90 % of the draws."""
        return np.quantile(self._drawn(on), BAND, axis=0)

    def probability(self, a: str, b: str, on: On = "these topics") -> float:
        """P(A > B): the share of draws in which one run scores higher than the other; ties count half."""
        left, right = (self._number(name) for name in (a, b))
        drawn = self._drawn(on)
        return float(_ahead(drawn[:, left] - drawn[:, right]).mean())

    def probabilities(self, on: On = "these topics") -> Floats:
        """`[run, run]`: P(A > B) of all pairs, A by row."""
        drawn = self._drawn(on)
        return np.stack([_ahead(column[:, None] - drawn).mean(axis=0) for column in drawn.T])

    def difference(self, a: str, b: str, on: On = "these topics") -> tuple[float, float, float]:
        """The mean difference of two runs over the draws, and the ends of its 5-95 % band."""
        drawn = self._drawn(on)
        found = drawn[:, self._number(a)] - drawn[:, self._number(b)]
        low, high = np.quantile(found, BAND)
        return float(found.mean()), float(low), float(high)

    @cached_property
    def tau(self) -> Floats:
        """Kendall's tau-b of each completion's order of runs with the present order; NaN if all runs are equal."""
        if len(self.runs) < 2:
            return np.full(self.draws, np.nan)
        return tau_b(np.tile(_rounded(self.now), (self.draws, 1)), _rounded(self.these))

    def beside(self, now: Floats, audit: Audit) -> "Estimate":
        """The same estimate beside scores that were computed elsewhere, with their audit."""
        inputs = [*audit.inputs, *(entry for entry in self.audit.inputs if entry["role"] == "estimate")]
        return replace(self, now=now, audit=replace(audit, inputs=inputs, seed=self.audit.seed))

    def _drawn(self, on: On) -> Floats:
        one_of("on", on, ("these topics", "new topics"))
        return self.these if on == "these topics" else self.new

    def _number(self, run: str) -> int:
        return named(run, {name: number for number, name in enumerate(self.runs)}, "run")

    # --- forms -------------------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """The printed table: each run as judged, its mean over completions, and its band."""
        from cranfield.missing.estimates.sheet import sheet

        return sheet(self)

    def pair_sheet(self, pairs: Sequence[tuple[str, str]] | None = None) -> Sheet:
        """One row per pair of runs: difference now and over completions, and P(A > B) on these and on new topics."""
        from cranfield.missing.estimates.sheet import pair_sheet

        asked = combinations(self.runs, 2) if pairs is None else pairs
        return pair_sheet(self, [(self._number(a), self._number(b)) for a, b in asked])

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        from cranfield.missing.estimates.sheet import plain

        return plain(self)


def _ahead(difference: Floats) -> Floats:
    """1 where a difference is above 0, 0.5 where there is none."""
    return (difference > ZERO) + 0.5 * (np.abs(difference) <= ZERO)


def _rounded(values: Floats) -> Floats:
    return np.round(values, 9)


def estimate(prior: Prior, scores: CompletionScores, measure: str, draws: int = DRAWS, seed: int = 0) -> Estimate:
    """Draw completions and score all runs on each; one topic is held at a time.

    Args:
        prior: from which the holes are drawn.
        scores: the measure on completions.
        measure: its name.
        draws: how many completions.
        seed: of the draws.
    """
    check_least(1, draws=draws)
    afford(40.0 * draws * len(prior.features.candidates.runs), counted(draws, "completion"), "draw fewer")
    model, topics = prior.model(draws, seed), scores.topics
    known, runs = prior.features.candidates, prior.features.candidates.runs
    often = stream(seed, "topics").multinomial(len(topics), np.full(len(topics), 1 / max(len(topics), 1)), size=draws)
    sums, counts = np.zeros((2, draws, len(runs))), np.zeros((2, draws, len(runs)))
    now = np.zeros((2, len(runs)))
    for place, topic in enumerate(topics.tolist()):
        holes = scores.holes_of(topic)
        value = scores.values(topic, model.of_topic(int(known.topic[holes[0]]) if len(holes) else 0, holes))
        present = scores.values(topic, np.zeros((1, len(holes)), dtype=np.int8))[0]
        now += np.nan_to_num(present), ~np.isnan(present)
        for row, weight in enumerate((np.ones((1, 1)), often[:, [place]])):
            sums[row] += weight * np.nan_to_num(value)
            counts[row] += weight * ~np.isnan(value)
    means = sums / np.maximum(counts, 1)
    return Estimate(
        measure=measure,
        runs=runs,
        now=now[0] / np.maximum(now[1], 1),
        these=means[0],
        new=means[1],
        topics=len(topics),
        prior=prior,
        audit=Audit(inputs=prior.audit.inputs, versions=prior.audit.versions, seed=seed),
    )
