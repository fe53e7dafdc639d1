"""`--drop-self`, `--fold` and `--fold-by` of the verbs that read runs."""

import json
from pathlib import Path

import pytest


@pytest.fixture
def chunks(folder):
    Path("qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\nd2 0 d2 1\nd2 0 d1 1\n")
    rows = ("q1 d2#0 5", "q1 d1#0 3", "q1 d1#1 9", "d2 d2#4 2", "d2 d1#7 1")
    for name in ("a", "b"):
        lines = [f"{topic} Q0 {chunk} 1 {score} {name}\n" for topic, chunk, score in map(str.split, rows)]
        Path(f"{name}.run").write_text("".join(lines))


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "qrels.txt", "a.run", "b.run", "-m", "RR"],
        ["compare", "qrels.txt", "a.run", "b.run", "-m", "RR"],
        ["holes", "qrels.txt", "a.run", "b.run", "-m", "RR"],
        ["pool", "a.run", "b.run"],
    ],
    ids=lambda words: words[0],
)
def test_verbs_clean_and_count(cli, chunks, words):
    result = cli(*words, "--fold", "#[0-9]+$", "--fold-by", "max", "--drop-self")
    assert result.code == 0
    assert "chunks folded 2 · self-matches left out 2" in result.out
    told = json.loads(cli(*words, "--fold", "#[0-9]+$", "--drop-self", "--json").out)
    assert told["audit"]["folded"] == {"a": 1, "b": 1}
    assert told["audit"]["self_matches"] == {"a": 1, "b": 1}
    assert told["policies"]["fold"] == "#[0-9]+$"


def test_the_file_of_defaults_may_set_them(cli, chunks):
    Path("cranfield.toml").write_text("[policy]\ndrop-self = true\nfold = '#[0-9]+$'\n")
    assert "chunks folded 1 · self-matches left out 1" in cli("evaluate", "qrels.txt", "a.run", "-m", "RR").out
    Path("cranfield.toml").write_text("[policy]\ndrop-self = 'yes'\n")
    assert "'yes' is not true or false" in cli("evaluate", "qrels.txt", "a.run").err
    Path("cranfield.toml").write_text("[policy]\nfold = 3\n")
    assert "3 is not a text" in cli("evaluate", "qrels.txt", "a.run").err


def test_check_says_which_option_leaves_self_matches_out(cli, chunks):
    Path("self.run").write_text("d2 Q0 d2 1 1.0 s\n")
    assert "--drop-self leaves each out of its own list" in cli("check", "self.run").out
