"""Judgments made elsewhere: files of people's or models' grades into a lab, and requests for outside labellers."""

import io
import json
import os
from collections.abc import Mapping, Sequence
from typing import get_args

import numpy as np

from cranfield.errors import InputError, StoreError
from cranfield.errors.warning import kept
from cranfield.judging.exporting.pairs import ExportedPair
from cranfield.judging.filling.lab_file import LabFile
from cranfield.judging.jobs.commands import perform
from cranfield.judging.jobs.importing import ImportedJudgments
from cranfield.judging.jobs.showing import shown_document
from cranfield.judging.records import PEOPLE, PersonKind
from cranfield.judging.store.files.connection import Connection
from cranfield.judging.store.items import item_text
from cranfield.judging.store.outside.exported import exported_pairs
from cranfield.judging.store.outside.requests import request_map
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import Readable
from cranfield.registry import one_of
from cranfield.stats.agreement.sources import model_labels
from cranfield.tables.judgments import Judgments
from cranfield.write.sink import put


def import_judgments(
    lab: LabFile,
    source: Readable,
    name: str,
    kind: PersonKind = "import",
    *,
    counts: bool = False,
    map: Readable | None = None,
    options: ReadOptions | None = None,
    url: str | None = None,
) -> ImportedJudgments:
    """The grades in a file (qrels, JSON lines, CSV …) enter a lab as judgments of the assessor `name`.

    Labels without topic and document are found by the id of the request they answer: in `map`, or in the map that the
    lab keeps of its requests. Judgments count toward the k of a pair only if `counts` says so.
    """
    one_of("kind", kind, get_args(PersonKind))
    if not name.strip():
        raise StoreError("E410", "an assessor needs a name", hint="say whose judgments they are")
    with lab.reading() as connection:
        requests = request_map(connection)
    with kept():  # failed labels are counted in the result
        table = _labels(source, options or ReadOptions(), map, requests)
    judged = np.flatnonzero(table.judged).tolist()
    rows = [(table.topic[row], table.document[row], int(table.grade[row])) for row in judged]
    given = {"name": name, "kind": kind, "rows": rows, "counts": counts, "failed": len(table) - len(judged)}
    return ImportedJudgments(**perform(lab, "import", given, url))


def write_requests(
    lab: LabFile,
    path: "str | os.PathLike[str]",
    *,
    map: "str | os.PathLike[str] | None" = None,
    everything: bool = True,
    url: str | None = None,
) -> int:
    """Write what an outside labeller needs, one JSON object for each pair: an opaque id, the need, and the text.

    The lab keeps which id is which pair; `map` also writes that to a file (id, topic, doc), which labellers need not
    see. `everything=False` leaves out pairs that a person has judged. The number of requests.
    """
    with lab.reading() as connection:
        known = [pair for pair in exported_pairs(connection) if not pair.gold]
    pairs = [pair for pair in known if everything or not pair.of_kinds(PEOPLE).grades]
    opaque = perform(lab, "request ids", {"items": [pair.item for pair in pairs]}, url)
    with lab.reading() as connection:
        found = (_request(connection, pair, opaque[pair.item]) for pair in pairs)
        rows = [row for row in found if row is not None]
    rows.sort(key=lambda row: str(row["id"]))  # neither topics nor ranks can be told from the order
    put(_json_lines(rows), path)
    if map is not None:
        named = [{"id": opaque[pair.item], "topic": pair.topic, "doc": pair.document} for pair in pairs]
        put(_json_lines(named), map)
    return len(rows)


def _request(connection: Connection, pair: ExportedPair, opaque: str) -> dict[str, object] | None:
    """What a labeller gets of a pair; None, if its document has no text."""
    need, document = item_text(connection, pair.item), shown_document(connection, pair.item)
    if need is None or (document.problem and not document.text):
        return None
    words = {"query": need.title, "description": need.description, "narrative": need.narrative}
    fields = {"fields": dict(document.fields)} if document.fields else {}
    return {"id": opaque, **words, "title": document.title, "passage": document.text, **fields}


def _labels(
    source: Readable, options: ReadOptions, map: Readable | None, requests: Mapping[str, tuple[str, str]]
) -> Judgments:
    """The labels in a file; labels that name no pair are looked up in the lab's map of requests."""
    if map is not None or not requests or hasattr(source, "read"):
        return model_labels(source, options, map if map is not None or not requests else _as_file(requests))
    try:
        return model_labels(source, options)
    except InputError as error:
        if error.code != "E306":
            raise
        try:
            return model_labels(source, options, _as_file(requests))
        except InputError as other:  # E128: no label answers one of the requests
            raise error from (None if other.code == "E128" else other)


def _as_file(requests: Mapping[str, tuple[str, str]]) -> io.StringIO:
    rows = [{"id": opaque, "topic": topic, "doc": document} for opaque, (topic, document) in requests.items()]
    return io.StringIO(_json_lines(rows).decode())


def _json_lines(rows: Sequence[Mapping[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8", "backslashreplace")
