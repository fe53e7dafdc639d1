"""Runs that are opened when needed and dropped afterwards, so that memory does not grow with their number."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from cranfield.errors import Error, InputError
from cranfield.errors.wording import template
from cranfield.read.options import ReadOptions
from cranfield.read.sources.compressed import ENDINGS
from cranfield.read.sources.content import Readable
from cranfield.read.sources.paths import NamedPath, expand, stem
from cranfield.read.sources.pieces import Irregular, in_pieces
from cranfield.read.sources.run_names import called
from cranfield.tables.run import Run

if TYPE_CHECKING:
    from cranfield.read.sources.partitions import Dataset

_ROW = 64  # bytes of a row in memory, roughly
_UNPACKED = 5  # times the size of a compressed file, roughly


class RunsInMemory(NamedTuple):
    """Runs that are in memory already."""

    members: tuple[Run, ...]
    dataset: "Dataset | None" = None

    @property
    def label(self) -> str:
        """What it is called while it is worked on."""
        return self.members[0].name if self.members else ""

    @property
    def size(self) -> int:
        """Bytes of memory, roughly."""
        return _ROW * sum(map(len, self.members))

    def open(self) -> tuple[Run, ...]:
        """The runs."""
        return self.members

    def pieces(self) -> Iterator[Run]:
        """They are in memory as a whole."""
        raise Irregular

    def kept(self) -> "RunsInMemory":
        """The same source: it can be opened again."""
        return self

    def called(self, names: "RunNames") -> "RunsInMemory":
        """The same runs under other names."""
        places = [(run.source.name if self.dataset is None else self.dataset.path, run.name) for run in self.members]
        pairs = zip(self.members, places, strict=True)
        return self._replace(members=tuple(called(run, names[key]) if key in names else run for run, key in pairs))


class RunDict(NamedTuple):
    """A run `{topic: {document: score}}`, which becomes a table only if one is needed."""

    scores: Mapping[Any, Any]  # as the caller gave it: only its first list was checked
    name: str | None = None  # the key it was given under
    dataset: None = None

    @property
    def label(self) -> str:
        """What it is called while it is worked on."""
        return self.name or "run"

    @property
    def size(self) -> int:
        """0: dictionaries are looked up under the interpreter's lock, so a second thread would only wait."""
        return 0

    def open(self) -> tuple[Run, ...]:
        """The run as a table."""
        from cranfield.read.objects import as_tables

        return as_tables(self.scores, self.name)

    def pieces(self) -> Iterator[Run]:
        """It is in memory as a whole."""
        raise Irregular

    def kept(self) -> RunsInMemory:
        """The run as a table, for sources that are opened more than once or sent to another process."""
        return RunsInMemory(self.open())

    def called(self, names: "RunNames") -> "RunDict":
        """The same: a dictionary has no file to be named after."""
        return self


class RunFile(NamedTuple):
    """A file with one run, or several; of a dataset it is one partition."""

    path: str | os.PathLike[str]
    options: ReadOptions
    alone_as: str | None = None  # the key it was given under: it must hold one run, which is then called so
    dataset: "Dataset | None" = None
    folder: str = ""  # the working directory that the path was meant in
    by_hand: bool = False  # whether the caller named the run
    names: Mapping[str, str] = {}  # of runs that are called otherwise than in the file

    @property
    def label(self) -> str:
        """What it is called while it is worked on."""
        return self.alone_as or os.fspath(self.path)

    @property
    def size(self) -> int:
        """Bytes of the file, unpacked, roughly; 0 where that is not known."""
        try:
            size = os.path.getsize(self.path)
        except (OSError, ValueError):
            return 0
        return size * _UNPACKED if os.fspath(self.path).endswith(ENDINGS) else size

    def open(self) -> tuple[Run, ...]:
        """The runs, read from the file."""
        runs = tuple(self._named(run) for run in self._read())
        if self.alone_as is None:
            return runs
        if len(runs) != 1:
            names = ", ".join(run.name for run in runs)
            raise InputError("E121", f"{self.alone_as!r} stands for {len(runs)} runs: {names}")
        return (runs[0].renamed(self.alone_as),)

    def pieces(self) -> Iterator[Run]:
        """The run, some topics at a time; a file that cannot be read in pieces raises `Irregular`."""
        given = os.fspath(self.path)
        if given == "-" or (not os.path.isabs(given) and self.folder not in ("", os.getcwd())):
            raise Irregular
        for run in in_pieces(self.path, self.options):
            named = self._named(run)
            yield named if self.alone_as is None else named.renamed(self.alone_as)

    def kept(self) -> "RunFile | RunsInMemory":
        """The same source, or its runs if it can be read only once (a pipe)."""
        once = self.path == "-" or (os.path.exists(self.path) and not os.path.isfile(self.path))
        return RunsInMemory(self.open(), self.dataset) if once and not os.path.isdir(self.path) else self

    def _named(self, run: Run) -> Run:
        """The run under its final name; one that was named after a partition gets the name of the dataset."""
        if self.dataset is not None and run.name == stem(os.fspath(self.path)):
            run = replace(run, name=stem(self.dataset.path))
        if self.by_hand:
            return run.renamed(run.name)
        return called(run, self.names[run.name]) if run.name in self.names else run

    def called(self, names: "RunNames") -> "RunFile":
        """The same source, whose runs have other names from now on."""
        place = os.fspath(self.path) if self.dataset is None else self.dataset.path
        own = {run: name for (path, run), name in names.items() if path == place}
        return self._replace(names={**self.names, **own}) if own else self

    def _read(self) -> Iterable[Run]:
        from cranfield.read import load

        given = os.fspath(self.path)
        elsewhere = given != "-" and not os.path.isabs(given) and self.folder != os.getcwd()
        if not elsewhere:
            return load(self.path, "run", self.options)
        # another process, with another working directory: it finds the file, and calls it what the user called it
        path = os.path.join(self.folder, given)
        try:
            found: list[Run] = load(path, "run", self.options)
        except Error as error:
            for each in (error, *error.more):
                each.path = given if each.path == path else each.path
                each.hint = template(each.hint).replace(self.folder + os.sep, "")
            raise
        return [replace(run, source=run.source._replace(name=given)) for run in found]


