"""PRODUCT 2.6: what a person reads when an input is bad."""

import gzip
import io
import pickle
from pathlib import Path

import pytest

from cranfield.errors import Error
from cranfield.errors.wording import as_command
from cranfield.read import read_documents, read_qrels, read_run, read_runs, read_topics
from cranfield.read.objects import as_qrels
from cranfield.read.sources import content as content_module

RUN = "301 Q0 FT911-1 1 15.5 bm25\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """An empty working directory, so that messages hold short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, text: str | bytes) -> str:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return name


def said(error: Error) -> tuple[str, str, int]:
    """As the manual prints it, which is about the command line."""
    return f"{error.code}: {error.message}", as_command(error.hint), error.exit


def failure(read, *args, **options) -> Error:
    with pytest.raises(Error) as caught:
        read(*args, **options)
    return caught.value


def test_a_misspelt_file_is_answered_with_the_nearest_name(here):
    put("runs/dense.run", RUN)
    assert said(failure(read_run, "runs/dens.run")) == (
        "E101: runs/dens.run: no such file",
        "did you mean runs/dense.run?",
        4,
    )


def test_a_directory_is_not_a_file(here):
    put("runs/dense.run", RUN)
    assert said(failure(read_run, "runs")) == (
        "E102: runs: is a directory, expected a file",
        "use 'runs/*' to read every file in it",
        4,
    )


def test_a_glob_without_match_lists_the_endings(here):
    for number in range(11):
        put(f"runs/{number}.run", RUN)
    put("runs/notes.txt", "x")
    assert said(failure(read_runs, "runs/*.trec")) == (
        "E103: 'runs/*.trec': no file matches",
        "runs/ holds 12 files with the endings .run (11), .txt (1)",
        4,
    )


def test_a_glob_in_an_empty_or_missing_directory_says_so(here):
    Path("empty").mkdir()
    assert failure(read_runs, "empty/*").hint == "empty/ holds no files"
    assert failure(read_runs, "none/*").hint == "there is no directory none/"
    assert failure(read_run, "none/a.run").hint == "there is no directory none"


def test_an_empty_file_is_refused(here):
    assert said(failure(read_qrels, put("qrels.txt", ""))) == (
        "E104: qrels.txt: the file is empty",
        "if no document was judged, give at least one line: TOPIC 0 DOC 0",
        3,
    )


def test_a_line_of_five_columns_is_named_and_repeated(here):
    error = failure(read_run, put("runs/dense.run", RUN * 17 + "301 Q0 FT911-3 2 14.25\n" + RUN))
    assert said(error) == (
        "E105: runs/dense.run:18: expected 6 columns, found 5",
        "column 6 (run tag) is missing; add one, or pass --columns topic,_,doc,rank,score",
        3,
    )
    assert str(error).splitlines()[1] == "  301 Q0 FT911-3 2 14.25"


@pytest.mark.parametrize(
    ("read", "line", "hint"),
    [
        (read_run, "301 FT911-3 1", "is this an MS MARCO run? then --format run-msmarco"),
        (read_run, "301 Q0 FT911-3 1", "a line is: TOPIC Q0 DOC RANK SCORE TAG; ids cannot contain blanks"),
        (read_qrels, "301 0", "a line is: TOPIC ITERATION DOC GRADE; ids cannot contain blanks"),
    ],
)
def test_other_numbers_of_columns_have_hints_of_their_own(here, read, line, hint):
    role, row = ("run", RUN) if read is read_run else ("qrels", "301 0 d 1\n")
    error = failure(read, put("some.txt", f"{row}{line}\n"), format=f"{role}-trec")
    assert (error.code, error.line, as_command(error.hint)) == ("E105", 2, hint)


def test_text_as_score_is_refused(here):
    assert said(failure(read_run, put("runs/a.run", RUN * 2 + "301 Q0 d 1 abc t\n"))) == (
        "E106: runs/a.run:3: score 'abc' is not a number",
        "trec_eval would read 0.0 here; 'cranfield trec_eval' keeps that behaviour",
        3,
    )


def test_a_nan_score_is_refused(here):
    assert said(failure(read_run, put("runs/a.run", RUN * 76 + "301 Q0 d 1 NaN t\n"))) == (
        "E107: runs/a.run:77: score is NaN, which has no place in a ranking",
        "fix the system, or drop such lines first",
        3,
    )


def test_a_fractional_grade_is_refused_unless_real_gains_are_asked_for(here):
    name = put("qrels.csv", "topic,doc,grade\n1,a,1\n1,b,2.0\n1,c,0\n1,d,0.5\n")
    assert said(failure(read_qrels, name)) == (
        "E110: qrels.csv:5: grade '0.5' is not an integer",
        "--grades float accepts real gains for gain measures (nDCG, DCG, RBP …)",
        3,
    )
    assert read_qrels(name, grades="float").grade.tolist() == [1.0, 2.0, 0.0, 0.5]


