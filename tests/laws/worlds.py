"""Worlds to test measures on: topics with their documents, rankings of them, and the table of hits they make.

A document is what the judgments say about it: a grade from 0, POOLED (in the pool, nobody judged it) or None (never
pooled). A world keeps the documents of a topic apart from its rankings, so that several rankings share judgments.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from hypothesis import strategies as st

from cranfield.align.hits import Hits
from cranfield.align.rankings import Rankings
from cranfield.measures import definition as definitions
from cranfield.measures.definition import MeasureDefinition, MeasureParameter
from cranfield.measures.grammar import Measure, build
from cranfield.tables.run import Run
from tests.laws.covering import diversified, subtopics_of
from tests.laws.sampled import sample_of

POOLED = -1
Document = int | None
BUILT_IN = {name: d for name, d in definitions.MEASURES.items() if d.family != "own"}


@dataclass(frozen=True)
class World:
    """Documents of each topic, and rankings: a topic with the places of its documents, best first."""

    topics: tuple[tuple[Document, ...], ...]
    rankings: tuple[tuple[int, tuple[int, ...]], ...]

    def documents(self, number: int) -> list[Document]:
        """The documents of a ranking, best first."""
        topic, places = self.rankings[number]
        return [self.topics[topic][place] for place in places]

    def judged(self, number: int) -> list[int]:
        """The grades of all judged documents of a ranking's topic, best first."""
        documents = self.topics[self.rankings[number][0]]
        return sorted((d for d in documents if d is not None and d >= 0), reverse=True)

    @property
    def top_grade(self) -> int:
        """The highest grade of all topics."""
        return max((d for topic in self.topics for d in topic if d is not None and d > 0), default=0)

    def only(self, number: int) -> "World":
        """The world with one of its rankings."""
        return replace(self, rankings=(self.rankings[number],))

    def hits(self) -> Hits:
        """The table of hits, built one document at a time."""
        hits: list[tuple[int, int, int]] = []
        pooled: list[tuple[int, int, int]] = []
        for number, _ in enumerate(self.rankings):
            for rank, document in enumerate(self.documents(number), start=1):
                if document is not None:
                    (pooled if document == POOLED else hits).append((rank, document, number))
        base = [
            (topic, grade)
            for topic, documents in enumerate(self.topics)
            for grade in sorted((d for d in documents if d is not None and d >= 0), reverse=True)
        ]
        columns = np.array(hits, dtype=np.int64).reshape(-1, 3).T
        unjudged = np.array(pooled, dtype=np.int64).reshape(-1, 3).T
        base_columns = np.array(base, dtype=np.int64).reshape(-1, 2).T
        lists = self.lists()
        retrieved = np.array([len(places) for _, places in self.rankings], dtype=np.int64)
        begin = np.cumsum(retrieved) - retrieved
        first = np.cumsum([0, *map(len, self.topics)])  # documents are numbered from topic to topic
        numbers, unsampled = (
            [
                first[topic] + place
                for topic, places in self.rankings
                for place in places
                if (document := self.topics[topic][place]) is not None and (document == POOLED) == left
            ]
            for left in (False, True)
        )
        return Hits(
            rank=columns[0],
            grade=columns[1],
            ranking=columns[2],
            topic=np.array([topic for topic, _ in self.rankings], dtype=np.int64),
            retrieved=retrieved,
            base_topic=base_columns[0],
            base_grade=base_columns[1],
            topics=len(self.topics),
            top_grade=float(self.top_grade),
            pooled_rank=unjudged[0],
            pooled_ranking=unjudged[2],
            lists=lists,
            begin=begin,
            place=begin[columns[2]] + columns[0] - 1,
            document=np.array(numbers, dtype=np.int64),
            subtopics=subtopics_of(self.topics),
            pooled_document=np.array(unsampled, dtype=np.int64),
            sample=sample_of(self.topics),
        )

    def lists(self) -> Rankings:
        """The rankings as a run with a topic for each; the score of a document is one over its rank."""
        rows = [
            (str(number), f"{topic}-{place}", 1 / rank)
            for number, (topic, places) in enumerate(self.rankings)
            for rank, place in enumerate(places, start=1)
        ]
        topics, documents, scores = zip(*rows, strict=True) if rows else ((), (), ())
        return Rankings.of(Run.of("world", topics, documents, scores))


