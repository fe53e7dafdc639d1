"""Calibration: P(A > B) from the judgments of round 2 beside the order of the runs after all rounds of TREC-COVID.

Nothing here learns from the later judgments: they only say what came out.
"""

import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import TypeAlias

import numpy as np

import cranfield as cf
from benchmarks.term_scores import TermScores
from cranfield.align.join import JudgmentIndex
from cranfield.arrays import Bools, Floats, Ints
from cranfield.measures.grammar import parse
from cranfield.missing.estimates.estimate import DRAWS, Estimate, On, estimate
from cranfield.missing.prior.calibration import Reliability, brier_score, log_loss, reliability
from cranfield.missing.prior.fitting import fit_prior
from cranfield.missing.prior.result import Prior
from cranfield.missing.prior.run_effect import RunEffect
from cranfield.missing.prior.steps import fit_steps, grades_of
from cranfield.missing.sampled.terms import document_terms
from cranfield.pooling.candidates import Candidates
from cranfield.reporting.charts.reliability import drawn
from cranfield.reporting.figure import Figure, framed
from cranfield.reporting.style import CENTIMETRE, centimetres
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Runs
from cranfield.tables.sheets.sheet import Column, Sheet

MEASURES = ("P@10", "nDCG@10")
LOOKED_AT, LISTED = 10, 100  # ranks of the measures, and of the lists
SHALLOW = 5  # depth of the pool that stands for the judgments of the time, where there were no rounds
SURE = 0.95  # given to the sign of condensed scores
SAME = 1e-9
ON: tuple[On, On] = ("these topics", "new topics")
Chances: TypeAlias = Mapping[str, Callable[["LaterJudgments", str], Floats]]


