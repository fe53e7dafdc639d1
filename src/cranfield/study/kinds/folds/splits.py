"""Split topics into those for tuning and those for testing, by folds or fixed roles; no topic has two roles."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cranfield.arrays import Ints
from cranfield.errors import InputError, PolicyError
from cranfield.errors.wording import setting
from cranfield.random_streams import stream
from cranfield.read.pairs import read_pairs
from cranfield.tables.words import counted

TRAIN, VALIDATION, TEST, NONE = range(4)
ROLES = ("train", "validation", "test")


def folds_of(topics: Sequence[str], families: Mapping[str, str], folds: int, *key: Any) -> Ints:
    """`[topic]`: the fold of each topic, by a random order of their names; families stay together.

    Families, or topics without one, are taken in random order, the largest first, into the fold that has fewest topics.

    >>> folds_of(["a", "b", "c", "d", "e"], {"a": "x", "b": "x", "c": "x"}, 2, 7, "folds", 0)
    array([0, 0, 0, 1, 1])
    """
    family = np.array([families.get(topic, f"\0{topic}") for topic in topics], dtype=object)
    names, number, sizes = np.unique(family.astype(str), return_inverse=True, return_counts=True)
    if len(names) < folds:
        what = "families of topics" if families else "topics"
        raise PolicyError("E246", f"{setting('folds', folds)} is too many", hint=f"there are {len(names)} {what}")
    order = stream(*key).permutation(len(names))
    order = order[np.argsort(-sizes[order], kind="stable")]
    load, fold = np.zeros(folds, dtype=np.int64), np.empty(len(names), dtype=np.int64)
    for name in order.tolist():
        fold[name] = int(np.argmin(load))
        load[fold[name]] += sizes[name]
    return fold[number]


def roles_of(fold: Ints, folds: int, nested: bool) -> Ints:
    """`[fold, topic]`: each fold is tested once; if nested, the next one is for validation; the rest is trained on.

    >>> roles_of(np.array([0, 1, 2]), 3, nested=True)
    array([[2, 1, 0],
           [0, 2, 1],
           [1, 0, 2]])
    """
    tested = np.arange(folds)[:, None]
    roles = np.where(fold == tested, TEST, TRAIN)
    return np.where(fold == (tested + 1) % folds, VALIDATION, roles) if nested else roles


def read_labels(path: str, hint: str) -> dict[str, str]:
    """Topic -> label, from lines of TOPIC LABEL; a topic with two labels would be in two roles, and is refused."""
    labels: dict[str, str] = {}
    for topic, label, number, line in read_pairs(path, hint):
        if labels.setdefault(topic, label) != label:
            problem = f"topic {topic!r} is both {labels[topic]!r} and {label!r}"
            raise InputError("E235", problem, path=path, line=number, text=line, hint="a topic has one role")
    return labels


def fixed_roles(topics: Sequence[str], labels: Mapping[str, str], path: str) -> Ints:
    """`[1, topic]`: the roles that a file gives; a topic it does not name has none."""
    if wrong := next((label for label in labels.values() if label not in ROLES), None):
        raise InputError("E119", f"there is no role {wrong!r}", path=path, hint=f"one of {', '.join(ROLES)}")
    number = {name: role for role, name in enumerate(ROLES)}
    roles = np.array([number[labels[topic]] if topic in labels else NONE for topic in topics])
    for role in (TRAIN, TEST):
        if not (roles == role).any():
            raise PolicyError("E246", f"no judged topic has the role {ROLES[role]!r}", path=path, hint="TOPIC ROLE")
    return roles[None]


def refuse_leaks(roles: Ints, topics: Sequence[str], families: Mapping[str, str]) -> None:
    """Refuse a split in which a family of topics has two roles at once."""
    for row in roles:
        seen: dict[str, tuple[int, str]] = {}
        for topic, role in zip(topics, row.tolist(), strict=True):
            if role == NONE or topic not in families:
                continue
            first = seen.setdefault(families[topic], (role, topic))
            if first[0] != role:
                problem = (
                    f"family {families[topic]!r} is in two roles: topic {first[1]!r} is for {ROLES[first[0]]}, "
                    f"{topic!r} for {ROLES[role]}"
                )
                raise InputError("E235", problem, hint="topics of a family belong together")


def worded(roles: Ints, nested: bool) -> str:
    """How topics are split, in words.

    >>> worded(roles_of(np.array([0, 1, 2]), 3, nested=False), nested=False)
    '3 random folds of the topics, each tested with what the others chose'
    """
    if len(roles) == 1:
        sizes = [f"{int(np.count_nonzero(roles == role))} {ROLES[role]}" for role in (TRAIN, VALIDATION, TEST)]
        return f"one fixed split: {', '.join(size for size in sizes if not size.startswith('0 '))} topics"
    if nested:
        return f"{len(roles)} random folds of the topics: one tested, one picks the system, the others its setting"
    return f"{counted(len(roles), 'random fold')} of the topics, each tested with what the others chose"
