"""The grades of a lab as pages show them: label, shade, and an answer in few words."""

from collections.abc import Mapping
from dataclasses import dataclass

from cranfield.judging.records import AssessorAnswer

_SHADES = {1: (3,), 2: (0, 3), 3: (0, 1, 3), 4: (0, 1, 2, 3)}


@dataclass(frozen=True)
class GradeScale:
    """Grades, lowest first, with their labels; one hue from pale to deep.

    >>> scale = GradeScale({0: "Not relevant", 1: "Helps", 2: "Answers"})
    >>> [scale.shade(grade) for grade in scale.grades], scale.shade(None), scale.words(AssessorAnswer("judged", 2))
    ([0, 1, 3], 'none', '2, Answers')
    """

    labels: Mapping[int, str]

    @property
    def grades(self) -> tuple[int, ...]:
        """All grades, lowest first."""
        return tuple(sorted(self.labels))

    def label(self, grade: int) -> str:
        """What a grade means; the grade itself if there are no words for it."""
        return self.labels.get(grade, str(grade))

    def shade(self, grade: int | None) -> int | str:
        """Which of five shades a grade has; an answer without a grade is hollow."""
        if grade is None or grade not in self.labels:
            return "none"
        place, many = self.grades.index(grade), len(self.labels)
        return _SHADES[many][place] if many in _SHADES else round(place * 4 / (many - 1))

    def short(self, answer: AssessorAnswer) -> str:
        """An answer for a list: the grade, or what was said instead."""
        return str(answer.grade) if answer.status == "judged" else {"cannot": "cannot", "later": "later"}[answer.status]

    def words(self, answer: AssessorAnswer) -> str:
        """An answer in words."""
        if answer.status == "judged" and answer.grade is not None:
            label = self.label(answer.grade)
            return f"{answer.grade}, {label}" if label != str(answer.grade) else label
        return "later" if answer.status == "later" else f"cannot judge: {answer.reason}".removesuffix(": ")
