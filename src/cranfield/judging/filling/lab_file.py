"""The file of a lab: made of plain rows, read and written through functions of the store."""

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from cranfield.judging.exporting.snapshot import LabSnapshot
from cranfield.judging.jobs.filling import Filled, fill_queue, note_queue
from cranfield.judging.records import DocumentRow, PairRow, QueueRow, TopicRow
from cranfield.judging.store.events import time_for
from cranfield.judging.store.files.clock import Clock
from cranfield.judging.store.files.connection import Connection, transaction
from cranfield.judging.store.files.holder import refuse_if_served
from cranfield.judging.store.files.migrations import prepared
from cranfield.judging.store.files.opening import new_file, open_for_reading, open_for_writing
from cranfield.judging.store.guidelines import put_guidelines
from cranfield.judging.store.meta import set_meta

POOL = QueueRow("pool")


class LabFile:
    """A lab on disk. Readers always work; what writes is refused while a room serves the lab."""

    path: Path  # the file

    def __init__(self, path: "str | os.PathLike[str]") -> None:
        """A lab that exists; a file that is damaged or from a later version is refused and left as it is."""
        self.path = prepared(Path(path), Clock().now())

    @classmethod
    def create_from_rows(
        cls,
        path: "str | os.PathLike[str]",
        pairs: Iterable[PairRow],
        topics: Iterable[TopicRow],
        documents: Iterable[DocumentRow] = (),
        grades: Mapping[int, str] | Sequence[int] = (0, 1),
        *,
        queue: QueueRow = POOL,
        guidelines: str = "",
        order: str = "random",
        name: str = "",
    ) -> Self:
        """A new lab of plain rows; a file that exists is refused.

        >>> from tempfile import TemporaryDirectory
        >>> folder = TemporaryDirectory()
        >>> topics, documents = [TopicRow("1", "merge sorted files")], [DocumentRow("d1", body="heapq.merge")]
        >>> lab = LabFile.create_from_rows(f"{folder.name}/lab.db", [PairRow("1", "d1")], topics, documents)
        >>> len(lab.snapshot().pairs)
        1
        >>> folder.cleanup()
        """
        place = Path(path)
        labels = grades if isinstance(grades, Mapping) else {grade: str(grade) for grade in grades}
        with new_file(place) as connection:
            facts = {"name": name or place.stem, "seed": str(queue.seed), "order": order}
            facts["grades"] = json.dumps(sorted(labels.items()), ensure_ascii=False)
            facts["created"] = str(Clock().now())
            for key, value in facts.items():
                set_meta(connection, key, value)
            put_guidelines(connection, guidelines)
            filled = fill_queue(connection, queue, pairs, topics, documents)
            note_queue(connection, "owner", queue, filled, time_for(connection))
        return cls(place)

    def add_rows(
        self,
        queue: QueueRow,
        pairs: Iterable[PairRow],
        topics: Iterable[TopicRow] = (),
        documents: Iterable[DocumentRow] = (),
        *,
        number: int | None = None,
    ) -> Filled:
        """More pairs, in a new queue or in the one of a number; no judgment is lost."""
        with self.writing() as connection:
            filled = fill_queue(connection, queue, pairs, topics, documents, number=number)
            note_queue(connection, "owner", queue, filled, time_for(connection))
            return filled

    def check_writable(self) -> None:
        """Refuse a lab that another process serves, before work is done that could not be written."""
        with self.reading() as connection:
            refuse_if_served(connection, self.path)

    def snapshot(self) -> LabSnapshot:
        """All pairs with all judgments, as they are now."""
        with self.reading() as connection:
            return LabSnapshot.of(connection)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection for functions of the store that read."""
        connection = open_for_reading(self.path)
        try:
            yield connection
        finally:
            connection.close()

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection for functions of the store, inside one transaction; refused while a room serves the lab."""
        connection = open_for_writing(prepared(self.path, Clock().now()))
        try:
            with transaction(connection):
                refuse_if_served(connection, self.path)
                yield connection
        finally:
            connection.close()
