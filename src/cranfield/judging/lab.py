"""A lab: one file of pairs to judge, and their judgments."""

import os
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from cranfield.errors.arguments import checked_class
from cranfield.judging.filling.lab_file import LabFile
from cranfield.judging.records import ItemOrder
from cranfield.judging.store.files.clock import Clock
from cranfield.registry import one_of

if TYPE_CHECKING:
    from cranfield.judging.exporting.export import Exported
    from cranfield.judging.exporting.listing import LabJudgments
    from cranfield.judging.filling.objects import DocumentsLike, PairsLike, TopicsLike
    from cranfield.judging.jobs.filling import Filled
    from cranfield.judging.jobs.gold import MixedGold
    from cranfield.judging.jobs.importing import ImportedJudgments
    from cranfield.judging.records import PersonKind
    from cranfield.judging.serving.summaries import LabStatus
    from cranfield.read.accepted import QrelsLike
    from cranfield.read.sources.content import Readable
    from cranfield.tables.judgments import Judgments
    from cranfield.tables.qrels import Qrels


@checked_class
class Lab(LabFile):
    """A lab: one file of pairs to judge, which `cranfield judge` serves, and the judgments that people made there.

    `Lab(path)` opens one; `Lab.create` makes one. Readers always work; what writes is refused (E404) while a room
    serves the lab. `cf.agree(lab)` measures how far its assessors agree.

    Attributes:
        path: the file.

    >>> import tempfile, cranfield as cf
    >>> folder = tempfile.TemporaryDirectory()
    >>> pool = cf.pool({"r1": {"q1": ["a", "b"]}, "r2": {"q1": ["b", "c"]}}, depth=2)
    >>> lab = cf.Lab.create(f"{folder.name}/lab.db", pool, {"q1": "merge sorted files"}, grades=range(3))
    >>> lab.status().pairs, lab.judgments().to_records(), lab.qrels()
    (3, [], Qrels: 0 topics, 0 judgments)
    >>> folder.cleanup()
    """

    path: Path

    @classmethod
    def create(
        cls,
        path: "str | os.PathLike[str]",
        pool: "PairsLike",
        topics: "TopicsLike | None" = None,
        docs: "DocumentsLike | None" = None,
        grades: "Sequence[int] | Mapping[int, str]" = (0, 1),
        *,
        guidelines: str = "",
        assessors: int = 1,
        overlap: float = 0.0,
        order: ItemOrder = "random",
        seed: int = 0,
        name: str = "",
        allow_missing_docs: bool = False,
    ) -> "Lab":
        """A new lab; a file that exists is refused.

        Args:
            path: the file to make.
            pool: pairs to judge: what `cf.pool` or `holes.next` gave, a pool file, or (topic, document) pairs.
            topics: their texts: a table, a file, or queries by id; without, assessors see ids.
            docs: texts of the documents: a table, a file, a folder, or texts by id.
            grades: the scale, or a label for each grade.
            guidelines: for assessors, in Markdown.
            assessors: how many people judge each pair.
            overlap: share of the pairs, from 0 to 1, that one more person judges.
            order: `random`, a different one for each assessor, or `pool`, the order of the pairs.
            seed: of the order and of the pairs that one more person judges.
            name: of the lab; by default that of the file.
            allow_missing_docs: whether documents of the pool may lack a text.
        """
        from cranfield.judging.filling.objects import queue_of, rows_of, scale_of

        one_of("order", order, get_args(ItemOrder))
        scale = scale_of(grades)
        rows = rows_of(pool, topics, docs, allow_missing=allow_missing_docs)
        queue = queue_of(rows, "pool", "pool", assessors, overlap, seed)
        return cls.create_from_rows(
            path,
            rows.pairs,
            rows.topics,
            rows.documents,
            scale,
            queue=queue,
            guidelines=guidelines,
            order=order,
            name=name,
        )

    @classmethod
    def open(cls, path: "str | os.PathLike[str]") -> "Lab":
        """A lab that exists; a file that is damaged or from a later version is refused and left as it is."""
        return cls(path)

    def add(
        self,
        pairs: "PairsLike",
        topics: "TopicsLike | None" = None,
        docs: "DocumentsLike | None" = None,
        *,
        name: str = "",
        assessors: int = 1,
        overlap: float = 0.0,
        seed: int = 0,
        allow_missing_docs: bool = True,
    ) -> "Filled":
        """More pairs, in a new queue: `lab.add(holes.next(50))`; no judgment is lost, and known texts stay.

        Args:
            pairs: as in `create`.
            topics: texts of topics that the lab does not know.
            docs: texts of documents that the lab does not know.
            name: of the queue; by default a new one.
            assessors: how many people judge each pair.
            overlap: share of the pairs that one more person judges.
            seed: of these pairs.
            allow_missing_docs: whether documents may lack a text.
        """
        from cranfield.judging.filling.objects import new_name, queue_of, rows_of

        with self.reading() as connection:
            known = new_name(connection, name, pairs)
        rows = rows_of(pairs, topics, docs, allow_missing=allow_missing_docs)
        queue = queue_of(rows, known, "list", assessors, overlap, seed)
        return self.add_rows(queue, rows.pairs, rows.topics, rows.documents)

    def add_gold(
        self,
        qrels: "Readable | QrelsLike | None" = None,
        rate: float = 0.1,
        docs: "DocumentsLike | None" = None,
        *,
        queue: str | None = None,
        allow_missing_docs: bool = False,
    ) -> "MixedGold":
        """Mix pairs whose grade is known into a queue, to see how far assessors agree with it.

        Assessors cannot tell them from other pairs. They are outside of the judgments that a pair needs, and outside
        of exports; `lab.status().people` counts how many an assessor got, and how many of them right.

        Args:
            qrels: the known grades, in any form that `cf.evaluate` takes; None changes the rate alone.
            rate: the share of the pairs that an assessor gets, from 0 to 0.5; 0 serves no gold any more.
            docs: texts of documents that the lab does not know.
            queue: the name of a queue; by default the oldest one that is served.
            allow_missing_docs: whether documents may lack a text.
        """
        from cranfield.judging.filling.gold import add_gold

        return add_gold(self, qrels, rate, docs, queue=queue, allow_missing_docs=allow_missing_docs)

    def judgments(self) -> "LabJudgments":
        """What all assessors say now about all pairs, oldest first: to iterate over, as records or as a frame."""
        from cranfield.judging.exporting.listing import LabJudgments

        return LabJudgments.of(self.snapshot(), str(self.path))

    def qrels(
        self,
        rule: str = "adjudicated",
        otherwise: str = "majority",
        *,
        open_as: int | None = None,
        include: "Collection[str]" = (),
        complete: bool = False,
    ) -> "Qrels":
        """One grade for each pair that has one, under a rule; see `export` for the choices."""
        from cranfield.judging.exporting.export import exported_qrels

        return exported_qrels(self.snapshot(), rule, otherwise, open_as, include, complete)

    def export(
        self,
        path: "str | os.PathLike[str]",
        rule: str = "adjudicated",
        otherwise: str = "majority",
        *,
        open_as: int | None = None,
        include: "Collection[str]" = (),
        format: str | None = None,
        complete: bool = False,
    ) -> "Exported":
        """Write qrels or all judgments to a file, and beside it `FILE.meta.json`: how the judgments were made.

        Args:
            path: the file; its ending chooses the format.
            rule: `adjudicated`, `majority`, `median`, `max`, `min`, `mean`, `assessor:NAME`, or `raw`: every judgment.
            otherwise: for `adjudicated`, the rule where assessors differ and no adjudicator settled the pair.
            open_as: -1 writes pairs without a grade as pooled but not judged; by default they are left out.
            include: `["llm"]` hears models too.
            format: a name of a format instead of an ending.
            complete: whether pairs judged by fewer assessors than asked for count as open.

        Returns:
            Counts and files; pairs without a winner are left out and listed in `FILE.disputed.tsv`.
        """
        from cranfield.judging.exporting.export import export_snapshot
        from cranfield.judging.jobs.commands import note_export

        made = export_snapshot(self.snapshot(), path, rule, otherwise, open_as, include, format, complete)
        note_export(self, made.to_dict())
        return made

    def import_judgments(
        self,
        source: "Readable",
        name: str,
        kind: "PersonKind" = "import",
        *,
        counts: bool = False,
        map: "Readable | None" = None,
    ) -> "ImportedJudgments":
        """Take in judgments made elsewhere, as those of one assessor.

        Args:
            source: qrels, JSON lines, CSV …; a label may name the id of the request that it answers.
            name: of the assessor.
            kind: `human`, `llm` or `import`.
            counts: whether they count toward the number of judgments that a pair needs.
            map: JSON lines with id, topic and doc; by default the map that the lab keeps of its requests.
        """
        from cranfield.judging.filling.imported import import_judgments

        return import_judgments(self, source, name, kind, counts=counts, map=map)

    def write_requests(
        self,
        path: "str | os.PathLike[str]",
        *,
        map: "str | os.PathLike[str] | None" = None,
        everything: bool = True,
    ) -> int:
        """Write what an outside labeller needs, as JSON lines: an opaque id, the topic in words, and the text.

        Args:
            path: the file.
            map: also write which id is which topic and document there; the lab keeps that in any case.
            everything: whether pairs that a person has judged are in it, too.

        Returns:
            The number of requests.
        """
        from cranfield.judging.filling.imported import write_requests

        return write_requests(self, path, map=map, everything=everything)

    def status(self) -> "LabStatus":
        """How far the lab is by topic, queue and person."""
        from cranfield.judging.jobs.status import status_of

        with self.reading() as connection:
            return status_of(connection, Clock().now())

    def backup(self, path: "str | os.PathLike[str]") -> Path:
        """A sound copy of the lab, also while it is served."""
        from cranfield.judging.store.files.backup import copy_lab

        return copy_lab(self.path, Path(path))

    def assessor_judgments(self, *, repeats: bool = False) -> "Judgments":
        """Every grade with its assessor, for `cf.agree`; `repeats` adds later grades of the same assessor and pair."""
        from cranfield.judging.agreeing.stored import snapshot_judgments

        return snapshot_judgments(self.snapshot(), str(self.path), repeats=repeats)

    def __repr__(self) -> str:
        return f"Lab({str(self.path)!r})"