def test_a_wrong_encoding_is_located(here):
    name = put(
        "topics.tsv",
        b"q1\tfine\n" * 11 + "q12\tfunctional café\n".encode("latin-1").replace(b"functional ", b"our la "),
    )
    error = failure(read_topics, name)
    assert said(error) == ("E111: topics.tsv:12: byte 0xE9 at column 15 is not UTF-8", "try --encoding latin-1", 3)


def test_swapped_arguments_are_recognised(here):
    assert said(failure(read_qrels, put("bm25.run", RUN))) == (
        "E112: bm25.run: looks like a run (6 columns), expected qrels",
        "the order is QRELS RUN…; did you swap them?",
        2,
    )


def test_swapped_arguments_are_recognised_though_a_line_is_broken(here):
    assert failure(read_qrels, put("a.txt", RUN * 3 + "301 Q0 d 1\n"[:-3] + "\n")).code == "E112"
    assert failure(read_run, put("b.txt", "301 0 d1 1\n" * 3 + "301 0 d2\n")).code == "E113"


def test_qrels_in_the_place_of_a_run_are_recognised(here):
    assert said(failure(read_run, put("qrels2.txt", "301 0 d1 1\n"))) == (
        "E113: qrels2.txt: looks like qrels (4 columns), expected a run",
        "to measure agreement of two qrels use 'cranfield agree'",
        2,
    )


