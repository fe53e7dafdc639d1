"""The disagreement study: swapped grades and second assessors, against qrels that a loop rewrites."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import study
from cranfield.random_streams import stream
from cranfield.study.data.collection import Collection
from cranfield.study.kinds.disagreement.assessors import Second, second_assessor
from cranfield.study.kinds.disagreement.regrading import Reached, Sides, regraded, swap_count
from cranfield.study.kinds.disagreement.study import Disagreement
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
MEASURES = ["AP", "nDCG@10", "bpref", "ERR@10"]


def written(qrels, path):
    """A qrels file."""
    lines = [f"{topic} 0 {doc} {grade}\n" for topic, grades in qrels.items() for doc, grade in grades.items()]
    path.write_text("".join(lines))
    return str(path)


def documents(collection, qrels):
    """The document of every place, from the order by topic and id."""
    names = [(topic, doc) for topic in collection.topics for doc in sorted(qrels[topic], key=str.encode)]
    found = [None] * len(names)
    for place, name in zip(collection.judgments.order.tolist(), names, strict=True):
        found[place] = name
    return found


def kappa(first, second, rel=1):
    """Cohen's kappa of two dictionaries with the same keys, in plain words."""
    pairs = [(first[key] >= rel, second[key] >= rel) for key in first]
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    ours, theirs = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    expected = ours * theirs + (1 - ours) * (1 - theirs)
    return (observed - expected) / (1 - expected)


@pytest.mark.parametrize("policy", [{}, {"rel": 2}, {"unjudged": "condensed"}, {"topic_set": "intersection"}])
def test_other_grades_are_an_evaluation_with_other_qrels(policy):
    qrels, runs = small()
    collection = Collection.of(qrels, runs, MEASURES, **policy)
    names = documents(collection, qrels)
    chance = np.random.default_rng(4)
    grade = chance.integers(0, 3, len(collection.judgments))
    rewritten = {topic: dict(grades) for topic, grades in qrels.items()}
    for (topic, doc), new in zip(names, grade.tolist(), strict=True):
        rewritten[topic][doc] = new
    again = cf.evaluate(rewritten, runs, MEASURES, **policy)
    assert np.array_equal(regraded(collection, grade).full, again.values, equal_nan=True)
    assert np.array_equal(regraded(collection, collection.judgments.grade).full, collection.full, equal_nan=True)


@given(st.integers(1, 40), st.integers(1, 400), st.floats(0, 1))
def test_so_many_swaps_give_the_kappa(relevant, nonrelevant, wanted):
    """With m swaps the table is R - m, m, m, N - m."""
    m, n = swap_count(relevant, nonrelevant, wanted), relevant + nonrelevant
    observed = 1 - 2 * m / n
    expected = (relevant**2 + nonrelevant**2) / n**2
    assert (observed - expected) / (1 - expected) == pytest.approx(wanted, abs=1e-9)
    assert m <= min(relevant, nonrelevant) + 1e-9


def test_swaps_keep_how_many_documents_have_a_grade():
    collection = Collection.of(*small(), ["AP"])
    grade, topic = collection.judgments.grade, collection.judgments.topic
    for wanted in (0.0, 0.3, 0.8):
        swapped = Sides.of(collection).swapped(grade, wanted, 0, 7)
        assert (swapped != grade).any()
        for number in range(len(collection.topics)):
            assert sorted(swapped[topic == number]) == sorted(grade[topic == number])


def test_kappa_is_met_on_average():
    collection = Collection.of(*small(topics=8, judged=25), ["AP"])
    sides = Sides.of(collection)
    for wanted in (0.85, 0.5, 0.1):
        reached = [
            Reached.of(collection, sides.swapped(collection.judgments.grade, wanted, draw, 0)) for draw in range(400)
        ]
        mean, error = np.mean([r.topic_kappa for r in reached]), np.std([r.topic_kappa for r in reached]) / 20
        assert abs(mean - wanted) < 5 * error + 1e-12


def test_lower_kappas_swap_what_higher_ones_swap_and_more():
    collection = Collection.of(*small(), ["AP"])
    grade = collection.judgments.grade >= 1
    changed = [(Sides.of(collection).swapped(grade.astype(int), k, 3, 1) >= 1) != grade for k in (0.9, 0.6, 0.2)]
    assert changed[0].sum() < changed[1].sum() < changed[2].sum()
    assert not (changed[0] & ~changed[1]).any()
    assert not (changed[1] & ~changed[2]).any()


def test_a_kappa_of_1_changes_nothing():
    qrels, runs = small()
    made = study.disagreement(qrels, runs, MEASURES, kappa=[1.0], draws=3)
    rows = made.table().to_dicts()
    assert [(r["agreement"], r["kappa_reached"], r["overlap"]) for r in rows] == [(1.0, 1.0, 1.0)] * len(MEASURES)
    means = made.table("bands").to_dicts()
    assert [r["mean_low"] for r in means] == cf.evaluate(qrels, runs, MEASURES).means.ravel().tolist()


def test_the_kappa_reached_is_that_of_the_two_sets():
    qrels, runs = small()
    collection = Collection.of(qrels, runs, ["AP"])
    names = documents(collection, qrels)
    grade = Sides.of(collection).swapped(collection.judgments.grade, 0.4, 0, 0)
    reached = Reached.of(collection, grade)
    first = {name: qrels[name[0]][name[1]] for name in names}
    second = dict(zip(names, grade.tolist(), strict=True))
    assert reached.kappa == pytest.approx(kappa(first, second), abs=1e-12)
    by_topic = [
        kappa({k: v for k, v in first.items() if k[0] == t}, {k: v for k, v in second.items() if k[0] == t})
        for t in qrels
    ]
    assert reached.topic_kappa == pytest.approx(np.mean(by_topic), abs=1e-12)


