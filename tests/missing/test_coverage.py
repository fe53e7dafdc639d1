"""Coverage: three states of a document, counted by run, topic and rank, and equal to what `evaluate` prints."""

import warnings

import numpy as np
import pytest
from hypothesis import given

import cranfield as cf
from cranfield.align.policy import Policy
from cranfield.errors import PolicyError
from cranfield.missing.coverage import AT, STATES, Coverage, checked_depths
from cranfield.pooling.candidates import Candidates
from cranfield.read.objects import as_qrels, as_sources
from cranfield.tables.side.pool import Pool
from tests.pooling.worlds import as_dict, worlds

RUNS = {"r": {"1": ["a", "b", "c", "d"], "2": ["a"]}, "s": {"1": ["d", "a"]}}
QRELS = {"1": {"a": 1, "b": -1}, "2": {"x": 0}}


def covered(qrels=QRELS, runs=RUNS, at=AT, policy=None, **more):
    candidates = Candidates.of(as_sources(runs).open(lambda *_: None), max(at), policy)
    return Coverage.of(candidates, as_qrels(qrels), at, policy, **more)


def test_the_three_states_by_hand():
    found = covered(at=[1, 4])
    assert found.shares("run").tolist() == [
        [[0.5, 0, 0.5], [1 / 8, 1 / 8, 3 / 4]],  # topic 1: a, then a b c d; topic 2: a, which topic 2 never pooled
        [[0, 0, 1], [0.5, 0, 0.5]],  # of topic 1 alone: s does not answer topic 2
    ]
    assert found.shares("topic").tolist() == [
        [[0.5, 0, 0.5], [(1 / 4 + 1 / 2) / 2, 1 / 8, (1 / 2 + 1 / 2) / 2]],
        [[0, 0, 1], [0, 0, 1]],
    ]
    assert found.shares("rank")[0].tolist() == [[0.5, 0, 0.5], [0, 1, 0], [0, 0, 1], [0, 0, 1]]
    assert np.isnan(found.shares("rank")[1, 2:]).all()  # s lists two documents
    assert found.counts() == {"judged": 2, "pooled": 1, "unpooled": 4}


def test_a_pool_names_documents_that_were_chosen_and_not_judged():
    pool = Pool.of(["1", "1", "9"], ["a", "d", "d"], ["depth2"] * 3, [1.0] * 3)
    assert covered(pool=pool).counts() == {"judged": 2, "pooled": 3, "unpooled": 2}  # b, and d in both lists


def test_a_negative_grade_is_a_judgment_if_the_policy_says_so():
    found = covered(policy=Policy(negative="nonrelevant"))
    assert found.counts() == {"judged": 3, "pooled": 0, "unpooled": 4}


def test_topics_without_judgments_are_looked_at_only_if_they_are_in_the_mean():
    runs = {"r": {"1": ["a"], "9": ["b"]}}
    assert covered(runs=runs).topics == ("1",)
    assert covered(runs=runs, policy=Policy(topic_set="union")).topics == ("1", "9")


@given(worlds())
def test_the_share_of_a_run_is_the_one_that_evaluate_prints(world):
    runs, judged = world
    qrels = as_dict(judged)
    found = covered(qrels, runs, at=[1, 2, 5]) if qrels else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            scores = cf.evaluate(qrels, runs, ["P@1", "P@2", "P@5"])
        except cf.Error:  # nothing in common
            return
    assert found is not None
    np.testing.assert_allclose(found.shares("run")[:, :, 0], scores.judged_shares, atol=1e-12)


@given(worlds())
def test_every_share_is_counted_one_by_one(world):
    runs, judged = world
    qrels = as_dict(judged)
    if not qrels:
        return
    found = covered(qrels, runs, at=[1, 3])

    def state(topic, document):
        grade = qrels[topic].get(document)
        return "unpooled" if grade is None else "pooled" if grade < 0 else "judged"

    for row in found.rows("rank").records():
        listed = [
            state(topic, documents[row["rank"] - 1])
            for topic, documents in runs[row["run"]].items()
            if topic in qrels and len(documents) >= row["rank"]
        ]
        for name in STATES:
            assert row[name] == (listed.count(name) / len(listed) if listed else None)
    for row in found.rows("topic").records():
        tops = [lists[row["topic"]][: row["depth"]] for lists in runs.values() if row["topic"] in lists]
        for name in STATES:
            shares = [sum(state(row["topic"], d) == name for d in top) / len(top) for top in tops]
            assert row[name] == pytest.approx(sum(shares) / len(shares))


def test_shares_add_up_to_one():
    for by in ("run", "topic", "rank"):
        sums = covered().shares(by).sum(axis=-1)
        np.testing.assert_allclose(sums[~np.isnan(sums)], 1)


def test_the_table_is_that_of_polars_and_has_a_row_for_each_share():
    table = covered(at=[1, 4]).table("topic")
    assert table.columns == ["topic", "depth", *STATES]
    assert table.rows()[0] == ("1", 1, 0.5, 0.0, 0.5)
    assert covered().table("rank").columns[:2] == ["run", "rank"]


def test_everything_judged_and_nothing_judged():
    whole = covered({"1": dict.fromkeys("abcd", 0), "2": {"a": 1}})
    assert (whole.shares("run")[:, :, 0] == 1).all()
    assert "unjudged" not in repr(whole)
    nothing = covered({"1": {"z": 1}, "2": {"z": 0}})
    assert (nothing.shares("run")[:, :, 2] == 1).all()


def test_a_run_without_any_judged_topic_has_no_share():
    found = covered(runs={"r": {"1": ["a"]}, "s": {"9": ["a"]}})
    assert np.isnan(found.shares("run")[1]).all()
    assert repr(found).splitlines()[2].split() == ["s", *"–––––"]


def test_depths_far_below_the_lists_take_no_memory():
    found = covered(at=[1, 10**12])
    assert found.state.shape == (2, 2, 4)
    assert found.shares("run")[0, 1, 0] == 1 / 8


@pytest.mark.parametrize("at", [[0], [-3], [1.5], [True], []])
def test_what_is_no_depth_is_refused(at):
    with pytest.raises(PolicyError):
        checked_depths(at)


def test_depths_below_what_was_read_are_refused():
    candidates = Candidates.of(as_sources(RUNS).open(lambda *_: None), 2)
    with pytest.raises(PolicyError, match="at=20 is deeper than the 2 ranks that were read"):
        Coverage.of(candidates, as_qrels(QRELS))
