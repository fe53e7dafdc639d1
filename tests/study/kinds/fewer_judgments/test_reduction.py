"""The reduction study: rounding, minima, strata, streams, and the numbers of AG07 (SPEC 1.5, 16.3, axiom 14)."""

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield import study
from cranfield.stats.orders.correlation import correlate
from cranfield.study.data.collection import Collection
from cranfield.study.data.strata import Rules, TopicStrata, rounded
from cranfield.study.kinds.fewer_judgments.reduction import Reduction
from tests.study.small import reduced, small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list


# --- how many are kept -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "level", "ag07", "sk08"),
    [
        (10, 25, 2, 3),
        (12, 20, 2, 2),
        (13, 20, 3, 3),
        (1, 20, 0, 0),
        (20, 15, 3, 3),
        (40, 95, 38, 38),
        (200, 95, 190, 190),
    ],
)
def test_both_rounding_rules(size, level, ag07, sk08):
    """2.5 -> 2 or 3, 2.4 -> 2, 2.6 -> 3, .2 -> 0; whole numbers stay."""
    assert (rounded(size, level, "ag07"), rounded(size, level, "sk08")) == (ag07, sk08)


@given(st.integers(0, 5000), st.one_of(st.integers(1, 100), st.sampled_from([0.1, 2.5, 12.5, 33.3])))
def test_rounding_is_that_of_the_papers(size, level):
    x = Fraction(str(level)) * size / 100
    below = x if x.denominator == 1 else max(n for n in range(math.floor(x) + 2) if n < x + Fraction(1, 2))
    assert rounded(size, level, "ag07") == below
    assert rounded(size, level, "sk08") == math.trunc(x + Fraction(1, 2))


def test_minima_distort_prevalence():
    """SPEC 16.3: R = 20, N = 1000 at 1 % gives 1 : 10 instead of 1 : 50."""
    assert Rules((1,)).counts([1000, 20], [False, True]).ravel().tolist() == [10, 1]
    assert Rules((95,)).counts([200, 40], [False, True]).ravel().tolist() == [190, 38]


def test_nothing_is_kept_that_is_not_there():
    assert Rules((1,), min_nonrelevant=10).counts([3, 0 + 1], [False, True]).ravel().tolist() == [3, 1]


def test_a_minimum_of_each_grade_or_of_all_relevant_ones():
    sizes, relevant = [50, 4, 30, 2], [False, True, True, True]
    each = Rules((1,), "grade", min_relevant=2).counts(sizes, relevant).ravel().tolist()
    together = Rules((1,), "grade", min_relevant=2, minima="all").counts(sizes, relevant).ravel().tolist()
    assert each == [10, 2, 2, 2]
    assert together == [10, 0, 2, 0]  # 0.3 of thirty is none; what is lacking comes from there


@given(
    st.lists(st.tuples(st.integers(1, 300), st.booleans()), min_size=1, max_size=5),
    st.sampled_from(["ag07", "sk08"]),
    st.sampled_from(["each", "all"]),
)
def test_counts_lie_between_minimum_and_size_and_grow_with_the_level(strata, rounding, minima):
    levels = (100, 50, 10, 1)
    sizes, relevant = [size for size, _ in strata], [rel for _, rel in strata]
    counts = Rules(levels, "grade", rounding=rounding, minima=minima).counts(sizes, relevant)
    assert (counts[:, 0] == sizes).all()  # 100 % is everything
    assert (np.diff(counts, axis=1) <= 0).all()
    assert (counts <= np.array(sizes)[:, None]).all()
    least = [min(n, 10) for n, rel in strata if not rel]
    assert (counts[[not rel for rel in relevant]].min(axis=1, initial=10**9) >= least).all()
    if any(relevant):
        assert (counts[relevant].sum(axis=0) >= 1).all()


# --- which are kept --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def collection() -> Collection:
    return Collection.of(*small(), ["AP", "BprefN"])


LEVELS = (100, 60, 30, 10)


