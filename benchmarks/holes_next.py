"""What to judge next: the later judgments answer, and say what came out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from benchmarks.holes_calibration import LaterJudgments
from cranfield.align.policy import Policy
from cranfield.arrays import Bools, Floats, Ints, ordinal
from cranfield.measures.grammar import parse
from cranfield.missing.next.choose import in_order
from cranfield.missing.next.decisions import ExpectedScores
from cranfield.missing.next.question import Question
from cranfield.missing.next.strategies import named
from cranfield.missing.prior.fitting import fit_prior
from cranfield.missing.ranges import Bounder
from cranfield.missing.situation import Situation
from cranfield.missing.universe import read_universe
from cranfield.pooling.adaptive import walk
from cranfield.reporting.drawing import Axes, lines
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.lines import Line, Panel
from cranfield.reporting.style import CENTIMETRE, centimetres, looks
from cranfield.tables.sheets.sheet import Column, Sheet

MEASURES = ("P@10", "nDCG@10")
LOOKED_AT = 10
ENOUGH = 0.99  # share of the pairs that have their later sign
BATCH = 25  # judgments after which the prior is fitted anew
SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Judging:
    """Judgments that arrive in some order, and the sign of every pair of runs beside its later sign.

    The holes are the documents of the first ranks that were judged later: what stayed unjudged for ever counts as not
    relevant in the end, and before.
    """

    data: LaterJudgments
    measure: str

    @cached_property
    def answered(self) -> Bools:
        """The candidates that an answer is known of."""
        near = self.data.candidates.best_rank <= LOOKED_AT
        return np.isnan(self.data.grade) & ~np.isnan(self.data.known) & near

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """All pairs of runs."""
        first, second = np.triu_indices(len(self.data.candidates.runs), 1)
        return first, second

    @cached_property
    def outcome(self) -> Floats:
        """The later sign of each pair."""
        return self._sign(self.data.scores(self.measure, in_the_end=True).mean(axis=1))

    def _sign(self, mean: Floats) -> Floats:
        gap = mean[self.pairs[0]] - mean[self.pairs[1]]
        return np.where(np.abs(gap) <= SAME, 0.0, np.sign(gap))

    def question(self, grade: Floats, *, fitted: bool = False) -> Question:
        """All pairs and the holes that are left."""
        data = self.data
        situation = Situation.of(
            data.candidates,
            grade,
            tuple(data.qrels.topics),
            parse(self.measure),
            read_universe("runs"),
            Policy(),
            pooled=self.answered,
        )
        effect = data.prior.effect.size
        prior = fit_prior(data.candidates, grade, run_effect=effect, checked=False) if fitted else data.prior
        return Question(Bounder(situation), data.candidates, grade, *self.pairs, given=prior)

    def right(self, mean: Floats) -> float:
        """The share of the pairs that have their later sign under some scores."""
        return float(np.mean(self._sign(mean) == self.outcome))

    def present(self, grade: Floats) -> Floats:
        """The score of each run, where holes are not relevant."""
        question = self.question(grade)
        return np.mean([topic.now for topic in question.present], axis=0)

    def adaptive(self, strategy: str = "decisions") -> "Approach":
        """Judgments in the order of a strategy that is asked anew, by the sign of the expected score."""
        grade, shares = self.data.grade.copy(), []
        while True:
            question = self.question(grade, fitted=True)
            shares.append(self.right(ExpectedScores(question).mean))
            if shares[-1] >= ENOUGH or len(question.holes) == 0:
                return Approach(f"{strategy}, refitted", tuple(shares))
            chosen = question.places[in_order(question, named(strategy).function(question))[:BATCH]]
            grade[chosen] = self.data.known[chosen]

    def fixed(self, strategy: str) -> "Approach":
        """Judgments in an order that is given at the beginning, by the sign of the present score."""
        grade, order, shares = self.data.grade.copy(), self.order(strategy), []
        for judged in range(0, len(order) + BATCH, BATCH):
            shares.append(self.right(self.present(grade)))
            if shares[-1] >= ENOUGH:
                break
            chosen = order[judged : judged + BATCH]
            grade[chosen] = self.data.known[chosen]
        return Approach(strategy, tuple(shares))

    def order(self, strategy: str) -> Ints:
        """The order of a strategy that learns at most which documents are relevant."""
        if strategy in ("mtf", "maxmean", "thompson"):
            data = self.data
            near = np.zeros(len(data.candidates), dtype=bool)
            near[data.candidates.pair[data.candidates.rank <= LOOKED_AT]] = True
            place = np.flatnonzero(near)
            walked = place[walk(data.candidates.only(near), strategy, data.known[place] > 0, None)]
            walked = walked[self.answered[walked]]
            return walked[np.argsort(ordinal(data.candidates.topic[walked]), kind="stable")]
        question = self.question(self.data.grade)
        return question.places[in_order(question, named(strategy).function(question))]


@dataclass(frozen=True)
class Approach:
    """The share of the pairs that have their later sign, before any judgment and after each batch."""

    order: str
    shares: tuple[float, ...]

    def __str__(self) -> str:
        """How many judgments it took."""
        return f"{BATCH * (len(self.shares) - 1):,}" if self.shares[-1] >= ENOUGH else "–"


def tables(folder: Path, strategies: Sequence[str] = ("depth", "mtf", "maxmean", "random")) -> Iterator[str | Figure]:
    """How many judgments bring 99 % of all pairs to their later sign, and how the share grows."""
    data = LaterJudgments.covid(folder)
    judging = [Judging(data, measure) for measure in MEASURES]
    number = len(judging[0].pairs[0])
    yield f"### TREC-COVID, round 2: judgments until {ENOUGH:.0%} of all {number:,} pairs have their later sign"
    yield ""
    yield (
        f"{np.count_nonzero(judging[0].answered):,} documents of the first {LOOKED_AT} were judged later and can be "
        f"asked about, {BATCH} at a time. Before any is, the present sign of "
        + " / ".join(f"{each.right(each.present(data.grade)):.1%}" for each in judging)
        + " of the pairs is the later one, and that of the expected score of "
        + " / ".join(f"{each.right(ExpectedScores(each.question(data.grade)).mean):.1%}" for each in judging)
        + f" ({' / '.join(MEASURES)})."
    )
    yield ""
    yield f"| order | sign of | {' | '.join(MEASURES)} |"
    yield f"|:---|:---|{'---:|' * len(MEASURES)}"
    found: dict[str, list[Approach]] = {measure: [] for measure in MEASURES}
    for strategy in (*strategies, "swing", "decisions"):
        ours = strategy not in strategies
        row = [each.adaptive(strategy) if ours else each.fixed(strategy) for each in judging]
        for each, approach in zip(judging, row, strict=True):
            found[each.measure].append(approach)
        name, sign = (f"**{strategy}**, refitted", "expected score") if ours else (strategy, "score as judged")
        yield f"| {name} | {sign} | {' | '.join(map(str, row))} |"
    yield ""
    yield approaches_chart(found)
    yield ""


def approaches_chart(found: Mapping[str, Sequence[Approach]]) -> Figure:
    """Lines that rise to the share that is enough, a panel for each measure."""
    panels, most = [], 0
    for measure, approaches in found.items():
        judged = [BATCH * np.arange(len(each.shares)) for each in approaches]
        most = max(most, *(int(each[-1]) for each in judged))
        drawn = [
            Line(each.order, each.order, at.astype(float), 100 * np.array(each.shares))
            for each, at in zip(approaches, judged, strict=True)
        ]
        panels.append(Panel(measure, "pairs with their later sign, %", tuple(drawn), (93, 100)))
    labels = [each.order for each in next(iter(found.values()))]
    columns = [Column("order", labels)]
    columns += [Column(measure, [str(each) for each in approaches]) for measure, approaches in found.items()]
    shown = lines(panels, looks(labels, ""), Axes("judgments", (0, most)), centimetres("two") * CENTIMETRE, ())
    fastest = {measure: min(approaches, key=lambda each: len(each.shares)) for measure, approaches in found.items()}
    said = ", ".join(f"{measure} with {each.order} after {each}" for measure, each in fastest.items())
    return framed(
        shown,
        Sheet(tuple(columns)),
        said="Judgments until the pairs have their later sign",
        described=f"Share of the pairs with their later sign by number of judgments; first at {ENOUGH:.0%}: {said}.",
        width="two",
    )
