"""What disagreement changes: the systems evaluated with the labels of one assessor, and with those of another."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cranfield.align.policy import Policy
from cranfield.arrays import Floats
from cranfield.measures.evaluate import evaluate
from cranfield.stats.agreement.couples import Couples
from cranfield.stats.agreement.labels import Labels
from cranfield.stats.agreement.model.bias import GroupBias, GroupDifference, biases
from cranfield.stats.agreement.model.decisions import Decisions, decisions
from cranfield.stats.agreement.model.mean_difference import MeanDifference
from cranfield.stats.comparison.contrasts import by_topic
from cranfield.stats.orders.correlation import correlate
from cranfield.tables.run import Runs
from cranfield.tables.scores import Scores, number

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike


MOST_COUPLES = 10  # those with the most pairs in common


@dataclass(frozen=True, eq=False)
class Consequences:
    """The mean scores of all runs under two assessors, each on the pairs that both judged.

    Differences between the two come from disagreement alone, because both judged the same documents.

    Attributes:
        assessors: the two; a model is the second.
        measure: the measure.
        runs: the systems.
        means: `[assessor, run]`: the mean scores.
        pairs: how many pairs both judged.
        topics: how many topics these pairs are of.
        biases: where people are compared with a model, the bias of each system with its interval over topics.
        groups: the bias of each group of systems, if groups were given.
        group_differences: between every two groups, how much more the model's labels raise the first.
        decisions: which differences between systems are significant under either labels; None if nothing is tested.
    """

    assessors: tuple[str, str]
    measure: str
    runs: tuple[str, ...]
    means: Floats
    pairs: int
    topics: int
    biases: tuple[MeanDifference, ...] = ()
    groups: tuple[GroupBias, ...] = ()
    group_differences: tuple[GroupDifference, ...] = ()
    decisions: Decisions | None = None

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
        rows = zip(self.runs, first, second, self._system_biases(), strict=True)
        found: dict[str, Any] = {
            "assessors": list(self.assessors),
            "measure": self.measure,
            "pairs": self.pairs,
            "topics": self.topics,
            "tau": number(self.tau),
            "swapped": self.swapped,
            "systems": [{"run": run, "means": [number(a), number(b)], **bias} for run, a, b, bias in rows],
        }
        if self.groups:
            found["groups"] = [group.as_dict() for group in self.groups]
            found["group_differences"] = [each.as_dict() for each in self.group_differences]
        if self.decisions is not None:
            found["decisions"] = self.decisions.as_dict()
        return found

    def _system_biases(self) -> list[dict[str, Any]]:
        if self.biases:
            return [each.as_dict("bias") for each in self.biases]
        return [{"bias": number(bias)} for bias in self.bias.tolist()]


@dataclass(frozen=True, eq=False)
class Systems:
    """Runs, how they are evaluated, and how a model's effect on them is measured."""

    runs: Runs
    measures: "MeasuresLike"
    policy: Policy
    groups: Mapping[str, str] | None = None  # run -> group
    alpha: float = 0.05
    samples: int = 1000
    seed: int = 0

    def under(self, labels: Labels, one: int, other: int) -> list[Consequences]:
        """Their means under two assessors, for each measure; if the second is a model, also its effect on them."""
        pairs = labels.judged_by(one, other)
        judged = (labels.by(who, pairs) for who in (one, other))
        first, second = (evaluate(qrels, self.runs, self.measures, policy=self.policy) for qrels in judged)
        names = (labels.assessors[one], labels.assessors[other])
        means = np.stack([first.means, second.means])
        found = [
            Consequences(names, measure, first.runs, means[:, :, column], len(pairs), len(first.topics))
            for column, measure in enumerate(first.measures)
        ]
        if labels.beside_model:
            return self._with_effect(found, by_topic(first), by_topic(second))
        return found

    def _with_effect(self, found: list[Consequences], people: Scores, model: Scores) -> list[Consequences]:
        """The same with biases and decisions."""
        decided = decisions(people, model, self.alpha)
        by_measure = np.moveaxis(model.values - people.values, 2, 0)
        explained = []
        for each, average, differences, decision in zip(found, people.averages, by_measure, decided, strict=True):
            rows = differences if average == "mean" else each.bias[:, None]  # sums and geometric means: no interval
            of = biases(each.runs, rows, self.groups, self.samples, self.seed)
            explained.append(
                replace(
                    each,
                    biases=of.systems,
                    groups=of.groups,
                    group_differences=of.group_differences,
                    decisions=decision,
                )
            )
        return explained


def consequences_of(labels: Labels, couples: Couples, systems: Systems) -> tuple[Consequences, ...]:
    """The systems under every two assessors; of many couples, those with the most pairs in common."""
    most = np.sort(np.argsort(-couples.common, kind="stable")[:MOST_COUPLES])
    pairs = zip(couples.first[most].tolist(), couples.second[most].tolist(), strict=True)
    return tuple(found for one, other in pairs for found in systems.under(labels, one, other))
