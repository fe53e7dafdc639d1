"""Which grade each pair has, followed event by event."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cranfield.judging.store.deciding import AnswerEvent

CANNOT = None  # what cannot be judged has no grade


@dataclass
class PairAnswers:
    """What assessors say about pairs; events are entered in their order."""

    given: dict[str, dict[str, int | None]] = field(default_factory=dict)  # item -> assessor -> grade
    settled: dict[str, int] = field(default_factory=dict)

    def enter(self, event: AnswerEvent) -> None:
        """Enter one event."""
        if event.adjudicated:
            if event.grade is None:
                self.settled.pop(event.item, None)
            else:
                self.settled[event.item] = event.grade
            return
        said = self.given.setdefault(event.item, {})
        if event.status in ("judged", "cannot"):
            said[event.assessor] = event.grade if event.status == "judged" else CANNOT
        else:
            said.pop(event.assessor, None)

    def answered(self, item: str) -> bool:
        """Whether a pair has an answer."""
        return item in self.settled or bool(self.given.get(item))

    def grade(self, item: str) -> int | None:
        """The grade of a pair; None if it cannot be judged, or is not judged."""
        return self.settled.get(item, common_grade(self.given.get(item, {}).values()))

    def graded(self, names: Mapping[str, tuple[str, str]]) -> dict[str, dict[str, int]]:
        """All grades by topic and document."""
        found: dict[str, dict[str, int]] = {}
        for item in {*self.given, *self.settled} & set(names):
            topic, document = names[item]
            if (grade := self.grade(item)) is not None:
                found.setdefault(topic, {})[document] = grade
        return found


def common_grade(grades: Iterable[int | None]) -> int | None:
    """The lower median of grades, so that it is one of them; None without any.

    >>> common_grade([2, 0, None, 1]), common_grade([2, 1]), common_grade([None])
    (1, 1, None)
    """
    known = sorted(grade for grade in grades if grade is not None)
    return known[(len(known) - 1) // 2] if known else None
