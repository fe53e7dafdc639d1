"""`cranfield judge`: labs made of files, accounts, copies, exports; on the base installation but for serving."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import jsonschema
import pytest

from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, Work
from cranfield.judging.room import Room

POOL = "q1\td1\tdepth2\t1.0\nq1\td2\tdepth2\t1.0\nq2\td3\tdepth2\t1.0\nq2\td1\tdepth2\t1.0\n"
DOCS = '{"_id":"d1","title":"One","text":"the first"}\n{"_id":"d2","text":"second"}\n{"_id":"d3","text":"third"}\n'
MAKE = ("judge", "init", "lab.db", "--pool", "pool.tsv", "--topics", "topics.tsv", "--docs", "docs.jsonl")


@pytest.fixture
def files(folder):
    """A pool, its topics and its documents."""
    (folder / "pool.tsv").write_text(POOL)
    (folder / "topics.tsv").write_text("q1\tmerge sorted files\nq2\tcheap flights\n")
    (folder / "docs.jsonl").write_text(DOCS)
    return folder


@pytest.fixture
def lab(files, cli):
    """A lab of them."""
    assert cli(*MAKE, "--grades", "0-2").code == 0
    return files / "lab.db"


def judged(lab, **grades):
    """Judge all pairs as people with one grade each."""
    room = Room.open(lab)
    for name, grade in grades.items():
        room.add_user(name)
        while isinstance(work := room.next(name), Work):
            room.judge(name, work.item, AssessorAnswer("judged", grade), client_id=f"{name}{work.item}", method="key")
    room.close()


def rows(lab, table):
    """All rows of a table of the lab."""
    with closing(sqlite3.connect(lab)) as connection:
        return connection.execute(f"SELECT * FROM {table}").fetchall()


def checked(cli, *arguments):
    """The result of a command with --json, valid against its schema."""
    printed = cli(*arguments, "--json")
    schema = json.loads(cli("judge", arguments[1], "--json-schema").out)
    envelope = json.loads(printed.out)
    jsonschema.Draft202012Validator(schema).validate(envelope)
    assert envelope["command"] == "judge"
    assert envelope["exit"] == printed.code
    return envelope["result"]


def test_init_says_what_became_of_the_files(cli, files):
    result = cli(*MAKE, "--overlap", "50%")
    assert result.out == " lab.db: 4 pairs, 2 of them for two assessors; 3 of 3 documents found\n"
    assert result.err == "cranfield: 'cranfield judge lab.db' serves it\n"


def test_init_as_json(cli, files):
    result = checked(cli, *MAKE)
    assert (result["pairs"], result["documents"], result["documents_found"]) == (4, 3, 3)


def test_init_refuses_a_file_that_is_there(cli, lab):
    before = lab.read_bytes()
    result = cli(*MAKE)
    assert (result.code, result.err.splitlines()[0]) == (3, "cranfield: error E406: lab.db: exists already")
    assert lab.read_bytes() == before


def test_documents_that_are_missing_are_e405(cli, files):
    (files / "docs.jsonl").write_text(DOCS.splitlines()[0])
    result = cli(*MAKE)
    assert result.code == 3
    assert result.err.splitlines() == [
        "cranfield: error E405: 2 of 3 pooled documents are not in docs.jsonl (first: d2)",
        "  hint: --allow-missing-docs shows their ids only",
    ]
    assert not (files / "lab.db").exists()
    assert cli(*MAKE, "--allow-missing-docs").out == " lab.db: 4 pairs; 1 of 3 documents found\n"


def test_topics_that_are_missing_are_an_error(cli, files):
    (files / "topics.tsv").write_text("q1\tmerge\n")
    result = cli(*MAKE)
    assert "E408: 1 of 2 topics of the pool are not in topics.tsv (first: q2)" in result.err
    (files / "topics.tsv").write_text("1\tmerge\n")
    assert "E114: topics.tsv: none of its topics occurs in the pool" in cli(*MAKE).err


@pytest.mark.parametrize("kept", ["kept", "referenced"])
def test_texts_are_kept_or_read_where_they_are(cli, files, kept):
    assert cli(*MAKE, "--documents", kept).code == 0
    room = Room.open(files / "lab.db")
    room.add_user("ann")
    work = room.next("ann")
    assert isinstance(work, Work)
    shown = room.document("ann", work.item)
    assert shown.text in DOCS
    assert not shown.problem
    (files / "docs.jsonl").write_text(
        DOCS.replace("first", "fiRst").replace("second", "sEcond").replace("third", "tHird")
    )
    again = room.document("ann", work.item)
    assert (again.text == shown.text) == (kept == "kept")
    assert bool(again.problem) == (kept == "referenced")
    room.close()


def test_a_compressed_file_cannot_be_read_in_place(cli, files):
    import gzip

    (files / "docs.jsonl.gz").write_bytes(gzip.compress(DOCS.encode()))
    result = cli(*MAKE[:-1], "docs.jsonl.gz", "--documents", "referenced")
    assert "E242: docs.jsonl.gz: its documents cannot be read in place" in result.err
    assert cli(*MAKE[:-1], "docs.jsonl.gz").code == 0


def test_grades_have_labels(cli, files):
    (files / "labels.txt").write_text("0 Not at all\n1\tA little\n2 Answers the need\n")
    assert cli(*MAKE, "--grades", "0-2", "--labels", "labels.txt").code == 0
    room = Room.open(files / "lab.db")
    assert room.grades() == {0: "Not at all", 1: "A little", 2: "Answers the need"}
    room.close()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--grades", "2"), "E242: --grades 2 is not a list of grades"),
        (("--grades", "0-12"), "E242: --grades 0-12 is not a list of grades"),
        (("--overlap", "120%"), "E242: --overlap 120% is no share"),
        (("--labels", "topics.tsv"), "E119: topics.tsv:1: expected one of the grades 0, 1 and a label"),
        (("--guidelines", "nowhere.md"), "E101: nowhere.md: no such file"),
        (("--order", "alphabet"), "E213: --order: 'alphabet' is unknown"),
    ],
)
def test_choices_that_cannot_be_followed_are_refused(cli, files, options, message):
    result = cli(*MAKE, *options)
    assert result.err.splitlines()[0] == f"cranfield: error {message}"
    assert not (files / "lab.db").exists()


def test_pairs_are_added_and_those_that_are_there_are_counted(cli, lab, files):
    judged(lab, ann=1)
    (files / "more.txt").write_text("q1 d1\nq1 d9\nq3 d2\n")
    (files / "new.tsv").write_text("q3\tnew topic\n")
    refused = cli("judge", "add", "lab.db", "more.txt", "--topics", "new.tsv", "--docs", "docs.jsonl")
    assert "E405: 1 of 1 pooled document is not in docs.jsonl (first: d9)" in refused.err
    result = checked(
        cli, "judge", "add", "lab.db", "more.txt", "--topics", "new.tsv", "--docs", "docs.jsonl", "--allow-missing-docs"
    )
    assert (result["pairs"], result["documents"], result["documents_found"]) == (3, 1, 0)
    assert len(list(Lab.open(lab).judgments())) == 4


def test_accounts_are_added_listed_and_shut(cli, lab, monkeypatch):
    import io

    monkeypatch.setattr(sys, "stdin", io.StringIO("correct horse battery\n"))
    added = cli("judge", "users", "lab.db", "add", "ann", "--role", "owner", "--password-stdin")
    assert added.out == " ann: added as owner\n"
    code = cli("judge", "users", "lab.db", "add", "bob", "--no-password").out
    assert "code for choosing a password" in code
    assert "E242: there is a user 'bob' already" in cli("judge", "users", "lab.db", "add", "bob", "--no-password").err
    cli("judge", "users", "lab.db", "disable", "bob")
    known = checked(cli, "judge", "users", "lab.db", "list")["users"]
    assert [(each["name"], each["roles"], each["disabled"], each["password"]) for each in known] == [
        ("ann", ["owner"], False, True),
        ("bob", ["assessor"], True, False),
    ]
    assert "ann" in cli("judge", "users", "lab.db", "list").out
    assert "E408: there is no user 'eve'" in cli("judge", "users", "lab.db", "disable", "eve").err
    assert "correct horse" not in str(rows(lab, "users"))


def test_a_password_is_asked_for_on_a_terminal_alone(cli, lab):
    result = cli("judge", "users", "lab.db", "add", "ann")
    assert result.code == 2
    assert "--password-stdin reads one, --no-password lets the person choose" in result.err


def test_an_invitation_is_a_link_with_the_code_behind_the_hash(cli, lab):
    result = checked(cli, "judge", "invite", "lab.db", "--role", "adjudicator", "--public-url", "https://x.org/lab/")
    assert result["link"] == f"https://x.org/lab/invite#invite={result['code']}"
    assert result["code"] not in str(rows(lab, "tokens"))


def test_export_writes_qrels_and_says_under_which_rule(cli, lab, files):
    judged(lab, ann=1)
    result = cli("judge", "export", "lab.db", "-o", "out.txt")
    assert result.out.startswith(" 4 pairs: 4 judged · ")
    assert result.out.endswith("rule: adjudicated, otherwise majority\n")
    assert (files / "out.txt").read_text().splitlines()[0].split() == ["q1", "0", "d1", "1"]
    assert (files / "out.txt.meta.json").exists()
    assert checked(cli, "judge", "export", "lab.db", "-o", "raw.jsonl", "--rule", "raw")["counts"]["judged"] == 4


def test_export_does_not_write_over_the_lab(cli, lab):
    assert "E211: -o lab.db would overwrite an input" in cli("judge", "export", "lab.db", "-o", "lab.db").err


def test_status_import_and_requests_are_as_their_schemas_say(cli, lab, files):
    judged(lab, ann=1)
    assert checked(cli, "judge", "status", "lab.db")["pairs"] == 4
    (files / "labels.txt").write_text("q1 0 d1 2\nq2 0 d3 0\n")
    result = checked(cli, "judge", "import", "lab.db", "labels.txt", "--as", "model", "--kind", "llm")
    assert (result["added"], result["counts"]) == (2, False)
    assert checked(cli, "judge", "requests", "lab.db", "-o", "r.jsonl")["requests"] == 4


def test_a_copy_is_made_and_put_in_place(cli, lab, files):
    assert checked(cli, "judge", "backup", "lab.db", "copy.db")["copy"] == "copy.db"
    judged(lab, ann=1)
    assert cli("judge", "backup", "lab.db", "copy.db").code == 4
    result = checked(cli, "judge", "restore", "lab.db", "copy.db")
    assert list(Lab.open(lab).judgments()) == []
    assert len(list(Lab.open(files / result["replaced"]).judgments())) == 4


def test_a_damaged_lab_is_refused_and_can_be_restored(cli, lab, files):
    cli("judge", "backup", "lab.db", "copy.db")
    lab.write_bytes(lab.read_bytes()[:5000])
    assert "E406: lab.db: is damaged" in cli("judge", "doctor", "lab.db").err
    assert cli("judge", "restore", "lab.db", "copy.db").code == 0
    assert cli("judge", "doctor", "lab.db").out.startswith(" lab.db: well, ")


def test_doctor_finds_and_rebuilds_tables_that_do_not_follow_from_events(cli, lab):
    judged(lab, ann=1)
    with sqlite3.connect(lab) as connection:
        connection.execute("UPDATE current SET grade = 2")
    connection.close()
    result = cli("judge", "doctor", "lab.db")
    assert (result.code, "does not follow from the events" in result.out) == (1, True)
    assert cli("judge", "doctor", "lab.db", "--rebuild").code == 0
    assert checked(cli, "judge", "doctor", "lab.db")["problems"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nowhere.db",), "E101: nowhere.db: no such file"),
        (("status", "qrels.txt"), "E406: qrels.txt: "),
        (("exprot", "lab.db"), "E200: there is no sub-verb 'exprot'"),
        (("users", "lab.db", "add"), "E200: users add needs a name"),
        (("lab.db", "--prot", "1"), "E200: there is no option '--prot'"),
    ],
)
def test_wrong_calls_are_one_line_and_a_hint(cli, lab, arguments, message):
    result = cli("judge", *arguments)
    assert result.code in (2, 3, 4)
    assert result.err.splitlines()[0].startswith(f"cranfield: error {message}")
    assert len(result.err.splitlines()) <= 2


def test_serving_without_the_extra_says_how_to_install_it(cli, lab, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    monkeypatch.setitem(sys.modules, "starlette", None)
    result = cli("judge", "lab.db")
    assert result.code == 2
    assert "E212: the judging room needs starlette" in result.err
    assert "pip install 'cranfield[judge]'" in result.err


def test_everything_but_serving_works_on_the_base_installation(files):
    program = f"""
