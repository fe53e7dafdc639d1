"""Adaptive strategies against plain-loop twins, and what is said about them."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.pooling.pool import pool
from cranfield.pooling.strategies import STRATEGIES
from tests.pooling.worlds import as_dict, rows, topic_order, worlds

LISTS = {"r1": {"1": list("abcd")}, "r2": {"1": list("bcef")}, "r3": {"1": list("aegb")}}


def twin_mtf(lists, relevant, budget):
    queue = [list(one) for one in lists]
    order: list[Any] = []
    while queue and len(order) < budget:
        head = queue.pop(0)
        left = [document for document in head if document not in order]
        if not left:
            continue
        order.append(left[0])
        queue.insert(0, left) if left[0] in relevant else queue.append(left)
    return order


def twin_means(lists, relevant, budget, decay=1.0):
    order: list[Any] = []
    counts = [[0.0, 0.0] for _ in lists]
    while len(order) < budget:
        left = [[document for document in one if document not in order] for one in lists]
        able = [number for number, one in enumerate(left) if one]
        if not able:
            break
        run = max(able, key=lambda n: ((1 + counts[n][0]) / (2 + sum(counts[n])), -n))
        document = left[run][0]
        order.append(document)
        good = document in relevant
        counts[run] = [decay * counts[run][0] + good, decay * counts[run][1] + (not good)]
    return order


def twin_hedge(lists, relevant, budget, depth):
    every = sorted({document for one in lists for document in one}, key=str.encode)
    worth = [{d: math.log((depth + 1) / rank) for rank, d in enumerate(one, start=1)} for one in lists]
    loss = [0.0] * len(lists)
    order: list[Any] = []
    while len(order) < min(budget, len(every)):
        weights = [0.1 ** (each - min(loss)) for each in loss]
        whole = sum(weights)
        values = {
            d: round(sum(w / whole * of.get(d, 0) for w, of in zip(weights, worth, strict=True)), 12) for d in every
        }
        left = [d for d in every if d not in order]
        chosen = max(left, key=lambda d: (values[d], -every.index(d)))
        order.append(chosen)
        sign = -0.5 if chosen in relevant else 0.5
        loss = [each + sign * of.get(chosen, 0) for each, of in zip(loss, worth, strict=True)]
    return order


TWINS = {
    "mtf": lambda lists, relevant, budget, depth: twin_mtf(lists, relevant, budget),
    "maxmean": lambda lists, relevant, budget, depth: twin_means(lists, relevant, budget),
    "maxmean-ns": lambda lists, relevant, budget, depth: twin_means(lists, relevant, budget, 0.9),
    "hedge": twin_hedge,
}


@pytest.mark.parametrize("strategy", TWINS)
@given(world=worlds(), depth=st.integers(1, 6), budget=st.integers(1, 8))
def test_a_strategy_walks_as_its_twin(strategy, world, depth, budget):
    runs, judged = world
    if not judged:
        return
    expected = []
    for topic in topic_order(runs):
        relevant = {d for (t, d), grade in judged.items() if t == topic and grade >= 1}
        lists = [lists.get(topic, [])[:depth] for lists in runs.values()]
        expected += [(topic, d) for d in TWINS[strategy](lists, relevant, budget, depth)]
    found = pool(runs, depth=depth, strategy=strategy, budget=budget, qrels=as_dict(judged))
    assert rows(found) == expected
    assert found.relevant == sum(judged.get(pair, 0) >= 1 for pair in expected)
    assert found.unknown == sum(judged.get(pair, -1) < 0 for pair in expected)


@given(worlds(), st.sampled_from(sorted(name for name, each in STRATEGIES.items() if each.adaptive)))
def test_without_a_budget_every_strategy_ends_with_the_depth_pool(world, strategy):
    runs, judged = world
    found = pool(runs, depth=4, strategy=strategy, qrels=as_dict(judged) or {"none": {"a": 0}})
    assert sorted(rows(found)) == sorted(rows(pool(runs, depth=4)))
    assert np.isnan(found.pairs.probability).all()
    assert found.pairs.adaptive
    assert found.pairs.strata == [strategy]


def test_move_to_front_by_hand():
    # r1: a relevant, b not (r1 last) · r2: c not (r2 last; b is judged) · r3: e relevant, g not · r1: d · r2: f
    found = pool(LISTS, depth=4, strategy="mtf", qrels={"1": {"a": 1, "e": 2, "b": 0}})
    assert "".join(document for _, document in rows(found)) == "abcegdf"


def test_without_judgments_runs_take_turns_and_it_is_said():
    with pytest.warns(cf.DataWarning, match="W121: mtf has no judgments to learn from"):
        found = pool(LISTS, depth=4, strategy="mtf")
    assert "".join(document for _, document in rows(found)) == "abecfgd"
    assert found.relevant is None


def test_the_level_decides_what_is_relevant():
    qrels = {"1": {"a": 1, "b": 1, "e": 1}}
    orders = [rows(pool(LISTS, depth=4, strategy="mtf", qrels=qrels, rel=rel)) for rel in (1, 2)]
    assert orders[0] != orders[1]


def test_thompson_sampling_repeats_with_its_seed():
    qrels = {"1": {"a": 1, "e": 1}}
    orders = [rows(pool(LISTS, depth=4, strategy="thompson", qrels=qrels, seed=seed)) for seed in (3, 3, *range(20))]
    assert orders[0] == orders[1]
    assert len({tuple(order) for order in orders}) > 1


def test_every_strategy_says_what_it_does():
    assert [name for name, each in STRATEGIES.items() if not each.summary.endswith(".")] == []
