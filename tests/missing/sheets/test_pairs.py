"""Verdicts for people: words for every status, ends whose sign shows, lines that fit the screen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.missing.pairs.verdicts import Verdict
from cranfield.missing.sheets.pairs import count_notes, pair_sheet, possible, words
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.screen import Screen

EXAMPLE = (
    Verdict("hybrid", "dense", "open", None, 0.0212, -0.098, 0.089, flips=44),
    Verdict("hybrid", "bm25", "certain", "hybrid", 0.0575, 0.004, 0.123),
    Verdict("hybrid", "chargram", "certain", "hybrid", 0.1390, 0.021, 0.236),
)


def test_the_example_of_the_product():
    assert pair_sheet(EXAMPLE).text().splitlines() == [
        " pair                 Δ now  Δ possible        verdict",
        " hybrid – dense     +0.0212  [−0.098, +0.089]  open: 44 documents can reverse it",
        " hybrid – bm25      +0.0575  [+0.004, +0.123]  certain: hybrid",
        " hybrid – chargram  +0.1390  [+0.021, +0.236]  certain: hybrid",
    ]


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        (Verdict("a", "b", "certain", "a", 0.1, 0.01, 0.2, exact=False), "certain: a (outer bound)"),
        (Verdict("a", "b", "certain", "b", -0.1, -0.3, -0.2), "certain: b"),
        (Verdict("a", "b", "equal", None, 0, 0, 0), "equal, whatever is judged"),
        (Verdict("a", "b", "open", None, 0.1, -0.1, 0.2, flips=1), "open: 1 document can reverse it"),
        (Verdict("a", "b", "open", None, 0.1, 0, 0.2, flips=3), "open: 3 documents can make them equal"),
        (Verdict("a", "b", "open", None, 0.0, -0.1, 0.2, flips=1), "open: 1 document can decide it"),
        (Verdict("a", "b", "open", None, 0.1, -0.1, 0.2), "open"),
        (
            Verdict("a", "b", "unresolved", None, 0.1, -0.1, 0.2, exact=False),
            "unresolved: nothing found that reverses it",
        ),
    ],
)
def test_every_status_has_its_words(verdict, said):
    assert words(verdict) == said


@given(st.floats(1e-8, 1) | st.floats(-1, -1e-8), st.floats(-1, 1))
def test_the_sign_of_an_end_shows(low, high):
    first = possible(low, high)[1:].split(",")[0]
    number = float(first.replace("−", "-"))
    assert (number > 0) == (low > 0)
    assert number != 0


def test_an_end_at_zero_has_no_sign():
    assert possible(0.0, 0.25) == "[0.000, +0.250]"
    assert possible(-0.0, float("nan")) == "–"


@given(st.lists(st.tuples(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80)), min_size=1, max_size=5))
def test_a_table_fits_the_line_whatever_the_names(pairs):
    verdicts = [
        Verdict(a, b, status, a if status == "certain" else None, 0.1, -0.098, 0.089, exact=False, flips=12345)
        for a, b in pairs
        for status in ("open", "certain", "unresolved")
    ]
    assert max(map(width, pair_sheet(verdicts).text(Screen(100)).split("\n"))) <= 100


def test_long_names_are_whole_in_other_forms():
    name = "a-name-of-more-than-fifty-letters-that-no-terminal-can-hold"
    sheet = pair_sheet([Verdict(name, "b" * 50, "certain", name, 0.1, 0.01, 0.2)])
    assert name not in sheet.text(Screen(100))
    assert name in sheet.text()  # files are never cut
    assert name in sheet.markdown()
    assert name in sheet.csv()
    assert name in sheet.html()


def test_the_note_counts_verdicts_and_says_how_sure_the_sets_are():
    open_, sure = EXAMPLE[0], Verdict("a", "b", "open", None, 0.1, -0.1, 0.2, flips=1, smallest=True)
    assert list(count_notes(EXAMPLE)) == [
        "3 pairs: 2 certain, 1 open",
        "documents that can reverse a pair: the smallest set found; fewer may do",
    ]
    assert list(count_notes([sure])) == []
    assert list(count_notes([open_, sure]))[1].endswith("of 1 pair none is smaller")
