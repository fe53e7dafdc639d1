"""The error table of the manual (2.6), row by row: message, hint, exit code, and nothing on stdout."""

import gzip
import json
import os
import subprocess
import sys
import zlib

import pytest

from cranfield.errors.catalogue import CATALOGUE

SIX = "301 Q0 d{} {} {} a\n"
CUT = gzip.compress((SIX.format(1, 1, 1) * 48211).encode())[:-200]
LEFT = zlib.decompressobj(zlib.MAX_WBITS | 16).decompress(CUT).count(b"\n")  # whole lines that come out of it
ROWS: dict[
    int, tuple[dict[str, str | bytes], str | list[str], str, str | None, str, int]
] = {  # row -> (files, arguments, message, offending line or None, hint, exit)
    1: (
        {},
        "qrels.txt runs/dens.run",
        "E101: runs/dens.run: no such file",
        None,
        "did you mean runs/dense.run?",
        4,
    ),
    2: (
        {},
        "qrels.txt runs",
        "E102: runs: is a directory, expected a file",
        None,
        "use 'runs/*' to read every file in it",
        4,
    ),
    3: (
        {"runs/notes.txt": "x"},
        "qrels.txt runs/*.trec",
        "E103: 'runs/*.trec': no file matches",
        None,
        "runs/ holds 3 files with the endings .run (2), .txt (1)",
        4,
    ),
    4: (
        {"empty.txt": ""},
        "empty.txt runs/bm25.run",
        "E104: empty.txt: the file is empty",
        None,
        "if no document was judged, give at least one line: TOPIC 0 DOC 0",
        3,
    ),
    5: (
        {"a.run": "301 Q0 d1 1 3.5 a\n301 Q0 FT911-3 2 14.25\n"},
        "qrels.txt a.run",
        "E105: a.run:2: expected 6 columns, found 5",
        "301 Q0 FT911-3 2 14.25",
        "column 6 (run tag) is missing; add one, or pass --columns topic,_,doc,rank,score",
        3,
    ),
    6: (
        {"a.run": "301 Q0 d1 1 3.5 a\n301 Q0 d2 2 abc a\n"},
        "qrels.txt a.run",
        "E106: a.run:2: score 'abc' is not a number",
        "301 Q0 d2 2 abc a",
        "trec_eval would read 0.0 here; 'cranfield trec_eval' keeps that behaviour",
        3,
    ),
    7: (
        {"a.run": "301 Q0 d1 1 NaN a\n"},
        "qrels.txt a.run",
        "E107: a.run:1: score is NaN, which has no place in a ranking",
        "301 Q0 d1 1 NaN a",
        "fix the system, or drop such lines first",
        3,
    ),
    8: (
        {"a.run": "".join(SIX.format(d, n, -n) for n, d in enumerate([5, 7, 6, 7]))},
        "qrels.txt a.run",
        "E108: a.run:4: document 'd7' is listed twice for topic '301' (first at line 2)",
        "301 Q0 d7 3 -3 a",
        "--duplicates first|last|best keeps one of them",
        3,
    ),
    9: (
        {"q.txt": "301 0 d7 0\n301 0 d8 1\n301 0 d7 2\n"},
        "q.txt runs/bm25.run",
        "E109: q.txt:3: topic '301', document 'd7' has grade 2 here and 0 at line 1",
        "301 0 d7 2",
        "several assessors? give each a file, or an assessor column, and use 'cranfield agree'",
        3,
    ),
    10: (
        {"q.csv": "topic,doc,grade\n301,d1,0.5\n"},
        "q.csv runs/bm25.run",
        "E110: q.csv:2: grade '0.5' is not an integer",
        "301,d1,0.5",
        "--grades float accepts real gains for gain measures (nDCG, DCG, RBP …)",
        3,
    ),
    11: (
        {"q.txt": b"301 0 caf\xe9 1\n"},
        "q.txt runs/bm25.run",
        "E111: q.txt:1: byte 0xE9 at column 10 is not UTF-8",
        "301 0 caf\ufffd 1",
        "try --encoding latin-1",
        3,
    ),
    12: (
        {},
        "runs/bm25.run qrels.txt",
        "E112: runs/bm25.run: looks like a run (6 columns), expected qrels",
        None,
        "the order is QRELS RUN…; did you swap them?",
        2,
    ),
    13: (
        {"qrels2.txt": "301 0 d1 1\n"},
        "qrels.txt qrels2.txt",
        "E113: qrels2.txt: looks like qrels (4 columns), expected a run",
        None,
        "to measure agreement of two qrels use 'cranfield agree'",
        2,
    ),
    14: (
        {"q.txt": "q301 0 d1 1\n"},
        "q.txt runs/bm25.run",
        "E114: runs/bm25.run: none of its 2 topics occurs in q.txt",
        None,
        "run topics look like '301', qrels topics like 'q301'; see convert --map-topics",
        3,
    ),
    15: (
        {"div.txt": "".join(f"301 {subtopic} d1 1\n" for subtopic in range(1, 7))},
        "div.txt runs/bm25.run -m AP",
        "E115: div.txt: column 2 holds subtopics 1…6, AP needs one judgment per document",
        None,
        "use alpha_nDCG@20, ERR_IA@20 …, or --collapse any",
        3,
    ),
    16: (
        {},
        "qrels.txt runs/bm25.run -m nDGC@10",
        "E201: unknown measure 'nDGC@10'",
        None,
        "did you mean nDCG@10? 'cranfield measures' lists all",
        2,
    ),
    17: ({}, "qrels.txt runs/bm25.run -m P", "E202: P needs a cut-off", None, "write P@10", 2),
    18: (
        {},
        "qrels.txt runs/bm25.run -m RBP(p=1)",
        "E203: RBP(p=1): p must lie strictly between 0 and 1",
        None,
        "p=0.8 models a patient user, p=0.5 an impatient one",
        2,
    ),
    19: (
        {},
        "qrels.txt runs/bm25.run -m AP(k=1)",
        "E204: AP has no parameter 'k'",
        None,
        "a cut-off is written AP@100; AP takes rel, judged_only",
        2,
    ),
    21: (
        {
            "a.run": SIX.format(1, 1, 1).replace(" a\n", " run1\n"),
            "b.run": SIX.format(1, 1, 1).replace(" a\n", " run1\n"),
        },
        "qrels.txt run1=a.run run1=b.run",
        "E206: two runs are called 'run1': a.run, b.run",
        None,
        "write NAME=PATH",
        2,
    ),
    24: (
        {},
        ["qrels.txt", "runs/bm25.run", "--fail-if", "nDCG@10 lower .4"],
        "E209: cannot read the condition 'nDCG@10 lower .4' at column 9",
        None,
        "write it as 'nDCG@10 < 0.4'",
        2,
    ),
    26: (
        {},
        "qrels.txt runs/bm25.run -o qrels.txt",
        "E211: -o qrels.txt would overwrite an input",
        None,
        "choose another name",
        2,
    ),
    28: (
        {"a.run.gz": CUT},
        "qrels.txt a.run.gz",
        f"E301: a.run.gz: compressed data end early, after line {LEFT:,}",
        None,
        "copy the file again; nothing was evaluated",
        3,
    ),
    29: (
        {"r.jsonl": '{"topic":"301","doc":"d1","score":1,"run":"a"}\n{"topic":"301" "doc":"d2"}\n'},
        "qrels.txt r.jsonl",
        "E302: r.jsonl:2: not valid JSON, expected ',' at column 16",
        '{"topic":"301" "doc":"d2"}',
        "one JSON object per line",
        3,
    ),
    30: (
        {"r.csv": "query,url,rel\n301,d1,1\n"},
        "r.csv runs/bm25.run",
        "E303: r.csv: no column for the document id; found: query, url, rel",
        None,
        "--columns topic=query,doc=url,grade=rel",
        3,
    ),
}


