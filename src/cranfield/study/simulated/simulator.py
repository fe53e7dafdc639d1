"""Draw collections from the model of `world.py`: every true grade is known, and some documents are judged."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Unpack

import numpy as np

from cranfield.align.hits import Hits
from cranfield.arrays import Bools, Floats, Ints
from cranfield.arrays.memory import afford
from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.ranges import check_least
from cranfield.random_streams import stream
from cranfield.registry import one_of
from cranfield.study.simulated.lists import best_first, judged_table, pooled, run_table
from cranfield.study.simulated.world import PRESETS, WORTH, WorldChanges, WorldModel
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run, Runs
from cranfield.tables.text import Text


@checked_methods
@dataclass(frozen=True, eq=False)
class Simulated:
    """A collection drawn from a model, and the truth behind it.

    >>> world = simulate("tiny", seed=1)
    >>> world.runs
    Runs: 8 systems (f01-1, f01-2, f02-1, f02-2, f03-1, f03-2, …)
    >>> world.truth
    Qrels: 10 topics, 2,000 judgments, grades 0…3
    >>> len(world.qrels) < len(world.truth), world.families["new04-1"]
    (True, 'new04')
    """

    model: WorldModel  # what it was drawn from
    grade: Ints  # [topic, document]
    order: Ints  # [topic, system, rank]: documents, best first
    score: Floats  # [topic, system, rank]
    ability: Floats  # [system]

    @property
    def topics(self) -> tuple[str, ...]:
        """Names of the topics."""
        return tuple(f"t{number:02d}" for number in range(1, self.model.topics + 1))

    @property
    def documents(self) -> tuple[str, ...]:
        """Names of the documents; every topic has its own."""
        return tuple(f"d{number:05d}" for number in range(1, self.model.documents + 1))

    @property
    def families(self) -> dict[str, str]:
        """Run -> family."""
        return {name: name.partition("-")[0] for name in self.model.names}

    @property
    def contributing(self) -> tuple[str, ...]:
        """Runs whose first documents are judged."""
        return tuple(name for name, yes in zip(self.model.names, self.model.contributes, strict=True) if yes)

    @cached_property
    def judged(self) -> Bools:
        """`[topic, document]`: among the first documents of a contributing run."""
        return pooled(self.order[:, self.model.contributes, : self.model.depth], self.model.documents)

    @property
    def truth(self) -> Qrels:
        """The grade of every document."""
        return self._qrels(np.ones(self.grade.shape, dtype=bool))

    @property
    def qrels(self) -> Qrels:
        """The grades of the documents in the pool."""
        return self._qrels(self.judged)

    @property
    def runs(self) -> Runs:
        """Every system's lists."""
        return Runs(self._runs())

    def _runs(self) -> Iterator[Run]:
        names = Text.of(self.documents)
        for number, name in enumerate(self.model.names):
            yield run_table(name, self.topics, names, self.order[:, number], self.score[:, number])

    def _qrels(self, judged: Bools) -> Qrels:
        return judged_table(self.topics, self.documents, self.grade, judged)

    def hits(self, judged: Bools | None = None) -> Hits:
        """The judged documents of every list, ready for measures: rankings by system, then topic.

        Without `judged[topic, document]` every document is judged.
        """
        topics, systems, length = self.order.shape
        known = np.ones(self.grade.shape, dtype=bool) if judged is None else judged
        at = np.arange(topics)[:, None, None]
        seen = np.moveaxis(known[at, self.order], 1, 0)  # [system, topic, rank]
        cell = np.flatnonzero(seen)
        ranking, place = np.divmod(cell, length)
        grade = np.moveaxis(self.grade[at, self.order], 1, 0).ravel()[cell]
        base_topic, document = np.nonzero(known)
        base_grade = self.grade[base_topic, document]
        best = np.lexsort((-base_grade, base_topic))
        return Hits(
            rank=place + 1,
            grade=grade,
            ranking=ranking,
            topic=np.tile(np.arange(topics), systems),
            retrieved=np.full(systems * topics, length),
            base_topic=base_topic,
            base_grade=base_grade[best],
            topics=topics,
            top_grade=float(self.grade.max(initial=0)),
        )


