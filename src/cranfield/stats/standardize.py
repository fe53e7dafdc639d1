"""Standardised scores: the score of a system on a topic, relative to a set of reference systems on that topic."""

from dataclasses import replace
from typing import Literal

import numpy as np

from cranfield.arrays import Floats, ratio
from cranfield.errors import InputError, PolicyError
from cranfield.registry import one_of
from cranfield.stats.orders.orders import settled
from cranfield.tables.scores import Scores

StandardizeMethod = Literal["z", "phi", "std-AB", "ecdf"]
METHODS: tuple[StandardizeMethod, ...] = ("z", "phi", "std-AB", "ecdf")


def standardize(scores: Scores, method: StandardizeMethod = "z", reference: Scores | None = None) -> Scores:
    r"""The same scores, each measured against the reference systems on its topic, so that topics weigh alike.

    $$z = \frac{v - \bar v_t}{s_t} \qquad \Phi(z) \qquad \mathrm{clip}(0.15 z + 0.5,\, 0,\, 1)
    \qquad \hat F_t(v)$$

    `z` is the distance from the mean of the reference systems in their standard deviations (0 where they are all
    equal), `phi` the normal distribution function of it (Webber et al. 2008), `std-AB` a straight line cut to 0…1
    (Sakai 2016), `ecdf` the share of reference systems that are not better (Urbano et al. 2019). Without a reference
    the systems are their own reference; then a value depends on which systems are included. The audit names the
    reference. A topic on which fewer than two reference systems have a score has no standardised score.

    >>> import cranfield as cf
    >>> runs = {"one": {"q1": ["a", "b"]}, "two": {"q1": ["b", "a"]}}
    >>> scores = cf.evaluate({"q1": {"a": 1, "b": 0}}, runs, "RR")  # 1 and 1/2: mean 3/4, deviation 1/(2√2)
    >>> standardize(scores).means.round(4)
    array([[ 0.7071],
           [-0.7071]])
    """
    one_of("method", method, METHODS)
    others = scores if reference is None else reference
    if len(others.runs) < 2:
        raise PolicyError(
            "E207",
            f"standardize needs two reference runs, got {len(others.runs)}",
            hint="give the scores of the reference runs as reference",
        )
    factors = _matching(scores, others)
    values = _ecdf(scores.values, factors) if method == "ecdf" else _from_z(_z(scores.values, factors), method)
    used = scores.audit.computed_with("scipy") if method == "phi" else scores.audit
    policies = {**scores.audit.policies, "standardize": method, "standardize_reference": list(others.runs)}
    if policies.get("average") == "micro":  # what is standardised is no ratio any more
        del policies["average"]
    return replace(
        scores,
        averages=tuple("median" if average == "median" else "mean" for average in scores.averages),
        values=values,
        audit=replace(used, policies=policies),
        intervals=None,
        possible=None,
        origin=None,
        residuals={},
        weights=None,
    )


def _matching(scores: Scores, others: Scores) -> Floats:
    """The values of the reference on the topics and measures of the scores; a topic it lacks is undefined."""
    if lacking := next((measure for measure in scores.measures if measure not in others.measures), None):
        raise InputError(
            "E119", f"the reference has no scores of {lacking}", hint="evaluate its runs with the same measures"
        )
    place = {topic: number for number, topic in enumerate(others.topics)}
    if not place.keys() & set(scores.topics):
        raise InputError("E114", "the reference has no topic of these scores")
    there = [place.get(topic, len(place)) for topic in scores.topics]
    columns = [others.measures.index(measure) for measure in scores.measures]
    missing = np.full((len(others.runs), 1, len(columns)), np.nan)
    return np.concatenate((others.values[:, :, columns], missing), axis=1)[:, there]


def _z(values: Floats, reference: Floats) -> Floats:
    known = (~np.isnan(reference)).sum(axis=0)
    mean = ratio(np.nansum(reference, axis=0), known)
    spread = np.sqrt(ratio(np.nansum((reference - mean) ** 2, axis=0), np.maximum(known - 1, 0)))
    alike = settled(spread) == 0  # the noise of summing is no difference between systems
    z = ratio(values - mean, np.where(alike, 1, spread))
    return np.where(alike & ~np.isnan(z), 0, z)


def _from_z(z: Floats, method: str) -> Floats:
    from scipy.special import ndtr

    if method == "z":
        return z
    values: Floats = ndtr(z) if method == "phi" else np.clip(0.15 * z + 0.5, 0, 1)
    return values


def _ecdf(values: Floats, reference: Floats) -> Floats:
    """Share of the reference scores that are not above each value, one reference run at a time."""
    known = (~np.isnan(reference)).sum(axis=0)
    reached, rounded = np.zeros(values.shape), settled(values)
    for run in settled(reference):
        reached += run <= rounded
    return np.where(np.isnan(values) | (known < 2), np.nan, ratio(reached, known))
