"""`cranfield check` prints the record of the collection: documents, topics and judgments in numbers (SPEC 2.8)."""

import json

import pytest

import cranfield as cf
from cranfield.align.checking import collection


@pytest.fixture
def files(folder):
    """Three documents of 2, 3 and 1 words, two topics of 2 and 3 words."""
    texts = {"d1": "wing flutter", "d2": "heat in nozzles", "d3": "naïve"}
    rows = [json.dumps({"_id": name, "text": text}, ensure_ascii=False) for name, text in texts.items()]
    (folder / "corpus.jsonl").write_text("\n".join(rows) + "\n", encoding="utf-8")
    (folder / "topics.tsv").write_text("301\torganized crime\n302\tpolio and vaccines\n")
    (folder / "judged.txt").write_text("301 0 d1 2\n301 0 d2 0\n301 0 d3 -1\n302 0 d1 1\n302 0 d2 1\n302 0 d3 0\n")
    return folder


def test_documents_topics_and_judgments_are_counted(cli, files):
    out = cli("check", "--docs", "corpus.jsonl", "--topics", "topics.tsv", "--qrels", "judged.txt").out
    line = next(line for line in out.splitlines() if line.startswith(" collection: "))
    assert line == (
        " collection: 3 documents · 33 bytes · 2.0 words per document · 2 topics · 2.5 words per query"
        " · 2.5 judgments per query · 3 grades · 1.5 relevant per query (1…2)"
    )


def test_the_json_envelope_holds_the_record(cli, files):
    result = cli("check", "--docs", "corpus.jsonl", "--topics", "topics.tsv", "--qrels", "judged.txt", "--json")
    assert json.loads(result.out)["result"]["collection"] == {
        "documents": 3,
        "bytes": 33,
        "words_per_document": 2.0,
        "topics": 2,
        "words_per_query": 2.5,
        "judgments": 5,
        "judgments_per_query": 2.5,
        "grades": 3,
        "relevant_per_query": [1, 1.5, 2],
        "read_documents": 3,
        "estimated": False,
    }


def test_what_no_file_says_is_left_out(cli, files):
    assert " collection: 2 topics · 2.5 words per query\n" in cli("check", "--topics", "topics.tsv").out
    assert "collection:" not in cli("check", "runs/bm25.run").out


def test_a_pair_that_two_files_judge_counts_once(files):
    (files / "again.txt").write_text("301 0 d1 1\n301 0 d9 0\n")
    report = cf.check(qrels=[files / "judged.txt", files / "again.txt"])
    assert report.collection is not None
    assert report.collection.judgments == 6


def test_a_document_that_cannot_be_read_is_a_finding(files):
    (files / "broken.jsonl").write_text('{"_id": "d1", "text": "a"}\n{"_id": "d2", "text": "b", oops}\n')
    report = cf.check(docs=[files / "broken.jsonl"])
    assert report.status == "red"
    assert report.files[0].findings[0].code == "E302"
    assert report.collection is None


def test_of_many_documents_a_part_is_read_and_the_record_says_so(files, monkeypatch):
    monkeypatch.setattr(collection, "MOST_READ", 2)
    record = cf.check(docs=[files / "corpus.jsonl"]).collection
    assert record is not None
    assert (record.documents, record.read_documents, record.estimated) == (3, 2, True)
    assert record.bytes == round((12 + 6) * 3 / 2)
    assert str(record) == "3 documents · about 27 bytes · about 1.5 words per document"
