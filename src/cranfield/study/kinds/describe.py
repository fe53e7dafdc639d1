"""`describe`: statistics of the judgments and of the runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.study.data.collection import Collection
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Curve, Drawing, Findings
from cranfield.study.summaries.census import JudgedCounts, Ranks, Tops, judged_without_gap, mean_words, pool_depths
from cranfield.tables.sheets.sheet import MISSING, Column
from cranfield.tables.side.matching import match_names, warn_of_lacking
from cranfield.tables.words import counted

_SOME = 12  # topics that a note names


@define(
    "describe",
    "what was judged, and what is in the lists",
    cites="ahlgren2007 ferrante2014",
    examples=(
        "cranfield study describe qrels.txt runs/*.run",
        "cranfield study describe qrels.txt runs/*.run --depths 1000,100 --ties given",
        "cranfield study describe qrels.txt runs/*.run -m AP -m nDCG -o described/",
    ),
)
@dataclass(frozen=True)
class Describe(Study[Collection]):
    """Count the judgments, and the relevant, not relevant and unjudged documents in the lists.

    No judgment is removed, and nothing is random. A grade is rare in a topic that has documents of it, but ten
    times as many of grade 1. Charts: the share of each kind of document by rank, and the means of the runs.
    """

    depths: tuple[int, ...] = option(
        (1000, 100),
        "how deep lists are looked at",
        metavar="K,…",
        check=lambda depths: bool(depths) and all(depth >= 1 for depth in depths),
        rule="whole numbers from 1",
    )
    top_grade: int | None = option(
        None, "higher grades count as this one", metavar="G", check=lambda g: g is None or g >= 1, rule="from 1"
    )
    docs: str | None = option(None, "documents, to say how many there are and how long", metavar="FILE", file=True)
    topics: str | None = option(None, "topics, to say how long their queries are", metavar="FILE", file=True)

    def units(self, data: Collection) -> Sequence[Any]:
        """One unit for everything."""
        return [{}]

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """Nothing: counting is quick."""
        return {}

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """The counts."""
        pool, ranks = JudgedCounts.of(data, self.top_grade), Ranks.of(data, max(self.depths))
        tops = {depth: Tops.of(data, depth) for depth in self.depths}
        rows = [*self._texts(data), *_judged(pool), *_lists(data), *_retrieved(tops)]
        counts = f"{counted(len(data.runs), 'run')} · {counted(len(data.topics), 'topic')}"
        judged = f"{counted(int(pool.judged.sum()), 'judgment')}, none removed"
        return Findings(
            title=f"What is judged and what is retrieved · {counts} · {judged} · ties={data.policy.ties}",
            shown=_summed(rows, words=True),
            tidy=_summed(rows, words=False),
            notes=tuple(_rare(data, pool)),
            details={"topics": _topics(data, pool), "runs": _runs(data, tops), "ranks": _ranks(ranks)},
            drawings={"ranks": _by_rank(ranks), "runs": _by_run(data)},
        )

    def _texts(self, data: Collection) -> list["_SummedUp"]:
        """Documents and queries, where their files are given."""
        from cranfield.read import read_documents, read_topics

        rows: list[_SummedUp] = []
        if self.docs is not None:
            documents = read_documents(self.docs)
            match_names(documents, data.judged_documents, "document", path=self.docs, more_is_fine=True)
            warn_of_lacking(data.judged_documents, documents, "judged document", path=self.docs)
            texts = [document.text for document in documents.values()]
            sizes = np.array([len(text.encode("utf-8", "surrogatepass")) for text in texts])
            rows.append(_SummedUp("documents", sizes, "bytes per document"))
            rows.append(_SummedUp("documents", np.array([len(text.split()) for text in texts]), "words per document"))
        if self.topics is not None:
            topics = read_topics(self.topics)
            match_names(list(topics), data.topics, "topic", path=self.topics)
            warn_of_lacking(data.topics, topics, "judged topic", path=self.topics)
            queries = [topic.query for topic in topics.members if topic.id in data.topics]
            rows.append(_SummedUp("topics", np.array([mean_words([query]) for query in queries]), "words per query"))
        return rows


@dataclass(frozen=True, eq=False)
class _SummedUp:
    """Some numbers that are summed up in a row."""

    part: str
    values: Ints | Floats
    name: str
    level: float | None = None  # a grade or a depth


def _judged(pool: JudgedCounts) -> list[_SummedUp]:
    rows = [_SummedUp("pool", pool.judged, "judged per topic"), _SummedUp("pool", pool.relevant, "relevant per topic")]
    rows += [_SummedUp("pool", count, f"grade {grade:g} per topic", grade) for grade, count in pool.graded.items()]
    if pool.pooled.any():
        rows.append(_SummedUp("pool", pool.pooled, "pooled, not judged, per topic"))
    return rows


def _lists(data: Collection) -> list[_SummedUp]:
    """The lengths of lists, and the ranks down to which they are judged without a gap."""
    return [
        _SummedUp("lists", data.hits.retrieved, "length of a list"),
        _SummedUp("lists", judged_without_gap(data).ravel(), "judged without a gap, per list"),
        _SummedUp("lists", pool_depths(data), "pool depth, per run"),
    ]


def _retrieved(tops: dict[int, Tops]) -> list[_SummedUp]:
    return [
        _SummedUp("lists", getattr(top, name).ravel(), f"{name} in the top {depth}", depth)
        for depth, top in tops.items()
        for name in ("retrieved", "relevant", "unjudged")
    ]


def _summed(rows: Sequence[_SummedUp], words: bool) -> tuple[Column, ...]:
    """Count, mean, smallest, median, largest and sum of each row."""
    known = [row.values if len(row.values) else np.array([np.nan]) for row in rows]
    means = [float(values.mean()) for values in known]
    summed = {
        "min": [float(values.min()) for values in known],
        "median": [float(np.median(values)) for values in known],
        "max": [float(values.max()) for values in known],
        "sum": [float(values.sum()) for values in known],
    }
    if words:
        shown = {name: [_whole(value) for value in values] for name, values in summed.items()}
        return (
            Column("what", [row.name for row in rows]),
            Column("mean", means, ".2f"),
            *(Column(name, values) for name, values in shown.items()),
        )
    return (
        Column("part", [row.part for row in rows]),
        Column("what", [row.name for row in rows]),
        Column("level", [row.level for row in rows]),
        Column("count", [len(row.values) for row in rows]),
        Column("mean", means),
        *(Column(name, values) for name, values in summed.items()),
    )


def _whole(value: float) -> float | int:
    return int(value) if value.is_integer() else value


def _rare(data: Collection, pool: JudgedCounts) -> list[str]:
    """The topics in which the higher grades are rare."""
    notes = []
    for grade in (grade for grade in pool.graded if grade > 1):
        rare = [data.topics[at] for at in np.flatnonzero(pool.rare(grade))]
        named = ", ".join(rare[:_SOME]) + (", …" if len(rare) > _SOME else "")
        notes.append(f"grade {grade:g} is rare in {counted(len(rare), 'topic')}" + (f" ({named})" if rare else ""))
    return notes


def _topics(data: Collection, pool: JudgedCounts) -> tuple[Column, ...]:
    graded = (Column(f"grade_{grade:g}", count) for grade, count in pool.graded.items())
    return (Column("topic", data.topics), Column("judged", pool.judged), Column("relevant", pool.relevant), *graded)


def _runs(data: Collection, tops: dict[int, Tops]) -> tuple[Column, ...]:
    """Means over topics of what each run retrieves, and its mean scores."""
    lists = (
        Column(f"{name}_{depth}", getattr(top, name).mean(axis=1))
        for depth, top in tops.items()
        for name in ("retrieved", "relevant", "unjudged")
    )
    scores = (Column(str(measure), data.full_means[:, m]) for m, measure in enumerate(data.measures))
    return (Column("run", data.runs), Column("group", data.groups), *lists, *scores)


def _ranks(ranks: Ranks) -> tuple[Column, ...]:
    shares = {name: getattr(ranks, name) for name in ("relevant", "nonrelevant", "unjudged")}
    rank = Column("rank", np.arange(1, len(ranks.lists) + 1))
    return (rank, Column("lists", ranks.lists), *(Column(name, share) for name, share in shares.items()))


def _by_rank(ranks: Ranks) -> Drawing:
    """The shares on top of each other: each line is the upper end of its share (AG07 Fig. 1)."""
    x = np.arange(1.0, len(ranks.lists) + 1)
    judged = ranks.relevant + ranks.nonrelevant
    parts = [("relevant", 0 * x, ranks.relevant), ("judged, not relevant", ranks.relevant, judged)]
    curves = [Curve(name, x, high, low, high) for name, low, high in (*parts, ("unjudged", judged, judged * 0 + 1))]
    title = "Relevant, judged and unjudged documents by rank"
    return Drawing(title, "rank", "share of the lists", tuple(curves), across=(1, max(float(x[-1]), 2)), up=(0, 1))


def _by_run(data: Collection) -> Drawing:
    """The means of every run, best first by the first measure (AG07 Fig. 2, SK08 Fig. 2)."""
    order = np.argsort(-np.nan_to_num(data.full_means[:, 0], nan=-np.inf), kind="stable")
    x = np.arange(1.0, len(order) + 1)
    curves = tuple(Curve(str(m), x, data.full_means[order, at]) for at, m in enumerate(data.measures))
    first = str(data.measures[0]) if data.measures else MISSING
    across = (1, max(float(len(order)), 2))
    return Drawing("Mean score of every run", f"runs, best {first} first", "mean score", curves, across=across)
