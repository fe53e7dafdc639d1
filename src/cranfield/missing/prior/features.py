"""What the lists tell about a pair: how many runs retrieve the document, how high, and how good these runs are."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.arrays import Bools, Floats, Ints, ordinal, segment_size, segment_sum
from cranfield.pooling.candidates import Candidates

NEAR, WIDE = 10, 100  # first ranks that are counted
FUSED = 60  # added to a rank, as in reciprocal-rank fusion
LISTED_NAMES = (
    f"log(1 + runs with it in the first {NEAR})",
    f"log(1 + runs with it in the first {WIDE})",
    "log of its best rank",
    "log of the sum of 1/rank",
    f"log of the sum of 1/({FUSED} + rank)",
)
QUALITY_NAMES = ("quality of its runs", "quality of its runs, by 1/rank")
NAMES = (*LISTED_NAMES, *QUALITY_NAMES)
_DOUBT = 5.0  # relevant documents that a run is expected to find before it counts as good or bad
_LEAST = 1e-3  # added before a logarithm


@dataclass(frozen=True, eq=False)
class ListFeatures:
    """Features of every pair of the candidates.

    The first columns depend on the lists alone. The *quality* of a run is log(found / expected): the relevant documents
    that it found, and those it would have found if all runs were alike, in all topics but the one of the pair, so that
    a judgment never predicts itself.

    >>> from cranfield.tables.run import Run
    >>> runs = [Run.of("r", ["1"] * 2, ["b", "a"], [3, 2]), Run.of("s", ["1"] * 2, ["a", "c"], [2, 1])]
    >>> features = ListFeatures(Candidates.of(runs, depth=2))
    >>> features.listed[:, 0].round(4)  # a: log 3; b and c: log 2
    array([1.0986, 0.6931, 0.6931])
    """

    candidates: Candidates

    @cached_property
    def wide(self) -> Bools:
        """The listings in the first ranks that are looked at."""
        return self.candidates.rank <= WIDE

    @cached_property
    def retrieving(self) -> Ints:
        """How many runs retrieve each pair in these ranks."""
        return segment_size(self.candidates.pair[self.wide], len(self.candidates))

    @cached_property
    def listed(self) -> Floats:
        """The features that depend on the lists alone, [pair, feature]."""
        known, pairs = self.candidates, len(self.candidates)
        near = segment_size(known.pair[known.rank <= NEAR], pairs)
        best = np.minimum(known.best_rank, max(known.depth, 1) + 1)
        fused = segment_sum(known.pair, 1 / (FUSED + known.rank), pairs)
        columns = (np.log1p(near), np.log1p(self.retrieving), np.log(best), self._logged(self._reciprocal))
        return np.column_stack((*columns, self._logged(fused)))

    @cached_property
    def _reciprocal(self) -> Floats:
        return segment_sum(self.candidates.pair, 1 / self.candidates.rank, len(self.candidates))

    @staticmethod
    def _logged(values: Floats) -> Floats:
        return np.log(values + _LEAST)

    def with_quality(self, grade: Floats) -> Floats:
        """All features, [pair, feature], with the quality of the runs under these grades (NaN: not judged)."""
        known, pairs = self.candidates, len(self.candidates)
        quality = self.quality(grade)[known.run, known.topic[known.pair]]
        plain = segment_sum(known.pair, quality, pairs) / np.maximum(known.listings, 1)
        by_rank = segment_sum(known.pair, quality / known.rank, pairs) / np.maximum(self._reciprocal, 1e-12)
        return np.column_stack((self.listed, plain, by_rank))

    def quality(self, grade: Floats) -> Floats:
        """The quality of each run as seen from each topic, [run, topic]: from the judgments of all other topics."""
        known = self.candidates
        runs, topics = len(known.runs), len(known.topics)
        judged = ~np.isnan(grade[known.pair])
        pair, cell = known.pair[judged], (known.run * topics + known.topic[known.pair])[judged]
        weight = 1 / np.log2(1 + known.rank[judged])
        found = segment_sum(cell, weight * (grade[pair] > 0), runs * topics).reshape(runs, topics)
        seen = segment_sum(cell, weight, runs * topics).reshape(runs, topics)
        expected = seen * (found.sum(axis=0) / np.maximum(seen.sum(axis=0), 1e-12))
        elsewhere = [whole.sum(axis=1, keepdims=True) - whole for whole in (found, expected)]
        return np.log((elsewhere[0] + _DOUBT) / (elsewhere[1] + _DOUBT))

    @cached_property
    def _by_pair(self) -> tuple[Ints, Ints]:
        """The run of each listing in these ranks, by pair, and where each pair begins."""
        rows = np.flatnonzero(self.wide)
        order = np.argsort(self.candidates.pair[rows], kind="stable")
        return self.candidates.run[rows[order]], np.cumsum(self.retrieving) - self.retrieving

    def shares(self, pairs: Ints) -> Floats:
        """The share of each run in the average over the runs that retrieve a pair, [pair, run]; rows add up to 1."""
        run, begin = self._by_pair
        number = self.retrieving[pairs]
        row = np.repeat(np.arange(len(pairs)), number)
        place = np.repeat(begin[pairs], number) + ordinal(row) - 1
        share = np.zeros((len(pairs), len(self.candidates.runs)))
        share[row, run[place]] = 1 / number[row]
        return share
