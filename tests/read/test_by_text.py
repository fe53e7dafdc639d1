"""Formats that name topics and documents by their texts: Quepid, OpenSearch, RRE, umbrela, samples (FMT-1 to FMT-7)."""

import io
import json

import pytest

import cranfield as cf

TOPICS = {"301": "cheap TV 📺", "302": 'the "best", cheap tv 📺'}
QRELS = cf.Qrels.of(["301", "301", "302"], ["7", "a/b #1", "7"], [2, 0, 1])
BY_TEXT = ["qrels-opensearch", "qrels-quepid", "qrels-rre"]
SNAPSHOT = (
    "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title\r\n"
    "May,2024-05-01,7,cheap TV 📺,9,1,x\r\n"
    "May,2024-05-01,7,cheap TV 📺,7,2,\r\n"
    'May,2024-05-01,7,"the ""best"", cheap tv 📺",7,1,y\r\n'
)
DOCS = {"d1": "Oslo is far.", "d2": "Rome is near.", "d3": "Rome is near."}
LABELS = [
    {"model": "m", "query": "cheap TV 📺", "passage": "Oslo is far.", "judgment": 2, "result_status": 1},
    {"model": "m", "query": 'the "best", cheap tv 📺', "passage": "Oslo is far.", "judgment": 0, "result_status": 0},
]


def json_lines(rows) -> io.BytesIO:
    return io.BytesIO("".join(json.dumps(row) + "\n" for row in rows).encode())


@pytest.mark.parametrize("format", BY_TEXT)
def test_ids_become_texts_and_come_back_as_ids(tmp_path, format):  # FMT-2, FMT-3, FMT-4, FMT-7
    path, topics = tmp_path / "ratings", tmp_path / "topics.tsv"
    topics.write_text("".join(f"{name}\t{text}\n" for name, text in TOPICS.items()))
    cf.write_table(QRELS, path, format, topics=TOPICS)
    assert cf.read_qrels(path, topics=topics) == QRELS
    assert cf.read_qrels(path, topics=cf.read_topics(topics)) == QRELS
    assert cf.read_qrels(path).topics == tuple(TOPICS.values())  # letter case and emoji are kept
    assert cf.read_qrels(path).source.format == format
    assert "301" not in path.read_text()


@pytest.mark.parametrize("format", BY_TEXT)
def test_two_topics_with_one_text_are_an_error(tmp_path, format):  # FMT-2
    twins = {**TOPICS, "303": "cheap TV 📺"}
    cf.write_table(QRELS, tmp_path / "ratings", format, topics=TOPICS)
    with pytest.raises(cf.InputError, match=r"E119: .*topics '301' and '303' have one text: 'cheap TV 📺'"):
        cf.read_qrels(tmp_path / "ratings", topics=twins)
    with pytest.raises(cf.InputError, match=r"E119: topics '301' and '303' have one text"):
        cf.write_table(QRELS, tmp_path / "again", format, topics=twins)
    assert not (tmp_path / "again").exists()


def test_a_text_of_no_topic_and_a_topic_without_text_are_errors(tmp_path):  # FMT-2
    cf.write_table(QRELS, tmp_path / "ratings.csv", "qrels-quepid", topics=TOPICS)
    with pytest.raises(cf.InputError, match=r"E119: .*ratings.csv: 1 text of no topic, first 'cheap TV 📺'"):
        cf.read_qrels(tmp_path / "ratings.csv", topics={"301": "Cheap TV 📺", "302": TOPICS["302"]})
    with pytest.raises(cf.InputError, match=r"E119: 1 topic without a text, first '302'"):
        cf.write_table(QRELS, tmp_path / "again", "qrels-rre", topics={"301": "cheap TV 📺"})
    with pytest.raises(cf.InputError, match=r"E121: .*: int is no text of a topic"):
        cf.read_qrels(tmp_path / "ratings.csv", topics={"301": 5})


