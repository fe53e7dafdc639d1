"""Groups of topics: which topic belongs to which group."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from cranfield.arrays import Ints
from cranfield.errors import DataWarning, InputError
from cranfield.errors.names import nearest
from cranfield.errors.warning import warn
from cranfield.read.groups import as_groups
from cranfield.read.pairs import side_input
from cranfield.tables.side.matching import listed, match_names
from cranfield.tables.side.topics import Topics
from cranfield.tables.source import Input
from cranfield.tables.words import counted

_NO_FIELDS = "give a file with a topic and its group on each line"


@dataclass(frozen=True, eq=False)
class TopicGroups:
    """The groups in the order in which they are first met, and the group of each topic.

    >>> TopicGroups.of({"q1": "head", "q2": "tail", "q3": "head"}, ["q1", "q2", "q3"]).members
    (array([0, 2]), array([1]))
    """

    names: tuple[str, ...]
    group: Ints  # by topic: a position in `names`; -1: none
    noun: str = "group"  # what a group is
    by: str = ""  # the file or the field that says which topic belongs where
    inputs: tuple[Mapping[str, Any], ...] = ()  # what was read for it, as an audit says it

    @classmethod
    def of(cls, source: Any, topics: Sequence[str]) -> "TopicGroups":  # a mapping or a path: see `as_groups`
        """Groups of the given topics from `{topic: group}`, `{group: topics}`, or a file; a topic may have none."""
        label = as_groups(source, "topic")
        if not isinstance(source, str | os.PathLike):
            return cls._labelled(label, topics, "groups")
        path = os.fspath(source)
        return replace(cls._labelled(label, topics, path), by=path, inputs=(side_input("groups", path, len(label)),))

    @classmethod
    def of_field(cls, field: str, file: Topics, topics: Sequence[str]) -> "TopicGroups":
        """Groups of the given topics by what a field of the file of topics holds."""
        label = groups_by_field(file, field)
        found = cls._labelled(label, topics, file.source.name or "topics")
        return replace(found, by=field, inputs=(Input.of("topics", file),))

    @classmethod
    def _labelled(cls, label: Mapping[str, str], topics: Sequence[str], path: str) -> "TopicGroups":
        match_names(label, topics, "topic", path=path, more_is_fine=True)
        names = tuple(dict.fromkeys(label[topic] for topic in topics if topic in label))
        number = {name: at for at, name in enumerate(names)}
        if alone := [topic for topic in topics if topic not in label]:
            message = f"{counted(len(alone), 'topic')} in no group, not in the mean of groups: {listed(alone)}"
            warn(DataWarning("W129", message, path))
        return cls(names, np.array([number[label[topic]] if topic in label else -1 for topic in topics]))

    @property
    def members(self) -> tuple[Ints, ...]:
        """The places of the topics of each group."""
        return tuple(np.flatnonzero(self.group == at) for at in range(len(self.names)))


def groups_by_field(topics: Topics, field: str) -> dict[str, str]:
    """Topic -> what its field of that name holds: `type`, or any element of the file of topics that has no other use.

    >>> from cranfield.tables.side.topics import Topic
    >>> groups_by_field(Topics.of([Topic("q1", "oslo", type="faceted"), Topic("q2", "bergen")]), "type")
    {'q1': 'faceted'}
    """
    found = {topic.id: _value(vars(topic), topic.other, field) for topic in topics.members}
    known = {name: value for name, value in found.items() if value}
    if known:
        return known
    fields = {name for topic in topics.members for name in topic.other}
    fields |= {"type"} if any(topic.type for topic in topics.members) else set()
    near = nearest(field, fields)
    listed_fields = f"fields are {', '.join(sorted(fields))}"
    hint = f"did you mean {near}?" if near else listed_fields if fields else _NO_FIELDS
    raise InputError("E128", f"no topic has a field {field!r}", path=topics.source.name or "topics", hint=hint)


def _value(fields: Mapping[str, Any], other: Mapping[str, str], name: str) -> str:
    value = fields.get(name, other.get(name, ""))
    return value if isinstance(value, str) else ""
