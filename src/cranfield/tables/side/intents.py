"""Intents: how likely each subtopic of a topic is what the searcher wants."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from cranfield.errors.arguments import checked_methods
from cranfield.tables.caller_columns import same_length
from cranfield.tables.source import Source
from cranfield.tables.words import counted


@checked_methods
@dataclass(frozen=True)
class Intents:
    """The probability of each subtopic of each topic; those of a topic add up to 1.

    >>> intents = Intents.of(["201", "201"], ["1", "2"], [0.75, 0.25])
    >>> intents.of_topic("201"), intents
    ({'1': 0.75, '2': 0.25}, Intents: 1 topic, 2 subtopics)
    """

    members: Mapping[str, Mapping[str, float]]  # topic -> subtopic -> probability
    source: Source = field(default=Source(), compare=False)

    @classmethod
    def of(cls, topic: Iterable[str], subtopic: Iterable[str], probability: Iterable[float]) -> "Intents":
        """Intents from columns of equal length."""
        members: dict[str, dict[str, float]] = {}
        topics, parts, chances = list(topic), list(subtopic), list(probability)
        same_length(topic=topics, subtopic=parts, probability=chances)
        for name, part, chance in zip(topics, parts, chances, strict=True):
            members.setdefault(name, {})[part] = float(chance)
        return cls(members)

    def of_topic(self, topic: str) -> Mapping[str, float] | None:
        """The probabilities of a topic's subtopics, if they were given."""
        return self.members.get(topic)

    def __len__(self) -> int:
        """Number of probabilities."""
        return sum(map(len, self.members.values()))

    def __repr__(self) -> str:
        return f"Intents: {counted(len(self.members), 'topic')}, {counted(len(self), 'subtopic')}"

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # unhashable: equal by content; mypy wants a method
