"""Which grade each pair has, followed event by event."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
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

    def count(self, item: str) -> int:
        """How many assessors have answered."""
        return len(self.given.get(item, {}))

    def complete(self, item: str, assessors: int = 1) -> bool:
        """Whether a pair has the answers of so many assessors, or of an adjudicator."""
        return item in self.settled or self.count(item) >= assessors

    def answered(self, item: str, assessors: int = 1) -> bool:
        """Whether a pair is complete, and one can say which grade it has; else it waits, perhaps for an adjudicator."""
        if item in self.settled:
            return True
        said = self.given.get(item, {}).values()
        return len(said) >= assessors and (assessors == 1 or len(winners(said)) == 1)

    def grade(self, item: str, assessors: int = 1) -> int | None:
        """The grade of a pair; None if it cannot be judged, or is not judged."""
        said = self.given.get(item, {}).values()
        if item not in self.settled and assessors > 1:
            return winners(said)[0]
        return self.settled.get(item, common_grade(said))

    def graded(self, names: Mapping[str, tuple[str, str]]) -> dict[str, dict[str, int]]:
        """All grades by topic and document."""
        found: dict[str, dict[str, int]] = {}
        for item in {*self.given, *self.settled} & set(names):
            topic, document = names[item]
            if (grade := self.grade(item)) is not None:
                found.setdefault(topic, {})[document] = grade
        return found


def winners(grades: Collection[int | None]) -> list[int | None]:
    """The most frequent answers, of which None is that it cannot be judged.

    >>> winners([2, 1, 1]), winners([2, 1]), winners([None, None, 0])
    ([1], [2, 1], [None])
    """
    found = Counter(grades)
    return [grade for grade, number in found.items() if number == max(found.values())]


def common_grade(grades: Iterable[int | None]) -> int | None:
    """The lower median of grades, so that it is one of them; None without any.

    >>> common_grade([2, 0, None, 1]), common_grade([2, 1]), common_grade([None])
    (1, 1, None)
    """
    known = sorted(grade for grade in grades if grade is not None)
    return known[(len(known) - 1) // 2] if known else None
