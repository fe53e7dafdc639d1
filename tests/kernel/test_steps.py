"""Each step of the kernel by itself: numerals as Python reads them, the others as plain loops do them."""

import math
import struct
from collections import Counter
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield import kernel
from cranfield.arrays.strings import pair_key
from cranfield.kernel import NUMBER, TOPIC
from cranfield.tables.text import SPARE, Text
from tests.kernel.paths import needs_compiled

pytestmark = needs_compiled

steps: Any = kernel.steps  # the tests are skipped where there is none


def assert_read_as_python_reads_them(numerals):
    data = "".join(f"1 {numeral}\n" for numeral in numerals).encode()
    found = steps.scan(np.frombuffer(data + SPARE, np.uint8), len(data), (TOPIC, NUMBER))
    assert found is not None
    for numeral, number in zip(numerals, found[2][1].tolist(), strict=True):
        assert struct.pack("d", number) == struct.pack("d", float(numeral)), numeral


@pytest.mark.parametrize("width", range(1, 26))
def test_digits_with_a_point_at_any_place_are_rounded_as_python_rounds_them(width):
    random = Random(width)
    numerals = []
    for place in range(width + 1):
        for sign in ("", "-", "+"):
            for _ in range(20):
                digits = str(random.randrange(10**width)).zfill(width)
                numerals += [f"{sign}{digits}", f"{sign}{digits[:place]}.{digits[place:]}"]
            extremes = "0" * width, "9" * width, "1".zfill(width), "1".ljust(width, "0")
            numerals += [f"{sign}{digits[:place]}.{digits[place:]}" for digits in extremes]
    assert_read_as_python_reads_them(numerals)


@given(st.integers(0, 2**32))
def test_numerals_next_to_the_middle_of_two_numbers_are_rounded_as_python_rounds_them(seed):
    random = Random(seed)
    numerals = []
    for _ in range(100):
        low = random.randrange(2**52, 2**53) * 2.0 ** random.randrange(-120, 12)
        middle = (Fraction(low) + Fraction(math.nextafter(low, math.inf))) / 2
        for digits in (15, 16, 17, 18, 19):
            power = digits - 1 - math.floor(math.log10(low))
            below = int(middle * Fraction(10) ** power)
            numerals += [f"{below + step}e{-power}" for step in (-1, 0, 1, 2)]
    assert_read_as_python_reads_them(numerals)


@given(st.lists(st.tuples(st.integers(0, 10**20), st.integers(-60, 60), st.sampled_from(["", "-", "+"]))))
def test_digits_and_a_power_of_ten_are_rounded_as_python_rounds_them(parts):
    if parts:
        assert_read_as_python_reads_them([f"{sign}{digits}e{power}" for digits, power, sign in parts])


@pytest.mark.parametrize("wrong", [":", "/", "\x01", "\x1f", "\x7f", "é", "x", "_", ",", "..", "-.-"])
@pytest.mark.parametrize("width", [1, 7, 8, 9, 15, 16, 17, 20])
def test_digits_with_something_else_among_them_are_no_numeral(width, wrong):
    for place in range(width):
        word = "5" * place + wrong + "5" * (width - place - 1)
        for numeral in (word, f"-{word}", f"1.{word}", f"1e{word}"):
            data = f"1 {numeral}\n".encode()
            array = np.frombuffer(data + SPARE, np.uint8)
            assert steps.scan(array, len(data), (TOPIC, NUMBER)) is None, numeral


KEYS = st.sampled_from([0.0, -0.0, 1.0, 2.5, 2.5000000001, float("inf"), float("-inf"), float("nan")])
ROWS = st.lists(st.tuples(st.integers(0, 4), KEYS, st.text("abcé", max_size=10)), max_size=80)


def lists_of(rows):
    return [[i for i, row in enumerate(rows) if row[0] == topic] for topic in range(5)]


WORDS = st.one_of(st.integers(0, 2**64 - 1), st.integers(0, 3), st.integers(0, 3).map(lambda top: top << 62))


@given(st.lists(WORDS, max_size=200))
def test_keys_ascend_and_equal_ones_stay_as_they_stand(keys):
    order = steps.ascending(np.array(keys, np.uint64))
    assert order.tolist() == sorted(range(len(keys)), key=keys.__getitem__)


