"""The quick reader of JSON lines gives what the exact one gives, or leaves the file to it."""

import io
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.read import read_qrels, read_runs
from cranfield.read.formats import jsonl
from cranfield.read.formats.jsonquick import quick
from cranfield.read.options import ReadOptions
from cranfield.read.sources.content import fetch

IDS = st.text(min_size=1, max_size=4) | st.sampled_from(["http://x", 'a":b', "x : y", "d"])
VALUES = st.floats(allow_nan=False) | st.integers(-5, 5)
RECORDS = st.lists(
    st.fixed_dictionaries(
        {"topic": IDS | st.integers(0, 9), "doc": IDS, "score": VALUES, "run": st.sampled_from("ab")}
    ),
    min_size=1,
    max_size=5,
)


def outcome(read, data, **options):
    try:
        return read(io.BytesIO(data), format="jsonl", **options)
    except Exception as error:
        return str(error)


@given(records=RECORDS, ascii_=st.booleans(), spaced=st.booleans())
def test_both_readers_agree(records, ascii_, spaced):
    separators = (", ", " : ") if spaced else (",", ":")
    lines = [json.dumps(record, ensure_ascii=ascii_, separators=separators) for record in records]
    data = "\n".join(lines).encode("utf-8", "replace")
    found = outcome(read_runs, data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jsonl, "quick", lambda *_, **__: None)
        assert outcome(read_runs, data) == found


def run_columns(*lines: str):
    content = fetch(io.BytesIO("\n".join(lines).encode()))
    return quick(content, ReadOptions(), ("topic", "doc"), qrels=False)


GOOD = '{"topic":"1","doc":"d","score":1}'


def test_good_lines_are_read_quickly():
    columns = run_columns(GOOD, GOOD)
    assert columns is not None
    assert columns.scores().tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    "bad",
    [
        '{"topic":"1","doc":"d","score":1},{"topic":"1","doc":"d","score":1}',
        '{"topic":"1","topic":"2","doc":"d","score":1}',
        '{"topic":"1","doc":"d","sim":1}',
        '{"topic":"1","doc":"d","score":1,"rank":1}',
        '{"topic":"1","doc":"d","score":NaN}',
        '{"topic":"1","doc":1.5,"score":1}',
        '{"topic":"1","doc":true,"score":1}',
        '{"topic":"1","doc":"","score":1}',
        '{"topic":"1","doc":"\\u0000","score":1}',
        '{"topic":"1","doc":"\\ud800","score":1}',
        '{"topic":"1","doc":"d","score":"x"}',
        '{"topic":"1","doc":["d"],"score":1}',
        "[]",
        "",
        "{",
        '{"topic":"1","doc":"d","score":' + "9" * 5000 + "}",
    ],
)
def test_the_least_doubt_is_left_to_the_exact_reader(bad):
    assert run_columns(GOOD, bad, GOOD) is None


def test_grades_are_whole_unless_asked_otherwise():
    data = b'{"topic":"1","doc":"d","grade":0.5}\n{"topic":"1","doc":"e","grade":2}'
    assert "E110" in outcome(read_qrels, data)
    grades = outcome(read_qrels, data, grades="float").grade
    assert grades.tolist() == [0.5, 2.0]
    assert grades.dtype == np.float64
