"""What to judge next: the value of each hole, the order, and the pool file."""

import json
import re
from typing import Literal

import numpy as np
import pytest

import cranfield as cf
from cranfield.missing.completions import values
from cranfield.missing.next.choose import open_pairs
from cranfield.missing.next.decisions import ExpectedScores
from cranfield.missing.next.mtc import coefficients, document_weights, moments
from cranfield.missing.next.question import Question, distances_between, squares_between
from cranfield.missing.next.strategies import NEXT
from cranfield.missing.next.weights import precision_sums, weights
from cranfield.missing.ranges import Bounder
from cranfield.missing.result import Holes

PAIR = {"A": {"1": ["a", "b", "c", "d"]}, "B": {"1": ["b", "e", "a", "f"]}}
PAIR_QRELS = {"1": {"a": 1, "c": 0}}


def collection(seed: int = 0, runs: int = 4, topics: int = 3, grades: int = 3) -> tuple[dict, dict]:
    """Random lists over twelve documents, half of them judged."""
    rng = np.random.default_rng(seed)
    documents = [f"d{number}" for number in range(12)]
    qrels = {
        f"t{topic}": {d: int(rng.integers(0, grades)) for d in rng.permutation(documents)[:6]}
        for topic in range(topics)
    }
    lists = {f"r{run}": {topic: rng.permutation(documents)[:6].tolist() for topic in qrels} for run in range(runs)}
    return qrels, lists


def question(holes: Holes) -> Question:
    """The question of the first measure, about all pairs."""
    bounder = Bounder(holes.situations[holes.measures[0]])
    a, b = np.triu_indices(len(holes.runs), 1)
    return Question(bounder, holes.candidates, holes.grade, *open_pairs(bounder, a, b))


def test_swing_of_one_pair_is_that_of_the_specification() -> None:
    """SPEC 12.7: e .16, d .1024, f .1024, b .04."""
    found = cf.holes(PAIR_QRELS, PAIR, "RBP(p=0.8)").next(4)
    assert found.documents == ("e", "d", "f", "b")
    assert found.shrinks == pytest.approx([0.16, 0.1024, 0.1024, 0.04])


def taken_off(qrels: dict, runs: dict, measure: str, topic: str, document: str, grade: int) -> float:
    """By how much a judgment shrinks the ranges of the open pairs in sum: they are found anew."""
    before = cf.holes(qrels, runs, measure, scale=[0, 1, 2]).differences()
    judged = {name: dict(grades) for name, grades in qrels.items()}
    judged[topic][document] = grade
    after = cf.holes(judged, runs, measure, scale=[0, 1, 2]).differences()
    open_ = ~before.certain & (before.high - before.low > 1e-9)
    return float((before.high - before.low - after.high + after.low)[open_].sum())


@pytest.mark.parametrize("measure", ["P@4", "RBP(p=0.8)", "DCG@5"])
def test_swing_is_what_judging_takes_off_the_ranges(measure: str) -> None:
    """Whatever the answer, the ranges of the open pairs shrink by the value in sum."""
    qrels, runs = collection()
    found = cf.holes(qrels, runs, measure).next(3)
    assert (found.exact, found.depends) == (True, False)
    assert "shrinks the open ranges by\n" in repr(found)
    assert found.shrinks == pytest.approx(found.value)
    for topic, document, value in zip(found.topics, found.documents, found.shrinks, strict=True):
        for grade in (0, 1, 2):
            assert taken_off(qrels, runs, measure, topic, document, grade) == pytest.approx(value)


@pytest.mark.parametrize("strategy", ["swing", "random"])
@pytest.mark.parametrize("measure", ["nDCG@5", "nDCG(dcg='exp-log2')@3", "R@4"])
def test_a_share_of_the_ideal_list_shrinks_by_least_and_most_over_the_grades(measure: str, strategy: str) -> None:
    qrels, runs = collection()
    found = cf.holes(qrels, runs, measure, scale=[0, 1, 2]).next(4, strategy=strategy)
    assert (found.exact, found.depends) == (True, True)
    assert re.search(r"shrinks the open ranges by +up to\n", repr(found))
    for place, (topic, document) in enumerate(zip(found.topics, found.documents, strict=True)):
        taken = [taken_off(qrels, runs, measure, topic, document, grade) for grade in (0, 1, 2)]
        assert (found.shrinks[place], found.shrinkage.most[place]) == pytest.approx((min(taken), max(taken)))


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
@pytest.mark.parametrize(
    ("measure", "topic_set"), [("AP", "qrels"), ("ERR@5", "qrels"), ("P@4", "intersection"), ("nDCG@5", "intersection")]
)
def test_what_is_not_exact_is_called_so(measure: str, topic_set: Literal["qrels", "intersection"]) -> None:
    """Ranges that are not quickly found; pairs that are compared on different topics."""
    qrels, runs = collection(grades=2)
    del runs["r0"]["t0"]
    found = cf.holes(qrels, runs, measure, topic_set=topic_set).next(3)
    assert not found.exact
    assert "shrinks the open ranges by about\n" in repr(found)
    assert json.loads(found.to_json())["result"]["exact"] is False


