"""Which encoding a file has, where several are named: `latin-1,qrels=utf-16,old/*.run=cp1252`.

A name alone is that of all files. With a role before it, it is that of the files read as such; with a file or a
pattern, that of the files it matches, by path or by name. A file counts more than a role, a role more than all files,
and of several the last.
"""

import os
from collections.abc import Sequence

from cranfield.errors import PolicyError
from cranfield.errors.wording import setting

USUAL = "utf-8"
ROLES = {
    **{word: word for word in ("qrels", "topics", "pool", "estimate", "efficiency", "intents")},
    **dict.fromkeys(("run", "runs"), "run"),
    **dict.fromkeys(("docs", "documents"), "documents"),
}


def encoding_of(said: str, path: str) -> str:
    """The encoding of a file.

    >>> encoding_of("utf-8,old/*=latin-1", "old/bm25.run"), encoding_of("latin-1", "bm25.run")
    ('latin-1', 'latin-1')
    """
    if "=" not in said and "," not in said and said:
        return said
    chosen, exact = USUAL, False
    for pattern, name in _parts(said):
        if pattern in ROLES or (exact and not pattern):
            continue
        if not pattern or _matches(path, pattern):
            chosen, exact = name, bool(pattern)
    return chosen


def for_role(said: str, role: str) -> str:
    """The same for files that are known to have a role.

    >>> for_role("latin-1,qrels=utf-16", "qrels"), for_role("latin-1,qrels=utf-16", "run")
    ('utf-16', 'latin-1')
    """
    if "=" not in said:
        return said
    parts = _parts(said)
    plain = [name for pattern, name in parts if not pattern]
    mine = [name for pattern, name in parts if ROLES.get(pattern) == role]
    files = [f"{pattern}={name}" for pattern, name in parts if pattern and pattern not in ROLES]
    return ",".join([*([USUAL, *plain, *mine][-1:]), *files])


def unmatched(said: str, paths: Sequence[str]) -> tuple[str, str] | None:
    """The first pattern that names none of the files, with its encoding; a role is no pattern, and `-` is <stdin>.

    >>> unmatched("latin-1,qrels=utf-16,*.run=cp1252", ["qrels.txt", "a.run"])
    >>> unmatched("latin-1,qrels=utf-16,*.run=cp1252", ["qrels.txt", "a.res"])
    ('*.run', 'cp1252')
    """
    patterns = [(pattern, name) for pattern, name in _parts(said) if pattern and pattern not in ROLES]
    return next((each for each in patterns if not any(_matches(path, each[0]) for path in paths)), None)


def _parts(said: str) -> list[tuple[str, str]]:
    """Pattern and encoding; the pattern of all files is empty."""
    pairs = [part.rpartition("=") for part in said.split(",")]
    if any(not name or (equals and not pattern) for pattern, equals, name in pairs):
        hint = "latin-1, qrels=utf-16 or old/*.run=cp1252, separated by commas"
        raise PolicyError("E242", f"{setting('encoding', said)} cannot be read", hint=hint)
    return [(pattern, name) for pattern, _, name in pairs]


def _matches(path: str, pattern: str) -> bool:
    """Whether a pattern names a file, by its path or by its name alone; `-` is standard input."""
    if pattern == "-":
        return path == "<stdin>"
    from fnmatch import fnmatchcase

    short = os.path.normpath(path)
    return any(fnmatchcase(name, pattern) for name in (path, os.path.basename(path))) or fnmatchcase(
        short, os.path.normpath(pattern)
    )
