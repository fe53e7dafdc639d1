"""Ids that look the same but are not: `é` as one character, or as `e` with an accent that follows it.

Ids are compared byte by byte. Where a run and its qrels were written by programs that normalise Unicode differently,
judged documents look unjudged; this module warns, and changes no id.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cranfield.arrays import NO_INTS, Ints
from cranfield.errors import DataWarning
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.text import Text
from cranfield.tables.words import counted


class Misspelt(NamedTuple):
    """Ids of a run that would match a judged id after normalisation: how many, and the first with its judged id."""

    noun: str
    ids: int
    given: str
    judged: str

    @property
    def message(self) -> str:
        """The warning text; characters that are not ASCII are escaped, so that the difference can be seen."""
        given, judged = ascii(self.given), ascii(self.judged)
        what = counted(self.ids, self.noun)
        return f"{what} would match only after Unicode normalisation: {given} here, {judged} in the qrels"


@dataclass(frozen=True)
class Spellings:
    """The judged ids that are more than ASCII, by their normal form."""

    topics: dict[str, str]
    documents: dict[tuple[str, str], str]

    @classmethod
    def of(cls, qrels: Qrels) -> "Spellings":
        """The judged ids of some qrels that are not ASCII; usually there are none."""
        names = [(qrels.topics[qrels.topic[row]], qrels.document[row]) for row in _accented(qrels.document).tolist()]
        return cls(
            {normal(topic): topic for topic in qrels.topics if not topic.isascii()},
            {(normal(topic), normal(document)): document for topic, document in names},
        )

    def misspelt(self, run: Run) -> list[Misspelt]:
        """The ids that a run spells differently.

        >>> qrels = Qrels.of(["1"], ["caf" + chr(0xE9)], [1])
        >>> Spellings.of(qrels).misspelt(Run.of("a", ["1"], ["cafe" + chr(0x301)], [1.0]))
        [Misspelt(noun='document', ids=1, ...)]
        """
        if not self.topics and not self.documents:
            return []
        topics = [(topic, self.topics.get(normal(topic), topic)) for topic in run.topics if not topic.isascii()]
        rows = _accented(run.document).tolist() if self.documents else []
        names = [(normal(run.topics[run.topic[row]]), run.document[row]) for row in rows]
        documents = [(name, self.documents.get((topic, normal(name)), name)) for topic, name in names]
        found = {"topic": topics, "document": documents}
        unlike = {noun: [(one, two) for one, two in pairs if one != two] for noun, pairs in found.items()}
        return [Misspelt(noun, len(pairs), *pairs[0]) for noun, pairs in unlike.items() if pairs]

    def warnings(self, run: Run) -> list[DataWarning]:
        """The same as warnings."""
        return [DataWarning("W119", each.message, run.source.name or run.name) for each in self.misspelt(run)]


def normal(name: str) -> str:
    """The composed form."""
    from unicodedata import normalize

    return normalize("NFC", name)


def _accented(names: Text) -> Ints:
    """The rows whose text is more than ASCII."""
    if names.ascii:
        return NO_INTS
    buffer, start, length = names.flat
    high = buffer > 127
    before = np.concatenate(([0], np.cumsum(high, dtype=np.int64)))
    return np.flatnonzero(before[start + length] > before[start])
