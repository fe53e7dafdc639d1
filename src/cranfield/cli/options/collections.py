"""The collections that `--collection` and `cranfield.toml` name, and their scores."""

import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.cli.options.reading import read_judged, run_sources
from cranfield.cli.printing.progress import progress
from cranfield.errors import PolicyError

if TYPE_CHECKING:
    from cranfield.align.policy import Policy
    from cranfield.cli.options.reading import Reading
    from cranfield.cli.options.scoring import Scoring
    from cranfield.cli.printing.console import Console
    from cranfield.measures.grammar import Measure
    from cranfield.stats.by_group.grouped import GroupedScores, GroupInterval

_HINT = "write NAME=QRELS:RUNS, for example 'news=news/qrels.txt:news/*.run'"
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")  # of a path on Windows, whose colon ends nothing


class CollectionPaths(NamedTuple):
    """A collection by its files."""

    name: str
    qrels: str
    runs: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> "CollectionPaths":
        r"""A collection as the command line writes it.

        >>> CollectionPaths.of("news=qrels.txt:bm25.run,dense/*.run")
        CollectionPaths(name='news', qrels='qrels.txt', runs=('bm25.run', 'dense/*.run'))
        >>> CollectionPaths.of(r"web=C:\web\qrels.txt:D:\runs\*.run").qrels
        'C:\\web\\qrels.txt'
        """
        name, _, paths = text.partition("=")
        at = _colon(paths)
        qrels, runs = (paths[:at], _listed(paths[at + 1 :])) if at is not None else ("", ())
        if not (name.strip() and qrels and runs):
            raise PolicyError("E242", f"--collection {text!r} cannot be read", hint=_HINT)
        return cls(name.strip(), qrels, runs)


def _colon(paths: str) -> int | None:
    """The place of the colon between judgments and runs: what stands before it is a file, or it is no drive's colon."""
    colons = [at for at, letter in enumerate(paths) if letter == ":"]
    if found := next((at for at in colons if os.path.exists(paths[:at])), None):
        return found
    return next((at for at in colons if not (at and _DRIVE.match(paths, at - 1) and _begins(paths, at - 1))), None)


def _begins(paths: str, at: int) -> bool:
    """Whether a path begins there."""
    return at == 0 or paths[at - 1] in ":,="


def _listed(runs: str) -> tuple[str, ...]:
    """The runs between commas, or one whose name has commas itself."""
    return (runs,) if os.path.exists(runs) else tuple(filter(None, map(str.strip, runs.split(","))))


def scored_collections(
    console: "Console",
    collections: Sequence[CollectionPaths],
    reading: "Reading",
    scoring: "Scoring",
    measures: "Sequence[Measure]",
    policy: "Policy",
    *,
    ci: "GroupInterval" = "none",
    seed: int = 0,
) -> "GroupedScores":
    """Read and score the collections, one after the other."""
    from cranfield.stats.by_group.collections import evaluate_collections

    _register(console, collections)
    if scoring.intents:
        raise PolicyError("E200", "--intents are of one collection", hint="leave --collection or --intents out")
    given: dict[str, Any] = {}  # judgments and runs
    for each in collections:
        with console.timed(f"reading {each.name}"):
            given[each.name] = (read_judged(console, each.qrels, reading), run_sources(console, each.runs, reading))
    with console.timed("evaluating"), progress(console, "evaluating") as step:
        return evaluate_collections(
            given,
            measures,
            ci=ci,
            seed=seed,
            policy=policy,
            progress=step,
            collapse=scoring.collapse,
            jobs=scoring.jobs,
            cluster=scoring.cluster,
        )


def _register(console: "Console", collections: Sequence[CollectionPaths]) -> None:
    """Count the files as read, so that none of them is written; a name is given once."""
    names = [each.name for each in collections]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise PolicyError("E200", f"there are two collections {twice!r}", hint="give each a name of its own")
    for each in collections:
        for path in (each.qrels, *each.runs):
            console.files.reads(path)
    console.files.check()
