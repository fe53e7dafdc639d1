"""The notes on agreement: assessors, the effect on systems, where assessors differ, how intervals were made."""

import math
from typing import TYPE_CHECKING

from cranfield.stats.agreement.consequences import Consequences
from cranfield.stats.agreement.labels import PEOPLE
from cranfield.stats.agreement.model.notes import bias_notes, overrating_notes
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.source import Input
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.stats.agreement.result import Agreement

PER_GRADE = "agreement per grade"  # how that note begins
_COUPLES_SAID = 3
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_REPEATS = {"last": "the last label counts", "first": "the first label counts", "all": "every label counts"}


def head(agreement: "Agreement") -> str:
    """The first line: assessors, pairs and grades.

    2 assessors · 120 pairs judged twice · grades 0–2
    """
    low, high = agreement.grades[0], agreement.grades[-1]
    scale = f"grades {low:g}–{high:g}" if low != high else f"grade {low:g} only"
    people = counted(len(agreement.assessors), "assessor")
    if agreement.mode == "within":
        return f"{people} · {counted(agreement.pairs, 'pair')} judged again by the same assessor · {scale}"
    pairs = counted(agreement.pairs, "pair")
    if len(agreement.assessors) == 2:
        one, other = agreement.assessors
        if one.name == PEOPLE and other.kind == "model":
            return f"people and {other.name} · {pairs} judged by both · {scale}"
        return f"{people} · {pairs} judged twice · {scale}"
    return f"{people} · {pairs} judged twice or more · {agreement.labels:,} labels · {scale}"


def findings(agreement: "Agreement") -> tuple[str, ...]:
    """The effect of disagreement on the systems, how often it occurs, and on which grades; a model's overrating."""
    effect = [note for each in agreement.consequences for note in bias_notes(each)]
    grades = (_disagreements(agreement), _per_grade(agreement), *overrating_notes(agreement))
    return (*_consequences(agreement), *effect, *grades)


def notes(agreement: "Agreement") -> tuple[str, ...]:
    """The footer: findings, how kappa may be read, which labels and couples counted, how intervals were made."""
    said = list(findings(agreement))
    if agreement.interpretation:
        kappa = in_print(agreement["cohen"].value, ".3f")
        said.append(f"Landis and Koch's scale, which is disputed, calls κ = {kappa} {agreement.interpretation}")
    if agreement.prevalence:
        said.append(f"prevalence: {agreement.prevalence}")
    if agreement.repeated and agreement.mode == "between":
        said.append(
            f"{counted(agreement.repeated, 'pair')} judged again by the same assessor: "
            f"{_REPEATS[str(agreement.audit.policies.get('repeats', 'last'))]}"
        )
    if agreement.couples_left_out:
        least = agreement.audit.policies["min_common"]
        said.append(
            f"κ, π, AC1 and overlap: mean over {counted(len(agreement.couples), 'couple')} of assessors, weighted by "
            f"common pairs; {agreement.couples_left_out:,} with fewer than {least} left out"
        )
    elif len(agreement.couples) > 1 and agreement.mode == "between":
        said.append("κ, π, AC1 and overlap: mean over the couples of assessors, weighted by common pairs")
    return (*said, _intervals(agreement))


def _consequences(agreement: "Agreement") -> list[str]:
    """One line for each two assessors; of more than three couples the extremes."""
    notes = []
    for measure in dict.fromkeys(each.measure for each in agreement.consequences):
        found = [each for each in agreement.consequences if each.measure == measure]
        known = sorted((each for each in found if not math.isnan(each.tau)), key=lambda each: each.tau)
        if len(found) <= _COUPLES_SAID or not known:
            notes += [_consequence(each) for each in found[:_COUPLES_SAID]]
        else:
            ends = [f"{_tau(each.tau)} ({' and '.join(each.assessors)})" for each in (known[0], known[-1])]
            mean = sum(each.tau for each in known) / len(known)
            notes.append(
                f"does it matter?  τ of the system orders under two assessors = {ends[0]} … {ends[1]}, "
                f"mean {_tau(mean)} ({len(found[0].runs)} systems, {measure}, {len(found)} couples of assessors)"
            )
    return notes


def _consequence(found: Consequences) -> str:
    one, other = found.assessors
    orders = f"does it matter?  τ of the system orders under {one} and under {other}"
    if math.isnan(found.tau):
        return f"{orders} is undefined ({counted(len(found.runs), 'system')}, {found.measure})"
    swapped = f"{_spelt(found.swapped)} pair{'' if found.swapped == 1 else 's'} swapped"
    return f"{orders} = {_tau(found.tau)} ({counted(len(found.runs), 'system')}, {found.measure}: {swapped})"


def _tau(value: float) -> str:
    return in_print(value, ".2f")


def _disagreements(agreement: "Agreement") -> str:
    far = [f"{n:,} by {_spelt(by)} grades" for by, n in agreement.apart.items() if by > 1 and n]
    number = sum(agreement.apart.values())
    queue = ' → queue "adjudicate"' if number and agreement.mode == "between" and _in_lab(agreement) else ""
    return ", ".join([counted(number, "disagreement"), *far]) + queue


def _in_lab(agreement: "Agreement") -> bool:
    """Whether the judgments come from a lab, where an adjudicator settles disagreements."""
    return any(isinstance(given, Input) and given.source.format == "lab" for given in agreement.audit.inputs)


def _per_grade(agreement: "Agreement") -> str:
    shares = [
        f"{grade:g}: {'–' if math.isnan(share) else f'{100 * share:.1f} %'}"
        for grade, share in agreement.per_grade.items()
    ]
    return f"{PER_GRADE}  {'  '.join(shares)}"


def _intervals(agreement: "Agreement") -> str:
    over, samples = agreement.audit.policies.get("over", "topics"), agreement.audit.policies.get("samples", 0)
    if agreement.groups < 2:
        return f"no intervals: one {over[:-1]} only" + ("; pairs can be resampled instead" if over == "topics" else "")
    return (
        f"95 % intervals: percentile bootstrap over {agreement.groups:,} {over}, {samples:,} resamples, "
        f"seed {agreement.audit.seed}"
    )


def _spelt(number: float) -> str:
    return _NUMBERS[int(number)] if number == int(number) and number < len(_NUMBERS) else f"{number:g}"
