"""A directory of partitions: one run in several files, or several runs, one after the other.

A directory is taken for that if it has folders named `key=value`, or if all its files are named `part-0…` or are
Parquet files; any other directory is a mistake (E102), as files beside each other are usually runs of their own. Files
and folders whose names begin with `_` or `.` are left alone.

    dense/part-00000.run.gz, part-00001.run.gz …     one run; each topic is in one of the files
    runs/run=bm25/0.parquet, run=dense/0.parquet …   one run for each folder `run=NAME`
    log/topic=0-999/part-0.parquet …                 other keys only tell where a row is

Rows with one run name are one run: the name in `run=NAME`; else the run column or tag; else the name of the directory.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from cranfield.arrays import Ints
from cranfield.errors import InputError
from cranfield.read.sources.fingerprints import sha256_of
from cranfield.read.sources.paths import ending
from cranfield.tables.run import Run
from cranfield.tables.source import Source
from cranfield.tables.text import Text

_NUMBERED = re.compile(r"part[-._]?\d")


@dataclass(frozen=True)
class Partition:
    """One file of a dataset, and the run named by its folder."""

    path: str
    run: str | None = None


@dataclass(frozen=True, eq=False)
class Dataset:
    """A directory of partitions, in the order of their paths."""

    path: str
    parts: tuple[Partition, ...]

    @classmethod
    def at(cls, path: str) -> "Dataset | None":
        """The dataset in a directory; None for a file, and for a directory that does not look like one."""
        if not os.path.isdir(path):
            return None
        folders = [name for name in _visible(path) if os.path.isdir(os.path.join(path, name))]
        if not all("=" in name for name in folders):
            return None
        parts = tuple(_walk(path, None))
        return cls(path, parts) if parts and (folders or all(map(_is_part, parts))) else None

    @property
    def by_run(self) -> bool:
        """Whether its folders name the runs."""
        return any(part.run is not None for part in self.parts)

    def partitions(self, name: str | None) -> tuple[Partition, ...]:
        """The partitions; a name that the caller gave is refused if the folders name several runs."""
        runs = list(dict.fromkeys(part.run for part in self.parts if part.run is not None))
        if name is not None and len(runs) > 1:
            problem = f"holds {len(runs)} runs, which cannot all be called {name!r}"
            raise InputError("E121", problem, path=self.path)
        return self.parts if name is None else tuple(Partition(part.path) for part in self.parts)

    def source(self, parts: Sequence[Source]) -> Source:
        """Where a run of the dataset came from; the fingerprint is that of its partitions' fingerprints."""
        first = parts[0]
        return Source(
            self.path,
            first.format,
            partial(_fingerprint, tuple(parts)),
            lines=False,
            by_hand=first.by_hand,
            shared_name=first.shared_name,
        )

    def joined(self, partitions: Iterable[Run]) -> list[Run]:
        """The runs of the dataset, each in one piece."""
        by_name: dict[str, list[Run]] = {}
        for run in partitions:
            by_name.setdefault(run.name, []).append(run)
        return [self._one(name, runs) for name, runs in by_name.items()]

    def _one(self, name: str, runs: list[Run]) -> Run:
        self.refuse_split_topics([(run.source.name, run.topics) for run in runs])
        offset = np.cumsum([0, *(len(run.topics) for run in runs)])
        return Run(
            name,
            tuple(topic for run in runs for topic in run.topics),
            np.concatenate([run.topic + first for run, first in zip(runs, offset, strict=False)]),
            Text.concat([run.document for run in runs]),
            np.concatenate([run.score for run in runs]),
            _ranks([run.rank for run in runs]),
            source=self.source([run.source for run in runs]),
        )

    def refuse_split_topics(self, partitions: Iterable[tuple[str, Iterable[str]]]) -> None:
        """Refuse a run with a topic in two partitions, because a list cannot be ranked in pieces."""
        home: dict[str, str] = {}
        for file, topics in partitions:
            for topic in topics:
                if (other := home.setdefault(topic, file)) != file:
                    raise InputError(
                        "E125",
                        f"topic {topic!r} is in two partitions: {other}, {file}",
                        path=self.path,
                        hint=f"if the files are runs of their own, use '{self.path.rstrip('/')}/*'",
                    )


def _fingerprint(parts: Sequence[Source]) -> str | None:
    known = [part.sha256 for part in parts]
    return None if None in known else sha256_of("".join(f"{each}\n" for each in known).encode())


def _walk(folder: str, run: str | None) -> Iterator[Partition]:
    """The files below a folder, by name; `run=NAME` names the run of what is below it."""
    for name in _visible(folder):
        path = os.path.join(folder, name)
        if os.path.isdir(path):
            key, _, value = name.partition("=")
            yield from _walk(path, _unquoted(value) if key == "run" else run)
        else:
            yield Partition(path, run)


def _visible(folder: str) -> list[str]:
    return sorted(name for name in os.listdir(folder) if not name.startswith(("_", ".")))


def _unquoted(value: str) -> str:
    """The name of a folder with escapes such as `%2F` decoded."""
    from urllib.parse import unquote

    return unquote(value)


def _is_part(part: Partition) -> bool:
    return _NUMBERED.match(os.path.basename(part.path)) is not None or ending(part.path) == ".parquet"


def _ranks(columns: Sequence[Ints | Text | None]) -> Ints | Text | None:
    texts = [column for column in columns if isinstance(column, Text)]
    numbers = [column for column in columns if isinstance(column, np.ndarray)]
    if len(texts) == len(columns):
        return Text.concat(texts)
    return np.concatenate(numbers) if len(numbers) == len(columns) else None
