"""Significance under people's and under a model's labels: the decisions of `compare`, counted by plain loops."""

import itertools

import numpy as np
import pytest

from cranfield.measures.evaluate import evaluate
from cranfield.stats.agreement.agree import agree
from cranfield.stats.agreement.model.decisions import Decision, Decisions
from cranfield.stats.comparison.compare import compare
from tests.stats.agreement.model.labelled import labelled

PLACES = {"A": 0, None: 1, "B": 2}


def decisions_of(people, model, runs, **options):
    """The decisions under both labels, for the first measure."""
    found = agree({"ann": people}, llm=model, runs=runs, samples=20, **options).consequences[0].decisions
    assert found is not None
    return found


def decided(labels, runs, measure, alpha):
    """What `compare` says about each pair: A, B or None."""
    found = compare(evaluate(labels, runs, measure), alpha=alpha)
    said = {}
    for a, b in itertools.combinations(runs, 2):
        pair = found.pair(a, b)
        said[a, b] = None if not pair.significant else "A" if (pair.difference > 0) != (measure == "ESL") else "B"
    return said


@pytest.mark.parametrize(("measure", "alpha"), [("nDCG@10", 0.05), ("P@5", 0.3), ("ESL", 0.3)])
def test_decisions_are_those_of_compare_under_either_labels(measure, alpha):
    people, model, runs, _ = labelled(favour=0.6)
    decisions = decisions_of(people, model, runs, measures=measure, alpha=alpha)
    ours, theirs = (decided(labels, runs, measure, alpha) for labels in (people, model))
    counts = np.zeros((3, 3), dtype=int)
    for pair in ours:
        counts[PLACES[ours[pair]], PLACES[theirs[pair]]] += 1
    assert decisions.counts.tolist() == counts.tolist()
    assert counts.sum() == len(decisions.pairs) == 10
    assert decisions.agreeing == pytest.approx(np.mean([ours[pair] == theirs[pair] for pair in ours]))
    both = [(pair, ours[pair], theirs[pair]) for pair in ours]
    assert [each.systems for each in decisions.false_positives] == [p for p, o, t in both if t and not o]
    assert [each.systems for each in decisions.missed] == [p for p, o, t in both if o and not t]
    assert [each.systems for each in decisions.reversed] == [p for p, o, t in both if o and t and o != t]
    assert (decisions.test, decisions.correction, decisions.alpha) == ("paired t", "Holm", alpha)


def test_a_model_that_favours_a_group_makes_false_positives_and_misses():
    people, model, runs, _ = labelled(topics=60, favour=0.9)
    found = decisions_of(people, model, runs)
    assert found.missed
    assert found.false_positives


def test_p_values_are_the_corrected_ones():
    people, model, runs, _ = labelled(favour=0.6)
    found = decisions_of(people, model, runs)
    for labels, side in ((people, "p_people"), (model, "p_model")):
        by_compare = compare(evaluate(labels, runs, "nDCG@10"))
        for each in found.pairs:
            assert getattr(each, side) == pytest.approx(by_compare.pair(*each.systems).p)


def test_labels_turned_round_reverse_every_decision():
    people = {f"q{n}": {"a": 2, "b": n % 2, "c": 0} for n in range(8)}
    model = {topic: {d: 2 - grade for d, grade in docs.items()} for topic, docs in people.items()}
    runs = {"up": {topic: ["a", "b", "c"] for topic in people}, "down": {topic: ["c", "b", "a"] for topic in people}}
    assert decisions_of(people, model, runs, measures="CG@1").counts[1, 1] == 1  # equal differences: no p
    two = decisions_of(people, model, runs, measures="nDCG@3")
    assert two.counts.tolist() == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]
    assert (two.reversed[0].people, two.reversed[0].model, two.agreeing) == ("up", "down", 0)
    printed = repr(agree({"ann": people}, llm=model, runs=runs, measures="nDCG@3", samples=20))
    assert "\n reversed by the model: down > up\n" in printed


def test_equal_labels_agree_on_every_pair():
    people, _, runs, _ = labelled()
    found = decisions_of(people, people, runs)
    assert found.agreeing == 1
    assert found.counts.sum() == np.trace(found.counts) == 10


@pytest.mark.parametrize(
    ("people", "runs"),
    [
        ({"q": {"a": 1, "b": 0}}, {"r": {"q": ["a"]}, "s": {"q": ["b"]}}),
        ({"q": {"a": 1}, "p": {"a": 0}}, {"r": {"q": ["a"], "p": ["a"]}}),
    ],
)
def test_one_topic_or_one_system_leaves_nothing_to_decide(people, runs):
    found = agree({"ann": people}, llm={t: dict.fromkeys(docs, 1) for t, docs in people.items()}, runs=runs, samples=20)
    assert found.consequences[0].decisions is None
    assert "significance" not in repr(found)


def test_counts_by_hand():
    sides = [("r", "r"), ("r", None), (None, "s"), ("s", "r"), (None, None)]
    found = Decisions("t", "Holm", 0.05, tuple(Decision(("r", "s"), p, m, 0.5, 0.5) for p, m in sides))
    assert found.counts.tolist() == [[1, 1, 0], [0, 1, 1], [1, 0, 0]]
    assert found.agreeing == pytest.approx(2 / 5)
    assert (len(found.missed), len(found.false_positives), len(found.reversed)) == (1, 1, 1)
