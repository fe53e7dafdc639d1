"""Sampling errors: how far estimates from sampled judgments may be from the scores of a pool judged in full."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.align.columns.sampled import SampledJudgments
from cranfield.align.hits import Hits
from cranfield.align.index import index_of
from cranfield.align.join import JudgmentIndex
from cranfield.align.policy import Policy, PolicyChoices
from cranfield.arrays import Floats, Ints, segment_size
from cranfield.arrays.memory import afford_each
from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.ranges import check_confidence
from cranfield.measures.evaluate import evaluate
from cranfield.measures.grammar import Measure, parse, parse_many
from cranfield.measures.scoring import EvaluationPlan, sample_needs
from cranfield.missing.sampled.linearised import stat_ap_variance, stat_ndcg_variance
from cranfield.missing.sampled.resampling import ResampledGain, ResampledPrecision, resamples, unknown
from cranfield.random_streams import stream
from cranfield.read.objects import as_qrels, as_runs
from cranfield.stats.draws import check_draws
from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.scores import Scores
from cranfield.tables.sheets.sheet import Sheet

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import QrelsLike, RunsLike

FEW = 10  # sampled relevant documents below which a topic has no interval
LINEARISED: dict[str, Callable[..., Floats]] = {"statAP": stat_ap_variance, "statNDCG": stat_ndcg_variance}
RESAMPLED: dict[str, Callable[..., Callable[[Floats], Floats]]] = {
    "infAP": ResampledPrecision.of,
    "xinfAP": ResampledPrecision.of,
    "infNDCG": ResampledGain.of,
}


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class SamplingErrors(Result):
    """Standard errors and intervals of estimates: what the sampling of the judgments leaves open, on these topics.

    An interval is for the value that judging the whole pool would give. It is not about other topics.

    Attributes:
        scores: the estimates.
        errors: `[run, topic, measure]`: standard errors; NaN where they are not known.
        intervals: `[run, topic, measure, 2]`; NaN if fewer than ten sampled documents of the topic are relevant.
        mean_errors: `[run, measure]`: the standard errors of the means.
        mean_intervals: `[run, measure, 2]`.
        sampled: `[topic, measure]`: how many sampled documents are relevant.
        level: of the intervals.
        draws: how often the sample was drawn again, for infAP, xinfAP and infNDCG.
    """

    command: ClassVar[str] = "evaluate"

    scores: Scores
    errors: Floats
    intervals: Floats
    mean_errors: Floats
    mean_intervals: Floats
    sampled: Ints
    level: float
    draws: int

    @property
    def audit(self) -> Audit:
        """What shaped the estimates."""
        return self.scores.audit

    def sheet(self) -> Sheet:
        """The printed table: one row per run and measure."""
        from cranfield.missing.sampled.sheet import sheet

        return sheet(self)

    def topic_sheet(self) -> Sheet:
        """One row per run, topic and measure."""
        from cranfield.missing.sampled.sheet import topic_sheet

        return topic_sheet(self)

    def result(self, per_topic: bool = False) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        from cranfield.missing.sampled.sheet import plain

        return plain(self, per_topic)


def sampling_errors(
    qrels: "QrelsLike",
    runs: "RunsLike",
    measures: "MeasuresLike",
    *,
    policy: Policy | None = None,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
    **policies: Unpack[PolicyChoices],
) -> SamplingErrors:
    """Estimate measures from sampled judgments, with standard errors and intervals.

    The errors of statAP and statNDCG are computed by linearisation, those of infAP, xinfAP and infNDCG by drawing the
    sample again inside its strata; the interval of a topic then lies between quantiles of the resamples. The variance
    of a mean is the sum of the variances of its topics over the square of their number, and its interval is normal.

    Args:
        qrels: sampled judgments, with strata or inclusion probabilities.
        runs: one run or several: tables, paths, globs, dicts, data frames.
        measures: some of infAP, xinfAP, infNDCG, statAP, statNDCG.
        policy: the choices that shape the numbers; single ones can be given by name.
        level: of the intervals.
        draws: how often the sample is drawn again.
        seed: of these draws.

    >>> import cranfield as cf
    >>> truth = {"1": {f"d{n}": int(n % 2 == 0) for n in range(60)}}
    >>> run = {"1": [f"d{n}" for n in range(60)]}
    >>> frame = cf.pool({"run": run}, depth=60, strategy="sample", rate=0.5).frame(
    ...     cf.Qrels.of(["1"] * 60, list(truth["1"]), list(truth["1"].values()))
    ... )
    >>> cf.sampling_errors(frame, {"run": run}, "statAP").mean_errors.round(3)
    array([[0.096]])
    """
    check_confidence(level=level)
    check_draws(draws, least=2, name="draws")
    chosen = (policy or Policy()).with_(**policies)
    wanted = parse_many(measures)
    for measure in wanted:
        _refuse(measure)
    chosen.require_one_order("a sampling error")
    chosen.require_single_values("a sampling error")
    chosen.require_no_ones("a sampling error")
    judged, tables = as_qrels(qrels), as_runs(runs)
    scores = evaluate(judged, tables, wanted, policy=chosen, seed=seed)
    index = index_of(judged, chosen.negative, plain=wanted[0], sampled=sample_needs(wanted))
    plan = EvaluationPlan(index, wanted, chosen)
    lists = [plan.join(run).hits for run in tables.members]
    parts = [
        _of_measure(column, parse(name), scores, chosen, index, lists, level, draws, seed)
        for column, name in enumerate(scores.measures)
    ]
    return SamplingErrors(
        scores=scores,
        errors=np.stack([part.errors for part in parts], axis=2),
        intervals=np.stack([part.intervals for part in parts], axis=2),
        mean_errors=np.stack([part.mean_errors for part in parts], axis=1),
        mean_intervals=np.stack([part.mean_intervals for part in parts], axis=1),
        sampled=np.stack([part.sampled for part in parts], axis=1),
        level=level,
        draws=draws,
    )


def _refuse(measure: Measure) -> None:
    if measure.definition.name not in {**LINEARISED, **RESAMPLED}:
        hint = f"estimators are {', '.join([*RESAMPLED, *LINEARISED])}"
        raise PolicyError("E244", f"{measure} does not estimate from a sample and has no sampling error", hint=hint)


@dataclass(frozen=True, eq=False)
class MeasureErrors:
    """The errors of one measure: by run and topic, and of the mean."""

    errors: Floats
    intervals: Floats
    mean_errors: Floats
    mean_intervals: Floats
    sampled: Ints


def _of_measure(
    column: int,
    measure: Measure,
    scores: Scores,
    policy: Policy,
    index: JudgmentIndex,
    lists: Sequence[Hits],
    level: float,
    draws: int,
    seed: int,
) -> MeasureErrors:
    """Errors and intervals of a measure for all runs, which share the resamples."""
    table = index.sample
    if table is None or measure.definition.name == "infAP":
        table = SampledJudgments.of(index.topic, index.grade)  # one stratum per topic
    own = [replace(hits, sample=table) for hits in lists]
    own = [hits.condensed() if measure.condensed else hits for hits in own]
    values, scored = scores.values[:, :, column], scores.scored
    number = np.array([index.number[name] for name in scores.topics], dtype=np.int64)
    relevant = table.topic[table.judged & (table.grade >= measure.rel)]
    sampled = segment_size(relevant, len(index.topics))[number]
    if measure.definition.name in LINEARISED:
        found = _linearised(LINEARISED[measure.definition.name], measure, own, values, scored, number, level)
    else:
        prepared = [RESAMPLED[measure.definition.name](hits, **measure.arguments) for hits in own]
        chance = stream(seed, str(measure))
        found = _resampled(prepared, table, values, scored, number, level, draws, chance, policy)
    few = (sampled < FEW)[None, :] | ~scored | np.isnan(values)
    found.intervals[few] = np.nan
    if sampled.sum() < FEW:
        found.mean_intervals[:] = np.nan
    return replace(found, sampled=sampled)


def _linearised(
    variance: Callable[..., Floats],
    measure: Measure,
    lists: Sequence[Hits],
    values: Floats,
    scored: Any,  # truth values
    number: Ints,
    level: float,
) -> MeasureErrors:
    found = np.stack([variance(hits, **measure.arguments)[number] for hits in lists])
    found[~scored] = np.nan
    nothing = np.stack([np.isnan(measure(hits)) for hits in lists])[:, number]  # no relevant document was sampled
    counted = scored & ~np.isnan(values)
    total = np.where(counted & ~nothing, found, 0.0).sum(axis=1)
    found[nothing] = np.nan
    mean_error = np.sqrt(total) / np.maximum(counted.sum(axis=1), 1)
    means = np.array([row[use].mean() if use.any() else np.nan for row, use in zip(values, counted, strict=True)])
    z = NormalDist().inv_cdf(0.5 + level / 2)
    return MeasureErrors(
        errors=np.sqrt(found),
        intervals=_around(values, np.sqrt(found), z),
        mean_errors=mean_error,
        mean_intervals=_around(means, mean_error, z),
        sampled=number,
    )


def _around(values: Floats | float, errors: Floats | float, z: float) -> Floats:
    """Normal intervals, which end where measures end."""
    return np.clip(np.stack([values - z * errors, values + z * errors], axis=-1), 0.0, 1.0)


def _resampled(
    prepared: Sequence[Callable[[Floats], Floats]],
    table: SampledJudgments,
    values: Floats,
    scored: Any,  # truth values
    number: Ints,
    level: float,
    draws: int,
    rng: np.random.Generator,
    policy: Policy,
) -> MeasureErrors:
    runs, topics = values.shape
    afford_each(draws * runs * topics, 8, "draws")
    drawn = np.empty((runs, draws, topics))
    done = 0
    for several in resamples(table, draws, rng):
        for run, function in enumerate(prepared):
            drawn[run, done : done + len(several)] = function(several)[:, number]
        done += len(several)
    hidden = unknown(table, int(number.max(initial=-1)) + 1)[number]
    counted = scored & ~np.isnan(values)
    drawn = policy.counted(drawn, True)
    ends, z = (0.5 - level / 2, 0.5 + level / 2), NormalDist().inv_cdf(0.5 + level / 2)
    errors, intervals = np.full((runs, topics), np.nan), np.full((runs, topics, 2), np.nan)
    mean_errors, mean_intervals = np.full(runs, np.nan), np.full((runs, 2), np.nan)
    for run in range(runs):
        use = counted[run] & ~np.isnan(drawn[run]).all(axis=0)
        errors[run, use] = np.nanstd(drawn[run][:, use], axis=0, ddof=1)
        intervals[run, use] = np.nanquantile(drawn[run][:, use], ends, axis=0).T
        errors[run, hidden] = intervals[run, hidden] = np.nan
        if use.any() and not (hidden & use).any():
            mean_errors[run] = np.nanmean(drawn[run][:, use], axis=1).std(ddof=1)
            # resamples lie above the estimate on average, by as much in a mean of many topics as in one: not quantiles
            mean_intervals[run] = _around(values[run, use].mean(), mean_errors[run], z)
    return MeasureErrors(
        errors=errors,
        intervals=intervals,
        mean_errors=mean_errors,
        mean_intervals=mean_intervals,
        sampled=number,
    )
