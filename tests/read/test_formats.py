"""What the readers make of the formats of PRODUCT 4, beyond samples and round trips."""

import io
import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from cranfield.errors import DataWarning, Error
from cranfield.read import (
    FORMATS,
    read_documents,
    read_judgments,
    read_latencies,
    read_pool,
    read_probabilities,
    read_qrels,
    read_run,
    read_runs,
    read_topics,
)
from cranfield.read.sources import on_disk as on_disk_module
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run
from cranfield.tables.side.documents import Document
from cranfield.tables.side.topics import Subtopic, Topic


def text(data: str) -> io.BytesIO:
    return io.BytesIO(data.encode())


def refused(code: str, convert, *args, **options) -> Error:
    with pytest.raises(Error) as caught:
        convert(*args, **options)
    assert caught.value.code == code, str(caught.value)
    return caught.value


# runs -----------------------------------------------------------------------------------------------------------


def test_the_tag_names_a_run_if_there_is_exactly_one(tmp_path):
    path = tmp_path / "file.run.txt"
    path.write_text("1 Q0 d1 1 2 tag\n2 Q0 d1 1 2 tag\n")
    assert read_run(path).name == "tag"
    assert read_run(path, name_by="file").name == "file.run"
    assert read_run(path, name="mine").name == "mine"
    path.write_text("1 Q0 d1 1 2 tag\n2 Q0 d1 1 2 other\n")
    assert read_run(path).name == "file.run"


def test_the_metadata_header_of_a_run_is_kept():
    header = (
        "# ir_metadata.start\n# tag: bm25\n# actor:\n#   name: 'Jo'\n#   fields:\n#     - search\n# ir_metadata.end\n"
    )
    run = read_run(text(header + "1 Q0 d1 1 2 t\n"))
    assert run.source.metadata == {"tag": "bm25", "actor": {"name": "Jo", "fields": ["search"]}}
    assert run.line_of(0) == 8
    odd = read_run(text("# ir_metadata.start\n# a: [1, 2]\n# ir_metadata.end\n1 Q0 d1 1 2 t\n"))
    assert odd.source.metadata == {"text": "a: [1, 2]"}


def test_a_comment_begins_at_the_beginning_of_a_line_only():
    run = read_run(text("#c\n1 Q0 #d 1 2 t#\n #1 Q0 d 1 2 t#\n"))
    assert list(run.document) == ["#d", "d"]
    assert run.topics == ("1", "#1")


def test_three_columns_are_an_ms_marco_run():
    run = read_run(text("q1\td1\t1\nq1\td2\t2\n"), name="m")
    assert run == Run.of("m", ["q1", "q1"], ["d1", "d2"], [-1, -2], [1, 2])
    refused("E119", read_run, text("q1\td1\tfirst\n"), format="msmarco")


def test_columns_may_be_named_by_position():
    run = read_run(text("q1 x d1 1 2.5\n"), columns="topic,_,doc,rank,score", name="a")
    assert run == Run.of("a", ["q1"], ["d1"], [2.5], rank=[1])
    qrels = read_qrels(text("q1 d1 1\n"), columns="topic,doc,grade")
    assert qrels == Qrels.of(["q1"], ["d1"], [1])
    refused("E303", read_run, text("q1 d1\n"), columns="topic,doc")
    refused("E303", read_run, text("q1 d1 1\n"), columns="topic=a,doc=b", format="run-trec")
    refused("E303", read_run, text("q1 1\n"), columns="topic,score")
    refused("E242", read_run, text("q1 1\n"), columns="topic,colour")
    refused("E242", read_run, text("q1 1\n"), columns="topic,topic")
    refused("E242", read_run, text("q1,1\n"), columns="topic=")


