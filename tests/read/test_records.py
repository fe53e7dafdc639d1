"""Objects as people hold them: rows, pairs, samples, ranx, ir_datasets, frames with other names, and frames back."""

from collections import namedtuple

import pandas as pd
import polars as pl
import pytest

import cranfield as cf

QRELS = {"q1": {"d1": 1, "d2": 0}}
ROWS = [{"query_id": "q1", "doc_id": "d2", "score": 2.5}, {"query_id": "q1", "doc_id": "d1", "score": 1.0}]
RUN = cf.Run.of("run", ["q1", "q1"], ["d2", "d1"], [2.5, 1.0])
SAMPLES = [
    {"user_input": "cheap tv", "retrieved_context_ids": ["x", "d1"], "reference_context_ids": ["d1"]},
    {"user_input": "red hat", "retrieved_context_ids": ["d7"], "reference_context_ids": ["d7", "d8"]},
]


class RanxRun:
    """Stands in for the `Run` of ranx: its public attributes."""

    def __init__(self, run, name):
        self.run, self.name = run, name

    def to_dict(self):
        return self.run


class RanxQrels:
    """Stands in for the `Qrels` of ranx."""

    def __init__(self, qrels):
        self.qrels, self.name = qrels, None

    def to_dict(self):
        return self.qrels


Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration")
ScoredDoc = namedtuple("ScoredDoc", "query_id doc_id score")


class Dataset:
    """Stands in for a dataset of ir_datasets: its iterators."""

    def qrels_iter(self):
        return iter([Qrel("q1", "d1", 1, "0"), Qrel("q1", "d2", 0, "0")])

    def scoreddocs_iter(self):
        return iter([ScoredDoc("q1", "d2", 2.5), ScoredDoc("q1", "d1", 1.0)])


@pytest.mark.parametrize(
    "run",
    [
        {"q1": [("d2", 2.5), ("d1", 1.0)]},
        {"q1": [["d2", 2.5], ["d1", 1.0]]},
        {"q1": [{"corpus_id": "d2", "score": 2.5}, {"corpus_id": "d1", "score": 1.0}]},
        ROWS,
        [{"user": "q1", "item": "d2", "score": 2.5}, {"user": "q1", "item": "d1", "score": 1}],
        RanxRun({"q1": {"d2": 2.5, "d1": 1.0}}, "run"),
        Dataset(),
        pl.DataFrame(ROWS),
    ],
    ids=["tuples", "lists", "hits", "rows", "users", "ranx", "ir_datasets", "frame"],
)
def test_a_run_in_any_form_is_the_same_run(run):
    assert cf.read_run(run) == RUN
    assert cf.evaluate(QRELS, run, "RR").means.tolist() == [[0.5]]


@pytest.mark.parametrize(
    "qrels",
    [
        {"q1": [("d1", 1), ("d2", 0)]},
        [{"query-id": "q1", "corpus-id": "d1", "score": 1}, {"query-id": "q1", "corpus-id": "d2", "score": 0}],
        [{"user_id": "q1", "item_id": "d1", "rating": 1}, {"user_id": "q1", "item_id": "d2", "rating": 0}],
        RanxQrels(QRELS),
        pd.DataFrame({"qid": ["q1", "q1"], "docno": ["d1", "d2"], "label": [1, 0]}),
        QRELS,
    ],
    ids=["tuples", "beir", "users", "ranx", "frame", "dict"],
)
def test_judgments_in_any_form_are_the_same_judgments(qrels):
    assert cf.read_qrels(qrels) == cf.Qrels.of(["q1", "q1"], ["d1", "d2"], [1, 0])


def test_a_dataset_gives_its_judgments():
    assert cf.read_qrels(Dataset()) == cf.Qrels.of(["q1", "q1"], ["d1", "d2"], [1, 0], ["0", "0"])


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_samples_hold_a_run_and_judgments():
    scores = cf.evaluate(SAMPLES, SAMPLES, ["RR", "R@2"])
    assert scores.topics == ("cheap tv", "red hat")
    assert scores.values[0].tolist() == [[0.5, 1.0], [1.0, 0.5]]


def test_two_samples_of_one_question_and_samples_without_lists_are_refused():
    with pytest.raises(cf.InputError, match="two samples are about 'cheap tv'"):
        cf.read_run([SAMPLES[0], SAMPLES[0]])
    with pytest.raises(cf.InputError, match="sample 2 has no retrieved_context_ids"):
        cf.read_run([SAMPLES[0], {"user_input": "x"}])
    with pytest.raises(cf.InputError, match="sample 1 has no question or id"):
        cf.read_run([{"retrieved_context_ids": ["d1"]}])


