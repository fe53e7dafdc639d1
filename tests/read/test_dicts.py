"""Runs that are dictionaries, collected without a table: the same scores, audits, warnings and errors as with one."""

import copy
import math
import pickle
import warnings
from collections import OrderedDict, defaultdict
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import Error
from cranfield.measures.evaluate import evaluate
from cranfield.read.objects import as_run, as_runs, as_sources
from cranfield.read.sources.runs import RunDict, RunsInMemory
from tests.align.worlds import DOCUMENTS, TOPICS
from tests.kernel.paths import needs_compiled, tables_in_between

MEASURES = ["nDCG@10", "AP", "RR", "P@3", "R@100", "Judged@10", "Bpref", "infAP", "AP'", "RBP(p=0.8)", "NumRet"]
WHOLE_LISTS = ["ESL", "AP"]

numbers = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, 2.5, -3.0, 1e39, 1e40, math.inf, -math.inf, 0.1, 0.100000001]),
    st.integers(-3, 3),
    st.sampled_from([True, 2**70, -(2**53) - 1, np.float32(0.1), np.float64(2.5), np.int64(1), np.int32(-3)]),
)
listed = st.dictionaries(TOPICS | st.just("unjudged"), st.dictionaries(DOCUMENTS, numbers, max_size=11), max_size=6)
judged = st.dictionaries(TOPICS, st.dictionaries(DOCUMENTS, st.integers(-2, 4), min_size=1), min_size=1)


def outcome(qrels, runs, measures, **policies):
    """All that an evaluation gives: values, audit and warnings, or its error."""
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        try:
            scores = evaluate(qrels, runs, measures, **policies)
        except Error as error:
            return type(error), str(error)
    columns = {field.name: getattr(scores, field.name) for field in fields(scores) if field.name != "origin"}
    return {
        name: column.tobytes() if isinstance(column, np.ndarray) else str(column) for name, column in columns.items()
    }, [str(note.message) for note in notes]


def assert_same(qrels, runs, measures=MEASURES, **policies):
    quick = outcome(qrels, runs, measures, **policies)
    with tables_in_between():
        assert outcome(qrels, runs, measures, **policies) == quick
    return quick


@needs_compiled
@given(judged, listed, st.sampled_from(["trec", "trec9", "file"]), st.sampled_from(["qrels", "intersection", "union"]))
@example({"q": {"d1": 1}}, {"q": {"d1": 2**2000}}, "trec", "qrels")
@example({"q": {"a\0": 1, "é": 0}}, {"q": {"a": 1.0, "é": 1.0}}, "trec", "qrels")
@example({"q": {"d1": 1}}, {"q": {"d2": 0.0, "d3": 0.0}}, "trec", "qrels")
def test_small_worlds_are_scored_as_tables_are(qrels, run, ties, topic_set):
    assert_same(qrels, run, ties=ties, topic_set=topic_set)


def world(seed: int):
    """Judgments and runs with short and long lists, few and many judged, many ties, in any order."""
    rng = np.random.default_rng(seed)
    names = [f"{'é' if rng.random() < 0.2 else 'd'}{'x' * int(rng.integers(0, 90))}{n}" for n in range(400)]
    topics = [f"t{number}" for number in range(8)]
    qrels = {
        topic: {names[n]: int(rng.integers(-1, 4)) for n in rng.permutation(400)[: rng.choice([1, 5, 20, 150])]}
        for topic in topics[:7]
    }
    runs: dict[str, dict[str, dict[str, float]]] = {}
    for run in ("one", "two", "three"):
        steps = int(rng.choice([1, 7, 10**9]))
        runs[run] = {}
        for number in rng.permutation(8)[: rng.integers(2, 9)].tolist():
            chosen = rng.permutation(400)[: rng.choice([1, 16, 17, 100, 129, 400])]
            scores = rng.integers(-steps, steps + 1, len(chosen)) / 3
            scores = np.sort(scores)[::-1] if rng.random() < 0.5 else scores
            runs[run][topics[number]] = dict(zip((names[n] for n in chosen), scores.tolist(), strict=True))
    return qrels, runs


@needs_compiled
@given(st.integers(0, 10**6), st.sampled_from(["trec", "trec9"]))
def test_larger_worlds_are_scored_as_tables_are(seed, ties):
    qrels, runs = world(seed)
    assert_same(qrels, runs, ties=ties)
    assert_same(qrels, runs["two"], ties=ties)


@needs_compiled
@pytest.mark.parametrize("policies", [{"depth": 2}, {"lengths": {"a": 3.0, "b": 2.0, "c": 9.0}}, {"average": "micro"}])
def test_what_needs_a_table_gets_one(policies):
    run = {"1": {"a": 2.0, "b": 2.0, "c": 1.0}}
    values, _ = assert_same({"1": {"a": 0, "b": 1, "c": 0}}, run, ["P@2"], **policies)
    assert values["measures"] == "('P@2',)"