@pytest.fixture(params=ROWS, ids=lambda row: f"row {row}")
def row(request, folder):
    files, arguments, *expected = ROWS[request.param]
    for name, text in files.items():
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return arguments if isinstance(arguments, list) else arguments.split(), expected


def test_an_error_says_what_where_and_what_to_do(cli, row):
    arguments, (message, text, hint, code) = row
    result = cli("evaluate", *arguments)
    assert result.code == code
    assert result.out == ""
    first, *rest = result.err.splitlines()
    assert first == f"cranfield: error {message}"
    assert rest == ([] if text is None else [f"  {text}"]) + [f"  hint: {hint}"]


def test_an_error_has_the_same_code_in_json(cli, row):
    arguments, (message, _, hint, code) = row
    result = cli("evaluate", *arguments, "--json")
    envelope = json.loads(result.out)
    assert (result.code, envelope["exit"], envelope["ok"]) == (code, code, False)
    assert envelope["errors"][0]["code"] == message[:4]
    assert envelope["errors"][0]["hint"] == hint
    assert envelope["result"] == {}


def test_an_input_is_not_touched_by_a_refused_output(cli, folder):
    before = (folder / "qrels.txt").read_bytes()
    for option in ("-o", "--save", "--junit", "--summary"):
        assert cli("evaluate", "qrels.txt", "runs/bm25.run", option, "./runs/../qrels.txt").code == 2
    assert (folder / "qrels.txt").read_bytes() == before


def test_several_errors_of_a_file_are_shown_with_one_hint(cli, folder):
    (folder / "a.run").write_text("301 Q0 d1 1 x a\n" * 30)
    shown = cli("evaluate", "qrels.txt", "a.run").err
    assert shown.count("error E106") == 20
    assert shown.count("hint:") == 1
    assert cli("evaluate", "qrels.txt", "a.run", "--max-errors", "3").err.count("error E106") == 3


