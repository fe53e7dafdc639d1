"""What a rule of export is: a named function from the judgments of a pair to its grade."""

from collections.abc import Callable
from dataclasses import dataclass

from cranfield.errors import PolicyError
from cranfield.errors.names import nearest
from cranfield.errors.wording import setting
from cranfield.judging.exporting.pairs import ExportedPair
from cranfield.registry import Registry

RAW = "raw"
ADJUDICATED = "adjudicated"
ASSESSOR = "assessor:"
GradeOf = Callable[[ExportedPair], float | None]


@dataclass(frozen=True)
class ExportRule:
    """A rule: `whole` says that it gives a grade that an assessor gave, so that any format holds it."""

    name: str
    summary: str
    grade: GradeOf  # None: the rule gives no grade
    whole: bool = True


EXPORT_RULES: Registry[ExportRule] = Registry("rule", "cranfield.judging.exporting.rules")


def export_rule(name: str, summary: str, *, whole: bool = True) -> Callable[[GradeOf], GradeOf]:
    """Register a rule under its name, with what it does in a few words."""

    def register(function: GradeOf) -> GradeOf:
        EXPORT_RULES.add(name, ExportRule(name, summary, function, whole), home=function.__module__)
        return function

    return register


def rule_named(name: str, option: str = "rule") -> ExportRule:
    """The rule of a name; `assessor:NAME` takes the grades of that assessor.

    >>> rule_named("max").summary
    'the highest grade'
    >>> rule_named("medain")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: rule="medain" is unknown
      hint: did you mean median? one of adjudicated, majority, median, max, min, mean, assessor:NAME, raw
    """
    if name.startswith(ASSESSOR):
        who = name.removeprefix(ASSESSOR)
        return ExportRule(name, f"the grade that {who} gave", lambda pair: pair.grade_by(who))
    found = EXPORT_RULES.find(name)
    if found is None:
        near = nearest(name, [*EXPORT_RULES, RAW])
        guess = f"did you mean {near}? " if near else ""
        hint = f"{guess}one of {', '.join([*EXPORT_RULES, ASSESSOR + 'NAME', RAW])}"
        raise PolicyError("E213", f"{setting(option, name)} is unknown", hint=hint)
    return found
