"""Reproducing a result: numbers done by hand, and what must hold for any runs."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, ttest_ind, ttest_rel
from scipy.stats import t as student

import cranfield as cf
from cranfield.cli import main
from cranfield.stats.reproduction.order import tau_union
from cranfield.stats.reproduction.scores import paired_p, unpaired_p

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")  # few documents are judged
QRELS = {"1": {"a": 1, "b": 1, "c": 0}, "2": {"d": 1, "e": 0}, "3": {"f": 1, "g": 1, "x": 0, "y": 0}}
ORIGINAL = {"1": ["a", "b", "c"], "2": ["d", "e"], "3": ["f", "x", "g"]}  # AP 1, 1, 5/6
MINE = {"1": ["a", "c", "b"], "2": ["d", "e"], "3": ["x", "f", "y"]}  # AP 5/6, 1, 1/4
BASE = {"1": ["c", "a"], "2": ["e", "d"], "3": ["x", "g"]}  # AP 1/4, 1/2, 1/4


def test_the_numbers_of_a_small_reproduction():
    found = cf.reproduce(QRELS, ORIGINAL, MINE, "AP", baselines=(BASE, BASE))
    row = found.measures[0]
    assert row.original == pytest.approx(17 / 18)
    assert row.reproduced == pytest.approx(25 / 36)
    assert row.rmse == pytest.approx(math.sqrt(((1 / 6) ** 2 + 0 + (7 / 12) ** 2) / 3))
    assert row.p == pytest.approx(ttest_rel([1, 1, 5 / 6], [5 / 6, 1, 1 / 4]).pvalue)
    assert row.effect_ratio == pytest.approx((25 / 36 - 1 / 3) / (17 / 18 - 1 / 3))
    assert row.delta_ri == pytest.approx((17 / 18 - 1 / 3) * 3 - (25 / 36 - 1 / 3) * 3)
    assert found.tau == pytest.approx((1 / 3 + 1 + 1 / 3) / 3)
    assert {topic: tau for topic, (tau, _) in found.by_topic.items()} == pytest.approx({"1": 1 / 3, "2": 1, "3": 1 / 3})
    overlaps = [cf.rbo(ORIGINAL[topic], MINE[topic], p=0.8).ext for topic in QRELS]
    assert found.rbo == pytest.approx(np.mean(overlaps))
    assert found.topics == (3, 3)


def test_without_baselines_nothing_is_said_of_an_improvement():
    found = cf.reproduce(QRELS, ORIGINAL, MINE, "AP")
    assert (found.measures[0].effect_ratio, found.measures[0].delta_ri, found.baselines) == (None, None, None)
    assert "effect ratio" not in str(found)


def test_another_collection_has_only_what_is_defined_there():
    other, run, base = {"8": {"a": 1}, "9": {"b": 1}}, {"8": ["a"], "9": ["b", "c"]}, {"8": ["z", "a"], "9": ["c", "b"]}
    found = cf.reproduce(QRELS, ORIGINAL, run, "AP", baselines=(BASE, base), qrels_reproduced=other)
    row = found.measures[0]
    assert (found.tau, found.rbo, row.rmse, dict(found.by_topic)) == (None, None, None, {})
    assert row.p == pytest.approx(2 * student.sf(math.sqrt(0.6), 3))  # (1/18) / √(1/162 · (1/3 + 1/2))
    assert row.effect_ratio == pytest.approx((1 - 1 / 2) / (17 / 18 - 1 / 3))
    assert row.delta_ri == pytest.approx((17 / 18 - 1 / 3) * 3 - 1)
    assert found.topics == (3, 2)
    assert "RMSE need the same topics" in str(found)


LISTS = st.lists(st.sampled_from("abcdefgh"), min_size=2, unique=True)
WORLDS = st.fixed_dictionaries(dict.fromkeys(QRELS, LISTS))


@given(WORLDS, WORLDS)
def test_a_run_reproduces_itself(run, base):
    found = cf.reproduce(QRELS, run, run, "AP RR P@2", baselines=(base, base))
    assert [found.tau, found.rbo] == pytest.approx([1, 1])
    for row in found.measures:
        assert (row.rmse, row.p) == (0, 1)
        assert row.effect_ratio is None or row.effect_ratio == pytest.approx(1)
        assert row.delta_ri is None or row.delta_ri == pytest.approx(0)


@given(WORLDS, WORLDS)
def test_values_stay_in_their_ranges(run, other):
    found = cf.reproduce(QRELS, run, other, "AP")
    assert found.tau is not None
    assert found.rbo is not None
    assert found.measures[0].rmse is not None
    assert -1 <= found.tau <= 1
    assert -1e-12 <= found.rbo <= 1 + 1e-12
    assert 0 <= found.measures[0].rmse <= 1


@given(LISTS, LISTS)
def test_tau_union_is_the_tau_of_the_ranks_in_the_union(x, y):
    depth = min(len(x), len(y))
    union = list(dict.fromkeys([*x[:depth], *y[:depth]]))
    expected = kendalltau([union.index(d) for d in x[:depth]], [union.index(d) for d in y[:depth]]).statistic
    assert tau_union(x, y) == pytest.approx(expected)


def test_tests_of_scores_are_those_of_scipy():
    x, y = np.array([0.1, 0.5, 0.4, 0.9]), np.array([0.2, 0.4, 0.4, 0.5])
    assert paired_p(x, y) == pytest.approx(ttest_rel(x, y).pvalue)
    assert unpaired_p(x, y[:3]) == pytest.approx(ttest_ind(x, y[:3]).pvalue)
    assert unpaired_p(np.ones(2), np.ones(3)) == 1
    assert math.isnan(unpaired_p(np.ones(1), np.zeros(1)))


def test_what_is_not_one_run_or_no_mean_is_refused():
    with pytest.raises(cf.PolicyError, match="original: one run is needed, and 2 were given"):
        cf.reproduce(QRELS, {"a": ORIGINAL, "b": MINE}, MINE)
    with pytest.raises(cf.PolicyError, match="GMAP is none"):
        cf.reproduce(QRELS, ORIGINAL, MINE, "GMAP")
    with pytest.raises(cf.PolicyError, match="must lie between 0 and 1"):
        cf.reproduce(QRELS, ORIGINAL, MINE, p=1.0)


def written(path, lists, tag):
    rows = [f"{t} Q0 {d} {n} {-n} {tag}\n" for t, docs in lists.items() for n, d in enumerate(docs, start=1)]
    path.write_text("".join(rows))
    return str(path)


def test_the_command_prints_the_same(tmp_path, capsys):
    judged = "".join(f"{t} 0 {d} {g}\n" for t, row in QRELS.items() for d, g in row.items())
    (tmp_path / "q.txt").write_text(judged)
    files = [written(tmp_path / f"{tag}.run", lists, tag) for tag, lists in (("o", ORIGINAL), ("m", MINE), ("b", BASE))]
    assert main(["reproduce", str(tmp_path / "q.txt"), *files[:2], "--baselines", files[2], files[2], "-m", "AP"]) == 0
    assert "tau union 0.5556" in capsys.readouterr().out
    assert main(["reproduce", str(tmp_path / "q.txt"), *files[:2], "--baselines", files[2], files[2], "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [each["role"] for each in told["inputs"]] == ["qrels", "run", "run", "run"]
    python = cf.reproduce(QRELS, ORIGINAL, MINE, baselines=(BASE, BASE))
    assert told["result"]["measures"] == python.result()["measures"]
