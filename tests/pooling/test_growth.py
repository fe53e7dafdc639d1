"""The growth of a pool: relevant documents found by pairs judged, counted by hand and by making the pools (V13)."""

import warnings

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.pooling.growth import growth
from cranfield.pooling.strategies import STRATEGIES

TOPICS = ("1", "2", "3")
RUNS = {
    name: {
        topic: np.random.default_rng([seed, at]).permutation(list("abcdefghij")).tolist()[:6]
        for at, topic in enumerate(TOPICS)
    }
    for seed, name in enumerate(("r", "s", "t"))
}
QRELS = {topic: {d: (ord(d) + at) % 3 % 2 for d in "abcdefgh"} for at, topic in enumerate(TOPICS)}


def pooled(**choices):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        return cf.pool(RUNS, depth=5, qrels=QRELS, **choices)


@pytest.mark.parametrize("strategy", [name for name, each in STRATEGIES.items() if each.adaptive])
def test_after_each_round_as_many_are_found_as_in_a_pool_of_that_budget(strategy):
    whole = pooled()
    grown = growth(whole.candidates, whole.grade, 1, [strategy])
    for budget in range(1, len(grown.judged)):
        made = pooled(strategy=strategy, budget=budget)
        assert (len(made), made.relevant) == (grown.judged[budget], grown.found[strategy][budget])


def test_all_strategies_begin_with_nothing_and_end_with_everything_below_the_ideal():
    whole = pooled()
    grown = growth(whole.candidates, whole.grade, 1, list(STRATEGIES))
    listed = {(topic, d) for run in RUNS.values() for topic, documents in run.items() for d in documents[:5]}
    relevant = sum(QRELS[topic].get(d, 0) for topic, d in listed)
    assert (grown.judged[-1], grown.relevant) == (len(listed), relevant)
    for found in grown.found.values():
        assert (found[0], found[-1]) == (0, pytest.approx(relevant))
        assert (found <= grown.ideal + 1e-9).all()
        assert (np.diff(found) >= 0).all()


def test_the_chart_has_a_line_for_each_strategy_and_says_what_is_not_judged():
    figure = pooled().plot("growth", strategies=["depth", "mtf"])
    rows = figure.table.records()
    assert {row["strategy"] for row in rows} == {"depth", "mtf", "ideal"}
    unknown = len({(t, d) for run in RUNS.values() for t, listed in run.items() for d in listed[:5] if d in "ij"})
    assert f"{unknown} pairs without a judgment count as not relevant" in figure.description
    assert "thompson" in str(pooled(strategy="thompson").plot().table.records())


def test_a_pool_without_judgments_has_no_growth():
    with pytest.raises(PolicyError, match="it is not known which documents are relevant"):
        cf.pool(RUNS, depth=5).plot()
    with pytest.raises(PolicyError, match="8 strategies cannot be drawn"):
        pooled().plot(strategies=list(STRATEGIES)[:8])


def test_judgments_given_to_a_pool_that_learns_nothing_leave_its_counts_alone():
    assert pooled().relevant is None
    assert "relevant" not in pooled().result()