def test_echoed_input_cannot_control_the_terminal(cli, folder):
    (folder / "a.run").write_text("301 Q0 d1 1 \x1b[31mred a\n")
    shown = cli("evaluate", "qrels.txt", "a.run").err
    assert "\x1b" not in shown
    assert "\\x1b[31mred" in shown


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_code_is_explained(cli, code):
    result = cli("--explain", code.lower())
    assert result.code == 0
    assert result.out.startswith(f"{code}: {CATALOGUE[code].title} (")
    assert CATALOGUE[code].explanation in result.out


def test_a_fault_of_ours_asks_for_a_report(cli, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("surprise")

    monkeypatch.setattr("cranfield.read.read_qrels", broken)
    result = cli("evaluate", "qrels.txt", "runs/bm25.run")
    assert (result.code, result.out) == (70, "")
    assert "ZeroDivisionError: surprise" in result.err
    assert "please report it" in result.err
    assert "Traceback" not in result.err
    assert "Traceback" in cli("evaluate", "qrels.txt", "runs/bm25.run", "-vv").err


def test_a_fault_of_ours_behind_trec_eval_is_one_line_too(cli, monkeypatch):
    def broken(*_, **__):
        raise ZeroDivisionError("surprise")

    monkeypatch.setattr("cranfield.compat.trec_eval.program.parse", broken)
    result = cli("trec_eval", "qrels.txt", "runs/bm25.run")
    assert (result.code, result.out) == (70, "")
    assert "ZeroDivisionError: surprise" in result.err
    assert "Traceback" not in result.err


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full disk to write to")
@pytest.mark.parametrize("verb", [["measures"], ["trec_eval", "-h"]])
def test_a_full_disk_is_no_fault_of_ours(verb, tmp_path):
    with open("/dev/full", "wb") as full:
        ended = subprocess.run(
            [sys.executable, "-c", "import sys; from cranfield.cli import main; sys.exit(main())", *verb],
            stdout=full,
            stderr=subprocess.PIPE,
            cwd=tmp_path,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (
        4,
        b"cranfield: error E120: <stdout>: cannot be written: no space left on device\n",
    )


def test_a_file_of_measures_may_hold_comments(cli, folder):
    (folder / "list.txt").write_text("# mine\nAP # the usual one\n  \nRR P@5#5\n")
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "@list.txt")
    assert result.out.split()[:4] == ["run", "AP", "RR", "P@5"]


def test_interruption_is_said_and_has_its_own_code(cli, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("cranfield.read.read_qrels", interrupted)
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-o", "out.csv")
    assert (result.code, result.out, result.err) == (130, "", "interrupted\n")


@pytest.mark.parametrize("option", ["-o", "--save", "--junit", "--summary"])
def test_an_impossible_place_is_refused_before_anything_is_read(cli, option):
    result = cli("evaluate", "nowhere.txt", "runs/bm25.run", option, "runs")
    assert result.code == 4
    assert "E120: runs: cannot be written: is a directory" in result.err


def test_an_empty_measure_is_not_the_default(cli):
    assert "E242: -m names no measure" in cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", " ").err


def test_an_unwritable_place_is_an_error(cli):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-o", "nowhere/out.csv")
    assert result.code == 4
    assert "E120: nowhere/out.csv: cannot be written: there is no folder nowhere\n" in result.err


def test_a_file_of_measures_that_is_no_text_is_an_error(cli, folder):
    (folder / "list.txt").write_bytes(b"\xff")
    assert "E111: list.txt: byte 0x" in cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "@list.txt").err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "E101: mine.py: no such file"),
        ("def broken(:\n", "E215: mine.py:1: SyntaxError"),
        ("import sys\nsys.exit(3)\n", "E215: mine.py:2: SystemExit: 3"),
        ("import cranfield as cf\ncf.parse('nDGC')\n", "E201: unknown measure 'nDGC'"),
    ],
)
def test_own_measures_that_cannot_be_loaded_are_said(cli, folder, text, message):
    if text is not None:
        (folder / "mine.py").write_text(text)
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "--load", "mine.py")
    assert f"cranfield: error {message}" in result.err


def test_the_command_line_spells_options_as_the_verb_does(cli, folder):
    here = ("evaluate", "qrels.txt", "runs/bm25.run")
    assert "error E240: -M 0 is out of range" in cli(*here, "-M", "0").err
    assert '"message": "-M 0 is out of range"' in cli(*here, "-M", "0", "--json").out
    assert cli("check", "qrels.txt", "runs/bm25.run", "--format-in", "x").err.count("format=") == 0


def test_notes_stand_before_the_error_they_precede(cli, folder):
    (folder / "twice.txt").write_text("301 0 d1 1\n301 0 d1 1\n")
    (folder / "a.run").write_text("301 Q0 d1 1 abc a\n")
    result = cli("evaluate", "twice.txt", "a.run")
    lines = [line for line in result.err.splitlines() if line.startswith("cranfield: ")]
    assert [line.split()[1] for line in lines] == ["note", "error"]
    assert result.code == 3
