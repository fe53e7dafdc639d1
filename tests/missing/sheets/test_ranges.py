"""Ranges for people: the numbers of the product's example, pictures to scale, lines that fit the screen."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.missing.sheets.ranges import PossibleRange, range_sheet
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.names import shortened
from cranfield.tables.sheets.screen import Screen

EXAMPLE = (
    PossibleRange("bm25", 0.3702, 0.4117, 0.4139, 0.4168),
    PossibleRange("chargram", 0.2510, 0.3302, 0.3790, 0.4520),
    PossibleRange("dense", 0.3440, 0.4480, 0.5022, 0.5544),
    PossibleRange("hybrid", 0.4205, 0.4692, 0.4860, 0.5237),
)


def test_the_example_of_the_product():
    assert range_sheet("nDCG@10", EXAMPLE).text().splitlines() == [
        " nDCG@10    lowest   as judged   condensed   highest  0.25                                0.56",
        " bm25       0.3702      0.4117      0.4139    0.4168                 ├────●┤",
        " chargram   0.2510      0.3302      0.3790    0.4520  ├─────────●──────────────┤",
        " dense      0.3440      0.4480      0.5022    0.5544              ├────────────●────────────┤",
        " hybrid     0.4205      0.4692      0.4860    0.5237                       ├──────●─────┤",
    ]


ends = st.floats(-5, 5) | st.sampled_from([0.0, 1.0, 0.5])


@given(
    st.lists(st.tuples(st.text(min_size=1, max_size=120), ends, ends, ends, ends), min_size=1, max_size=5),
    st.text(max_size=90),
)
def test_a_table_fits_the_line_whatever_the_names(rows, measure):
    ranges = [PossibleRange(name, min(a, b), a, c, max(a, b, d)) for name, a, b, c, d in rows]
    for columns in (60, 100):
        text = range_sheet(measure, ranges).text(Screen(columns))
        assert max(map(width, text.split("\n"))) <= columns


@given(st.tuples(*[st.floats(0, 1)] * 6).map(sorted))
def test_the_picture_is_to_scale(values):
    low, now, high = values[0], values[2], values[4]
    rows = [PossibleRange("a", low, now, now, high), PossibleRange("b", *[values[1]] * 4)]
    first = range_sheet("P@10", rows).text().splitlines()[1]
    if high - low > 0.1:
        picture = first[first.index("├") :] if "├" in first else first[first.index("●") :]
        dot, end = picture.index("●"), len(picture) - 1
        assert abs(dot / end - (now - low) / (high - low)) <= 1.1 / end


def test_a_range_of_one_value_is_a_dot():
    assert range_sheet("P@10", [PossibleRange("r", 0.5, 0.5, 0.5, 0.5)]).text().splitlines() == [
        " P@10   lowest   as judged   condensed   highest  0.5000",
        " r      0.5000      0.5000      0.5000    0.5000  ●",
    ]


def test_an_undefined_range_has_no_picture():
    lines = range_sheet("P@10", [PossibleRange("r", *(math.nan,) * 4), PossibleRange("s", 0, 0.5, 0.5, 1)]).text()
    assert lines.splitlines()[1].split() == ["r", "–", "–", "–", "–"]


@pytest.mark.parametrize(("condensed", "mark"), [(0.8167, True), (0.8135, False), (0.7, True), (math.nan, False)])
def test_a_condensed_score_that_cannot_be_is_marked(condensed, mark):
    row = PossibleRange("r", 0.7321, 0.75, condensed, 0.8135)
    assert row.infeasible is mark
    assert ("†" in range_sheet("AP", [row]).text()) is mark


def test_only_a_terminal_gets_a_picture():
    sheet = range_sheet("nDCG@10", EXAMPLE)
    for form in (sheet.markdown(), sheet.latex(), sheet.html(), sheet.csv()):
        assert "●" not in form
        assert "0.3702" in form


@given(st.lists(st.text(max_size=30), max_size=6), st.integers(8, 40))
def test_shortened_names_fit_and_stay_different(names, room):
    found = shortened(names, room)
    assert set(found) == set(names)
    assert len(set(found.values())) == len(found)
    assert all(width(label) <= room for label in found.values())
