"""The six systems of the demo, in NumPy. They are for the demo: not a search engine.

bm25         Okapi BM25 over words, k1 = 1.2, b = 0.75
bm25-names   the same over words and the parts of identifiers: TemporaryDirectory is also temporary and directory
ql           query likelihood with Dirichlet smoothing, mu = 100
tfidf        cosine of log tf · idf
chargram     cosine of log tf · idf over four letters in a row
rrf          reciprocal rank fusion of bm25-names, ql and chargram, k = 60
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.sample.library.words import letters, names, words

DEPTH, FUSED_DEPTH = 50, 100  # documents of a ranking, and of those that are fused
DIGITS, STEP = 6, 1e-6  # of a score; the least by which two neighbours differ
K1, B = 1.2, 0.75
MU = 100.0
K = 60
FUSED = ("bm25-names", "ql", "chargram")
Cut = Callable[[str], Iterator[str]]
RankedNames = dict[str, float]  # document -> score, the best first


@dataclass(frozen=True, eq=False)
class Index:
    """Which document holds which term how often: postings, sorted by term."""

    cut: Cut
    vocabulary: Mapping[str, int]
    first: Ints  # of each term: where its postings begin; one more at the end
    document: Ints  # of each posting
    count: Floats  # of each posting
    lengths: Floats  # of each document, in terms

    @classmethod
    def of(cls, texts: Sequence[str], cut: Cut) -> "Index":
        """Cut the texts into terms and count them."""
        vocabulary: dict[str, int] = {}
        codes = [[vocabulary.setdefault(term, len(vocabulary)) for term in cut(text)] for text in texts]
        lengths = np.array([len(terms) for terms in codes], np.int64)
        term = np.concatenate([np.array(terms, np.int64) for terms in codes])
        pair, count = np.unique(term * len(texts) + np.repeat(np.arange(len(texts)), lengths), return_counts=True)
        first = np.searchsorted(pair, np.arange(len(vocabulary) + 1) * len(texts))
        return cls(cut, vocabulary, first, pair % len(texts), count.astype(float), lengths.astype(float))

    def terms(self, query: str) -> Iterator[tuple[int, int]]:
        """The terms of a query that the documents hold, and how often the query names them."""
        asked: dict[str, int] = {}
        for term in self.cut(query):
            asked[term] = asked.get(term, 0) + 1
        return ((self.vocabulary[term], times) for term, times in asked.items() if term in self.vocabulary)

    def postings(self, term: int) -> slice:
        """Where the postings of a term are."""
        return slice(int(self.first[term]), int(self.first[term + 1]))

    @cached_property
    def found_in(self) -> Floats:
        """In how many documents each term is found."""
        return np.diff(self.first).astype(float)

    @cached_property
    def norms(self) -> Floats:
        """The length of each document's vector of log tf · idf."""
        weights = (1 + np.log(self.count)) * np.repeat(np.log(len(self.lengths) / self.found_in), np.diff(self.first))
        return np.sqrt(np.bincount(self.document, weights**2, len(self.lengths)))


def bm25(index: Index, query: str) -> Floats:
    """The BM25 score of every document."""
    size = len(index.lengths)
    scores = np.zeros(size)
    scale = K1 * (1 - B + B * index.lengths / index.lengths.mean())
    for term, times in index.terms(query):
        at = index.postings(term)
        found, count = index.document[at], index.count[at]
        idf = np.log(1 + (size - len(found) + 0.5) / (len(found) + 0.5))
        scores[found] += times * idf * count * (K1 + 1) / (count + scale[found])
    return scores


def likelihood(index: Index, query: str) -> Floats:
    """The query likelihood of every document, with the part that ranks nothing left out; 0 where no term is found."""
    scores = np.zeros(len(index.lengths))
    total = index.lengths.sum()
    asked, seen = 0, np.zeros(len(scores), bool)
    for term, times in index.terms(query):
        at = index.postings(term)
        found, count = index.document[at], index.count[at]
        scores[found] += times * np.log1p(count / (MU * count.sum() / total))
        seen[found] = True
        asked += times
    scores += asked * np.log(MU / (index.lengths + MU))
    return np.where(seen, scores - scores.min() + 1.0, 0.0)


def cosine(index: Index, query: str) -> Floats:
    """The cosine of log tf · idf of the query and every document."""
    scores = np.zeros(len(index.lengths))
    for term, times in index.terms(query):
        at = index.postings(term)
        idf = np.log(len(scores) / index.found_in[term])
        scores[index.document[at]] += (1 + np.log(times)) * idf * (1 + np.log(index.count[at])) * idf
    return np.divide(scores, index.norms, out=np.zeros(len(scores)), where=index.norms > 0)


def best(ids: Sequence[str], scores: Floats) -> RankedNames:
    """The first documents by score, equal ones by name; each is given a lower score than the one before it.

    >>> best(["a", "b", "c", "d"], np.array([0.5, 0.9, 0.9, 0.0]))
    {'b': 0.9, 'c': 0.899999, 'a': 0.499998}
    """
    rounded = np.round(scores, DIGITS)
    order = np.lexsort((np.arange(len(ids)), -rounded))[:FUSED_DEPTH]
    return {
        ids[at]: round(float(rounded[at]) - rank * STEP, DIGITS) for rank, at in enumerate(order) if rounded[at] > 0
    }


def fused(rankings: Iterable[RankedNames]) -> RankedNames:
    """Reciprocal rank fusion: the sum of 1 / (60 + rank).

    >>> fused([{"a": 9.0, "b": 8.0}, {"b": 3.0}])
    {'b': 0.032522, 'a': 0.016392}
    """
    sums: dict[str, float] = {}
    for ranking in rankings:
        for rank, document in enumerate(ranking, 1):
            sums[document] = sums.get(document, 0.0) + 1 / (K + rank)
    names = sorted(sums)
    return best(names, np.array([sums[name] for name in names]))


def rank_all(ids: Sequence[str], texts: Sequence[str], queries: Mapping[str, str]) -> dict[str, dict[str, RankedNames]]:
    """The rankings of the six systems: system, topic, document, score; `ids` ascend.

    >>> runs = rank_all(
    ...     ["queue.Queue", "shelve"], ["a queue for threads", "a persistent shelf"], {"q1": "thread queue"}
    ... )
    >>> {system: list(rankings["q1"]) for system, rankings in runs.items()}["bm25"]
    ['queue.Queue']
    """
    plain, split, grams = (Index.of(texts, cut) for cut in (words, names, letters))
    systems: dict[str, Callable[[str], Floats]] = {
        "bm25": partial(bm25, plain),
        "bm25-names": partial(bm25, split),
        "ql": partial(likelihood, plain),
        "tfidf": partial(cosine, plain),
        "chargram": partial(cosine, grams),
    }
    runs = {
        system: {topic: best(ids, score(query)) for topic, query in queries.items()}
        for system, score in systems.items()
    }
    runs["rrf"] = {topic: fused(runs[system][topic] for system in FUSED) for topic in queries}
    return {
        system: {topic: dict(islice(found.items(), DEPTH)) for topic, found in topics.items()}
        for system, topics in runs.items()
    }
