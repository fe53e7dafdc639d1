"""`cranfield bench`, on hardly any data: what is printed, what is refused; never how long it took."""

import json
import sys

import pytest
from jsonschema import validate

TINY = ("bench", "--size", "XS", "--repeats", "1", "-q")
DROP_IN = "import sys; from cranfield.cli import main; sys.exit(main(['trec_eval', *sys.argv[1:]]))"


@pytest.fixture
def trec_eval(folder):
    """A program that is called like trec_eval; with an argument it changes what is printed."""

    def make(change=""):
        path = folder / "trec_eval"
        path.write_text(f'#!/bin/sh\n"{sys.executable}" -c "{DROP_IN}" "$@" {change}\n')
        path.chmod(0o755)
        return f"trec_eval={path}"

    return make


def test_every_part_is_a_row_of_one_table(cli):
    parts = [word for part in ("files", "dicts", "start", "growth") for word in ("--part", part)]
    result = cli(*TINY, *parts, "--rows", "2000", "--against", "pytrec_eval", "--format", "tsv")
    assert (result.code, result.err) == (0, "")
    head, *rows = [line.split("\t") for line in result.out.splitlines()]
    assert head[:4] == ["part", "size", "rows", "program"]
    assert {row[0] for row in rows} == {"files", "dicts", "start", "growth"}
    assert {row[3] for row in rows if row[0] == "files"} >= {"cranfield", "cranfield trec_eval", "pytrec_eval"}
    assert all(len(row) == len(head) for row in rows)


def test_a_report_is_measured_with_the_size_of_its_page(cli):
    result = cli(*TINY, "--part", "report", "--against", "none", "--json")
    (row,) = json.loads(result.out)["result"]["costs"]
    name, _, size = row["program"].rpartition(", ")
    assert name == "report of 2 runs × 6 topics"
    assert 0.5 < float(size.removesuffix(" MB")) < 5
    assert row["cpu"] > 0


def test_the_table_says_where_it_was_measured(cli):
    result = cli(*TINY, "--part", "start", "--against", "none")
    assert result.code == 0
    assert "import cranfield" in result.out
    assert "import pytrec_eval" not in result.out
    assert "core" in result.out
    assert "Python 3." in result.out
    assert "medians of 1 interleaved repeat" in result.out


def test_the_envelope_is_valid(cli, trec_eval):
    result = cli(*TINY, "--part", "files", "--against", trec_eval(), "--json")
    data = json.loads(result.out)
    validate(data, json.loads(cli("bench", "--json-schema").out))
    rows = {row["program"]: row for row in data["result"]["costs"]}
    assert rows["cranfield"]["ratio"] == 1
    assert rows["trec_eval"]["problem"] == ""
    assert rows["trec_eval"]["ratio"] > 0


def test_a_program_with_other_numbers_is_refused_and_the_command_fails(cli, trec_eval):
    result = cli(*TINY, "--part", "files", "--against", trec_eval("| sed s/0.0/0.9/"), "--json")
    assert result.code == 1
    (row,) = [row for row in json.loads(result.out)["result"]["costs"] if row["program"] == "trec_eval"]
    assert "of topic 100" in row["problem"]
    assert (row["cpu"], row["wall"], row["peak"], row["ratio"]) == (None, None, None, None)


def test_files_are_kept_in_a_folder_and_used_again(cli, folder):
    arguments = (*TINY, "--part", "files", "--against", "none", "--folder", "kept")
    assert cli(*arguments).code == 0
    runs = {path: path.stat().st_mtime_ns for path in (folder / "kept").rglob("*.run")}
    assert len(runs) == 2
    assert cli(*arguments).code == 0
    assert {path: path.stat().st_mtime_ns for path in runs} == runs


def test_the_page_is_written_between_its_marks(cli, folder):
    page = folder / "speed.md"
    page.write_text("before\n<!-- bench start -->\nold\n<!-- end of bench -->\nafter\n")
    assert cli(*TINY, "--part", "start", "--against", "none", "--page", "speed.md").code == 0
    text = page.read_text()
    assert text.startswith("before\n<!-- bench start -->\n\n| program | CPU s | wall s | peak MB |\n")
    assert text.endswith("<!-- end of bench -->\nafter\n")


@pytest.mark.parametrize(
    ("arguments", "message", "code"),
    [
        (("--against", "lucene"), "E213: --against: 'lucene' is unknown", 2),
        (("--against", "trec_eval=nowhere"), "E101: nowhere: no such program", 4),
        (("--folder", __file__), f"E120: {__file__}: is a file, expected a directory", 4),
        (("--folder", "/dev/null/x"), "E120: /dev/null/x: cannot be made: not a directory", 4),
        (("--size", "XXL"), "E213: --size: 'XXL' is unknown", 2),
        (("--part", "start", "--page", "nowhere.md"), "E120: nowhere.md: cannot be read", 4),
        (("--repeats", "99999999999"), "E200: invalid value for '--repeats': 99999999999 is not in the range", 2),
        (("--part", "growth", "--rows", "99999999999"), "E200: invalid value for '--rows': 99999999999 is not in", 2),
    ],
)
def test_what_cannot_be_measured_is_said_in_a_line(cli, arguments, message, code):
    result = cli(*TINY, *arguments)
    assert (result.code, result.out) == (code, "")
    assert result.err.startswith(f"cranfield: error {message}")


def test_a_peer_that_is_not_installed_is_named_with_its_package(cli, monkeypatch):
    from cranfield.sample.bench import contenders

    monkeypatch.setattr(contenders, "find_spec", lambda name: None)
    result = cli(*TINY, "--against", "pytrec_eval")
    assert (result.code, result.out) == (2, "")
    assert "E200: pytrec_eval is not installed" in result.err
    assert "pip install pytrec-eval-terrier" in result.err


def test_peers_that_are_not_installed_are_left_out_unasked(cli, monkeypatch):
    from cranfield.sample.bench import contenders

    monkeypatch.setattr(contenders, "find_spec", lambda name: None)
    result = cli(*TINY, "--part", "start")
    assert result.code == 0
    assert "import pytrec_eval" not in result.out
