"""A world with fewer judgments is a mask away, and is bit for bit the world whose qrels were rewritten."""

import pickle

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.definition import MEASURES
from cranfield.study.data import collection as module
from cranfield.study.data.collection import Collection
from tests.study.small import reduced, small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list


def studied() -> list[str]:
    """Every measure that can be studied, with a cut-off where it needs one."""
    names = []
    for name, found in MEASURES.items():
        required = [parameter.name for parameter in found.parameters.values() if parameter.required]
        if found.needs_subtopics or found.family == "own" or set(required) - {"cutoff"}:
            continue
        text = f"{name}@5" if required else name
        try:
            Collection.of(*small(2, 2), [text])
        except cf.Error:
            continue
        names.append(text)
    return names


def worlds(collection: Collection, count: int = 4) -> np.ndarray:
    """Masks that leave a document of each grade to every topic, so that the scale and the topic set stay."""
    judged = np.random.default_rng(3).random((count, len(collection.judgments))) < 0.4
    seen = set()
    for place in collection.judgments.order.tolist():
        kind = (int(collection.judgments.topic[place]), int(collection.judgments.grade[place]))
        judged[:, place] |= kind not in seen
        seen.add(kind)
    return judged


@pytest.mark.parametrize(
    "policy", [{}, {"topic_set": "intersection"}, {"rel": 2}, {"unjudged": "condensed"}, {"depth": 7}]
)
def test_a_mask_gives_bit_for_bit_what_rewritten_qrels_give(policy):
    qrels, runs = small()
    measures = studied()
    assert len(measures) > 60
    collection = Collection.of(qrels, runs, measures, **policy)
    judged = worlds(collection)
    scores = collection.scores(judged)
    for world, mask in zip(scores, judged, strict=True):
        again = cf.evaluate(reduced(qrels, collection, mask), runs, measures, **policy)
        assert again.runs == collection.runs
        assert again.topics == collection.topics
        for column, name in enumerate(again.measures):
            assert np.array_equal(world[:, :, column], again.values[:, :, column], equal_nan=True), name
        assert np.array_equal(collection.means(world), again.means, equal_nan=True)


def test_all_judgments_give_what_evaluate_gives():
    qrels, runs = small()
    collection = Collection.of(qrels, runs, ["AP", "nDCG@10", "infAP", "NumRel"])
    scores = cf.evaluate(qrels, runs, ["AP", "nDCG@10", "infAP", "NumRel"])
    assert np.array_equal(collection.full, scores.values)
    assert np.array_equal(collection.full_means, scores.means)
    whole = np.ones((1, len(collection.judgments)), dtype=bool)
    assert np.array_equal(collection.scores(whole)[0], scores.values)


@pytest.mark.parametrize("together", [1, 40, 1000])
def test_how_much_is_looked_at_at_once_changes_nothing(together, monkeypatch):
    collection = Collection.of(*small(), ["AP", "nDCG", "BprefN"])
    judged = worlds(collection, 7)
    before = collection.scores(judged)
    monkeypatch.setattr(module, "TOGETHER", together)
    again = Collection.of(*small(), ["AP", "nDCG", "BprefN"])
    assert len(again._blocks) > 1 or together == 1000
    assert np.array_equal(again.scores(judged), before)


def test_pooled_documents_that_nobody_judged_stay_so():
    qrels, runs = small()
    qrels = {topic: {doc: -1 if doc == "d7" else grade for doc, grade in docs.items()} for topic, docs in qrels.items()}
    collection = Collection.of(qrels, runs, ["infAP"])
    judged = worlds(collection, 2)
    judged[:, collection.judgments.grade < 0] = True
    for world, mask in zip(collection.scores(judged), judged, strict=True):
        again = cf.evaluate(reduced(qrels, collection, mask), runs, ["infAP"])
        assert np.array_equal(world, again.values)


def test_a_world_without_relevant_documents_follows_the_policy():
    qrels, runs = small()
    for policy, value in (("zero", 0.0), ("exclude", np.nan)):
        collection = Collection.of(qrels, runs, ["AP"], no_relevant=policy)
        judged = (collection.judgments.grade == 0)[None]
        assert np.array_equal(collection.scores(judged), np.full((1, 5, 6, 1), value), equal_nan=True)


def test_neither_files_nor_the_order_of_rows_and_topics_change_the_fingerprint_of_a_topic():
    qrels, runs = small()
    collection = Collection.of(qrels, runs, ["AP"])
    assert Collection.of(qrels, runs, ["AP"]).fingerprint == collection.fingerprint
    other = {topic: dict(docs) for topic, docs in qrels.items()}
    other["q3"]["d4"] = 2 - other["q3"]["d4"] // 2
    assert Collection.of(other, runs, ["AP"]).fingerprint != collection.fingerprint


def test_it_travels_without_what_can_be_computed():
    collection = Collection.of(*small(), ["AP"])
    again = pickle.loads(pickle.dumps(collection))
    assert "full" not in vars(again)
    assert again.fingerprint == collection.fingerprint
    assert np.array_equal(again.full, collection.full)


@pytest.mark.parametrize("name", ["RelativeRelevance", "ESL", "alpha_nDCG@5"])
def test_a_measure_that_needs_more_than_judged_documents_is_refused(name):
    with pytest.raises(cf.MeasureError, match=f"E230: {name} cannot be studied"):
        Collection.of(*small(), [name])
    with pytest.raises(cf.MeasureError, match="E230"):  # before any run is looked for
        Collection.of(small()[0], "nowhere.run", [name])


def test_topics_without_judgments_mean_nothing_here():
    with pytest.raises(cf.PolicyError, match="union"):
        Collection.of(*small(), ["AP"], topic_set="union")


def test_a_run_without_a_judged_topic_is_an_error():
    qrels, runs = small()
    with pytest.raises(cf.InputError, match="E114"):
        Collection.of(qrels, {**runs, "other": {"elsewhere": {"d1": 1.0}}}, ["AP"])
