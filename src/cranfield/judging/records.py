"""The data that fill a lab and that a room returns: frozen records, times in UTC milliseconds.

The first group are rows that `Lab.create` and `Lab.add` take; the second is what assessors see (nothing there tells
runs, ranks, scores, strata, other people's grades or gold); the third is for owners and adjudicators.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

JudgmentStatus = Literal["judged", "cannot", "later"]
QueueKind = Literal["pool", "list", "decide", "repeat"]
PersonKind = Literal["human", "llm", "import"]
PEOPLE: tuple[PersonKind, ...] = ("human", "import")  # whose judgments count by default
ItemOrder = Literal["random", "pool"]  # of the documents of a topic
DocumentsIn = Literal["kept", "referenced"]  # texts in the lab, or in files
PairProgress = Literal["open", "agreed", "disputed", "settled"]


# what a lab is filled with


@dataclass(frozen=True)
class TopicRow:
    """One topic; `title` is its query."""

    topic: str
    title: str
    description: str = ""
    narrative: str = ""


@dataclass(frozen=True)
class SourceRow:
    """A file that documents are read from at each access; `format` is that of the reader (`documents-jsonl` …)."""

    path: str
    format: str
    encoding: str
    size: int
    modified_ns: int


@dataclass(frozen=True)
class DocumentRow:
    """One document: its text is kept (`body`), or read from `source` at `offset`, or missing (neither).

    `hash` is the SHA-256 of the body, or of the bytes in the source.
    """

    document: str
    title: str = ""
    format: str = "text"  # text, markdown, html, or fields: nothing but fields
    body: str | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)  # values of a JSON record: url, price …
    source: SourceRow | None = None
    offset: int = 0
    length: int = 0
    hash: str = ""


@dataclass(frozen=True)
class PairRow:
    """One pair to judge; the probability that it was chosen is None in an adaptive pool."""

    topic: str
    document: str
    stratum: str = ""
    probability: float | None = 1.0
    grade: int | None = None  # the known grade of a gold item


@dataclass(frozen=True)
class QueueRow:
    """How pairs are judged: by `k` assessors each, and a share `overlap` of them by one more."""

    name: str
    kind: QueueKind = "pool"
    k: int = 1
    overlap: float = 0.0
    seed: int = 0
    threshold: int = 1  # grades that differ by so much are a disagreement
    gold_rate: float = 0.0
    adaptive: bool = False
    pool: Mapping[str, Any] = field(default_factory=dict)  # where the pairs come from
    asked: Mapping[str, Any] = field(default_factory=dict)  # what a decide queue is to decide


# what assessors see


@dataclass(frozen=True)
class AssessorAnswer:
    """What an assessor says about a pair; `marks` are passages as (start, end) in characters."""

    status: JudgmentStatus
    grade: int | None = None
    note: str = ""
    marks: tuple[tuple[int, int], ...] = ()
    flag: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Judgment:
    """An answer that is stored: by which assessor, in which round (0, or 1 … for repeats), and since when."""

    item: str
    assessor: str
    round: int
    answer: AssessorAnswer
    version: int  # the event that made it so
    at_ms: int


@dataclass(frozen=True)
class Work:
    """One pair to judge, and until when it is held for this assessor."""

    item: str
    topic: str
    topic_number: int
    topics: int
    title: str
    description: str
    narrative: str
    document_id: str
    document_title: str
    mine: Judgment | None
    version: int | None
    until_ms: int | None  # None: it is judged already, and nothing is held
    round: int
    guideline: str


@dataclass(frozen=True)
class NoWork:
    """Nothing to judge now: finished, or `held` pairs are with others, the first of them until `first_free_ms`."""

    finished: bool
    held: int = 0
    first_free_ms: int | None = None


@dataclass(frozen=True)
class ShownDocument:
    """A document to show; `problem` says in words why there is no text."""

    document_id: str
    title: str
    format: str
    text: str
    fields: Mapping[str, Any]  # values of a JSON record
    problem: str = ""
    need: str = ""  # title of the topic, whose words are highlighted


@dataclass(frozen=True)
class SavedJudgment:
    """An event that is on disk. `version` is what the next change of this judgment must name."""

    event: int
    at_ms: int
    version: int | None
    item: str
    round: int = 0


@dataclass(frozen=True)
class Conflict:
    """An answer that was not saved, because the judgment has changed since the page was loaded."""

    mine: AssessorAnswer
    theirs: Judgment
    version: int


@dataclass(frozen=True)
class OwnProgress:
    """How far an assessor is: pairs done, pairs done or open to them, and judgments per minute lately."""

    done: int
    total: int
    per_minute: float | None


@dataclass(frozen=True)
class OwnJudgment:
    """One of the own last judgments, as listed beside the document."""

    judgment: Judgment
    topic: str
    document_id: str
    document_title: str


@dataclass(frozen=True)
class OwnTopic:
    """What an assessor did in a topic: how many pairs have each grade, and how many none."""

    topic: str
    topic_number: int
    topics: int
    title: str
    grades: Mapping[int, int]
    cannot: int
    later: int

    @property
    def done(self) -> int:
        """Pairs with an answer, a grade or none."""
        return sum(self.grades.values()) + self.cannot


@dataclass(frozen=True)
class Guidelines:
    """The guidelines in force: Markdown, and the hash that judgments record."""

    hash: str
    text: str


# what owners and adjudicators see


@dataclass(frozen=True)
class Person:
    """An account, or a name under which judgments were imported; `counts`: toward the k of a pair."""

    name: str
    kind: PersonKind
    roles: tuple[str, ...]
    disabled: bool
    counts: bool


@dataclass(frozen=True)
class Lease:
    """A pair that an assessor holds."""

    item: str
    assessor: str
    round: int
    since_ms: int
    until_ms: int
    claim: int  # the event that began it


@dataclass(frozen=True)
class QueueState:
    """A queue, and how far it is."""

    id: int
    queue: QueueRow
    closed: bool
    pairs: int
    open: int
    gold: int = 0  # pairs whose grade is known, which are none of the others


@dataclass(frozen=True)
class Dispute:
    """A pair whose assessors disagree, with everything they said."""

    item: str
    topic: str
    title: str
    description: str
    narrative: str
    document_id: str
    document_title: str
    judgments: tuple[Judgment, ...]
    settled_grade: int | None
    settled_by: str | None
    version: int | None  # the last decision, which a new one must name
