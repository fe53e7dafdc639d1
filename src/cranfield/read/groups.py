"""Groups of runs, such as those of one team, or of topics: which name belongs to which group."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from cranfield.errors import DataWarning, InputError
from cranfield.errors.warning import warn
from cranfield.read.pairs import is_json, read_pairs, read_table
from cranfield.tables.side.matching import listed, match_names
from cranfield.tables.words import counted


def as_groups(source: Any, noun: str = "run") -> dict[str, str]:  # a mapping, or a path
    """Run -> group, from `{run: group}`, `{group: [runs]}`, or a file with a run and its group on each line.

    The members are runs, or what `noun` says. A file may be CSV, or JSON that holds one of the two. Nothing belongs to
    two groups; what belongs to a group without a name belongs to none.

    >>> as_groups({"ACSys": ["a1", "a2"], "ATT": ["t1"]})
    {'a1': 'ACSys', 'a2': 'ACSys', 't1': 'ATT'}
    """
    if isinstance(source, Mapping):
        return _joined(source, noun)
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


def _joined(source: Mapping[Any, Any], noun: str, path: str | None = None) -> dict[str, str]:
    groups: dict[str, str] = {}
    for name, group in _members(source, noun):
        if groups.setdefault(name, group) != group:
            raise InputError("E119", _in_two(noun, name, groups[name], group), path=path)
    return {name: group for name, group in groups.items() if group}


def _members(source: Mapping[Any, Any], noun: str) -> Iterator[tuple[str, str]]:
    for name, value in source.items():
        if isinstance(value, str | int):
            yield str(name), str(value).strip()
        elif not isinstance(value, Iterable):
            raise InputError(
                "E121", f"group {name!r} holds {type(value).__name__}", hint=f"{{{noun}: group}} or {{group: {noun}s}}"
            )
        else:
            yield from ((str(member), str(name)) for member in value)


def _read(path: str, noun: str) -> dict[str, str]:
    hint = f"one line each: {noun.upper()}<tab>GROUP"
    if is_json(path):
        return _joined(read_table(path, f'{{"{noun.upper()}": "GROUP"}}'), noun, path)
    groups: dict[str, str] = {}
    for pair in read_pairs(path, hint):
        if groups.setdefault(pair.name, pair.label) != pair.label:
            problem = _in_two(noun, pair.name, groups[pair.name], pair.label)
            raise InputError("E119", problem, path=path, line=pair.number, text=pair.line)
    if not groups:
        raise InputError("E104", "the file is empty", path=path, hint=hint)
    return {name: group for name, group in groups.items() if group}


def _in_two(noun: str, name: str, one: str, other: str) -> str:
    return f"{noun} {name!r} belongs to {one!r} and to {other!r}"
