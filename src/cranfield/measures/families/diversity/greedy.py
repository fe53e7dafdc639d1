"""The greedy ideal: a list of all judged documents, each the most novel one that was left.

The best list is NP-hard to find. Again and again the document of the largest novelty gain is taken, of equal ones that
of the highest id. Coverage is submodular, so at every rank the list has at least $1 - 1/e$ of what the best one has.
"""

from dataclasses import replace

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Floats, Ints, ordinal, segment_size, segment_sum
from cranfield.measures.families.diversity.facets import kept_subtopics, subtopics, weights

_TIE = 1e-12  # gains that differ by less are equal: the order in which they were added made the difference


def greedy_ideal(hits: Hits, alpha: float = 0.5, rel: float = 1, cutoff: int | None = None) -> Hits:
    """One list per topic, of the judged documents that cover something, each the most novel one that was left.

    >>> hits = Hits.covering([(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 0, 1), (1, 0, 0)], missed=[(0, 1, 0), (0, 1, 1)])
    >>> greedy_ideal(hits).document + 1  # 7 covers as much as 2 and has the higher id, then 5 and 4 before 6 and 1
    array([7, 2, 5, 4, 6, 1])
    """
    table = subtopics(hits)
    kept = kept_subtopics(table, rel)
    weight = np.where(kept, weights(table, kept, hits.topics), 0.0)
    cells = np.flatnonzero(table.grade >= rel)
    document, place = np.unique(table.document[cells], return_inverse=True)
    topic = np.zeros(len(document), dtype=np.int64)
    topic[place] = table.topic[table.subtopic[cells]]
    order = np.lexsort((table.order[document], topic))
    number = np.empty_like(order)  # of each document in the order of the search: by topic, highest id first
    number[order] = np.arange(len(order))
    chosen = _choose(number[place], table.subtopic[cells], weight, topic[order], alpha, cutoff)
    lists = chosen[np.argsort(topic[order][chosen], kind="stable")]
    ranking = topic[order][lists]
    return replace(
        hits.ideal(),
        rank=ordinal(ranking),
        grade=np.ones(len(lists)),  # relevant to something; their grades are in the table
        ranking=ranking,
        retrieved=segment_size(ranking, hits.topics),
        document=document[order][lists],
        subtopics=table,
    )


def _choose(cell: Ints, subtopic: Ints, weight: Floats, topic: Ints, alpha: float, cutoff: int | None) -> Ints:
    """The documents in the order of choice, one of every topic at each step; the first of equal ones is taken.

    `cell` and `subtopic` say which document covers what; `topic` is that of each document, ascending.
    """
    size = np.bincount(topic) if len(topic) else np.zeros(0, dtype=np.int64)
    left = np.ones(len(topic), dtype=bool)
    worth = weight.copy()  # of each subtopic, before the next document
    chosen: list[Ints] = []
    for _ in range(int(min(size.max(initial=0), cutoff or len(topic)))):
        gain = np.where(left, segment_sum(cell, worth[subtopic], len(topic)), -1.0)
        most = np.full(len(size), -1.0)
        np.maximum.at(most, topic, gain)
        best = np.flatnonzero(left & (gain >= most[topic] * (1 - _TIE)))
        first = best[ordinal(topic[best]) == 1]
        left[first] = False
        taken = np.zeros(len(topic), dtype=bool)
        taken[first] = True
        worth[subtopic[taken[cell]]] *= 1 - alpha
        chosen.append(first)
    return np.concatenate(chosen) if chosen else np.zeros(0, dtype=np.int64)
