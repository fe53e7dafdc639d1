"""Groups of runs, such as those of one team, or of topics: which name belongs to which group."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cranfield.errors import DataWarning, InputError
from cranfield.errors.warning import warn
from cranfield.read.pairs import read_pairs
from cranfield.tables.side.matching import listed, match_names
from cranfield.tables.words import counted


def as_groups(source: Any, noun: str = "run") -> dict[str, str]:  # a mapping, or a path
    """Run -> group, from `{run: group}`, `{group: [runs]}`, or a file with a run and its group on each line.

    The members are runs, or what `noun` says.

    >>> as_groups({"ACSys": ["a1", "a2"], "ATT": ["t1"]})
    {'a1': 'ACSys', 'a2': 'ACSys', 't1': 'ATT'}
    """
    if isinstance(source, Mapping):
        return dict(_members(source, noun))
    if isinstance(source, str | os.PathLike):
        return _read(os.fspath(source), noun)
    raise InputError("E121", f"{type(source).__name__} does not say which {noun} belongs to which group")


def match_groups(
    groups: Mapping[str, str],
    runs: Sequence[str],
    source: Any,  # what `as_groups` took
    *,
    every_run: bool = False,
) -> None:
    """Refuse groups if none of their runs is known; warn of unknown runs, and of runs without a group.

    With `every_run` there is no warning of runs without a group, because the caller refuses them.

    >>> match_groups({"a1": "ACSys"}, ["a1"], "groups.tsv")
    """
    path = os.fspath(source) if isinstance(source, str | os.PathLike) else "groups"
    match_names(groups, runs, "run", path=path)
    alone = [run for run in runs if run not in groups]
    if alone and not every_run:
        message = f"{counted(len(alone), 'run')} in no group, each a group of its own: {listed(alone)}"
        warn(DataWarning("W129", message, path))


def _members(source: Mapping[Any, Any], noun: str) -> Iterable[tuple[str, str]]:
    for name, value in source.items():
        if isinstance(value, str):
            yield str(name), value
        elif not isinstance(value, Iterable):
            raise InputError(
                "E121", f"group {name!r} holds {type(value).__name__}", hint=f"{{{noun}: group}} or {{group: {noun}s}}"
            )
        else:
            yield from ((str(member), str(name)) for member in value)


def _read(path: str, noun: str) -> dict[str, str]:
    hint = f"one line each: {noun.upper()}<tab>GROUP"
    groups: dict[str, str] = {}
    for pair in read_pairs(path, hint):
        if groups.setdefault(pair.name, pair.label) != pair.label:
            problem = f"{noun} {pair.name!r} belongs to {groups[pair.name]!r} and to {pair.label!r}"
            raise InputError("E119", problem, path=path, line=pair.number, text=pair.line)
    if not groups:
        raise InputError("E104", "the file is empty", path=path, hint=hint)
    return groups
