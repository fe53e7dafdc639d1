"""Topics: what the searcher wants, in as many words as the collection gives."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

from cranfield.errors import InputError
from cranfield.errors.arguments import checked_methods
from cranfield.errors.names import named
from cranfield.tables.source import Source
from cranfield.tables.words import counted


@dataclass(frozen=True)
class Subtopic:
    """One facet or reading of a topic; `type` is `inf` (wants information) or `nav` (wants one page)."""

    number: str
    text: str
    type: str = ""


@dataclass(frozen=True)
class Topic:
    """One topic; `other` keeps the elements that have no field here."""

    id: str
    query: str
    description: str = ""
    narrative: str = ""
    type: str = ""
    subtopics: tuple[Subtopic, ...] = ()
    other: Mapping[str, str] = field(default_factory=dict)


@checked_methods
@dataclass(frozen=True)
class Topics(Mapping[str, Topic]):
    """Topics by id, in the order of the file.

    >>> topics = Topics.of([Topic("q1", "cheap flights to oslo")])
    >>> topics["q1"].query, topics
    ('cheap flights to oslo', Topics: 1 topic)
    """

    members: tuple[Topic, ...]  # in order
    source: Source = field(default=Source(), compare=False)

    @classmethod
    def of(cls, members: Iterable[Topic], source: Source = Source()) -> "Topics":  # noqa: B008  # frozen
        """Topics in order; two of one id are an error."""
        topics = tuple(members)
        seen: set[str] = set()
        for topic in topics:
            if topic.id in seen:
                raise InputError("E119", f"topic {topic.id!r} occurs twice", path=source.name or None)
            seen.add(topic.id)
        return cls(topics, source)

    @cached_property
    def _by_id(self) -> dict[str, Topic]:
        return {topic.id: topic for topic in self.members}

    def __getitem__(self, topic: str) -> Topic:
        return named(topic, self._by_id, "topic")

    def __iter__(self) -> Iterator[str]:
        return (topic.id for topic in self.members)

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        return f"Topics: {counted(len(self), 'topic')}"

    __hash__: ClassVar[None] = None  # type: ignore[assignment]  # unhashable: equal by content; mypy wants a method
