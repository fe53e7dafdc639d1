"""`cranfield evaluate --average`: topics weigh the same, or as much as they have documents."""

import json

import pytest

QRELS = "easy 0 a 1\neasy 0 b 0\nhard 0 a 1\nhard 0 b 1\nhard 0 c 1\nhard 0 d 1\nhard 0 e 0\n"
RUN = "easy Q0 a 1 2 r\neasy Q0 b 2 1 r\nhard Q0 e 1 2 r\nhard Q0 a 2 1 r\n"


@pytest.mark.parametrize(("average", "expected"), [("macro", (1 + 1 / 4) / 2), ("micro", 2 / 5)])
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
