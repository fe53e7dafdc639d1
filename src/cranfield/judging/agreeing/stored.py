"""A lab as a source of `agree`: every grade with its assessor, without gold items."""

from collections.abc import Iterable

from cranfield.judging.exporting.pairs import ExportedPair
from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.exporting.tables import judgments_of
from cranfield.judging.lab import Lab
from cranfield.read.stores import HoldsJudgments, opens_store
from cranfield.tables.judgments import Judgments
from cranfield.tables.source import Source


@opens_store("lab")
def open_lab(path: str) -> HoldsJudgments:
    """The lab at a path."""
    return Lab.open(path)


def snapshot_judgments(lab: LabSnapshot, name: str, *, repeats: bool = False) -> Judgments:
    """The grades of a lab; a model's labels are those of one more assessor."""
    source = Source(name, "lab", lab.hash, lines=False, assessors=True)
    return graded(lab.pairs, source, repeats=repeats)


def graded(pairs: Iterable[ExportedPair], source: Source, *, repeats: bool = False) -> Judgments:
    """The grades of some pairs, by pair and in the order of judging; gold items test assessors and are left out."""
    rows = [
        (pair, said)
        for pair in pairs
        if not pair.gold
        for said in sorted(pair.said, key=lambda each: each.judgment.round)
        if said.grade is not None and (repeats or said.judgment.round == 0)
    ]
    return judgments_of(rows, source)
