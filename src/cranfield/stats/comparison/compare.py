"""Compare runs: test their differences on the same topics, and correct the p values."""

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from cranfield.align.policy import NAMES, Policy
from cranfield.arrays import Floats
from cranfield.errors import InputError, MeasureError, PolicyError
from cranfield.errors.names import nearest
from cranfield.errors.wording import either, setting, verb
from cranfield.measures.accepted import none_named
from cranfield.measures.evaluate import EvaluateChoices, evaluate
from cranfield.measures.grammar import parse, parse_many
from cranfield.stats.comparison.against import Saved, beside
from cranfield.stats.comparison.contrasts import Contrasts, by_topic, comparable
from cranfield.stats.comparison.decide import decide
from cranfield.stats.comparison.examine import examine_all
from cranfield.stats.comparison.method import NONE, ComparisonFamily, Method
from cranfield.stats.comparison.replicated import with_spread
from cranfield.stats.comparison.result import Comparison
from cranfield.stats.paired.intervals import IntervalMethod as Interval
from cranfield.stats.weights.weighted import refuse_without_weights
from cranfield.tables.audit import LOWER
from cranfield.tables.scores import Scores
from cranfield.tables.side.replicates import with_replicates

if TYPE_CHECKING:
    from cranfield.measures.accepted import MeasuresLike
    from cranfield.read.accepted import QrelsLike, RunsLike


DEFAULT_MEASURES = ("nDCG@10", "AP")
_NAMED = 10  # runs listed in a message


