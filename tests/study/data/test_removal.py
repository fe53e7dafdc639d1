"""Judgments are removed by masks; documents that were pooled and not judged keep their ranks."""

from dataclasses import replace

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import NO_INTS
from cranfield.study.data.removal import base_without, of_runs, without

HITS = replace(
    Hits.of([[(1, 1), (3, 0)], [(2, 1)]], levels=[[1, 1], [0, 1]], retrieved=[4, 4], pooled=[[2, 4], [1]]),
    document=np.array([0, 1, 2]),
    pooled_document=np.array([3, 4, 5]),
    begin=NO_INTS,
    place=NO_INTS,
)


def test_pooled_documents_stay_in_every_world():
    judged = np.array([[True, True, True], [False, True, True]])
    both = without(HITS, judged, base_without(HITS, np.array([0, 1, 2]), judged)).top(2)
    assert both.pooled_rank.tolist() == [2, 1, 2, 1]
    assert both.pooled_ranking.tolist() == [0, 1, 2, 3]


def test_pooled_documents_of_some_runs():
    second = of_runs(HITS, 1, 2).top(3)
    assert (second.pooled_rank.tolist(), second.pooled_document.tolist()) == ([1], [5])
