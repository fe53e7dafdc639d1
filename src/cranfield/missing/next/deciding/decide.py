"""`cranfield.decide`: ask for judgments until it is known which of two runs is better."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np

from cranfield.align.policy import Policy
from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import PolicyError
from cranfield.errors.ranges import check_least
from cranfield.measures.grammar import Measure, parse_many
from cranfield.missing.estimates.estimate import DRAWS
from cranfield.missing.holes import HolesChoices, scale_levels
from cranfield.missing.next.deciding.pair import PairState
from cranfield.missing.next.deciding.path import Answer, PairOrder, StopRule, follow
from cranfield.missing.next.deciding.result import PairDecision
from cranfield.missing.next.deciding.worlds import DrawnHoles, Worlds
from cranfield.missing.prior.features import WIDE
from cranfield.missing.prior.fitting import fit_prior
from cranfield.missing.situation import Situation, depth_of, refuse_unsuitable
from cranfield.missing.universe import Universe, read_universe
from cranfield.pooling.candidates import Candidates
from cranfield.read.objects import as_qrels, as_run, as_runs
from cranfield.registry import one_of
from cranfield.tables.audit import Audit
from cranfield.tables.run import Run
from cranfield.tables.source import Input
from cranfield.versions import versions

if TYPE_CHECKING:
    from cranfield.read.accepted import QrelsLike, RunsLike

SLOW_DRAWS = 500  # of measures that have no formula for the difference of two runs
WHOLE = 1 << 40  # deeper than any list


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
    scale: Sequence[float] | None = None,
    draws: int | None = None,
    seed: int = 0,
    policy: Policy | None = None,
    **policies: Unpack[HolesChoices],
) -> PairDecision:
    r"""Ask for one judgment after the other until it is known which of two runs is better on these topics.

    Documents in the first *k* of the two runs may be relevant, *k* being the deepest rank that the measure looks at.
    After each answer the range of the difference is updated, and P(A > B): of completions drawn from the prior, each
    weighs as much as it makes the answers probable.

    By `progress` the next document has the largest $|w_A - w_B|$ times the chance that its grade helps the run that is
    probably better: that is how far the end of the range that is in doubt is expected to move. By `swing` it has the
    largest $|w_A - w_B|$.

    Args:
        qrels: judgments so far: a table, path, dict of dict, or data frame.
        a: the first run.
        b: the second one.
        measure: its name.
        ask: called with topic and document; it returns the grade, or None if there is no answer: the document then
            stays unjudged and is not asked about again.
        stop: `certain`, or a probability such as 0.05: also stop when P(A > B) is at most that, or at least 1 minus it.
        budget: most judgments; None: no limit.
        strategy: in which order documents are asked about: `progress`, `swing` or `random`.
        batch: how many documents are asked about before the order is made anew.
        others: further runs, from whose lists the prior learns.
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
    wanted = _measure(measure, chosen)
    rule = StopRule(_alpha(stop), budget)
    check_least(1, batch=batch, draws=1 if draws is None else draws)
    check_least(0, seed=seed, budget=0 if budget is None else budget)
    one_of("strategy", strategy, get_args(PairOrder))
    judged = as_qrels(qrels)
    pair = _named_apart(as_run(a), as_run(b))
    further = [] if others is None else [run for run in as_runs(others).members if run.name not in _names(pair)]
    depth = depth_of(wanted)
    candidates = Candidates.of([*pair, *further], max(depth or WHOLE, WIDE), chosen, judged)
    grade = candidates.grades(judged, chosen)
    levels = None if scale is None else scale_levels(scale)
    known = tuple(name for name in judged.topics if name in set(candidates.topics))
    situation, places = pair_situation(candidates, grade, known, wanted, chosen, (0, 1), levels)
    state = PairState(situation)
    prior = fit_prior(candidates, grade, _mask(candidates, places), seed=seed)
    number = draws or (DRAWS if quick(state) else SLOW_DRAWS)
    worlds = Worlds(state, DrawnHoles.of(prior.model(number, seed), places, prior.levels))
    steps, why = follow(state, worlds, ask, rule, strategy, batch, seed)
    return PairDecision(
        a=pair[0].name,
        b=pair[1].name,
        measure=str(wanted),
        steps=tuple(steps),
        reason=why,
        holes=len(state.pairs),
        alpha=rule.alpha,
        strategy=strategy,
        prior=prior,
        audit=Audit(
            policies={**_settings(chosen), "universe": "runs"},
            inputs=(Input.of("qrels", judged), *candidates.inputs),
            versions=versions(),
            seed=seed,
        ),
    )


def pair_situation(
    candidates: Candidates,
    grade: Floats,
    topics: tuple[str, ...],
    measure: Measure,
    policy: Policy,
    pair: tuple[int, int],
    levels: Floats | None = None,
    universe: Universe | None = None,
) -> tuple[Situation, Ints]:
    """The situation of two runs alone, and the place of each of its holes among the candidates."""
    listed = np.isin(candidates.run, pair)
    depth = depth_of(measure)
    near = listed if depth is None or measure.condensed else listed & (candidates.rank <= depth)
    kept = ~np.isnan(grade)
    kept[candidates.pair[near]] = True
    place = np.flatnonzero(kept)
    small = candidates.only(kept)
    own = np.isin(small.run, pair)
    order = np.argsort(np.where(small.run[own] == pair[0], 0, 1), kind="stable")
    two = replace(
        small,
        runs=tuple(candidates.runs[run] for run in pair),
        run=np.where(small.run[own] == pair[0], 0, 1)[order],
        pair=small.pair[own][order],
        rank=small.rank[own][order],
        length=candidates.length[list(pair)],
    )
    found = Situation.of(two, grade[place], topics, measure, universe or read_universe("runs"), policy, levels=levels)
    return found, place[found.candidate[np.isnan(found.grade)]]


def quick(state: PairState) -> bool:
    """Whether the difference of two runs has a formula on completions."""
    from cranfield.missing.bounds.additive import Terms
    from cranfield.missing.bounds.ideal import SharesOfIdeal

    return isinstance(state.bounder.method, Terms | SharesOfIdeal)


def _measure(name: str, policy: Policy) -> Measure:
    found = parse_many(name)
    if len(found) != 1:
        raise PolicyError("E244", f"one measure decides, got {len(found)}", hint="such as nDCG@10")
    wanted = found[0].at_level(policy.rel) if policy.rel != 1 else found[0]
    wanted = wanted.as_condensed() if policy.unjudged == "condensed" else wanted
    refuse_unsuitable(wanted, policy)
    return wanted


def _alpha(stop: Any) -> float:  # whatever a caller gives
    if stop == "certain":
        return 0.0
    if isinstance(stop, bool) or not isinstance(stop, int | float) or not 0 < stop < 0.5:
        problem = f"stop at {stop!r} is unknown"
        raise PolicyError("E240", problem, hint="certain, or a probability above 0 and below 0.5, such as 0.05")
    return float(stop)


def _named_apart(a: Run, b: Run) -> tuple[Run, Run]:
    """Two runs with different names."""
    return (a.renamed("a"), b.renamed("b")) if a.name == b.name else (a, b)


def _names(pair: tuple[Run, Run]) -> set[str]:
    return {run.name for run in pair}


def _mask(candidates: Candidates, places: Ints) -> Bools:
    found = np.zeros(len(candidates), dtype=bool)
    found[places] = True
    return found


def _settings(policy: Policy) -> dict[str, Any]:  # of several types
    from dataclasses import asdict

    return asdict(policy)