def compare(
    qrels: "Scores | QrelsLike",
    runs: "RunsLike | None" = None,
    measures: "MeasuresLike | None" = None,
    *,
    baseline: str | Sequence[str] | None = None,
    against: "Saved | Scores | str | os.PathLike[str] | None" = None,
    test: str = "t",
    adjust: str = "holm",
    alpha: float = 0.05,
    family: ComparisonFamily = "measure",
    interval: Interval | None = None,
    equivalence: float | None = None,
    rope: float | None = None,
    risk: float | None = None,
    omnibus: str | None = None,
    samples: int | None = None,
    seed: int = 0,
    jobs: int | None = None,
    policy: Policy | None = None,
    **evaluating: Unpack[EvaluateChoices],
) -> Comparison:
    """Compare runs with a baseline, or all pairs.

    Topics that two runs have in common are paired. Draws depend on the seed and on the number of topics alone, with
    topics in sorted order, so that the same inputs give the same bytes whatever the names, the order or `jobs`.

    Args:
        qrels: scores that `evaluate` made, or the judgments to score `runs` with.
        runs: one run or several, where `qrels` are judgments.
        measures: names of measures; of scores, all of them unless some are named; of runs, those of the saved scores,
            or nDCG@10 and AP.
        baseline: one or more runs with which the others are compared; without one all pairs are compared.
        against: saved scores, or the file `evaluate --save` wrote: their runs are the baselines, unless one of them is
            named.
        test: `t`, `permutation`, `bootstrap`, `bootstrap-t`, `wilcoxon`, `sign` or `none`.
        adjust: a correction (`holm`, `bh`, `by`, `bonferroni`, `none`), or a procedure for all pairs that replaces
            test and correction (`tukey`, `tukey-randomized`, `conover`, `nemenyi`).
        alpha: a corrected p below it is significant; each interval has the level 1 - alpha, not corrected.
        family: `measure`, where the comparisons of each measure are corrected together, or `all` of them.
        interval: of the mean difference: `t`, `percentile`, `basic`, `bca` or `studentized`; by default the one that
            belongs to the test.
        equivalence: a margin: also test whether runs differ by less (two one-sided t tests).
        rope: half the width of a region of practical equivalence: also give posterior probabilities.
        risk: also give risk-sensitive gains, in which a loss weighs 1 + `risk` times as much as a gain.
        omnibus: a test of all runs at once: `anova` or `friedman`.
        samples: number of draws, for tests and intervals that use random draws.
        seed: of every draw.
        jobs: threads; they change nothing but the time.
        policy: the choices that shape the scores; single ones can be given by name, e.g. `ties="trec9"`.

    Returns:
        The comparison: it prints itself, and gives every pair by name.

    >>> qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(1, 6)}
    >>> runs = {"new": dict.fromkeys(qrels, ["a", "b"]), "old": dict.fromkeys(qrels, ["b", "a"])}
    >>> runs["new"]["q5"] = ["b", "a"]
    >>> compare(qrels, runs, "RR", baseline="old", test="permutation")  # 2 of the 2⁴ flips of 4 topics
     RR · 5 topics · sign-flip permutation test, exact, two-sided · Holm over 1 comparison
    <BLANKLINE>
     run    mean        Δ  95 % CI of Δ         d_z     p  W/T/L   judged
     old  0.5000        –  –                      –     –  –      100.0 %
     new  0.9000  +0.4000  [+0.1224, +0.6776]  1.79  0.12  4/1/0  100.0 %
    <BLANKLINE>
     * corrected p < 0.05.
     the paired t test decides differently on new – old: p = 0.016.
     ties=trec topic-set=qrels no-relevant=zero negative=unjudged unjudged=nonrelevant
    """
    method = Method(
        test=test,
        adjust=adjust,
        alpha=alpha,
        family=family,
        interval=interval,
        equivalence=equivalence,
        rope=rope,
        risk=risk,
        omnibus=omnibus,
        samples=samples,
        seed=seed,
    )
    source = None if against is None else Saved.of(against)
    usual = DEFAULT_MEASURES if source is None else source.scores.measures
    scores = _scores(qrels, runs, measures, {"policy": policy, "jobs": jobs, **evaluating}, seed, usual)
    scores, saved = (scores, ()) if source is None else beside(scores, source)
    if len(scores.runs) < 2:
        hint = f"{verb('evaluate')} scores a single run"
        if scores.audit.given:
            several = either("read_scores({RUN: table, RUN: table})", "repeat --scores, one table for each run")
            hint = f"name the runs in a column run, or {several}"
        raise PolicyError("E207", f"compare needs two runs, got {len(scores.runs)}", hint=hint)
    refuse_without_weights(scores, method)
    named = named_baselines(baseline) or list(saved)
    scores = by_topic(scores)
    contrasts = contrasts_of(scores, [place_of_baseline(name, scores.runs, saved) for name in named], saved=saved)
    _refuse_too_few_topics(scores, contrasts, method)
    evidence = decide(examine_all(scores, contrasts, method, jobs or 1), method, list(scores.judged_shares.T))
    if scores.replicates is not None:
        evidence = tuple(with_spread(found, scores) for found in evidence)
    return Comparison(scores, method, tuple(named), evidence, "" if source is None else source.name)


def named_baselines(given: object) -> list[str]:
    """The names of the baselines, each once."""
    names = [given] if isinstance(given, str) else given or ()
    listed = list(names) if isinstance(names, Iterable) else [names]
    if not all(isinstance(name, str) for name in listed):
        raise PolicyError("E241", f"{setting('baseline', given)} is no name", hint="the name of a run, or several")
    return list(dict.fromkeys(map(str, listed)))


