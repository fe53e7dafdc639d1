"""Pools that are known before anybody judges: depth, fused orders, budgets, what is left out, who found it."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.pool import pool
from cranfield.read.groups import as_groups
from cranfield.write import write_table
from tests.pooling.worlds import as_dict, rows, topic_order, tops, worlds

LISTS = {"r1": {"1": list("abcd")}, "r2": {"1": list("bcef")}, "r3": {"1": list("aegb")}}


def test_the_example_by_hand():
    found = pool(LISTS, depth=3)
    assert sorted(rows(found)) == [("1", d) for d in "abceg"]
    assert found.uniques() == {"r1": 0, "r2": 0, "r3": 1}
    assert found.contributions.overlap.tolist() == [[3, 2, 1], [2, 3, 1], [1, 1, 3]]
    assert found.line() == "pool: 3 runs · 1 topic · depth 3 · 5 pairs (5.0 per topic, 5…5)"


def test_a_list_shorter_than_the_depth_is_counted_and_a_missing_one_too():
    found = pool({"r": {"1": ["a", "b"], "2": ["a"]}, "s": {"1": ["c", "d"]}}, depth=2)
    assert found.candidates.short == 2
    assert found.line().endswith("· 2 runs×topics shorter than 2")


@given(worlds(), st.integers(1, 6))
def test_a_depth_pool_is_the_union_of_the_first_documents(world, depth):
    runs, _ = world
    found = pool(runs, depth=depth)
    expected = tops(runs, depth)
    assert sorted(rows(found)) == sorted(expected)
    assert set(found.pairs.probability.tolist()) == {1.0}
    assert found.pairs.strata == [f"depth{depth}"]
    assert found.sizes.sum() == len(found) == len(expected)


@given(worlds(), st.integers(1, 6))
def test_contributions_uniques_and_overlap_are_those_of_a_plain_count(world, depth):
    runs, _ = world
    found, expected = pool(runs, depth=depth), tops(runs, depth)
    for i, name in enumerate(runs):
        mine = {pair for pair, by in expected.items() if name in by}
        assert found.contributions.pairs[i] == len(mine)
        assert found.contributions.unique[i] == sum(len(expected[pair]) == 1 for pair in mine)
        for j, other in enumerate(runs):
            assert found.contributions.overlap[i, j] == sum(other in expected[pair] for pair in mine)


@given(worlds(), st.integers(1, 6))
def test_uniques_of_groups_are_what_leaving_the_group_out_removes(world, depth):
    runs, _ = world
    groups = {name: "one" if number % 2 else "two" for number, name in enumerate(runs)}
    found = pool(runs, depth=depth, groups=groups)
    for group, number in found.uniques(groups).items():
        others = {name: lists for name, lists in runs.items() if groups[name] != group}
        left = set(rows(pool(others, depth=depth))) if others else set()
        assert number == len(set(rows(found)) - left)


@given(worlds())
def test_the_pool_does_not_depend_on_the_order_of_the_runs(world):
    runs, _ = world
    back = dict(reversed(runs.items()))
    for options in ({}, {"strategy": "rrf", "budget": 2}, {"strategy": "sample", "rate": 0.5}):
        one, other = (pool(given_, depth=4, **options) for given_ in (runs, back))  # type: ignore[arg-type]  # options of several types
        assert {t: [d for topic, d in rows(one) if topic == t] for t in one.topics} == {
            t: [d for topic, d in rows(other) if topic == t] for t in one.topics
        }


@given(worlds(), st.sampled_from(["depth", "rrf", "borda"]), st.integers(1, 4), st.integers(1, 4))
def test_a_budget_keeps_the_first_of_the_order(world, strategy, depth, budget):
    runs, _ = world
    expected = tops(runs, depth)

    def value(pair):
        ranks = expected[pair].values()
        fused = round(sum(1 / (60 + rank) for rank in ranks), 12)
        votes = sum(depth + 1 - rank for rank in ranks)
        return {"depth": (min(ranks), -fused), "rrf": -fused, "borda": -votes}[strategy], pair[1].encode()

    found = pool(runs, depth=depth, strategy=strategy, budget=budget)
    wanted = []
    for topic in topic_order(runs):
        wanted += sorted((pair for pair in expected if pair[0] == topic), key=value)[:budget]
    assert sorted(rows(found)) == sorted(wanted)
    if strategy != "depth":
        assert rows(found) == wanted


@given(worlds(), st.sampled_from(["depth", "rrf", "sample"]))
def test_what_is_judged_is_left_out(world, strategy):
    runs, judged = world
    known = {pair for pair, grade in judged.items() if grade >= 0}
    if not judged:
        return
    options = {"rate": 1.0} if strategy == "sample" else {}
    found = pool(runs, depth=6, strategy=strategy, qrels=as_dict(judged), **options)  # type: ignore[arg-type]  # options of several types
    candidates = set(tops(runs, 6))
    assert set(rows(found)) == candidates - known
    assert found.left_out == len(candidates & known)


@given(worlds(), st.sampled_from(["depth", "mtf", "sample"]))
def test_a_pool_file_read_again_is_the_pool(world, strategy):
    runs, judged = world
    options = {"sample": {"rate": 0.4}, "mtf": {"qrels": as_dict(judged) or {"1": {"a": 1}}}}.get(strategy, {})
    found = pool(runs, depth=5, strategy=strategy, **options)  # type: ignore[arg-type]  # options of several types
    file = io.BytesIO()
    found.write(file)
    if len(found):
        assert cf.read_pool(io.BytesIO(file.getvalue())) == found.pairs
    assert found.pairs.adaptive == (strategy == "mtf")


def test_the_pairs_of_qrels_are_a_pool_with_what_each_run_found():
    qrels = {"1": {"a": 1, "g": 0, "zz": -1}}
    found = pool(LISTS, depth=3, from_qrels=qrels)
    assert rows(found) == [("1", "a"), ("1", "g"), ("1", "zz")]
    assert found.contributions.pairs.tolist() == [1, 0, 2]
    assert rows(pool(from_qrels=qrels)) == rows(found)


def test_strata_and_probabilities_of_qrels_are_kept():
    judged = cf.Qrels(
        ("1",),
        np.zeros(2, dtype=np.int64),
        cf.Qrels.of(["1", "1"], ["b", "a"], [1, 0]).document,
        np.array([1, -1]),
        stratum=cf.Qrels.of(["1", "1"], ["s2", "s1"], [0, 0]).document,
        probability=np.array([0.25, 1.0]),
    )
    table = pool(from_qrels=judged).pairs
    assert (list(table.document), list(table.stratum), table.probability.tolist()) == (
        ["b", "a"],
        ["s2", "s1"],
        [0.25, 1.0],
    )


def test_two_pairs_of_one_key_stay_two(monkeypatch):
    monkeypatch.setattr(
        "cranfield.pooling.candidates.pair_key", lambda topic, hashes: np.zeros(len(topic), dtype=np.uint64)
    )
    runs = [cf.Run.of(name, ["1"] * 4, lists["1"], [4, 3, 2, 1]) for name, lists in LISTS.items()]
    assert list(Candidates.of(runs, 3).document) == list("abceg")


def test_ids_of_any_length_and_script_are_told_apart():
    long = "x" * 300
    runs = {"r": {"1": [long, long + "y", "é", ""[:0] + "e"]}, "s": {"1": [long]}}
    found = pool(runs, depth=4)
    assert len(found) == 4
    assert found.contributions.unique.tolist() == [3, 0]


def test_the_order_of_a_depth_pool_tells_nothing_about_ranks():
    runs = {"r": {str(t): [f"d{n:03d}" for n in range(60)] for t in range(40)}}
    found = pool(runs, depth=60)
    ranks = np.array([int(name[1:]) for name in found.pairs.document]).reshape(40, 60)
    assert abs(np.corrcoef(ranks.ravel(), np.tile(np.arange(60), 40))[0, 1]) < 0.1
    assert rows(found) == rows(pool(runs, depth=60))
    assert rows(found) != rows(pool(runs, depth=60, seed=1))


def test_topics_draw_alone():
    both = {"r": {"1": list("abcdef"), "2": list("ghijkl")}}
    one = {"r": {"2": list("ghijkl")}}
    drawn = [pool(runs, depth=6, strategy="sample", budget=3) for runs in (both, one)]
    assert [pair for pair in rows(drawn[0]) if pair[0] == "2"] == rows(drawn[1])


def test_every_form_of_the_result_is_there():
    found = pool(LISTS, depth=3, groups={"x": ["r1", "r2"], "y": ["r3"]})
    assert found.table()["group"].to_list() == ["x", "y"]
    assert found.to_dict()["result"]["groups"] == [
        {"group": "x", "pairs": 4, "unique": 2},
        {"group": "y", "pairs": 3, "unique": 1},
    ]
    assert found.topic_sheet().csv() == "topic,pairs\r\n1,5\r\n"
    assert found.overlap_sheet().csv().splitlines()[1] == "r1,3,2,1"
    assert "unique" in found.to_markdown()
    assert "unique" in found.to_latex()
    assert found.hours == pytest.approx(5 * 30 / 3600)


def test_a_written_pool_is_the_table():
    file = io.BytesIO()
    write_table(pool({"r": {"301": ["FT911-3"]}}, depth=20).pairs, file)
    assert file.getvalue() == b"301\tFT911-3\tdepth20\t1.0\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depth": 0}, "E240: depth=0 is out of range"),
        ({"budget": 0}, "E240: budget=0 is out of range"),
        ({"strategy": "best"}, 'E213: strategy="best" is unknown'),
        ({"rate": 0.5}, 'E244: rate has no effect on strategy="depth"'),
        ({"strategy": "sample"}, "E244: a sample needs one of rate, budget and strata with shares"),
        ({"strategy": "sample", "rate": 0.5, "budget": 3}, "E244: a sample needs one of"),
        ({"strategy": "sample", "rate": 0}, "E240: rate: 0 is not a share"),
        ({"strategy": "sample", "strata": "1-10"}, "E242: strata: cannot read '1-10'"),
        ({"strategy": "sample", "strata": "2-10:1"}, "E242: strata must begin at rank 1"),
        ({"strategy": "sample", "strata": "1-10:1,12-20:1"}, "E242: strata must begin at rank 1"),
        ({"strategy": "sample", "strata": "1-10:2"}, "E240: strata: 1-10: 2 is not a share"),
        ({"strategy": "rrf", "from_qrels": {"1": {"a": 1}}}, "E244: the pairs of qrels are taken as they are"),
        ({"groups": {"r1": "x"}}, "E246: groups: run 'r2' belongs to no group"),
    ],
)
def test_what_makes_no_sense_is_refused(options, message):
    with pytest.raises(cf.PolicyError) as caught:
        pool(LISTS, **options)
    assert str(caught.value).startswith(message)


def test_a_pool_of_nothing_is_refused():
    with pytest.raises(cf.InputError, match="E121: a pool needs runs"):
        pool()


def test_two_runs_of_one_name_are_refused():
    run = cf.Run.of("r", ["1"], ["a"], [1.0])
    with pytest.raises(cf.PolicyError, match="E206"):
        pool([run, run])


def test_groups_are_read_from_a_file(tmp_path):
    (tmp_path / "groups.tsv").write_text("a 1\tACSys\nb\tATT\n\n")
    assert as_groups(tmp_path / "groups.tsv") == {"a 1": "ACSys", "b": "ATT"}
    (tmp_path / "wrong.tsv").write_text("a\tb\tc\n")
    with pytest.raises(cf.InputError, match="expected 2 columns, found 3"):
        as_groups(tmp_path / "wrong.tsv")
    (tmp_path / "none.tsv").write_text("\n")
    with pytest.raises(cf.InputError, match="E104"):
        as_groups(tmp_path / "none.tsv")
    with pytest.raises(cf.InputError, match="E101"):
        as_groups(tmp_path / "nowhere.tsv")
    with pytest.raises(cf.InputError, match="E121"):
        as_groups(3)
