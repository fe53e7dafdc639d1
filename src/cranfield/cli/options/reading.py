"""The options that say how input files are read."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from cranfield.cli.printing.console import Console
from cranfield.cli.printing.progress import progress

if TYPE_CHECKING:
    from cranfield.read.definition import Role
    from cranfield.read.sources.runs import Sources
    from cranfield.tables.qrels import Qrels
    from cranfield.tables.run import Runs
    from cranfield.tables.side.topics import Topics
    from cranfield.tables.source import Grades, NameBy


ENCODING = "encoding of text files; of some of them, qrels=NAME, run=NAME or FILE=NAME"


class Reading(NamedTuple):
    """How input files are read: keyword options for each role."""

    columns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    shared: Mapping[str, Any] = MappingProxyType({})  # keyword options of the readers, of several types
    grades: "Grades" = "int"
    name_by: "NameBy" = "tag"
    only_topics: str | None = None
    topics: str | None = None

    @property
    def qrels(self) -> dict[str, Any]:
        """Options of `read_qrels`."""
        return {**self._for("qrels"), "grades": self.grades, **self._texts}

    @property
    def runs(self) -> dict[str, Any]:
        """Options of `read_runs`."""
        return {**self._for("run"), "name_by": self.name_by, **self._texts}

    @property
    def intents(self) -> dict[str, Any]:
        """Options of `read_intents`."""
        return self._for("intents")

    def topics_table(self) -> "Topics | None":
        """The topics, read; None where none were given."""
        from cranfield.read import read_topics

        shared = {name: self.shared[name] for name in ("encoding", "max_size") if name in self.shared}
        return None if self.topics is None else read_topics(self.topics, **shared)

    @property
    def _texts(self) -> dict[str, Any]:
        """The topics, where a verb takes them."""
        return {} if self.topics is None else {"topics": self.topics}

    def _for(self, role: "Role") -> dict[str, Any]:
        """The options for a role, without a layout or format that belongs to the other role."""
        from cranfield.read.options import ReadOptions
        from cranfield.read.roles import fitting

        said = ReadOptions(encoding=self.shared["encoding"]) if "encoding" in self.shared else ReadOptions()
        chosen = fitting(said, role, self.formats, self.columns)
        return {**self.shared, "columns": chosen.columns, "format": chosen.format, "encoding": chosen.encoding}


def read_judged(console: Console, qrels: str, reading: Reading) -> "Qrels":
    """The judgments."""
    from cranfield.read import read_qrels

    judgments = read_qrels(qrels, **reading.qrels)
    console.detail(f"{qrels}: {judgments.source.format}, {len(judgments):,} rows")
    if reading.only_topics is None:
        return judgments
    from cranfield.read.pairs import topic_names

    return judgments.only(topic_names(reading.only_topics))


def run_sources(console: Console, runs: Sequence[str], reading: Reading) -> "Sources":
    """The runs, not yet opened; -v reports each when it has been read."""
    from cranfield.read.options import ReadOptions
    from cranfield.read.sources.runs import files

    def seen(label: str, format: str, rows: int) -> None:
        console.detail(f"{label}: {format}, {rows:,} rows")

    return files(runs, ReadOptions(**reading.runs))._replace(seen=seen)


def read_tables(console: Console, qrels: str, runs: Sequence[str], reading: Reading) -> "tuple[Qrels, Runs]":
    """All tables, in memory; runs are read one by one so that progress can be shown."""
    from cranfield.read.sources.run_names import with_distinct_names
    from cranfield.tables.run import Runs

    judgments = read_judged(console, qrels, reading)
    sources = run_sources(console, runs, reading)
    with progress(console, "reading") as step:
        return judgments, Runs(with_distinct_names([*sources.open(step)]))
