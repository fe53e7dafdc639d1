"""How input files are read, as far as the command line was told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cranfield.cli.console import Console
from cranfield.cli.progress import progress

if TYPE_CHECKING:
    from cranfield.read.formats import Role
    from cranfield.tables.qrels import Qrels
    from cranfield.tables.run import Runs


@dataclass(frozen=True)
class Reading:
    """How input files are read: keyword options for each role."""

    columns: tuple[str, ...] = ()
    formats: tuple[str, ...] = ()
    shared: Mapping[str, Any] = field(default_factory=dict)  # keyword options of the readers, of several types
    grades: str = "int"
    name_by: str = "tag"

    @property
    def qrels(self) -> dict[str, Any]:
        """Options of `read_qrels`."""
        return {**self._for("qrels"), "grades": self.grades}

    @property
    def runs(self) -> dict[str, Any]:
        """Options of `read_runs`."""
        return {**self._for("run"), "name_by": self.name_by}

    @property
    def intents(self) -> dict[str, Any]:
        """Options of `read_intents`."""
        return self._for("intents")

    def _for(self, role: "Role") -> dict[str, Any]:
        """A layout or format that can only belong to the other role is left to it."""
        from cranfield.read.options import Options
        from cranfield.read.roles import fitting

        chosen = fitting(Options(), role, self.formats, self.columns)
        return {**self.shared, "columns": chosen.columns, "format": chosen.format}


def read_tables(console: Console, qrels: str, runs: Sequence[str], reading: Reading) -> "tuple[Qrels, Runs]":
    """The tables; runs are read one by one so that progress can be shown."""
    from cranfield.read import read_qrels, read_runs
    from cranfield.read.paths import expand
    from cranfield.tables.run import Runs

    judgments = read_qrels(qrels, **reading.qrels)
    console.detail(f"{qrels}: {judgments.source.format}, {len(judgments):,} rows")
    members = []
    found = expand(runs)
    with progress(console, "reading") as step:
        for number, item in enumerate(found):
            step(str(item.path), number, len(found))
            for run in read_runs(item.path, name=item.name, **reading.runs).values():
                console.detail(f"{item.path}: {run.source.format}, {len(run):,} rows")
                members.append(run)
    return judgments, Runs(members)
