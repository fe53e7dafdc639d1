"""Which runs a study looks at (SPEC 16.1)."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.study.data.collection import Collection
from cranfield.study.data.selection import RULES, selects
from tests.study.small import small


def lists(sizes: list[list[int]]) -> dict:
    """Runs with lists of given lengths, one for each topic."""
    return {
        f"r{run}": {f"q{t}": {f"x{n}": float(-n) for n in range(size)} for t, size in enumerate(row) if size}
        for run, row in enumerate(sizes)
    }


QRELS = {f"q{topic}": {"x0": 1, "x1": 0} for topic in range(4)}


@pytest.mark.parametrize(
    ("row", "kept"),
    [([1000, 1000, 1000, 800], True), ([1000, 1000, 1000, 799], False), ([2000, 2000, 2000, 0], False)],
)
def test_ag07_keeps_a_run_with_95_percent_and_a_document_for_every_topic(row, kept):
    collection = Collection.of(QRELS, lists([[1000] * 4, row]), ["P@1"], keep="ag07")
    assert ("r1" in collection.runs) == kept
    assert collection.notes == (() if kept else ("ag07: 1 run dropped (r1)",))


@pytest.mark.parametrize(("runs", "kept"), [(95, 71), (74, 55), (27, 20)])
def test_first_quartile_keeps_what_lies_strictly_above_it(runs, kept):
    """FFM14: 95 -> 71, 74 -> 55, 27 -> 20."""
    qrels = {"q": {"a": 1}}
    given = {f"r{n}": {"q": {**{f"u{m}": 2.0 + m for m in range(n)}, "a": 1.0}} for n in range(runs)}
    assert len(Collection.of(qrels, given, ["AP"], keep=["first-quartile"]).runs) == kept


def test_one_run_of_each_group_is_drawn_and_other_groups_do_not_matter():
    qrels, runs = small(runs=6)
    groups = {"r0": "a", "r1": "a", "r2": "a", "r3": "b", "r4": "b", "r5": "c"}
    drawn = {
        seed: Collection.of(qrels, runs, ["AP"], keep="one-per-group", groups=groups, seed=seed) for seed in range(8)
    }
    assert all([groups[run] for run in found.runs] == ["a", "b", "c"] for found in drawn.values())
    assert len({found.runs for found in drawn.values()}) > 1
    fewer = {name: run for name, run in runs.items() if groups[name] != "b"}
    with pytest.warns(cf.DataWarning, match="W128: groups: 2 runs that are not here, ignored: r3, r4"):
        again = Collection.of(qrels, fewer, ["AP"], keep="one-per-group", groups=groups, seed=3)
    assert again.runs == tuple(run for run in drawn[3].runs if groups[run] != "b")


def test_a_sample_is_drawn_by_the_seed_and_not_by_the_order_of_the_files():
    qrels, runs = small(runs=6)
    first = Collection.of(qrels, runs, ["AP"], sample=3, seed=5)
    other = Collection.of(qrels, dict(reversed(runs.items())), ["AP"], sample=3, seed=5)
    assert len(first.runs) == 3
    assert set(first.runs) == set(other.runs)
    assert len(Collection.of(qrels, runs, ["AP"], sample=99).runs) == 6


def test_rules_apply_one_after_the_other_and_say_what_they_dropped():
    qrels, runs = small(runs=6)
    found = Collection.of(qrels, runs, ["AP"], keep="first-quartile", sample=2)
    assert [note.partition(":")[0] for note in found.notes] == ["first-quartile", "a sample of 2"]
    assert len(found.runs) == 2


def test_groups_come_from_a_file(tmp_path):
    qrels, runs = small(runs=3)
    (tmp_path / "groups.tsv").write_text("# run group\nr0\tus\nr1 them\n\n")
    with pytest.warns(cf.DataWarning, match="W129: .* 1 run in no group, each a group of its own: r2"):
        assert Collection.of(qrels, runs, ["AP"], groups=tmp_path / "groups.tsv").groups == ("us", "them", "r2")
    (tmp_path / "bad.tsv").write_text("r0 a b c\n")
    with pytest.raises(cf.InputError, match="expected 2 columns, found 4"):
        Collection.of(qrels, runs, ["AP"], groups=tmp_path / "bad.tsv")
    with pytest.raises(cf.InputError, match="E101"):
        Collection.of(qrels, runs, ["AP"], groups=tmp_path / "nowhere.tsv")


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"keep": "best"}, "E213"),
        ({"keep": "one-per-group"}, "E244"),
        ({"sample": 0}, "E240: sample=0 is out of range"),
        ({"sample": True}, "E241"),
    ],
)
def test_a_rule_that_cannot_be_followed_is_refused(wrong, code):
    with pytest.raises(cf.PolicyError, match=code):
        Collection.of(*small(), ["AP"], **wrong)


def test_a_rule_that_looks_at_groups_is_refused_without_them():
    selects("mine-own", by_group=True)(RULES["one-per-group"].rule)
    try:
        with pytest.raises(cf.PolicyError, match='E244: keep="mine-own" needs groups'):
            Collection.of(*small(), ["AP"], keep="mine-own")
    finally:
        RULES.remove("mine-own")


def test_no_run_left_is_an_error():
    with pytest.raises(cf.InputError, match="E233"):
        Collection.of(QRELS, lists([[3, 3, 3, 3]]), ["AP"], keep="ag07")


def test_122_runs_of_trec8_are_kept(shared):
    """SPEC 1.1."""
    folder = shared / "data" / "trec8"
    found = Collection.of(folder / "qrels.gz", sorted(map(str, (folder / "runs").iterdir())), ["AP"], keep="ag07")
    assert len(found.runs) == 122
    assert found.notes[0].startswith("ag07: 7 runs dropped (")
    assert np.isclose(found.full_means.max(), 0.413045, atol=5.1e-7)
