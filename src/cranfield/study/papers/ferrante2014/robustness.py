"""Graded average precision with fewer judgments, on all topics or where a grade is rare (FFM14 Figs 1 and 2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from cranfield.measures.grammar import Measure
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import topic_sets
from cranfield.study.engine.definition import UnitResult, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.fewer_judgments.reduction import Reduction
from cranfield.study.papers.ferrante2014.fewer_topics import on_topics
from cranfield.study.papers.ferrante2014.printed import GRADED, KEY, USERS
from cranfield.study.summaries.variants import variant


@dataclass(frozen=True)
class Robustness(Reduction):
    """A reduction that adds GAP, xGAP and eGAP, for the users of the paper's figures, to the measures.

    A topic keeps the same judgments whatever other topics there are.
    """

    few: int | None = option(None, "only topics where this grade is rare", metavar="K")

    def seen(self, data: Collection) -> Collection | None:
        """The collection on these topics; None if no topic is left."""
        return _seen(data, self.few)

    def units(self, data: Collection) -> Sequence[Any]:
        """The units of the reduction on these topics."""
        seen = self.seen(data)
        return [] if seen is None else super().units(seen)

    def size(self, data: Collection, unit: Any) -> int:
        """The size of a unit of the reduction."""
        return super().size(self.seen(data) or data, unit)

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of the runs on these topics."""
        return super().work(self.seen(data) or data, unit, seed)

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """The findings of the reduction, named after the set of topics."""
        name = "all topics" if self.few is None else f"topics with few of grade {self.few}"
        seen = self.seen(data)
        if seen is None:
            return Findings(title=f"There are no {name}", shown=(), tidy=())
        made = super().findings(seen, found, seed)
        capital = f"{name[0].upper()}{name[1:]}"
        return replace(
            made,
            title=f"{capital}: {made.title}",
            aside={f"{capital}: {title}": columns for title, columns in made.aside.items()},
            drawings={name: replace(each, title=f"{each.title}, {name}") for name, each in made.drawings.items()},
        )


def user(data: Collection) -> tuple[float, ...]:
    """The shares g of the users who want each grade, from grade 1: those of the figures, by the highest grade."""
    return USERS[max(2, min(KEY, int(data.hits.top_grade)))]


def graded(data: Collection) -> dict[str, Measure]:
    """GAP, xGAP and eGAP for those users, by their names in the paper.

    >>> qrels = {"q1": {"a": 2, "b": 1, "c": 0}}
    >>> str(graded(Collection.of(qrels, {"x": {"q1": ["a", "b"]}}, "AP"))["GAP"])
    'GAP(g={1: 0.1, 2: 0.9})'
    """
    g = dict(enumerate(user(data), start=1))
    return {name: variant(data, name, {"g": g}) for name in GRADED}


@lru_cache(maxsize=4)
def _seen(data: Collection, few: int | None) -> Collection | None:
    """The collection on some topics, with three more measures; all units of a process share it."""
    more = replace(data, measures=tuple(dict.fromkeys((*graded(data).values(), *data.measures))))
    if few is None:
        return more
    kept = topic_sets(data, (few,))[1].kept
    return on_topics(more, kept) if kept.any() else None