# --- a second assessor -----------------------------------------------------------------------------------------------


def two_assessors():
    """Judgments, other judgments of most of the same documents and of one more, and runs."""
    qrels, runs = small()
    chance = np.random.default_rng(8)
    second = {
        topic: {doc: int(chance.integers(0, 3)) if chance.random() < 0.3 else grade for doc, grade in grades.items()}
        for topic, grades in qrels.items()
    }
    for grades in second.values():
        grades.pop("d5")
    second["q1"]["other"] = 1
    return qrels, second, runs


def combined(qrels, second, model, seed, draw):
    """The judgments of a model, pair by pair."""
    kept: dict[Any, Any] = {}
    for topic, grades in qrels.items():
        theirs = bool(stream(seed, "disagreement", draw, topic).integers(2))
        kept[topic] = {}
        for doc, grade in grades.items():
            other = second[topic].get(doc, grade)
            values = {"second": other, "union": max(grade, other), "intersection": min(grade, other)}
            values["mix"] = other if theirs else grade
            kept[topic][doc] = values[model]
    return kept


def test_a_second_assessor_gives_four_sets_of_judgments(tmp_path):
    qrels, second, runs = two_assessors()
    files = written(qrels, tmp_path / "first.txt"), written(second, tmp_path / "second.txt")
    made = study.disagreement(files[0], runs, MEASURES, second=files[1], draws=3, seed=6)
    bands = made.table("bands").to_dicts()
    for model in ("second", "union", "intersection", "mix"):
        draws = range(3) if model == "mix" else range(1)
        means = [cf.evaluate(combined(qrels, second, model, 6, draw), runs, MEASURES).means for draw in draws]
        found = [r["mean"] for r in bands if r["judgments"] == model]
        assert found == pytest.approx(np.mean(means, axis=0).ravel().tolist(), abs=1e-15)
    both = {(t, d): g for t, grades in qrels.items() for d, g in grades.items() if d in second[t]}
    row = made.table().to_dicts()[0]
    assert row["kappa_pooled"] == pytest.approx(kappa(both, {(t, d): second[t][d] for t, d in both}), abs=1e-12)
    assert (
        "174 documents judged by both; 6 by the first alone, whose grades stay; 1 by the second alone, left out."
        in (made.findings.notes)
    )
    assert made.settings["inputs"][-1]["role"] == "second"
    assert list(made.findings.drawings) == ["bands"]


def test_an_assessor_who_agrees_changes_nothing(tmp_path):
    qrels, runs = small()
    path = written(qrels, tmp_path / "qrels.txt")
    made = study.disagreement(path, runs, ["AP"], second=path, draws=2)
    assert made.table()["agreement"].to_list() == [1.0] * 4
    assert made.table()["kappa_reached"].to_list() == [1.0] * 4


def test_what_cannot_be_compared_is_refused(tmp_path):
    qrels, runs = small()
    path = written(qrels, tmp_path / "qrels.txt")
    other = written({"q0": {"unknown": 1}}, tmp_path / "other.txt")
    with pytest.raises(cf.InputError, match=r"E128: .*other.txt: no document here"):
        study.disagreement(path, runs, ["AP"], second=other)
    apart = written({"q0": {"a": 1}, "q1": {"b": 1}}, tmp_path / "apart.txt")
    crossed = written({"q0": {"b": 1}, "q1": {"a": 1}}, tmp_path / "crossed.txt")
    with pytest.raises(cf.InputError, match="judged none of the documents"):
        study.disagreement(apart, runs, ["AP"], second=crossed)
    with pytest.raises(cf.PolicyError, match="came from a file"):
        study.disagreement(qrels, runs, ["AP"], second=path)
    collection = Collection.of(path, runs, ["AP"])
    written({"q0": {"unknown": 1}}, tmp_path / "qrels.txt")
    with pytest.raises(cf.PolicyError, match="cannot find the judgments again"):
        second_assessor(collection, other)


def test_pooled_documents_that_nobody_judged_stay_so(tmp_path):
    qrels = {"q1": {"a": 1, "b": 0, "c": -1}}
    runs = {"x": {"q1": ["a", "b", "c"]}, "y": {"q1": ["c", "b", "a"]}}
    path = written(qrels, tmp_path / "qrels.txt")
    collection = Collection.of(path, runs, ["AP"])
    found = second_assessor(collection, written({"q1": {"a": 0, "b": 1, "c": 1}}, tmp_path / "second.txt"))
    assert isinstance(found, Second)
    union = found.combined(collection, "union", 0, 0)
    assert sorted(union.tolist()) == [-1, 1, 1]


@pytest.mark.parametrize("levels", [[], [1.2], [-0.1]])
def test_kappas_lie_between_0_and_1(levels):
    with pytest.raises(cf.PolicyError, match="E240"):
        Disagreement(kappa=levels)


def test_the_model_is_in_the_first_line():
    title = study.disagreement(*small(), ["AP"], kappa=[0.5], draws=2).findings.title
    assert title.startswith("Kendall τ-b with the original order (mean over 2 draws")
    assert title.endswith("swap grades at random, so that Cohen κ is met on average")
