"""The band of a curve: at each point what the best and the worst of all completions give, by trying all (V9)."""

import warnings
from itertools import product

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.missing.bounds.exchange import Exchanges
from cranfield.missing.bounds.interpolated import InterpolatedPrecisions

KINDS = ("cg@4", "dcg@4", "ncg@4", "ndcg@4", "ndcg(dcg='exp-log2')@3", "11pt", "11pt(rel=2)", "ndcg'@4")
SEEDS = range(4)


def collection(seed: int) -> tuple[dict, dict]:
    """Two topics, two runs, and documents of which some are judged with the grades 0, 1 and 2, and some are not."""
    chance = np.random.default_rng(seed)
    qrels: dict = {}
    runs: dict = {"one": {}, "two": {}}
    for topic in ("q1", "q2"):
        documents = [f"d{n}" for n in range(6)]
        judged = chance.permutation(documents)[: chance.integers(3, 5)]
        qrels[topic] = dict(zip(judged.tolist(), [2, 1, *chance.integers(0, 3, len(judged)).tolist()], strict=False))
        for run in runs.values():
            run[topic] = chance.permutation(documents)[: chance.integers(3, 6)].tolist()
    return qrels, runs


def completions(qrels: dict, runs: dict, depth: int | None) -> dict[str, list[dict[str, int]]]:
    """For each topic its judgments with every choice of grades for the documents near the top that have none."""
    found = {}
    for topic, grades in qrels.items():
        listed = {document for run in runs.values() for document in run[topic][:depth]}
        holes = sorted(listed - set(grades))
        found[topic] = [
            grades | dict(zip(holes, chosen, strict=True)) for chosen in product((0, 1, 2), repeat=len(holes))
        ]
    return found


def quietly(*given, **choices):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        return cf.curve(*given, **choices)


def topic_extremes(qrels: dict, runs: dict, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """The mean over topics of the lowest and the highest values at each point, `[run, point]`."""
    depth = None if kind.startswith("11pt") else int(kind.rpartition("@")[2])
    low, high = [], []
    for topic, choices in completions(qrels, runs, depth).items():
        # every completion is a topic of its own, so that one call evaluates them all
        names = [f"{topic}-{n}" for n in range(len(choices))]
        judged = dict(zip(names, choices, strict=True))
        lists = {run: dict.fromkeys(names, listed[topic]) for run, listed in runs.items()}
        curves = quietly(judged, lists, kind)
        by_topic = curves.by_topic[curves._topic_column][0]
        low.append(by_topic.min(axis=1))
        high.append(by_topic.max(axis=1))
    return np.mean(low, axis=0), np.mean(high, axis=0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_completion_leaves_the_band_and_some_reach_its_ends_at_every_point(kind, seed):
    qrels, runs = collection(seed)
    curves = quietly(qrels, runs, kind, band="bounds")
    low, high = topic_extremes(qrels, runs, kind)
    np.testing.assert_allclose(curves.means["low"][0], low, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(curves.means["high"][0], high, rtol=1e-12, atol=1e-12)
    assert "exact bounds" in curves.assumptions[0]
    assert (high - low).max() > 0.05  # there is something to bound


def test_the_curve_as_judged_lies_in_its_band():
    for seed in range(20):
        curves = quietly(*collection(seed), "ndcg@4", band="bounds")
        drawn = curves.means["mean_of_norm"]
        assert (curves.means["low"] <= drawn + 1e-12).all()
        assert (drawn <= curves.means["high"] + 1e-12).all()


def test_the_same_documents_may_be_relevant_at_all_ranks_of_a_curve():
    qrels, runs = {"q": {"a": 1}}, {"r": {"q": ["a", "b", "c"]}}
    deep = quietly(qrels, runs, "ndcg@3", band="bounds")
    assert deep.audit.policies["universe"] == "runs:3"
    np.testing.assert_allclose(deep.means["low"][0, 0], [1, 1 / (1 + 1 / np.log2(3)), (1 + 0.5) / (1 + 1 / np.log2(3))])
    near = quietly(qrels, runs, "ndcg@3", band="bounds", universe="runs:1")
    np.testing.assert_array_equal(
        near.means["low"], near.means["high"]
    )  # a was judged, and nothing else may be relevant


def test_several_curves_have_a_band_each():
    qrels, runs = collection(0)
    both = quietly(qrels, runs, "11pt(rel=1) 11pt(rel=2)", band="bounds")
    for at, kind in enumerate(("11pt(rel=1)", "11pt(rel=2)")):
        alone = quietly(qrels, runs, kind, band="bounds")
        np.testing.assert_array_equal(both.means["low"][at], alone.means["low"][0])
        np.testing.assert_array_equal(both.means["high"][at], alone.means["high"][0])


def test_a_chart_and_a_table_say_what_the_band_is():
    qrels, runs = collection(1)
    curves = quietly(qrels, runs, "ndcg@4", band="bounds")
    figure = curves.plot()
    assert "Band: lowest to highest possible value at each rank, one by one" in figure.description
    assert "only documents in the first 4 of these runs may be relevant" in figure.description
    assert 'class="mark-area' in figure.to_svg()
    assert "universe=runs:4" in repr(curves)
    assert {"low", "high"} <= set(curves.to_polars().columns)
    assert "middle half of the topics" in quietly(qrels, runs, "ndcg@4", band="quartiles").plot().description
    assert "Band" not in curves.only("q1").plot().description


@pytest.mark.parametrize(
    ("kind", "choices", "said"),
    [
        ("pr", {}, "is not known for 'pr'"),
        ("cwl", {}, "is not known for 'cwl'"),
        ("ndcg@4", {"average": "norm_of_mean"}, 'is not known for average="norm_of_mean"'),
    ],
)
def test_a_band_that_is_not_known_is_refused(kind, choices, said):
    with pytest.raises(PolicyError, match=said):
        quietly(*collection(0), kind, band="bounds", **choices)


@pytest.mark.parametrize("no_relevant", ["zero", "exclude"])
@pytest.mark.parametrize("universe", ["runs", "runs:2", "open:3"])
@pytest.mark.parametrize("measure", ["IPrec@0.1", "IPrec(rel=2)@0.4", "IPrec(rule='te9')@0.7", "11pt"])
def test_the_formula_of_interpolated_precision_gives_what_trying_all_numbers_of_relevant_holes_gives(
    measure, universe, no_relevant
):
    chance = np.random.default_rng(5)
    documents = [f"d{n}" for n in range(30)]
    runs = {
        name: {f"q{t}": chance.permutation(documents)[: chance.integers(1, 20)].tolist() for t in range(8)}
        for name in "abcd"
    }
    qrels = {
        f"q{t}": {d: int(chance.integers(0, 3)) * (t > 1) for d in chance.permutation(documents)[: 3 * t + 1].tolist()}
        for t in range(8)
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        situation = cf.holes(qrels, runs, measure, universe=universe, no_relevant=no_relevant).situations[measure]
    quick, slow = InterpolatedPrecisions(situation), Exchanges(situation)
    for topic in situation:
        one, other = quick.alone(topic), slow.alone(topic)
        np.testing.assert_allclose(one.low, other.low, rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(one.high, other.high, rtol=1e-12, atol=1e-15)
