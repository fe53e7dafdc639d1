"""What a reproduction shows: the order of documents, the scores, the improvement over a baseline."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cranfield.errors.arguments import checked_methods
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.scores import number
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted


@dataclass(frozen=True)
class ReproducedMeasure:
    """The scores of one measure; an undefined value is None.

    Attributes:
        measure: its name.
        original: the mean of the original run.
        reproduced: the mean of the reproduced run.
        rmse: root mean square error over the topics, on the same judgments.
        p: of a t test of both runs: paired on the same judgments, unpaired on others.
        effect_ratio: the improvement over the baseline as a share of the original one, with baselines.
        delta_ri: the original relative improvement minus the reproduced one, with baselines.
    """

    measure: str
    original: float | None
    reproduced: float | None
    rmse: float | None
    p: float | None
    effect_ratio: float | None
    delta_ri: float | None


@checked_methods
@dataclass(frozen=True, repr=False)
class Reproduction(Result):
    """How close a reproduced run comes to the original one.

    Attributes:
        original: name of the original run.
        reproduced: name of the reproduced run.
        baselines: names of the original and the reproduced baseline, if they were given.
        same_collection: whether both runs were scored with the same judgments.
        topics: judged topics of the original, and of the reproduction.
        tau: Kendall's tau union, the mean over the topics that both runs have; None on another collection.
        rbo: rank-biased overlap, likewise.
        rbo_p: its parameter, how patient the user is.
        by_topic: topic -> tau union and rank-biased overlap.
        measures: the scores of each measure.

    >>> import cranfield as cf
    >>> found = cf.reproduce({"q1": {"a": 1}}, {"q1": ["a", "b"]}, {"q1": ["b", "a"]}, "RR")
    >>> found.tau, found.measures[0].rmse  # the two documents changed places
    (-1.0, 0.5)
    """

    command: ClassVar[str] = "reproduce"

    original: str
    reproduced: str
    baselines: tuple[str, str] | None
    same_collection: bool
    topics: tuple[int, int]
    tau: float | None
    rbo: float | None
    rbo_p: float
    by_topic: Mapping[str, tuple[float | None, float | None]]
    measures: tuple[ReproducedMeasure, ...]
    audit: Audit

    def sheet(self) -> Sheet:
        """The printed table: one row for each measure, and below it the agreement on the order of documents."""
        columns = [Column("measure", [row.measure for row in self.measures])]
        for name, field, form in (
            ("original", "original", ".4f"),
            ("reproduced", "reproduced", ".4f"),
            ("RMSE", "rmse", ".4f"),
            ("p", "p", ".3f"),
            ("effect ratio", "effect_ratio", ".4f"),
            ("ΔRI", "delta_ri", "+.4f"),
        ):
            if (field != "rmse" or self.same_collection) and (self.baselines or field[:2] not in ("ef", "de")):
                columns.append(Column(name, [getattr(row, field) for row in self.measures], form))
        return Sheet(tuple(columns), notes=tuple(self._notes()))

    def _notes(self) -> list[str]:
        notes = [f"original {self.original} · reproduced {self.reproduced}"]
        if self.baselines:
            notes.append(f"baselines {self.baselines[0]} · {self.baselines[1]}")
        if self.same_collection:
            shared = len(self.by_topic)
            order = " · ".join(
                f"{name} {'–' if value is None else format(value, '.4f')}"
                for name, value in (("tau union", self.tau), (f"RBO(p={self.rbo_p:g})", self.rbo))
            )
            notes.append(f"order of documents: {order}, mean of {counted(shared, 'topic')} that both runs have")
            notes.append(f"{counted(self.topics[0], 'topic')} · p of a paired t test, two-sided")
        else:
            there, here = (counted(number, "topic") for number in self.topics)
            notes.append(f"another collection: {there} and {here}; p of an unpaired t test, two-sided")
            notes.append("tau union, RBO and RMSE need the same topics and are not defined")
        if self.baselines:
            notes.append("effect ratio 1 and ΔRI 0: the improvement over the baseline was found again")
        return [*notes, self.audit.policy_line()]

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        return {
            "original": self.original,
            "reproduced": self.reproduced,
            "baselines": None if self.baselines is None else list(self.baselines),
            "same_collection": self.same_collection,
            "topics": list(self.topics),
            "tau_union": number(self.tau),
            "rbo": number(self.rbo),
            "rbo_p": self.rbo_p,
            "order": [
                {"topic": topic, "tau_union": number(tau), "rbo": number(rbo)}
                for topic, (tau, rbo) in self.by_topic.items()
            ],
            "measures": [
                {
                    "measure": row.measure,
                    **{
                        name: number(getattr(row, name))
                        for name in ("original", "reproduced", "rmse", "p", "effect_ratio", "delta_ri")
                    },
                }
                for row in self.measures
            ],
        }
