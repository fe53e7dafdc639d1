"""One ranking for user-defined measures: ids, scores and grades, best first."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import MeasureError
from cranfield.errors.arguments import checked_methods


@checked_methods
@dataclass(frozen=True, eq=False)
class Ranking:
    """One topic of one run. Parameters of the measure are attributes: `r.rel`, `r.k`.

    Attributes:
        ids: document ids, best first.
        scores: their scores.
        judged: which of them were judged.
        R: relevant documents of the topic (at the level `rel`, if the measure has one), found or not.
        N: judged documents of the topic that are not relevant.
        ideal: the grades of all judged documents, best first.
        k: the cut-off, or None.

    >>> hits = Hits.of([[(1, 2), (3, 0)]], levels=[[1, 0, 1]], retrieved=[3])
    >>> ranking = next(rankings_of(hits, {"rel": 1}))
    >>> ranking.grades(default=-1), ranking.R, ranking.rel  # the second document was not judged
    (array([ 2., -1.,  0.]), 1, 1)
    """

    ids: tuple[str, ...]
    scores: Floats
    judged: Bools
    R: int
    N: int
    ideal: Ints | Floats
    k: int | None = None
    _grades: Floats = field(default_factory=lambda: np.empty(0))
    _parameters: Mapping[str, Any] = field(default_factory=dict)  # whatever the measure declares

    def grades(self, default: float | None = None) -> Floats:
        """The grade of each document; unjudged documents get `default`, and without it they are an error."""
        if default is None:
            if not self.judged.all():
                raise MeasureError(
                    "E203",
                    f"document {self.ids[int(np.argmin(self.judged))]!r} is not judged",
                    hint="grades(default=0) gives unjudged documents grade 0",
                )
            return self._grades
        return np.where(self.judged, self._grades, default)

    def __getattr__(self, name: str) -> Any:  # a parameter of the measure
        if name.startswith("_") or name not in self._parameters:
            raise AttributeError(f"a ranking has no attribute {name!r}")
        return self._parameters[name]


def rankings_of(hits: Hits, parameters: Mapping[str, Any]) -> Iterator[Ranking]:
    """Every ranking of a table of hits, one by one."""
    rel = parameters.get("rel", 1)
    relevant, below = hits.judged_at_least(rel), hits.judged_below(rel)
    starts = np.searchsorted(hits.ranking, np.arange(len(hits) + 1))
    base = np.searchsorted(hits.base_topic, np.arange(hits.topics + 1))
    for number in range(len(hits)):
        own = slice(starts[number], starts[number + 1])
        judged = np.zeros(hits.retrieved[number], dtype=bool)
        judged[hits.rank[own] - 1] = True
        grades = np.zeros(len(judged))
        grades[hits.rank[own] - 1] = hits.grade[own]
        ids, scores = _listed(hits, number, own)
        topic = hits.topic[number]
        yield Ranking(
            ids=ids,
            scores=scores,
            judged=judged,
            R=int(relevant[number]),
            N=int(below[number]),
            ideal=hits.base_grade[base[topic] : base[topic + 1]],
            k=parameters.get("cutoff"),
            _grades=grades,
            _parameters={name: value for name, value in parameters.items() if name != "cutoff"},
        )


def _listed(hits: Hits, number: int, own: slice) -> tuple[tuple[str, ...], Floats]:
    """Ids and scores of one list, if the hits keep the rankings they came from."""
    if hits.lists is None:
        return ("",) * int(hits.retrieved[number]), np.zeros(hits.retrieved[number])
    whole = hits.begin[number] + np.arange(hits.retrieved[number])
    places = hits.place[own] if hits.is_condensed else whole
    rows = hits.lists.row[places]
    return tuple(hits.lists.run.document.take(rows)), hits.lists.run.score[rows]
