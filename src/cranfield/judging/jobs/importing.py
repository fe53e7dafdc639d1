"""Judgments made elsewhere enter as events of an assessor of their own."""

from collections.abc import Iterable
from dataclasses import dataclass

from cranfield.errors import StoreError
from cranfield.judging.jobs.people import change_person, new_person
from cranfield.judging.jobs.saving import record
from cranfield.judging.queue.answers import answer_data, checked_answer
from cranfield.judging.records import AssessorAnswer, PersonKind
from cranfield.judging.store.events import Event
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.judgments import judgment_of
from cranfield.judging.store.meta import grade_labels
from cranfield.judging.store.outside.requests import items_by_pair
from cranfield.judging.store.people import person


@dataclass(frozen=True)
class ImportedJudgments:
    """What became of judgments made elsewhere.

    Attributes:
        assessor: under whose name they are in the lab.
        kind: of that assessor.
        added: judgments of pairs that the assessor had not judged.
        changed: judgments that replace earlier ones of the assessor.
        unchanged: judgments that were there already.
        unknown: judgments of pairs that are not in the lab, which were left out.
        failed: labels without a grade, which were left out.
        counts: whether they count toward the judgments that a pair needs.
    """

    assessor: str
    kind: PersonKind
    added: int
    changed: int
    unchanged: int
    unknown: int
    failed: int
    counts: bool

    @property
    def exit(self) -> int:
        """The exit code of a command that took them in: 5, if some were left out."""
        return 5 if self.unknown or self.failed else 0

    def line(self) -> str:
        """One line that says so."""
        parts = [f"{self.added:,} added"]
        parts += [f"{self.changed:,} changed"] if self.changed else []
        parts += [f"{self.unchanged:,} were there already"] if self.unchanged else []
        parts += [f"{self.unknown:,} of pairs that are not in the lab (left out)"] if self.unknown else []
        parts += [f"{self.failed:,} without a grade (left out)"] if self.failed else []
        toward = f"they {'count' if self.counts else 'do not count'} toward the judgments that a pair needs"
        return f"judgments of {self.assessor} ({self.kind}): {' · '.join(parts)}; {toward}"


def import_grades(
    connection: Connection,
    name: str,
    kind: PersonKind,
    rows: Iterable[tuple[str, str, int]],
    now: int,
    *,
    counts: bool = False,
    failed: int = 0,
    by: str = "owner",
) -> ImportedJudgments:
    """Store grades of topic and document as events of an assessor; nothing is stored if the lab lacks a grade."""
    _make_person(connection, name, kind, counts, by, now)
    items, labels = items_by_pair(connection), grade_labels(connection)
    tally = {"added": 0, "changed": 0, "unchanged": 0, "unknown": 0}
    for topic, document, grade in rows:
        answer = AssessorAnswer("judged", grade)
        checked_answer(answer, labels)
        item = items.get((topic, document))
        if item is None:
            tally["unknown"] += 1
            continue
        mine = judgment_of(connection, item, name)
        if mine is not None and mine.answer == answer:
            tally["unchanged"] += 1
            continue
        old = None if mine is None else answer_data(mine.answer, 0)
        new = answer_data(answer, 0)
        event = Event("import", name, "import", now, item, old=old, new=new, method="import")
        record(connection, event)
        tally["added" if mine is None else "changed"] += 1
    return ImportedJudgments(name, kind, failed=failed, counts=counts, **tally)


def _make_person(connection: Connection, name: str, kind: PersonKind, counts: bool, by: str, now: int) -> None:
    """The assessor of that name and kind; one who judges in the room is refused, their judgments are their own."""
    found = person(connection, name)
    if found is None:
        found = new_person(connection, name, (), by, now, kind=kind)
    elif found.kind != kind:
        raise StoreError("E410", f"{name!r} is of kind {found.kind}, not {kind}", hint="choose another name")
    elif found.roles:
        hint = "choose another name; judgments made elsewhere are those of another assessor"
        raise StoreError("E410", f"{name!r} judges in the room", hint=hint)
    if found.counts != counts:
        change_person(connection, by, name, now, counts=counts)
