"""`cranfield.decide`: request judgments until it is known which of two runs is better."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

from cranfield.align.policy import Policy
from cranfield.errors.ranges import check_least, out_of_range
from cranfield.missing.holes import HolesChoices, scale_levels
from cranfield.missing.next.deciding.decider import PairOrder
from cranfield.missing.next.deciding.making import DecideQuestion, decider_of, measure_for
from cranfield.missing.next.deciding.path import follow
from cranfield.missing.next.deciding.result import PairDecision
from cranfield.missing.next.deciding.steps import Answer, StopRule
from cranfield.missing.universe import Universe, read_universe
from cranfield.read.objects import as_qrels, as_run, as_runs
from cranfield.registry import one_of
from cranfield.tables.audit import Audit
from cranfield.tables.run import Run
from cranfield.tables.source import Input
from cranfield.versions import versions

if TYPE_CHECKING:
    from cranfield.read.accepted import QrelsLike, RunsLike


def decide(
    qrels: "QrelsLike",
    a: "RunsLike",
    b: "RunsLike",
    measure: str = "nDCG@10",
    *,
    ask: Callable[[str, str], Answer],
    stop: float | Literal["certain"] = "certain",
    budget: int | None = None,
    strategy: PairOrder = "progress",
    batch: int = 1,
    others: "RunsLike | None" = None,
    universe: str | Universe = "runs",
    scale: Sequence[float] | None = None,
    draws: int | None = None,
    seed: int = 0,
    policy: Policy | None = None,
    **policies: Unpack[HolesChoices],
) -> PairDecision:
    r"""Ask for one judgment after the other until it is known which of two runs is better on these topics.

    After each answer the range of the difference is updated, and P(A > B): of completions drawn from the prior, each
    weighs as much as it makes the answers probable.

    *Certain* is certain of the documents of the universe. A relevant document outside of it makes the ideal list of its
    topic better, which a measure such as nDCG divides by; found later, it can reverse a pair that is close. With
    `universe="open:10"` up to ten such documents of each topic cannot. That takes more judgments, and where all holes
    are judged and the order is not certain, asking ends with `nothing left`. It changes nothing for measures that look
    at what is listed alone (P, RBP). P(A > B) takes unseen documents for not relevant.

    By `progress` the next document has the largest $|w_A - w_B|$ times the chance that its grade helps the run that is
    probably better: that is how far the end of the range that is in doubt is expected to move. By `swing` it has the
    largest $|w_A - w_B|$.

    Args:
        qrels: judgments so far: a table, path, dict of dict, or data frame.
        a: the first run.
        b: the second one.
        measure: its name.
        ask: called with topic and document; it returns the grade, or None if there is no answer: the document then
            stays unjudged and is not requested again.
        stop: `certain`, or a probability such as 0.05: also stop when P(A > B) is at most that, or at least 1 minus it.
        budget: most judgments; None: no limit.
        strategy: the order in which grades are requested: `progress`, `swing` or `random`.
        batch: how many grades are requested before the order is computed again.
        others: further runs, from whose lists the prior learns.
        universe: which unjudged documents may turn out relevant, as in `holes`. `runs`: those in the first *k* of the
            two runs, *k* being the deepest rank that the measure looks at; `runs:K`: the first K; `pool:FILE`: those in
            a pool; `open:N`: those of `runs` and up to N of each topic that neither run retrieved.
        scale: grades that an answer may have beside those that occur in the judgments.
        draws: completions that are drawn; 4,000 by default, 500 of measures that are slow to compute.
        seed: of the draws.
        policy: the choices that shape the numbers; single ones can be given by name.

    >>> qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 1}}
    >>> new, old = {"1": ["a", "x"], "2": ["c", "y"]}, {"1": ["b", "a"], "2": ["z", "y"]}
    >>> found = decide(qrels, new, old, "P@1", ask=lambda topic, document: 0)
    >>> found.winner, found.asked, found.reason  # z could only have made the second topic a tie
    ('a', 0, 'certain')
    >>> found = decide(qrels, new, old, "P@2", ask=lambda topic, document: 0)
    >>> [(step.document, step.low, step.high) for step in found.steps]
    [(None, 0.0, 0.5), ('x', 0.0, 0.25), ('z', 0.25, 0.25)]
    """
    chosen = (policy or Policy()).with_(**policies)
    wanted = measure_for(measure, chosen)
    rule = StopRule(_alpha(stop))
    check_least(1, batch=batch, draws=1 if draws is None else draws)
    check_least(0, seed=seed, budget=0 if budget is None else budget)
    one_of("strategy", strategy, get_args(PairOrder))
    known = read_universe(universe)
    judged = as_qrels(qrels)
    pair = _named_apart(as_run(a), as_run(b))
    further = () if others is None else as_runs(others).members
    question = DecideQuestion(
        qrels=judged,
        runs=pair,
        measure=wanted,
        policy=chosen,
        others=tuple(run for run in further if run.name not in {one.name for one in pair}),
        levels=None if scale is None else scale_levels(scale),
        draws=draws,
        seed=seed,
        universe=known,
    )
    made = decider_of(question, rule, strategy)
    why = follow(made.decider, ask, budget, batch)
    return PairDecision(
        a=pair[0].name,
        b=pair[1].name,
        measure=str(wanted),
        steps=tuple(made.decider.steps[0]),
        reason=why,
        holes=len(made.decider.documents()),
        alpha=rule.alpha,
        strategy=strategy,
        prior=made.prior,
        universe=known.words(made.decider.asked.situation.depth),
        audit=Audit(
            policies={**asdict(chosen), "universe": str(known)},
            inputs=(Input.of("qrels", judged), *made.candidates.inputs),
            versions=versions(),
            seed=seed,
        ),
        smaller=wanted.definition.smaller,
    )


def _alpha(stop: Any) -> float:  # whatever a caller gives
    if stop == "certain":
        return 0.0
    if isinstance(stop, bool) or not isinstance(stop, int | float) or not 0 < stop < 0.5:
        rule = "certain, or a probability above 0 and below 0.5, such as 0.05"
        raise out_of_range("stop", stop, rule)
    return float(stop)


def _named_apart(a: Run, b: Run) -> tuple[Run, Run]:
    """Two runs with different names."""
    return (a.renamed("a"), b.renamed("b")) if a.name == b.name else (a, b)