def _scores(
    given: Any,
    runs: Any,
    measures: "MeasuresLike | None",
    evaluating: dict[str, Any],
    seed: int,
    usual: Sequence[str] = DEFAULT_MEASURES,
) -> Scores:
    """The given scores, restricted to the named measures; or the scores of runs under judgments."""
    if "median" in (given.averages if isinstance(given, Scores) else [evaluating.get("average")]):
        problem = "medians over topics are not compared: what is tested is a difference on each topic"
        means = f"compare means; {setting('test', 'sign', 'wilcoxon')} tests the median of the differences"
        raise PolicyError("E244", problem, hint=f"{means}, which the column median holds")
    if not isinstance(given, Scores):
        if runs is None:
            raise InputError("E121", "judgments were given, but no runs", hint="compare(qrels, runs, measures)")
        policies = {name: value for name, value in evaluating.items() if name in NAMES}
        (evaluating.get("policy") or Policy()).with_(**policies).require_single_values("a comparison")
        named = usual if measures is None or none_named(measures) else measures
        return evaluate(given, runs, named, seed=seed, **evaluating)
    if (replicates := evaluating.pop("replicates", None)) is not None:
        given = with_replicates(given, replicates)
    if runs is not None or any(value is not None for name, value in evaluating.items() if name != "jobs"):
        raise InputError("E121", "scores were given, and options for making scores too", hint="give the scores alone")
    if measures is None:
        return given
    listed = [measures] if isinstance(measures, str) else list(measures) if isinstance(measures, Iterable) else []
    known = bool(listed) and all(name in given.measures for name in listed)  # given scores need not be of our measures
    names = [str(name) for name in (listed if known else parse_many(measures))]
    if lacking := next((name for name in names if name not in given.measures), None):
        hint = f"they have {', '.join(given.measures)}"
        raise MeasureError("E201", f"the scores do not hold the measure {lacking!r}", hint=hint)
    return given.select(names)


def contrasts_of(
    scores: Scores, baselines: Sequence[int], means: Floats | None = None, *, saved: Sequence[str] = ()
) -> list[Contrasts]:
    """The pairs of each measure, in the order of the means: those of the scores, unless others are given."""
    fixed = [scores.runs.index(name) for name in saved]
    order = scores.means if means is None else means
    return [
        Contrasts.of(
            comparable(scores, column),
            order[:, column],
            baselines,
            fixed=fixed,
            smaller=_is_smaller(scores, name),
        )
        for column, name in enumerate(scores.measures)
    ]


def _is_smaller(scores: Scores, measure: str) -> bool:
    """Whether a smaller value is better: the caller says so for given scores, the definition for built-in measures."""
    if measure in scores.audit.given:
        return scores.audit.given[measure] == LOWER
    return measure in scores.smaller or is_smaller(measure)


def is_smaller(measure: str) -> bool:
    """Whether a smaller value of a measure is better; False for an unknown measure.

    >>> is_smaller("ESL"), is_smaller("AP"), is_smaller("my own")
    (True, False, False)
    """
    try:
        return parse(measure).definition.smaller
    except MeasureError:
        return False


def place_of_baseline(baseline: str, runs: Sequence[str], saved: Sequence[str] = ()) -> int:
    """The row of a baseline; if there are saved runs, it must be one of them."""
    known = saved or runs
    if baseline in known:
        return runs.index(baseline)
    listed = ", ".join(known[:_NAMED]) + (", …" if len(known) > _NAMED else "")
    near = nearest(baseline, known)
    hint = f"did you mean {near}?" if near else ""
    which = "saved runs" if saved else "runs"
    raise PolicyError("E205", f"baseline {baseline!r} is not among the {which}: {listed}", hint=hint)


def _refuse_too_few_topics(scores: Scores, contrasts: Sequence[Contrasts], method: Method) -> None:
    """An error if no pair has enough topics for a test; if only some pairs lack topics, the table shows a gap."""
    if method.test == NONE and not method.posthoc:
        return
    for pairs, average in zip(contrasts, scores.averages, strict=True):
        common = pairs.common
        if average != "sum" and len(pairs) and common.sum(axis=1).max() < 2:
            some = [scores.topics[at] for at in np.flatnonzero(common.any(axis=0))]
            where = f" ({some[0]})" if len(some) == 1 else ""
            count = int(common.sum(axis=1).max())
            raise InputError(
                "E208",
                f"a paired test needs at least 2 common topics, got {count}{where}",
                hint=f"report the difference without a test: {setting('test', 'none')}",
            )
