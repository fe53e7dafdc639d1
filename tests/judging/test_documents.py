"""Documents that stay in their file: what changed there is said in words, and never shown as another document."""

import json
from hashlib import sha256

import pytest

from cranfield.judging.lab import Lab
from cranfield.judging.records import DocumentRow, PairRow, SourceRow, TopicRow

RECORDS = [
    {"_id": f"d{number}", "title": f"title {number}", "text": f"text {number}", "price": number} for number in range(3)
]


def lines(records):
    return [json.dumps(record).encode() + b"\n" for record in records]


@pytest.fixture
def in_place(opened, tmp_path):
    """A room whose documents stand in corpus.jsonl, and a function that shows the document d1."""
    path = tmp_path / "corpus.jsonl"
    raw = lines(RECORDS)
    path.write_bytes(b"".join(raw))
    source = SourceRow(str(path), "documents-jsonl", "utf-8", path.stat().st_size, path.stat().st_mtime_ns)
    starts = [sum(map(len, raw[:place])) for place in range(3)]
    rows = [
        DocumentRow(f"d{n}", source=source, offset=starts[n], length=len(raw[n]), hash=sha256(raw[n]).hexdigest())
        for n in range(3)
    ]
    lab = Lab.create_from_rows(tmp_path / "lab.db", [PairRow("1", "d1")], [TopicRow("1", "query")], rows)
    here = opened(lab)
    item = here.room.next("ann").item
    return path, lambda: here.room.document("ann", item)


def test_a_document_is_read_where_it_stands(in_place):
    _, show = in_place
    shown = show()
    assert (shown.title, shown.text, shown.fields, shown.problem) == ("title 1", "text 1", {"price": 1}, "")


def test_a_file_that_was_cut_off_is_said(in_place):
    path, show = in_place
    path.write_bytes(path.read_bytes()[:-1])
    assert show().text == ""
    assert "The file corpus.jsonl has changed: it had" in show().problem


def test_a_file_of_the_same_size_with_other_bytes_is_said(in_place):
    path, show = in_place
    path.write_bytes(path.read_bytes().replace(b"text 1", b"TEXT 1"))
    assert show().text == ""
    assert "has changed where this document stood" in show().problem


def test_documents_that_changed_places_are_not_taken_for_each_other(in_place):
    path, show = in_place
    path.write_bytes(b"".join(lines(reversed(RECORDS[:2]))) + lines(RECORDS)[2])
    assert (show().text, show().title) == ("", "")
    assert "has changed" in show().problem


def test_a_file_that_is_gone_is_said(in_place):
    path, show = in_place
    path.unlink()
    assert "The file corpus.jsonl cannot be read: no such file or directory" in show().problem


def test_the_path_of_the_file_is_not_shown(in_place):
    path, show = in_place
    path.unlink()
    assert str(path.parent) not in show().problem


def test_a_record_of_another_id_is_not_shown(opened, tmp_path):
    raw = lines(RECORDS)[0]
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(raw)
    source = SourceRow(str(path), "documents-jsonl", "utf-8", len(raw), 0)
    row = DocumentRow("other", source=source, offset=0, length=len(raw), hash=sha256(raw).hexdigest())
    lab = Lab.create_from_rows(tmp_path / "lab.db", [PairRow("1", "other")], [TopicRow("1", "query")], [row])
    here = opened(lab)
    shown = here.room.document("ann", here.room.next("ann").item)
    assert (shown.text, shown.problem.partition(" in the place")[0]) == ("", "corpus.jsonl has another document")


@pytest.mark.parametrize("raw", [b"{not json}\n", b"[1]\n", b"\xff\xfe\n", b'{"text": "no id"}\n'])
def test_a_record_that_cannot_be_read_is_said(opened, tmp_path, raw):
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(raw)
    source = SourceRow(str(path), "documents-jsonl", "utf-8", len(raw), 0)
    row = DocumentRow("d", source=source, offset=0, length=len(raw), hash=sha256(raw).hexdigest())
    lab = Lab.create_from_rows(tmp_path / "lab.db", [PairRow("1", "d")], [TopicRow("1", "query")], [row])
    here = opened(lab)
    assert "cannot be read" in here.room.document("ann", here.room.next("ann").item).problem


def test_a_document_without_a_text_is_said(opened, tmp_path):
    lab = Lab.create_from_rows(tmp_path / "lab.db", [PairRow("1", "d")], [TopicRow("1", "query")])
    here = opened(lab)
    shown = here.room.document("ann", here.room.next("ann").item)
    assert (shown.document_id, shown.problem) == ("d", "The text of this document is not in the collection.")
