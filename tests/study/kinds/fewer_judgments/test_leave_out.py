"""The leave-out study: what only one run or group brought to the assessors, against qrels that a loop rewrites."""

import gzip
from collections import Counter
from typing import Any

import pytest

import cranfield as cf
from cranfield import study
from cranfield.stats.orders.correlation import correlate
from tests.study.kinds.fewer_judgments.test_depth import top
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
GROUPS = {"r0": "a", "r1": "a", "r2": "b", "r3": "c"}  # r4 is a group of its own
BOTH = ["AP", "AP'", "P@5", "P'@5"]


def without(qrels, runs, groups, group, depth):
    """The judgments without those of documents that only the group lists."""
    kept, unique = {}, 0
    for topic, grades in qrels.items():
        finders: dict[Any, Any] = {}
        for name, run in runs.items():
            for doc in top(run, topic, depth):
                finders.setdefault(doc, set()).add(groups.get(name, name))
        kept[topic] = {doc: grade for doc, grade in grades.items() if finders.get(doc) != {group}}
        unique += len(grades) - len(kept[topic])
    return kept, unique


def place(means, run):
    return 1 + sum(round(other, 12) > round(means[run], 12) for other in means)


@pytest.mark.parametrize(("groups", "depth"), [(None, 5), (GROUPS, 5), (GROUPS, None), (GROUPS, 9)])
def test_each_run_is_scored_with_the_qrels_its_group_had_no_part_in(groups, depth):
    qrels, runs = small()
    made = study.leave_out(qrels, runs, ["AP", "P@5"], groups=groups, pool_depth=depth)
    full = cf.evaluate(qrels, runs, BOTH)
    rows = {(r["run"], r["measure"]): r for r in made.table().to_dicts()}
    new: dict[Any, Any] = {}
    for number, run in enumerate(runs):
        group = (groups or {}).get(run, run)
        kept, unique = without(qrels, runs, groups or {}, group, depth)
        again = cf.evaluate(kept, runs, BOTH)
        for m, measure in enumerate(BOTH):
            row = rows[run, measure]
            assert (row["group"], row["unique"]) == (group, unique)
            assert row["new"] == again.means[number, m]
            assert row["change"] == again.means[number, m] - full.means[number, m]
            assert row["place"] == place(full.means[:, m], number)
            assert row["new_place"] == place(again.means[:, m], number)
            assert row["fall"] == row["new_place"] - row["place"]
            new.setdefault(measure, []).append(again.means[number, m])
        for row in made.table("worlds").to_dicts():
            if row["group"] == group:
                m = BOTH.index(row["measure"])
                assert row["agreement"] == correlate(full.means[:, m], again.means[:, m])
    for m, measure in enumerate(BOTH):
        assert rows["r0", measure]["agreement"] == correlate(full.means[:, m], new[measure])


def test_a_run_that_found_nothing_alone_loses_nothing():
    qrels, runs = small()
    runs["copy"] = dict(runs["r0"])
    made = study.leave_out(qrels, runs, ["AP"])
    rows = [r for r in made.table().to_dicts() if r["run"] in ("r0", "copy")]
    assert [(r["unique"], r["change"], r["fall"]) for r in rows] == [(0, 0.0, 0)] * 4


def test_two_runs_of_one_group_do_not_save_each_other():
    qrels, runs = small()
    alone = study.leave_out(qrels, runs, ["AP"], pool_depth=5).table().to_dicts()[0]
    runs["copy"] = dict(runs["r0"])
    together = study.leave_out(qrels, runs, ["AP"], pool_depth=5, groups={"r0": "us", "copy": "us"}).table().to_dicts()
    assert alone["unique"] > 0
    for row in (together[0], together[-2]):
        assert (row["run"], row["unique"], row["change"]) == (row["run"], alone["unique"], alone["change"])


@pytest.mark.parametrize(
    ("given", "measures"),
    [
        ({}, ["AP", "AP'"]),
        ({"plain": True, "condensed": True}, ["AP", "AP'"]),
        ({"plain": True}, ["AP"]),
        ({"condensed": True}, ["AP'"]),
        ({"unjudged": "condensed"}, ["AP'"]),
    ],
)
def test_measures_as_they_are_and_on_condensed_lists(given, measures):
    made = study.leave_out(*small(), ["AP"], **given)
    assert made.table()["measure"].unique(maintain_order=True).to_list() == measures
    assert [note.partition(":")[0] for note in made.findings.notes if "as if new" in note] == measures


def test_bounds_join_when_they_exist():
    with pytest.raises(cf.PolicyError, match="bounds join when they exist"):
        study.leave_out(*small(), ["AP"], bounds=True)


def test_the_runs_that_lose_most_come_first_and_are_named_below():
    made = study.leave_out(*small(), ["AP"], plain=True, pool_depth=5)
    rows = sorted(made.table().to_dicts(), key=lambda r: r["change"])
    assert made.findings.shown[0].values[0] == rows[0]["run"]
    assert rows[0]["change"] < 0
    assert f"({rows[0]['run']}" in made.findings.notes[0]
    assert made.findings.title.endswith("documents that only it lists among its first 5 become unjudged")


def test_only_runs_that_built_the_pool_are_left_out(tmp_path):
    names = tmp_path / "builders.txt"
    names.write_text("r0\nr1\n")
    qrels, runs = small()
    made = study.leave_out(qrels, runs, ["AP"], plain=True, builders=str(names), pool_depth=5)
    kept, unique = without(qrels, {name: runs[name] for name in ("r0", "r1")}, {}, "r1", 5)
    assert made.table()["run"].to_list() == ["r0", "r1"]
    row = made.table().to_dicts()[1]
    assert (row["unique"], row["new"]) == (unique, cf.evaluate(kept, runs, ["AP"]).means[1, 0])


def test_uniques_of_trec_8_are_those_of_its_pool(shared):
    """`pool.gz` names the groups whose runs put each document into the pool."""
    data = shared / "data/trec8"
    alone: Counter[str] = Counter()
    relevant: Counter[str] = Counter()
    with gzip.open(data / "pool.gz", "rt") as file:
        for line in file:
            _, _, _, grade, count, *groups = line.split()
            if count == "1":
                alone[groups[0]] += 1
                relevant[groups[0]] += grade == "1"
    runs = sorted(map(str, (data / "runs").glob("*.gz")))
    made = study.leave_out(
        str(data / "qrels.gz"), runs, ["P@10"], plain=True, groups=data / "groups.tsv", pool_depth=100, jobs=1
    )
    rows = {row["group"]: row for row in made.table("worlds").to_dicts()}
    assert len(rows) == 41
    assert {group: row["unique"] for group, row in rows.items() if row["unique"]} == dict(alone)
    assert {group: row["unique_relevant"] for group, row in rows.items() if row["unique"]} == dict(relevant)
