"""`cranfield evaluate --unjudged bounds|estimate`: ranges beside the means."""

import json

import jsonschema
import pytest

from cranfield.cli.schemas.schema import EVALUATE

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")


def test_the_table_csv_and_json_hold_the_ends(cli, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\n")
    (tmp_path / "run").write_text("q1 Q0 x 1 3 r\nq1 Q0 a 2 2 r\n")
    here = ("evaluate", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "RR", "--unjudged", "bounds")
    assert "[0.500, 1.000]" in (text := cli(*here).out)
    assert "universe=runs: only documents in these runs may be relevant" in text
    rows = cli(*here, "--format", "csv").out.splitlines()
    assert rows[0].split(",")[:5] == ["run", "RR", "RR lowest", "RR highest", "RR exact"]
    assert rows[1].split(",")[1:4] == ["0.5", "0.5", "1.0"]
    found = json.loads(cli(*here, "--json").out)["result"]["scores"][0]
    assert (found["possible"], found["possible_exact"]) == ([0.5, 1.0], True)
    estimated = json.loads(cli(*here[:-1], "estimate", "--json").out)["result"]["scores"][0]
    for row in (found, estimated):
        jsonschema.validate({"scores": [row]}, EVALUATE)
    assert estimated["band"][0] <= estimated["expected"] <= estimated["band"][1]


def test_the_universe_of_the_command_line_is_followed(cli, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\n")
    (tmp_path / "run").write_text("q1 Q0 x 1 3 r\nq1 Q0 a 2 2 r\n")
    here = ("evaluate", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "R@2", "--unjudged", "bounds", "--json")
    near, far = (json.loads(cli(*here, "--universe", name).out)["result"]["scores"][0] for name in ("runs", "open:4"))
    assert (near["possible"], far["possible"]) == ([1.0, 1.0], [0.2, 1.0])


def test_conditions_on_ranges_hold_beside_ranges_in_the_table(cli, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 x 1 3 r\nq1 Q0 a 2 2 r\n")
    done = cli(
        "evaluate", str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "RR", "--unjudged", "bounds",
        "--fail-if", "upper(RR) > 0.9",
    )  # fmt: skip
    assert done.code == 1


def test_a_comparison_refuses_ranges_as_a_policy(cli, tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 x 1 3 r\n")
    done = cli("compare", str(tmp_path / "qrels"), str(tmp_path / "run"), "--unjudged", "bounds")
    assert (done.code, "a comparison needs single values, and --unjudged bounds asks for ranges" in done.err) == (
        2,
        True,
    )