def test_a_table_without_header_is_read_by_position(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("q1,d1,2.5\n")
    assert read_run(path, columns="topic,doc,score") == Run.of("r", ["q1"], ["d1"], [2.5])


def test_a_table_without_a_score_or_without_header_says_what_to_do(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("topic,doc,wins\n1,d1,1\n")
    error = refused("E303", read_run, path)
    assert (error.problem, error.hint) == (
        "no column for the score; found: topic, doc, wins",
        'columns="topic=topic,doc=doc,score=wins"',
    )
    path.write_text("1,d1,1\n")
    hint = 'the first line should name the columns; if it does not, pass columns="topic,doc,score"'
    assert refused("E303", read_run, path).hint == hint
    path.write_text("topic,doc,rank\n1,d1,1\n")
    assert read_run(path).score.tolist() == [-1.0]


@pytest.mark.parametrize(
    "data",
    ['{"1": {"d": 1.5}}', '{\n "1": {\n  "d": 1.5}}', '{"1":\n{"d":1.5}}'],
)
def test_a_dictionary_is_told_from_records_however_it_is_laid_out(data):
    assert read_run(text(data), name="a") == Run.of("a", ["1"], ["d"], [1.5])


def test_a_dictionary_on_one_long_line_is_told_from_records():
    many = {f"d{n}": float(n) for n in range(3000)}
    assert len(read_run(text(json.dumps({"topic": many})))) == 3000


def test_columns_are_recognised_in_any_order_and_case(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("SCORE,DocNo,qid,query\n2.5,d1,q1,cheap flights\n")
    assert read_run(path) == Run.of("r", ["q1"], ["d1"], [2.5])


def test_a_run_column_in_a_file_makes_several_runs(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("topic,doc,score,run\n1,d1,1,a\n1,d1,2,b\n1,d2,3,a\n")
    runs = read_runs(path)
    assert list(runs) == ["a", "b"]
    assert [runs["a"].line_of(row) for row in range(2)] == [2, 4]
    refused("E121", read_run, path)
    refused("E121", read_runs, path, name="one")


def test_errors_in_tables_name_the_line_though_fields_hold_line_ends(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text('topic,doc,score\n1,"a\nb",1\n\n1,c,x\n')
    assert refused("E106", read_run, path).line == 5
    path.write_text("topic,doc,score\n\n1,c,x\n1,d\n")
    error = refused("E106", read_run, path)
    assert (error.line, error.more[0].code, error.more[0].line) == (3, "E105", 4)
    path.write_text('topic,doc,score\n1,"a,1\n')
    assert refused("E309", read_run, path).line == 2


def test_windows_line_ends_are_no_part_of_a_field(tmp_path):
    path = tmp_path / "r.csv"
    path.write_bytes(b"topic,doc,score,run\r\n1,d1,2,bm25\r\n")
    assert read_run(path).name == "bm25"


def test_a_quotation_mark_in_a_tab_separated_table_is_a_character():
    run = read_run(text('topic\tdoc\tscore\n1\t"d"\t2\n'), name="a")
    assert list(run.document) == ['"d"']


def test_a_field_missing_in_one_record_is_named():
    error = refused("E119", read_run, text('{"topic":"1","doc":"d","score":1}\n{"topic":"1","score":1}\n'))
    assert (error.line, error.problem) == (2, "field 'doc' is missing")


@pytest.mark.parametrize("value", ["null", "true", "[]", "{}", "1.5", '"\\ud800"', '"\\u0000"', '""'])
def test_json_values_that_are_no_ids_are_refused(value):
    refused("E119", read_run, text(f'{{"topic":"1","doc":{value},"score":1}}\n'), format="jsonl")


def test_whole_numbers_in_json_are_accepted_as_ids():
    run = read_run(text('{"qid":301,"docid":7,"score":"1.5"}\n'), name="a")
    assert run == Run.of("a", ["301"], ["7"], [1.5])


def test_a_name_twice_in_an_object_is_refused():
    refused("E119", read_run, text('{"topic":"1","topic":"2","doc":"d","score":1}\n'), format="jsonl")
    refused("E119", read_run, text('{"1":{"d":1.0,"d":2.0}}'), format="json")


def test_a_dictionary_in_a_file_is_never_a_list_of_other_files(tmp_path):
    (tmp_path / "a.run").write_text("1 Q0 d 1 1 t\n")
    refused("E119", read_run, text(json.dumps({"a": str(tmp_path / "a.run")})), format="json")


def test_json_that_is_nested_without_end_is_refused():
    refused("E302", read_run, text("[" * 100_000), format="jsonl")
    refused("E302", read_run, text('{"a":' * 100_000), format="json")


def test_json_numbers_beyond_all_measure_are_refused():
    refused("E302", read_run, text('{"1":{"d":' + "9" * 5000 + "}}"), format="json")
    refused("E302", read_documents, text('{"_id":' + "9" * 5000 + "}\n"))
    assert read_run(text('{"topic":"1","doc":"d","score":' + "9" * 5000 + "}\n")).score.tolist() == [np.inf]


def test_a_json_file_with_an_error_names_line_and_column():
    error = refused("E302", read_qrels, text('{"1":\n {"d": 1,}}'), format="json")
    assert (error.line, error.problem) == (2, "not valid JSON, a comma before the end of the object at column 9")


@pytest.mark.parametrize(
    ("broken", "line", "problem"),
    [
        ('{"1":\n {d: 1}}', 2, "expected a name in double quotes at column 3"),
        ('{"1": {"d": 1},\n}', 1, "a comma before the end of the object at column 15"),
        ('{"1": ["d",\n ]}', 1, "a comma before the end of the array at column 11"),
        ('{"1": ["d" "e"]}', 1, "expected ',' at column 12"),
        ('{"1": ["d", ?]}', 1, "expected a value at column 13"),
        ('{"1": ["d]}', 1, "unterminated string at column 8"),
    ],
)
def test_an_error_in_json_has_the_same_words_on_every_python(broken, line, problem):
    """Python 3.13 words a comma before the end in another way, and puts it elsewhere."""
    error = refused("E302", read_qrels, text(broken), format="json")
    assert (error.line, error.problem) == (line, f"not valid JSON, {problem}")


def test_a_format_of_another_kind_is_refused():
    assert "holds qrels, expected a run" in str(refused("E118", read_run, text("1 0 d 1\n"), format="qrels-trec"))
    assert "run-trec, " in refused("E118", read_run, text("x"), format="word").hint


def test_parquet_is_recognised_by_its_bytes(tmp_path):
    pl.DataFrame({"qid": [1, 1], "docno": ["d", "e"], "rank": [1, 2]}).write_parquet(tmp_path / "a.bin")
    assert read_run(tmp_path / "a.bin") == Run.of("a.bin", ["1", "1"], ["d", "e"], [-1.0, -2.0], [1, 2])
    refused("E303", read_qrels, tmp_path / "a.bin")
    pl.DataFrame({"qid": [], "docno": [], "rel": []}).write_parquet(tmp_path / "b.parquet")
    refused("E104", read_qrels, tmp_path / "b.parquet")


# qrels ----------------------------------------------------------------------------------------------------------


def test_grades_may_be_spelt_as_whole_decimals():
    assert read_qrels(text("1 0 a 2.0\n1 0 b -1\n1 0 c +1\n1 0 d 1e1\n")).grade.tolist() == [2, -1, 1, 10]


@pytest.mark.parametrize("grade", ["yes", "0.5", "nan", "inf", "1_0", "99999999999999999999", "0x1"])
def test_other_grades_are_refused(grade):
    refused("E110", read_qrels, text(f"1 0 a {grade}\n"))


def test_real_grades_must_be_finite():
    refused("E110", read_qrels, text("1 0 a inf\n"), grades="float")
    refused("E213", read_qrels, text("1 0 a 1\n"), grades="complex")


def test_five_columns_are_never_guessed():
    error = refused("E105", read_qrels, text("301 0 FT911-3 2 1\n"))
    assert error.problem == "expected 4 columns, found 5"
    stratum = read_qrels(text("301 0 FT911-3 2 1\n"), format="stratum")
    assert (stratum.grade.tolist(), list(stratum.stratum or [])) == ([1], ["2"])
    sampled = read_qrels(text("301 0 FT911-3 1 0.25\n"), format="qrels-probability")
    assert sampled == replace(Qrels.of(["301"], ["FT911-3"], [1], iteration=["0"]), probability=np.array([0.25]))
    refused("E119", read_qrels, text("301 0 FT911-3 1 1.25\n"), format="qrels-probability")


def test_subtopics_stay_in_the_iteration_column():
    qrels = read_qrels(text("201 1 d 1\n201 2 d 0\n"))
    assert list(qrels.iteration or []) == ["1", "2"]


def test_a_failed_judgment_is_unjudged_and_never_grade_0():
    failed = '{"topic":"1","doc":"a","assessor":"m","status":"failed","grade":null}\n'
    lines = failed + '{"topic":"1","doc":"b","assessor":"m","status":"judged","grade":2}\n'
    table = read_judgments(text(lines))
    assert (len(table), table.judged.tolist()) == (2, [False, True])
    with pytest.warns(DataWarning, match=r"W109: .*1 of 2 judgments failed or are open; they count as unjudged"):
        qrels = read_qrels(text(lines))
    assert qrels == Qrels.of(["1"], ["b"], [2])
    assert qrels.line_of(0) == 2


def test_a_judgment_without_grade_is_refused():
    refused("E110", read_judgments, text('{"topic":"1","doc":"a","assessor":"m","status":"judged"}\n'))
    refused("E118", read_judgments, text("1 0 d 1\n"))


def test_judgments_of_several_assessors_come_in_a_table(tmp_path):
    path = tmp_path / "j.csv"
    path.write_text("topic,doc,grade,assessor\n1,d,1,ann\n1,d,0,bob\n")
    table = read_judgments(path)
    assert list(table.assessor) == ["ann", "bob"]
    assert len(read_qrels(path)) == 2


# topics ---------------------------------------------------------------------------------------------------------

SGML = """<top>
<num> Number: 301
<title> International Organized Crime

<desc> Description:
Identify organizations.
<narr> Narrative:
A relevant document must
name one. <topic-date> 1999
</top>
<top><num>302</num><title>Poliomyelitis</title></top>
"""


def test_sgml_topics_are_read_with_and_without_closing_tags():
    topics = read_topics(text(SGML))
    assert topics["301"] == Topic(
        "301",
        "International Organized Crime",
        "Identify organizations.",
        "A relevant document must name one.",
        other={"topic-date": "1999"},
    )
    assert topics["302"] == Topic("302", "Poliomyelitis")


XML = """<topics>
 <topic number="12" type="single"><query>solar panel recycling</query>
  <description>longer wording</description><colour>red</colour></topic>
 <topic number="13" type="faceted"><query>harbour bridge</query>
  <subtopic number="1" type="inf">informational facet</subtopic>
  <subtopic number="2" type="nav">navigational &amp; facet</subtopic>
 </topic>
</topics>"""


def test_xml_topics_keep_facets_and_unknown_elements():
    topics = read_topics(text(XML))
    assert topics["12"] == Topic(
        "12", "solar panel recycling", "longer wording", type="single", other={"colour": "red"}
    )
    assert topics["13"].subtopics == (
        Subtopic("1", "informational facet", "inf"),
        Subtopic("2", "navigational & facet", "nav"),
    )


def test_a_topic_without_query_is_refused():
    refused("E119", read_topics, text('<topics><topic number="1"><narrative>x</narrative></topic></topics>'))
    refused("E119", read_topics, text("<top><num> 1 <desc> x </top>"))
    refused("E119", read_topics, text("q1\t\n"))
    refused("E119", read_topics, text('{"_id":"q1"}\n'))


def test_topics_that_are_there_twice_are_refused():
    refused("E119", read_topics, text("q1\ta\nq1\tb\n"))


def test_xml_that_is_broken_or_too_deep_is_refused():
    assert refused("E307", read_topics, text("<topics>\n<topic>")).line == 2
    refused("E307", read_topics, text("<a>" * 1000))
    refused("E104", read_topics, text("<topics/>"))


def test_entities_are_not_expanded_wherever_they_are_declared():
    bomb = '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><topic number="1"><query>&b;</query></topic>'
    refused("E304", read_topics, text(bomb))
    external = '<!DOCTYPE x SYSTEM "file:///etc/passwd"><topics/>'
    refused("E304", read_topics, text(external))


def test_real_topics_in_xml_are_read(shared):
    topics = read_topics(shared / "data" / "cranfield1400" / "cran.qry.xml")
    assert len(topics) == 225
    assert all(topic.query for topic in topics.values())


# documents ------------------------------------------------------------------------------------------------------


def test_documents_are_looked_up_by_id():
    documents = read_documents(text('{"_id":"d1","title":"T","text":"x"}\n\n{"id":"d2","contents":"y","price":3}\n'))
    assert documents["d1"] == Document("d1", "x", "T")
    assert documents["d2"] == Document("d2", "y", fields={"price": 3})
    assert "d3" not in documents


@pytest.mark.parametrize("first", [b"", b"\xef\xbb\xbf"])
def test_large_collections_stay_on_disk(tmp_path, monkeypatch, first):
    monkeypatch.setattr(on_disk_module, "WINDOW", 16)
    path = tmp_path / "corpus.jsonl"
    path.write_bytes(first + "".join(f'{{"_id":"d{n}","text":"é{n}"}}\n' for n in range(50)).encode())
    documents = read_documents(path)
    assert documents["d49"].text == "é49"
    assert documents["d0"].text == "é0"
    tsv = tmp_path / "corpus.tsv"
    tsv.write_bytes(first + "".join(f"d{n}\té {n}\r\n" for n in range(50)).encode())
    assert read_documents(tsv)["d0"] == Document("d0", "é 0")
    path.write_bytes(b'{"_id":"d1","text":"x"}\n' * 1 + b'{"_id":"d2","text":"\xe9"}\n')
    error = refused("E111", read_documents, path)
    assert (error.line, error.problem) == (2, "byte 0xE9 at column 21 is not UTF-8")


def test_documents_that_are_there_twice_or_nameless_are_refused():
    refused("E119", read_documents, text('{"_id":"d","text":"x"}\n{"_id":"d","text":"y"}\n'))
    refused("E303", read_documents, text('{"text":"x"}\n'))
    refused("E119", read_documents, text('{"_id":1.5}\n'))
    refused("E105", read_documents, text("d1 no tab\n"), format="tsv")


def test_a_directory_holds_one_document_in_each_file(tmp_path):
    (tmp_path / "d1.html").write_text("<p>é</p>")
    (tmp_path / "d2.md").write_text("# T")
    (tmp_path / "d3.txt").write_text("plain")
    (tmp_path / "skip.png").write_bytes(b"\x89PNG")
    documents = read_documents(tmp_path)
    assert list(documents) == ["d1", "d2", "d3"]
    assert [documents[name].kind for name in documents] == ["html", "markdown", "text"]
    (tmp_path / "d1.txt").write_text("again")
    refused("E119", read_documents, tmp_path)


def test_a_directory_without_documents_is_refused(tmp_path):
    refused("E104", read_documents, tmp_path)


# pools, probabilities, latencies --------------------------------------------------------------------------------


def test_an_adaptive_pool_knows_no_probabilities():
    pool = read_pool(text("topic\tdocument\tstratum\tinclusion_probability\n301\tFT911-3\tmtf\tNA\n"))
    assert (pool.adaptive, pool.strata, len(pool)) == (True, ["mtf"], 1)
    assert not read_pool(text("301\tFT911-3\tdepth20\t1.0\n")).adaptive
    refused("E119", read_pool, text("301\tFT911-3\tdepth20\t1.5\n"))
    refused("E105", read_pool, text("301\tFT911-3\n"))


def test_label_probabilities_add_up_to_1():
    table = read_probabilities(text('{"topic":"301","doc":"FT911-3","p":[0.7,0.2,0.1]}\n'))
    assert table.chance.tolist() == [[0.7, 0.2, 0.1]]
    refused("E119", read_probabilities, text('{"topic":"301","doc":"FT911-3","p":[0.7,0.2]}\n'))
    refused(
        "E119", read_probabilities, text('{"topic":"301","doc":"d","p":[1]}\n{"topic":"301","doc":"d","p":[0.5,0.5]}\n')
    )
    refused("E119", read_probabilities, text('{"doc":"FT911-3","p":[1]}\n'))


def test_latencies_and_facts_of_an_index_are_read(tmp_path):
    lines = '{"run":"bm25","topic":"301","latency_ms":12.5}\n{"run":"bm25","index_bytes":1000}\n'
    table = read_latencies(text(lines))
    assert (table.milliseconds.tolist(), table.facts) == ([12.5], {"bm25": {"index_bytes": 1000.0}})
    refused("E119", read_latencies, text('{"run":"bm25","topic":"301","latency_ms":-1}\n'))
    path = tmp_path / "l.csv"
    path.write_text("run,topic,latency_ms\nbm25,301,12.5\n")
    assert read_latencies(path).milliseconds.tolist() == [12.5]


@pytest.mark.parametrize(
    ("kind", "endings"),
    [("jsonl", {".jsonl", ".ndjson"}), ("parquet", {".parquet", ".pq"}), ("csv", {".csv"}), ("json", {".json"})],
)
def test_every_format_of_a_kind_has_the_endings_of_the_kind(kind, endings):
    """By which a file to be written gets its format."""
    formats = [format for format in FORMATS.values() if format.name.endswith(f"-{kind}")]
    assert len(formats) > 1
    assert [format.name for format in formats if not endings <= set(format.all_endings)] == []
