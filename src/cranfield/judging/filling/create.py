"""A new lab from files, and more pairs for one."""

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cranfield.judging.filling.grades import labelled, read_grades, read_share
from cranfield.judging.filling.pairs import read_chosen, topic_rows
from cranfield.judging.filling.texts import FoundTexts, document_rows
from cranfield.judging.jobs.commands import perform
from cranfield.judging.jobs.filling import Filled
from cranfield.judging.lab import Lab
from cranfield.judging.records import DocumentsIn, QueueRow
from cranfield.judging.store.documents import document_places
from cranfield.judging.store.events import chosen_events
from cranfield.judging.store.files.opening import refuse_existing
from cranfield.judging.store.items import topic_places
from cranfield.tables.words import counted
from cranfield.whole_files import cannot_read


@dataclass(frozen=True)
class FilledLab:
    """What became of the files: pairs, those for one more assessor, those that were there, documents, those found."""

    lab: Lab
    pairs: int
    overlapping: int
    skipped: int
    documents: int
    found: int

    def line(self) -> str:
        """One line that says so."""
        more = f", {self.overlapping:,} of them for two assessors" if self.overlapping else ""
        old = f", {self.skipped:,} more were there already" if self.skipped else ""
        texts = f"{self.found:,} of {counted(self.documents, 'document')} found"
        return f"{self.lab.path}: {counted(self.pairs, 'pair')}{more}{old}; {texts}"

    def result(self) -> dict[str, Any]:
        """The same for JSON."""
        return {
            "lab": str(self.lab.path),
            "pairs": self.pairs,
            "overlapping": self.overlapping,
            "skipped": self.skipped,
            "documents": self.documents,
            "documents_found": self.found,
        }


def create_lab(
    path: "str | os.PathLike[str]",
    *,
    pool: str,
    topics: str | None = None,
    docs: str | None = None,
    grades: str = "0-1",
    labels: str | None = None,
    guidelines: str | None = None,
    assessors: int = 1,
    overlap: str = "0%",
    order: str = "random",
    seed: int = 0,
    documents: DocumentsIn = "kept",
    allow_missing_docs: bool = False,
    encoding: str = "utf-8",
) -> FilledLab:
    """A new lab of a pool, its topics and documents; a file that exists is refused."""
    refuse_existing(Path(path))
    named = labelled(read_grades(grades), labels)
    text = "" if guidelines is None else _text(guidelines)
    chosen = read_chosen(pool, encoding=encoding)
    queue = QueueRow(
        name="pool",
        k=assessors,
        overlap=read_share(overlap),
        seed=seed,
        adaptive=chosen.adaptive,
        pool={"file": chosen.name, "sha256": chosen.sha256},
    )
    needs = topic_rows(topics, chosen.topics, encoding=encoding)
    texts = document_rows(
        docs, chosen.documents, allow_missing=allow_missing_docs, keep=documents == "kept", encoding=encoding
    )
    lab = Lab.create_from_rows(path, chosen.rows, needs, texts.rows, named, queue=queue, guidelines=text, order=order)
    with lab.reading() as store:
        made = chosen_events(store, kind="queue")[-1].new or {}
    return _filled(lab, Filled(1, made["added"], made["skipped"], made.get("overlapping", 0)), texts)


def add_pairs(
    lab: Lab,
    pairs: str,
    *,
    topics: str | None = None,
    docs: str | None = None,
    name: str = "",
    assessors: int = 1,
    overlap: str = "0%",
    seed: int = 0,
    documents: DocumentsIn = "kept",
    allow_missing_docs: bool = False,
    url: str | None = None,
    encoding: str = "utf-8",
) -> FilledLab:
    """More pairs for a lab, or for the server at `url` that has it open; what the lab knows needs no files."""
    chosen = read_chosen(pairs, encoding=encoding)
    with lab.reading() as store:
        known_topics, known_documents = topic_places(store), document_places(store)
    needs = topic_rows(topics, [each for each in chosen.topics if each not in known_topics], encoding=encoding)
    wanted = [each for each in chosen.documents if each not in known_documents]
    keep = documents == "kept"
    texts = document_rows(docs, wanted, allow_missing=allow_missing_docs, keep=keep, encoding=encoding)
    queue = QueueRow(
        name=name or os.path.basename(pairs),
        kind="list",
        k=assessors,
        overlap=read_share(overlap),
        seed=seed,
        adaptive=chosen.adaptive,
        pool={"file": chosen.name, "sha256": chosen.sha256},
    )
    given = {
        "queue": asdict(queue),
        "pairs": list(map(asdict, chosen.rows)),
        "topics": list(map(asdict, needs)),
        "documents": list(map(asdict, texts.rows)),
    }
    done = perform(lab, "add pairs", given, url)
    return _filled(lab, Filled(0, done["added"], done["skipped"], done["overlapping"]), texts)


def _filled(lab: Lab, filled: Filled, texts: FoundTexts) -> FilledLab:
    return FilledLab(
        lab=lab,
        pairs=filled.pairs,
        overlapping=filled.overlapping,
        skipped=filled.skipped,
        documents=len(texts.rows),
        found=texts.found,
    )


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, ValueError) as error:
        raise cannot_read(path, error, "guidelines are a Markdown file") from None