@given(ROWS, st.booleans())
def test_rows_are_ranked_by_topic_key_and_document(rows, by_document):
    topic, key, raw = [t for t, _, _ in rows], [k for _, k, _ in rows], [d.encode() for _, _, d in rows]
    documents = Text.of(raw)
    order, begin = steps.rank(
        np.array(topic, np.int64), 5, np.array(key, float), *(documents.flat if by_document else (None, None, None))
    )
    expected = []
    for listed in lists_of(rows):
        numbers = [row for row in listed if not math.isnan(key[row])]
        if by_document:
            numbers.sort(key=lambda row: raw[row], reverse=True)  # stable: equal documents stay as they are
        numbers.sort(key=lambda row: key[row], reverse=True)
        expected.append([*numbers, *(row for row in listed if math.isnan(key[row]))])
    assert begin.tolist() == np.cumsum([0, *map(len, expected)]).tolist()
    flat = [row for listed in expected for row in listed]
    assert (order is None) == (flat == [*range(len(rows))])
    assert order is None or order.tolist() == flat


@given(ROWS, st.integers(1, 5))
def test_ties_are_counted_as_neighbours_of_one_key(rows, cutoff):
    order, begin = steps.rank(
        np.array([t for t, _, _ in rows], np.int64), 5, np.array([k for _, k, _ in rows], float), None, None, None
    )
    key = np.array([k for _, k, _ in rows], float)
    groups = across = single = 0
    for number in range(5):
        listed = (key if order is None else key[order])[begin[number] : begin[number + 1]]
        size = Counter(score + 0.0 for score in listed.tolist() if not math.isnan(score))
        groups += sum(count > 1 for count in size.values())
        across += len(listed) > cutoff and bool(listed[cutoff - 1] == listed[cutoff])
        single += sum(bool(a != b and np.float32(a) == np.float32(b)) for a, b in pairwise(listed))
    assert steps.ties(order, begin, key, cutoff) == (groups, across, single)


CODES = st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2, 3, 2**64 - 1, 2**64 - 2, 256, 257, 512, 1 << 40])


@given(st.lists(st.lists(CODES, max_size=30), max_size=6), st.booleans(), st.randoms(use_true_random=False))
def test_a_hash_that_comes_back_in_its_list_is_seen(lists, shuffled, random):
    begin = np.cumsum([0, *map(len, lists)])
    code = np.array([c for listed in lists for c in listed], np.uint64)
    row = None
    if shuffled:
        places = [*range(len(code))]
        random.shuffle(places)
        row = np.array(places, np.int64)
        code[places] = code.copy()
    expected = any(len({c | 1 for c in listed}) < len(listed) for listed in lists)
    assert steps.repeats(row, begin, code) == expected


NAMES = st.text("ab", min_size=1, max_size=4) | st.sampled_from(["d" * 8, "d" * 9, "e" * 64, "é"])
PAIRS = st.lists(st.tuples(st.integers(0, 3), NAMES), max_size=40)


@given(PAIRS, st.lists(st.lists(NAMES, max_size=20), max_size=5), st.data())
def test_what_is_judged_is_found_where_it_stands(pairs, lists, data):
    pairs = [*dict.fromkeys(pairs)]
    topic_of = data.draw(st.lists(st.integers(-1, 3), min_size=len(lists), max_size=len(lists)))
    judged, listed = Text.of([d for _, d in pairs]), Text.of([d for one in lists for d in one])
    topic = np.array([t for t, _ in pairs], np.int64)
    key = pair_key(topic, judged.hash)
    begin = np.cumsum([0, *map(len, lists)])
    order = data.draw(st.none() | st.permutations(range(len(listed))))
    row = None if order is None else np.array(order, np.int64)
    code = listed.hash
    found = steps.find(
        *steps.table(key, topic, 4, judged.start),
        *(judged.buffer, judged.length),
        *(row, begin, np.array(topic_of, np.int64), code, *listed.flat),
    )
    names = [*listed] if order is None else [listed[i] for i in order]
    expected = [
        (i, i - begin[number] + 1, pairs.index((topic_of[number], names[i])))
        for number in range(len(lists))
        for i in range(begin[number], begin[number + 1])
        if (topic_of[number], names[i]) in pairs
    ]
    assert [*zip(*(column.tolist() for column in found), strict=True)] == expected


def test_documents_of_one_key_are_told_apart_by_their_bytes():
    judged, listed = Text.of(["a"]), Text.of(["b", "a"])
    code = np.array([7, 7], np.uint64)
    slots = steps.table(code[:1], np.zeros(1, np.int64), 1, judged.start)
    lists = None, np.array([0, 2]), np.zeros(1, np.int64), code, *listed.flat
    found = steps.find(*slots, judged.buffer, judged.length, *lists)
    assert [column.tolist() for column in found] == [[1], [2], [0]]
