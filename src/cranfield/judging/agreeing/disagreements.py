"""Pairs on which assessors differ, those first whose grade changes most about the systems."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cranfield.errors.warning import kept
from cranfield.judging.agreeing.effects import GradeChange, SystemEffect, effects
from cranfield.judging.exporting.choice import grade_of
from cranfield.judging.exporting.pairs import ExportedPair
from cranfield.judging.exporting.tables import qrels_of
from cranfield.judging.records import PEOPLE
from cranfield.read.objects import as_runs

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import RunsLike


@dataclass(frozen=True)
class AssessorGrade:
    """What one assessor said: a grade, or None where the assessor could not judge."""

    assessor: str
    grade: int | None
    note: str
    model: bool


@dataclass(frozen=True)
class DisputedPair:
    """A pair whose assessors differ.

    Attributes:
        item: its id in the lab.
        topic: the topic.
        document: the document.
        given: what each assessor said.
        apart: by how many grades the lowest and the highest differ; 0 where a grade stands against *cannot judge*.
        settled: the grade of an adjudicator, if there is one.
        effect: what one grade or the other changes about the systems; None where no runs were given.
    """

    item: str
    topic: str
    document: str
    given: tuple[AssessorGrade, ...]
    apart: int
    settled: int | None
    effect: SystemEffect | None = None


def disagreements(
    pairs: Iterable[ExportedPair],
    runs: "RunsLike | None" = None,
    measure: "MeasuresLike" = "nDCG@10",
    *,
    include: Collection[str] = (),
    threshold: int = 1,
) -> list[DisputedPair]:
    """The pairs on which assessors differ by `threshold` grades or more, or that only some of them could judge.

    With runs, those come first that move differences between systems most; without, those with the largest distance
    between grades. Pairs that an adjudicator settled come last. Models count only if `include` names `llm`.
    """
    heard = [pair.of_kinds({*PEOPLE, *include}) for pair in pairs if not pair.gold]
    differing = [pair for pair in heard if _differs(pair, threshold)]
    found = [_listed(pair) for pair in differing]
    if runs is not None:
        found = _with_effects(heard, found, runs, measure)
    return sorted(found, key=_first)


def _first(each: DisputedPair) -> tuple[bool, float, int, int, str, str]:
    """The order of the list; equal ones are ordered by name, so that it is always the same."""
    effect = each.effect or SystemEffect(0.0, None, 0)
    return (each.settled is not None, -effect.size, -effect.turns, -each.apart, each.topic, each.document)


def _differs(pair: ExportedPair, threshold: int) -> bool:
    grades = pair.grades
    cannot = any(said.judgment.answer.status == "cannot" for said in pair.first_round)
    return bool(grades) and (cannot or max(grades) - min(grades) >= threshold)


def _listed(pair: ExportedPair) -> DisputedPair:
    given = tuple(
        AssessorGrade(said.judgment.assessor, said.grade, said.judgment.answer.note, said.kind == "llm")
        for said in pair.first_round
        if said.judgment.answer.status != "later"
    )
    apart = max(pair.grades) - min(pair.grades)
    return DisputedPair(
        item=pair.item, topic=pair.topic, document=pair.document, given=given, apart=apart, settled=pair.settled
    )


def _with_effects(
    pairs: Sequence[ExportedPair], found: Sequence[DisputedPair], runs: "RunsLike", measure: "MeasuresLike"
) -> list[DisputedPair]:
    """The same with what each changes; a grade against *cannot judge* is compared with grade 0, as if unjudged."""
    qrels = qrels_of(grade_of(pair, "adjudicated", "median") for pair in pairs)
    changes = [_change(each) for each in found]
    with kept():  # warnings of evaluations that are made for the order of a list
        sizes = effects(qrels, as_runs(runs), measure, changes)
    return [replace(each, effect=effect) for each, effect in zip(found, sizes, strict=True)]


def _change(each: DisputedPair) -> GradeChange:
    grades = [given.grade for given in each.given if given.grade is not None]
    return GradeChange(each.topic, each.document, min(grades) if each.apart else 0, max(grades))
