"""Which grade a pair of a lab gets: the adjudicator's, that of a rule of `align.combining.rules`, or an assessor's."""

from collections.abc import Callable
from dataclasses import dataclass

from cranfield.align.combining.rules import ASSESSOR, GRADE_RULES
from cranfield.errors import PolicyError
from cranfield.errors.names import nearest
from cranfield.errors.wording import setting
from cranfield.judging.exporting.pairs import ExportedPair

RAW = "raw"
ADJUDICATED = "adjudicated"


@dataclass(frozen=True)
class ExportRule:
    """A rule: `whole` says that it gives a grade that an assessor gave, so that any format holds it."""

    name: str
    grade: Callable[[ExportedPair], float | None]  # None: the rule gives no grade
    whole: bool = True


def export_rules() -> list[str]:
    """The names of all rules, without those of assessors."""
    return [ADJUDICATED, *GRADE_RULES]


def rule_named(name: str, option: str = "rule") -> ExportRule:
    """The rule of a name; `assessor:NAME` takes the grades of that assessor.

    >>> rule_named("mean").whole
    False
    >>> rule_named("medain")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: rule="medain" is unknown
      hint: did you mean median? one of adjudicated, majority, median, max, min, mean, assessor:NAME, raw
    """
    if name.startswith(ASSESSOR):
        who = name.removeprefix(ASSESSOR)
        return ExportRule(name, lambda pair: pair.grade_by(who))
    if name.lower() == ADJUDICATED:
        return ExportRule(ADJUDICATED, adjudicated)
    if (found := GRADE_RULES.find(name)) is not None:
        return ExportRule(found.name, lambda pair: found.of(pair.grades), found.whole)
    near = nearest(name, [*export_rules(), RAW])
    guess = f"did you mean {near}? " if near else ""
    hint = f"{guess}one of {', '.join([*export_rules(), ASSESSOR + 'NAME', RAW])}"
    raise PolicyError("E213", f"{setting(option, name)} is unknown", hint=hint)


def adjudicated(pair: ExportedPair) -> float | None:
    """The adjudicated grade; else the common grade; else none."""
    if pair.settled is not None:
        return pair.settled
    return pair.grades[0] if len(set(pair.grades)) == 1 else None