@pytest.mark.parametrize("stratify", ["relevance", "grade", "none"])
@pytest.mark.parametrize("nested", [False, True])
def test_so_many_of_each_stratum_of_each_topic_are_kept(collection, stratify, nested):
    rules = Rules(LEVELS, stratify, nested)
    judged = TopicStrata.of(collection, rules).judged(draw=2, seed=5)
    assert judged[0].all()
    for topic in range(len(collection.topics)):
        own = collection.judgments.topic == topic
        grades = collection.judgments.grade[own]
        kinds = {"relevance": grades >= 1, "grade": grades, "none": np.zeros_like(grades)}[stratify]
        values = np.unique(kinds)
        sizes = [int((kinds == value).sum()) for value in values]
        counts = rules.counts(sizes, [bool(value >= 1) for value in values])
        for value, count in zip(values, counts, strict=True):
            assert judged[:, own][:, kinds == value].sum(axis=1).tolist() == count.tolist()


def test_nested_levels_lie_in_each_other_and_independent_ones_do_not(collection):
    nested = TopicStrata.of(collection, Rules(LEVELS, nested=True)).judged(0, 1)
    independent = TopicStrata.of(collection, Rules(LEVELS)).judged(0, 1)
    assert all((lower <= higher).all() for higher, lower in pairwise(nested))
    assert any((lower > higher).any() for higher, lower in pairwise(independent))


def test_a_topic_that_is_dropped_changes_nothing_for_the_others():
    qrels, runs = small()
    whole = Collection.of(qrels, runs, ["AP"])
    fewer = Collection.of({topic: docs for topic, docs in qrels.items() if topic != "q2"}, runs, ["AP"])
    left = [whole.topics.index(topic) for topic in fewer.topics]
    for nested in (False, True):
        rules = Rules(LEVELS, nested=nested)
        one = whole.scores(TopicStrata.of(whole, rules).judged(3, 9))
        other = fewer.scores(TopicStrata.of(fewer, rules).judged(3, 9))
        assert np.array_equal(one[:, :, left], other)


def test_a_level_that_is_added_changes_nothing_for_the_others(collection):
    for nested in (False, True):
        some, more = (
            TopicStrata.of(collection, Rules(levels, nested=nested)).judged(3, 9)
            for levels in ((60, 30), (100, 60.0, 45, 30))
        )
        assert np.array_equal(some, more[[1, 3]])


def test_levels_of_one_draw_are_independent_of_each_other(collection):
    judged = TopicStrata.of(collection, Rules((60, 60.5), min_nonrelevant=0)).judged(0, 1)
    assert not (judged[0] <= judged[1]).all()


def test_the_order_of_the_judgments_changes_nothing():
    qrels, runs = small()
    turned = {topic: dict(reversed(qrels[topic].items())) for topic in reversed(qrels)}
    one, other = (study.reduction(given, runs, ["AP"], levels=LEVELS, draws=3, seed=4) for given in (qrels, turned))
    assert one.to_csv() == other.to_csv()


def test_draws_and_seeds_differ(collection):
    strata = TopicStrata.of(collection, Rules((30,)))
    masks = {strata.judged(draw, seed).tobytes() for draw in range(3) for seed in range(3)}
    assert len(masks) == 9


def test_each_judgment_is_kept_equally_often(collection):
    strata = TopicStrata.of(collection, Rules((40,), min_nonrelevant=0))
    share = np.mean([strata.judged(draw, 0)[0] for draw in range(400)], axis=0)
    for places, count in (stratum for topic in strata.members for stratum in topic):
        expected = count[0] / len(places)
        error = math.sqrt(expected * (1 - expected) / 400)
        assert np.abs(share[places] - expected).max() <= 5 * error + 1e-12


# --- what it finds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{}, {"nested": True, "rounding": "half-up"}, {"stratify": "grade"}, {"stratify": "none", "draws": 9}]
)
def test_the_study_is_a_loop_over_rewritten_qrels(options):
    qrels, runs = small()
    measures = ["AP", "nDCG@10", "BprefN", "Judged@5"]
    chosen = {"levels": (100, 70, 30), "draws": 2, "seed": 3, "min_nonrelevant": 2, **options}
    made = study.reduction(qrels, runs, measures, **chosen)
    collection = Collection.of(qrels, runs, measures)
    rules = Reduction(**{k: v for k, v in chosen.items() if k != "seed"}).rules
    full = cf.evaluate(qrels, runs, measures)
    rows = {(row["draw"], row["level"], row["measure"]): row for row in made.table("draws").to_dicts()}
    for draw in range(chosen["draws"]):
        for level, mask in zip(rules.levels, TopicStrata.of(collection, rules).judged(draw, 3), strict=True):
            again = cf.evaluate(reduced(qrels, collection, mask), runs, measures)
            for m, name in enumerate(full.measures):
                row = rows[draw + 1, level, name]
                assert row["score"] == again.means[:, m].mean()
                tau = correlate(full.means[:, m], again.means[:, m])
                assert row["agreement"] == tau or (row["agreement"] is None and math.isnan(tau))


