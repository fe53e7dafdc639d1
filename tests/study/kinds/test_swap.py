"""The swap method: the oracle of SPEC 16.6, a plain loop, and the numbers of AG07 (SPEC 1.3)."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import study
from cranfield.errors import MeasureError, PolicyError
from cranfield.study.kinds.swap.swaps import BINS, counted_swaps, every_set, predicted, random_sets
from tests.study.papers.hundredths import X, collection
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list


def looped(scores, first, second, width):
    """The method, one comparison after the other."""
    comparisons, swaps = [0] * (BINS + 1), [0] * (BINS + 1)
    for one, two in zip(first.tolist(), second.tolist(), strict=True):
        for a, b in combinations(range(len(scores)), 2):
            d1 = np.mean([scores[a][t] - scores[b][t] for t, chosen in enumerate(one) if chosen])
            d2 = np.mean([scores[a][t] - scores[b][t] for t, chosen in enumerate(two) if chosen])
            d1, d2 = round(float(d1), 12), round(float(d2), 12)
            at = min(int(abs(d1) / width + 1e-9), BINS)
            comparisons[at] += 1
            swaps[at] += d1 * d2 < 0
    return comparisons, swaps


def test_every_split_of_six_topics():
    """SPEC 16.6: 120 comparisons, 24 swaps, .054 and .064."""
    made = study.swap(*collection(), "P@100", sets="all")
    (row,) = made.to_dict()["result"]["rows"]
    assert (row["comparisons"], row["swaps"], row["swap_rate"]) == (120, 24, 0.2)
    assert (row["delta"], row["delta_per_bin"]) == (0.054, 0.064)
    means = np.mean(X, axis=0)
    assert row["best"] == pytest.approx(means.max())
    assert row["delta_percent"] == pytest.approx(5.4 / means.max())
    assert row["variance"] == pytest.approx(means.var())
    assert row["delta_by_sd"] == pytest.approx(0.054 / means.std())


@given(st.integers(0, 10_000), st.sampled_from([0.002, 0.05]), st.integers(1, 3))
def test_matrices_count_what_a_loop_counts(seed, width, size):
    chance = np.random.default_rng(seed)
    scores = chance.integers(0, 100, size=(4, 6)) / 100
    first, second = random_sets(6, size, 7, chance)
    assert not (first & second).any()
    assert (first.sum(axis=1) == size).all()
    assert (second.sum(axis=1) == size).all()
    found = counted_swaps(scores, first, second, width)
    assert [found.comparisons.tolist(), found.swaps.tolist()] == list(looped(scores.tolist(), first, second, width))


def test_all_sets_are_listed_once():
    first, second = every_set(5, 2)
    assert len({(*one, *two) for one, two in zip(first.tolist(), second.tolist(), strict=True)}) == len(first) == 30


def test_equal_runs_never_swap():
    """A difference of 0 lies in the first bin and is no swap."""
    found = counted_swaps(np.full((3, 4), 0.25), *every_set(4, 2), 0.002)
    assert (found.comparisons[0], found.swaps.sum(), found.least(0.05), found.least_per_bin(0.05)) == (18, 0, 0, 0)


def test_where_every_difference_is_reversed_none_is_large_enough():
    scores = np.array([[0.3, 0.1], [0.1, 0.3]])
    found = counted_swaps(scores, *every_set(2, 1), 0.002)
    assert found.rate == 1
    assert np.isnan([found.least(0.05), found.least_per_bin(0.05)]).all()


def test_a_difference_on_an_edge_belongs_to_the_bin_above():
    found = counted_swaps(np.array([[0.3, 0.3], [0.1, 0.1]]), *every_set(2, 1), 0.002)
    assert found.comparisons.nonzero()[0].tolist() == [100]
    found = counted_swaps(np.array([[0.3, 0.3], [0.252, 0.252]]), *every_set(2, 1), 0.002)
    assert found.comparisons.nonzero()[0].tolist() == [24]


def test_an_exponential_fall_is_continued():
    rates = np.array([[0.4, 0.0], [0.2, 0.3], [0.1, 0.0]])
    found = predicted(rates, rates * 100, np.array([5.0, 10.0, 15.0]), 20.0)
    assert found[0] == pytest.approx(0.05)
    assert np.isnan(found[1]), "one size is not enough"


def test_several_sizes_and_a_prediction():
    made = study.swap(*small(topics=12, runs=6), ["AP", "P@5"], sets=50, sizes=[2, 4, 6], predict=12)
    table = made.table()
    assert table["topics"].to_list() == [2, 4, 6, 2, 4, 6]
    assert table["comparisons"].to_list() == [15 * 50] * 6
    (title,) = made.findings.aside
    assert title.endswith("sets of 12 topics, A exp(-B z)")
    assert len(made.table("bins")) == 6 * 101


def test_neither_jobs_nor_the_order_of_files_change_a_number():
    qrels, runs = small(topics=8)
    turned = {topic: qrels[topic] for topic in reversed(qrels)}
    one = study.swap(qrels, runs, ["AP", "P@5"], sets=40, jobs=1).table()
    assert one.equals(study.swap(qrels, runs, ["AP", "P@5"], sets=40, jobs=2).table())
    assert one.equals(study.swap(turned, runs, ["AP", "P@5"], sets=40).table())
    assert not one.equals(study.swap(qrels, runs, ["AP", "P@5"], sets=40, seed=1).table())


def test_topics_that_a_run_lacks_are_left_out_under_intersection():
    made = study.swap(*small(), "AP", sets=10, topic_set="intersection")
    assert "1 topic left out, where a run has no score." in made.findings.notes
    assert made.table()["topics"].to_list() == [2]


@pytest.mark.parametrize(
    ("options", "code", "hint"),
    [
        ({"sizes": [4]}, "E246", "sizes up to 3"),
        ({"predict": 9}, "E244", "sizes=[5, 10, "),
        ({"bins": 0}, "E240", "above 0"),
        ({"error": 1}, "E240", "between"),
    ],
)
def test_what_cannot_be_done_is_refused(options, code, hint):
    with pytest.raises(PolicyError, match=code) as refused:
        study.swap(*small(), "AP", sets=5, **options)
    assert hint in refused.value.hint


def test_too_many_sets_are_refused():
    with pytest.raises(PolicyError, match="pairs of sets"):
        study.swap(*small(topics=22), "AP", sets="all")


def test_a_geometric_mean_is_refused():
    with pytest.raises(MeasureError, match="E230"):
        study.swap(*small(), "GMAP")


def test_one_run_has_no_order():
    with pytest.raises(PolicyError, match="E233"):
        study.swap(*small(runs=1), "AP")


def test_the_deltas_of_ag07(shared):
    """SPEC 1.3: two bins of tolerance, rates of two seeds."""
    folder = shared / "data" / "trec8"
    runs = sorted(map(str, (folder / "runs").iterdir()))
    found = study.swap(folder / "qrels.gz", runs, ["AP", "bpref-10", "RankEff"], keep="ag07").table()
    assert found["delta"].to_numpy() == pytest.approx([0.030, 0.034, 0.039], abs=0.0041)
    assert found["delta_per_bin"].to_numpy() == pytest.approx([0.071, 0.074, 0.096], abs=0.0041)
    assert found["swap_rate"].to_numpy() == pytest.approx([0.124, 0.140, 0.1265], abs=0.002)
    assert found["best"].to_numpy() == pytest.approx([0.413045, 0.455026, 0.745421], abs=5.1e-7)
    assert found["variance"].to_numpy() == pytest.approx([0.00813, 0.00718, 0.02525], abs=5.1e-6)
    assert found["delta_by_sd"].to_numpy() == pytest.approx([0.33, 0.40, 0.245], abs=0.05)
    assert found["comparisons"].to_list() == [7_381_000] * 3
    assert cf.parse("bpref-10").arguments["variant"] == "literal"
