"""A pair as it is exported: how it came into the lab, and what all assessors say about it."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from cranfield.judging.records import Judgment, PersonKind

PairState = Literal["judged", "disputed", "cannot", "later", "open"]


@dataclass(frozen=True)
class SaidBy:
    """A judgment, and what else is known of it: what kind of assessor made it, under which guidelines, how."""

    judgment: Judgment
    kind: PersonKind = "human"
    guideline: str = ""
    method: str = ""
    ms_active: int | None = None
    ms_away: int | None = None

    @property
    def grade(self) -> int | None:
        """The grade, if one was given."""
        return self.judgment.answer.grade if self.judgment.answer.status == "judged" else None


@dataclass(frozen=True)
class ExportedPair:
    """One pair of topic and document.

    `probability` is that with which it was chosen, None if it was chosen by looking at judgments; `needed` is how many
    judgments were asked for; `settled` the grade of an adjudicator. `said` holds every judgment, oldest first; those
    of later rounds are repeats, which test whether an assessor is consistent.
    """

    topic: str
    document: str
    said: tuple[SaidBy, ...] = ()
    settled: int | None = None
    gold: bool = False
    needed: int = 1
    stratum: str = ""
    probability: float | None = 1.0
    queues: tuple[int, ...] = ()
    item: str = ""  # its id in the lab

    def of_kinds(self, kinds: Collection[str]) -> "ExportedPair":
        """The same with the judgments of some kinds of assessors."""
        return replace(self, said=tuple(each for each in self.said if each.kind in kinds))

    @property
    def first_round(self) -> tuple[SaidBy, ...]:
        """What assessors said when they saw the pair for the first time: without repeats."""
        return tuple(each for each in self.said if each.judgment.round == 0)

    @property
    def grades(self) -> tuple[int, ...]:
        """The grades that assessors gave, without repeats."""
        return tuple(each.grade for each in self.first_round if each.grade is not None)

    def grade_by(self, assessor: str) -> int | None:
        """The grade that one assessor gave."""
        return next((each.grade for each in self.first_round if each.judgment.assessor == assessor), None)

    @property
    def without_grade(self) -> PairState:
        """Why the pair has no grade: assessors could not judge it, left it for later, or have not seen it."""
        states = {each.judgment.answer.status for each in self.first_round}
        return "cannot" if "cannot" in states else "later" if "later" in states else "open"
