"""`cranfield evaluate --tracker-names`: names that trackers of experiments take, in JSON."""

import json

import pytest

from cranfield.cli import main


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels.txt").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "bm25.run").write_text("1 Q0 a 1 2.0 bm25\n1 Q0 b 2 1.0 bm25\n")
    return [str(tmp_path / "qrels.txt"), str(tmp_path / "bm25.run")]


def test_each_mean_has_its_name_for_trackers_on_request(files, capsys):
    assert main(["evaluate", *files, "-m", "nDCG@10 RBP(p=0.8)", "--json", "--tracker-names"]) == 0
    rows = json.loads(capsys.readouterr().out)["result"]["scores"]
    assert [(row["measure"], row["tracker_name"]) for row in rows] == [
        ("nDCG@10", "ndcg_10"),
        ("RBP(p=0.8)", "rbp_p0.8"),
    ]
    assert main(["evaluate", *files, "-m", "nDCG@10", "--json"]) == 0
    assert "tracker_name" not in capsys.readouterr().out


def test_a_table_has_no_place_for_them(files, capsys):
    assert main(["evaluate", *files, "-m", "nDCG@10", "--tracker-names"]) == 2
    assert "--tracker-names are names in JSON" in capsys.readouterr().err
