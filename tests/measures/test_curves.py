"""Curves: worked numbers of precision and recall, laws that tie curves to measures, grammar, policies and refusals."""

import json
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import cranfield as cf
from cranfield.measures.curves.grammar import read_kind
from cranfield.tables.curves.kind import CURVES
from tests.measures.worked import FOUR, LISTS, SIX

GRADES = st.sampled_from((0, 0, 1, 2, 3, None))


def collection(*topics):
    """Judgments and a run of topics given as (retrieved, not retrieved); None is not judged."""
    qrels, run = {}, {}
    for number, (found, missed) in enumerate(topics, start=1):
        documents = enumerate([*found, *missed])
        qrels[f"q{number}"] = {f"d{place}": grade for place, grade in documents if grade is not None} | {"x": 0}
        run[f"q{number}"] = [f"d{place}" for place in range(len(found))]
    return qrels, {"run": run}


def drawn(data, kind, **choices):
    qrels, runs = data
    return cf.curve(qrels, runs, kind, **choices)


def scored(data, measures):
    qrels, runs = data
    return cf.evaluate(qrels, runs, measures)


def quietly(data, kind, **choices):
    """A curve without the notes about holes in made-up data."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        return drawn(data, kind, **choices)


@pytest.fixture
def systems():
    """The two systems of the lecture notes: rankings A and C, B and D of two topics."""
    qrels = {"q1": {f"r{n}": 1 for n in range(6)}, "q2": {f"r{n}": 1 for n in range(3)}}
    runs: dict[str, dict[str, list[str]]] = {}
    for name, lists in (("one", "AC"), ("two", "BD")):
        runs[name] = {}
        for topic, letter in zip(qrels, lists, strict=True):
            ordinal = np.cumsum(LISTS[letter])
            runs[name][topic] = [
                f"r{ordinal[at] - 1}" if relevant else f"n{at}" for at, relevant in enumerate(LISTS[letter])
            ]
    for topic in qrels:
        qrels[topic] |= {f"n{n}": 0 for n in range(10)}
    return qrels, runs


def close(actual, expected, tolerance=FOUR):
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


# --- worked numbers --------------------------------------------------------------------------------------------------


def test_the_eleven_points_of_the_two_systems(systems):
    curves = drawn(systems, "11pt")
    close(curves["one"], [1, 1, 0.9167, 0.9167, 0.5833, 0.5833, 0.5833, 0.5667, 0.5667, 0.45, 0.45])
    close(curves["two"], [0.55] * 4 + [0.5143] * 7)
    above = curves["one"] > curves["two"]
    assert above.any()
    assert not above.all()  # neither system dominates the other
    means = curves.by_topic["precision"][0].mean(axis=-1)
    close(means, [[0.821212, 0.563636], [0.6, 0.454545]], SIX)


def test_trec_eval_ten_rounds_recall_levels(systems):
    close(drawn(systems, "11pt(rule='lround')")["one", "q1"].mean(), 0.857576, SIX)
    close(drawn(systems, "11pt", rule="te9")["one", "q2"].mean(), 0.566667, SIX)


def test_precision_and_recall_at_each_rank(systems):
    curves = drawn(systems, "pr")
    close(curves["one", "q1"], [1, 0.5, 0.6667, 0.75, 0.8, 0.8333, 0.7143, 0.625, 0.5556, 0.6])
    recall = curves.by_topic["recall"][0, 0, 0]
    close(recall, [0.1667, 0.1667, 0.3333, 0.5, 0.6667, 0.8333, 0.8333, 0.8333, 0.8333, 1])


def test_the_areas_under_the_steps(systems):
    curves = drawn(systems, "pr")
    close(curves.areas(), [[0.775, 0.544444], [0.521164, 0.442857]], SIX)
    close(curves.areas().mean(axis=1), [0.659722, 0.482011], SIX)
    close(curves.areas(envelope=True)[:, 0], [0.822222, 0.6], SIX)


def test_precision_recall_and_f_of_a_set(systems):
    curves = drawn(systems, "f").only("q1")
    assert [round(float(curves.means[name][0, 0, 0]), 4) for name in ("precision", "recall", "F")] == [0.6, 1.0, 0.75]
    after_five = drawn(systems, "f(beta=2)@5")
    scores = scored(systems, ["P@5", "R@5", "F(beta=2)@5"])
    for name, measure in (("precision", "P@5"), ("recall", "R@5"), ("F", "F(beta=2)@5")):
        np.testing.assert_allclose(after_five.by_topic[name][0, :, :, 0], scores.matrix(measure))


def test_the_functions_of_the_user_of_average_precision(systems):
    curves = drawn(systems, "cwl@10", models="AP").only("q1")
    close(curves.means["C"][0, 0], [0.5122, 1, 0.6825, 0.6512, 0.5714, 0.375, 1, 1, 1, 0])
    close(curves.means["W"][0, 0], [0.3417, 0.175, 0.175, 0.1194, 0.0778, 0.0444, *[0.0167] * 4])


def test_a_user_who_goes_on_with_one_probability_reads_past_the_end_of_the_list(systems):
    curves = drawn(systems, "cwl@15", models="RBP(p=0.5)")
    close(curves.means["C"], np.full((1, 2, 15), 0.5), 1e-12)
    close(curves.means["W"][0, 0], 0.5 ** np.arange(1, 16), 1e-12)


def test_a_user_who_looks_for_one_document_stops_at_the_end_of_the_list():
    qrels, run = collection(([0, 0, 0], [1]))
    curves = cf.curve(qrels, run, "cwl@6", models="RR")
    close(curves.means["W"][0, 0], [1 / 3, 1 / 3, 1 / 3, 0, 0, 0])


# --- laws ------------------------------------------------------------------------------------------------------------

topics = st.lists(st.tuples(st.lists(GRADES, max_size=9), st.lists(GRADES, max_size=4)), min_size=1, max_size=3).filter(
    lambda lists: any(found for found, _ in lists)
)


@settings(max_examples=25)
@given(topics, st.sampled_from(["CG", "DCG(dcg='jk', b=3)", "nCG", "nDCG", "nDCG'", "nDCG(gains={1: 1, 2: 10})"]))
def test_the_value_of_a_curve_at_a_rank_is_that_of_its_measure(lists, name):
    data = collection(*lists)
    curves = quietly(data, f"{name}@7")
    column = curves.by_topic["normalised" if name.startswith("n") else "gained"][0, 0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        at_each = scored(data, [f"{name}@{k}" for k in range(1, 8)]).values[0]
    np.testing.assert_allclose(column, at_each, rtol=1e-12, atol=1e-15)


@settings(max_examples=25)
@given(topics, st.integers(1, 3))
def test_the_area_under_the_steps_is_average_precision(lists, rel):
    data = collection(*lists)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        expected = scored(data, f"AP(rel={rel})").values[:, :, 0]
    np.testing.assert_allclose(quietly(data, f"pr(rel={rel})").areas(), expected, rtol=1e-12, atol=1e-15)


@settings(max_examples=25)
@given(topics)
def test_precision_by_recall_level_never_rises_and_bounds_are_never_below(lists):
    data = collection(*lists)
    assert (np.diff(quietly(data, "11pt")["run"]) <= 1e-12).all()
    curves = quietly(data, "dcg@9", band="bounds")
    assert (curves.means["high"] >= curves.means["low"] - 1e-12).all()
    np.testing.assert_array_equal(curves.means["low"][0, 0], curves["run"])


@settings(max_examples=25)
@given(topics, st.randoms(use_true_random=False))
def test_the_order_of_topics_changes_no_curve(lists, random):
    qrels, runs = collection(*lists)
    order = list(qrels)
    random.shuffle(order)
    shuffled = {topic: qrels[topic] for topic in order}
    for kind in ("ndcg@5", "pr", "11pt"):
        one, other = quietly((qrels, runs), kind), quietly((shuffled, runs), kind)
        np.testing.assert_allclose(one["run"], other["run"], rtol=1e-14)


def test_unjudged_documents_bound_the_gain_from_above():
    curves = quietly(collection(([2, None, 0, None], [])), "cg@5", band="bounds")
    np.testing.assert_array_equal(curves.means["high"][0, 0], [2, 4, 4, 6, 6])  # each could have been a 2


def test_quartiles_enclose_the_middle_half_of_the_topics():
    lists = [([int(n >= hard)], [1]) for n, hard in enumerate([1, 1, 1, 1, 1])]  # one of five fails
    curves = drawn(collection(*lists), "ncg@1", band="quartiles")
    values = curves.by_topic["normalised"][0, 0, :, 0]
    assert [float(curves.means[end][0, 0, 0]) for end in ("low", "high")] == np.quantile(values, [0.25, 0.75]).tolist()


# --- grammar and policies --------------------------------------------------------------------------------------------


def test_every_kind_has_a_curve_and_says_what_it_is(systems):
    for kind in CURVES:
        curves = drawn(systems, kind)
        assert curves.kind == kind
        assert len(curves["one"]) == len(curves.points)
        assert CURVES[kind].title


def test_parameters_may_stand_in_the_name_or_beside_it():
    assert str(read_kind("nDCG(dcg='jk', b=3)@7").measures[0]) == "nDCG(dcg='jk', b=3)@7"
    assert read_kind("ndcg", values={"dcg": "jk", "b": 3, "cutoff": 7}) == read_kind("ndcg(dcg='jk', b=3)@7")
    assert [str(m) for m in read_kind("pr@9", values={"rel": (1, 3)}).measures] == ["P(rel=1)@9", "P(rel=3)@9"]
    assert str(read_kind("ndcg'@5").measures[0]) == "nDCG'@5"
    assert str(read_kind("f").measures[0]) == "SetF"


def test_a_curve_for_each_level_of_relevance():
    qrels, run = collection(([2, 1, 0], [2]))
    curves = cf.curve(qrels, run, "pr", rel=[1, 2])
    np.testing.assert_allclose(curves.means["recall"][:, 0], [[1 / 3, 2 / 3, 2 / 3], [0.5, 0.5, 0.5]])
    assert curves.measures == ("P(rel=1)@1000", "P(rel=2)@1000")
    assert cf.curve(qrels, run, "pr", rel=2).measures == ("P(rel=2)@1000",)


def test_the_condensed_curve_leaves_unjudged_documents_out():
    data = collection(([None, None, 1, 0], []))
    assert quietly(data, "pr'")["run"].tolist() == [1, 0.5, 1 / 3, 0.25]
    np.testing.assert_array_equal(quietly(data, "pr", unjudged="condensed")["run"], quietly(data, "pr'")["run"])


def test_a_missing_topic_counts_as_an_empty_list_or_is_left_out():
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    assert quietly((qrels, {"q1": ["a"]}), "ndcg@2")["run"].tolist() == [0.5, 0.5]
    left_out = quietly((qrels, {"q1": ["a"]}), "ndcg@2", topic_set="intersection")
    assert left_out["run"].tolist() == [1, 1]
    assert np.isnan(left_out["run", "q2"]).all()
    assert left_out.per_topic()["topic"].unique().to_list() == ["q1"]


def test_a_topic_without_judgments_is_scored_if_the_policy_says_so():
    qrels, runs = {"q1": {"a": 1}}, {"q1": ["a"], "q9": ["b"]}
    assert quietly((qrels, runs), "cg@1", topic_set="union")["run"].tolist() == [0.5]


def test_some_topics_have_their_own_means(systems):
    curves = drawn(systems, "pr")
    one = curves.only("q2")
    np.testing.assert_array_equal(one["one"], curves["one", "q2"])
    assert one.topics == ("q2",)
    with pytest.raises(cf.PolicyError, match="there is no topic 'q7'"):
        curves.only("q7")


def test_the_tables_hold_every_point(systems):
    curves = drawn(systems, "ndcg@20")
    frame = curves.to_polars()
    assert frame.columns == ["run", "rank", "mean_of_norm", "norm_of_mean", "gained", "ideal"]
    assert frame.filter(run="two")["mean_of_norm"].to_list() == curves["two"].tolist()
    assert curves.per_topic().shape == (2 * 2 * 20, 6)
    assert curves.to_csv().splitlines()[0] == "run,rank,mean_of_norm,norm_of_mean,gained,ideal"
    assert list(curves.to_pandas()["rank"][:2]) == [1, 2]
    assert "@10" in curves.to_markdown()
    assert r"\begin{tabular}" in curves.to_latex()
    assert "<table" in curves._repr_html_()
    assert json.loads(curves.to_json())["result"]["curves"]["lines"][1]["mean_of_norm"] == curves["two"].tolist()


def test_a_table_of_points_of_a_scatter_has_a_row_per_topic(systems):
    assert drawn(systems, "f").to_polars().columns == ["run", "topic", "recall", "precision", "F"]
    assert repr(drawn(systems, "f")).splitlines()[0].split() == ["run", "recall", "precision", "F"]


@pytest.mark.parametrize(
    ("kind", "choices", "message"),
    [
        ("roc", {}, "E213: there is no curve 'roc'"),
        ("", {}, "E243: cannot draw ''"),
        ("pr ndcg", {}, "E243: cannot draw 'pr ndcg' together"),
        ("ndcg@5 ndcg@6", {}, "E243: cannot draw"),
        ("ndcg@0", {}, "E203: ndcg@0: the last rank must be"),
        ("ndcg@x", {}, "E203: ndcg@x: the last rank must be"),
        ("ndcg@99999999", {}, "E203: ndcg@99999999"),
        ("11pt@5", {}, "E204: 11pt takes no cut-off"),
        ("ndcg(avg_pos=True)", {}, "E203"),
        ("ndcg(rel=2)", {}, "E204: nDCG has no parameter 'rel'"),
        ("cwl(p=0.5)", {}, "E242"),
        ("cwl", {"models": "nDCG@10"}, "E203: nDCG is not the score of a user model"),
        ("ndcg", {"scenario": "lazy"}, 'E213: scenario="lazy" is unknown'),
        ("ndcg", {"average": "median"}, 'E213: average="median" is unknown'),
        ("pr", {"average": "norm_of_mean"}, "E244: average=\"norm_of_mean\" has no meaning for 'pr'"),
        ("pr", {"band": "bounds"}, "E244: band=\"bounds\" is not known for 'pr'"),
        ("pr", {"band": "quartiles"}, "E244"),
        ("cg", {"band": "sigma"}, 'E213: band="sigma" is unknown'),
        ("cg", {"ties": "random"}, "E213"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_line(systems, kind, choices, message):
    with pytest.raises(cf.Error) as caught:
        drawn(systems, kind, **choices)
    assert str(caught.value).startswith(message)
    assert len([line for line in str(caught.value).splitlines() if not line.startswith("  ")]) == 1


def test_readings_that_make_no_sense_are_refused(systems):
    with pytest.raises(cf.PolicyError, match="is not read across"):
        drawn(systems, "ndcg").needed(5)
    with pytest.raises(cf.PolicyError, match="rank 500 is not on the curve"):
        drawn(systems, "cg").needed(500)
    with pytest.raises(cf.PolicyError, match="has no gap"):
        _ = drawn(systems, "pr").gap
    with pytest.raises(cf.PolicyError, match="has no steps of recall"):
        drawn(systems, "11pt").areas()


def test_the_judgments_and_runs_are_left_as_they_were(systems):
    before = json.dumps(systems)
    drawn(systems, "ndcg")
    assert json.dumps(systems) == before


def test_mean_functions_of_users_are_a_triple_again():
    """C and L follow from the mean of W (SPEC 8.1); the mean of C over topics would belong to no W."""
    qrels = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 0, "b": 1, "c": 1}}
    curves = cf.curve(qrels, {"x": {"q1": ["a", "b", "c"], "q2": ["a", "b", "c"]}}, "cwl@6", models="AP INST(T=1)")
    for m in range(2):
        c, w, last = (curves.means[letter][m, 0] for letter in "CWL")
        assert np.allclose(w, curves.by_topic["W"][m, 0].mean(axis=0))
        assert np.allclose(c[:-1] * w[:-1], w[1:])
        assert np.allclose(last, w * (1 - c) / w[0])
    assert not np.allclose(curves.means["C"][0, 0], curves.by_topic["C"][0, 0].mean(axis=0))