def test_the_first_line_states_the_model_of_removal():
    qrels, runs = small()
    made = study.reduction(qrels, runs, ["AP", "bpref"], levels=[100, 50, 5], draws=3)
    lines = repr(made).splitlines()
    assert lines[0] == (
        " Kendall τ-b with the full order (mean over 3 draws, 5–95 %) · 5 runs · 6 topics · "
        "stratified, minimum 1 relevant + 10 nonrelevant"
    )
    assert lines[1].split() == ["kept", "AP", "Bpref"]
    assert lines[2].split() == ["100", "%", "1.00", "1.00"]
    assert [line[:6] for line in lines[2:5]] == [" 100 %", "  50 %", "   5 %"]
    assert lines[5] == (
        " Uniform removal is the kind case: see also `study depth` and `study leave-out`, "
        "where missing judgments are not random."
    )
    models = {
        "stratified by grade, nested, minimum 2 relevant + 0 nonrelevant": {
            "stratify": "grade",
            "nested": True,
            "min_relevant": 2,
            "min_nonrelevant": 0,
        },
        "not stratified": {"stratify": "none"},
    }
    for words, options in models.items():
        assert study.reduction(qrels, runs, ["AP"], draws=1, **options).findings.title.endswith(words)  # type: ignore[arg-type]  # words are taken too


def test_the_tidy_table_tells_how_much_was_kept_really():
    qrels, runs = small()
    rows = study.reduction(qrels, runs, ["AP"], levels=[100, 1], draws=2).table().to_dicts()
    assert [row["level"] for row in rows] == [100, 1]
    assert rows[0]["judged_share"] == 1.0
    assert rows[1]["judged"] == 6 * 11  # one relevant and ten others of every topic
    assert rows[0]["agreement"] == rows[0]["agreement_low"] == rows[0]["agreement_high"] == 1.0


def test_scores_of_every_topic_on_request():
    qrels, runs = small(3, 3)
    made = study.reduction(qrels, runs, ["AP"], levels=[50], draws=2, per_topic=True)
    topics = made.table("topics")
    assert topics.shape == (2 * 3 * 3, 6)
    by_run = made.table("runs")
    mean = topics.filter((topics["draw"] == 1) & (topics["run"] == "r0"))["value"].mean()
    assert math.isclose(by_run.filter((by_run["draw"] == 1) & (by_run["run"] == "r0"))["mean"][0], mean)  # type: ignore[arg-type]  # words are taken too


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"levels": []}, "E240"),
        ({"levels": [0]}, "E240"),
        ({"levels": [101]}, "E240"),
        ({"levels": "many"}, "E241"),
        ({"draws": 0}, "E240"),
        ({"draws": 2.5}, "E241"),
        ({"draws": True}, "E241"),
        ({"stratify": "colour"}, "E213"),
        ({"rounding": "up"}, "E213"),
        ({"min_relevant": -1}, "E240"),
        ({"coefficient": "gamma"}, "E213"),
        ({"nested": "yes"}, "E241"),
        ({"unheard_of": 1}, "E245"),
    ],
)
def test_an_option_that_cannot_be_followed_is_refused(wrong, code):
    with pytest.raises(cf.PolicyError, match=code):
        study.reduction(*small(2, 2), ["AP"], **wrong)


def test_the_order_of_one_run_cannot_be_studied():
    with pytest.raises(cf.PolicyError, match="E233"):
        study.reduction(*small(2, 1), ["AP"])