def test_several_runs_by_name_or_in_a_list():
    other = RanxRun({"q1": {"d1": 2.5}}, "dense")
    assert cf.evaluate(QRELS, [RanxRun({"q1": {"d2": 2.5}}, "bm25"), other], "RR").runs == ("bm25", "dense")
    assert cf.evaluate(QRELS, {"a": ROWS, "b": other, "c": {"q1": [("d1", 1.0)]}}, "RR").runs == ("a", "b", "c")
    assert list(cf.read_runs([{**row, "run": name} for name in "xy" for row in ROWS])) == ["x", "y"]
    assert list(cf.read_runs(RUN, cf.read_run(ROWS, name="again"))) == ["run", "again"]


def test_a_document_listed_twice_in_pairs_is_still_an_error():
    with pytest.raises(cf.InputError, match="E108"):
        cf.evaluate(QRELS, {"q1": [("d1", 2.0), ("d1", 1.0)]}, "RR")


@pytest.mark.parametrize("listed", [[("d1", 1.0), ("d2",)], [{"corpus_id": "d1"}], [{"score": 1}]])
def test_entries_without_id_or_score_are_refused(listed):
    with pytest.raises(cf.InputError, match="topic 'q1' holds an entry without a document id and a score"):
        cf.read_run({"q1": listed})


def test_a_row_without_a_field_is_refused():
    with pytest.raises(cf.InputError, match="record 2 has no field 'score'"):
        cf.read_run([ROWS[0], {"query_id": "q1", "doc_id": "d1"}])


@pytest.mark.parametrize("columns", [{"topic": "asked", "doc": "url", "grade": "good", "score": "sim2"}, None])
def test_columns_of_other_names_are_named(columns):
    frame = pd.DataFrame({"asked": ["q1", "q1"], "url": ["d2", "d1"], "good": [0, 1], "sim2": [2.5, 1.0]})
    if columns is None:
        with pytest.raises(cf.InputError, match="E303"):
            cf.evaluate(frame, frame, "RR")
        return
    written = ",".join(f"{role}={name}" for role, name in columns.items())
    for given in (columns, written):
        assert cf.evaluate(frame, frame, "RR", columns=given).means.tolist() == [[0.5]]
    assert cf.compare(frame, {"a": frame, "b": frame}, measures="RR", columns=columns, test="none").scores.runs == (
        "a",
        "b",
    )
    named = {"topic": "asked", "doc": "url", "score": "sim2"}
    assert cf.read_run(pl.from_pandas(frame), columns=named) == RUN
    assert cf.read_qrels(frame.to_dict("records"), columns="topic=asked,doc=url,grade=good").topics == ("q1",)


def test_the_number_beside_a_better_name_is_not_the_topic():
    rows = [{"query_id": "q1", "user_id": "u9", "doc_id": "d1", "item": 3, "score": 1.0, "prediction": 7}]
    assert cf.read_run(rows) == cf.Run.of("run", ["q1"], ["d1"], [1.0])
    rows = [{"userID": "q1", "itemID": "d1", "prediction": 1.0}]
    assert cf.read_run(rows) == cf.Run.of("run", ["q1"], ["d1"], [1.0])


def test_lists_of_paths_are_read(tmp_path):
    for name in "ab":
        (tmp_path / f"{name}.run").write_text(f"q1 Q0 d1 1 2.0 {name}\n")
    paths = [str(tmp_path / "a.run"), tmp_path / "b.run"]
    assert list(cf.read_runs(paths)) == ["a", "b"]
    assert cf.evaluate(QRELS, paths, "RR").runs == ("a", "b")


def test_tables_become_frames_and_come_back():
    qrels = cf.Qrels.of(["q1", "q2"], ["d1", "d2"], [1, 0], ["0", "1"])
    ranked = cf.Run.of("r", ["q1", "q2"], ["d1", "d2"], [2.5, 1.0], rank=[1, 1])
    runs = cf.read_runs(ranked, RUN)
    for frame in (qrels.to_polars(), qrels.to_pandas()):
        assert cf.read_qrels(frame) == qrels
    for frame in (ranked.to_polars(), ranked.to_pandas()):
        assert cf.read_run(frame) == ranked
    for frame in (runs.to_polars(), runs.to_pandas()):
        assert list(frame.columns) == ["topic", "doc", "score", "run"]
        assert list(cf.read_runs(frame)) == ["r", "run"]


class ListedRows:
    """Stands in for a data set of Hugging Face or ragas: it has columns, and lists its rows."""

    column_names = ("user_input", "retrieved_context_ids", "reference_context_ids")

    def __iter__(self):
        raise AssertionError("its items are no dictionaries")

    def to_list(self):
        return SAMPLES


def test_a_data_set_that_lists_its_rows_is_read():
    assert cf.read_run(ListedRows()) == cf.read_run(SAMPLES)
    assert cf.read_qrels(ListedRows()) == cf.read_qrels(SAMPLES)
