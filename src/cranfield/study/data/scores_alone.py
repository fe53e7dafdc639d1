"""Scores alone as the data of a study: no rankings, no judgments."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from cranfield.align.hits import Hits
from cranfield.align.policy import Policy
from cranfield.arrays import Bools, Floats
from cranfield.errors import PolicyError
from cranfield.measures.definition import MEASURES
from cranfield.measures.facts.bounds import NO_PROPERTY
from cranfield.measures.grammar import Measure
from cranfield.stats.score_tables.read import read_scores
from cranfield.study.data.collection import Collection
from cranfield.tables.audit import LOWER
from cranfield.tables.scores import Scores


@dataclass(frozen=True, eq=False)
class ScoresAlone(Collection):
    """A collection of which only the scores are known.

    >>> table = {"a": {"q1": {"m": 0.5}, "q2": {"m": 0.7}}, "b": {"q1": {"m": 0.4}, "q2": {"m": 0.9}}}
    >>> ScoresAlone.of_scores(read_scores(table)).full_means.ravel().round(2)
    array([0.6 , 0.65])
    """

    table: Scores | None = None  # never None

    @classmethod
    def of_scores(cls, scores: Scores, measures: Iterable[str] | str | None = None, **others: Any) -> "ScoresAlone":
        """Scores, restricted to some measures; options that choose or evaluate runs are refused."""
        if idle := next((name for name, value in others.items() if value not in (None, (), "int")), None):
            raise PolicyError("E244", f"{idle} needs rankings, and scores were given", hint="leave it out")
        chosen = read_scores(scores, measures=measures) if measures else scores
        nothing: Any = None  # scores hold no rankings and no judgments
        return cls(
            runs=chosen.runs,
            topics=chosen.topics,
            measures=tuple(
                _measure(chosen, name, way) for name, way in zip(chosen.measures, chosen.averages, strict=True)
            ),
            policy=Policy(),
            hits=nothing,
            judgments=nothing,
            answered=chosen.scored,
            groups=chosen.runs,
            audit=chosen.audit,
            chosen={},
            notes=(*chosen.audit.missing_notes(), *chosen.audit.undefined_notes(), chosen.audit.policy_line()),
            table=replace(chosen, origin=None),
        )

    @cached_property
    def full(self) -> Floats:
        """`[run, topic, measure]`: the scores as they were given."""
        assert self.table is not None
        return self.table.values

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of names and values."""
        names = (self.runs, self.topics, [str(measure) for measure in self.measures])
        state = hashlib.sha256(repr(names).encode())
        state.update(np.ascontiguousarray(self.full).data)
        return state.hexdigest()

    def settings(self) -> dict[str, Any]:
        """Measures, and the direction of each."""
        lower = [name for name, way in self.audit.given.items() if way == LOWER]
        return {"measures": [str(measure) for measure in self.measures], "given": {"lower_is_better": lower}}

    def scores(self, judged: Bools) -> NoReturn:
        """Scores with fewer judgments cannot be found."""
        self.require_judgments("this study")

    def require_judgments(self, what: str) -> NoReturn:
        """There are none."""
        hint = "power, stability and swap with all judgments need scores alone"
        raise PolicyError("E246", f"{what} needs judgments and rankings, and scores were given", hint=hint)


def _not_computed(hits: Hits) -> Floats:
    """A measure that was computed elsewhere."""
    raise PolicyError("E246", "this measure was computed elsewhere")


def _measure(scores: Scores, name: str, average: str) -> Measure:
    """What is known of a measure that was computed elsewhere: its name, its direction, its average."""
    known: Any = average  # one of those that definitions have
    definition = MEASURES["AP"]._replace(
        name=name,
        function=_not_computed,
        family="own",
        parameters={},
        at=None,
        cites=(),
        aliases=(),
        average=known,
        residual=None,
        divisor=None,
        model=None,
        smaller=name in scores.smaller,
        ties=None,
        bounds=NO_PROPERTY,
    )
    return Measure(definition)
