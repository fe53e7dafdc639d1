"""Names of runs that were read: the tag, or the name of the file where several runs have the same tag.

    tag                    if no other run has it
    file                   else the name of the file without its ending: `bm25` of `runs/bm25.run`
    folder/file            else with its folder: `v1/results` of `v1/results.csv`
    …/folder/file.ending   else with its ending, and as many folders as needed

A file that holds several runs keeps their tags at the end: `v1/bm25`. Names that the caller gave never change.
"""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cranfield.errors import PolicyError
from cranfield.read.sources.paths import stem
from cranfield.tables.run import Run, equal_names
from cranfield.tables.source import Source


def distinct_names(names: Sequence[str], sources: Sequence[Source]) -> list[str]:
    """A name of its own for each run; an error where two runs cannot be told apart.

    >>> distinct_names(["indri", "indri", "bm25"], [Source("a/x.run"), Source("a/y.run"), Source("a/z.run")])
    ['x', 'y', 'bm25']
    >>> distinct_names(["results", "results"], [Source("v1/results.csv"), Source("v2/results.csv")])
    ['v1/results', 'v2/results']
    """
    found = list(names)
    if len({*found}) == len(found):
        return found
    held = Counter(source.name for source in sources)
    further = [_further(name, source, held[source.name]) for name, source in zip(names, sources, strict=True)]
    while repeated := {name for name, count in Counter(found).items() if count > 1}:
        moved = False
        for number, name in enumerate(found):
            if name in repeated and (better := next(further[number], None)) is not None:
                found[number], moved = better, True
        if not moved:
            raise _refused(repeated, names, found, sources)
    return found


def with_distinct_names(runs: Sequence[Run]) -> list[Run]:
    """The runs, each under a name of its own; `source.shared_name` says what other runs are called too."""
    names = distinct_names([run.name for run in runs], [run.source for run in runs])
    return [run if run.name == name else called(run, name) for run, name in zip(runs, names, strict=True)]


def called(run: Run, name: str) -> Run:
    """The run under another name, because other runs share the one it has."""
    return replace(run, name=name, source=sharing(run.source, run.name))


def sharing(source: Source, name: str) -> Source:
    """The source of a run that is not called so, because other runs are."""
    return source._replace(shared_name=source.shared_name or name)


def _further(name: str, source: Source, held: int) -> Iterator[str]:
    """The names to try after the first one; none for a run whose name the caller chose, or that has no file."""
    if source.by_hand or not source.name or source.name == "-" or source.name.startswith("<"):
        return
    tag = f"/{name}" if held > 1 else ""
    file = stem(source.name.rstrip("/"))
    folders = os.path.dirname(os.path.abspath(source.name)).split(os.sep)
    tried = {name}
    for candidate in (
        f"{file}{tag}",
        f"{folders[-1]}/{file}{tag}",
        *(
            "/".join([*folders[len(folders) - depth :], os.path.basename(source.name.rstrip("/"))]) + tag
            for depth in range(len(folders))
        ),
    ):
        if candidate not in tried:
            tried.add(candidate)
            yield candidate


def _refused(repeated: set[str], names: Sequence[str], found: Sequence[str], sources: Sequence[Source]) -> PolicyError:
    """The error for runs that have the same name, however it is made."""
    shared = next(name for name in found if name in repeated)
    first, second, *_ = (number for number, name in enumerate(found) if name == shared)
    return equal_names(names[second], *(sources[number].name or names[number] for number in (first, second)))
