"""`cranfield.compat.pytrec_eval` against pytrec_eval-terrier: the recorded values, and the package itself, live."""

import math

import numpy as np
import pytest
import pytrec_eval as original
from hypothesis import given, settings
from hypothesis import strategies as st

from cranfield.compat import pytrec_eval as ours
from tests.golden.cases import CUTOFFS, load
from tests.kernel.paths import tables_in_between

SERIES = ("P", "recall", "ndcg_cut", "map_cut", "relative_P", "success")
MEASURES = {"all_trec", *(f"{name}.{CUTOFFS}" for name in SERIES)}
TOLERANCE = 1e-9


def tables(case):
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic, _, document, grade in case["qrels"]:
        qrels.setdefault(topic, {})[document] = grade
    for topic, document, score in case["run"]:
        run.setdefault(topic, {})[document] = float(score)
    return qrels, run


def same(expected, value):
    if isinstance(expected, str):
        return math.isnan(float(expected)) and math.isnan(value)
    return abs(expected - value) <= TOLERANCE or (math.isnan(expected) and math.isnan(value))


def differences(expected, found):
    for topic in {*expected, *found}:
        here, there = expected.get(topic, {}), found.get(topic, {})
        for name in {*here, *there}:
            if name not in here or name not in there or not same(here[name], there[name]):
                yield topic, name, here.get(name), there.get(name)


@pytest.mark.parametrize("group", ["handmade", "random", "medium"])
def test_the_recorded_values_agree(shared, group):
    wrong, compared = [], 0
    for name, case in load(shared, group).items():
        expected = case["expected"].get("pytrec_eval")
        if expected is None:
            continue
        options = case["options"]
        qrels, run = tables(case)
        evaluator = ours.RelevanceEvaluator(qrels, MEASURES, options.get("level", 1), options.get("judged_only", False))
        found = evaluator.evaluate(run)
        for row in found.values():
            row.pop("runid")
            row.pop("relstring")
        wrong += [(name, *found) for found in differences(expected, found)]
        compared += sum(map(len, found.values()))
    assert not wrong, f"{len(wrong)} differences, the first: {wrong[:10]}"
    assert compared > {"handmade": 10_000, "random": 80_000, "medium": 4_000}[group]


names = st.sampled_from([f"d{number}" for number in range(8)])
grades = st.integers(0, 3) | st.just(-1)
judgments = st.dictionaries(names, grades, min_size=1).filter(lambda graded: max(graded.values()) >= 0)
scores = st.sampled_from([0.0, 0.5, 0.1, 0.100000001, -3.0, 7.25]) | st.integers(-2, 2)
topics = st.sampled_from(["q1", "q2", "q10"])


@given(
    st.dictionaries(topics, judgments),
    st.dictionaries(topics, st.dictionaries(names, scores, min_size=1)),
    st.integers(1, 3),
    st.booleans(),
)
def test_the_package_itself_says_the_same(qrels, run, level, judged_only):
    assert_the_same(qrels, run, level, judged_only)


def assert_the_same(qrels, run, level, judged_only):
    """Ours, with and without tables in between, and the original."""
    arguments = qrels, {"all_trec", "ndcg_cut.3", "P_2"}, level, judged_only
    there = original.RelevanceEvaluator(*arguments).evaluate(run)
    here = ours.RelevanceEvaluator(*arguments).evaluate(run)
    with tables_in_between():
        assert repr(ours.RelevanceEvaluator(*arguments).evaluate(run)) == repr(here)
    assert list(differences(there, here)) == []
    assert list(here) == list(there)
    assert [list(row) for row in here.values()] == [list(row) for row in there.values()]
    assert all(type(value) is float for row in here.values() for value in row.values())


@given(st.integers(0, 10**6), st.booleans())
@settings(max_examples=30)
def test_long_lists_with_few_and_many_judgments_are_the_same(seed, judged_only):
    rng = np.random.default_rng(seed)
    names = [f"{'é' if rng.random() < 0.1 else 'd'}{number}" for number in range(300)]
    qrels, run = {}, {}
    for topic in map(str, range(6)):
        chosen = rng.permutation(300)[: rng.choice([1, 3, 12, 100])]
        qrels[topic] = {names[n]: int(grade) for n, grade in zip(chosen, rng.integers(0, 3, len(chosen)), strict=True)}
    for topic in map(str, rng.permutation(7)[:5].tolist()):
        chosen = rng.permutation(300)[: rng.choice([1, 20, 130, 300])]
        scores = rng.integers(0, rng.choice([2, 50, 10**9]), len(chosen)) / 7
        run[topic] = dict(zip((names[n] for n in chosen), scores.tolist(), strict=True))
    assert_the_same(qrels, run, 1, judged_only)


QRELS, RUN = {"q1": {"a": 1, "b": 0, "c": 2}}, {"q1": {"a": 1.0, "b": 2.0, "x": 3.0}}


@pytest.mark.parametrize(
    "measures",
    [
        {"P_5", "P.7", "P"},
        {"ndcg_cut.10", "ndcg_cut"},
        {"ndcg_cut"},
        {"P.7,5"},
        {"P.5,5"},
        {"P.5.7"},
        {"P.5x"},
        {"map.5"},
        {"iprec_at_recall.0.5"},
        {"iprec_at_recall_0.50"},
        {"iprec_at_recall.1.5"},
        {"set_F.0.5", "utility.1,2,3,4", "11pt_avg.0.1,0.3"},
        {"set_F_0.5"},
        {"utility.1,2"},
        {"relstring.3", "runid"},
        {"official"},
        {"set"},
        ["map", "map"],
        [],
    ],
    ids=lambda names: " ".join(sorted(names)) if isinstance(names, set) else str(names),
)
def test_names_mean_the_same(measures):
    here, there = (package.RelevanceEvaluator(QRELS, measures).evaluate(RUN) for package in (ours, original))
    assert here == there