import sys
for name in ("starlette", "uvicorn", "jinja2", "nh3", "argon2", "markdown_it", "python_multipart", "polars"):
    sys.modules[name] = None
from cranfield.cli import main
for words in ({MAKE!r}, ("judge", "status", "lab.db"), ("judge", "invite", "lab.db"),
              ("judge", "requests", "lab.db", "-o", "r.jsonl"), ("judge", "import", "lab.db", "l.txt", "--as", "m"),
              ("judge", "users", "lab.db", "add", "ann", "--no-password"), ("judge", "export", "lab.db", "-o", "q.txt"),
              ("judge", "backup", "lab.db", "b.db"), ("judge", "doctor", "lab.db", "--rebuild"),
              ("judge", "restore", "lab.db", "b.db"), ("judge", "add", "lab.db", "more.txt")):
    assert main(list(words)) == 0, words
"""
    (files / "l.txt").write_text("q1 0 d1 1\n")
    (files / "more.txt").write_text("q1 d3\n")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=files)
    assert done.returncode == 0, done.stderr


def test_an_option_that_knows_one_word_says_so(cli):
    refused = cli("judge", "export", "lab.db", "-o", "q.tsv", "--include", "all")
    assert (refused.code, refused.err) == (
        2,
        "cranfield: error E213: --include: 'all' is unknown\n  hint: one of llm\n",
    )
