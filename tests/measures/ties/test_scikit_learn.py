"""Means over all orders of equal scores beside those of scikit-learn, which averages the gains of a tied group."""

from importlib import import_module

import numpy as np
import pytest

import cranfield as cf

sklearn = import_module("sklearn.metrics")  # ships no types
PEERS = (sklearn.dcg_score, sklearn.ndcg_score)
CUTOFFS = (1, 2, 3, 5, 10, 40, None)


def tied_topics(count=400):
    """Grades and scores of `count` topics. Each document is retrieved and judged, as scikit-learn takes it.

    At least one document of a topic is relevant: without any, nDCG is undefined, and scikit-learn says 0.
    """
    rng = np.random.default_rng(20)
    for _ in range(count):
        size = int(rng.integers(2, 31))
        grades = rng.integers(0, 5, size) * (rng.random(size) < rng.choice([0.2, 0.6, 1.0]))
        grades[rng.integers(size)] = rng.integers(1, 5)
        yield grades, rng.integers(0, rng.integers(1, size + 1), size).astype(float)


def test_dcg_and_ndcg_of_tied_scores_are_those_of_scikit_learn():
    topics = list(tied_topics())
    assert sum(len(set(scores)) < len(scores) for _, scores in topics) > 300
    qrels = {f"q{t}": {f"d{n}": int(g) for n, g in enumerate(grades)} for t, (grades, _) in enumerate(topics)}
    run = {f"q{t}": {f"d{n}": float(s) for n, s in enumerate(scores)} for t, (_, scores) in enumerate(topics)}
    names = [f"{measure}@{k}" if k else measure for measure in ("DCG", "nDCG") for k in CUTOFFS]
    scored = cf.evaluate(qrels, {"r": run}, names, ties="expected")
    peers = np.array(
        [
            [peer([grades], [scores], k=k, ignore_ties=False) for peer in PEERS for k in CUTOFFS]
            for grades, scores in topics
        ]
    )
    order = [scored.topics.index(topic) for topic in qrels]
    assert scored.values[0, order] == pytest.approx(peers, rel=0, abs=1e-12)
    plain = cf.evaluate(qrels, {"r": run}, names, ties="trec").values[0, order]
    assert (np.abs(plain - peers).max(axis=0) > 0.1).all()  # ids as tie-breaker give other values
