"""Follow a rule for all pairs: the grade of each, or why it has none."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from cranfield.align.combining.rules import ASSESSOR
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.judging.exporting.export_rules import rule_named
from cranfield.judging.exporting.pairs import ExportedPair, PairState
from cranfield.judging.records import PEOPLE


@dataclass(frozen=True)
class ChosenGrade:
    """A pair, what became of it, and its grade if it has one."""

    pair: ExportedPair
    state: PairState
    grade: float | None = None


@dataclass(frozen=True)
class ExportCounts:
    """How many pairs there are, and what became of them; `partly` were judged by fewer assessors than asked for."""

    pairs: int
    judged: int
    disputed: int
    cannot: int
    later: int
    open: int
    partly: int
    gold: int  # left out: they test assessors


def grade_of(pair: ExportedPair, rule: str, otherwise: str = "majority") -> ChosenGrade:
    """The grade of a pair under a rule; where that gives none of several grades, under the other one.

    `assessor:NAME` never falls back on what others say: a pair that this assessor has not judged is open.
    """
    if rule.startswith(ASSESSOR):
        who = rule.removeprefix(ASSESSOR)
        mine = tuple(each for each in pair.first_round if each.judgment.assessor == who)
        alone = replace(pair, said=mine, settled=None)
        grade: float | None = alone.grade_by(who)
        return ChosenGrade(pair, "judged", grade) if grade is not None else ChosenGrade(pair, alone.without_grade)
    grade = rule_named(rule).grade(pair)
    if grade is None and pair.grades:
        grade = rule_named(otherwise, "otherwise").grade(pair)
    if grade is not None:
        return ChosenGrade(pair, "judged", grade)
    return ChosenGrade(pair, "disputed" if pair.grades else pair.without_grade)


def chosen_grades(
    pairs: Iterable[ExportedPair],
    rule: str,
    otherwise: str = "majority",
    include: Collection[str] = (),
    *,
    complete: bool = False,
) -> tuple[list[ChosenGrade], ExportCounts]:
    """The grade of each pair but gold ones, and the counts; models are heard only if `include` names `llm`.

    With `complete`, a pair that was judged by fewer assessors than asked for is open, unless an adjudicator settled it.
    """
    everything = list(pairs)
    for option, name in (("rule", rule), ("otherwise", otherwise)):
        _refuse_unknown(everything, option, name, include)
    heard = [pair.of_kinds({*PEOPLE, *include}) for pair in everything if not pair.gold]
    found = [
        ChosenGrade(pair, "open") if complete and _unfinished(pair) else grade_of(pair, rule, otherwise)
        for pair in heard
    ]
    states = Counter(each.state for each in found)
    partly = sum(each.state == "judged" and len(_answered(each.pair)) < each.pair.needed for each in found)
    counts = ExportCounts(
        pairs=len(found),
        judged=states["judged"],
        disputed=states["disputed"],
        cannot=states["cannot"],
        later=states["later"],
        open=states["open"],
        partly=partly,
        gold=len(everything) - len(heard),
    )
    return found, counts


def _unfinished(pair: ExportedPair) -> bool:
    """Whether a pair has a grade, but fewer judgments than asked for, and no adjudicator settled it."""
    return bool(pair.grades) and pair.settled is None and len(_answered(pair)) < pair.needed


def _answered(pair: ExportedPair) -> list[str]:
    return [each.judgment.assessor for each in pair.first_round if each.judgment.answer.status != "later"]


def _refuse_unknown(pairs: list[ExportedPair], option: str, name: str, include: Collection[str]) -> None:
    """Refuse a rule that is unknown, or that names no assessor, or a model that is not to be heard."""
    if not name.startswith(ASSESSOR):
        rule_named(name, option)
        return
    who = name.removeprefix(ASSESSOR)
    kinds = {each.judgment.assessor: each.kind for pair in pairs for each in pair.said}
    if who not in kinds:
        known = ", ".join(sorted(kinds)) or "no assessor yet"
        raise PolicyError("E223", f"there is no assessor {who!r}", hint=f"judged by {known}")
    if kinds[who] == "llm" and "llm" not in include:
        raise PolicyError("E244", f"{who!r} is a model", hint=f"{setting('include', 'llm')} exports labels of models")