def world_of(*lists: tuple[Sequence[Document], Sequence[Document]]) -> World:
    """A world of one ranking per topic, each given as (retrieved documents, documents not retrieved)."""
    topics = tuple((*found, *missed) for found, missed in lists)
    return World(topics, tuple((number, tuple(range(len(found)))) for number, (found, _) in enumerate(lists)))


def hits_of(found: Sequence[Document], missed: Sequence[Document] = ()) -> Hits:
    """The hits of one ranking."""
    return world_of((found, missed)).hits()


def small_world(length: int = 4, states: Sequence[Document] = (0, 1, 2, None)) -> World:
    """Every list of up to `length` documents of the given states; each topic also has a document of each grade left."""
    lists = [found for n in range(length + 1) for found in product(states, repeat=n)]
    return world_of(*((found, (2, 1, 0)) for found in lists))


SEEDS = st.integers(0, 1 << 16)  # of the grades by subtopic; 0 means one subtopic


@st.composite
def worlds(draw: st.DrawFn, states: Sequence[Document] = (0, 0, 1, 2, 3, 4, POOLED, None), longest: int = 12) -> World:
    """Up to three topics with up to three rankings each: holes, ties of grades, empty lists, R = 0 and N = 0."""
    grades = draw(st.lists(st.lists(st.sampled_from(states), max_size=longest), min_size=1, max_size=3))
    topics = [tuple(diversified(documents, draw(SEEDS))) for documents in grades]
    numbers = draw(st.lists(st.sampled_from(range(len(topics))), min_size=1, max_size=4))
    rankings = []
    for number in numbers:
        order = draw(st.permutations(range(len(topics[number]))))
        rankings.append((number, tuple(order[: draw(st.integers(0, len(order)))])))
    return World(tuple(topics), tuple(rankings))


_GAINS = st.lists(st.integers(1, 9), min_size=4, max_size=4).map(lambda gains: dict(enumerate(sorted(gains), start=1)))
_THRESHOLDS = st.tuples(st.integers(1, 5), *[st.integers(0, 5)] * 3).map(  # grade 1 is enough for somebody
    lambda users: {grade: n / sum(users) for grade, n in enumerate(users, start=1)}
)
_VALUES: dict[str, st.SearchStrategy[object]] = {
    "cutoff": st.integers(1, 14),
    "rel": st.integers(1, 3),
    "p": st.sampled_from([0.1, 0.5, 0.8, 0.95]),
    "beta": st.sampled_from([0.5, 2]),
    "alpha": st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0]),
    "gamma": st.sampled_from([0.0, 0.3, 1.0]),
    "form": st.sampled_from(["web", "binary", "graded"]),
    "normalisation": st.sampled_from(["none", "ideal_ideal"]),
    "recall": st.integers(0, 20).map(lambda n: n / 20),
    "rule": st.sampled_from(["geq", "te9", "lround"]),
    "variant": st.sampled_from(["literal", "te"]),
    "dcg": st.sampled_from(["log2", "exp-log2", "jk"]),
    "b": st.sampled_from([1.5, 3, 10]),
    "gains": _GAINS,  # never decreasing with the grade
    "relative": st.booleans(),
    "denominator": st.sampled_from(["R", "min"]),
    "avg_pos": st.booleans(),
    "max_rel": st.sampled_from([1, 3, 5]),
    "mult": st.sampled_from([0.2, 1.0, 1.5]),
    "highest": st.sampled_from(["topic", "collection"]),
    "g": _THRESHOLDS,
    "renormalise": st.booleans(),
    "no_user": st.sampled_from(["zero", "nan"]),
    "collection": st.sampled_from([40, 1000]),
    "q": st.integers(1, 3),
    "edge": st.sampled_from(["lower", "middle"]),
    "by": st.sampled_from(["cosine", "jaccard"]),
    "T": st.sampled_from([0.5, 1, 2.5]),
    "A": st.sampled_from([0.2, 0.5]),
    "R1": st.sampled_from([1, 10]),
    "R2": st.sampled_from([1, 10]),
    "b1": st.sampled_from([0.5, 2]),
    "b2": st.sampled_from([0.5, 2]),
    "hb": st.sampled_from([0, 0.5, 1]),
    "hc": st.sampled_from([0, 0.5, 1]),
    "pad": st.sampled_from([1, 4, 20]),
    "stop": st.sampled_from(["exp", "linear"]),
    "length": st.sampled_from([0, 500, 90_000]),
    "h": st.sampled_from([1, 224]),
    "trail": st.booleans(),
    "snippet": st.sampled_from([0, 1000]),
    "normalize": st.booleans(),
    "depth": st.sampled_from([1, 5, 30]),
    "model": st.sampled_from(["P@4", "RR", "SDCG@5", "INST(T=2, pad=9)", "BPM(hc=1)@3", "IFTGoal(R1=1, pad=6)"]),
    "of": st.sampled_from(["EU", "ETU", "ED", "ETC"]),
    "unit": st.sampled_from([0, 0.5]),
    "ideal": st.sampled_from(["round", "fractional"]),
    "round_R": st.booleans(),
    "adaptive": st.booleans(),
}

