"""Python objects as runs and qrels (PRODUCT 3.2)."""

from collections import namedtuple
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from cranfield.errors import Error
from cranfield.read.objects import as_qrels, as_run, as_runs
from cranfield.tables.qrels import Qrels
from cranfield.tables.run import Run

Scored = namedtuple("Scored", "query_id doc_id score")
Judged = namedtuple("Judged", "query_id doc_id relevance iteration")

BM25 = Run.of("run", ["q1", "q1", "q2"], ["d1", "d9", "d1"], [2.5, 1.0, 7.0])
TRUTH = Qrels.of(["q1", "q1", "q2"], ["d1", "d9", "d1"], [1, 0, 2])
ITERATED = Qrels.of(["q1", "q1", "q2"], ["d1", "d9", "d1"], [1, 0, 2], iteration=["0"] * 3)


def refused(code: str, convert, *args, **options) -> str:
    with pytest.raises(Error) as caught:
        convert(*args, **options)
    assert caught.value.code == code
    return str(caught.value)


def test_a_dictionary_of_dictionaries_is_a_run():
    assert as_run({"q1": {"d1": 2.5, "d9": 1}, "q2": {"d1": np.float32(7)}}) == BM25


def test_a_list_of_documents_is_a_ranking():
    run = as_run({"q1": ["d3", "d1"], "q2": ("d1",)})
    assert run == Run.of("run", ["q1", "q1", "q2"], ["d3", "d1", "d1"], [-1.0, -2.0, -1.0], [1, 2, 1])
    assert run.rank is not None
    assert run.score[0] > run.score[1]


def test_a_set_has_no_order_and_is_no_ranking():
    assert "topic 'q1' are a set, which has no order" in refused("E121", as_run, {"q1": {"d1", "d2"}})
    assert as_qrels({"q1": {"d2", "d1"}}) == Qrels.of(["q1", "q1"], ["d1", "d2"], [1, 1])


def test_names_around_runs_are_told_from_topics_by_depth():
    runs = as_runs({"bm25": {"q1": {"d1": 1.0}}, "dense": {"q1": ["d1"]}, "third": BM25})
    assert list(runs) == ["bm25", "dense", "third"]
    assert list(as_runs({"q1": {"d1": 1.0}})) == ["run"]


def test_runs_and_topics_side_by_side_are_refused():
    assert "side by side" in refused("E121", as_runs, {"bm25": {"q1": {"d1": 1.0}}, "q2": {"d1": 1.0}})


def test_records_of_other_packages_are_accepted():
    rows = [Scored("q1", "d1", 2.5), Scored("q1", "d9", 1.0), Scored("q2", "d1", 7.0)]
    assert as_run(rows) == BM25
    assert as_run(iter(rows)) == BM25
    assert as_qrels([Judged("q1", "d1", 1, "0"), Judged("q1", "d9", 0, "0"), Judged("q2", "d1", 2, "0")]) == ITERATED
    assert list(as_runs({"a": rows, "b": rows})) == ["a", "b"]


RUN_COLUMNS = {"qid": ["q1", "q1", "q2"], "DOCNO": ["d1", "d9", "d1"], "Score": [2.5, 1.0, 7.0]}
QRELS_COLUMNS = {"query-id": ["q1", "q1", "q2"], "corpus-id": ["d1", "d9", "d1"], "score": [1, 0, 2]}
FRAMES = [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table]


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_of_any_package_are_accepted(frame):
    assert as_run(frame(RUN_COLUMNS)) == BM25
    assert as_qrels(frame(QRELS_COLUMNS)) == TRUTH
    assert list(as_runs({"a": frame(RUN_COLUMNS), "b": BM25})) == ["a", "b"]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_run_column_makes_several_runs(frame):
    runs = as_runs(frame({**RUN_COLUMNS, "system": ["a", "b", "a"]}))
    assert list(runs) == ["a", "b"]
    assert list(runs["a"].document) == ["d1", "d1"]


def test_whole_numbers_are_accepted_as_ids_and_written_in_decimal():
    run = as_run(pd.DataFrame({"qid": [301, 301], "docno": np.array([7, 8], dtype=np.uint64), "score": [1.0, 2.0]}))
    assert (run.topics, list(run.document)) == (("301",), ["7", "8"])


def test_other_ids_are_refused():
    refused("E121", as_run, {1.0: {"d": 1.0}})
    refused("E121", as_run, {"q": {b"d": 1.0}})
    refused("E121", as_run, {True: {"d": 1.0}})
    refused("E121", as_run, pd.DataFrame({"qid": [1.5], "docno": ["d"], "score": [1.0]}))
    refused("E121", as_qrels, pl.DataFrame({"qid": [None, "1"], "docno": ["d", "e"], "rel": [1, 1]}))
    refused("E119", as_run, {"": {"d": 1.0}})
    refused("E119", as_run, {"q": {"\ud800": 1.0}})
    refused("E119", as_run, {"q": {"a\0b": 1.0}})


