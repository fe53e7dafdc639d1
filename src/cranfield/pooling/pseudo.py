"""Rank systems without judgments: documents that many runs list, or random documents, count as relevant."""

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from cranfield.align.policy import Policy
from cranfield.arrays import Floats, Ints
from cranfield.errors import DataWarning
from cranfield.errors.arguments import checked_methods
from cranfield.errors.ranges import check_least, out_of_range
from cranfield.errors.warning import warn
from cranfield.measures.evaluate import evaluate
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.sampling import Stratum, checked_rate, stratified
from cranfield.read.objects import as_runs
from cranfield.registry import one_of
from cranfield.tables.audit import Audit
from cranfield.tables.qrels import Qrels
from cranfield.tables.result import Result
from cranfield.tables.scores import number
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.read.accepted import QrelsLike, RunsLike


POPULAR = "pseudo-relevance rewards runs for listing what all others list: the best systems may come out worst"
PseudoMethod = Literal["common", "random"]


def pseudo_qrels(
    runs: "RunsLike",
    depth: int = 100,
    at_least: int = 2,
    policy: Policy | None = None,
) -> Qrels:
    """Pseudo-judgments: grade 1 for documents that at least so many runs list down to a depth, 0 for the others.

    "More than m runs" is `at_least=m + 1`.

    >>> runs = {"r1": {"1": list("abcd")}, "r2": {"1": list("bcef")}, "r3": {"1": list("aegb")}}
    >>> found = pseudo_qrels(runs, depth=3, at_least=2)  # abc, bce, aeg: only g is listed once
    >>> dict(zip(found.document, found.grade.tolist()))
    {'a': 1, 'b': 1, 'c': 1, 'e': 1, 'g': 0}
    """
    if at_least < 1:
        raise out_of_range("at_least", at_least, "a whole number from 1")
    candidates = Candidates.of(as_runs(runs).members, depth, policy)
    return _qrels(candidates, (candidates.listings >= at_least).astype(np.int64))


def random_pseudo_qrels(
    runs: "RunsLike",
    depth: int = 100,
    rate: float = 0.06,
    seed: int = 0,
    policy: Policy | None = None,
) -> Qrels:
    """Random pseudo-judgments: of each topic's pool, the share that is usually relevant, at least one document.

    Soboroff, Nicholas and Cahan (2001) rank systems by their mean score over many such draws.

    >>> runs = {"r1": {"1": list("abcd")}, "r2": {"1": list("bcef")}, "r3": {"1": list("aegb")}}
    >>> found = random_pseudo_qrels(runs, depth=3, rate=0.4)  # 0.4 · 5 documents
    >>> len(found), int(found.grade.sum())
    (5, 2)
    """
    return _drawn(Candidates.of(as_runs(runs).members, depth, policy), checked_rate(rate), seed)


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class PseudoRanking(Result):
    """Systems ranked without judgments, beside their order under real judgments if these are given."""

    command: ClassVar[str] = "pseudo"

    method: str  # `common` or `random`
    measure: str  # what the systems are ordered by
    runs: tuple[str, ...]  # names
    values: Floats  # mean over topics and draws, by run
    spread: Floats  # standard deviation over draws
    draws: int  # number of draws
    truth: Floats | None  # under the real judgments
    tau: float  # tau-b of the two orders; NaN without real judgments
    audit: Audit

    def sheet(self) -> Sheet:
        """One row per run, best first."""
        order: Ints = np.argsort(-self.values, kind="stable")
        columns = [
            Column("run", [self.runs[place] for place in order]),
            Column(self.measure, self.values[order], ".4f"),
        ]
        if self.draws > 1:
            columns.append(Column("sd over draws", self.spread[order], ".4f"))
        notes = [f"without judgments ({self.method}, {counted(self.draws, 'draw')}): {POPULAR}"]
        if self.truth is not None:
            columns.append(Column("judged", self.truth[order], ".4f"))
            notes.insert(0, f"τ with the order under the judgments: {self.tau:.3f}")
        return Sheet(tuple(columns), tuple(notes), label="tab:pseudo")

    def result(self) -> dict[str, Any]:
        """Plain data."""
        truth = [None] * len(self.runs) if self.truth is None else self.truth.tolist()
        rows = zip(self.runs, self.values.tolist(), self.spread.tolist(), truth, strict=True)
        return {
            "method": self.method,
            "measure": self.measure,
            "draws": self.draws,
            "tau": number(self.tau),
            "runs": [{"run": run, "mean": v, "sd": number(s), "judged": number(t)} for run, v, s, t in rows],
        }


def rank_without_judgments(
    runs: "RunsLike",
    measure: str = "AP",
    *,
    method: PseudoMethod = "random",
    depth: int = 100,
    at_least: int = 2,
    rate: float = 0.06,
    draws: int = 50,
    seed: int = 0,
    qrels: "QrelsLike | None" = None,
    policy: Policy | None = None,
) -> PseudoRanking:
    """Rank systems by pseudo-judgments: `random` draws (Soboroff et al. 2001), or documents `common` to runs.

    With `qrels` the result says how well that order agrees with the real one. A warning (W120) recalls that this
    favours popular documents (Aslam and Savell 2003).

    >>> runs = {"r1": {"1": list("abcd")}, "r2": {"1": list("bcef")}, "r3": {"1": list("xyzb")}}
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     found = rank_without_judgments(runs, method="common", depth=3, qrels={"1": {"x": 1, "a": 0}})
    >>> found.values.round(4), found.truth  # b and c are common; x is relevant
    (array([0.5833, 1.    , 0.125 ]), array([0., 0., 1.]))
    """
    from cranfield.stats.orders.correlation import correlate

    one_of("method", method, ("random", "common"))
    check_least(1, draws=draws)
    tables = as_runs(runs)
    candidates = Candidates.of(tables.members, depth, policy)
    if method == "common":
        drawn = [_qrels(candidates, (candidates.listings >= at_least).astype(np.int64))]
    else:
        drawn = [_drawn(candidates, checked_rate(rate), seed + draw) for draw in range(draws)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # the judgments are no judgments
        means = np.stack([evaluate(each, tables, measure, policy=policy).means[:, 0] for each in drawn])
        truth = None if qrels is None else evaluate(qrels, tables, measure, policy=policy).means[:, 0]
    values = means.mean(axis=0)
    warn(DataWarning("W120", POPULAR))
    return PseudoRanking(
        method=method,
        measure=str(measure),
        runs=candidates.runs,
        values=values,
        spread=means.std(axis=0, ddof=1) if len(drawn) > 1 else np.full(len(values), np.nan),
        draws=len(drawn),
        truth=truth,
        tau=np.nan if truth is None else correlate(values, truth),
        audit=Audit(inputs=candidates.inputs, seed=seed),
    )


def _drawn(candidates: Candidates, rate: float, seed: int) -> Qrels:
    sample = stratified(candidates, [Stratum(1, candidates.depth, rate)], seed)
    return _qrels(candidates, sample.drawn.astype(np.int64))


def _qrels(candidates: Candidates, grade: Ints) -> Qrels:
    return Qrels(candidates.topics, candidates.topic, candidates.document, grade)
