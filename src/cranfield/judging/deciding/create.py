"""A decide queue from files: runs, a measure, and what was judged elsewhere."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cranfield.errors import PolicyError
from cranfield.judging.deciding.asking import depth_of_question, lists_of
from cranfield.judging.deciding.queueing import asked_question, decide_queue
from cranfield.judging.filling.texts import document_rows
from cranfield.judging.jobs.commands import perform
from cranfield.judging.lab import Lab
from cranfield.judging.store.documents import document_places
from cranfield.missing.next.deciding.state import DecisionState
from cranfield.read.objects import as_qrels, as_runs
from cranfield.tables.words import counted

DEEPEST = 1000  # documents of a list that are kept


@dataclass(frozen=True)
class AskedLab:
    """What became of a question: the queue, its pairs, how many of their documents have no text, what is known."""

    lab: Lab
    name: str
    pairs: int
    without_text: int
    state: DecisionState
    assessors: int = 1

    def lines(self) -> str:
        """In words."""
        each = f", each for {self.assessors} assessors" if self.assessors > 1 else ""
        said = f"{self.lab.path}: queue {self.name!r} with {counted(self.pairs, 'pair')}{each}\n{self.state.sentence}"
        if self.without_text:
            said += f"\n{counted(self.without_text, 'document')} without a text: assessors see the id alone"
        return said

    def result(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "lab": str(self.lab.path),
            "queue": self.name,
            "pairs": self.pairs,
            "documents_without_text": self.without_text,
            "measure": self.state.measure,
            "left": self.state.left,
            "sentence": self.state.sentence,
        }


def ask_lab(
    lab: Lab,
    runs: Sequence[str],
    measure: str = "nDCG@10",
    *,
    qrels: str | None = None,
    baseline: str | None = None,
    stop: float = 0.0,
    rel: int = 1,
    docs: str | None = None,
    allow_missing_docs: bool = False,
    name: str = "",
    batch: int = 5,
    assessors: int = 1,
    seed: int = 0,
    url: str | None = None,
) -> AskedLab:
    """Ask the assessors of a lab which runs are better; the runs are kept in the lab.

    Args:
        lab: it has the topics, and perhaps judgments.
        runs: files of two runs or more.
        measure: its name.
        qrels: judgments made elsewhere, which count too.
        baseline: the run that all others are compared with; None: all pairs.
        stop: a probability such as 0.05: also stop when P(A > B) is at most that, or at least 1 minus it; 0: certain.
        rel: the lowest relevant grade.
        docs: texts of documents that the lab does not have.
        allow_missing_docs: whether documents without a text are shown by their ids.
        name: of the queue; by default `decide 1` or the next number.
        batch: how many documents are served in random order before the choice is made anew.
        assessors: how many people judge each document; the grade is that of most of them, or of an adjudicator.
        seed: of draws and orders.
        url: the address of the server that has the lab open.
    """
    if not 0 <= stop < 0.5:
        raise PolicyError("E240", f"stop at {stop:g} is no probability below 0.5", hint="such as 0.05, or 0: certain")
    members = list(as_runs(list(runs)).members)
    judged: dict[str, dict[str, int]] = {}
    if qrels is not None:
        known = as_qrels(qrels)
        for topic, document, grade in zip(known.topic.tolist(), known.document, known.grade.tolist(), strict=True):
            judged.setdefault(known.topics[topic], {})[document] = int(grade)
    with lab.reading() as connection:
        asked = asked_question(
            connection,
            members,
            measure,
            baseline=baseline,
            alpha=stop,
            rel=rel,
            judged=judged,
            batch=batch,
            seed=seed,
        )
        made = decide_queue(connection, asked, name, assessors)
        held = set(document_places(connection))
    new = list(dict.fromkeys(pair.document for pair in made.pairs if pair.document not in held))
    texts = document_rows(docs, new, allow_missing=allow_missing_docs)
    depth = min(depth_of_question(measure, rel), DEEPEST)
    given = {
        "runs": {run.name: lists_of(run, depth) for run in members},
        "queue": asdict(made.row),
        "pairs": list(map(asdict, made.pairs)),
        "topics": [],
        "documents": list(map(asdict, texts.rows)),
    }
    done = perform(lab, "decide", given, url)
    return AskedLab(lab, made.row.name, done["added"], len(texts.missing), made.state, assessors)
