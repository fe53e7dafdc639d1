"""The collection of the demo as files: documents, topics, guidelines, judgments, the pool, and a run of each system."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from cranfield.sample.library.world import LibraryWorld
from cranfield.sample.library.written import written_text, written_topics
from cranfield.tables.words import counted
from cranfield.write import render, write_table


@dataclass(frozen=True)
class LibraryFiles:
    """The files, and of which library they are."""

    documents: Path  # the docstrings, as JSON lines
    topics: Path  # title, description and narrative, as JSON lines
    guidelines: Path  # what grades mean, and how these were made
    qrels: Path  # the judgments that are evaluated with
    judgments: Path  # every grade of both assessors
    pool: Path  # the pairs that were judged
    runs: tuple[Path, ...]
    python: str  # its version
    count: int  # of documents
    sha256: str  # of the file of documents
    absent: tuple[str, ...]  # judged documents that this Python does not have
    judged_twice: int  # pairs with two grades

    @property
    def all(self) -> tuple[Path, ...]:
        """All of them."""
        return (self.documents, self.topics, self.guidelines, self.qrels, self.judgments, self.pool, *self.runs)

    @property
    def line(self) -> str:
        """Of which library they are, in one line."""
        lost = f"; {counted(len(self.absent), 'judged name')} absent in it dropped" if self.absent else ""
        return f"{self.count:,} docstrings of Python {self.python}, sha256 {self.sha256[:12]}{lost}"

    def result(self) -> dict[str, str | int | list[str]]:
        """The same for JSON."""
        names = list(self.absent)
        return {"python": self.python, "documents": self.count, "sha256": self.sha256, "absent": names}

    def as_input(self) -> dict[str, str | int]:
        """The documents as an input of a result."""
        return {"role": "documents", "name": str(self.documents), "rows": self.count, "sha256": self.sha256}


def write_library(world: LibraryWorld, folder: Path) -> LibraryFiles:
    """Write the files into a folder."""
    (folder / "runs").mkdir(exist_ok=True)
    documents = render(world.documents, "documents-jsonl")
    (folder / "documents.jsonl").write_bytes(documents)
    write_table(written_topics(), folder / "topics.jsonl")
    (folder / "guidelines.md").write_text(written_text("guidelines.md"), encoding="utf-8", newline="\n")
    write_table(world.qrels, folder / "qrels.txt", format="qrels-trec")
    said = (json.dumps(row) + "\n" for pair in world.grades for row in pair.judgments())
    (folder / "judgments.jsonl").write_text("".join(said), encoding="utf-8", newline="\n")
    write_table(world.pool, folder / "pool.tsv", format="pool-tsv")
    for run in world.runs:
        write_table(run, folder / "runs" / f"{run.name}.run", format="run-trec")
    return LibraryFiles(
        documents=folder / "documents.jsonl",
        topics=folder / "topics.jsonl",
        guidelines=folder / "guidelines.md",
        qrels=folder / "qrels.txt",
        judgments=folder / "judgments.jsonl",
        pool=folder / "pool.tsv",
        runs=tuple(folder / "runs" / f"{run.name}.run" for run in world.runs),
        python=world.python,
        count=len(world.documents),
        sha256=hashlib.sha256(documents).hexdigest(),
        absent=world.absent,
        judged_twice=sum(pair.second is not None for pair in world.grades),
    )
