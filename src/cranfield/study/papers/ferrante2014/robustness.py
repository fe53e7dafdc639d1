"""Graded average precision with fewer judgments, on all topics or where a grade is rare (FFM14 Figs 1 and 2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from cranfield.measures.grammar import parse_many
from cranfield.study.data.collection import Collection
from cranfield.study.data.topic_sets import topic_sets
from cranfield.study.engine.definition import UnitResult, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.reduction import Reduction
from cranfield.study.papers.ferrante2014.fewer_topics import on_topics
from cranfield.study.papers.ferrante2014.printed import GRADED


@dataclass(frozen=True)
class Robustness(Reduction):
    """A reduction that adds GAP, xGAP and eGAP, whose users want every grade equally often, to the measures.

    A topic keeps the same judgments whatever other topics there are.
    """

    few: int | None = option(None, "only topics where this grade is rare", metavar="K")

    def seen(self, data: Collection) -> Collection | None:
        """What is looked at; nothing, if no topic is left."""
        return _seen(data, self.few)

    def units(self, data: Collection) -> Sequence[Any]:
        """Those of the reduction."""
        seen = self.seen(data)
        return [] if seen is None else super().units(seen)

    def size(self, data: Collection, unit: Any) -> int:
        """That of the reduction."""
        return super().size(self.seen(data) or data, unit)

    def work(self, data: Collection, unit: Any, seed: int) -> UnitResult:
        """The means of the runs on these topics."""
        return super().work(self.seen(data) or data, unit, seed)

    def findings(self, data: Collection, found: Sequence[UnitResult], seed: int) -> Findings:
        """Those of the reduction, called by the set of topics."""
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


@lru_cache(maxsize=4)
def _seen(data: Collection, few: int | None) -> Collection | None:
    """The collection on some topics, with three measures more; all units of a process share it."""
    more = replace(data, measures=tuple(dict.fromkeys((*parse_many(GRADED), *data.measures))))
    if few is None:
        return more
    kept = topic_sets(data, (few,))[1].kept
    return on_topics(more, kept) if kept.any() else None
