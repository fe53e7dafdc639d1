"""PRODUCT 2.6: what a person reads when an input is bad."""

import gzip
from pathlib import Path

import pytest

from cranfield.errors import Error
from cranfield.read import content as content_module
from cranfield.read import read_documents, read_qrels, read_run, read_runs, read_topics

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
    return f"{error.code}: {error.message}", error.hint, error.exit


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
