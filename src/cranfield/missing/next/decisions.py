r"""`decisions`: judge what is expected to decide most pairs, under the prior.

The difference of two runs is taken for normal, with the mean and variance that follow from the prior. Judging a
document takes its share out of the variance of each pair; the share counts as far as the pair is open:

$$\sum_{A,B} \frac{\varphi(\mu_{AB} / \sigma_{AB})}{\sigma_{AB}^2} \left(w_A(d) - w_B(d)\right)^2 v_d$$

where $v_d$ is the variance of the document's gain, $p(1-p)$ if it is relevant or not. $\varphi(\mu/\sigma) / (2
\sigma^2)$ is the rate at which the probability of naming the better run grows when the variance shrinks.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from cranfield.arrays import Floats, Ints
from cranfield.missing.next.question import Question, squares_between
from cranfield.missing.next.strategies import next_strategy
from cranfield.missing.situation import refuse_by_subtopic

LEAST = 1e-12  # variance below which a pair is decided


@dataclass(frozen=True, eq=False)
class ExpectedScores:
    """Means and covariances of the scores of all runs under the prior of a question.

    Gains of documents differ independently, and together by the effect of the runs that retrieve them.
    """

    question: Question

    @cached_property
    def gain(self) -> tuple[Floats, Floats]:
        """Mean and variance of the gain of each hole."""
        mean, square = np.zeros((2, len(self.question.holes)))
        for number, own in self.question.topics():
            gain = self.question.expected[number].gain
            mean[own], square[own] = self.question.chance[own] @ gain, self.question.chance[own] @ gain**2
        return mean, np.maximum(square - mean**2, 0.0)

    @cached_property
    def mean(self) -> Floats:
        """The expected score of each run."""
        found = np.sum([topic.now for topic in self.question.expected], axis=0)
        for number, own in self.question.topics():
            found = found + self.question.expected[number].weight @ self.gain[0][own]
        return np.asarray(found * self.question.share)

    @cached_property
    def covariance(self) -> Floats:
        """`[run, run]`: the covariance of the scores."""
        runs = len(self.question.situation.runs)
        found, shared = np.zeros((2, runs, runs))
        slope, prior = self._slope, self.question.prior
        for number, own in self.question.topics():
            weight = self.question.expected[number].weight
            found += (weight * self.gain[1][own]) @ weight.T
            shared += (weight * slope[own]) @ prior.features.shares(self.question.places[own])
        return np.asarray((found + prior.effect.size**2 * shared @ shared.T) * self.question.share**2)

    @cached_property
    def _slope(self) -> Floats:
        """How fast the expected gain of each hole grows with the effect of its runs."""
        likely = 1 - self.question.chance[:, 0]
        return self.gain[0] * (1 - likely)

    def variance(self, a: Ints, b: Ints) -> Floats:
        """Of the difference of each pair."""
        own = np.diag(self.covariance)
        return np.maximum(own[a] + own[b] - 2 * self.covariance[a, b], 0.0)


@next_strategy("decisions", shows="expected decisions")
def decisions(question: Question) -> Floats:
    """The document that is expected to decide most open pairs, under the prior.

    >>> import cranfield as cf
    >>> runs = {"A": {"1": ["a", "b", "c", "d"]}, "B": {"1": ["b", "e", "a", "f"]}}
    >>> cf.holes({"1": {"a": 1, "c": 0}}, runs, "RBP(p=0.8)").next(1, strategy="decisions").table()[
    ...     "document"
    ... ].to_list()
    ['e']
    """
    refuse_by_subtopic(question.bounder.situation.named, "expected decisions")
    scores = ExpectedScores(question)
    a, b = question.a, question.b
    variance = scores.variance(a, b)
    open_ = variance > LEAST
    spread = np.where(open_, variance, 1.0)
    away = (scores.mean[a] - scores.mean[b]) ** 2 / spread
    strength = np.where(open_, np.exp(-np.minimum(away, 1400) / 2) / np.sqrt(2 * np.pi) / (2 * spread), 0.0)
    found, between = np.zeros(len(question.holes)), question.between(strength)
    for number, own in question.topics():
        weight = question.expected[number].weight * question.share
        found[own] = squares_between(weight, between) * scores.gain[1][own]
    return found
