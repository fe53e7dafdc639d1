"""Several collections in one table: each is what `evaluate` gives, gaps are named, the mean is over collections."""

import numpy as np
import pytest

import cranfield as cf

NEWS = {f"q{n}": {"a": 1, "b": 0} for n in range(6)}
WEB = {f"q{n}": {"b": 1, "c": 2} for n in range(4)}
pytestmark = pytest.mark.filterwarnings("ignore:W105")
FIRST, SECOND = ["a", "b", "c"], ["c", "b", "a"]


def _run(qrels, good):
    return {topic: FIRST if at in good else SECOND for at, topic in enumerate(qrels)}


COLLECTIONS = {
    "news": (NEWS, {"bm25": _run(NEWS, {0, 1}), "dense": _run(NEWS, {1, 2, 3})}),
    "web": (WEB, {"dense": _run(WEB, {2}), "bm25": _run(WEB, {0, 3}), "new": _run(WEB, {1})}),
}


def test_every_cell_is_what_the_collection_gives_alone():
    found = cf.evaluate_collections(COLLECTIONS, ["RR", "nDCG@2"])
    assert found.scores.runs == ("bm25", "dense", "new")
    for name, (qrels, runs) in COLLECTIONS.items():
        alone = cf.evaluate(qrels, runs, ["RR", "nDCG@2"])
        at = found.groups.index(name)
        for run in runs:
            row = found.scores.runs.index(run)
            assert np.array_equal(found.means[row, at], alone.means[alone.runs.index(run)])
    assert found.scores.topics[0] == "news/q0"


def test_gaps_have_no_score_and_are_named():
    found = cf.evaluate_collections(COLLECTIONS, "RR")
    assert found.missing == {"new": ["news"]}
    assert np.isnan(found.mean_of_groups[2, 0])
    assert not np.isnan(found.mean_of_groups[:2]).any()
    assert "new has no topic in news, and so no mean of collections." in str(found)
    compared = found.compare(baseline="bm25")
    assert [np.isnan(pair.p) for pair in compared.pairs] == [False, True]
    assert "mean of 2 collections" in str(compared)


def test_the_mean_is_over_collections_not_over_topics():
    found = cf.evaluate_collections(COLLECTIONS, "RR")
    news, web = (cf.evaluate(*COLLECTIONS[name], "RR")["bm25", "RR"].mean() for name in ("news", "web"))
    assert found.mean_of_groups[0, 0] == pytest.approx((news + web) / 2)


def test_the_audit_adds_up():
    audit = cf.evaluate_collections(COLLECTIONS, "RR").audit
    assert audit.topics_in_mean == 10
    assert len(audit.inputs) == 2 + 5


@pytest.mark.parametrize("wrong", [{}, {"news": NEWS}, {"news": (NEWS,)}])
def test_what_is_no_collection_is_refused(wrong):
    with pytest.raises(cf.InputError, match="E121"):
        cf.evaluate_collections(wrong, "RR")
