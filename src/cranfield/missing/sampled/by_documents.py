"""People judged a sample of the documents and a model all of them."""

from collections.abc import Iterator
from dataclasses import replace
from statistics import NormalDist

import numpy as np

from cranfield.align.columns.sampled import SampledJudgments, SampleNeed
from cranfield.align.index import index_of
from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Policy
from cranfield.arrays import Floats, Ints
from cranfield.errors import MeasureError
from cranfield.measures.grammar import Measure
from cranfield.missing.sampled.difference import LabelledPool, average_precision, sums
from cranfield.missing.sampled.run_estimate import RunEstimate, within
from cranfield.missing.sampled.terms import OVER_IDEAL, SUMS, document_terms
from cranfield.pooling.candidates import Candidates
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Runs
from cranfield.tables.text import Text

EVERY_RANK = 1 << 40
FEW = 10  # sampled documents below which there is no interval


def by_documents(
    human: Qrels,
    machine: Qrels,
    runs: Runs,
    measures: tuple[Measure, ...],
    policy: Policy,
    level: float,
) -> tuple[int, int, list[RunEstimate]]:
    """How many documents people judged, how many the model alone, and the estimates, run by run."""
    candidates = Candidates.of(runs.members, EVERY_RANK, policy, also=_together(human, machine))
    need = SampleNeed("a difference estimator", strata=False, forced=False)
    index = index_of(human, policy.negative, plain=measures[0], sampled=[need])
    if index.sample is None:  # which `index_of` refuses
        raise RuntimeError("people's labels without a sample")
    pool = _labelled(candidates, machine, index, index.sample, policy)
    topics = [candidates.topics.index(topic) for topic in human.topics]
    sampled = len(pool.sampled)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    found = []
    for run in range(len(candidates.runs)):
        own = candidates.run == run
        pair, rank = candidates.pair[own], candidates.rank[own]
        for measure in measures:
            estimates = [_estimate(measure, each, pair, rank) for each in _three(pool)]
            (value, error), (people, people_error), (plain, _) = (_mean(*each, topics) for each in estimates)
            half = z * error if sampled >= FEW else np.nan
            found.append(
                RunEstimate(
                    value=value,
                    error=error,
                    interval=within(measure, value, half),
                    people=people,
                    people_error=people_error,
                    model=plain,
                    weight=1.0,
                )
            )
    return sampled, int(np.count_nonzero(np.isnan(pool.people))), found


def _three(pool: LabelledPool) -> Iterator[LabelledPool]:
    """The labels of both, those of people alone (the model says nothing), and those of the model alone."""
    yield pool
    yield replace(pool, model=np.zeros_like(pool.model))
    yield replace(pool, people=np.full_like(pool.people, np.nan))


def _mean(values: Floats, variances: Floats, topics: list[int]) -> tuple[float, float]:
    """The mean over topics and its standard error; topics without a relevant document count 0."""
    chosen = np.nan_to_num(values[topics]), np.nan_to_num(variances[topics])
    return float(chosen[0].mean()), float(np.sqrt(chosen[1].sum()) / len(topics))


def _estimate(measure: Measure, pool: LabelledPool, pair: Ints, rank: Ints) -> tuple[Floats, Floats]:
    if measure.definition.name == "AP" and measure.cutoff is None and not measure.condensed:
        return average_precision(pool, pair, rank, measure.rel)
    grades = np.unique(np.concatenate([[0.0], pool.model, pool.people[pool.sampled]]))
    most = int(np.bincount(pool.topic).max(initial=1))
    depth = max(measure.cutoff or 0, int(rank.max(initial=1)), 2 * most)
    terms = document_terms(measure, depth, grades if len(grades) > 1 else np.array([0.0, 1.0]))
    if terms is None:
        hint = f"take AP without a cut-off, or one of {', '.join((*SUMS, *OVER_IDEAL))}"
        raise MeasureError("E244", f"{measure} is no sum over documents, nor a ratio of two", hint=hint)
    return sums(pool, terms, pair, rank, grades if len(grades) > 1 else np.array([0.0, 1.0]))


def _labelled(
    candidates: Candidates, machine: Qrels, index: JudgmentIndex, sample: SampledJudgments, policy: Policy
) -> LabelledPool:
    place = np.full(len(index.qrels) + 1, -1)  # by row; the last one is for pairs that are not there
    place[index.row] = np.arange(len(index.row))
    at = place[candidates.rows_in(index)]
    grades = np.append(sample.grade.astype(np.float64), np.nan)[at]
    # the table numbers topics as people's qrels do, the pool as the candidates do
    number = np.array([candidates.topics.index(topic) for topic in index.topics], dtype=np.int64)
    return LabelledPool(
        topic=candidates.topic,
        model=np.nan_to_num(candidates.grades(machine, policy)),
        people=np.where(grades >= 0, grades, np.nan),
        place=at,
        sample=replace(sample, topic=number[sample.topic]),
        topics=len(candidates.topics),
    )


def _together(human: Qrels, machine: Qrels) -> Qrels:
    """The pairs of both; which label is whose does not matter here."""
    number = {name: place for place, name in enumerate(dict.fromkeys([*human.topics, *machine.topics]))}
    topic = [np.array([number[name] for name in each.topics], dtype=np.int64)[each.topic] for each in (human, machine)]
    return Qrels(
        tuple(number),
        np.concatenate(topic),
        Text.concat([human.document, machine.document]),
        np.zeros(len(human) + len(machine), dtype=np.int64),
    )
