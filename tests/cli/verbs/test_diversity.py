"""`cranfield evaluate` on judgments of subtopics."""

import json

import pytest

QRELS = "301 1 d1 1\n301 2 d1 0\n301 2 d2 1\n302 1 d3 1\n302 1 d4 0\n"
INTENTS = "301 1 0.9\n301 2 0.1\n"


@pytest.fixture
def diverse(folder):
    (folder / "div.txt").write_text(QRELS)
    (folder / "intents.txt").write_text(INTENTS)
    return folder


def test_measures_of_diversity_are_printed(cli, diverse):
    result = cli("evaluate", "div.txt", "runs/bm25.run", "-m", "StRecall@1", "-m", "D#-nDCG@2")
    assert result.code == 0
    assert "StRecall@1" in result.out
    assert "0.2500" in result.out


def test_other_measures_beside_them_need_collapse(cli, diverse):
    arguments = ("evaluate", "div.txt", "runs/bm25.run", "-m", "StRecall@1", "-m", "P@1")
    refused = cli(*arguments)
    assert refused.code == 3
    assert "E115: div.txt: column 2 holds subtopics 1…2, P@1 needs one judgment per document" in refused.err
    assert cli(*arguments, "--collapse", "any").code == 0


def test_intents_are_read_and_listed_among_the_inputs(cli, diverse):
    arguments = ("evaluate", "div.txt", "runs/bm25.run", "-m", "P_IA@1", "--json")
    plain, likely = (json.loads(cli(*arguments, *more).out) for more in ((), ("--intents", "intents.txt")))
    means = [envelope["result"]["scores"][0]["mean"] for envelope in (plain, likely)]
    assert means == pytest.approx([0.25, 0.45])
    assert [entry["role"] for entry in likely["inputs"]] == ["qrels", "intents", "run"]
    assert likely["inputs"][1]["name"] == "intents.txt"


def test_a_layout_names_the_columns_of_the_intents(cli, diverse):
    (diverse / "intents.txt").write_text("301 1 nav 0.9\n301 2 inf 0.1\n")
    arguments = ("evaluate", "div.txt", "runs/bm25.run", "-m", "P_IA@1", "--intents", "intents.txt")
    assert cli(*arguments).code == 3
    assert cli(*arguments, "--columns", "topic,intent,_,probability").code == 0


def test_intents_are_never_overwritten(cli, diverse):
    arguments = ("evaluate", "div.txt", "runs/bm25.run", "-m", "P_IA@1", "--intents", "intents.txt")
    result = cli(*arguments, "-o", "intents.txt")
    assert (result.code, "E211" in result.err) == (2, True)
    assert (diverse / "intents.txt").read_text() == INTENTS


def test_plain_judgments_are_refused_in_one_line(cli, folder):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "alpha_nDCG@20")
    assert result.code == 3
    assert "E123: qrels.txt: column 2 holds no subtopics, alpha_nDCG@20 needs them" in result.err
