"""All pairs of many runs, side by side with a loop over SciPy: equal numbers first, then ratios.

    python benchmarks/comparisons.py                       # 129 runs × 50 topics, drawn at random
    python benchmarks/comparisons.py scores.json -m AP     # what `cranfield evaluate --save` wrote

The loop calls `scipy.stats.ttest_rel` (with its interval), `permutation_test` and `wilcoxon` once for each pair, as
people write it; the slow ones on some of the pairs, and their time is scaled to all. `cranfield.compare` does all pairs
at once, and effect sizes, wins and corrections besides. CPU seconds, the median of interleaved repeats.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import numpy as np
from scipy import stats

from cranfield.read.saved_scores import load_scores
from cranfield.stats.comparison.compare import compare
from cranfield.tables.audit import Audit
from cranfield.tables.scores import Scores

Outcome = TypeVar("Outcome")

RESAMPLES = 10_000
SOME = 40  # pairs on which the slow tests of SciPy are timed


def drawn(runs: int, topics: int, seed: int = 0) -> Scores:
    """Scores of runs that differ a little, on topics that differ a lot."""
    rng = np.random.default_rng(seed)
    level = rng.uniform(0.0, 0.8, size=(1, topics)) + rng.normal(0, 0.06, size=(runs, 1))
    values = np.clip(level + rng.normal(0, 0.1, size=(runs, topics)), 0, 1)[:, :, None]
    return Scores(
        runs=tuple(f"run{n}" for n in range(runs)),
        topics=tuple(f"{n:04d}" for n in range(topics)),
        measures=("AP",),
        averages=("mean",),
        values=values,
        scored=np.ones((runs, topics), dtype=bool),
        judged=np.ones(values.shape),
        retrieved=np.full((runs, topics), 1000),
        relevant=np.ones((topics, 1), dtype=np.int64),
        audit=Audit(topics_in_mean=topics),
    )


def timed(work: Callable[[], Outcome]) -> tuple[float, Outcome]:
    """CPU seconds, and what came out."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def loop(differences: Sequence[np.ndarray], test: str) -> list[float]:
    """SciPy, pair by pair."""
    if test == "t":
        found = [stats.ttest_1samp(d, 0) for d in differences]
        for each in found:
            each.confidence_interval()
        return [float(each.pvalue) for each in found]
    if test == "wilcoxon":
        return [float(stats.wilcoxon(d).pvalue) for d in differences]
    rng = np.random.default_rng(0)
    found = [
        stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=RESAMPLES, rng=rng, axis=0)
        for d in differences
    ]
    return [float(each.pvalue) for each in found]


def main() -> None:
    """Print one line per test."""
    parser = argparse.ArgumentParser(description="All pairs of runs, beside a loop over SciPy.")
    parser.add_argument("scores", nargs="?", help="saved scores; without them, random ones")
    parser.add_argument("-m", "--measure", default="AP")
    parser.add_argument("--runs", type=int, default=129)
    parser.add_argument("--topics", type=int, default=50)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    scores = load_scores(given.scores) if given.scores else drawn(given.runs, given.topics)
    print(f"{len(scores.runs)} runs · {len(scores.topics)} topics · {given.measure}")
    for test in ("t", "wilcoxon", "permutation"):
        ours, theirs = [], []
        for _ in range(given.repeats):
            work = partial(compare, scores, measures=given.measure, test=test, samples=RESAMPLES)
            seconds, comparison = timed(work)
            ours.append(seconds)
            (found,) = comparison.evidence
            pairs = len(found.contrasts)
            some = np.arange(pairs) if test == "t" else np.linspace(0, pairs - 1, SOME).astype(int)
            differences = list(found.contrasts.differences[some])
            seconds, pvalues = timed(partial(loop, differences, test))
            theirs.append(seconds * pairs / len(some))
        told = ~np.isnan(np.array(pvalues))  # SciPy has no p for runs that are equal on every topic
        if not (found.pairs.p_raw[some][~told] == 1).all():
            raise SystemExit(f"{test}: SciPy has no p where we have one")
        apart = float(np.abs(np.array(pvalues) - found.pairs.p_raw[some])[told].max())
        allowed = (
            0.03 if test == "permutation" else 1e-9 if test == "t" else 0.01
        )  # draws differ, and so do the rules for ties
        if apart > allowed:
            raise SystemExit(f"{test}: p values differ by {apart:.2g}")
        us, them = statistics.median(ours), statistics.median(theirs)
        said = "" if len(some) == pairs else f", scaled from {len(some)}"
        print(
            f"{test:<12} {pairs:,} pairs: cranfield {us:7.2f} s · SciPy loop {them:8.2f} s{said} · "
            f"{them / us:.1f} times · largest difference of p {apart:.1g}"
        )


if __name__ == "__main__":
    main()
