"""Join a comparison with estimates: how probable an order is once all holes are judged, on these and on new topics."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from cranfield.errors.names import place
from cranfield.missing.estimates.estimate import Estimate
from cranfield.missing.estimates.sheet import ONLY_AS_GOOD
from cranfield.missing.joined.pair import RangedPairs
from cranfield.missing.joined.result import RangedComparison
from cranfield.stats.comparison.evidence import Evidence
from cranfield.tables.words import counted


def with_estimates(comparison: RangedComparison, estimates: Mapping[str, Estimate]) -> RangedComparison:
    """The comparison with P(A > B) on these and on new topics, and the interval of each difference on new topics.

    On these topics only completions are drawn; on new topics the topics are resampled too.

    >>> import cranfield as cf
    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 21)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a"]), "old": {**dict.fromkeys(qrels, ["b"]), "q20": ["x"]}}
    >>> holes = cf.holes(qrels, runs, "P@1")
    >>> ranged = cf.with_ranges(cf.compare(qrels, runs, "P@1", test="sign"), holes)
    >>> pair = with_estimates(ranged, {"P@1": holes.estimate(draws=100)}).pair("new", "old")
    >>> pair.probability_these_topics, pair.probability_new_topics  # certain, and the same on every topic
    (1.0, 1.0)
    """
    known = tuple(estimates)
    evidence = tuple(
        _estimated(comparison, found, estimates[known[place(found.measure, known, "measure")]])
        for found in comparison.evidence
    )
    first = next(iter(estimates.values()))
    drawn = f"{counted(first.draws, 'completion')} drawn from the prior"
    said = f"P(run scores higher) on these topics: over {drawn}; on new topics: over resampled topics too"
    return replace(comparison, evidence=evidence, assumptions=(*comparison.assumptions, said, ONLY_AS_GOOD))


def _estimated(comparison: RangedComparison, found: Evidence, estimate: Estimate) -> Evidence:
    number = {name: at for at, name in enumerate(estimate.runs)}
    own = np.array([number[name] for name in comparison.scores.runs], dtype=np.int64)
    a, b = own[found.contrasts.run], own[found.contrasts.baseline]
    tail = comparison.method.alpha / 2
    ends = [np.quantile(estimate.new[:, x] - estimate.new[:, y], (tail, 1 - tail)) for x, y in zip(a, b, strict=True)]
    pairs = found.pairs if isinstance(found.pairs, RangedPairs) else RangedPairs(**vars(found.pairs))
    return replace(
        found,
        pairs=replace(
            pairs,
            probability_these_topics=estimate.probabilities("these topics")[a, b],
            probability_new_topics=estimate.probabilities("new topics")[a, b],
            new_topics_ci=np.array(ends).reshape(-1, 2),
        ),
    )