@pytest.mark.parametrize("measure", ["P@4", "RBP(p=0.8)", "nDCG@5", "AP", "ERR@5", "RR", "R@4"])
def test_weights_are_what_one_relevant_hole_adds(measure: str) -> None:
    """Sums exactly; of others the formula of average precision and single trials."""
    qrels, runs = collection(grades=2)
    bounder = Bounder(cf.holes(qrels, runs, measure).situations[measure])
    for topic in bounder.topics:
        found = weights(bounder, topic)
        alone = np.concatenate((np.zeros((1, topic.holes)), np.eye(topic.holes)))
        value = values(bounder.situation, topic, alone)
        if measure not in ("nDCG@5", "R@4"):  # their weights keep the present ideal
            assert found.now == pytest.approx(value[0])
            assert found.weight == pytest.approx((value[1:] - value[0]).T)
        assert found.gain == pytest.approx([0.0, 1.0])


def test_weights_of_a_ratio_keep_the_ideal_of_the_judgments() -> None:
    """One judged relevant document, two expected: the ideal grows with the expectation."""
    holes = cf.holes({"1": {"a": 1, "b": 0}}, {"r": {"1": ["x", "a"]}}, "R@2")
    bounder = Bounder(holes.situations["R@2"])
    topic = bounder.topics[0]
    assert weights(bounder, topic).weight.tolist() == [[1.0]]
    assert weights(bounder, topic, np.array([[0.0, 1.0]])).weight.tolist() == [[0.5]]


def test_sums_over_pairs_by_matrices_are_those_of_a_loop() -> None:
    """Squares and distances."""
    rng = np.random.default_rng(3)
    weight, strength = rng.random((5, 7)), np.triu(rng.random((5, 5)), 1)
    between = strength + strength.T
    pairs = [(a, b) for a in range(5) for b in range(a + 1, 5)]
    squares = sum(between[a, b] * (weight[a] - weight[b]) ** 2 for a, b in pairs)
    distances = sum(between[a, b] * np.abs(weight[a] - weight[b]) for a, b in pairs)
    assert squares_between(weight, between) == pytest.approx(squares)
    assert distances_between(weight, between) == pytest.approx(distances)


def test_minimal_test_collections_have_the_numbers_of_the_specification() -> None:
    """SPEC 12.6: A = abc, B = cda."""
    inf, chance = np.inf, np.array([0.7, 0.5, 0.4, 0.2])
    c = coefficients(np.array([1, 2, 3, inf]), np.array([3, inf, 1, 2]))
    assert moments(c, chance) == pytest.approx((0.505, 0.652364), abs=1e-6)
    own = document_weights(c, chance)
    assert own == pytest.approx([0.85, 0.983333, -0.6, -0.933333], abs=1e-6)
    runs = {"A": {"1": ["a", "b", "c"]}, "B": {"1": ["c", "d", "a"]}}
    bounder = Bounder(cf.holes({"1": {"e": 1}}, runs, "P@3").situations["P@3"])
    added = precision_sums(bounder.topics[0], chance)[1]  # holes are a, b, c, d
    assert added[0] - added[1] == pytest.approx(own)


def test_moments_are_those_of_all_completions() -> None:
    """Enumerated: eight documents of two random lists."""
    rng = np.random.default_rng(1)
    first, second = (np.asarray(rng.permutation(8) + 1, dtype=np.float64) for _ in range(2))
    c, chance = coefficients(first, second), rng.random(8)
    every = (np.arange(256)[:, None] >> np.arange(8)) & 1
    value = np.einsum("wi,ij,wj->w", every, np.triu(c), every)
    likely = np.prod(np.where(every, chance, 1 - chance), axis=1)
    mean = likely @ value
    assert moments(c, chance) == pytest.approx((mean, likely @ (value - mean) ** 2))


