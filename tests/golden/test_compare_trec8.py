"""All pairs of the 129 runs of TREC-8 in one command, against SciPy pair by pair."""

import csv
import io

import numpy as np
import pytest
from scipy import stats as scipy

import cranfield as cf
from cranfield.cli import main

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


@pytest.fixture(scope="module")
def trec8(shared):
    return shared / "data" / "trec8"


def test_all_pairs_of_129_runs_are_compared_in_one_command(trec8, capsys):
    files = (trec8 / "qrels.gz", trec8 / "runs" / "input.*.gz")
    assert main(["compare", *map(str, files), "-m", "AP", "-q", "--format", "csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 129 * 128 // 2
    some = sorted((trec8 / "runs").glob("input.*.gz"))[::13]
    scores = cf.evaluate(trec8 / "qrels.gz", list(map(str, some)), "AP")
    checked = 0
    for row in rows:
        if row["run"] in scores.runs and row["baseline"] in scores.runs:
            ours, theirs = scores[row["run"], "AP"], scores[row["baseline"], "AP"]
            found = scipy.ttest_rel(ours, theirs)
            assert float(row["p_raw"]) == pytest.approx(found.pvalue, rel=1e-9)
            interval = found.confidence_interval()
            assert (float(row["ci_low"]), float(row["ci_high"])) == pytest.approx((interval.low, interval.high))
            assert int(row["wins"]) == np.count_nonzero(ours > theirs + 5e-13)
            checked += 1
    assert checked == len(some) * (len(some) - 1) // 2
    raw, holm = (np.array([float(row[name]) for row in rows]) for name in ("p_raw", "p"))
    order = np.argsort(raw, kind="stable")
    steps = np.minimum(np.maximum.accumulate(raw[order] * np.arange(len(raw), 0, -1)), 1)
    assert holm[order] == pytest.approx(steps)
    assert 3000 < np.count_nonzero(holm < 0.05) < 3200
