"""Numbers as the C library reads them, with the C library as witness where there is one."""

import ctypes
import math
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cranfield.compat.trec_eval.numerals import real, whole

PIECES = [
    "1",
    "0",
    "25",
    "-",
    "+",
    ".",
    "e",
    "E",
    "x",
    "0x1f",
    "p",
    "p3",
    "inf",
    "INFINITY",
    "nan",
    "_",
    ",",
    "abc",
    " ",
]
texts = st.lists(st.sampled_from(PIECES), max_size=6).map("".join)


@pytest.fixture(scope="module")
def c_library():
    if not sys.platform.startswith("linux"):
        pytest.skip("the witness is the C library of Linux")
    library = ctypes.CDLL(None)
    library.atof.restype, library.atof.argtypes = ctypes.c_double, [ctypes.c_char_p]
    library.atol.restype, library.atol.argtypes = ctypes.c_long, [ctypes.c_char_p]
    return library


@given(texts)
@example("0x.8")
@example("0x1p-2z")
@example("1e+")
@example("-.5.5")
@example("1e400")
@example("nan(7)")
@example("infinit")
@example("-0")
def test_real_numbers_are_those_of_c(c_library, text):
    expected, found = c_library.atof(text.encode()), real(text.encode())
    assert found == expected or (math.isnan(found) and math.isnan(expected))
    assert math.isnan(found) or math.copysign(1, found) == math.copysign(1, expected)


@given(texts)
@example("9223372036854775808")
@example("-9223372036854775809")
@example("2.9")
@example(" 12")
def test_whole_numbers_are_those_of_c(c_library, text):
    assert whole(text.encode()) == c_library.atol(text.encode())


def test_a_number_of_many_thousand_digits_is_the_largest_one():
    assert whole(b"9" * 5000) == 2**63 - 1