def test_expected_scores_are_the_means_over_drawn_completions() -> None:
    """Of a sum over documents: the mean of drawn completions, and nearly their variance."""
    qrels, runs = collection(grades=3)
    asked = question(cf.holes(qrels, runs, "DCG@5"))
    scores = ExpectedScores(asked)
    gain = asked.expected[0].gain[np.searchsorted(asked.situation.levels, asked.prior.levels)]
    drawn = gain[asked.prior.draw(4000)]  # [draw, hole], in the order of the candidates
    order = np.argsort(np.argsort(asked.places))
    total = np.zeros((len(drawn), len(asked.situation.runs)))
    for number, own in asked.topics():
        topic = asked.expected[number]
        total += topic.now + drawn[:, order[own]] @ topic.weight.T
    total *= asked.share
    assert scores.mean == pytest.approx(total.mean(axis=0), abs=0.05)
    assert np.sqrt(np.diag(scores.covariance)) == pytest.approx(total.std(axis=0), rel=0.25)


@pytest.mark.parametrize("strategy", sorted(NEXT))
@pytest.mark.parametrize("measure", ["nDCG@5", "AP", "P@4"])
def test_every_strategy_names_all_holes_once(strategy: str, measure: str) -> None:
    """Each hole once, judged documents never; the same again with the same seed."""
    qrels, runs = collection()
    holes = cf.holes(qrels, runs, measure)
    found = holes.next(1000, strategy=strategy)
    named = set(zip(found.topics, found.documents, strict=True))
    assert len(named) == len(found) == holes.situations[measure].holes
    assert not any(document in qrels[topic] for topic, document in named)
    again = holes.next(5, strategy=strategy)
    assert again.documents == found.documents[:5]


def test_the_strategies_of_the_specification_are_registered() -> None:
    """All of them are there; others may be added."""
    assert set(NEXT) >= {"decisions", "depth", "maxmean", "mtc", "mtf", "random", "swing", "thompson"}


def test_unknown_strategy_is_refused_with_the_nearest_name() -> None:
    """As other names are."""
    with pytest.raises(cf.PolicyError, match="did you mean swing"):
        cf.holes(PAIR_QRELS, PAIR, "P@4").next(1, strategy="swng")
    with pytest.raises(cf.PolicyError):
        cf.holes(PAIR_QRELS, PAIR, "P@4").next(0)


def test_certain_pairs_do_not_count() -> None:
    """Judging cannot change a pair that is certain, or equal."""
    qrels = {"1": {"a": 1, "b": 0}}
    runs = {"best": {"1": ["a"]}, "worst": {"1": ["b"]}, "same": {"1": ["a", "x"]}}
    found = cf.holes(qrels, runs, "P@1").next(5)
    assert (found.open, found.asked, len(found)) == (0, 3, 0)
    found = cf.holes(qrels, runs, "P@2").next(5)
    assert found.open == 1  # worst is certain to be last, and x may lift the third above the first
    assert found.pairs.tolist() == [1]


def test_next_is_written_as_an_adaptive_pool(tmp_path) -> None:
    """No inclusion probability is known, so sampling estimators refuse it."""
    found = cf.holes(PAIR_QRELS, PAIR, "RBP(p=0.8)").next(2)
    found.write(tmp_path / "pool.tsv")
    pool = cf.read_pool(tmp_path / "pool.tsv")
    assert pool.adaptive
    assert list(pool.document) == ["e", "d"]
    assert pool.strata == ["swing"]


def test_forms() -> None:
    """Polars rows, JSON, and the printed table."""
    found = cf.holes(PAIR_QRELS, PAIR, "RBP(p=0.8)").next(1, strategy="decisions")
    assert found.table().columns == ["topic", "document", "value", "shrinks", "shrinks_most", "pairs"]
    told = json.loads(found.to_json())["result"]
    assert told["strategy"] == "decisions"
    assert told["next"][0]["document"] == "e"
    assert "expected decisions" in repr(found)
    assert "1 of 1 pair open" in repr(found)


def test_pairs_that_are_asked_about_decide_what_counts() -> None:
    """Against a baseline, documents of the other runs count less."""
    qrels, runs = collection()
    holes = cf.holes(qrels, runs, "DCG@5")
    whole, adjacent = holes.next(1000), holes.next(1000, pairs="adjacent")
    assert adjacent.asked == 3
    assert whole.asked == 6
    assert adjacent.shrinks.sum() < whole.shrinks.sum()
    based = cf.holes(qrels, runs, "DCG@5", baseline="r0").next(3)
    assert based.asked == 3
