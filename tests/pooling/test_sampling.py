"""Sampled pools: known probabilities, unbiased estimates, the oracle of stratified sampling by enumeration."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.pooling.candidates import Candidates
from cranfield.pooling.pool import pool
from cranfield.pooling.sampling import Stratum, by_ap_weight, proportional, read_strata, stratified, uniform
from cranfield.pooling.strategies import STRATEGIES
from cranfield.read.objects import as_runs
from tests.pooling.worlds import as_dict, rows, tops, worlds

STRATA = "1-2:1,3-4:0.5,5-6:0.25"
DESIGNS = [
    {"strata": STRATA},
    {"rate": 0.3},
    {"budget": 2},
    {"strata": "ap", "budget": 2},
    {"strata": "ap", "rate": 0.4},
]


@given(worlds(), st.sampled_from(DESIGNS), st.integers(0, 3))
def test_every_candidate_has_a_probability_and_they_add_up_to_the_expected_size(world, design, seed):
    runs, _ = world
    found = pool(runs, depth=6, strategy="sample", seed=seed, **design)
    frame = found.frame()
    assert len(frame) == len(found.candidates)
    assert ((frame.probability > 0) & (frame.probability <= 1)).all()  # type: ignore[operator, union-attr]  # there is one here
    per_topic = np.bincount(frame.topic, weights=frame.probability, minlength=len(frame.topics))
    if design.get("strata") == "ap":
        size = np.bincount(frame.topic, minlength=len(frame.topics))
        wanted = np.minimum(size, design["budget"]) if "budget" in design else size * design["rate"]
        assert per_topic == pytest.approx(wanted)
    else:
        assert per_topic == pytest.approx(found.sizes)


@given(worlds())
def test_a_stratum_is_the_best_rank_and_its_share_is_rounded_half_up(world):
    runs, _ = world
    found = pool(runs, depth=6, strategy="sample", strata=STRATA)
    ranks = {pair: min(by.values()) for pair, by in tops(runs, 6).items()}
    frame = found.frame()
    names = {1: "1-2", 2: "1-2", 3: "3-4", 4: "3-4", 5: "5-6", 6: "5-6"}
    rates = {"1-2": 1.0, "3-4": 0.5, "5-6": 0.25}
    members: dict[Any, Any] = {}
    for topic, document, stratum, chance in zip(
        frame.topic,
        frame.document,
        frame.stratum,  # type: ignore[arg-type]  # there is one here
        frame.probability,  # type: ignore[arg-type]  # there is one here
        strict=True,
    ):
        assert names[ranks[frame.topics[topic], document]] == stratum
        members.setdefault((frame.topics[topic], stratum), []).append((document, chance))
    for (topic, stratum), inside in members.items():
        wanted = max(1, int(rates[stratum] * len(inside) + 0.5))
        assert {chance for _, chance in inside} == {wanted / len(inside)}
        drawn = [pair for pair in rows(found) if pair in {(topic, document) for document, _ in inside}]
        assert len(drawn) == wanted


@given(worlds(), st.sampled_from(DESIGNS))
def test_drawn_pairs_get_their_grades_and_the_others_are_unjudged(world, design):
    runs, judged = world
    found = pool(runs, depth=6, strategy="sample", **design)
    frame = found.frame(
        cf.Qrels.of(*zip(*((t, d) for t, d in judged), strict=True), list(judged.values())) if judged else None  # type: ignore[call-arg]  # there is one here
    )
    drawn = set(rows(found))
    for topic, document, grade in zip(frame.topic, frame.document, frame.grade, strict=True):
        pair = frame.topics[topic], document
        assert grade == (max(-1, judged.get(pair, -1)) if pair in drawn else -1)


def candidates(documents):
    """One list: the rank of a document is its place."""
    return Candidates.of(as_runs({"r": {"1": documents}}).members, len(documents))


def test_every_sample_of_a_stratum_is_equally_likely():
    drawn: dict[Any, Any] = {}
    five = candidates(list("abcde"))
    for seed in range(3000):
        sample = stratified(five, [Stratum(1, 2, 1.0), Stratum(3, 5, 0.6)], seed)
        assert sample.drawn[:2].all()
        key = tuple(np.flatnonzero(sample.drawn[2:]).tolist())
        drawn[key] = drawn.get(key, 0) + 1
    assert sorted(drawn) == list(combinations(range(3), 2))
    # three equally likely pairs: 1000 each, standard deviation 25.8
    assert max(abs(count - 1000) for count in drawn.values()) < 5 * 25.8


def test_the_estimated_number_of_relevant_documents_is_unbiased_over_all_samples():
    # grades of a…h; stratum 1 = {a, b, c} judged, stratum 2 = {d…h}, 3 of 5: R = 5 is the mean over all 10 samples
    grade = dict(zip("abcdefgh", (2, 0, 1, 0, 1, 2, 0, 1), strict=True))
    sample = stratified(candidates(list("abcdefgh")), read_strata("1-3:1,4-8:60%"))
    chance = dict(zip("abcdefgh", sample.probability, strict=True))
    estimates = [
        sum((grade[d] > 0) / chance[d] for d in ("a", "b", "c", *others)) for others in combinations("defgh", 3)
    ]
    assert np.mean(estimates) == pytest.approx(5, abs=1e-9)
    assert sum((grade[d] > 0) / chance[d] for d in "abcefg") == pytest.approx(5.333333, abs=1e-6)  # sample {e, f, g}


def test_independent_draws_have_their_probabilities_and_estimate_without_bias():
    runs = as_runs({"r": {"1": list("abcdef")}, "s": {"1": list("fgahij")}}).members
    found = Candidates.of(runs, 6)
    relevant = np.array([document in "acfj" for document in found.document])
    samples = [by_ap_weight(found, budget=4, seed=seed) for seed in range(3000)]
    chance = samples[0].probability
    drawn = np.array([sample.drawn for sample in samples])
    assert chance.sum() == pytest.approx(4)
    assert np.abs(drawn.mean(axis=0) - chance).max() < 5 * np.sqrt(0.25 / 3000)
    estimates = (drawn * relevant / chance).sum(axis=1)
    assert estimates.mean() == pytest.approx(4, abs=5 * estimates.std() / np.sqrt(3000))
    best = dict(zip(found.document, chance, strict=True))
    assert best["a"] > best["b"] > best["c"] > best["d"]


def test_the_weights_of_ranks_in_average_precision_add_up_to_one():
    for depth in (1, 2, 7):
        sample = by_ap_weight(candidates([f"d{n}" for n in range(depth)]), rate=0.1)
        assert sample.probability.sum() == pytest.approx(0.1 * depth)
    two = by_ap_weight(candidates(["a", "b"]), rate=0.5).probability  # (1 + 1 + 1/2) : (1 + 1/2)
    assert two == pytest.approx([0.625, 0.375])


@given(st.lists(st.floats(0.01, 10), min_size=1, max_size=8), st.floats(0, 1))
def test_proportional_probabilities_keep_their_total_and_never_exceed_one(weights, share):
    total = share * len(weights)
    chance = proportional(np.array(weights), total)
    assert chance.sum() == pytest.approx(total)
    assert (chance <= 1 + 1e-12).all()
    free = chance < 1
    if free.sum() > 1:
        ratio = chance[free] / np.array(weights)[free]
        assert ratio == pytest.approx(np.full(len(ratio), ratio[0]))


def test_a_budget_larger_than_the_pool_takes_all():
    sample = uniform(candidates(list("abc")), 7)
    assert sample.drawn.all()
    assert sample.probability.tolist() == [1, 1, 1]


def test_documents_below_the_last_stratum_are_no_candidates():
    found = pool({"r": {"1": list("abcdef")}}, depth=6, strategy="sample", strata="1-2:1,3-4:0.5")
    assert (found.depth, len(found.candidates), len(found)) == (4, 4, 3)


def test_strata_may_be_given_as_tuples():
    assert read_strata([(1, 10, 1.0), Stratum(11, 50, 0.4)]) == read_strata("1-10:1, 11-50:40%")


def test_a_pool_that_draws_nothing_has_no_frame():
    with pytest.raises(cf.PolicyError, match="E244: strategy depth draws no sample"):
        pool({"r": {"1": ["a"]}}, depth=1).frame()


def test_what_is_judged_is_not_drawn_again():
    found = pool({"r": {"1": list("abcd")}}, depth=4, strategy="sample", rate=0.5, qrels=as_dict({("1", "a"): 1}))
    frame = found.frame()
    assert list(frame.document) == ["b", "c", "d"]
    assert set(frame.probability.tolist()) == {2 / 3}  # type: ignore[union-attr]  # there is one here


def test_a_random_strategy_that_is_registered_is_drawn_like_the_one_that_is_known():
    runs = {"r": {"1": list("abcdef")}}
    STRATEGIES.add("mine-own", replace(STRATEGIES["sample"], name="mine-own"))
    try:
        mine, known = (pool(runs, depth=6, strategy=name, rate=0.5) for name in ("mine-own", "sample"))
    finally:
        STRATEGIES.remove("mine-own")
    assert mine.strategy == "mine-own"
    assert mine.pairs == known.pairs
    assert mine.sample is not None
    assert mine.line() == known.line()