def test_ratings_of_quepid_are_recognised_by_their_whole_header(tmp_path):
    path = tmp_path / "ratings.csv"
    for header in ("query,docid,rating", "query,doc_id,rating"):
        path.write_text(f"{header}\ntv,7,2\n")
        assert cf.read_qrels(path).source.format == "qrels-quepid"
    path.write_text("query,docid,rating,assessor\ntv,7,2,ann\n")
    assert cf.read_qrels(path).source.format == "qrels-csv"  # which keeps the assessor
    assert len(cf.read_judgments(path)) == 1


def test_a_document_that_nobody_rated_is_unjudged():  # FMT-1
    with pytest.warns(cf.DataWarning, match=r"W109: .*1 of 2 judgments failed or are open"):
        qrels = cf.read_qrels(io.BytesIO(b"query,docid,rating\ntv,7,\ntv,8,1\n"))
    assert qrels == cf.Qrels.of(["tv"], ["8"], [1])
    with pytest.raises(cf.InputError, match=r"E104: .*the file holds no ratings"):
        cf.read_qrels(io.BytesIO(b"query,docid,rating\ntv,7,\n"))


def test_fractional_ratings_stay_or_are_refused():  # FMT-5
    data = b"query,docid,rating\ntv,7,2.5\n"
    with pytest.raises(cf.InputError, match=r"E110: .*:2: grade '2.5' is not an integer"):
        cf.read_qrels(io.BytesIO(data))
    assert cf.read_qrels(io.BytesIO(data), grades="float").grade.tolist() == [2.5]


def test_a_snapshot_of_quepid_is_a_run(tmp_path):
    (tmp_path / "export.csv").write_bytes(SNAPSHOT.encode())
    run = cf.read_run(tmp_path / "export.csv", topics=TOPICS)
    assert (run.name, run.topics, run.source.format) == ("May", ("301", "302"), "run-quepid")
    assert (list(run.document), run.score.tolist()) == (["9", "7", "7"], [-1.0, -2.0, -1.0])
    assert cf.read_run(tmp_path / "export.csv").topics == tuple(TOPICS.values())
    assert cf.read_run(io.BytesIO(SNAPSHOT.encode())).source.format == "run-quepid"
    with pytest.raises(cf.PolicyError, match=r"E118: format run-quepid is read only"):
        cf.write_table(run, tmp_path / "x.csv", "run-quepid")


def test_two_snapshots_in_one_file_are_two_runs():
    assert list(cf.read_runs(io.BytesIO((SNAPSHOT + "June,2024-06-01,7,cheap TV 📺,7,1,\r\n").encode()))) == [
        "May",
        "June",
    ]


def test_quotation_marks_that_quepid_doubles_without_need_are_single_again():
    text = 'Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\r\nm,t,7,5"" nail,1,1\r\n'
    assert cf.read_run(io.BytesIO(text.encode())).topics == ('5" nail',)


def test_files_of_quepid_are_evaluated_together_by_text_or_by_id(tmp_path):
    (tmp_path / "export.csv").write_bytes(SNAPSHOT.encode())
    cf.write_table(QRELS, tmp_path / "ratings.csv", "qrels-quepid", topics=TOPICS)
    plain = cf.evaluate(tmp_path / "ratings.csv", tmp_path / "export.csv", "RR")
    assert plain.values[0, :, 0].tolist() == [0.5, 1.0]
    named = cf.evaluate(QRELS, cf.read_run(tmp_path / "export.csv", topics=TOPICS), "RR")
    assert (named.topics, named.values.tolist()) == (("301", "302"), plain.values.tolist())
    with pytest.raises(cf.InputError, match="E114") as refused:
        cf.evaluate(QRELS, tmp_path / "export.csv", "RR")
    assert refused.value.hint.endswith("if one is the text of a query, pass read_run(…, topics=FILE)")


