r"""A simulated test collection with complete truth: every document of every topic has a grade, and some are judged.

System *s* of family *f* scores document *d* of topic *t*

$$a_s\, u(g_d) + b\, \delta_t\, [g_d > 0] + \sigma\,(\sqrt{c}\, x_d + \sqrt{h}\, y_{fd} + \sqrt{1-c-h}\, z_{sd})$$

with ability $a_s$, worth $u$ of a grade, difficulty $\delta_t$ of the topic, and standard normal noise that all systems
share (*x*: what looks relevant to all systems), that a family shares (*y*), and that is a system's own (*z*).
Difficulty moves the relevant documents alone: a constant for all documents would change no ranking. A *novel* family
shares nothing with the others ($\sqrt{c+h}\,y$ takes the place of the first two terms), and it never contributes to the
pool.
"""

from dataclasses import dataclass
from typing import TypedDict

import numpy as np

from cranfield.arrays import Bools, Ints
from cranfield.errors import PolicyError
from cranfield.errors.ranges import check_least, out_of_range
from cranfield.errors.wording import setting

WORTH = (0.0, 1.0, 1.25, 1.5)  # u(grade)


class WorldChanges(TypedDict, total=False):
    """The fields of `WorldModel` as keyword arguments, such as `simulate("tiny", topics=3)`."""

    topics: int
    documents: int
    systems: int
    families: int
    novel: int
    contributing: int
    depth: int
    length: int
    relevant: float
    relevant_spread: float
    grades: tuple[float, float, float]
    ability: float
    family_spread: float
    system_spread: float
    novel_lead: float
    difficulty: float
    noise: float
    common: float
    shared: float


@dataclass(frozen=True)
class WorldModel:
    """The model from which a collection is drawn.

    Attributes:
        topics: number of topics.
        documents: documents of each topic that a system could return.
        systems: number of runs, spread evenly over the families.
        families: groups of systems that make the same mistakes.
        novel: families, the last ones, that never contribute to the pool.
        contributing: runs of every other family that do.
        depth: documents of each contributing list that are judged.
        length: documents of each list.
        relevant: mean number of relevant documents of a topic (lognormal).
        relevant_spread: standard deviation of its logarithm.
        grades: shares of the grades 1, 2 and 3 among relevant documents.
        ability: mean of a_s.
        family_spread: standard deviation of the ability between families.
        system_spread: standard deviation inside a family.
        novel_lead: by how much the ability of a novel family exceeds the mean.
        difficulty: b.
        noise: sigma.
        common: share of the noise that all systems share.
        shared: share of the noise that a family shares.
    """

    topics: int = 50
    documents: int = 5000
    systems: int = 120
    families: int = 40
    novel: int = 1
    contributing: int = 2
    depth: int = 100
    length: int = 1000
    relevant: float = 95
    relevant_spread: float = 0.8
    grades: tuple[float, float, float] = (0.49, 0.31, 0.20)
    ability: float = 1.3
    family_spread: float = 0.3
    system_spread: float = 0.15
    novel_lead: float = 0.35
    difficulty: float = 0.6
    noise: float = 1.0
    common: float = 0.5
    shared: float = 0.25

    def __post_init__(self) -> None:
        counts = ("topics", "documents", "systems", "families", "contributing", "depth", "length")
        if wrong := next((name for name in counts if getattr(self, name) < 1), None):
            raise out_of_range(wrong, getattr(self, wrong), "a whole number from 1")
        check_least(0, relevant=self.relevant, relevant_spread=self.relevant_spread)
        if not 0 <= self.novel < self.families or self.families > self.systems:
            problem = f"{self.systems} systems, {self.families} families, {self.novel} of them novel"
            raise PolicyError("E243", problem, hint="a system for each family, and a family that is not novel")
        if not (self.noise > 0 and self.common >= 0 and self.shared >= 0 and self.common + self.shared <= 1):
            problem = f"{setting('noise', self.noise)}, of which {self.common:g} is common and {self.shared:g} shared"
            raise PolicyError("E240", problem, hint="noise is positive, its shares are at most 1 together")

    @property
    def family(self) -> Ints:
        """The family of each system."""
        return np.arange(self.systems) * self.families // self.systems

    @property
    def is_novel(self) -> Bools:
        """Whether each system belongs to a novel family."""
        return self.family >= self.families - self.novel

    @property
    def contributes(self) -> Bools:
        """Whether the first documents of each system are judged."""
        first = np.searchsorted(self.family, self.family)
        return (np.arange(self.systems) - first < self.contributing) & ~self.is_novel

    @property
    def names(self) -> tuple[str, ...]:
        """`f01-1`, `f01-2` …; those of novel families begin with `new`."""
        place = np.arange(self.systems) - np.searchsorted(self.family, self.family) + 1
        rows = zip(self.family.tolist(), self.is_novel.tolist(), place.tolist(), strict=True)
        return tuple(f"{'new' if novel else 'f'}{family + 1:02d}-{number}" for family, novel, number in rows)


PRESETS = {
    "trec8_like": WorldModel(),
    "small": WorldModel(documents=1000, systems=24, families=8, depth=20, length=300, relevant=30, ability=1.6),
    "tiny": WorldModel(
        topics=10,
        documents=200,
        systems=8,
        families=4,
        contributing=1,
        depth=10,
        length=100,
        relevant=12,
        relevant_spread=0.5,
        ability=1.6,
    ),
}