@needs_compiled
def test_a_measure_that_looks_at_whole_lists_gets_them():
    values, _ = assert_same({"1": {"a": 0, "b": 1, "c": 0}}, {"1": {"a": 2.0, "b": 2.0, "c": 1.0}}, WHOLE_LISTS)
    assert np.frombuffer(values["values"]).tolist() == [0.5, 1.0]  # one of two tied documents before it, on average


class Meddling(float):
    """A number that changes the dictionary it stands in while it is read."""

    def __float__(self):
        SHRINKING.clear()
        return 1.0


SHRINKING: dict = {}


@needs_compiled
@pytest.mark.parametrize(
    "run",
    [
        {},
        {"1": {}},
        {"1": {"a": math.nan}},
        {"1": {"a": 1.0, "b": math.nan}},
        {"1": {"a": "1"}},
        {"1": {"a": 1.0, "b": None}},
        {"1": {"a": 1.0, "b": {}}},
        {"1": {"a": 1.0, "b": [1]}},
        {"1": {"": 1.0}},
        {"1": {"a\0": 1.0}},
        {"1": {"\ud800": 1.0}},
        {"1": {"é\0": 1.0}},
        {"": {"a": 1.0}},
        {"1": {7: 1.0, "b": 2.0}},
        {"1": {7: 1.0, "7": 2.0}},
        {1: {"a": 1.0}},
        {"1": {"a": 1.0}, "2": ["b", "a"]},
        {"1": {"a": 1.0}, "2": {"a"}},
        {"1": {"a": 1.0}, "2": {"3": {"a": 1.0}}},
        {"1": {"a": 1.0}, "2": 5},
        {"unjudged": {"a": 1.0}},
        {"bm25": {"1": {"a": 1.0}}, "dense": {"1": ["a"]}},
        {"bm25": {"1": {"a": 1.0}}, "dense": {"1": {"a": "x"}}},
        {"bm25": {"1": {"a": 1.0}}, "dense": {}},
        {"bm25": {"1": {"a": 1.0}}, "": {"1": {"a": 1.0}}},
        {"bm25": {"1": {"a": 1.0}}, 7: {"1": {"a": 1.0}}},
        {"bm25": {"1": {"a": 1.0, "b": {"c": 1}}}},
        OrderedDict({"1": {"a": 1.0}}),
        {"1": OrderedDict({"a": 1.0, "b": 2.0})},
        defaultdict(dict, {"1": {"a": 1.0}}),
        {"1": {np.str_("a"): 1.0, "b": 2.0}},
        {"1": {"a": np.float16(1), "b": np.uint8(2)}},
    ],
    ids=str,
)
def test_whatever_is_unusual_ends_as_it_does_with_a_table(run):
    assert_same({"1": {"a": 1, "b": 0}}, run, "AP")


@needs_compiled
def test_a_number_that_runs_code_cannot_pull_the_dictionary_away():
    def world():
        SHRINKING.clear()
        SHRINKING.update({f"d{number}": float(number) for number in range(100)}, last=Meddling(3.0))
        return {"1": SHRINKING}

    quick = outcome({"1": {"d3": 1}}, world(), "RR")
    with tables_in_between():
        assert outcome({"1": {"d3": 1}}, world(), "RR") == quick


@needs_compiled
def test_nothing_is_written_into_the_dictionaries():
    qrels, runs = world(3)
    before = copy.deepcopy((qrels, runs))
    missing = defaultdict(dict, {"t0": {"x": 1.0}})
    outcome(qrels, runs, MEASURES)
    outcome(qrels, missing, MEASURES)
    assert (qrels, runs) == before
    assert list(missing) == ["t0"]


@needs_compiled
def test_a_dictionary_stays_one_until_somebody_needs_a_table():
    [source] = as_sources({"q1": {"d1": 2.5}}).members
    assert isinstance(source, RunDict)
    assert source.label == "run"
    [table] = source.open()
    assert table == as_run({"q1": {"d1": 2.5}})
    assert isinstance(source.kept(), RunsInMemory)
    assert [member.label for member in as_sources({"a": {"q1": {"d1": 2.5}}, "b": {"q1": ["d1"]}}).members] == [
        "a",
        "b",
    ]
    assert list(as_runs({"a": {"q1": {"d1": 2.5}}})) == ["a"]
    assert pickle.loads(pickle.dumps(source)).scores == source.scores


def test_without_the_kernel_a_dictionary_is_scored_as_a_table():
    qrels, run = {"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 2.5, "d2": 3.5}}
    with tables_in_between():
        assert outcome(qrels, run, "RR") == outcome(qrels, as_runs(run), "RR")


@needs_compiled
def test_the_scores_of_one_run_are_those_of_a_twin_in_plain_python():
    qrels, runs = world(11)
    run = runs["one"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        scores = cf.evaluate(qrels, run, ["RR", "NumRelRet"])
    for number, topic in enumerate(scores.topics):
        ranked = sorted(run.get(topic, {}).items(), key=lambda pair: (pair[1], pair[0].encode()), reverse=True)
        found = [rank for rank, (document, _) in enumerate(ranked, start=1) if qrels[topic].get(document, 0) > 0]
        assert scores.values[0, number].tolist() == [1 / found[0] if found else 0.0, len(found)]
