"""Columns of strings, against Python's own strings."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cranfield.tables.text import Text

strings = st.lists(
    st.one_of(
        st.text(max_size=12),
        st.text(alphabet="ab\x00", max_size=40),
        st.sampled_from(["x" * 300, "x" * 299 + "y", "x" * 256]),
    ),
    max_size=20,
)


@given(strings)
def test_a_column_holds_what_was_put_in(names):
    assert list(Text.of(names)) == names
    assert [Text.of(names)[row] for row in range(len(names))] == names


@given(strings, strings)
def test_equal_strings_have_equal_hashes_whatever_else_is_in_the_column(here, there):
    first, second = Text.of(here), Text.of(there)
    for row, name in enumerate(here):
        for other, candidate in enumerate(there):
            assert (first.hash[row] == second.hash[other]) == (name == candidate)


@given(strings, st.randoms(use_true_random=False))
def test_equality_is_that_of_the_bytes(names, random):
    others = names[:]
    random.shuffle(others)
    rows = np.arange(len(names))
    expected = [a == b for a, b in zip(names, others, strict=True)]
    assert Text.of(names).equal(rows, Text.of(others), rows).tolist() == expected


@given(strings)
def test_descending_is_the_order_of_the_bytes_backwards(names):
    order = Text.of(names).descending(np.zeros(len(names), dtype=np.int64))
    listed = [names[row].encode() for row in order]
    assert listed == sorted((name.encode() for name in names), reverse=True)


@given(strings, st.data())
def test_descending_stays_inside_the_groups(names, data):
    group = np.array(data.draw(st.lists(st.integers(0, 2), min_size=len(names), max_size=len(names))), dtype=np.int64)
    listed = [(int(group[row]), names[row].encode()) for row in Text.of(names).descending(group)]
    ordered = sorted(listed, key=lambda pair: pair[1], reverse=True)
    assert listed == sorted(ordered, key=lambda pair: pair[0])


@given(strings)
def test_codes_number_the_strings_by_first_appearance(names):
    distinct, code = Text.of(names).codes()
    assert distinct == list(dict.fromkeys(names))
    assert [distinct[number] for number in code] == names


@given(st.lists(st.sampled_from(["", "0", "1", "00", "ab", "ac", "é"]), max_size=4))
def test_a_constant_column_holds_one_string(names):
    assert Text.of(names).constant == (len(set(names)) < 2)


@given(strings, st.data())
def test_a_taken_column_is_the_column_of_the_taken(names, data):
    rows = data.draw(st.lists(st.integers(0, len(names) - 1), max_size=10)) if names else []
    taken = Text.of(names).take(np.array(rows, dtype=np.int64))
    assert list(taken) == [names[row] for row in rows]
    assert taken == Text.of([names[row] for row in rows])
    assert Text.concat([taken, Text.of(names)]) == Text.of([names[row] for row in rows] + names)


@given(st.lists(st.one_of(st.integers(-(2**70), 2**70).map(str), st.text(max_size=6), st.just("1" * 60)), max_size=8))
def test_integers_are_read_exactly_or_refused(texts):
    numbers, wrong = Text.of(texts).integers()
    for text, number, bad in zip(texts, numbers, wrong, strict=True):
        plain = text.isascii() and text.lstrip("+-").isdigit() and text[1:].isdigit() | (len(text) == 1)
        assert bad == (not plain or abs(int(text)) >= 2**63)
        assert number == (0 if bad else int(text))


@given(st.lists(st.one_of(st.floats().map(repr), st.text(alphabet="0123456789.eE+-_naif", max_size=8)), max_size=8))
def test_numbers_are_read_as_python_reads_them_or_refused(texts):
    numbers, wrong = Text.of(texts).numbers()
    for text, number, bad in zip(texts, numbers, wrong, strict=True):
        try:
            expected = float(text) if "_" not in text else None
        except ValueError:
            expected = None
        assert bad == (expected is None)
        if expected is not None:
            assert number == expected or (math.isnan(number) and math.isnan(expected))
