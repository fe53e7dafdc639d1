"""Names of files: expand globs, and split `NAME=path`."""

import os
from collections.abc import Iterable
from typing import IO, Any, NamedTuple

from cranfield.errors import PolicyError
from cranfield.read.sources.compressed import ENDINGS


class NamedPath(NamedTuple):
    """One file to read, and the name that the caller gave it."""

    path: "str | os.PathLike[str] | IO[Any]"  # an open file may be of either kind
    name: str | None = None


def expand(sources: "Iterable[str | os.PathLike[str] | IO[Any]]") -> list[NamedPath]:
    """The files that paths, globs and `NAME=path` name, in order; standard input at most once.

    >>> expand(["-", "bm25=-"])
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E122: standard input can be read only once
      hint: write one of the inputs to a file first
    """
    found = [item for source in sources for item in _expanded(source)]
    if sum(isinstance(item.path, str) and item.path == "-" for item in found) > 1:
        problem = "standard input can be read only once"
        raise PolicyError("E122", problem, hint="write one of the inputs to a file first")
    return found


def stem(path: str) -> str:
    """The name of a file without folder, compression ending and format ending.

    >>> stem("runs/bm25.run.gz"), stem("input.sys3.gz"), stem("a.b.txt")
    ('bm25', 'input.sys3', 'a.b')
    """
    name = os.path.basename(path)
    for tells in (ENDINGS.__contains__, _tells_format):
        root, ending = os.path.splitext(name)
        if root and tells(ending.lower()):
            name = root
    return name


def ending(path: str) -> str:
    """The ending that names the format, in lower case, without compression endings.

    >>> ending("runs/bm25.JSONL.gz"), ending("qrels")
    ('.jsonl', '')
    """
    root, last = os.path.splitext(os.path.basename(path))
    return os.path.splitext(root)[1].lower() if last.lower() in ENDINGS else last.lower()


def _tells_format(ending: str) -> bool:
    """Whether files of some format end so; no reader is imported."""
    from cranfield.read.definition import FORMATS

    return ending != "" and any(FORMATS.lists(option, ending) for option in ("endings", "usual_endings"))


def _expanded(source: "str | os.PathLike[str] | IO[Any]") -> list[NamedPath]:
    if not isinstance(source, str):
        return [NamedPath(source)]
    if source == "-" or os.path.exists(source):
        return [NamedPath(source)]
    name, equals, path = source.partition("=")
    if equals and name and path and not any(c in name for c in "/\\*?["):
        return [NamedPath(item.path, name) for item in _expanded(path)]
    from glob import glob, has_magic

    if not has_magic(source):
        return [NamedPath(source)]
    matches = sorted(match for match in glob(source, recursive=True) if not os.path.isdir(match))
    if not matches:
        from cranfield.read.sources.missing_files import no_match

        raise no_match(source)
    return [NamedPath(match) for match in matches]