@dataclass(frozen=True, eq=False)
class LaterJudgments:
    """Runs with the judgments of their own time, and judgments that were made later."""

    runs: Runs
    qrels: Qrels
    later: Qrels

    @classmethod
    def covid(cls, folder: Path) -> "LaterJudgments":
        """The runs of TREC-COVID, round 2, with the judgments of rounds 1 and 2, and those of rounds 3 to 5."""
        runs = cf.read_runs(f"{folder}/covid-round2/runs/*.gz", name_by="file")
        return cls(runs, *(cf.read_qrels(folder / "covid-round2" / name) for name in ("qrels.gz", "later.gz")))

    @classmethod
    def trec8(cls, folder: Path) -> "LaterJudgments":
        """The runs of TREC-8 with the judgments of a pool of depth 5, and all others as later ones."""
        runs, whole = (
            cf.read_runs(f"{folder}/trec8/runs/*.gz", name_by="file"),
            cf.read_qrels(folder / "trec8/qrels.gz"),
        )
        top = Candidates.of(runs.values(), SHALLOW)
        early = np.zeros(len(whole), dtype=bool)
        rows = top.rows_in(JudgmentIndex.of(whole))
        early[rows[rows >= 0]] = True
        return cls(runs, _part(whole, early), _part(whole, ~early))

    @cached_property
    def candidates(self) -> Candidates:
        """What the runs list, and every judged pair of their time."""
        return Candidates.of(self.runs.values(), LISTED, also=self.qrels)

    @cached_property
    def grade(self) -> Floats:
        """The grade of each pair at the time."""
        return self.candidates.grades(self.qrels)

    @cached_property
    def known(self) -> Floats:
        """The grade of each pair in the end."""
        return np.where(np.isnan(self.grade), self.candidates.grades(self.later), self.grade)

    @cached_property
    def completed(self) -> Ints:
        """The runs of which every document that the measures look at was judged in the end."""
        known = self.candidates
        open_ = np.isnan(self.known[known.pair]) & (known.rank <= LOOKED_AT)
        return np.setdiff1d(np.arange(len(known.runs)), known.run[open_])

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """All pairs of these runs."""
        first, second = np.triu_indices(len(self.completed), 1)
        return self.completed[first], self.completed[second]

    @cached_property
    def everything(self) -> Qrels:
        """All judgments."""
        parts = (self.qrels, self.later)
        topic = [part.topics[at] for part in parts for at in part.topic]
        document = [name for part in parts for name in part.document]
        return Qrels.of(topic, document, np.concatenate([part.grade for part in parts]))

    @cache  # noqa: B019  # there is one object, and it lives as long as the program
    def scores(self, measure: str, in_the_end: bool = False) -> Floats:
        """`[run, topic]`: scores under the judgments of the time, or under all, in the order of the candidates."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", cf.DataWarning)  # that little is judged is what this is about
            found = cf.evaluate(self.everything if in_the_end else self.qrels, self.runs, [measure])
        return np.stack([found[run, measure] for run in self.candidates.runs])

    def outcome(self, measure: str) -> Floats:
        """What came out for each pair: 1 if the first run is better under all judgments, 0.5 if they are equal."""
        return _sign(self.scores(measure, in_the_end=True), self.pairs)

    @cached_property
    def prior(self) -> Prior:
        """The prior, as it is fitted by default."""
        return fit_prior(self.candidates, self.grade)

    def estimate(self, measure: str, prior: Prior | None = None, draws: int = DRAWS, seed: int = 0) -> Estimate:
        """Scores on completions."""
        used = prior or self.prior
        return estimate(used, self.term_scores(measure, used, self.grade, used.holes), measure, draws, seed)

    def term_scores(self, measure: str, prior: Prior, grade: Floats, holes: Bools) -> TermScores:
        """The measure on completions."""
        terms = document_terms(parse(measure), LISTED, prior.levels)
        assert terms is not None, f"{measure} is no sum over documents"
        return TermScores(self.candidates, grade, prior.levels, terms, holes)


def _part(qrels: Qrels, kept: Bools) -> Qrels:
    names = [qrels.topics[at] for at in qrels.topic[kept]]
    return Qrels.of(names, qrels.document.take(kept), qrels.grade[kept])


def _sign(scores: Floats, pairs: tuple[Ints, Ints], sure: float = 1.0) -> Floats:
    """`sure` for the run with the higher mean, the rest for the other; 0.5 if both are equal."""
    mean = scores.mean(axis=1)
    difference = mean[pairs[0]] - mean[pairs[1]]
    return np.where(np.abs(difference) < SAME, 0.5, np.where(difference > 0, sure, 1 - sure))


def present_sign(data: LaterJudgments, measure: str) -> Floats:
    """The order at the time, taken for sure."""
    return _sign(data.scores(measure), data.pairs)


def paired_t(data: LaterJudgments, measure: str) -> Floats:
    """The p value of the paired t test turned into a probability: 1 - p/2 for the run that is ahead."""
    from scipy.stats import ttest_1samp

    scores = data.scores(measure)
    difference = scores[data.pairs[0]] - scores[data.pairs[1]]
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.nan_to_num(ttest_1samp(difference, 0, axis=1).pvalue, nan=1.0)
    return np.where(difference.mean(axis=1) > 0, 1 - p / 2, p / 2)


def condensed_sign(data: LaterJudgments, measure: str) -> Floats:
    """The order of condensed scores, taken for nearly sure."""
    return _sign(data.scores(measure.replace("@", "'@")), data.pairs, SURE)


PRESENT: Chances = {
    "present sign taken for sure": present_sign,
    "paired t, 1 − p/2": paired_t,
    f"condensed sign at {SURE:g}": condensed_sign,
}


def tables(
    folder: Path, draws: int = DRAWS, collections: Collection[str] = ("covid-round2", "trec8")
) -> Iterator[str | Figure]:
    """The tables of this part, as Markdown, of the collections that are in the folder."""
    for name in collections:
        if (folder / name).is_dir():
            title, read = COLLECTIONS[name]
            yield from (f"### {title}", "", *tables_of(read(folder), draws), "")


COLLECTIONS: Mapping[str, tuple[str, Callable[[Path], LaterJudgments]]] = {
    "covid-round2": ("TREC-COVID, round 2: judgments of the time, and of rounds 3 to 5", LaterJudgments.covid),
    "trec8": (f"TREC-8: judgments of a pool of depth {SHALLOW}, and all others", LaterJudgments.trec8),
}


def tables_of(data: LaterJudgments, draws: int) -> Iterator[str | Figure]:
    """The tables of one collection."""
    outcomes = {measure: data.outcome(measure) for measure in MEASURES}
    made = {measure: data.estimate(measure, draws=draws) for measure in MEASURES}
    yield from _scores(data, made, outcomes)
    for measure in MEASURES:
        found = reliability(made[measure].probabilities()[data.pairs], outcomes[measure])
        yield from ("", f"**{measure}: P(A > B) on these topics, and how often A was better in the end**", "")
        yield from reliability_rows(found, "pairs", "A better")
        yield from ("", reliability_chart(found, measure))
    yield from _bands(data, made)
    yield from _documents(data)
    yield from _seeds(data, made, draws)


def _scores(data: LaterJudgments, made: Mapping[str, Estimate], outcomes: Mapping[str, Floats]) -> Iterator[str]:
    """Brier score and log loss of every way to say which run is better."""
    count = len(data.pairs[0])
    share = " / ".join(f"{100 * np.mean(np.abs(present_sign(data, m) - outcomes[m]) > 0.5):.1f}" for m in MEASURES)
    yield "**Which of two runs is better, said with the judgments of the time**"
    yield ""
    yield (
        f"{len(data.completed)} runs whose first {LOOKED_AT} documents were all judged in the end, {count} pairs; the "
        f"later judgments reversed {share} % of them ({' / '.join(MEASURES)})."
    )
    yield ""
    heads = [f"{what} {measure}" for what in ("Brier", "log loss") for measure in MEASURES]
    yield f"| said by | {' | '.join(heads)} |"
    yield f"|:---{'|---:' * len(heads)}|"
    for name, chances in PRESENT.items():
        yield score_row(name, [chances(data, measure) for measure in MEASURES], outcomes)
    effect = data.prior.effect.size
    others = {
        "share of relevant documents by topic, run effect 0.5": _prevalence(data),
        "prior without run effect": fit_prior(data.candidates, data.grade, run_effect=0.0, checked=False),
    }
    for name, prior in others.items():
        drawn = [data.estimate(m, prior, made[m].draws) for m in MEASURES]
        yield score_row(name, [found.probabilities()[data.pairs] for found in drawn], outcomes)
    these, new = ([made[m].probabilities(on)[data.pairs] for m in MEASURES] for on in ON)
    yield score_row(f"**prior, run effect {effect:.2f}, on these topics**", these, outcomes)
    yield score_row("the same on new topics, which is another question", new, outcomes)


def _prevalence(data: LaterJudgments) -> Prior:
    """The prior without any regression."""
    steps = fit_steps(data.prior.features, data.grade, grades_of(data.grade), by_features=False)
    return replace(data.prior, steps=steps, effect=RunEffect(0.5))


def score_row(name: str, chances: list[Floats], outcomes: Mapping[str, Floats]) -> str:
    pairs = list(zip(chances, outcomes.values(), strict=True))
    cells = [f"{score(*pair):.4f}" for score in (brier_score, log_loss) for pair in pairs]
    return f"| {name} | {' | '.join(cells)} |"


def reliability_rows(found: Reliability, noun: str, observed: str) -> Iterator[str]:
    yield f"| predicted | {noun} | mean predicted | {observed} |"
    yield "|:---|---:|---:|---:|"
    for low, high, number, said, seen in zip(
        found.low, found.high, found.number, found.predicted, found.observed, strict=True
    ):
        yield f"| {low:g}–{high:g} | {number:,} | {said:.3f} | {seen:.3f} |"
    yield ""
    yield f"Mean distance {found.error:.3f}, Brier score {found.brier:.4f}, log loss {found.log_loss:.4f}."


def reliability_chart(found: Reliability, measure: str) -> Figure:
    """How often A was better by the probability that it is."""
    width = centimetres("one")
    columns = (Column("predicted", found.predicted.tolist()), Column("A better", found.observed.tolist()))
    return framed(
        drawn(found, width * CENTIMETRE, "share where A was better"),
        Sheet((*columns, Column("pairs", found.number.tolist(), ","))),
        said=f"Reliability of P(A > B), {measure}",
        described=f"{measure}: how often A was better in the end by P(A > B); mean distance from the diagonal "
        f"{found.error:.3f}.",
        width=width,
    )


def _bands(data: LaterJudgments, made: Mapping[str, Estimate]) -> Iterator[str]:
    """How often the score in the end lay inside the band of the estimate, and how far it was off."""
    yield ""
    yield "**Scores of these runs: the 5–95 % band, and what came out**"
    yield ""
    yield "| measure | inside | above | below | mean error of the estimate | as judged |"
    yield "|:---|---:|---:|---:|---:|---:|"
    for measure, found in made.items():
        yield _band_row(data, measure, found, data.scores(measure, in_the_end=True).mean(axis=1))
    yield _band_row(data, "nDCG@10, ideal of the universe", made["nDCG@10"], _inside(data, "nDCG@10"))


def _band_row(data: LaterJudgments, name: str, found: Estimate, end: Floats) -> str:
    came = end[data.completed]
    low, high = found.band()[:, data.completed]
    above, below = np.mean(came > high + SAME), np.mean(came < low - SAME)
    off = [np.abs(value[data.completed] - came).mean() for value in (found.mean, found.now)]
    shares = [f"{100 * share:.0f} %" for share in (1 - above - below, above, below)]
    return f"| {name} | {' | '.join([*shares, *(f'{each:.4f}' for each in off)])} |"


def _inside(data: LaterJudgments, measure: str) -> Floats:
    """Scores in the end, where later judgments of documents outside the universe do not count for the ideal."""
    grade = np.where(data.prior.holes, data.known, data.grade)
    none = np.zeros(len(grade), dtype=bool)
    scores = data.term_scores(measure, data.prior, grade, none)
    return np.mean([scores.values(t, np.zeros((1, 0), dtype=np.int8))[0] for t in scores.topics], axis=0)


def _documents(data: LaterJudgments) -> Iterator[str]:
    """The prior on the holes that were judged later, beside what it expected of itself."""
    prior = data.prior
    judged = prior.holes & ~np.isnan(data.known)
    found = reliability(prior.at_least[judged, 1], data.known[judged] > 0)
    assert prior.reliability is not None
    yield ""
    yield f"**Holes in the first {LOOKED_AT}: predicted, and judged later**"
    yield ""
    yield (
        f"{np.count_nonzero(judged):,} of {np.count_nonzero(prior.holes):,} holes were judged later; on judged pairs, "
        f"each left out in turn, the Brier score was {prior.reliability.brier:.4f}."
    )
    yield ""
    yield from reliability_rows(found, "holes", "relevant")


def _seeds(data: LaterJudgments, made: Mapping[str, Estimate], draws: int) -> Iterator[str]:
    """How much P(A > B) moves with the seed."""
    moved = []
    for measure, found in made.items():
        other = data.estimate(measure, draws=draws, seed=1)
        moved.append(np.abs(found.probabilities() - other.probabilities())[data.pairs].max())
    yield ""
    said = " / ".join(f"{value:.3f}" for value in moved)
    yield f"With another seed, P(A > B) from {draws:,} completions moves by at most {said} ({' / '.join(MEASURES)})."
