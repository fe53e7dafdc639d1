"""`topheavy`: how fast the weight of ranks falls in a measure (SK08 Fig. 1 and Table 1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from cranfield.arrays import Floats
from cranfield.measures.grammar import Measure, parse_many
from cranfield.study.data.definition import Measures
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.summaries.by_level import labels
from cranfield.study.summaries.single_hits import ideal, scored, single
from cranfield.tables.sheets.sheet import Column
from cranfield.tables.words import counted

LENGTH = 1000  # of a list
SIZES = (1, 10, 100, 1000)  # relevant documents of the ideal lists of SK08 Table 1


@define(
    "topheavy",
    "how fast the weight of lower ranks falls",
    cites="sakai2008 moffat2008",
    examples=(
        "cranfield study topheavy",
        "cranfield study topheavy -m AP -m nDCG@10 -m RBP --relevant 5,50 --ranks 10",
        "cranfield study topheavy -m Q -m 'RBP(p=0.95)' -o topheavy/",
    ),
)
@dataclass(frozen=True)
class Topheavy(Study[Measures]):
    """Score lists whose only relevant document stands at rank 1, 2, 3 and so on.

    Judgments are binary and complete: R documents are relevant, the list holds one of them and nothing unjudged.
    A measure with a flat curve hardly depends on ranks; one whose curve falls at once depends on the first ranks only.
    """

    data: ClassVar[str] = "measures"
    usual: ClassVar[tuple[str, ...]] = (
        *("RBP(p=0.5)", "RBP(p=0.8)", "RBP(p=0.95)"),
        *("AP", "Q", "nDCG(dcg='jk', b=2)", "nCG@1000"),
    )

    relevant: tuple[int, ...] = option(
        (10, 100),
        "relevant documents R of a topic",
        metavar="R,…",
        check=lambda counts: bool(counts) and all(count >= 1 for count in counts),
        rule="whole numbers from 1",
    )
    ranks: int = option(
        20,
        "lowest rank of the only relevant document",
        metavar="K",
        check=lambda ranks: 1 <= ranks <= LENGTH,
        rule=f"from 1 to {LENGTH}",
    )

    def units(self, data: Measures) -> Sequence[Any]:
        """One: it is quick."""
        return [{}]

    def work(self, data: Measures, unit: Any, seed: int) -> UnitResult:
        """The score of every list by every measure, and those of ideal lists."""
        lists, best = single(self.relevant, self.ranks, LENGTH), ideal(SIZES)
        chosen = self.chosen(data)
        values = np.stack([scored(measure, lists) for measure in chosen], axis=-1)
        tops = np.stack([scored(measure, best) for measure in chosen], axis=-1)
        return {"values": values.reshape(len(self.relevant), self.ranks, len(chosen)), "ideal": tops}

    def chosen(self, data: Measures) -> tuple[Measure, ...]:
        """The measures; by default those of SK08."""
        return data.measures or parse_many(self.usual)

    def findings(self, data: Measures, found: Sequence[UnitResult], seed: int) -> Findings:
        """A row for each rank, a column for each measure."""
        (made,) = found
        values, names = made["values"], [str(measure) for measure in self.chosen(data)]
        shape = values.shape[:2]
        ranks = range(1, self.ranks + 1)
        first = labels(shape, R=self.relevant, rank=ranks)
        cells = [Column(name, values[..., m].ravel(), ".5f") for m, name in enumerate(names)]
        return Findings(
            title=f"Score of a list whose only relevant document stands at a rank · {LENGTH:,} documents, "
            f"all judged, binary · R relevant documents in all",
            shown=(*(first if len(self.relevant) > 1 else first[1:]), *cells),
            tidy=(
                *labels(values.shape, relevant=self.relevant, rank=ranks, measure=names),
                Column("value", values.ravel()),
                Column("of_first", _of_first(values).ravel()),
            ),
            aside={
                "Score of the ideal list, R relevant documents and nothing else": _ideal(names, made["ideal"]),
                "Rank from which on a score is less than half of that at rank 1": _halves(self, names, values),
            },
            details={"ideal": _tidy_ideal(names, made["ideal"])},
            drawings={
                f"relevant-{count}": self._drawing(names, values[at], count) for at, count in enumerate(self.relevant)
            },
        )

    def _drawing(self, names: Sequence[str], values: Floats, count: int) -> Drawing:
        x = np.arange(1, self.ranks + 1, dtype=np.float64)
        curves = tuple(Curve(name, x, values[:, m]) for m, name in enumerate(names))
        title = f"Score of one document of {counted(count, 'relevant one')}"
        return Drawing(title, "rank of the only relevant document", "score", curves, (1, max(2.0, float(self.ranks))))


def _of_first(values: Floats) -> Floats:
    """Each value as a share of that at rank 1."""
    first = np.broadcast_to(values[:, :1], values.shape)
    return np.divide(values, first, out=np.full(values.shape, np.nan), where=first > 0)


def _halves(study: Topheavy, names: Sequence[str], values: Floats) -> tuple[Column, ...]:
    """A note on the rank where half of the score is lost; none if that rank is not in the table."""
    with np.errstate(invalid="ignore"):
        low = _of_first(values) < 0.5
    at = np.where(low.any(axis=1), low.argmax(axis=1) + 1.0, np.nan)
    heads = [f"R = {count}" for count in study.relevant]
    return (Column("measure", names), *(Column(head, at[row], ".0f") for row, head in enumerate(heads)))


def _ideal(names: Sequence[str], values: Floats) -> tuple[Column, ...]:
    return (
        Column("measure", names),
        *(Column(f"R = {count}", values[row], ".4f") for row, count in enumerate(SIZES)),
    )


def _tidy_ideal(names: Sequence[str], values: Floats) -> tuple[Column, ...]:
    return (*labels(values.shape, relevant=SIZES, measure=names), Column("value", values.ravel()))
