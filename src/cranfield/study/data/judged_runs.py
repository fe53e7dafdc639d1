"""Judged runs: a collection with its whole lists and judgments, for studies that look at documents by name."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from cranfield.measures.grammar import Measure
from cranfield.read.objects import as_qrels, as_runs
from cranfield.study.data.collection import Collection
from cranfield.tables.audit import Audit
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.source import IN_MEMORY


@dataclass(frozen=True, eq=False)
class JudgedRuns:
    """A collection, and the tables that it was made of.

    Attributes:
        collection: judgments and runs, joined.
        qrels: the judgments.
        runs: the runs that the rules kept, by name.

    >>> found = JudgedRuns.of({"q1": {"a": 1, "b": 0}}, {"x": {"q1": ["a", "u"]}, "y": {"q1": ["b"]}}, "P@1")
    >>> list(found.runs["x"].document), found.collection.full_means.tolist()
    (['a', 'u'], [[1.0], [0.0]])
    """

    collection: Collection
    qrels: Qrels
    runs: Mapping[str, Run]

    @classmethod
    def of(cls, qrels: Any, runs: Any, measures: object, **rest: Any) -> "JudgedRuns":  # see Collection.of
        """Read everything once; the arguments are those of `Collection.of`."""
        judged, lists = as_qrels(qrels, rest.pop("grades", "int")), as_runs(runs)
        collection = Collection.of(judged, lists, measures, **rest)
        kept = {run.name: replace(run, source=IN_MEMORY) for run in lists.values() if run.name in collection.runs}
        return cls(collection, replace(judged, source=IN_MEMORY), {name: kept[name] for name in collection.runs})

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures that are studied."""
        return self.collection.measures

    @property
    def audit(self) -> Audit:
        """What shaped the numbers."""
        return self.collection.audit

    @property
    def notes(self) -> tuple[str, ...]:
        """The runs that were dropped, and topics that are missing."""
        return self.collection.notes

    def settings(self) -> dict[str, Any]:
        """Measures, policies, and the rules by which runs were kept."""
        return self.collection.settings()

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the collection, and of all lists."""
        state = hashlib.sha256(self.collection.fingerprint.encode())
        for run in self.runs.values():
            state.update(repr(run.topics).encode())
            for column in (run.topic, run.document.hash, run.score):
                state.update(np.ascontiguousarray(column).data)
        return state.hexdigest()
