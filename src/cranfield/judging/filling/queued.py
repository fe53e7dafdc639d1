"""A fixed list of pairs to judge next, put into a lab."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cranfield.judging.lab import Lab
from cranfield.judging.store.documents import documents_without_text
from cranfield.missing.next.result import NextJudgments
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.judging.filling.objects import DocumentsLike


@dataclass(frozen=True)
class QueuedList:
    """A list that was put into a lab: its queue, pairs, topics, and documents of which the lab has no text."""

    lab: str
    queue: str
    pairs: int
    topics: int
    without_text: int

    def line(self) -> str:
        """One line that says so, and how to go on."""
        where = f'(queue "{self.queue}", {counted(self.topics, "topic")})'
        return f"{counted(self.pairs, 'pair')} queued in {self.lab} {where}. Start: cranfield judge {self.lab}"

    def result(self) -> dict[str, Any]:
        """The same for JSON."""
        return vars(self).copy()


def queue_next(lab: "str | os.PathLike[str]", chosen: NextJudgments, docs: "DocumentsLike | None" = None) -> QueuedList:
    """Put documents that should be judged next into a lab, in a new queue that is marked adaptive."""
    opened = Lab.open(lab)
    filled = opened.add(chosen, docs=docs)
    with opened.reading() as connection:
        bare = documents_without_text(connection)
    name = next(state.queue.name for state in opened.status().queues if state.id == filled.queue)
    without = len(bare.intersection(chosen.documents))
    return QueuedList(os.fspath(lab), name, filled.pairs, len(set(chosen.topics)), without)
