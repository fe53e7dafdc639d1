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


@pytest.mark.parametrize("universe", ["runs", "runs:3", "open:2"])
@pytest.mark.parametrize(("groups", "depth"), [(None, 5), (GROUPS, None)])
def test_ranges_are_those_of_holes_on_the_qrels_that_the_group_had_no_part_in(groups, depth, universe):
    qrels, runs = small()
    measures = ["P@5", "nDCG@5", "AP"]
    made = study.leave_out(
        qrels, runs, measures, groups=groups, pool_depth=depth, plain=True, bounds=True, universe=universe
    )
    full = cf.evaluate(qrels, runs, measures)
    rows = {(r["run"], r["measure"]): r for r in made.table().to_dicts()}
    worlds = {(r["group"], r["measure"]): r for r in made.table("worlds").to_dicts()}
    seen: Counter[Any] = Counter()
    for number, run in enumerate(runs):
        group = (groups or {}).get(run, run)
        kept, _ = without(qrels, runs, groups or {}, group, depth)
        found = cf.holes(kept, runs, measures, universe=universe, scale=[0, 1, 2])
        for m, measure in enumerate(measures):
            row, ends = rows[run, measure], found.ranges(measure).ranges[number]
            assert (row["lowest"], row["highest"]) == pytest.approx((ends.lowest, ends.highest))
            assert (row["exact"], row["width"]) == (ends.exact, row["highest"] - row["lowest"])
            assert row["contained"] == (row["lowest"] - 1e-9 <= full.means[number, m] <= row["highest"] + 1e-9)
            pairs = found.differences(measure)
            mine = [at for at in range(len(pairs.a)) if number in (pairs.a[at], pairs.b[at])]
            sure = [at for at in mine if pairs.certain[at]]
            truth = [full.means[pairs.a[at], m] - full.means[pairs.b[at], m] for at in sure]
            held = sum((pairs.low[at] > 0) == (true > 0) for at, true in zip(sure, truth, strict=True))
            assert (row["others"], row["certain"], row["held"]) == (len(runs) - 1, len(sure), held)
            seen.update({(group, measure, name): row[name] for name in ("contained", "certain", "held")})
    for (group, measure, name), number in seen.items():
        assert worlds[group, measure][name] == number
    assert sum(number for (*_, name), number in seen.items() if name == "certain") > 0


def test_ranges_stand_beside_the_change_and_are_drawn(tmp_path):
    made = study.leave_out(*small(), ["P@5"], plain=True, bounds=True, pool_depth=5, folder=tmp_path)
    assert [column.name for column in made.findings.shown][-3:] == ["possible", "certain", "held"]
    low, high = (made.table()[name].to_list() for name in ("lowest", "highest"))
    assert f"{low[0]:.4f} – {high[0]:.4f}" in str(made)
    (said,) = [note for note in made.findings.notes if "possible range" in note]
    assert said.startswith("P@5: 5 of 5 scores with all judgments in the possible range, mean width 0.")
    assert "universe=runs: only documents in the first 5 of these runs may be relevant" in made.findings.notes
    assert (tmp_path / "bounds.svg").exists()
    curve = made.findings.drawings["bounds"].curves[0]
    assert curve.low is not None
    assert curve.high is not None
    assert (curve.low <= curve.y).all()
    assert (curve.y <= curve.high).all()
    plain = study.leave_out(*small(), ["P@5"], plain=True, pool_depth=5)
    assert plain.table()["new"].to_list() == made.table()["new"].to_list()
    assert "lowest" not in plain.table().columns


def test_a_score_outside_of_its_range_is_marked_and_explained():
    """The ideal of nDCG@1 falls without the only document of grade 2, which is below the first rank."""
    qrels = {"q": {"a": 1, "b": 2, "c": 0}}
    runs = {"x": {"q": ["a", "b"]}, "y": {"q": ["c", "a"]}}
    made = study.leave_out(qrels, runs, ["nDCG@1"], plain=True, bounds=True)
    row = made.table().to_dicts()[0]
    assert (row["score"], row["lowest"], row["contained"]) == (0.5, 1.0, 0)
    assert "1.0000 – 1.0000 !" in str(made)
    assert "! relevant documents outside of the universe changed what scores are divided by" in made.findings.notes
    wide = study.leave_out(qrels, runs, ["nDCG@1"], plain=True, bounds=True, universe="open:1").table().to_dicts()[0]
    assert (wide["lowest"], wide["contained"]) == (0.5, 1)


def test_a_universe_without_bounds_is_refused():
    with pytest.raises(cf.PolicyError, match='universe="open:1" has no effect without bounds=True'):
        study.leave_out(*small(), ["AP"], universe="open:1")


def test_ranges_are_the_same_on_processes_and_made_again():
    made = study.leave_out(*small(), ["P@5"], plain=True, bounds=True, pool_depth=5, jobs=1)
    assert study.leave_out(*small(), ["P@5"], plain=True, bounds=True, pool_depth=5, jobs=2).to_csv() == made.to_csv()
    assert study.repeat(made, *small()).to_csv() == made.to_csv()


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
