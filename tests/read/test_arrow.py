"""Columns of Arrow, polars and pandas as text: the values of their lists, without a Python object for each."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.errors import InputError
from cranfield.read.frames.arrow import arrow_text, pandas_text
from cranfield.read.objects import as_qrels, as_run
from cranfield.tables.text import Text

strings = st.lists(st.text(st.characters(codec="utf-8"), max_size=12), max_size=12)
KINDS = [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string())]


def same(column, values):
    """Equal, hash for hash and in the order of bytes too: the last string has its spare bytes."""
    expected = Text.of(values)
    group = np.zeros(len(values), dtype=np.int64)
    return (
        list(column) == values
        and column == expected
        and column.hash.tolist() == expected.hash.tolist()
        and column.descending(group).tolist() == expected.descending(group).tolist()
    )


@given(st.lists(strings, max_size=3), st.integers(0, 5), st.integers(0, 40), st.sampled_from(KINDS))
def test_chunks_and_slices_of_any_layout_are_their_strings(chunks, first, size, kind):
    column = pa.chunked_array([pa.array(chunk, pa.string()) for chunk in chunks], pa.string()).cast(kind)
    sliced = column.slice(first, size)
    assert same(arrow_text(sliced), sliced.to_pylist())
    for chunk in sliced.chunks:
        assert same(arrow_text(chunk), chunk.to_pylist())


def test_a_column_with_bytes_to_spare_is_not_copied():
    column = pa.array(["d1", "d2", "d3", "the last one is long"], pa.large_string())
    taken = arrow_text(column.slice(1, 2))
    assert taken is not None
    assert list(taken) == ["d2", "d3"]
    assert taken.buffer.ctypes.data == column.buffers()[2].address
    whole = arrow_text(column)
    assert whole is not None
    assert whole.buffer.ctypes.data != column.buffers()[2].address


@pytest.mark.parametrize(
    "column",
    [
        pa.array(["a", None]),
        pa.array([1.5]),
        pa.array([b"a"]),
        pa.array([True]),
        pa.array([[1]]),
        pa.array([1.5]).dictionary_encode(),
    ],
    ids=str,
)
def test_what_is_no_text_is_left_to_others(column):
    assert arrow_text(column) is None


def test_whole_numbers_are_written_in_decimal():
    assert list(arrow_text(pa.array([7, -1], pa.int32())) or ()) == ["7", "-1"]
    assert list(arrow_text(pa.array([2**63], pa.uint64())) or ()) == [str(2**63)]


COLUMNS = {
    "str": pd.Series(["d1", "é", "d1"]),
    "object": pd.Series(["d1", "é", "d1"], dtype=object),
    "string[python]": pd.Series(["d1", "é", "d1"], dtype="string[python]"),
    "string[pyarrow]": pd.Series(["d1", "é", "d1"], dtype="string[pyarrow]"),
    "category": pd.Series(["d1", "é", "d1"], dtype="category"),
    "ArrowDtype": pd.Series(["d1", "é", "d1"], dtype=pd.ArrowDtype(pa.string())),
}


@pytest.mark.parametrize("kind", COLUMNS)
def test_strings_of_pandas_are_taken_over(kind):
    column = pandas_text(COLUMNS[kind])
    assert column is not None
    assert same(column, ["d1", "é", "d1"])
    assert same(pandas_text(COLUMNS[kind][1:]), ["é", "d1"])


@pytest.mark.parametrize(
    "values", [["a", b"b"], [b"a"], ["a", 1], ["a", None], [object()], [10**30], ["\ud800"], [1.0]]
)
def test_objects_of_pandas_that_are_not_all_text_are_looked_at_one_by_one(values):
    assert pandas_text(pd.Series(values, dtype=object)) is None


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("wrong", ["", "a\0b"])
def test_an_id_that_is_empty_or_holds_a_zero_byte_is_refused(frame, wrong):
    with pytest.raises(InputError, match="a document id is empty or holds a zero byte"):
        as_run(frame({"qid": ["1", "1"], "docno": ["a", wrong], "score": [1.0, 2.0]}))


def test_zero_bytes_beside_the_strings_do_no_harm():
    documents = pa.array(["a", "\0", "b", "c" * 20])
    table = pa.table({"qid": ["1"] * 4, "docno": documents, "score": [4.0, 3.0, 2.0, 1.0]})
    assert list(as_run(table.slice(2, 1)).document) == ["b"]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, pa.table])
def test_numbers_are_ids_in_every_package(frame):
    run = as_run(frame({"qid": [1, 1], "docno": [7, 8], "score": np.array([0.5, 1.5], np.float32)}))
    assert (run.topics, list(run.document), run.score.tolist()) == (("1",), ["7", "8"], [0.5, 1.5])


def test_scores_of_polars_and_arrow_are_shared():
    scores = pl.Series("score", [2.0, 1.0])
    polars = pl.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": scores})
    assert np.shares_memory(as_run(polars).score, polars["score"].to_numpy())
    arrow = pa.table({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    assert np.shares_memory(as_run(arrow).score, arrow["score"].chunk(0).to_numpy())


def test_a_run_does_not_change_with_the_frame_of_pandas_it_came_from():
    frame = pd.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0]})
    run = as_run(frame)
    judged = as_qrels(pd.DataFrame({"qid": ["1"], "docno": ["a"], "relevance": [1]}))
    frame.loc[0, "score"] = -5.0
    assert run.score.tolist() == [2.0, 1.0]
    assert judged.grade.tolist() == [1]
