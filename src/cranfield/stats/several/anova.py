"""Two-way analysis of variance without replication: topics and systems."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from cranfield.arrays import Floats
from cranfield.errors import DataWarning
from cranfield.errors.warning import warn
from cranfield.stats.several.complete_blocks import CompleteBlocks, complete
from cranfield.stats.several.omnibus import omnibus

ASSUMES = "assumes that topics and systems add up, and errors that are independent and normal with one variance"


@dataclass(frozen=True)
class VariationSource:
    """A source of variation: its sum of squares and degrees of freedom."""

    ss: float
    df: int

    @property
    def ms(self) -> float:
        """The mean square."""
        return self.ss / self.df


@dataclass(frozen=True)
class Anova:
    """An analysis of variance; `statistic` is F of the systems.

    Attributes:
        systems, topics, error, total: sums of squares, degrees of freedom and mean squares.
        statistic, pvalue: F and p of the systems.
        topic_statistic, topic_pvalue: F and p of the topics.
        omega2: the share of the variance that systems explain, nearly without bias.
        partial_eta2: SS(systems) / (SS(systems) + SS(error)).
        n: topics used; `dropped` of them had no score for some run.
    """

    systems: VariationSource
    topics: VariationSource
    error: VariationSource
    total: VariationSource
    statistic: float
    pvalue: float
    topic_statistic: float
    topic_pvalue: float
    omega2: float
    partial_eta2: float
    n: int
    dropped: int
    method: str = "two-way ANOVA, topic + system"
    note: str = ASSUMES

    @property
    def mse(self) -> float:
        """The error variance."""
        return self.error.ms

    @property
    def one_way_pvalue(self) -> float:
        """The p of the systems if topics are no blocks: their variance then counts as error.

        >>> round(anova([[0.0, 1.0, 2.0], [1.0, 2.0, 6.0]]).one_way_pvalue, 4)  # F = 6 / (16 / 4) = 1.5
        0.2879
        """
        return _f(self.systems, VariationSource(self.topics.ss + self.error.ss, self.topics.df + self.error.df))[1]

    @property
    def df(self) -> tuple[int, int]:
        """The degrees of freedom of F."""
        return self.systems.df, self.error.df

    @property
    def doubt(self) -> str:
        """Nothing: it keeps its level with few topics."""
        return ""

    @property
    def infinite(self) -> str:
        """The note if F is infinite because no variance is left for the error."""
        return "the differences between runs are the same on every topic, so F is not finite and has no p"

    @property
    def effects(self) -> dict[str, float]:
        """How much of the variance the systems explain."""
        return {"ω²": self.omega2, "partial η²": self.partial_eta2}


@omnibus("anova", "two-way ANOVA, topic + system")
def anova(scores: ArrayLike) -> Anova:
    r"""Whether systems differ in their means, topics being blocks.

    $$F = \frac{SS_\mathrm{sys} / (k-1)}{SS_\mathrm{err} / ((b-1)(k-1))}$$

    for *k* systems and *b* topics; `scores[run, topic]`, where a topic without a score for every run is left out.
    If nothing is left for the error, F is infinite and p is 0, with a warning; if the systems do not differ either,
    both are undefined.

    >>> result = anova([[0.0, 1.0, 2.0], [1.0, 2.0, 6.0]])
    >>> result.systems.ss, result.error.ss  # means 1 and 3: 3 (1 + 1); residuals ±(.5, .5, 1): 2 (.25 + .25 + 1)
    (6.0, 3.0)
    >>> result.statistic  # (6 / 1) / (3 / 2)
    4.0
    """
    blocks = complete(scores, "an analysis of variance")
    systems, topics, error = parts(blocks)
    total = VariationSource(systems.ss + topics.ss + error.ss, blocks.values.size - 1)
    note = ASSUMES
    if error.ss == 0:
        note += "; the error variance is 0"
        if systems.ss > 0:
            message = "the error variance is 0: the differences between runs are the same for every topic"
            warn(DataWarning("W113", message))
    f_systems, p_systems = _f(systems, error)
    f_topics, p_topics = _f(topics, error)
    return Anova(
        systems=systems,
        topics=topics,
        error=error,
        total=total,
        statistic=f_systems,
        pvalue=p_systems,
        topic_statistic=f_topics,
        topic_pvalue=p_topics,
        omega2=_share(systems.ss - systems.df * error.ms, total.ss + error.ms),
        partial_eta2=_share(systems.ss, systems.ss + error.ss),
        n=blocks.n,
        dropped=blocks.dropped,
        note=note,
    )


def parts(blocks: CompleteBlocks) -> tuple[VariationSource, VariationSource, VariationSource]:
    """The sums of squares of systems, topics and error; one that is no larger than rounding is 0."""
    values, (k, b) = blocks.values, blocks.values.shape
    grand = values.mean()
    of_system, of_topic = values.mean(axis=1) - grand, values.mean(axis=0) - grand
    residual = values - grand - of_system[:, None] - of_topic
    return (
        VariationSource(b * _squares(of_system, blocks.zero), k - 1),
        VariationSource(k * _squares(of_topic, blocks.zero), b - 1),
        VariationSource(_squares(residual, blocks.zero), (k - 1) * (b - 1)),
    )


def _squares(effect: Floats, zero: float) -> float:
    return float((effect**2).sum()) if np.abs(effect).max() > zero else 0.0


def _f(source: VariationSource, error: VariationSource) -> tuple[float, float]:
    from scipy.special import fdtrc

    if error.ss == 0:
        return (np.inf, 0.0) if source.ss > 0 else (np.nan, np.nan)
    f = source.ms / error.ms
    return f, float(fdtrc(source.df, error.df, f))


def _share(part: float, whole: float) -> float:
    return part / whole if whole > 0 else np.nan