_ALWAYS = ("length", "pad")  # no document here has a length of its own; two thousand ranks make a plain loop slow


@st.composite
def settings_of(draw: st.DrawFn, definition: MeasureDefinition) -> str:
    """The measure with some of its parameters filled in, by its name, which is short to print."""
    values = {
        name: draw(_within(parameter, _VALUES[name]))
        for name, parameter in definition.parameters.items()
        if name in _VALUES and (parameter.required or name in _ALWAYS or draw(st.booleans()))
    }
    return str(build(definition, {name: value for name, value in values.items() if _works(definition, name, values)}))


def _within(parameter: MeasureParameter, values: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    """The values that the parameter of this measure may take."""
    return values.filter(parameter.domain.contains) if parameter.domain else values


def _works(definition: MeasureDefinition, name: str, values: Mapping[str, object]) -> bool:
    """Whether a parameter has what it needs: a cut-off, or `dcg='jk'`; no level matters where the grade is the gain."""
    if name == "rel" and values.get("form") == "graded":
        return False
    other, _, setting = definition.parameters[name].needs.partition("=")
    return not other or (other in values and setting in ("", repr(values[other])))


def measures() -> st.SearchStrategy[tuple[str, ...]]:
    """Every measure of the registry, each with some parameters."""
    return st.tuples(*(settings_of(definition) for definition in BUILT_IN.values()))


def bare(definition: MeasureDefinition, cutoff: int = 3) -> Measure:
    """The measure with nothing but what it must have."""
    return build(definition, needed(definition, cutoff))


def needed(definition: MeasureDefinition, cutoff: int = 3) -> dict[str, float]:
    """The parameters without which a measure has no value."""
    values = {"recall": 0.5, "collection": 100, "length": 500}
    data = ("collection", "length")  # what these worlds do not say
    given = {name for name, p in definition.parameters.items() if p.required or (name in data and not p.needs)}
    return {name: values.get(name, cutoff) for name in given}


def whole(measure: Measure) -> Measure:
    """The measure without its cut-off, where it can do without."""
    parameters = measure.definition.parameters
    values = {name: value for name, value in measure.values if "cutoff" not in (name, parameters[name].needs)}
    required = measure.definition.parameters.get("cutoff")
    return measure if required is None or required.required else build(measure.definition, values)
