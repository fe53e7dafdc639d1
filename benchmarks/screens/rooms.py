"""Rooms in which there is something to see: one in the middle of its work, one that decides, one that is empty …"""

import secrets
from collections.abc import Callable
from pathlib import Path

from benchmarks.screens.collections import PicturedCollection
from benchmarks.screens.odd_documents import ODD_DOCUMENTS, ODD_TOPICS
from cranfield.judging.deciding.queueing import asked_question, decide_queue
from cranfield.judging.jobs.importing import import_grades
from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, PairRow, QueueRow, Work
from cranfield.judging.room import Room
from cranfield.judging.store.files.clock import Clock
from cranfield.judging.web.passwords import hash_password

GRADES = {0: "Not relevant", 1: "Helps, not alone", 2: "Answers the need"}
PEOPLE = {
    "ada": ("assessor",),
    "bob": ("assessor",),
    "eve": ("adjudicator",),
    "olga": ("owner",),
    "oscar": ("owner", "assessor"),
    "vera": ("viewer",),
}
PASSWORD = "correct horse battery"
GUIDELINES = """Judge whether a researcher with this question would want the paper.

- **Answers the need**: the paper treats the question itself, by theory or by experiment.
- **Helps, not alone**: a method, a table or a special case that one would cite on the way.
- **Not relevant**: the same words in another sense, or a passing remark.

Read the title and the abstract. Do not look the paper up elsewhere. If the text is cut off, choose *cannot judge*."""
MORNING = 1_772_442_000_000  # 2026-03-02, 9:00 UTC
SECONDS = (9, 14, 11, 31, 17, 12, 22, 8)  # that a judgment takes


class SetClock:
    """A clock that goes on when it is told to, so that pictures are the same each time."""

    def __init__(self) -> None:
        self.ms = MORNING

    def clock(self) -> Clock:
        """The clock of a room."""
        return Clock(lambda: self.ms, lambda: self.ms)


class PicturedRoom:
    """A room that is being filled: people, judgments, time that passes."""

    def __init__(self, lab: Lab, known: PicturedCollection) -> None:
        self.time, self.known = SetClock(), known
        self.room = Room.open(lab.path, clock=self.time.clock())
        for name, roles in PEOPLE.items():
            self.room.add_user(name, roles, by="olga")
        self.judged = 0

    def judge(self, name: str, most: int, answer: Callable[[Work], AssessorAnswer] | None = None) -> int:
        """Let a person judge what is served; how many were judged."""
        for number in range(most):
            work = self.room.next(name)
            if not isinstance(work, Work):
                return number
            given = AssessorAnswer("judged", self.known.said(name, work.topic, work.document_id))
            self.answer(name, work, answer(work) if answer else given)
        return most

    def answer(self, name: str, work: Work, answer: AssessorAnswer) -> None:
        """Save one answer, some seconds later."""
        self.judged += 1
        seconds = SECONDS[self.judged % len(SECONDS)]
        self.time.ms += seconds * 1000
        self.room.judge(
            name,
            work.item,
            answer,
            client_id=secrets.token_hex(8),
            version=work.version,
            method="key",
            ms_active=seconds * 900,
            ms_away=0,
            round=work.round,
        )


