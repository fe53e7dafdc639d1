"""What the six systems found in the library of CPython 3.11.7, by name and score: no text of the library is kept here.

`python -m tests.sample.library.frozen` writes it again, with that Python.
"""

import gzip
import hashlib
import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from cranfield.sample.demo import Demo, claim, library_demo
from cranfield.sample.library.rankers import RankedNames
from cranfield.sample.library.world import LibraryWorld, this_library
from cranfield.sample.library.written import written_grades
from cranfield.tables.side.documents import Document, Documents
from cranfield.write import render

FILE = Path(__file__).parent / "rankings-3.11.7.json.gz"
LATER = Path(__file__).parent / "later.tsv"


@cache
def frozen() -> dict[str, Any]:  # python, documents, sha256, rankings
    """The file."""
    return json.loads(gzip.decompress(FILE.read_bytes()))


def frozen_rankings() -> dict[str, dict[str, RankedNames]]:
    """By system, topic and document."""
    return {
        system: {topic: dict(zip(*found, strict=True)) for topic, found in topics.items()}
        for system, topics in frozen()["rankings"].items()
    }


@cache
def frozen_world() -> LibraryWorld:
    """The rankings, with documents that have a name and no text."""
    rankings = frozen_rankings()
    names = {name for topics in rankings.values() for found in topics.values() for name in found}
    names |= {pair.document for pair in written_grades()}
    documents = Documents.of(Document(name, "", name) for name in sorted(names))
    return LibraryWorld(documents, rankings, frozen()["python"])


def frozen_demo(folder: Path) -> Demo:
    """The demo on the rankings."""
    claim(folder, force=False)
    demo = library_demo(folder, frozen_world())
    assert demo.library is not None
    return replace(demo, library=replace(demo.library, count=frozen()["documents"], sha256=frozen()["sha256"]))


def grades_of_holes() -> dict[tuple[str, str], int]:
    """Grades of the documents that the demo leaves without one: by the same assessor, and not part of the demo."""
    rows = (line.split("\t") for line in LATER.read_text().splitlines())
    return {(topic, document): int(grade) for topic, document, grade in rows}


def freeze() -> None:
    """Write the file."""
    world = this_library()
    first = {
        system: {topic: [list(found), list(found.values())] for topic, found in topics.items()}
        for system, topics in world.rankings.items()
    }
    about = {"python": world.python, "documents": len(world.documents)}
    about["sha256"] = hashlib.sha256(render(world.documents, "documents-jsonl")).hexdigest()
    data = json.dumps({**about, "rankings": first}, separators=(",", ":")).encode()
    FILE.write_bytes(gzip.compress(data, mtime=0))


if __name__ == "__main__":
    freeze()