@pytest.mark.parametrize(
    ("convert", "given"),
    [
        (as_run, {1: {"d1": 1}, "1": {"d1": 0}}),
        (as_run, {"q": {1: 2.0, "1": 1.0}}),
        (as_run, {"q": [1, "1"]}),
        (as_run, [Scored("1", "d1", 2.5), Scored(1, "d2", 1.0)]),
        (as_run, pd.DataFrame({"qid": pd.Series([1, "1"], dtype=object), "docno": ["a", "b"], "score": [1.0, 2.0]})),
        (as_qrels, {1: {"d1": 1}, "1": {"d1": 0}}),
        (as_qrels, {"q": {np.int64(1): 1, "1": 1}}),
        (as_qrels, {"q": {1, "1"}}),
    ],
)
def test_a_number_and_a_text_do_not_become_one_id(convert, given):
    assert "ids 1 (a number) and '1' (text) would become equal" in refused("E121", convert, given)


@pytest.mark.parametrize("frame", FRAMES)
def test_identifiers_of_frames_are_checked_and_kept_byte_by_byte(frame):
    names = ["naïve", "d 9", "検索"]
    assert list(as_run(frame({**RUN_COLUMNS, "DOCNO": names})).document) == names
    refused("E119", as_run, frame({**RUN_COLUMNS, "DOCNO": ["a", "", "c"]}))
    refused("E119", as_run, frame({**RUN_COLUMNS, "qid": ["a", "b\0", "c"]}))
    assert as_run(frame({**RUN_COLUMNS, "qid": [-7, 8, 8]})).topics == ("-7", "8")


def test_strings_of_polars_are_taken_over_without_python_objects(monkeypatch):
    frame = pl.DataFrame({**RUN_COLUMNS, "run": ["a", "b", "a"]})
    monkeypatch.setattr(pl.Series, "to_list", None)
    monkeypatch.setattr(pl.Series, "__iter__", None)
    assert list(as_runs(frame)) == ["a", "b"]
    assert as_qrels(pl.DataFrame({**QRELS_COLUMNS, "iteration": ["0", "0", "0"]})) == ITERATED


def test_a_column_of_strings_is_taken_over_in_pieces(monkeypatch):
    monkeypatch.setattr("cranfield.read.frames._PIECE", 2)
    assert as_run(pl.DataFrame(RUN_COLUMNS)) == BM25


@pytest.mark.parametrize("nan", [float("nan"), np.float32("nan"), Decimal("nan")])
def test_nan_has_no_place_in_a_ranking(nan):
    assert "(topic 'q', document 'e')" in refused("E107", as_run, {"q": {"d": 1.0, "e": nan}})


def test_text_is_no_score():
    refused("E106", as_run, {"q": {"d": "1.0"}})
    assert "trec_eval" not in refused("E106", as_run, {"q": {"d": None}})
    refused("E106", as_run, pl.DataFrame({"qid": ["1"], "docno": ["d"], "score": ["high"]}))


def test_numbers_of_every_kind_are_scores():
    values = [1, 2.5, np.float32(0.1), np.int8(3), Decimal("0.5"), 10**400, -(10**400), True, np.bool_(True), np.inf]
    run = as_run({"q": {f"d{n}": value for n, value in enumerate(values)}})
    assert run.score.tolist() == [1, 2.5, float(np.float32(0.1)), 3, 0.5, np.inf, -np.inf, 1, 1, np.inf]


def test_fractional_grades_are_refused_unless_asked_for():
    refused("E110", as_qrels, {"q": {"d": 0.5}})
    refused("E110", as_qrels, {"q": {"d": np.nan}}, grades="float")
    assert as_qrels({"q": {"d": 2.0}}).grade.dtype == np.int64
    assert as_qrels({"q": {"d": 0.5}}, grades="float").grade.tolist() == [0.5]


def test_nothing_at_all_is_refused():
    for convert in (as_run, as_qrels):
        refused("E104", convert, {})
        refused("E104", convert, {"q": {}})
        refused("E104", convert, [])


@pytest.mark.parametrize("wrong", [3, None, b"x", {"q": 3}, [1, 2], object()])
def test_other_objects_are_refused(wrong):
    refused("E121", as_run, wrong)
    refused("E121", as_qrels, wrong)


def test_a_frame_without_a_needed_column_says_what_it_has():
    message = refused("E303", as_qrels, pd.DataFrame({"query": ["q"], "url": ["u"], "rel": [1]}))
    assert "no column for the document id; found: query, url, rel" in message
    refused("E303", as_run, pd.DataFrame({"qid": ["q"], "docno": ["u"]}))


def test_paths_are_read(tmp_path):
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2.5 x\n")
    (tmp_path / "b.qrels").write_text("q1 0 d1 1\n")
    assert as_run(str(tmp_path / "a.run"), "y").name == "y"
    assert list(as_runs([tmp_path / "a.run", BM25])) == ["x", "run"]
    assert as_qrels(tmp_path / "b.qrels") == Qrels.of(["q1"], ["d1"], [1], iteration=["0"])


def test_inputs_are_left_alone():
    given = {"q1": {"d1": 2.5}}
    as_run(given)
    assert given == {"q1": {"d1": 2.5}}
    assert as_qrels(TRUTH) is TRUTH


def test_equal_names_are_refused():
    refused("E206", as_runs, [BM25, BM25])
