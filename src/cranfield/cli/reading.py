"""How input files are read, as far as the command line was told."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


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

    def _for(self, role: str) -> dict[str, Any]:
        """A layout or format that can only belong to the other role is left to it."""
        columns = [text for text in self.columns if _columns_role(text) in (role, "")]
        formats = [name for name in self.formats if _format_role(name) in (role, "")]
        chosen = dict(self.shared)
        if columns:
            chosen["columns"] = columns[-1]
        if formats:
            chosen["format"] = formats[-1]
        return chosen


def _columns_role(text: str) -> str:
    """`topic,_,doc,grade` describes qrels, `topic,_,doc,rank,score` a run, `topic=qid` both."""
    from cranfield.read.options import canonical

    roles = {canonical(part.partition("=")[0]) for part in text.split(",")}
    if roles & {"grade", "iteration", "stratum", "probability", "assessor"}:
        return "qrels"
    return "run" if roles & {"score", "rank", "run"} else ""


def _format_role(name: str) -> str:
    from cranfield.read.formats import FORMATS

    found = FORMATS.find(name)
    return found.role if found else ""
