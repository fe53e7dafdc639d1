"""The demo as a lab: its judged pairs with their judgments, and a queue that decides between two runs."""

import json
from io import StringIO
from typing import TYPE_CHECKING

from cranfield.errors import PolicyError
from cranfield.judging.deciding.create import ask_lab
from cranfield.judging.filling.create import create_lab
from cranfield.judging.filling.imported import import_judgments
from cranfield.judging.lab import Lab
from cranfield.sample.library.written import FIRST, SECOND

if TYPE_CHECKING:
    from cranfield.sample.demo import Demo

NAME = "lab.db"


def demo_lab(demo: "Demo") -> Lab:
    """The lab in the folder of a demo, which is made if it is not there."""
    files = demo.library
    if files is None:
        raise PolicyError("E200", "a simulated collection has no documents to judge", hint="build the demo without it")
    path = demo.directory / NAME
    if path.exists():
        return Lab.open(path)
    create_lab(
        path,
        pool=str(files.pool),
        topics=str(files.topics),
        docs=str(files.documents),
        grades="0-2",
        guidelines=str(files.guidelines),
    )
    lab = Lab.open(path)
    lines = files.judgments.read_text(encoding="utf-8").splitlines()
    for assessor in (FIRST, SECOND):
        said = [line for line in lines if json.loads(line)["assessor"] == assessor]
        if said:  # the first one counts, so that the pool is judged and people get only the holes
            import_judgments(lab, StringIO("\n".join(said)), assessor, "llm", counts=assessor == FIRST)
    runs = [str(demo.directory / "runs" / f"{run}.run") for run in demo.question]
    ask_lab(lab, runs, demo.holes.measures[0], qrels=str(files.qrels), docs=str(files.documents))
    return lab
