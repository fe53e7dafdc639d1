"""The stability study: orders of runs on random topics, against evaluations of those topics alone."""

import numpy as np
import pytest

import cranfield as cf
from cranfield import study
from cranfield.random_streams import stream
from cranfield.stats.orders.correlation import correlate
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
MEASURES = ["AP", "GMAP", "num_rel_ret"]  # a mean, a geometric mean, a sum


def means_on(qrels, runs, topics, measures=MEASURES):
    return cf.evaluate({topic: qrels[topic] for topic in topics}, runs, measures).means


def drawn(qrels, seed, draw, *key):
    names = sorted(qrels)
    return [names[at] for at in stream(seed, "stability", draw, *key).permutation(len(names))]


def test_a_subset_is_an_evaluation_of_its_topics():
    qrels, runs = small(topics=9)
    made = study.stability(qrels, runs, MEASURES, sizes=[3, 7], draws=2, seed=11)
    rows = made.table("runs").to_dicts()
    taus = made.table("draws").to_dicts()
    full = cf.evaluate(qrels, runs, MEASURES).means
    for draw in range(2):
        for size in (3, 7):
            means = means_on(qrels, runs, drawn(qrels, 11, draw, size)[:size])
            found = [r["mean"] for r in rows if (r["draw"], r["level"]) == (draw + 1, size)]
            assert found == means.ravel().tolist()
            for m, measure in enumerate(made.table("draws")["measure"].unique(maintain_order=True)):
                row = next(r for r in taus if (r["draw"], r["level"], r["measure"]) == (draw + 1, size, measure))
                assert row["agreement"] == correlate(full[:, m], means[:, m])


def test_two_halves_share_no_topic():
    qrels, runs = small(topics=9)
    made = study.stability(qrels, runs, ["AP"], draws=3, seed=2)
    expected = []
    for draw in range(3):
        topics = drawn(qrels, 2, draw, "halves")
        one, other = (means_on(qrels, runs, part, ["AP"])[:, 0] for part in (topics[:4], topics[4:8]))
        expected.append(correlate(one, other))
    assert made.table("halves")["agreement"].to_list() == expected
    first = made.table().to_dicts()[0]
    assert (first["compared"], first["level"]) == ("halves", 4)
    assert first["agreement"] == pytest.approx(np.mean(expected), abs=1e-15)
    assert made.findings.shown[0].values[0] == "4 with 4 others"


def test_all_topics_give_the_full_order():
    qrels, runs = small(topics=6)
    made = study.stability(qrels, runs, MEASURES, sizes=[6], draws=4)
    rows = [r for r in made.table().to_dicts() if r["compared"] == "subset"]
    assert [(r["agreement"], r["agreement_low"], r["agreement_high"]) for r in rows] == [(1.0, 1.0, 1.0)] * 3


def test_sizes_are_5_10_to_all_but_5():
    made = study.stability(*small(topics=22), ["AP"], draws=1)
    assert made.settings["options"]["sizes"] is None
    assert [r["level"] for r in made.table().to_dicts() if r["compared"] == "subset"] == [5, 10, 15]
    assert [r["level"] for r in study.stability(*small(topics=7), ["AP"], draws=1).table().to_dicts()] == [3, 3]


def test_the_order_in_which_topics_were_judged_changes_nothing():
    qrels, runs = small(topics=8)
    backwards = dict(reversed(qrels.items()))
    one, other = (study.stability(each, runs, ["AP"], draws=3, sizes=[4]) for each in (qrels, backwards))
    assert one.to_csv() == other.to_csv()


def test_sizes_that_there_are_not_and_single_topics_are_refused():
    with pytest.raises(cf.PolicyError, match="sizes=9 is too many"):
        study.stability(*small(topics=8), ["AP"], sizes=[9])
    qrels = {"q1": {"a": 1, "b": 0}}
    with pytest.raises(cf.InputError, match="two halves need at least 2 topics, got 1"):
        study.stability(qrels, {"x": {"q1": ["a", "b"]}, "y": {"q1": ["b", "a"]}}, ["AP"], sizes=[1])


def test_the_model_is_in_the_first_line():
    title = study.stability(*small(topics=8), ["AP"], draws=2).findings.title
    assert title.startswith("Kendall τ-b of two halves, and of subsets with the full order (mean over 2 draws")
    assert title.endswith("random topics, drawn without replacement, all their judgments kept")