def test_truncated_compressed_data_say_how_far_they_reach(here):
    lines = b"".join(b"301 Q0 d%d 1 %d.5 bm25\n" % (number, number) for number in range(60_000))
    whole = gzip.compress(lines)
    error = failure(read_run, put("runs/a.run.gz", whole[: len(whole) * 9 // 10]))
    assert error.code == "E301"
    assert error.message.startswith("runs/a.run.gz: compressed data end early, after line 5")
    assert (error.hint, error.exit) == ("copy the file again; nothing was evaluated", 3)


def test_broken_json_lines_are_located(here):
    good = '{"topic":"1","doc":"d","score":1}\n'
    name = put("run.jsonl", good * 6 + '{"topic":"1","doc":"d","score" 1}\n')
    assert said(failure(read_run, name)) == (
        "E302: run.jsonl:7: not valid JSON, expected ':' at column 32",
        "one JSON object per line",
        3,
    )


def test_a_table_without_a_known_column_says_what_it_found(here):
    assert said(failure(read_qrels, put("r.csv", "query,url,rel\nq1,http://x,1\n"))) == (
        "E303: r.csv: no column for the document id; found: query, url, rel",
        "--columns topic=query,doc=url,grade=rel",
        3,
    )
    assert len(read_qrels("r.csv", columns="topic=query,doc=url,grade=rel")) == 1


def test_entity_declarations_are_refused(here):
    name = put("topics.xml", '<?xml version="1.0"?>\n<!DOCTYPE t [<!ENTITY a "b">]>\n<topics/>')
    assert said(failure(read_topics, name)) == (
        "E304: topics.xml:2: entity declarations are refused",
        "remove the DOCTYPE",
        3,
    )


def test_an_endless_line_is_refused(here, monkeypatch):
    monkeypatch.setattr(content_module, "MAX_LINE", 1000)
    name = put("corpus.jsonl", '{"_id":"d","text":"x"}\n' * 89 + "[" + "1," * 1000 + "1]\n")
    assert said(failure(read_documents, name)) == (
        "E305: corpus.jsonl:90: line is longer than 64 MiB",
        "is this JSONL? a JSON array must be split first",
        3,
    )


def test_up_to_twenty_errors_of_a_file_are_collected_in_order_of_lines(here):
    name = put("a.run", "".join(f"301 Q0 d{n} 1 {'x' if n % 2 else 'nan'} t\n301 Q0 d\n" for n in range(30)))
    error = failure(read_run, name)
    lines = [error.line, *(other.line for other in error.more)]
    assert lines == list(range(1, 21))
    assert len(failure(read_run, name, max_errors=3).more) == 2


def test_control_characters_in_a_repeated_line_are_escaped(here):
    error = failure(read_run, put("a.run", "301 Q0 \x1b[31md 1 2\n"))
    assert "\x1b" not in str(error)
    assert r"\x1b[31m" in str(error)


def test_a_wrong_byte_is_repeated_with_its_line(here):
    assert failure(read_qrels, put("q.txt", b"1 0 a 1\n1 0 caf\xe9 1\r\n")).text == "1 0 caf\ufffd 1"
    recoded = put(
        "q.utf16", b"\xff\xfe" + "1 0 a 1\n1 0 ".encode("utf-16-le") + b"\x00\xd8" + " 1\n".encode("utf-16-le")
    )
    error = failure(read_qrels, recoded, encoding="utf-16")
    assert (error.code, error.line, error.text) == ("E111", 2, "1 0 \ufffd 1")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_table_can_repeat_the_line_of_a_row(here, pack):
    run = read_run(put("a.run", pack("# café\n1 Q0 a 1 2 x\n\n1 Q0 é 2 1 x\r\n".encode("latin-1"))), encoding="latin-1")
    qrels = read_qrels(put("q.csv", pack(b'topic,doc,grade\n1,"a,b",1\n')))
    assert [run.text_of(row) for row in range(2)] == ["1 Q0 a 1 2 x", "1 Q0 é 2 1 x"]
    assert qrels.text_of(0) == '1,"a,b",1'
    assert pickle.loads(pickle.dumps(qrels)).text_of(0) == '1,"a,b",1'


def test_a_line_that_cannot_be_read_again_is_not_repeated(here):
    run = read_run(io.StringIO("1 Q0 a 1 2 x\n"))
    assert run.text_of(0) is None
    gone, changed = read_run(put("a.run", RUN)), read_run(put("b.run", RUN))
    Path("a.run").unlink()
    put("b.run", "# new\n" + RUN)
    assert (gone.text_of(0), changed.text_of(0)) == (None, None)


def test_an_unreadable_rank_is_shown_with_its_line(here):
    run = read_run(put("a.run", "1 Q0 a x 2 t\n"))
    assert failure(run.ranks).text == "1 Q0 a x 2 t"


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("topic,doc,doc,score", "document id: doc, doc"),
        ("topic,qid,doc,score", "topic id: topic, qid"),
        ("query,Query,doc,score", "topic id: query, Query"),
        ("topic,docno,doc_id,score", "document id: docno, doc_id"),
        ("topic,doc,score,sim", "score: score, sim"),
    ],
)
def test_two_columns_of_one_role_are_not_guessed(here, header, role):
    name = put("r.csv", f"{header}\n1,2,3,4\n")
    assert said(failure(read_run, name))[0] == f"E303: r.csv: 2 columns for the {role}"


def test_a_named_column_ends_the_doubt(here):
    name = put("r.csv", "topic,docno,doc_id,score\n1,a,b,4\n")
    assert failure(read_run, name).hint == 'columns="doc=docno" says which one'
    assert list(read_run(name, columns="doc=doc_id").document) == ["b"]


def test_texts_of_queries_and_numbers_of_an_index_are_told_from_ids(here):
    run = read_run(put("r.csv", "qid,docid,docno,rank,score,query\n1,7,FT1,1,2.5,cheap flights\n"))
    assert (run.topics, list(run.document)) == (("1",), ["FT1"])
    qrels = read_qrels(put("q.csv", "topic,doc,score,grade\n1,a,0.25,3\n"))
    assert qrels.grade.tolist() == [3]


def test_one_line_has_one_error(here):
    good = '{"topic":"1","doc":"a","score":1}\n'
    error = failure(read_run, put("r.jsonl", good + '{"topic":"1","doc":"b"}\n{"topic":"","doc":"c","score":"x"}\n'))
    assert [(each.line, each.problem) for each in (error, *error.more)] == [
        (2, "field 'score' is missing"),
        (3, "the topic id is empty"),
    ]


@pytest.mark.parametrize("grade", ["9007199254740992", "-9007199254740992", "99999999999999999999", "1e30"])
def test_a_grade_that_no_float_can_tell_from_its_neighbours_is_too_large(here, grade):
    error = failure(read_qrels, put("q", f"1 0 d 9007199254740991\n1 0 e {grade}\n"))
    assert said(error)[0] == f"E110: q:2: grade {grade!r} is too large: it must be below 2^53"


@pytest.mark.parametrize("grade", [2**53, -(2**53), 2**70, 1e30])
def test_a_grade_from_python_is_too_large_likewise(grade):
    for qrels in ({"1": {"d": grade}}, {"1": {"d": grade, "e": 1}}):
        error = failure(as_qrels, qrels)
        assert error.code == "E110"
        assert "is too large: it must be below 2^53 (topic '1', document 'd')" in str(error)


@pytest.mark.parametrize("grades", [{"d": [1]}, {"d": [1], "e": [2]}, {"d": [1], "e": 2}, {"d": [1, 2], "e": [1]}])
def test_a_grade_that_is_a_list_is_refused(grades):
    assert failure(as_qrels, {"1": grades}).code == "E110"
