"""Make a decider of judgments, runs and a measure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from cranfield.align.policy import Policy
from cranfield.align.rankings import Rankings
from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import PolicyError
from cranfield.measures.grammar import Measure, parse_many
from cranfield.missing.estimates.estimate import DRAWS
from cranfield.missing.holes import depth_to_read, listed_documents
from cranfield.missing.next.deciding.asked import AskedPairs
from cranfield.missing.next.deciding.decider import Decider, PairOrder
from cranfield.missing.next.deciding.steps import StopRule
from cranfield.missing.next.deciding.worlds import DrawnHoles, Worlds
from cranfield.missing.prior.fitting import fit_prior
from cranfield.missing.prior.result import Prior
from cranfield.missing.situation import Situation, depth_of, refuse_by_subtopic, refuse_unsuitable
from cranfield.missing.universe import RUNS, Universe
from cranfield.pooling.candidates import Candidates
from cranfield.tables.averages import AVERAGES
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run

SLOW_DRAWS = 500  # of measures that have no formula for the difference of two runs
FEWEST_DRAWS = 200
MOST_VALUES = 1 << 24  # differences that are kept, of all draws, topics and pairs


@dataclass(frozen=True, eq=False)
class DecideQuestion:
    """The question: which of these runs are better, in which measure.

    Attributes:
        qrels: judgments so far.
        runs: those that are compared; all pairs of them, or those with the baseline.
        measure: as the policy wants it.
        policy: the choices that shape the numbers.
        baseline: the name of the run that all others are compared with; None: all pairs.
        others: further runs, from whose lists the prior learns.
        levels: grades that an answer may have beside those that occur in the judgments.
        topics: those that count; None: those that were judged.
        draws: completions that are drawn; None: the usual number.
        seed: of the draws.
        universe: which unjudged documents may be relevant; `runs` are those that are compared.
    """

    qrels: Qrels
    runs: tuple[Run, ...]
    measure: Measure
    policy: Policy
    baseline: str | None = None
    others: tuple[Run, ...] = ()
    levels: Floats | None = None
    topics: tuple[str, ...] | None = None
    draws: int | None = None
    seed: int = 0
    universe: Universe = RUNS

    @property
    def pairs(self) -> tuple[Ints, Ints]:
        """The first and the second run of each pair in question."""
        names = [run.name for run in self.runs]
        if self.baseline is None:
            found = list(combinations(range(len(names)), 2))
        else:
            base = names.index(self.baseline)
            found = [(run, base) for run in range(len(names)) if run != base]
        return np.array([a for a, _ in found], dtype=np.int64), np.array([b for _, b in found], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class MadeDecider:
    """A decider, and what it was made of."""

    decider: Decider
    prior: Prior
    candidates: Candidates


def depth_needed(measure: Measure) -> int:
    """How many documents of each list say something: as many as the measure looks at, and as the prior learns from."""
    return depth_to_read((measure,), RUNS)


def decider_of(question: DecideQuestion, rule: StopRule | None = None, order: PairOrder = "progress") -> MadeDecider:
    """A decider of a question.

    >>> from cranfield.read.objects import as_qrels, as_run
    >>> new, old = {"1": ["a", "x"], "2": ["c", "y"]}, {"1": ["b", "a"], "2": ["z", "y"]}
    >>> runs = as_run(new).renamed("new"), as_run(old).renamed("old")
    >>> qrels = as_qrels({"1": {"a": 1, "b": 0}, "2": {"c": 1}})
    >>> made = decider_of(DecideQuestion(qrels, runs, measure_for("P@2", Policy()), Policy())).decider
    >>> made.batch(2)
    [('1', 'x'), ('2', 'z')]
    >>> made.enter("2", "z", 0)
    True
    >>> made.state().sentence
    'new is better than old on these 2 topics, whatever the documents without a judgment are: you may stop.'
    >>> made.take_back("2", "z")
    True
    >>> made.state().reason is None
    True
    """
    chosen, measure, judged = question.policy, question.measure, question.qrels
    runs = [*question.runs, *question.others]
    candidates, grade, pooled, _ = listed_documents(judged, runs, (measure,), question.universe, chosen)
    wanted = judged.topics if question.topics is None else question.topics
    known = tuple(name for name in wanted if name in set(candidates.topics))
    asked = tuple(range(len(question.runs)))
    lists = tuple(Rankings.of(run, chosen) for run in question.runs) if measure.definition.needs_lists else ()
    situation, places = situation_of_runs(
        candidates, grade, known, measure, chosen, asked, question.levels, question.universe, pooled, lists
    )
    a, b = question.pairs
    state = AskedPairs(situation, a, b)
    prior = fit_prior(candidates, grade, _mask(candidates, places), seed=question.seed)
    number = question.draws or draws_for(state)
    worlds = Worlds(state, DrawnHoles.of(prior.model(number, question.seed), places, prior.levels))
    return MadeDecider(Decider(state, worlds, rule, order, question.seed), prior, candidates)


def situation_of_runs(
    candidates: Candidates,
    grade: Floats,
    topics: tuple[str, ...],
    measure: Measure,
    policy: Policy,
    runs: Sequence[int],
    levels: Floats | None = None,
    universe: Universe = RUNS,
    pooled: Bools | None = None,
    lists: tuple[Rankings, ...] = (),
) -> tuple[Situation, Ints]:
    """The situation of some runs alone, and the place of each of its holes among the candidates.

    `pooled` says which candidates are in the pool of the universe; without a pool the holes are what these runs list.
    `lists` are those of the runs, for measures that look at whole lists.
    """
    number = np.full(len(candidates.runs), -1)
    number[list(runs)] = np.arange(len(runs))
    listed = number[candidates.run] >= 0
    depth = universe.depth or depth_of(measure)
    near = listed if depth is None or measure.condensed else listed & (candidates.rank <= depth)
    kept = ~np.isnan(grade) if pooled is None else ~np.isnan(grade) | pooled
    kept[candidates.pair[near]] = True
    place = np.flatnonzero(kept)
    small = candidates.only(kept)
    own = number[small.run] >= 0
    order = np.argsort(number[small.run[own]], kind="stable")
    some = replace(
        small,
        runs=tuple(candidates.runs[run] for run in runs),
        run=number[small.run[own]][order],
        pair=small.pair[own][order],
        rank=small.rank[own][order],
        length=candidates.length[list(runs)],
    )
    inside = None if pooled is None else pooled[place]
    found = Situation.of(some, grade[place], topics, measure, universe, policy, inside, levels, lists)
    return found, place[found.candidate[np.isnan(found.grade)]]


def measure_for(name: str, policy: Policy) -> Measure:
    """One measure, as a policy wants it; a mistake is named."""
    found = parse_many(name)
    if len(found) != 1:
        raise PolicyError("E244", f"one measure decides, got {len(found)}", hint="such as nDCG@10")
    wanted = found[0].at_level(policy.rel) if policy.rel != 1 else found[0]
    wanted = wanted.as_condensed() if policy.unjudged == "condensed" else wanted
    refuse_unsuitable(wanted, policy)
    refuse_by_subtopic(wanted, "decisions")
    if (average := wanted.definition.average) not in ("mean", "sum"):
        problem = f"means over topics decide, and {wanted} is a {AVERAGES[average]}"
        raise PolicyError("E243", problem, hint="take the measure of single topics, such as AP instead of GMAP")
    return wanted


def draws_for(state: AskedPairs) -> int:
    """How many completions are drawn: fewer where they are slow to compute, or pairs are many."""
    from cranfield.missing.bounds.additive import Terms
    from cranfield.missing.bounds.ideal import SharesOfIdeal

    usual = DRAWS if isinstance(state.bounder.method, Terms | SharesOfIdeal) else SLOW_DRAWS
    fitting = MOST_VALUES // max(len(state.a) * len(state.topics), 1)
    return max(min(usual, fitting), FEWEST_DRAWS)


def _mask(candidates: Candidates, places: Ints) -> Bools:
    found = np.zeros(len(candidates), dtype=bool)
    found[places] = True
    return found
