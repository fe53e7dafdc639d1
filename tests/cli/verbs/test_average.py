"""`cranfield evaluate --average`: topics weigh the same, or as much as they have documents."""

import json

import pytest

QRELS = "easy 0 a 1\neasy 0 b 0\nhard 0 a 1\nhard 0 b 1\nhard 0 c 1\nhard 0 d 1\nhard 0 e 0\n"
RUN = "easy Q0 a 1 2 r\neasy Q0 b 2 1 r\nhard Q0 e 1 2 r\nhard Q0 a 2 1 r\n"


@pytest.mark.parametrize(
    ("average", "expected"), [("macro", (1 + 1 / 4) / 2), ("micro", 2 / 5), ("median", (1 + 1 / 4) / 2)]
)
def test_recall_is_averaged_both_ways(cli, folder, average, expected):
    (folder / "q.txt").write_text(QRELS)
    (folder / "r.run").write_text(RUN)
    result = cli("evaluate", "q.txt", "r.run", "-m", "SetR", "--average", average, "--json")
    assert result.code == 0, result.err
    envelope = json.loads(result.out)
    assert envelope["result"]["scores"][0]["mean"] == pytest.approx(expected)
    assert envelope["policies"].get("average", "macro") == average


def test_the_table_says_that_its_averages_are_micro(cli, folder):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "P@5", "--average", "micro", "--ci", "t")
    assert result.code == 0, result.err
    assert "average=micro" in result.out


def test_a_micro_average_of_what_is_no_ratio_is_refused(cli, folder):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--average", "micro")
    assert result.code == 2
    assert "error E244: --average micro needs a ratio, and AP is none" in result.err
    assert "hint: ratios are " in result.err
    assert "P, R, F" in result.err


def test_the_table_says_that_its_numbers_are_medians(cli, folder):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--average", "median")
    assert result.code == 0, result.err
    assert "average=median" in result.out
    assert "in the median" in result.out
    assert "in the mean" not in result.out


def test_saved_medians_are_medians_when_they_are_read_again(cli, folder):
    cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--average", "median", "--save", "saved.json")
    envelope = json.loads((folder / "saved.json").read_text())
    assert envelope["result"]["averages"] == {"AP": "median"}
    result = cli("compare", "qrels.txt", "runs/dense.run", "-m", "AP", "--against", "saved.json")
    assert result.code == 3
    assert "error E220: saved.json: was averaged in another way" in result.err


@pytest.mark.parametrize(("measure", "what"), [("NumRet", "a sum over the topics"), ("GMAP", "a geometric mean")])
def test_the_median_of_what_is_no_mean_is_refused(cli, folder, measure, what):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "-m", measure, "--average", "median")
    assert result.code == 2
    assert f"error E244: --average median needs a mean over the topics, and {measure} is {what}" in result.err


def test_an_interval_of_a_median_is_drawn_and_never_that_of_a_mean(cli, folder):
    command = ("evaluate", "qrels.txt", "runs/bm25.run", "-m", "AP", "--average", "median", "--ci")
    refused = cli(*command, "t")
    assert refused.code == 2
    assert "error E244: --ci t is an interval of a mean, and --average median was asked for" in refused.err
    assert "hint: --ci bootstrap" in refused.err
    assert cli(*command, "bootstrap").code == 0


def test_a_gate_looks_at_the_median(cli, folder):
    (folder / "q.txt").write_text(QRELS.replace("hard", "h1") + QRELS.replace("easy", "e2").replace("hard", "h2"))
    (folder / "r.run").write_text(RUN.replace("hard", "h1"))  # recall 1, 1/4, 0, 0
    command = ("evaluate", "q.txt", "r.run", "-m", "SetR", "--average", "median", "--fail-if")
    assert cli(*command, "SetR < 0.2").code == 1  # the mean is 0.3125
    assert cli(*command, "SetR < 0.1").code == 0  # (0 + 1/4) / 2


def test_a_curve_has_no_median(cli, folder):
    result = cli("evaluate", "qrels.txt", "runs/bm25.run", "--curve", "pr", "--average", "median")
    assert result.code == 2
    assert "error E244: --average median does not apply to a curve" in result.err