def simulate(
    preset: str | WorldModel = "trec8_like", *, seed: int = 0, draw: int = 0, **changes: Unpack[WorldChanges]
) -> Simulated:
    """Draw a collection with complete truth.

    Systems and their abilities depend on the seed alone; topics, documents and noise on the draw too, so that draws of
    one seed are the same systems on other topics.

    Args:
        preset: `trec8_like` (50 topics, 120 runs of 40 families), `small` (50 topics, 24 runs of 8 families), `tiny`
            (10 topics, 8 runs of 4 families), or a model of your own.
        seed: of every random step.
        draw: which of the collections of this seed.
        changes: fields of the model, such as `topics=25`.

    >>> world = simulate("tiny", topics=3, seed=7)
    >>> bool((world.grade == simulate("tiny", topics=3, seed=7).grade).all())
    True
    >>> len(world.contributing), sorted(set(world.families.values()))
    (3, ['f01', 'f02', 'f03', 'new04'])
    """
    if isinstance(preset, str):
        one_of("preset", preset, PRESETS)
    base = PRESETS[preset] if isinstance(preset, str) else preset
    names = [field.name for field in fields(WorldModel)]
    if unknown := next((name for name in changes if name not in names), None):
        raise PolicyError("E245", f"the model has no {unknown!r}", hint=f"one of {', '.join(names)}")
    check_least(0, draw=draw)
    model = replace(base, **changes)
    afford(
        _bytes(model), f"{model.systems:,} systems on {model.topics:,} topics", hint="ask for fewer, or shorter lists"
    )
    ability = _abilities(model, seed)
    length = min(model.length, model.documents)
    grade = np.empty((model.topics, model.documents), dtype=np.int64)
    order = np.empty((model.topics, model.systems, length), dtype=np.int64)
    score = np.empty(order.shape)
    for topic in range(model.topics):
        rng = stream(seed, draw, topic, "topic")
        grade[topic] = _grades(model, rng)
        values = _scores(model, ability, grade[topic], rng)
        order[topic] = best_first(values, length)
        score[topic] = np.take_along_axis(values, order[topic], axis=1)
    return Simulated(model, grade, order, score, ability)


def _bytes(model: WorldModel) -> int:
    """The memory that a collection takes, with the scores of one topic while it is drawn, at the least."""
    kept = model.topics * (model.documents + 2 * model.systems * min(model.length, model.documents))
    return 8 * (kept + 3 * model.systems * (model.documents + 8))


def _abilities(model: WorldModel, seed: int) -> Floats:
    """How well each system tells relevant documents from others."""
    rng = stream(seed, "systems")
    family = rng.standard_normal(model.families) * model.family_spread
    own = rng.standard_normal(model.systems) * model.system_spread
    lead = np.where(model.is_novel, model.novel_lead, family[model.family])
    return model.ability + lead + own


def _grades(model: WorldModel, rng: np.random.Generator) -> Ints:
    """Grades of the documents of a topic; at least one is relevant, at most a quarter."""
    mean = np.log(model.relevant) - model.relevant_spread**2 / 2
    number = int(np.clip(np.rint(rng.lognormal(mean, model.relevant_spread)), 1, max(1, model.documents // 4)))
    grade = np.zeros(model.documents, dtype=np.int64)
    shares = np.array(model.grades) / sum(model.grades)
    grade[rng.permutation(model.documents)[:number]] = rng.choice([1, 2, 3], size=number, p=shares)
    return grade


def _scores(model: WorldModel, ability: Floats, grade: Ints, rng: np.random.Generator) -> Floats:
    """`[system, document]` of one topic."""
    novel = model.is_novel[:, None]
    common, shared = np.sqrt(model.common), np.sqrt(model.shared)
    delta = rng.standard_normal()
    everybody = np.where(novel, 0.0, common) * rng.standard_normal(model.documents)
    families = rng.standard_normal((model.families, model.documents))
    family = np.where(novel, np.hypot(common, shared), shared) * families[model.family]
    own = np.sqrt(max(0.0, 1 - model.common - model.shared)) * rng.standard_normal((model.systems, model.documents))
    signal = ability[:, None] * np.array(WORTH)[grade] + model.difficulty * delta * (grade > 0)
    scores: Floats = signal + model.noise * (everybody + family + own)
    return scores
