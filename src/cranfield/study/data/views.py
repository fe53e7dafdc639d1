"""Views: the same judgments and runs under several policies or rules, for studies that need more than one order."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cranfield.align.policy import NAMES, Policy
from cranfield.measures.grammar import Measure
from cranfield.read.objects import as_qrels, as_sources
from cranfield.study.data.collection import Collection
from cranfield.tables.audit import Audit


@dataclass(frozen=True, eq=False)
class Views:
    """Collections by name; the first is the usual one.

    Attributes:
        members: the collections.
        chosen: the options of the caller, without those that a view adds.

    >>> qrels = {"q1": {"a": 1, "b": 0}}
    >>> views = Views.of({"score": {}, "rank": {"ties": "given"}}, qrels, {"x": {"q1": ["a", "b"]}}, "AP")
    >>> [view.policy.ties for view in views.members.values()]
    ['trec', 'given']
    """

    members: Mapping[str, Collection]
    chosen: Mapping[str, Any]  # plain data

    @classmethod
    def of(
        cls, views: Mapping[str, Mapping[str, Any]], qrels: Any, runs: Any, measures: object, **rest: Any
    ) -> "Views":
        """Read everything once for each view; the arguments are those of `Collection.of`, and each view's own."""
        judged, sources = as_qrels(qrels, rest.pop("grades", "int")), as_sources(runs)
        policies = {name: rest.pop(name) for name in NAMES if name in rest}
        policy = (rest.pop("policy", None) or Policy()).with_(**policies)
        keep = rest.pop("keep", ())
        asked = {"keep": [keep] if isinstance(keep, str) else list(keep), "sample": rest.pop("sample", None)}
        found = {
            name: Collection.of(
                judged,
                sources,
                measures,
                policy=policy.with_(**{field: value for field, value in own.items() if field in NAMES}),
                keep=tuple(dict.fromkeys((*own.get("keep", ()), *asked["keep"]))),
                sample=own.get("sample") if asked["sample"] is None else asked["sample"],
                **rest,
            )
            for name, own in views.items()
        }
        first = next(iter(found.values()))
        return cls(found, {**first.settings(), "policies": policy.as_dict(), **asked})

    @property
    def first(self) -> Collection:
        """The usual view."""
        return next(iter(self.members.values()))

    @property
    def measures(self) -> tuple[Measure, ...]:
        """The measures, the same in all views."""
        return self.first.measures

    @property
    def audit(self) -> Audit:
        """The audit of the usual view."""
        return self.first.audit

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of all views, each once."""
        return tuple(dict.fromkeys(note for view in self.members.values() for note in view.notes))

    def settings(self) -> dict[str, Any]:
        """Measures, policies and rules as the caller chose them; the views belong to the kind of study."""
        return dict(self.chosen)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all views."""
        return hashlib.sha256("".join(view.fingerprint for view in self.members.values()).encode()).hexdigest()
