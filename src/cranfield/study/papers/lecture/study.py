"""`lecture`: the worked examples of a lecture on evaluation, printed and computed; no data are read."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from cranfield.align.hits import Hits
from cranfield.measures.curves.kinds.gain import gain_vectors
from cranfield.measures.curves.kinds.precision import RECALL_LEVELS, precision_recall
from cranfield.measures.curves.kinds.user_model import user_functions
from cranfield.measures.families.ranked import harmonic
from cranfield.measures.grammar import parse
from cranfield.pooling.pool import pool
from cranfield.pooling.pseudo import pseudo_qrels
from cranfield.stats.agreement.coefficients import PAIRWISE
from cranfield.stats.agreement.tables import Tables
from cranfield.study.data.definition import Measures
from cranfield.study.engine.definition import Study, UnitResult, define
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.papers.lecture import printed
from cranfield.study.papers.printed_value import PrintedValue, agreeing, shown, tidy
from cranfield.tables.sheets.sheet import MISSING, Column

_RANKS = np.arange(1.0, printed.LENGTH + 1)
NOTES = (
    "print: a number on the slides of the item, rounded as there; "
    "own: our arithmetic by hand on the rankings of the slides.",
    "Precision and recall by rank, and reciprocal rank: computed here; we do not hold these rows of the slides. "
    "They show ranking C with 11 columns (.22 twice) and a recall of .66; it has 10, and .67. A half is rounded up.",
)


@define(
    "lecture",
    "the worked examples of a lecture, printed and computed",
    cites="jarvelin2002 moffat2017",
    examples=(
        "cranfield study lecture",
        "cranfield study lecture --format markdown",
        "cranfield study lecture -o lecture/",
    ),
)
@dataclass(frozen=True)
class Lecture(Study[Measures]):
    """Compute the worked examples of a lecture on evaluation, and compare them with its numbers and our own arithmetic.

    Rankings A to D are the two topics of two systems. Charts: precision and recall, and three functions of users.
    """

    data: ClassVar[str] = "measures"

    def units(self, data: Measures) -> Sequence[Any]:
        """All at once."""
        return [{}]

    def work(self, data: Measures, unit: Any, seed: int) -> UnitResult:
        """Nothing: the examples are small."""
        return {}

    def findings(self, data: Measures, found: Sequence[UnitResult], seed: int) -> Findings:
        """The numbers of the lecture, then those we worked out by hand, each with the computed one."""
        table = _discounted()
        own = [*_measured(), *_others()]
        here = {row.what: row.computed for row in own}
        rounded = [PrintedValue(item, what, value, here[what], digits) for item, what, value, digits in printed.PRINTED]
        rows = {"print": [*rounded, *table], "own": own}
        agree = f"{agreeing(rows['print'])} · {agreeing(own, 'numbers of our own arithmetic')}"
        return Findings(
            title=f"{printed.SOURCE} · no data · {agree}",
            shown=_with_origin(rows, shown),
            tidy=_with_origin(rows, tidy),
            notes=NOTES,
            aside={
                "Precision and recall by rank, of the four rankings": _by_rank(),
                "Reciprocal rank, by the rank of the first relevant document": _reciprocal(),
                "Discounted cumulated gain, printed and here": _gain_table(table),
            },
            drawings={"precision-recall": _steps(), "11-point": _averaged(), **dict(_users())},
        )


def _with_origin(
    rows: Mapping[str, Sequence[PrintedValue]], columns: Callable[[Iterable[PrintedValue]], tuple[Column, ...]]
) -> tuple[Column, ...]:
    """All rows in one table, with a column that says whether a number is printed or our own arithmetic."""
    item, what, *rest = columns(row for each in rows.values() for row in each)
    origin = Column("origin", [name for name, each in rows.items() for _ in each])
    heads = {"printed": "number"}
    return (item, what, origin, *(replace(column, name=heads.get(column.name, column.name)) for column in rest))


def _by_rank() -> tuple[Column, ...]:
    """Precision and recall after each rank, a row for each ranking; two digits, rounded as in print."""
    names = tuple("ABCD")
    found = precision_recall(rankings(*names), parse("P@10"), _RANKS)
    rows = [(name, kind, found[kind][at]) for at, name in enumerate(names) for kind in ("precision", "recall")]
    ranks = [
        Column(f"{rank}", [half_up(values[rank - 1]) for _, _, values in rows], ".2f")
        for rank in range(1, printed.LENGTH + 1)
    ]
    return (Column("ranking", [name for name, _, _ in rows]), Column("at rank", [kind for _, kind, _ in rows]), *ranks)


def half_up(value: float, digits: int = 2) -> float:
    """A number above 0 rounded as in print.

    >>> half_up(0.625), half_up(0.775), half_up(2 / 3)
    (0.63, 0.78, 0.67)
    """
    return float(np.floor(value * 10**digits + 0.5 + 1e-9)) / 10**digits


def _reciprocal() -> tuple[Column, ...]:
    ranks = range(1, printed.LENGTH + 1)
    lists = Hits.of([[(rank, 1)] for rank in ranks], [[0, 1]] * len(ranks), [printed.LENGTH] * len(ranks))
    first = {rank: [name for name in "ABCD" if printed.RANKINGS[name][0] == rank] for rank in ranks}
    return (
        Column("rank", list(ranks)),
        Column("RR", np.asarray(parse("RR")(lists)).tolist(), ".4f"),
        Column("rankings", [", ".join(first[rank]) or MISSING for rank in ranks]),
    )


def _gain_table(rows: Sequence[PrintedValue]) -> tuple[Column, ...]:
    """Rank, grade and gain, then DCG, ideal DCG and nDCG, each printed and computed."""
    columns = [
        Column(f"{name}{mark}", [row.words[at] for row in rows if row.what.startswith(f"{name} at")])
        for name in printed.DCG
        for at, mark in enumerate((", print", ""))
    ]
    return (
        Column("rank", list(range(1, printed.LENGTH + 1))),
        Column("grade", list(printed.GRADES)),
        Column("gain", [2**grade - 1 for grade in printed.GRADES]),
        *columns,
    )


def rankings(*names: str) -> Hits:
    """Rankings of the lecture, each a topic of its own.

    >>> rankings("C").rank
    array([ 1,  2,  3,  4,  5,  6,  7,  8,  9, 10])
    """
    relevant = [printed.RANKINGS[name] for name in names]
    lists = [[(rank, int(rank in ranks)) for rank in range(1, printed.LENGTH + 1)] for ranks in relevant]
    return Hits.of(
        lists, [[printed.LENGTH - len(ranks), len(ranks)] for ranks in relevant], [printed.LENGTH] * len(names)
    )


def _measured() -> list[PrintedValue]:
    """Measures of rankings, and their means."""
    found = []
    for each in printed.EXAMPLES:
        values = np.asarray(parse(each.measure)(rankings(*each.rankings)))
        found.append(PrintedValue(each.item, each.what, each.value, float(values.mean()), each.digits))
    return found


def _discounted() -> list[PrintedValue]:
    """The table of DCG, rank by rank."""
    listed = list(enumerate(printed.GRADES, start=1))
    hits = Hits.of([listed], [printed.LEVELS], [len(listed)])
    vectors = gain_vectors(hits, parse(f"DCG(dcg='exp-log2')@{len(listed)}"), _RANKS)
    gained, ideal = vectors["gained"][0], vectors["ideal"][0]
    columns = {"DCG": gained, "ideal DCG": ideal, "nDCG": gained / ideal}
    return [
        PrintedValue("DCG", f"{name} at rank {rank}", value, float(columns[name][rank - 1]), 4)
        for name, values in printed.DCG.items()
        for rank, value in enumerate(values, start=1)
    ]


def _others() -> Iterator[PrintedValue]:
    """F of precision and recall, areas, agreement, the pool."""
    for (precision, recall), value in printed.F_MEASURES.items():
        found, seen, relevant = (np.array([n]) for n in (precision * recall, 100 * recall, 100 * precision))
        what = f"F of precision {precision} %, recall {recall} %"
        yield PrintedValue("set", what, value, float(harmonic(found, seen, relevant, 1.0)[0]), 4)
    for name, (plain, envelope) in printed.AREAS.items():
        recall, steps, best = _step_curve(name)
        width = np.diff(recall, prepend=0.0)
        yield PrintedValue("areas", f"under the steps of {name}", plain, float(width @ steps), 6)
        yield PrintedValue("areas", f"under the envelope of {name}", envelope, float(width @ best), 6)
    table = Tables.of(np.array(printed.ASSESSORS), grades=[1, 0])
    for name, value in printed.AGREEMENT.items():
        yield PrintedValue("agreement", name, value, float(PAIRWISE[name](table)), 6)
    runs = {run: {"1": list(documents)} for run, documents in printed.RUNS.items()}
    pooled, common = pool(runs, depth=3), pseudo_qrels(runs, depth=3, at_least=2)
    counts = (len(pooled.pairs.document), pooled.uniques()["run 3"], int(common.grade.sum()))
    for (what, value), count in zip(printed.POOL.items(), counts, strict=True):
        yield PrintedValue("pool", what, value, count, 0)


def _step_curve(name: str) -> tuple[Any, Any, Any]:  # arrays
    """Recall and precision at each relevant document of a ranking, and the best precision from there on."""
    columns = precision_recall(rankings(name), parse("P@10"), _RANKS)
    at = np.array(printed.RANKINGS[name]) - 1
    recall, precision = columns["recall"][0][at], columns["precision"][0][at]
    return recall, precision, np.maximum.accumulate(precision[::-1])[::-1]


def _steps() -> Drawing:
    recall, precision, best = _step_curve("A")
    x = np.append(0.0, recall)
    lines = {"at each relevant document": precision, "the best from there on": best}
    curves = tuple(Curve(name, x, np.append(y[0], y)) for name, y in lines.items())
    return Drawing("Precision by recall of ranking A", "recall", "precision", curves, (0, 1), (0, 1), steps=True)


def _averaged() -> Drawing:
    curves = []
    for system, names in printed.SYSTEMS.items():
        hits = rankings(*names)
        y = [float(np.mean(parse(f"IPrec@{level:g}")(hits))) for level in RECALL_LEVELS]
        curves.append(Curve(system, RECALL_LEVELS, np.array(y)))
    title = "Interpolated precision, averaged over two topics"
    return Drawing(title, "recall", "interpolated precision", tuple(curves), across=(0, 1), up=(0, 1))


def _users() -> Iterator[tuple[str, Drawing]]:
    """C, W and L of users on ranking A."""
    hits = rankings("A")
    columns = {model: user_functions(hits, parse(model), _RANKS) for model in printed.MODELS}
    said = {"C": "probability to go on", "W": "attention", "L": "probability to stop"}
    for letter, words in said.items():
        curves = tuple(Curve(model, _RANKS, found[letter][0]) for model, found in columns.items())
        title = f"{letter}(i), {words}, on ranking A"
        yield letter, Drawing(title, "rank", f"{letter}(i)", curves, across=(1, printed.LENGTH), up=(0, 1))
