"""The kinds of study as type checkers see them; written by docs/generate.py."""

from collections.abc import Iterable
from typing import Literal, Unpack

from cranfield.measures.accepted import MeasuresLike
from cranfield.read.accepted import QrelsLike, RunsLike
from cranfield.study.engine.choices import EngineChoices, StudyChoices
from cranfield.study.engine.definition import StudyKind
from cranfield.study.engine.repetition import repeat as repeat
from cranfield.study.engine.result import StudyResult
from cranfield.tables.scores import Scores

class _Ahlgren2007(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        beside: Literal["TREC-8", "TREC-10", "TREC-12"] = "TREC-8",
        levels: float | Iterable[float] | Literal["ag07", "sk08", "ffm14"] = ...,
        draws: int = 20,
        sets: int = 1000,
        boot: int = 1000,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Repeat the experiments of Ahlgren & Grönqvist (2007): MAP, bpref-10 and RankEff with fewer judgments."""

class _Breadth(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        sizes: int | Iterable[int] | None = None,
        draws: int = 20,
        pool_depth: int | None = None,
        builders: str | None = None,
        coefficient: str = "tau-b",
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Build the pool from random groups only, and see how scores and the order of runs change."""

class _Correlation(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        coefficient: str = "tau-b",
        boot: int = 1000,
        level: float = 0.95,
        few: int | Iterable[int] = (),
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Compare the orders in which measures put the runs, each measure with each other."""

class _Decide(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        hide: float | None = None,
        pool_depth: int | None = None,
        later: str | None = None,
        stops: float | Iterable[float] = (0.01, 0.05),
        strategy: Literal["progress", "swing", "random"] = "progress",
        budget: int | None = None,
        unknown: Literal["nonrelevant", "open"] = "nonrelevant",
        universe: str = "runs",
        complete: bool = False,
        pairs: int = 200,
        draws: int | None = None,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Hide judgments, and reveal one after the other until it is known which of two runs is better."""

class _Depth(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        depths: int | Iterable[int] = (100, 50, 20, 10, 5),
        builders: str | None = None,
        coefficient: str = "tau-b",
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Judge only the top of each run, and see how scores and the order of runs change."""

class _Describe(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        depths: int | Iterable[int] = (1000, 100),
        top_grade: int | None = None,
        docs: str | None = None,
        topics: str | None = None,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Count the judgments, and the relevant, not relevant and unjudged documents in the lists."""

class _Disagreement(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        kappa: float | Iterable[float] = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4),
        second: str | None = None,
        draws: int = 20,
        coefficient: str = "tau-b",
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Change judgments as other assessors would, and see how scores and the order of runs change."""

class _Efficiency(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        latencies: str | None = None,
        index: str | None = None,
        warm_up: int = 0,
        boot: int = 1000,
        level: float = 0.95,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Show latency, throughput and index size beside effectiveness, and find the runs with the best trade-offs."""

class _Ferrante2014(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        beside: Literal["TREC-10", "TREC-14", "TREC-21"] = "TREC-14",
        levels: float | Iterable[float] | Literal["ag07", "sk08", "ffm14"] = ...,
        draws: int = 20,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Repeat the experiments of Ferrante, Ferro & Maistro (2014): GAP, xGAP and eGAP beside other measures."""

class _Folds(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        folds: int = 5,
        repeats: int = 10,
        nested: bool = False,
        families: str | None = None,
        roles: str | None = None,
        tune_on: str | None = None,
        baseline: str | None = None,
        test: str = "t",
        adjust: str = "holm",
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Choose the setting of each system on some topics, and score it on the others."""

class _Grid(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        highest: int | None = None,
        step: float | None = None,
        coefficient: str = "tau-b",
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Compare GAP, xGAP and eGAP with other measures, for all shares g of users that want each grade."""

class _Jarvelin2002(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        schemes: str | Iterable[str] = ...,
        bases: float | Iterable[float] = (2,),
        last: int = 200,
        ranks: int = 100,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Repeat the case study of Järvelin & Kekäläinen (2002): cumulated gain by rank, plain, discounted, normalised."""  # noqa: E501  # the title is one line

class _LeaveOut(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        pool_depth: int | None = None,
        plain: bool = False,
        condensed: bool = False,
        bounds: bool = False,
        universe: str = "runs",
        builders: str | None = None,
        coefficient: str = "tau-b",
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Remove the judgments of documents that only one run, or one group, found, and score it as if it were new."""

class _Lecture(StudyKind):
    def __call__(
        self,
        measures: MeasuresLike = ...,
        **choices: Unpack[EngineChoices],
    ) -> StudyResult:
        """Compute the worked examples of a lecture on evaluation, and compare them with its numbers and our own arithmetic."""  # noqa: E501  # the title is one line

class _Parameters(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        gains: float | Iterable[float] = (1, 10, 100, 1000),
        bases: float | Iterable[float] = (1.5, 2, 2.718281828459045, 5, 10, 100),
        p: float | Iterable[float] = (0.5, 0.8, 0.95),
        beta: float | Iterable[float] = (0, 1, 10, 100),
        last: int | Iterable[int] = (10, 20, 50, 100, 200),
        test: Literal["t", "bootstrap", "tukey", "tukey-randomized"] = "t",
        boot: int = 1000,
        alpha: float = 0.05,
        coefficient: str = "tau-b",
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Change the parameters of measures, and see whether the order of the runs and the significant pairs change."""

class _Power(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike | Scores = ...,
        runs: RunsLike = ...,
        measures: MeasuresLike = ...,
        *,
        test: Literal["bootstrap", "t", "tukey", "tukey-randomized"] = "bootstrap",
        boot: int = 1000,
        alpha: float = 0.05,
        at: float | Iterable[float] = (),
        draws: int = 1,
        difference: float | None = None,
        sd: float | None = None,
        power: float = 0.8,
        design: Literal["paired", "anova", "anova-blocked", "width"] = "paired",
        systems: int | None = None,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Test every pair of runs, and count those that a measure separates, with all judgments and with fewer."""

class _Reduction(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        levels: float | Iterable[float] | Literal["ag07", "sk08", "ffm14"] = (100, 90, 70, 50, 30, 20, 10, 5, 1),
        draws: int = 20,
        stratify: Literal["relevance", "grade", "none"] = "relevance",
        nested: bool = False,
        min_relevant: int = 1,
        min_nonrelevant: int = 10,
        minima: Literal["each", "all"] = "each",
        rounding: Literal["ag07", "sk08", "half-down", "half-up"] = "ag07",
        coefficient: str = "tau-b",
        per_topic: bool = False,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Remove judgments at random, and see how scores and the order of runs change."""

class _Sakai2008(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike,
        runs: RunsLike,
        measures: MeasuresLike = ...,
        *,
        draws: int = 20,
        boot: int = 1000,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Repeat the experiments of Sakai & Kando (2008): Q, AP, nDCG, bpref and RBP with fewer judgments."""

class _Simulate(StudyKind):
    def __call__(
        self,
        measures: MeasuresLike = ...,
        *,
        preset: Literal["small", "tiny", "trec8_like"] = "small",
        systems: int | None = None,
        topics: int | None = None,
        families: int | None = None,
        novel: int | None = None,
        depth: int | None = None,
        noise: float | None = None,
        draws: int = 100,
        coefficient: str = "tau-b",
        **choices: Unpack[EngineChoices],
    ) -> StudyResult:
        """Draw collections with complete judgments, judge only a pool, and report the errors of the pool."""

class _Stability(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike | Scores,
        runs: RunsLike = ...,
        measures: MeasuresLike = ...,
        *,
        sizes: int | Iterable[int] | None = None,
        draws: int = 20,
        coefficient: str = "tau-b",
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Score the runs on random topics, and see how far their order agrees with that on all topics."""

class _Swap(StudyKind):
    def __call__(
        self,
        qrels: QrelsLike | Scores,
        runs: RunsLike = ...,
        measures: MeasuresLike = ...,
        *,
        sets: int | Literal["all"] = 1000,
        bins: float = 0.002,
        error: float = 0.05,
        sizes: int | Iterable[int] = (),
        predict: int | None = None,
        **choices: Unpack[StudyChoices],
    ) -> StudyResult:
        """Compare every two runs on disjoint sets of topics, and see how often the sets disagree."""

class _Topheavy(StudyKind):
    def __call__(
        self,
        measures: MeasuresLike = ...,
        *,
        relevant: int | Iterable[int] = (10, 100),
        ranks: int = 20,
        **choices: Unpack[EngineChoices],
    ) -> StudyResult:
        """Score lists whose only relevant document stands at rank 1, 2, 3 and so on."""

ahlgren2007: _Ahlgren2007
breadth: _Breadth
correlation: _Correlation
decide: _Decide
depth: _Depth
describe: _Describe
disagreement: _Disagreement
efficiency: _Efficiency
ferrante2014: _Ferrante2014
folds: _Folds
grid: _Grid
jarvelin2002: _Jarvelin2002
leave_out: _LeaveOut
lecture: _Lecture
parameters: _Parameters
power: _Power
reduction: _Reduction
sakai2008: _Sakai2008
simulate: _Simulate
stability: _Stability
swap: _Swap
topheavy: _Topheavy