def test_labels_of_umbrela_are_matched_by_exact_text_and_failed_ones_are_unjudged():  # FMT-1, FMT-6
    with pytest.warns(cf.DataWarning, match=r"W109: .*1 of 2 judgments failed"):
        qrels = cf.read_qrels(json_lines(LABELS), topics=TOPICS, docs=DOCS)
    assert (qrels.topics, list(qrels.document), qrels.grade.tolist()) == (("301",), ["d1"], [2])
    assert qrels.source.format == "qrels-umbrela"


def test_labels_of_umbrela_are_matched_by_the_id_of_a_request(tmp_path):  # FMT-6
    (tmp_path / "map.jsonl").write_text('{"id": "r1", "topic": "301", "doc": "d9"}\n')
    qrels = cf.read_qrels(json_lines([{"id": "r1", **LABELS[0]}]), map=tmp_path / "map.jsonl")
    assert (qrels.topics, list(qrels.document)) == (("301",), ["d9"])


def test_labels_that_match_nothing_are_refused():  # FMT-6
    with pytest.raises(cf.InputError, match=r"E306: .*:1: record has no topic and document id") as refused:
        cf.read_qrels(json_lines(LABELS))
    assert refused.value.hint.endswith("; read_qrels(…, topics=…, docs=…) finds exact texts")
    with pytest.raises(cf.InputError, match=r"1 text of no document, first 'Oslo is far.'"):
        cf.read_qrels(json_lines(LABELS), topics=TOPICS, docs={"d1": "Oslo is far"})
    near = [{**LABELS[0], "passage": "Rome is near."}]
    with pytest.raises(cf.InputError, match=r"documents 'd2' and 'd3' have one text: 'Rome is near.'"):
        cf.read_qrels(json_lines(near), topics=TOPICS, docs=DOCS)
    with (
        pytest.warns(cf.DataWarning, match=r"W109"),
        pytest.raises(cf.InputError, match=r"E104: .*the file holds no judgments"),
    ):
        cf.read_qrels(json_lines(LABELS[1:]), topics=TOPICS, docs=DOCS)


def test_samples_in_a_file_are_a_run_and_qrels(tmp_path):
    path = tmp_path / "samples.jsonl"
    sample = {
        "user_input": "cheap TV 📺",
        "retrieved_contexts": ["Rome is far.", "Oslo is far."],
        "reference_context_ids": ["d1", 7],
        "response": "Oslo.",
    }
    path.write_text(json.dumps(sample) + "\n")
    run = cf.read_run(path, topics=TOPICS, docs={"d1": "Oslo is far.", "d2": "Rome is far."})
    assert (run.name, run.topics, list(run.document)) == ("samples", ("301",), ["d2", "d1"])
    assert run.source.format == "run-ragas"
    qrels = cf.read_qrels(path, topics=TOPICS)
    assert qrels == cf.Qrels.of(["301", "301"], ["d1", "7"], [1, 1])
    assert qrels.source.format == "qrels-ragas"
    assert list(cf.read_run(path).document) == sample["retrieved_contexts"]  # without documents a text is its own id
    assert cf.from_contexts(path, name="rag").name == "rag"


def test_contexts_become_a_run():
    samples = [
        {"user_input": "cheap TV 📺", "retrieved_contexts": ["Oslo is far."]},
        {"query_id": "302", "user_input": "anything", "retrieved_contexts": ["Rome is far.", "Oslo is far."]},
    ]
    run = cf.from_contexts(samples, topics=TOPICS, docs={"d1": "Oslo is far.", "d2": "Rome is far."})
    assert run == cf.Run.of("run", ["301", "302", "302"], ["d1", "d2", "d1"], [-1, -1, -2], [1, 1, 2])
    with pytest.raises(cf.InputError, match=r"1 text of no topic, first 'cheap TV 📺'"):
        cf.from_contexts(samples, topics={"9": "other"})