def test_named_levels_are_those_of_the_papers():
    assert Reduction(levels="sk08").levels == (90, 70, 50, 30, 10)  # type: ignore[arg-type]  # words are taken too
    assert sorted(Reduction(levels="ag07").levels) == [*range(1, 11), *range(15, 101, 5)]  # type: ignore[arg-type]  # words are taken too
    assert Reduction(rounding="half-up").rounding == "sk08"  # type: ignore[arg-type]  # words are taken too


# --- SPEC 20, axiom 14 -----------------------------------------------------------------------------------------------


def test_the_expectation_of_rankeff_does_not_depend_on_the_level_and_that_of_rbp_is_known():
    """E[RankEff] is invariant, E[RBP] = (R_j / R) RBP, under stratified removal."""
    qrels, runs = small(topics=3, runs=2)
    collection = Collection.of(qrels, runs, ["BprefN", "RBP"])
    strata = TopicStrata.of(collection, Rules((40,)))
    values = np.stack([collection.scores(strata.judged(draw, 0))[0] for draw in range(1500)])
    expected = collection.full.copy()
    for topic in range(3):
        for places, count in strata.members[topic]:
            if collection.judgments.grade[places[0]] >= 1:
                expected[:, topic, 1] *= count[0] / len(places)
    error = values.std(axis=0) / math.sqrt(len(values))
    assert (np.abs(values.mean(axis=0) - expected) <= 4.5 * error + 1e-12).all()


# --- SPEC 1.5 --------------------------------------------------------------------------------------------------------

TABLE = {  # level: tau of MAP, bpref-10, RankEff, then their means; five reductions
    90: (0.975, 0.981, 0.989, 0.215, 0.266, 0.587),
    50: (0.907, 0.939, 0.962, 0.133, 0.280, 0.587),
    20: (0.759, 0.882, 0.925, 0.075, 0.316, 0.585),
}
TWENTY = {10: ((0.617, 0.066), (0.843, 0.024), (0.892, 0.016)), 1: ((0.485, 0.093), (0.717, 0.028), (0.763, 0.041))}


@pytest.fixture(scope="module")
def ag07(shared):
    folder = shared / "data" / "trec8"
    runs = sorted(map(str, (folder / "runs").iterdir()))
    measures = ["AP", "bpref-10", "RankEff"]
    return study.reduction(
        folder / "qrels.gz", runs, measures, levels=[90, 50, 20, 10, 1], draws=8, keep="ag07", seed=1
    )


def test_the_means_of_ag07_lie_within_the_scatter(ag07):
    """SPEC 1.5."""
    found = ag07.table("draws")
    for level, printed in TABLE.items():
        for m, name in enumerate(["AP", "Bpref10", "BprefN"]):
            rows = found.filter((found["level"] == level) & (found["measure"] == name))
            for column, value in (("agreement", printed[m]), ("score", printed[m + 3])):
                drawn = rows[column].to_numpy()
                error = drawn.std(ddof=1) * math.sqrt(1 / len(drawn) + 1 / 5)  # their mean of five, ours of eight
                assert abs(drawn.mean() - value) <= 4 * error + 0.0006, (level, name, column)
    for level, pairs in TWENTY.items():
        for name, (mean, deviation) in zip(["AP", "Bpref10", "BprefN"], pairs, strict=True):
            rows = found.filter((found["level"] == level) & (found["measure"] == name))["agreement"].to_numpy()
            assert abs(rows.mean() - mean) <= 4 * deviation * math.sqrt(1 / len(rows) + 1 / 20), (level, name)


def test_rankeff_is_the_flattest_and_map_the_worst(ag07):
    """SPEC 1.5: RankEff flattest, then bpref-10, MAP worst; mean bpref-10 rises, MAP falls."""
    rows = {(row["level"], row["measure"]): row for row in ag07.table().to_dicts()}
    for level in (50, 20, 10, 1):
        taus = [rows[level, name]["agreement"] for name in ("BprefN", "Bpref10", "AP")]
        assert taus == sorted(taus, reverse=True)
    levels = [90, 50, 20, 10]
    means = {name: [rows[level, name]["score"] for level in levels] for name in ("AP", "Bpref10", "BprefN")}
    assert means["AP"] == sorted(means["AP"], reverse=True)
    assert means["Bpref10"] == sorted(means["Bpref10"])
    assert max(means["BprefN"]) - min(means["BprefN"]) < 0.02
