"""Run names on the command line: files with one tag, and files of one name, need no options."""

import json
from pathlib import Path

import pytest

import cranfield as cf


@pytest.fixture
def eight(folder):
    """Eight runs with one tag."""
    Path("qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
    Path("tagged").mkdir()
    for number in range(8):
        Path(f"tagged/s{number}.run").write_text("1 Q0 a 1 2.0 indri\n1 Q0 b 2 1.0 indri\n")


@pytest.fixture
def results(eight):
    """Two files of one name in two folders."""
    for name in ("v1", "v2"):
        Path(name).mkdir()
        Path(name, "results.csv").write_text("topic,doc,score\n1,a,2\n1,b,1\n")
    return ["v1/results.csv", "v2/results.csv"]


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "qrels.txt", "tagged/*.run", "-m", "AP"],
        ["compare", "qrels.txt", "tagged/*.run", "-m", "AP", "--baseline", "s7", "--test", "none"],
        ["holes", "qrels.txt", "tagged/*.run", "-m", "AP"],
        ["pool", "tagged/*.run", "--depth", "1"],
    ],
    ids=lambda words: words[0],
)
def test_every_verb_names_them_and_says_so(cli, eight, words):
    result = cli(*words)
    assert result.code == 0
    assert "s7" in result.out
    assert "8 runs share the name 'indri', so they are named after their files" in result.out


def test_check_notes_the_names(cli, eight):
    result = cli("check", "qrels.txt", "tagged/*.run")
    assert result.code == 0
    assert "8 runs are called 'indri'; they are named after their files: s0, s1, s2" in result.out


def test_the_envelope_says_which_tag_was_shared(cli, results):
    told = cli("evaluate", "qrels.txt", *results, "-m", "AP", "--json").out
    assert json.loads(told)["audit"]["shared_names"] == {"v1/results": "results", "v2/results": "results"}


def test_converting_runs_with_one_tag_keeps_them_apart(cli, eight):
    assert cli("convert", "tagged/s0.run", "tagged/s7.run", "-o", "both.csv").code == 0
    assert list(cf.read_runs("both.csv")) == ["s0", "s7"]
