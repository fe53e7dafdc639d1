"""`--replicates GLOB=NAME` of evaluate and compare (issue 15, point 9)."""

import json

import pytest


@pytest.fixture
def seeds(folder):
    """Three runs of one system beside bm25."""
    for seed, first in ((1, "d1 d2"), (2, "d2 d1"), (3, "d1 d2")):
        one, two = first.split()
        lines = [f"301 Q0 {one} 1 2 dense-{seed}", f"301 Q0 {two} 2 1 dense-{seed}"]
        lines += [f"302 Q0 d3 1 2 dense-{seed}", f"302 Q0 d4 2 1 dense-{seed}"]
        (folder / f"dense-{seed}.run").write_text("\n".join(lines) + "\n")
    return [f"dense-{seed}.run" for seed in (1, 2, 3)]


def test_evaluate_shows_one_row_and_its_spread(cli, seeds):
    done = cli("evaluate", "qrels.txt", "runs/bm25.run", *seeds, "-m", "RR", "--replicates", "dense-*=dense")
    assert done.code == 0
    assert "dense: 3 replicates (dense-1, dense-2, dense-3)" in done.out
    assert " dense            3  0.9167  0.1443" in done.out  # means 1, 0.75, 1
    assert "dense-1  " not in done.out


def test_evaluate_json_holds_the_runs_behind(cli, seeds):
    done = cli("evaluate", "qrels.txt", *seeds, "-m", "RR", "--replicates", "dense-*=dense", "--json")
    [row] = json.loads(done.out)["result"]["scores"]
    assert row["replicates"] == {"dense-1": 1.0, "dense-2": 0.75, "dense-3": 1.0}
    assert row["replicate_sd"] == pytest.approx(0.1443, abs=1e-4)
    assert json.loads(done.out)["policies"]["replicates"] == {"dense-*": "dense"}


def test_compare_tests_systems_not_replicates(cli, seeds):
    names = ("qrels.txt", "runs/bm25.run", *seeds, "-m", "RR", "--replicates", "dense-*=dense")
    done = cli("compare", *names, "--baseline", "bm25", "--json")
    result = json.loads(done.out)["result"]
    assert [pair["run"] for pair in result["pairs"]] == ["dense"]
    assert {row["system"]: len(row["runs"]) for row in result["replicates"]} == {"bm25": 1, "dense": 3}
    assert set(result["replicates"][1]["variance"]) == {"topics", "replicates", "residual"}


def test_gates_and_saved_scores_are_of_systems(cli, seeds):
    names = ("qrels.txt", *seeds, "-m", "RR", "--replicates", "dense-*=dense")
    assert cli("evaluate", *names, "--require", "RR >= 0.9 for dense", "--save", "s.json").code == 0
    assert cli("evaluate", *names, "--require", "RR >= 0.95 for dense").code == 1
    done = cli("compare", "qrels.txt", "runs/bm25.run", "-m", "RR", "--against", "s.json")
    assert done.code == 0
    assert "dense: 3 replicates" in done.out


@pytest.mark.parametrize(
    ("given", "code"),
    [("dense", "E242"), ("=dense", "E242"), ("dense-*=", "E242"), ("splade-*=splade", "E248")],
)
def test_a_pattern_that_does_not_fit_is_refused(cli, seeds, given, code):
    done = cli("evaluate", "qrels.txt", *seeds, "--replicates", given)
    assert done.code == 2
    assert code in done.err


@pytest.mark.parametrize(
    "others",
    [["--fail-if", "undecided(RR) > 0"], ["--unjudged", "bounds"], ["--curve", "pr"], ["--ci", "bootstrap"]],
)
def test_what_is_of_runs_is_refused_beside_replicates(cli, seeds, others):
    done = cli("evaluate", "qrels.txt", *seeds, "-m", "RR", "--replicates", "dense-*=dense", *others)
    assert done.code == 2
