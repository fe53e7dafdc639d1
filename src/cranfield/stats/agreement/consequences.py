"""What disagreement changes: the systems evaluated with the labels of one assessor, and with those of another."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.align.policy import Policy
from cranfield.arrays import Floats
from cranfield.measures.evaluate import evaluate
from cranfield.stats.agreement.couples import Couples
from cranfield.stats.agreement.labels import Labels
from cranfield.stats.orders.correlation import correlate
from cranfield.tables.run import Runs
from cranfield.tables.scores import number

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike


MOST_COUPLES = 10  # those with the most pairs in common


@dataclass(frozen=True, eq=False)
class Consequences:
    """The mean scores of all runs under two assessors, each on the pairs that both judged.

    Differences between the two come from disagreement alone, because both judged the same documents.
    """

    assessors: tuple[str, str]
    measure: str
    runs: tuple[str, ...]
    means: Floats  # [assessor, run]
    pairs: int
    topics: int

    @property
    def tau(self) -> float:
        """Kendall's tau-b of the two orders of the systems."""
        return correlate(self.means[0], self.means[1], "tau-b") if len(self.runs) > 1 else np.nan

    @property
    def swapped(self) -> int:
        """How many pairs of systems change places."""
        return int(correlate(self.means[0], self.means[1], "flips")) if len(self.runs) > 1 else 0

    @property
    def bias(self) -> Floats:
        """The mean of each run under the second assessor minus that under the first."""
        difference: Floats = self.means[1] - self.means[0]
        return difference

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        first, second = self.means.tolist()
        rows = zip(self.runs, first, second, self.bias.tolist(), strict=True)
        return {
            "assessors": list(self.assessors),
            "measure": self.measure,
            "pairs": self.pairs,
            "topics": self.topics,
            "tau": number(self.tau),
            "swapped": self.swapped,
            "systems": [
                {"run": run, "means": [number(a), number(b)], "bias": number(bias)} for run, a, b, bias in rows
            ],
        }


@dataclass(frozen=True, eq=False)
class Systems:
    """Runs, and how they are evaluated."""

    runs: Runs
    measures: "MeasuresLike"
    policy: Policy

    def under(self, labels: Labels, one: int, other: int) -> list[Consequences]:
        """Their means under two assessors, for each measure."""
        pairs = labels.judged_by(one, other)
        judged = (labels.by(who, pairs) for who in (one, other))
        first, second = (evaluate(qrels, self.runs, self.measures, policy=self.policy) for qrels in judged)
        names = (labels.assessors[one], labels.assessors[other])
        means = np.stack([first.means, second.means])
        return [
            Consequences(names, measure, first.runs, means[:, :, column], len(pairs), len(first.topics))
            for column, measure in enumerate(first.measures)
        ]


def consequences_of(labels: Labels, couples: Couples, systems: Systems) -> tuple[Consequences, ...]:
    """The systems under every two assessors; of many couples, those with the most pairs in common."""
    most = np.sort(np.argsort(-couples.common, kind="stable")[:MOST_COUPLES])
    pairs = zip(couples.first[most].tolist(), couples.second[most].tolist(), strict=True)
    return tuple(found for one, other in pairs for found in systems.under(labels, one, other))
