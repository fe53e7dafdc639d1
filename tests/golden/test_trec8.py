"""TREC-8 ad hoc: all submitted runs, against published and independently recomputed values (SPEC 1)."""

import json
import warnings

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.rankings import Rankings
from cranfield.cli import main
from cranfield.stats.orders.correlation import correlate

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


@pytest.fixture(scope="module")
def trec8(shared):
    return shared / "data" / "trec8"


@pytest.fixture(scope="module")
def scores(trec8):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        runs = cf.read_runs(str(trec8 / "runs" / "input.*.gz"))
        return cf.evaluate(cf.read_qrels(trec8 / "qrels.gz"), runs, ["AP", "Bpref10", "RankEff"])


def kept(scores):
    """The runs with 95 % of the documents and no empty topic."""
    return (scores.retrieved.sum(axis=1) >= 47_500) & (scores.retrieved > 0).all(axis=1)


def test_the_95_percent_rule_keeps_122_of_129_runs(scores):
    assert len(scores.runs) == 129
    assert kept(scores).sum() == 122
    dropped = sorted(scores.retrieved.sum(axis=1)[~kept(scores)].tolist())
    assert dropped == [3060, 5785, 31340, 32061, 37141, 42765, 47182]


def test_the_best_means_are_the_published_ones(scores):
    best = scores.means[kept(scores)].max(axis=0)
    assert best == pytest.approx([0.413045, 0.455026, 0.745421], abs=5.1e-7)


def test_the_spread_of_the_means_is_the_published_variance(scores):
    variances = scores.means[kept(scores)].var(axis=0)
    assert variances == pytest.approx([0.00813, 0.00718, 0.02525], abs=5.1e-6)


@pytest.mark.parametrize(
    ("pair", "printed", "recomputed"), [((0, 1), 0.932, 0.932240), ((0, 2), 0.856, 0.856349), ((1, 2), 0.823, 0.823282)]
)
def test_kendalls_tau_between_measures_is_the_published_one(scores, pair, printed, recomputed):
    means = scores.means[kept(scores)]
    tau = correlate(means[:, pair[0]], means[:, pair[1]], "tau")
    assert tau == pytest.approx(recomputed, abs=5.1e-7)
    assert round(tau, 3) == printed


def test_single_precision_changes_the_order_of_47_topics_and_the_ap_of_42(trec8):
    qrels, run = cf.read_qrels(trec8 / "qrels.gz"), cf.read_run(trec8 / "runs" / "input.uwmt8a0.gz")
    double, single = (Rankings.of(run, cf.Policy(ties=ties)) for ties in ("trec", "trec9"))
    assert len(np.unique(double.topic[double.row != single.row])) == 47
    here, there = (cf.evaluate(qrels, run, "AP", ties=ties) for ties in ("trec", "trec9"))
    assert np.count_nonzero(here.values != there.values) == 42
    assert here.audit.single_precision_ties["uwmt8a0"] > 0


def test_one_command_evaluates_every_run(trec8, capsys):
    assert main(["evaluate", str(trec8 / "qrels.gz"), str(trec8 / "runs" / "input.*.gz"), "-m", "AP", "--json"]) == 0
    envelope = json.loads(capsys.readouterr().out)
    means = [row["mean"] for row in envelope["result"]["scores"]]
    assert len(means) == 129
    assert min(abs(mean - 0.413045) for mean in means) < 5.1e-7
    assert envelope["audit"]["topics_in_mean"] == 50
