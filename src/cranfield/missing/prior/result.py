"""The prior: the probability of every grade of every unjudged pair, and how it was found."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from cranfield.arrays import Bools, Floats
from cranfield.arrays.memory import afford
from cranfield.errors.arguments import checked_methods
from cranfield.errors.ranges import check_least
from cranfield.missing.prior.calibration import Reliability
from cranfield.missing.prior.drawing import DrawnLevels, DrawnModel, all_levels, drawn_model
from cranfield.missing.prior.features import ListFeatures
from cranfield.missing.prior.run_effect import RunEffect
from cranfield.missing.prior.steps import GradeStep
from cranfield.tables.audit import Audit
from cranfield.tables.charts import ChartChoices, draw
from cranfield.tables.result import Result
from cranfield.tables.sheets.sheet import Sheet
from cranfield.tables.words import counted

if TYPE_CHECKING:
    from cranfield.tables.charts import Figure


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Prior(Result):
    """P(grade | pair) for every pair of the candidates, stated and inspectable.

    A *level* counts the steps above grade 0: level 0 is grade 0, level 1 the lowest grade above it, and so on;
    `levels[level]` is its grade.

    Attributes:
        features: what the lists tell about each pair.
        steps: the model of each step from a grade to the next.
        grade: of each pair; NaN if it is not judged.
        holes: the pairs to which grades are drawn.
        effect: what a run's documents have in common beyond the features.
        reliability: predicted and observed shares of judged pairs, each predicted without itself.
        reference: the Brier score of the share of relevant pairs alone.
        source: where the probabilities come from, in a few words.
        notes: what a reader has to know about them.

    Examples are in `fit_prior`.
    """

    command: ClassVar[str] = "holes"

    features: ListFeatures
    steps: tuple[GradeStep, ...]
    grade: Floats  # by pair
    holes: Bools  # by pair
    effect: RunEffect
    reliability: Reliability | None
    reference: float
    source: str
    notes: tuple[str, ...]
    audit: Audit

    @property
    def levels(self) -> Floats:
        """The grade of each level."""
        return np.array([0.0, *(step.grade for step in self.steps)])

    @cached_property
    def at_least(self) -> Floats:
        """The probability that each pair reaches each level, [pair, level]; what is judged is certain."""
        pairs = np.arange(len(self.grade))
        columns = [np.ones(len(pairs)), *(step.chance(pairs) for step in self.steps)]
        reached: Floats = np.cumprod(np.column_stack(columns), axis=1, dtype=np.float64)
        judged = ~np.isnan(self.grade)
        reached[judged] = np.maximum(self.grade[judged], 0)[:, None] >= self.levels
        return reached

    @property
    def chance(self) -> Floats:
        """The probability of each level, [pair, level]; rows add up to 1."""
        ends = np.zeros((len(self.grade), 1))
        return -np.diff(np.concatenate((self.at_least, ends), axis=1), axis=1)

    def model(self, draws: int = 4000, seed: int = 0) -> DrawnModel:
        """Coefficients and run effects drawn so many times, from which the holes of each topic are drawn."""
        check_least(1, draws=draws)
        check_least(0, seed=seed)
        afford(4.0 * draws * len(self.steps) * len(self.features.candidates.runs), counted(draws, "completion"))
        return drawn_model(self.features, self.steps, self.effect.size, draws, seed)

    def draw(self, draws: int = 4000, seed: int = 0) -> DrawnLevels:
        """Completions shared by all runs: the level of each hole, [draw, hole], in the order of the pairs."""
        afford(float(draws) * np.count_nonzero(self.holes), counted(draws, "completion"), "draw fewer")
        return all_levels(self.model(draws, seed), np.flatnonzero(self.holes))

    # --- forms -------------------------------------------------------------------------------------------------

    def sheet(self) -> Sheet:
        """The printed table: the coefficients, with the reliability table below."""
        from cranfield.missing.prior.sheet import sheet

        return sheet(self)

    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`."""
        from cranfield.missing.prior.sheet import plain

        return plain(self)

    def plot(self, kind: str = "reliability", **choices: Unpack[ChartChoices]) -> "Figure":
        """A chart: `reliability`, the observed share of relevant documents against the predicted one."""
        return draw("prior", kind, self, **choices)
