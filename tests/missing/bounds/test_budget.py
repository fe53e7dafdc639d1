"""The time for searches: what is cut gets bounds that hold, and verdicts that are never wrong."""

import itertools
import json

import jsonschema
import numpy as np
import pytest

import cranfield as cf
from cranfield.cli.schemas.holes import holes_schema
from cranfield.missing.bounds.budget import SearchBudget
from cranfield.missing.pairs.attained import attained, difference
from cranfield.missing.pairs.verdicts import Verdict, verdicts_of
from cranfield.missing.ranges import Bounder, of_means
from tests.missing.small_cases import random_case, situation_of

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
SEARCHED = ["AP", "Q", "Bpref", "INST(T=2)", "RankEff", "nERR"]


class Ticks:
    """A clock that advances by a second each time that it is looked at."""

    def __init__(self):
        self.now = -1

    def __call__(self):
        self.now += 1
        return float(self.now)


@pytest.mark.parametrize("measure", SEARCHED)
@pytest.mark.parametrize("ticks", [0, 1, 3])
def test_bounds_that_were_cut_contain_those_that_were_not(measure, ticks):
    rng = np.random.default_rng(ticks)
    for _ in range(10):
        qrels, runs = random_case(rng)
        situation = situation_of(qrels, runs, measure)
        whole, cut = Bounder(situation), Bounder(situation, budget=SearchBudget(ticks, clock=Ticks()))
        narrow, wide = (of_means(each.runs, "mean") for each in (whole, cut))
        assert (np.nan_to_num(wide.low) <= np.nan_to_num(narrow.low) + 1e-12).all()
        assert (np.nan_to_num(wide.high, nan=9) >= np.nan_to_num(narrow.high) - 1e-12).all()
        assert not (wide.exact & (wide.low < narrow.low - 1e-12)).any()


def _verdict(bounder: Bounder, now: float) -> Verdict:
    return next(verdicts_of(bounder, np.array([0]), np.array([1]), [now]))


@pytest.mark.parametrize("measure", [*SEARCHED, "P@3", "nDCG@3"])
def test_no_verdict_is_wrong_however_early_the_search_ends(measure):
    rng = np.random.default_rng(7)
    for _, ticks in itertools.product(range(8), (0, 1, 2, 4)):
        qrels, runs = random_case(rng)
        situation = situation_of(qrels, runs, measure)
        now = difference(attained(Bounder(situation), 0, 1, high=None)[0], "mean")
        full = _verdict(Bounder(situation), now)
        cut = _verdict(Bounder(situation, budget=SearchBudget(ticks, clock=Ticks())), now)
        assert cut.status in (full.status, "unresolved") or (cut.status, full.status) == ("open", "equal")
        if cut.status == "certain":
            assert cut.winner == full.winner
        assert not cut.low > full.low + 1e-9
        assert not cut.high < full.high - 1e-9


def test_a_result_says_what_was_cut_and_that_it_depends_on_the_machine():
    qrels = {"1": {"a": 1, "b": 0}}
    runs = {"x": {"1": ["a", "u", "v"]}, "y": {"1": ["w", "b", "a"]}}
    h = cf.holes(qrels, runs, "AP", budget=0)
    assert "budget=0 seconds" in (text := str(h))
    assert "depends on the machine" in text
    assert h.result()["cut"]["ranges"] > 0
    assert h.audit.policies["budget"] == 0
    assert not h.bounds()["exact"].any()
    assert h.verdict("x", "y").status == "unresolved"
    assert h.verdict("x", "y").flips is None


def test_without_a_budget_nothing_is_said_and_nothing_is_cut():
    qrels, runs = {"1": {"a": 1}}, {"x": {"1": ["a", "u"]}, "y": {"1": ["w", "a"]}}
    h = cf.holes(qrels, runs, "AP")
    assert "budget" not in str(h)
    assert "cut" not in h.result()
    assert "budget" not in h.audit.policies
    assert cf.holes(qrels, runs, "AP", budget=1e6).bounds().equals(h.bounds())


def test_sums_need_no_search_and_are_never_cut():
    qrels, runs = {"1": {"a": 1}}, {"x": {"1": ["a", "u"]}, "y": {"1": ["w", "a"]}}
    h = cf.holes(qrels, runs, ["P@2", "nDCG@2"], budget=0)
    assert h.bounds()["exact"].all()


def test_a_negative_budget_is_refused():
    with pytest.raises(cf.PolicyError, match="budget=-1 must be at least 0"):
        cf.holes({"1": {"a": 1}}, {"x": {"1": ["a"]}}, "AP", budget=-1)


def test_the_result_of_the_command_line_has_the_number_of_cuts(tmp_path, capsys):
    from cranfield.cli import main

    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 0\n")
    (tmp_path / "x.run").write_text("q1 Q0 a 1 3 x\nq1 Q0 u 2 2 x\n")
    (tmp_path / "y.run").write_text("q1 Q0 w 1 3 y\nq1 Q0 a 2 2 y\n")
    names = [str(tmp_path / name) for name in ("qrels", "x.run", "y.run")]
    assert main(["holes", *names, "-m", "AP", "--budget", "0", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["result"]["cut"]["ranges"] > 0
    assert found["policies"]["budget"] == 0
    jsonschema.validate(found["result"], holes_schema())
