"""The walks of docs/architecture.md, walked: every module that a step names is executed, step by step."""

import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

import pytest

import cranfield as cf
from cranfield.judging.records import AssessorAnswer, Work
from cranfield.judging.room import Room
from tests.judging.conftest import make_lab

ROOT = Path(cf.__file__).parent
MAP = (ROOT.parents[1] / "docs" / "architecture.md").read_text(encoding="utf-8")
QRELS = "".join(f"q{topic} 0 d{document} {document % 2}\n" for topic in range(3) for document in range(4))


def steps(walk: str) -> list[list[str]]:
    """The modules that each step of a walk names, in their order."""
    text = MAP.partition(f"**{walk}**")[2].partition("\n\n")[2].partition("\n\n")[0]
    return [re.findall(r"`([a-z_0-9/]+\.py)`", step) for step in re.split(r"^\d+\. ", text, flags=re.MULTILINE)[1:]]


@contextmanager
def watched() -> Iterator[list[str]]:
    """The modules of cranfield in the order in which their functions are called, in all threads that begin inside."""
    called: list[str] = []
    inside = f"{ROOT}{os.sep}"

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(inside) and code.co_name != "<module>":
            called.append(code.co_filename.removeprefix(inside).replace(os.sep, "/"))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield called
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def run_file() -> None:
    cf.evaluate("qrels.txt", ["bm25.run", "dense.run"], ["AP"])


def comparison() -> None:
    scores = cf.evaluate("qrels.txt", ["bm25.run", "dense.run"], ["AP"])
    str(cf.compare(scores, baseline="bm25"))
    cf.compare(scores, adjust="tukey")


def possible_range() -> None:
    for measure in ("nDCG@10", "AP"):
        cf.holes("qrels.txt", ["bm25.run", "dense.run"], measure).verdict("bm25", "dense")


def judgment() -> None:
    lab = make_lab(Path("lab.db"))
    with closing(Room.open(lab.path)) as room:
        room.add_user("ann")
        work = room.next("ann")
        assert isinstance(work, Work)
        room.judge("ann", work.item, AssessorAnswer("judged", 2), client_id="one")
        room.next("ann", after=work.item)


def study() -> None:
    cf.study.reduction("qrels.txt", ["bm25.run", "dense.run"], ["AP"], draws=2, folder="made")
    cf.study.repeat("made/study.json")


WALKS: dict[str, Callable[[], None]] = {
    "One run file": run_file,
    "One comparison": comparison,
    "One range": possible_range,
    "One judgment": judgment,
    "One study": study,
}


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize("walk", WALKS)
def test_a_walk_of_the_map_calls_what_it_names_step_by_step(walk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text(QRELS)
    for name, documents in (("bm25", "d1 d0 d5 d2"), ("dense", "d6 d2 d1")):
        lists = ((topic, place, each) for topic in range(3) for place, each in enumerate(documents.split()))
        lines = (f"q{topic} Q0 {each} {place} {9 - place} {name}\n" for topic, place, each in lists)
        (tmp_path / f"{name}.run").write_text("".join(lines))
    with watched() as called:
        WALKS[walk]()
    named = steps(walk)
    assert len(named) > 3
    assert [module for step in named for module in step if module not in called] == []
    left: Iterable[str] = iter(called)
    assert [step[0] for step in named if step and step[0] not in left] == [], "called earlier than the map says"