@pytest.mark.parametrize(
    "arguments",
    [
        (QRELS, {"foo"}),
        (QRELS, {"P.x"}),
        (QRELS, {"P."}),
        (QRELS, {"P.-5"}),
        (QRELS, {"iprec_at_recall_.5"}),
        (QRELS, {"yaap"}),
        (QRELS, {"rbp"}),
        (QRELS, {"prefs"}),
        (QRELS, {5}),
        (QRELS, None),
        (QRELS, {"map"}, 0),
        (QRELS, {"map"}, 1.0),
        (QRELS, {"map"}, 1, "x"),
        ([1], {"map"}),
        ({1: {"a": 1}}, {"map"}),
        ({"q1": [1]}, {"map"}),
        ({"q1": {1: 1}}, {"map"}),
        ({"q1": {"a": 1.0}}, {"map"}),
        ({"q1": {"a": "1"}}, {"map"}),
    ],
)
def test_wrong_judgments_and_measures_raise_the_same_kind_of_error(arguments):
    with pytest.raises(Exception) as expected:  # noqa: PT011  # whatever the original raises
        original.RelevanceEvaluator(*arguments)
    with pytest.raises(expected.type):
        ours.RelevanceEvaluator(*arguments)


@pytest.mark.parametrize(
    "run", [[1], {1: {"a": 1.0}}, {"q1": [1]}, {"q1": {1: 1.0}}, {"q1": {"a": "1"}}, {"q1": {"a": None}}], ids=str
)
def test_wrong_runs_raise_the_same_error(run):
    with pytest.raises(TypeError) as expected:
        original.RelevanceEvaluator(QRELS, {"map"}).evaluate(run)
    with pytest.raises(TypeError) as raised:
        ours.RelevanceEvaluator(QRELS, {"map"}).evaluate(run)
    assert str(raised.value) == str(expected.value)


@pytest.mark.parametrize("run", [{}, {"q2": {"a": 1.0}}, {"q1": {}}, {"q2": {}, "q1": {"a": 1}}], ids=str)
@pytest.mark.parametrize("qrels", [{}, {"q1": {}}, QRELS], ids=str)
def test_topics_without_documents_are_treated_alike(qrels, run):
    here, there = (package.RelevanceEvaluator(qrels, {"map", "P"}).evaluate(run) for package in (ours, original))
    assert here == there


def test_the_names_on_offer_are_the_same():
    assert ours.supported_measures == original.supported_measures
    assert ours.supported_nicknames == original.supported_nicknames


@pytest.mark.parametrize("measure", ["map", "num_q", "num_rel_ret", "gm_map", "gm_bpref", "utility", "P_5"])
def test_summaries_are_the_same(measure):
    values = [-1.0, -2.0, -0.5]
    assert ours.compute_aggregated_measure(measure, values) == original.compute_aggregated_measure(measure, values)


LINES = ["1 Q0 a 1 3 sys\n", "1 Q0 b 2 2.5 sys\n", "2 Q0 b 1 1e3 sys"]


def test_lines_of_runs_and_qrels_are_parsed_alike():
    qrels = ["1 0 a 1\n", "1 0 b -1\n", "2 0 a 0"]
    assert ours.parse_run(LINES) == original.parse_run(LINES)
    assert ours.parse_qrel(qrels) == original.parse_qrel(qrels)


@pytest.mark.parametrize("lines", [[LINES[0], LINES[0]], ["1 Q0 a 1 3"], ["1 Q0 a 1 x sys"], [""]], ids=str)
def test_broken_lines_of_runs_raise_the_same_kind_of_error(lines):
    with pytest.raises((AssertionError, ValueError)) as expected:
        original.parse_run(lines)
    with pytest.raises(expected.type):
        ours.parse_run(lines)


@pytest.mark.parametrize("lines", [["1 0 a 1", "1 0 a 1"], ["1 0 a"], ["1 0 a x"], ["1 0 a 1.5"]], ids=str)
def test_broken_lines_of_qrels_raise_the_same_kind_of_error(lines):
    with pytest.raises((AssertionError, ValueError)) as expected:
        original.parse_qrel(lines)
    with pytest.raises(expected.type):
        ours.parse_qrel(lines)


@pytest.mark.parametrize("number", [np.float32, np.float64, np.int64, int])
def test_numbers_of_numpy_are_numbers(number):
    run = {"q1": {"a": number(1), "b": number(2)}}
    assert ours.RelevanceEvaluator(QRELS, {"recip_rank"}).evaluate(run) == {"q1": {"recip_rank": 0.5}}


def test_grades_of_numpy_are_grades():
    qrels = {"q1": {"a": np.int64(1), "b": np.int64(0)}}
    assert ours.RelevanceEvaluator(qrels, {"num_rel"}).evaluate(RUN) == {"q1": {"num_rel": 1.0}}


@pytest.mark.parametrize("measure", ["ndcg.1=3", "P.0"])
def test_parameters_that_crash_the_original_are_refused(measure):
    with pytest.raises(ValueError, match="unsupported measure"):
        ours.RelevanceEvaluator(QRELS, {measure})


def test_an_evaluator_can_be_used_again():
    evaluator = ours.RelevanceEvaluator(QRELS, {"map"})
    first = evaluator.evaluate(RUN)
    evaluator.evaluate({"q1": {"c": 1.0}})
    assert evaluator.evaluate(RUN) == first
