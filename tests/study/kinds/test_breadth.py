"""The breadth study: pools of random groups, against qrels that a loop rewrites."""

import numpy as np
import pytest

import cranfield as cf
from cranfield import study
from cranfield.random_streams import stream
from tests.study.kinds.fewer_judgments.test_depth import pooled
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
GROUPS = {"r0": "a", "r1": "a", "r2": "b", "r3": "c"}  # r4 is a group of its own


def members(seed, draw, size):
    """The runs of the groups that are drawn."""
    names = ["a", "b", "c", "r4"]
    drawn = {names[at] for at in stream(seed, "breadth", draw, size).permutation(4)[:size]}
    return [run for run in (f"r{n}" for n in range(5)) if GROUPS.get(run, run) in drawn]


def test_a_draw_is_an_evaluation_with_the_qrels_of_its_groups():
    qrels, runs = small()
    made = study.breadth(qrels, runs, ["AP", "P@5"], groups=GROUPS, sizes=[3, 1], draws=3, pool_depth=8, seed=5)
    rows = made.table("runs").to_dicts()
    change = {(r["level"], r["runs"], r["measure"]): r["change"] for r in made.table("change").to_dicts()}
    full = cf.evaluate(qrels, runs, ["AP", "P@5"]).means
    for size in (3, 1):
        inside, outside = [], []
        for draw in range(3):
            names = members(5, draw, size)
            kept = pooled(qrels, {name: runs[name] for name in names}, 8)
            means = cf.evaluate(kept, runs, ["AP", "P@5"]).means
            found = [r["mean"] for r in rows if (r["draw"], r["level"]) == (draw + 1, size)]
            assert found == means.ravel().tolist()
            built = [run in names for run in runs]
            inside.append((means - full)[built, 0].mean())
            outside.append((means - full)[np.logical_not(built), 0].mean())
        assert change[size, "inside", "AP"] == pytest.approx(np.mean(inside), abs=1e-15)
        assert change[size, "outside", "AP"] == pytest.approx(np.mean(outside), abs=1e-15)


def test_all_groups_build_the_pool_that_there_is():
    qrels, runs = small()
    made = study.breadth(qrels, runs, ["AP"], groups=GROUPS, draws=2)
    table = made.table()
    assert table["level"].to_list() == [4, 2, 1]
    assert table["agreement"][0] == 1.0
    assert table["judged"].is_sorted(descending=True)
    assert "random groups, of 4" in made.findings.title


def test_without_groups_each_run_is_one():
    made = study.breadth(*small(), ["AP"], sizes=[5, 1], draws=2)
    assert made.findings.shown[0].name == "runs"
    assert "random runs, of 5" in made.findings.title


def test_more_groups_than_there_are_cannot_be_drawn():
    with pytest.raises(cf.PolicyError, match="E246: sizes=5 is too many"):
        study.breadth(*small(), ["AP"], sizes=[5], groups=GROUPS)
    with pytest.raises(cf.PolicyError, match="E240"):
        study.breadth(*small(), ["AP"], sizes=[0])


def test_neither_jobs_nor_interruptions_change_a_byte(tmp_path):
    made = study.breadth(*small(), ["AP"], draws=3, seed=3, jobs=1)
    again = study.breadth(*small(), ["AP"], draws=3, seed=3, jobs=2, folder=tmp_path / "b")
    assert made.to_csv() == again.to_csv()
    assert made.to_csv() != study.breadth(*small(), ["AP"], draws=3, seed=4).to_csv()