def working(path: Path, known: PicturedCollection) -> Room:
    """The middle of the work: most pairs judged by two, some in dispute, a model's labels, three runs."""
    lab = _lab(path, known, "Aerodynamics, spring 2026")
    _mix_in_gold(lab, known)
    made = PicturedRoom(lab, known)
    half = max(8, len(known.pool()) // 2)
    many = len(known.pool()) - 9
    made.judge("ada", half)
    made.judge("bob", many)
    made.judge("ada", many - half)
    made.judge("ada", 1, lambda _: AssessorAnswer("cannot", reason="The text is cut off"))
    note = AssessorAnswer("judged", 2, "The experiment of section 3 is the one asked for.", ((0, 40),), flag=True)
    work = made.room.next("ada")
    if isinstance(work, Work):
        made.answer("ada", work, note)
        made.answer("bob", made.room.work("bob", work.item), AssessorAnswer("judged", 0, "Only the title fits."))
    rows = [(topic, document, known.said("model", topic, document)) for topic, document in known.pool()]
    rows = [row for place, row in enumerate(rows) if place % 2]
    made.room.write(lambda store: import_grades(store, "model", "llm", rows, made.time.ms))
    made.room.keep_runs(known.runs, 100)
    made.room.next("ada")
    return made.room


def _mix_in_gold(lab: Lab, known: PicturedCollection) -> None:
    """One in twelve pairs has a known grade: a document of another topic, which is not relevant."""
    pool, documents = {*known.pool()}, [row.document for row in known.documents]
    topics = list(dict.fromkeys(topic for topic, _ in known.pool()))
    others = {topic: [each for each in documents if (topic, each) not in pool] for topic in topics}
    lab.add_gold(
        {topic: {each: known.truth.get(topic, {}).get(each, 0) for each in others[topic][:4]} for topic in topics},
        1 / 12,
    )


def beginning(path: Path, known: PicturedCollection) -> Room:
    """Nothing is judged yet."""
    return PicturedRoom(_lab(path, known, "A new lab"), known).room


def deciding(path: Path, known: PicturedCollection, share: float = 0.6) -> Room:
    """A queue that decides between two runs, on its way; with `share` 1, decided."""
    lab = _lab(path, known, "Which run is better?", pairs=[])
    judged = {
        topic: {document: known.truth.get(topic, {}).get(document, 0) for document in lists[:3]}
        for topic, lists in known.lists["text"].items()
    }
    runs = [run for run in known.runs if run.name in ("text", "titles")]
    with lab.reading() as connection:
        queue = decide_queue(connection, asked_question(connection, runs, "nDCG@10", judged=judged))
    lab.add_rows(queue.row, queue.pairs)
    made = PicturedRoom(lab, known)
    made.room.keep_runs(known.runs, 100)

    def right(work: Work) -> AssessorAnswer:
        return AssessorAnswer("judged", known.truth.get(work.topic, {}).get(work.document_id, 0))

    if share >= 1:
        made.judge("ada", len(queue.pairs), right)
    else:
        left = made.room.decisions("olga")[0].left
        made.judge("ada", max(2, round(left * share)), right)
    return made.room


def finished(path: Path, known: PicturedCollection) -> Room:
    """All pairs of two topics judged by ada, one judgment each."""
    two = {row.topic for row in known.topics[:2]}
    made = PicturedRoom(_lab(path, known, "Two topics", k=1, only=two), known)
    made.judge("ada", 1000)
    return made.room


def held(path: Path, known: PicturedCollection) -> Room:
    """Everything is judged but one pair, which bob holds."""
    two = {row.topic for row in known.topics[:2]}
    lab = _lab(path, known, "Two topics", k=1, only=two)
    made = PicturedRoom(lab, known)
    made.judge("ada", sum(topic in two for topic, _ in known.pool()) - 1)
    made.room.next("bob")
    return made.room


def empty(path: Path, known: PicturedCollection) -> Room:
    """A lab without pairs."""
    return PicturedRoom(_lab(path, known, "An empty lab", pairs=[]), known).room


def odd(path: Path, known: PicturedCollection) -> Room:
    """Documents of every format: long, from right to left, without text, with very long ids."""
    pairs = [
        PairRow(ODD_TOPICS[place % len(ODD_TOPICS)].topic, row.document) for place, row in enumerate(ODD_DOCUMENTS)
    ]
    lab = Lab.create_from_rows(
        path,
        pairs,
        ODD_TOPICS,
        ODD_DOCUMENTS,
        {**GRADES, 3: "The best source there is, also for readers from other fields"},
        queue=QueueRow("pool", k=2),
        name="Odd documents",
    )
    return PicturedRoom(lab, known).room


def unclaimed(path: Path, known: PicturedCollection) -> Room:
    """A lab on this machine that nobody has set up."""
    return Room.open(_lab(path, known, "A new lab").path, clock=SetClock().clock())


def team(path: Path, known: PicturedCollection) -> Room:
    """A lab with an owner who has a password."""
    room = Room.open(_lab(path, known, "A new lab").path, clock=SetClock().clock())
    room.add_user("olga", ("owner",), by="command line", password_hash=hash_password(PASSWORD))
    return room


def _lab(
    path: Path,
    known: PicturedCollection,
    name: str,
    *,
    k: int = 2,
    pairs: list[PairRow] | None = None,
    only: set[str] | None = None,
) -> Lab:
    chosen = [PairRow(topic, document) for topic, document in known.pool() if only is None or topic in only]
    return Lab.create_from_rows(
        path,
        chosen if pairs is None else pairs,
        [row for row in known.topics if only is None or row.topic in only],
        known.documents,
        GRADES,
        queue=QueueRow("pool", k=k, seed=7),
        guidelines=GUIDELINES,
        name=name,
    )
