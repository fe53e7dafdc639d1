r"""`mtc`: minimal test collections, which decide on average precision.

The difference of two runs in average precision, times the number of relevant documents, is

$$R \, \Delta AP = \sum_{i \le j} c_{ij} x_i x_j, \qquad c_{ij} = \frac{1}{\max(a_i, a_j)} - \frac{1}{\max(b_i, b_j)}$$

with the ranks *a* and *b* in the two lists, infinite where a document is not listed. With independent $x_i$ of mean
$p_i$, what the relevance of a document moves is $w_i = c_{ii} + \sum_{j \ne i} c_{ij} p_j$.
"""

from math import erf, sqrt

import numpy as np

from cranfield.arrays import Floats
from cranfield.missing.next.question import Question, distances_between
from cranfield.missing.next.strategies import next_strategy
from cranfield.missing.next.weights import precision_sums


def coefficients(first: Floats, second: Floats) -> Floats:
    """`[document, document]`: the coefficients of a pair, from the ranks of each document in the two lists."""
    largest = (np.maximum(rank[:, None], rank) for rank in (first, second))
    one, two = (1 / each for each in largest)
    return np.asarray(one - two)


def document_weights(coefficient: Floats, chance: Floats) -> Floats:
    """What the relevance of each document moves: judge the largest.

    >>> inf = np.inf  # A = abc, B = cda
    >>> c = coefficients(np.array([1, 2, 3, inf]), np.array([3, inf, 1, 2]))
    >>> document_weights(c, np.array([0.7, 0.5, 0.4, 0.2])).round(4)
    array([ 0.85  ,  0.9833, -0.6   , -0.9333])
    """
    own = np.diag(coefficient)
    return np.asarray(own + coefficient @ chance - own * chance)


def moments(coefficient: Floats, chance: Floats) -> tuple[float, float]:
    r"""Mean and variance of R ΔAP, where documents are relevant independently.

    With $v_i = p_i (1 - p_i)$ the variance is $\sum_i w_i^2 v_i + \sum_{i<j} c_{ij}^2 v_i v_j$.

    >>> inf = np.inf
    >>> c = coefficients(np.array([1, 2, 3, inf]), np.array([3, inf, 1, 2]))
    >>> mean, variance = moments(c, np.array([0.7, 0.5, 0.4, 0.2]))
    >>> round(mean, 3), round(variance, 6), round(probability(mean, variance), 4)
    (0.505, 0.652364, 0.7341)
    """
    own = np.diag(coefficient)
    spread = chance * (1 - chance)
    apart = coefficient - np.diag(own)
    mean = own @ chance + chance @ apart @ chance / 2
    variance = document_weights(coefficient, chance) ** 2 @ spread + spread @ apart**2 @ spread / 2
    return float(mean), float(variance)


def probability(mean: float, variance: float) -> float:
    """P(A > B), by the normal distribution: of sums over many topics.

    >>> probability(0.0, 0.0)
    0.5
    """
    if variance == 0:
        return 0.5 * (1 + float(np.sign(mean)))
    return 0.5 * (1 + erf(mean / sqrt(2 * variance)))


@next_strategy("mtc", cites="Carterette, Allan and Sitaraman 2006")
def minimal_test_collections(question: Question) -> Floats:
    """The document whose relevance moves the open pairs most in average precision, under the prior.

    >>> import cranfield as cf
    >>> runs = {"A": {"1": ["a", "b", "c"]}, "B": {"1": ["c", "d", "a"]}}
    >>> cf.holes({"1": {"e": 1, "f": 0}}, runs, "P@3").next(1, strategy="mtc").table()["document"].to_list()
    ['b']
    """
    situation, between = question.situation, question.between()
    found = np.zeros(len(question.holes))
    relevant = situation.levels >= situation.measure.rel
    for number, own in question.topics():
        topic = question.bounder.topics[number]
        likely = question.chance[own] @ relevant
        number_of = float(np.count_nonzero(topic.base >= situation.measure.rel) + likely.sum())
        _, added = precision_sums(topic, likely, situation.measure.rel)
        found[own] = distances_between(added, between) / max(number_of, 1e-9) * question.share
    return np.round(found, 12)
