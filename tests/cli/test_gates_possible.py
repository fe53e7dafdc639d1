"""Conditions about what missing judgments could change: lower(M), upper(M), undecided(M)."""

import json

import pytest


@pytest.fixture
def collection(folder):
    """P@1: `sure` has 1 on both topics; `open` has 0, and x may be relevant on the first topic."""
    (folder / "q.txt").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n2 0 b 0\n")
    for name, first, second in (("sure", "a", "a"), ("open", "x", "b"), ("poor", "b", "b")):
        (folder / f"{name}.run").write_text(f"1 Q0 {first} 1 1 {name}\n2 Q0 {second} 1 1 {name}\n")
    return folder


EVALUATE = ("evaluate", "-q", "q.txt", "sure.run", "open.run", "poor.run", "-m", "P@1")


@pytest.mark.parametrize(
    ("condition", "code", "said"),
    [
        ("lower(P@1) < 0.5 for sure", 0, "passed  lower(P@1) < 0.5 for sure: smallest is 1 (sure)"),
        ("lower(P@1) < 0.5 for open", 1, "FAILED  lower(P@1) < 0.5 for open: smallest is 0 (open)"),
        ("upper(P@1) < 0.5 for open", 0, "passed  upper(P@1) < 0.5 for open: smallest is 0.5 (open)"),
        ("upper(P@1) < 0.6", 1, "smallest is 0 (poor), 2 of 3 runs"),
        ("undecided(P@1) > 0", 1, "FAILED  undecided(P@1) > 0: 1 of 3 pairs is not certain"),
        ("undecided(P@1) > 1", 0, "passed  undecided(P@1) > 1: 1 of 3 pairs is not certain"),
        ("undecided(P@1) > 0 for sure", 0, "passed  undecided(P@1) > 0 for sure: 0 of 2 pairs are not certain"),
    ],
)
def test_evaluate_checks_ranges(cli, collection, condition, code, said):
    result = cli(*EVALUATE, "--fail-if", condition)
    assert result.code == code
    assert said in result.out


def test_compare_counts_the_compared_pairs(cli, collection):
    three = ("compare", "-q", "q.txt", "sure.run", "open.run", "poor.run", "-m", "P@1", "--test", "none")
    every = cli(*three, "--fail-if", "undecided(P@1) > 0")
    assert (every.code, "1 of 3 pairs is not certain" in every.out) == (1, True)
    sure = cli(*three, "--baseline", "sure", "--fail-if", "undecided(P@1) > 0")
    assert (sure.code, "0 of 2 pairs are not certain" in sure.out) == (0, True)
    assert cli(*three, "--fail-if", "lower(P@1) < 0.1 for open").code == 1
    assert cli(*three, "--no-holes", "--fail-if", "lower(P@1) < 0.1 for open").code == 1


def test_the_universe_moves_the_ends(cli, collection):
    gate = ("--fail-if", "lower(R@1) < 1 for sure")
    assert cli("evaluate", "-q", "q.txt", "sure.run", "-m", "R@1", *gate).code == 0
    assert cli("evaluate", "-q", "q.txt", "sure.run", "-m", "R@1", *gate, "--universe", "open:1").code == 1


def test_json_has_the_verdict(cli, collection):
    found = json.loads(cli(*EVALUATE, "--json", "--fail-if", "lower(P@1) < 0.5 for open").out)
    gate = found["result"]["gates"][0]
    assert (gate["passed"], gate["observed"], gate["run"]) == (False, 0.0, "open")


def test_what_cannot_be_checked_is_refused(cli, collection):
    median = cli(*EVALUATE, "--average", "median", "--fail-if", "lower(P@1) < 0.5")
    assert (median.code, "of means over topics" in median.err) == (2, True)
    cli("evaluate", "-q", "q.txt", "sure.run", "-m", "P@1", "--save", "main.json")
    saved = ("compare", "-q", "q.txt", "open.run", "--against", "main.json", "-m", "P@1", "--test", "none")
    refused = cli(*saved, "--fail-if", "undecided(P@1) > 0")
    assert (refused.code, "saved scores hold none" in refused.err) == (2, True)
    assert cli(*EVALUATE, "--fail-if", "lower() < 0.5").code == 2
