"""Sets of topics: all topics, those with few highly relevant documents, and an order that does not depend on files."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import InputError, MeasureError
from cranfield.errors.wording import setting
from cranfield.measures.grammar import Measure
from cranfield.study.data.collection import Collection
from cranfield.tables.words import counted

RARE = 10  # times as many documents of grade 1 as of a grade that is rare
KEY = 3  # the grade of key documents: what was judged even higher is one too


@dataclass(frozen=True, eq=False)
class NamedTopics:
    """Some of the topics, by a name."""

    name: str
    kept: Bools  # [topic]

    @property
    def words(self) -> str:
        """The name with the number of topics."""
        return f"{self.name} ({counted(int(self.kept.sum()), 'topic')})"


def topic_sets(data: Collection, few: Sequence[int] = ()) -> tuple[NamedTopics, ...]:
    """All topics, then for each grade *k* of `few` those with R(k) > 0 and R(1) ≥ 10 R(k) (FFM14).

    From grade 3 on, the grade of key documents, R(k) also counts the grades above.
    """
    everything = NamedTopics("all", np.ones(len(data.topics), dtype=bool))
    return (everything, *(NamedTopics(f"few of grade {grade}", _rare(data, grade)) for grade in few))


def means_on(data: Collection, topics: NamedTopics) -> Floats:
    """`[run, measure]`: the means over a set of topics; undefined where it is empty."""
    if topics.kept.all():
        return data.full_means
    if not topics.kept.any():
        return np.full(data.full_means.shape, np.nan)
    return data.means(data.full[:, topics.kept])


def by_name(topics: Sequence[str]) -> Ints:
    """The places of topics in the order of their names, for random draws.

    >>> by_name(["10", "2", "1"])
    array([2, 0, 1])
    """
    return np.array(sorted(range(len(topics)), key=topics.__getitem__), dtype=np.int64)


def whole_topics(data: Collection, scores: Floats) -> Ints:
    """The topics, by name, on which every run has a score in `scores[run, topic]`; two at least."""
    order = by_name(data.topics)
    found = order[~np.isnan(scores[:, order]).any(axis=0)]
    if len(found) < 2:
        problem = f"at least 2 topics with a score of every run are needed, got {len(found)}"
        raise InputError("E208", problem, hint=f"{setting('topic_set', 'qrels')} scores a topic without a list as 0")
    return found


def need_means(measures: Sequence[Measure]) -> None:
    """Refuse measures that are not averaged by a mean, because their difference is not a mean of differences."""
    if other := next((measure for measure in measures if measure.definition.average != "mean"), None):
        how = {"geometric": "a geometric mean", "sum": "a sum"}[other.definition.average]
        raise MeasureError("E230", f"{other} cannot be studied in this way", hint=f"its summary over topics is {how}")


def _rare(data: Collection, grade: int) -> Bools:
    judgments, topics = data.judgments, len(data.topics)
    lowest = np.bincount(judgments.topic[judgments.grade == 1], minlength=topics)
    wanted = judgments.grade >= grade if grade >= KEY else judgments.grade == grade
    here = np.bincount(judgments.topic[wanted], minlength=topics)
    return np.asarray((here > 0) & (lowest >= RARE * here))
