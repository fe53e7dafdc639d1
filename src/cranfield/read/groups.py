"""Groups: which runs come from the same people, and so find the same documents."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from cranfield.errors import InputError
from cranfield.read.pairs import read_pairs


def as_groups(source: Any) -> dict[str, str]:  # a mapping, or a path
    """Run -> group, from `{run: group}`, `{group: [runs]}`, or a file with a run and its group on each line.

    >>> as_groups({"ACSys": ["a1", "a2"], "ATT": ["t1"]})
    {'a1': 'ACSys', 'a2': 'ACSys', 't1': 'ATT'}
    """
    if isinstance(source, Mapping):
        return dict(_members(source))
    if isinstance(source, str | os.PathLike):
        return _read(os.fspath(source))
    raise InputError("E121", f"{type(source).__name__} does not say which run belongs to which group")


def _members(source: Mapping[Any, Any]) -> Iterable[tuple[str, str]]:
    for name, value in source.items():
        if isinstance(value, str):
            yield str(name), value
        else:
            yield from ((str(run), str(name)) for run in value)


def _read(path: str) -> dict[str, str]:
    hint = "one line each: RUN<tab>GROUP"
    groups = {pair.name: pair.label for pair in read_pairs(path, hint)}
    if not groups:
        raise InputError("E104", "the file is empty", path=path, hint=hint)
    return groups
