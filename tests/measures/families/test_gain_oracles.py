"""Worked numbers of gain vectors: the example of Järvelin and Kekäläinen 2002, its averages and readings."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.measures.curves.grammar import SCENARIOS
from cranfield.measures.families.gain import collectable, collected
from cranfield.measures.grammar import parse
from tests.laws.worlds import worlds
from tests.measures.worked import FOUR, value

FOUND = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
MISSED = [1, 1, 1]
IDEAL = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 0, 0]
STEEP = {1: 1, 2: 10, 3: 100}
TWO = 5.1e-3


def collection(*topics):
    """Judgments and a run of topics given as (retrieved grades, grades not retrieved)."""
    qrels, run = {}, {}
    for number, (found, missed) in enumerate(topics, start=1):
        grades = [*found, *missed]
        qrels[f"q{number}"] = {f"d{place}": grade for place, grade in enumerate(grades)}
        run[f"q{number}"] = [f"d{place}" for place in range(len(found))]
    return qrels, {"run": run}


def drawn(data, kind, **choices):
    qrels, runs = data
    return cf.curve(qrels, runs, kind, **choices)


def scored(data, measures):
    qrels, runs = data
    return cf.evaluate(qrels, runs, measures)


def vector(kind, found=FOUND, missed=MISSED, **choices):
    return drawn(collection((found, missed)), kind, **choices)["run"]


def close(actual, expected, tolerance=FOUR):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


def test_the_cumulated_gain_and_that_of_the_ideal_list():
    curves = drawn(collection((FOUND, MISSED)), "cg@12")
    close(curves["run"], [3, 5, 8, 8, 8, 9, 11, 13, 16, 16, 16, 16])
    close(curves.ideal["run"], [3, 6, 9, 11, 13, 15, 16, 17, 18, 19, 19, 19])
    close(curves.gap["run"], curves.ideal["run"] - curves["run"])
    assert curves.flat == 10


def test_the_discounted_gain_with_base_two_and_the_ideal_that_was_printed_truncated():
    curves = drawn(collection((FOUND, MISSED)), "dcg(dcg='jk')@12")
    close(curves["run"][:10], [3, 5, 6.8928, 6.8928, 6.8928, 7.2796, 7.9921, 8.6587, 9.6051, 9.6051])
    ideal = [3, 6, 7.8928, 8.8928, 9.7541, 10.5278, 10.8841, 11.2174, 11.5329, 11.8339, 11.8339, 11.8339]
    close(curves.ideal["run"], ideal)
    assert [round(value, 2) for value in curves.ideal["run"][[5, 7]]] == [10.53, 11.22]


def test_the_normalised_vectors_and_their_means_over_ten_ranks():
    close(vector("ncg@10"), [1, 0.8333, 0.8889, 0.7273, 0.6154, 0.6, 0.6875, 0.7647, 0.8889, 0.8421])
    close(vector("ndcg(dcg='jk')@10"), [1, 0.8333, 0.8733, 0.7751, 0.7067, 0.6915, 0.7343, 0.7719, 0.8328, 0.8117])
    assert value("nCG(avg_pos=True)@10", FOUND, MISSED) == pytest.approx(0.7848, abs=FOUR)
    assert value("nDCG(dcg='jk', avg_pos=True)@10", FOUND, MISSED) == pytest.approx(0.8031, abs=FOUR)


def test_other_bases():
    close(vector("dcg(dcg='jk', b=10)@10"), [3, 5, 8, 8, 8, 9, 11, 13, 16, 16])
    expected = [3, 5, 7.7307, 7.7307, 7.7307, 8.2888, 9.3166, 10.2784, 11.6438, 11.6438]
    close(vector("dcg@10", dcg="jk", b=math.e), expected)
    expected = [3, 4.1699, 5.2771, 5.2771, 5.2771, 5.5034, 5.9202, 6.3101, 6.8637, 6.8637]
    close(vector("dcg@10", dcg="jk", b=1.5), expected)


def test_gains_of_one_ten_and_a_hundred():
    expected = [100, 110, 173.09, 173.09, 173.09, 173.48, 177.04, 180.38, 211.92, 211.92]
    close(vector("dcg@10", dcg="jk", gains=STEEP), expected, TWO)
    expected = [1, 0.55, 0.6579, 0.6456, 0.6354, 0.6279, 0.64, 0.6513, 0.7643, 0.7635]
    close(vector("ndcg@10", dcg="jk", gains=STEEP), expected)


def test_exponential_gains():
    expected = [1, 0.7789, 0.8308, 0.7646, 0.7135, 0.6915, 0.7325, 0.7829, 0.8951, 0.8951]
    close(vector("ndcg(dcg='exp-log2')@10", missed=()), expected)


def test_the_two_ways_to_average_differ():
    data = collection((FOUND, MISSED), ([0, 1, 0], []))
    for average, expected in (("norm_of_mean", [0.75, 0.8571, 0.8875]), ("mean_of_norm", [0.5, 0.9167, 0.9367])):
        curves = drawn(data, "ndcg(dcg='jk')@3", average=average)
        close(curves["run"], expected)
        close(curves.means[average][0, 0], expected)


def test_the_mean_of_the_gains_over_the_mean_of_the_ideals_is_norm_of_mean():
    data = collection((FOUND, MISSED), ([0, 1, 0], [2]))
    gained = drawn(data, "dcg@7")
    normalised = drawn(data, "ndcg@7", average="norm_of_mean")
    np.testing.assert_allclose(normalised["run"], gained["run"] / gained.ideal["run"], rtol=1e-12)


def test_the_rank_at_which_a_curve_reaches_a_value():
    assert cf.rank_needed([1, 3, 3, 6], 3) == 2
    assert cf.rank_needed([1, 3, 3, 6], 6.5) is None
    assert cf.rank_needed([], 0) is None
    curves = drawn(collection((FOUND, MISSED)), "cg@12")
    assert curves.needed(5) == {"run": 8}  # 13 at rank 8, as the ideal list has at rank 5
    assert curves.needed(10) == {"run": None}
    assert "rank needed for the ideal gain of rank 5: run 8" in repr(curves)
    assert "rank needed for the ideal gain of rank 10: never: run" in repr(curves)


def test_reading_across_names_the_best_and_the_worst_run_and_their_ratio():
    qrels = {"q1": {f"d{n}": 1 for n in range(5)} | dict.fromkeys("abcde", 0)}
    runs = {"good": {"q1": [f"d{n}" for n in range(5)]}, "bad": {"q1": [*"abcde", *(f"d{n}" for n in range(5))]}}
    curves = cf.curve(qrels, runs, "cg@20")
    assert curves.needed(5) == {"good": 5, "bad": 10}
    assert "rank needed for the ideal gain of rank 5: good 5 · bad 10 (worst/best 2.0)" in repr(curves)


def test_a_list_that_has_ended_keeps_its_last_value():
    for kind in ("cg", "dcg", "ncg", "ndcg"):
        values = vector(kind, cutoff=30)
        assert len(values) == 30
        assert (values[13:] == values[13]).all()


def test_the_ideal_rises_to_the_end_if_it_is_cut_before_it_is_flat():
    assert drawn(collection((FOUND, MISSED)), "cg@10").flat is None
    assert drawn(collection((FOUND, MISSED)), "cg@11").flat == 10
    assert drawn(collection(([0, 0], [])), "cg@5").flat == 1


def test_without_gain_in_the_ideal_list_the_vector_is_undefined_and_leaves_the_mean():
    gains = {1: 0, 2: 0}  # nobody reached grade 3
    data = collection(([1, 2, 0], []), ([3, 0], []))
    with pytest.warns(cf.DataWarning, match="undefined for 1 ranking"):
        curves = drawn(data, "ncg", cutoff=4, gains=gains)
    assert np.isnan(curves["run", "q1"]).all()
    np.testing.assert_array_equal(curves["run"], curves["run", "q2"])
    with pytest.warns(cf.DataWarning, match="undefined"):
        assert math.isnan(scored(data, parse(f"nCG(gains={gains})@4"))["run", f"nCG(gains={gains})@4"][0])


def test_a_topic_without_relevant_documents_follows_the_policy():
    data = collection(([1, 0], []), ([0, 0], []))
    np.testing.assert_array_equal(drawn(data, "ndcg@2")["run"], [0.5, 0.5])
    with pytest.warns(cf.DataWarning, match="undefined"):
        np.testing.assert_array_equal(drawn(data, "ndcg@2", no_relevant="exclude")["run"], [1, 1])
    with pytest.raises(cf.InputError, match="E214"):
        drawn(data, "ndcg@2", no_relevant="error")


def test_the_scenarios_are_those_of_the_paper():
    steep, flat = vector("ndcg", scenario="busy"), vector("dcg", scenario="patient")
    np.testing.assert_array_equal(steep, vector(f"ndcg(dcg='jk', b=2, gains={STEEP})@30"))
    np.testing.assert_array_equal(flat, vector("dcg(dcg='jk', b=10)@200"))
    assert set(SCENARIOS) == {"busy", "patient"}
    np.testing.assert_array_equal(vector("cg", scenario="busy", cutoff=4), [100, 110, 210, 210])


@pytest.mark.parametrize("name", ["CG", "nCG", "DCG", "nDCG", "DCG(dcg='jk', b=3)", "nDCG(dcg='exp-log2')"])
def test_the_mean_over_ranks_is_the_mean_of_the_values_at_every_rank(name):
    for last in (1, 4, 10, 13, 40):
        by_hand = np.mean([value(f"{name}@{k}", FOUND, MISSED) for k in range(1, last + 1)])
        head, _, inside = name.partition("(")
        inside = f"{inside.removesuffix(')')}, avg_pos=True" if inside else "avg_pos=True"
        assert value(f"{head}({inside})@{last}", FOUND, MISSED) == pytest.approx(by_hand, rel=1e-12)


def test_a_mean_over_very_many_ranks_needs_no_memory_for_them():
    assert value("nCG(avg_pos=True)@1000000000000", FOUND, MISSED) == pytest.approx(16 / 19)


def test_a_mean_over_ranks_needs_a_last_rank():
    with pytest.raises(cf.MeasureError, match=r"E202: nDCG\(avg_pos=True\) needs a cut-off"):
        parse("nDCG(avg_pos=True)")


def test_any_base_above_one_is_a_base():
    for b in (1, 0.5, -2, 0):
        with pytest.raises(cf.MeasureError, match="b must be above 1"):
            parse(f"nDCG(dcg='jk', b={b})")
    first = value("DCG(dcg='jk', b=1.0001)", [0, 1])
    assert 0 < first < 1e-3  # as b approaches 1 only the first document counts


@given(worlds(), st.integers(1, 15), st.sampled_from([1.5, 2, math.e, 10]))
def test_gain_never_falls_and_a_discount_never_raises_it(world, depth, b):
    hits = world.hits()
    plain, discounted = collected(hits, depth), collected(hits, depth, dcg="jk", b=b)
    assert (np.diff(plain, axis=1) >= 0).all()
    assert (discounted <= plain + 1e-12).all()
    assert (plain <= collectable(hits, depth)[hits.topic] + 1e-12).all()


@given(worlds(), st.integers(1, 15))
def test_a_base_beyond_the_last_rank_discounts_nothing(world, depth):
    hits = world.hits()
    np.testing.assert_array_equal(collected(hits, depth, dcg="jk", b=depth + 1), collected(hits, depth))


@given(worlds(), st.integers(1, 12), st.integers(2, 9))
def test_scaling_all_gains_leaves_the_normalised_gain_as_it_is(world, cutoff, factor):
    gains = {grade: grade * factor for grade in range(1, 5)}
    hits = world.hits()
    np.testing.assert_allclose(parse(f"nCG(gains={gains})@{cutoff}")(hits), parse(f"nCG@{cutoff}")(hits), rtol=1e-12)


def test_doubling_all_grades_changes_exponential_gains_only():
    doubled = [[2 * grade for grade in grades] for grades in (FOUND, MISSED)]
    assert value("nDCG(dcg='jk')", *doubled) == pytest.approx(value("nDCG(dcg='jk')", FOUND, MISSED), rel=1e-12)
    assert value("nDCG(dcg='exp-log2')", *doubled) != pytest.approx(value("nDCG(dcg='exp-log2')", FOUND, MISSED))


@given(worlds(), st.integers(1, 12), st.booleans())
def test_the_ideal_list_has_all_the_gain_there_is_at_every_rank(world, cutoff, avg_pos):
    values = parse(f"nCG(avg_pos={avg_pos})@{cutoff}")(world.hits().ideal())
    np.testing.assert_allclose(values[~np.isnan(values)], 1, rtol=1e-12)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.integers(1, 12))
def test_normalised_gain_is_the_sliding_ratio_when_nothing_was_missed(found, cutoff):
    assume(any(found))
    best = sorted(found, reverse=True)
    assert value(f"nCG@{cutoff}", found) == pytest.approx(sum(found[:cutoff]) / sum(best[:cutoff]))


@given(
    st.lists(st.integers(0, 3), min_size=1, max_size=10),
    st.lists(st.integers(0, 3), min_size=1, max_size=10),
    st.sampled_from([1.5, 2, math.e]),
    st.sampled_from([3, 5, 9.5, 10]),
)
def test_from_the_larger_base_on_the_base_does_not_change_the_order_of_two_lists(one, other, b, c):
    lists = [[0] * 10 + one, [0] * 10 + other]
    first, second = ([value(f"DCG(dcg='jk', b={base})", found) for found in lists] for base in (b, c))
    assert first[0] - first[1] == pytest.approx((second[0] - second[1]) * math.log(b) / math.log(c), abs=1e-9)


@given(st.lists(worlds(), min_size=1, max_size=2), st.integers(1, 8))
def test_the_mean_vector_is_linear(several, depth):
    for world in several:
        hits = world.hits()
        doubled = collected(hits, depth, gains={grade: 2 * grade for grade in range(1, 5)})
        np.testing.assert_allclose(doubled.mean(axis=0), 2 * collected(hits, depth).mean(axis=0))


@pytest.mark.parametrize("b", [2, 10])
def test_steep_gains_on_a_real_collection_are_defined_and_within_bounds(shared, b):
    folder = shared / "data" / "robust03"
    qrels = cf.read_qrels(folder / "qrels.gz")
    runs = cf.read_runs(folder / "runs" / "input.pircRBa1.gz", folder / "runs" / "input.humR03dc.gz")
    kind = f"ndcg(dcg='jk', b={b}, gains={{1: 1, 2: 10}})@100"
    curves = cf.curve(qrels, runs, kind)
    values = curves.by_topic["normalised"]
    assert values.shape == (1, 2, 100, 100)
    assert ((values >= 0) & (values <= 1 + 1e-12)).all()
    measure = f"nDCG(dcg='jk', b={b}, gains={{1: 1, 2: 10}})@100"
    np.testing.assert_allclose(values[0, :, :, -1], cf.evaluate(qrels, runs, measure).matrix(measure), rtol=1e-12)


@pytest.mark.parametrize("b", [2, 10])
@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_the_scheme_0_1_10_100_on_web_judgments_is_defined_and_within_bounds(shared, b):
    folder = shared / "data" / "web2012"  # grade 4 counts as 3, spam (-2) as not relevant
    runs = cf.read_runs(str(folder / "runs" / "*.gz"), name_by="file")
    measure = f"nDCG(dcg='jk', b={b}, gains={{1: 1, 2: 10, 3: 100, 4: 100}})"
    scores = cf.evaluate(cf.read_qrels(folder / "qrels.gz"), runs, measure, negative="nonrelevant")
    assert scores.values.shape == (8, 50, 1)
    assert ((scores.values >= 0) & (scores.values <= 1)).all()
    assert (scores.means > 0.05).all()
