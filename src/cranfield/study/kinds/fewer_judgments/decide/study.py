"""`decide`: how many judgments it takes until it is known which of two runs is better."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, ClassVar, Literal

import numpy as np

from cranfield.arrays import Floats
from cranfield.errors import PolicyError
from cranfield.errors.wording import setting
from cranfield.measures.grammar import Measure
from cranfield.missing.next.deciding.decide import decide
from cranfield.missing.next.deciding.result import PairDecision
from cranfield.missing.situation import depth_of
from cranfield.missing.universe import read_universe
from cranfield.random_streams import stream
from cranfield.study.data.judged_runs import JudgedRuns
from cranfield.study.data.universes import universe_option
from cranfield.study.engine.definition import Study, UnitResult, define, option
from cranfield.study.engine.findings import Findings
from cranfield.study.kinds.fewer_judgments.decide.answers import Answers
from cranfield.study.kinds.fewer_judgments.decide.paths import Paths
from cranfield.study.summaries.order_agreement import need_order
from cranfield.tables.words import counted

HIDDEN = 50  # percent


@define(
    "decide",
    "how many judgments until two runs are decided",
    examples=(
        "cranfield study decide qrels.txt runs/*.run -m nDCG@10 --hide 50",
        "cranfield study decide round2.txt runs/*.run --later rounds3-5.txt --complete",
        "cranfield study decide qrels.txt runs/*.run -m P@10 --pool-depth 5 -o decided/",
    ),
)
@dataclass(frozen=True)
class Decide(Study[JudgedRuns]):
    """Hide judgments, and reveal one after the other until it is known which of two runs is better.

    For each pair of runs, hidden judgments answer until no grade of the other holes can reverse the order (certain), or
    until P(A > B) on these topics, under the prior, leaves the limits. Holes are what the two runs list in their first
    ranks, unless a universe says otherwise. A stop is wrong if all known judgments say the opposite. Judging all holes
    of the pair stands beside it. Charts: the share of pairs that is decided after so many judgments.
    """

    data: ClassVar[str] = "judged runs"
    usual: ClassVar[tuple[str, ...]] = ("nDCG@10",)

    hide: float | None = option(
        None,
        "percent of the judgments of each topic that are hidden at random",
        usual=f"{HIDDEN}, unless others say what is hidden",
        metavar="PERCENT",
        check=lambda share: share is None or 0 < share <= 100,
        rule="a number above 0, at most 100",
    )
    pool_depth: int | None = option(
        None,
        "hide documents that no run has in its first K",
        metavar="K",
        check=lambda depth: depth is None or depth >= 1,
        rule="a whole number from 1",
    )
    later: str | None = option(None, "hide nothing: this file answers", metavar="FILE", file=True)
    stops: tuple[float, ...] = option(
        (0.01, 0.05),
        "also stop when P(A > B) is at most that, or at least 1 minus it",
        metavar="P,…",
        check=lambda stops: all(0 < stop < 0.5 for stop in stops),
        rule="numbers above 0 and below 0.5",
    )
    strategy: Literal["progress", "swing", "random"] = option(
        "progress", "order in which the grades of holes are requested"
    )
    budget: int | None = option(
        None,
        "most judgments of a pair",
        usual="no limit",
        metavar="N",
        check=lambda most: most is None or most >= 0,
        rule="a whole number from 0",
    )
    unknown: Literal["nonrelevant", "open"] = option(
        "nonrelevant", "holes without a known judgment: the answer is grade 0, or there is none"
    )
    universe: str = universe_option()
    complete: bool = option(False, "only runs of which every document that the measure looks at has a known judgment")
    pairs: int = option(
        200,
        "most pairs of runs, chosen at random",
        metavar="N",
        check=lambda most: most >= 1,
        rule="a whole number from 1",
    )
    draws: int | None = option(
        None,
        "completions drawn from the prior",
        usual="4,000, of slow measures 500",
        metavar="N",
        check=lambda draws: draws is None or draws >= 1,
        rule="a whole number from 1",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [name for name in ("hide", "pool_depth", "later") if getattr(self, name) is not None]
        if len(given) > 1:
            both = " and ".join(setting(name, getattr(self, name)) for name in given[:2])
            raise PolicyError("E244", f"{both} exclude each other", hint="one of them says which judgments are hidden")

    def units(self, data: JudgedRuns) -> Sequence[Any]:
        """One for each measure and pair of runs."""
        need_order(len(data.runs))
        return [{"measure": m, "pair": list(pair)} for m in range(len(data.measures)) for pair in self._pairs(data, m)]

    def repetitions(self) -> int:
        """The number of draws."""
        return self.draws or 0

    def size(self, data: JudgedRuns, unit: Any) -> int:
        """The bytes of the drawn completions, roughly."""
        return (self.draws or 4000) * len(data.qrels.topics) * 40

    def work(self, data: JudgedRuns, unit: Any, seed: int) -> UnitResult:
        """The path of a pair until it is certain."""
        answers = self._answers(data, seed)
        a, b = (data.runs[data.collection.runs[at]] for at in unit["pair"])
        found: PairDecision = decide(
            answers.shown,
            a,
            b,
            str(data.measures[unit["measure"]]),
            ask=answers.ask(0.0 if self.unknown == "nonrelevant" else None),
            budget=self.budget,
            strategy=self.strategy,
            universe=self.universe,
            scale=answers.levels,
            draws=self.draws,
            seed=seed,
            policy=data.collection.policy.with_(rel=1),
        )
        steps = found.steps
        return {
            "low": np.array([step.low for step in steps]),
            "high": np.array([step.high for step in steps]),
            "probability": np.array([step.probability for step in steps]),
            "holes": np.array(found.holes),
        }

    def findings(self, data: JudgedRuns, found: Sequence[UnitResult], seed: int) -> Findings:
        """The number of judgments until each stop, over all pairs, and over those that are open at first."""
        units = self.units(data)
        paths = Paths(
            measures=tuple(str(measure) for measure in data.measures),
            runs=data.collection.runs,
            measure=np.array([unit["measure"] for unit in units], dtype=np.int64),
            pair=np.array([unit["pair"] for unit in units], dtype=np.int64).reshape(-1, 2),
            found=tuple(found),
            means=_outcome(data, self._answers(data, seed)),
            stops=self.stops,
            universe=read_universe(self.universe),
        )
        return paths.findings(self._title(data, len(units)), self._notes(data, seed))

    def _title(self, data: JudgedRuns, units: int) -> str:
        if self.later is not None:
            hidden = "later judgments answer"
        elif self.pool_depth is not None:
            hidden = f"judgments outside of the first {self.pool_depth} of the runs hidden"
        else:
            hidden = f"{self.hide or HIDDEN:g} % of the judgments hidden at random"
        pairs = counted(units // max(len(data.measures), 1), "pair")
        of = f"{pairs} of {counted(len(data.runs), 'run')} · {counted(len(data.qrels.topics), 'topic')}"
        return f"Judgments until two runs are decided · {of} · {hidden} · asked by {self.strategy}"

    def _notes(self, data: JudgedRuns, seed: int) -> tuple[str, ...]:
        answers = self._answers(data, seed)
        unknown = "not relevant" if self.unknown == "nonrelevant" else "not answered"
        shown = f"{counted(len(answers.shown), 'judgment')} at the beginning, {len(answers.known):,} known in the end"
        return (
            f"{shown}; holes without a judgment in the end are {unknown}",
            *dict.fromkeys(self._universe(measure) for measure in data.measures),
            "P on these topics, as good as the prior, which learns from the two runs alone",
        )

    def _universe(self, measure: Measure) -> str:
        return f"universe={self.universe}: {read_universe(self.universe).words(depth_of(measure))}"

    def _pairs(self, data: JudgedRuns, measure: int) -> list[tuple[int, int]]:
        kept = np.arange(len(data.runs))
        if self.complete:
            kept = np.flatnonzero(self._answers(data, 0).complete(data, data.measures[measure]))
        every = list(combinations(kept.tolist(), 2))
        if len(every) <= self.pairs:
            return every
        chosen = stream(0, "decide", "pairs").permutation(len(every))[: self.pairs]
        return [every[at] for at in sorted(chosen.tolist())]

    def _answers(self, data: JudgedRuns, seed: int) -> Answers:
        return _answers(data, self.hide, self.pool_depth, self.later, seed)


@lru_cache(maxsize=2)
def _answers(data: JudgedRuns, hide: float | None, depth: int | None, later: str | None, seed: int) -> Answers:
    """The judgments that are hidden; all units of a process share them."""
    if later is not None:
        return Answers.later(data, later)
    return Answers.pooled(data, depth) if depth is not None else Answers.at_random(data, hide or HIDDEN, seed)


def _outcome(data: JudgedRuns, answers: Answers) -> Floats:
    """`[run, measure]`: the scores with all known judgments."""
    from cranfield.measures.evaluate import evaluate

    wanted, policy = [str(measure) for measure in data.measures], data.collection.policy.with_(rel=1)
    return evaluate(answers.known, list(data.runs.values()), wanted, policy=policy).means
