"""The depth study: the pool of the top d of the runs, against qrels that a loop rewrites."""

import numpy as np
import pytest

import cranfield as cf
from cranfield import study
from cranfield.stats.orders.correlation import correlate
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
MEASURES = ["AP", "bpref", "nDCG@10", "P'@5"]


def top(run, topic, depth):
    """The first documents of a list; scores are never equal here."""
    scores = run.get(topic, {})
    return sorted(scores, key=lambda doc: -scores[doc])[:depth]


def pooled(qrels, runs, depth):
    """The judgments of documents that some run lists among its first."""
    kept = {}
    for topic, grades in qrels.items():
        listed = {doc for run in runs.values() for doc in top(run, topic, depth)}
        kept[topic] = {doc: grade for doc, grade in grades.items() if doc in listed}
    return kept


@pytest.mark.parametrize("policy", [{}, {"topic_set": "intersection"}, {"rel": 2}])
def test_a_depth_is_an_evaluation_with_the_qrels_of_that_pool(policy):
    qrels, runs = small()
    made = study.depth(qrels, runs, MEASURES, depths=[12, 6, 3], **policy)
    full = cf.evaluate(qrels, runs, MEASURES, **policy)
    rows = made.table().to_dicts()
    means = made.table("runs").to_dicts()
    for depth in (12, 6, 3):
        kept = pooled(qrels, runs, depth)
        again = cf.evaluate(kept, runs, MEASURES, **policy)
        assert again.topics == full.topics
        for m, measure in enumerate(again.measures):
            row = next(r for r in rows if (r["level"], r["measure"]) == (depth, measure))
            assert row["agreement"] == correlate(full.means[:, m], again.means[:, m])
            assert row["judged"] == sum(map(len, kept.values()))
            relevant = [grade >= policy.get("rel", 1) for grades in kept.values() for grade in grades.values()]
            assert row["relevant"] == sum(relevant)
            found = [r["mean"] for r in means if (r["level"], r["measure"]) == (depth, measure)]
            assert found == again.means[:, m].tolist()


def test_the_deepest_pool_loses_what_no_run_lists_and_says_so():
    qrels, runs = small()
    qrels["q0"]["nowhere"] = 1
    made = study.depth(qrels, runs, ["AP"], depths=[1000])
    row = made.table().to_dicts()[0]
    assert row["relevant_lost"] >= 1
    assert any("in no list of the runs that built the pool" in note for note in made.findings.notes)


def test_a_pool_of_everything_changes_nothing():
    qrels, runs = small()
    listed = {topic: {doc for run in runs.values() for doc in run.get(topic, {})} for topic in qrels}
    qrels = {topic: {d: g for d, g in grades.items() if d in listed[topic]} for topic, grades in qrels.items()}
    made = study.depth(qrels, runs, MEASURES, depths=[10_000])
    means = np.array(made.table("runs")["mean"]).reshape(len(runs), len(MEASURES))
    assert (means == cf.evaluate(qrels, runs, MEASURES).means).all()
    assert made.table()["agreement"].to_list() == [1.0] * len(MEASURES)
    assert made.table()["relevant_lost"].to_list() == [0] * len(MEASURES)
    assert not any("no list" in note for note in made.findings.notes)


def test_a_deeper_pool_holds_a_shallower_one():
    made = study.depth(*small(), ["AP"], depths=[1, 2, 4, 8, 16])
    assert made.table()["judged"].is_sorted()
    assert made.table()["relevant_lost"].is_sorted(descending=True)


def test_only_the_runs_that_built_the_pool_bring_documents(tmp_path):
    qrels, runs = small()
    names = tmp_path / "builders.txt"
    names.write_text("r0\nr3\n")
    made = study.depth(qrels, runs, ["AP"], depths=[6], builders=str(names))
    kept = pooled(qrels, {name: runs[name] for name in ("r0", "r3")}, 6)
    assert made.table("runs")["mean"].to_list() == cf.evaluate(kept, runs, ["AP"]).means[:, 0].tolist()
    assert "the top of 2 runs" in made.findings.title
    assert made.settings["inputs"][-1]["role"] == "builders"


def test_builders_that_are_none_of_the_runs_are_refused(tmp_path):
    names = tmp_path / "builders.txt"
    names.write_text("other\n")
    with pytest.raises(cf.InputError, match="no run here is named in it"):
        study.depth(*small(), ["AP"], builders=str(names))
    with pytest.raises(cf.InputError, match="E101"):
        study.depth(*small(), ["AP"], builders=str(tmp_path / "nowhere"))


@pytest.mark.parametrize("depths", [[], [0], [5, -1]])
def test_depths_are_whole_numbers_from_1(depths):
    with pytest.raises(cf.PolicyError, match="E240"):
        study.depth(*small(), ["AP"], depths=depths)


def test_the_model_is_in_the_first_line():
    made = study.depth(*small(), ["AP"])
    assert made.findings.title.endswith("pool of the top of all 5 runs, documents outside it unjudged")


def test_trec_8_was_pooled_to_depth_100(shared):
    data = shared / "data/trec8"
    runs = sorted(map(str, (data / "runs").glob("*.gz")))
    made = study.depth(str(data / "qrels.gz"), runs, ["AP"], depths=[100, 10], jobs=1)
    deep, shallow = made.table().to_dicts()
    assert (deep["judged"], deep["relevant"], deep["agreement"]) == (86_830, 4_728, 1.0)
    assert (shallow["judged"], shallow["relevant_lost"]) == (12_023, 4_728 - 1_909)