class HeldFile:
    """A file that is read when it is first opened, and held, for callers that open it twice."""

    def __init__(self, file: RunFile) -> None:
        self.file = file
        self.label: str = file.label
        self.size: int = file.size
        self.dataset: Dataset | None = file.dataset
        self._runs: tuple[Run, ...] | None = None

    def open(self) -> tuple[Run, ...]:
        """The runs, read from the file the first time."""
        if self._runs is None:
            self._runs = self.file.open()
        return self._runs

    def pieces(self) -> Iterator[Run]:
        """It is read as a whole."""
        raise Irregular

    def kept(self) -> "HeldFile":
        """The same source: it can be opened again."""
        return self

    def called(self, names: "RunNames") -> "HeldFile":
        """The same runs under other names, not read again."""
        other = HeldFile(self.file.called(names))
        if self._runs is not None:
            other._runs = RunsInMemory(self._runs, self.dataset).called(names).open()
        return other


RunNames: TypeAlias = Mapping[tuple[str, str], str]  # file and name of a run -> its new name
RunSource: TypeAlias = RunsInMemory | RunDict | RunFile | HeldFile


class Sources(NamedTuple):
    """Runs that are opened one after the other, unless they are in memory."""

    members: tuple[RunSource, ...]
    seen: Callable[[str, str, int], None] = lambda label, format, rows: None  # told of each run that was read

    def kept(self) -> "Sources":
        """The same, with every source that can be read only once already read."""
        return self._replace(members=tuple(member.kept() for member in self.members))

    def held(self, most: int) -> "Sources":
        """The same, with every file read at most once, if all are no larger than so many bytes together."""
        kept = self.kept()
        if sum(member.size for member in kept.members) > most:
            return kept
        return kept._replace(members=tuple(HeldFile(m) if isinstance(m, RunFile) else m for m in kept.members))

    def called(self, names: "RunNames") -> "Sources":
        """The same runs, of which some have other names from now on."""
        return self._replace(members=tuple(member.called(names) for member in self.members)) if names else self

    def open(self, progress: Callable[[str, int, int], None] = lambda label, number, total: None) -> Iterable[Run]:
        """All runs; those of a dataset are put together from their partitions.

        Several may have one name, which `with_distinct_names` changes.
        """
        waiting: list[Run] = []
        for number, source in enumerate(self.members):
            progress(source.label, number, len(self.members))
            runs = source.open()
            for run in runs:
                self.seen(source.label, run.source.format, len(run))
            if source.dataset is None:
                yield from runs
                continue
            waiting += runs
            if not self.continues(number):
                yield from source.dataset.joined(waiting)
                waiting = []

    def continues(self, number: int) -> bool:
        """Whether the source after this one is a partition of the same dataset."""
        here, later = self.members[number], self.members[number + 1 : number + 2]
        return here.dataset is not None and bool(later) and later[0].dataset is here.dataset


def files(paths: Iterable[Readable], options: ReadOptions, alone_as: str | None = None) -> Sources:
    """The files that paths, globs, `NAME=path` and directories of partitions name."""
    folder = os.getcwd()
    return Sources(tuple(file for item in expand(paths) for file in _files(item, options, alone_as, folder)))


def _files(item: NamedPath, options: ReadOptions, alone_as: str | None, folder: str) -> list[RunSource]:
    path = item.path
    if not isinstance(path, str | os.PathLike):
        from cranfield.read import load

        return [RunsInMemory(tuple(load(path, "run", options.named(item.name))))]
    dataset = _dataset(os.fspath(path)) if os.path.isdir(path) else None
    name = item.name or alone_as
    by_hand = bool(name or options.name)
    if dataset is None:
        chosen = options.named(item.name)
        return [RunFile(path, chosen, alone_as, folder=folder, by_hand=chosen.name is not None)]
    if options.name_by == "file" and name is None and not dataset.by_run:
        name = stem(dataset.path)
    return [
        RunFile(part.path, options.named(part.run or name), dataset=dataset, folder=folder, by_hand=by_hand)
        for part in dataset.partitions(name)
    ]


def _dataset(folder: str) -> "Dataset | None":
    from cranfield.read.sources.partitions import Dataset

    return Dataset.at(folder)
