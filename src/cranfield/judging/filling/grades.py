"""The grades of a lab and their labels: `0-2`, `0,1,3`, and a file with a label for each."""

import re
from collections.abc import Mapping

from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.read.pairs import read_lines

HIGHEST = 9  # a grade is one key
_USUAL = {
    2: ("Not relevant", "Relevant"),
    3: ("Not relevant", "Partly relevant", "Relevant"),
    4: ("Not relevant", "Marginally relevant", "Fairly relevant", "Highly relevant"),
}
_HINT = "a grade and its label on each line, such as: 2 Answers the need"


def read_grades(text: str) -> tuple[int, ...]:
    """The grades, lowest first.

    >>> read_grades("0-2"), read_grades("3,1,0")
    ((0, 1, 2), (0, 1, 3))
    >>> read_grades("2")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E242: grades="2" is not a list of grades
      hint: two or more whole numbers from 0 to 9: 0-2, or 0,1,3
    """
    span = re.fullmatch(r"(\d)\s*-\s*(\d)", text.strip())
    listed = re.fullmatch(r"\d(\s*,\s*\d)+", text.strip())
    if span:
        found = set(range(int(span[1]), int(span[2]) + 1))
    else:
        found = {int(number) for number in text.split(",")} if listed else set()
    if len(found) < 2:
        hint = f"two or more whole numbers from 0 to {HIGHEST}: 0-2, or 0,1,3"
        raise PolicyError("E242", f"{setting('grades', text)} is not a list of grades", hint=hint)
    return tuple(sorted(found))


def labelled(grades: tuple[int, ...], labels: str | None = None) -> Mapping[int, str]:
    """A label for each grade: those of the file, or the usual ones.

    >>> labelled((0, 1))
    {0: 'Not relevant', 1: 'Relevant'}
    """
    if labels is None:
        return dict(zip(grades, _USUAL.get(len(grades), tuple(map(str, grades))), strict=True))
    found: dict[int, str] = {}
    for number, line in read_lines(labels, _HINT):
        grade, _, label = line.strip().replace("\t", " ").partition(" ")
        if not (grade.isascii() and grade.isdigit() and int(grade) in grades and label.strip()):
            problem = f"expected one of the grades {', '.join(map(str, grades))} and a label"
            raise InputError("E119", problem, path=labels, line=number, text=line, hint=_HINT)
        found[int(grade)] = label.strip()
    if lacking := [grade for grade in grades if grade not in found]:
        raise InputError("E119", f"grade {lacking[0]} has no label", path=labels, hint=_HINT)
    return {grade: found[grade] for grade in grades}


def read_share(text: str, option: str = "overlap") -> float:
    """A share of the pairs, from a percentage or a number between 0 and 1.

    >>> read_share("20%"), read_share("0.2"), read_share("100 %")
    (0.2, 0.2, 1.0)
    """
    number = text.strip().removesuffix("%").strip()
    try:
        share = float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        hint = "a share of the pairs, such as 20%"
        raise PolicyError("E242", f"{setting(option, text)} is no share", hint=hint)
    return share
