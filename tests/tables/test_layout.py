"""Tables fit the screen: columns go below, names and texts are shortened, and a note says what is not there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.tables.sheets.blocks import SheetBlocks, TitledSheet
from cranfield.tables.sheets.column import Column
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.marked import Lowest
from cranfield.tables.sheets.screen import PAPER, Screen
from cranfield.tables.sheets.sheet import Sheet

NAMES = st.text(max_size=60)
NUMBERS = st.floats(-99, 99) | st.none()


@st.composite
def sheets(draw):
    rows = draw(st.integers(1, 4))
    texts = [
        Column(draw(NAMES), draw(st.lists(NAMES, min_size=rows, max_size=rows))) for _ in range(draw(st.integers(1, 3)))
    ]
    numbers = [
        Column(draw(NAMES), draw(st.lists(NUMBERS, min_size=rows, max_size=rows)), ".4f", attached=draw(st.booleans()))
        for _ in range(draw(st.integers(0, 6)))
    ]
    return Sheet(
        (*texts[:2], *numbers, *texts[2:]), notes=tuple(draw(st.lists(st.just("a b") | st.just("word " * 30))))
    )


@given(sheets(), st.sampled_from([40, 60, 80, 120]))
def test_no_line_is_wider_than_the_screen(sheet, columns):
    assert max(map(width, sheet.text(Screen(columns)).split("\n"))) <= columns


def wide(rows=2):
    names = [f"run{row}" for row in range(rows)]
    return Sheet(
        (Column("run", names), *(Column(f"measure {n}", [0.1 * n] * rows, ".4f") for n in range(6))), ("foot",)
    )


def test_what_has_no_room_stands_in_a_table_below_with_the_names_again():
    first, second, foot = wide().text(Screen(60)).split("\n\n")
    assert first.split()[0] == second.split()[0] == "run"
    assert [f"measure {n}" in first + second for n in range(6)] == [True] * 6
    assert foot == " foot"


def test_of_a_long_table_the_note_names_the_columns_that_have_no_room():
    text = wide(rows=41).text(Screen(60))
    assert text.count(" run40 ") == 1
    assert text.endswith("\n no room for measure 4, measure 5: widen the terminal, or\n   write a file\n foot")


def test_paper_has_room_for_all():
    sheet = Sheet((Column("run", ["x" * 300]), Column("AP", [0.5], ".4f")), ("note " * 90,))
    assert sheet.text(PAPER).splitlines()[1] == f" {'x' * 300}  0.5000"
    assert len(sheet.text().splitlines()) == 4


def test_an_interval_stays_beside_its_mean():
    columns = [Column("run", ["a"])]
    for name in ("nDCG@10", "AP", "RR"):
        columns += [Column(name, [0.5], ".4f"), Column("95 % CI", ["[0.400, 0.600]"], attached=True)]
    parts = Sheet(tuple(columns)).text(Screen(60)).split("\n\n")
    assert [part.splitlines()[0].split() for part in parts] == [
        ["run", "nDCG@10", "95", "%", "CI", "AP", "95", "%", "CI"],
        ["run", "RR", "95", "%", "CI"],
    ]


def test_every_best_value_is_bold_where_letters_can_be():
    sheet = Sheet((Column("run", ["a", "b", "c"]), Lowest("ESL", [2.0, 1.0, 1.0], ".1f", best=True)))
    assert sheet.text(Screen(80, bold=True)).splitlines()[1:] == [
        " a     2.0",
        " b     \x1b[1m1.0\x1b[22m",
        " c     \x1b[1m1.0\x1b[22m",
    ]
    assert "\x1b" not in sheet.text(Screen(80))
    assert sheet.html().count("<strong>1.0</strong>") == 2


def test_a_single_run_is_not_the_best():
    assert "strong" not in Sheet((Column("run", ["a"]), Column("AP", [0.5], ".4f", best=True))).html()


def test_titles_and_notes_go_on_in_the_next_line_and_commands_behind_a_backslash():
    command = "next: cranfield holes qrels.txt runs/*.run -m nDCG@10 --next 20 --universe runs:100"
    block = TitledSheet(
        (Column("run", ["a"]),), title="nDCG@10 · 40 topics · paired t, two-sided · Holm over 3 comparisons"
    )
    lines = SheetBlocks(block.columns, (command,), blocks=(block,)).text(Screen(60)).splitlines()
    assert lines[:2] == [" nDCG@10 · 40 topics · paired t, two-sided · Holm over 3", "   comparisons"]
    assert lines[-2:] == [
        " next: cranfield holes qrels.txt runs/*.run -m nDCG@10 \\",
        "   --next 20 --universe runs:100",
    ]


def test_a_low_share_of_judged_documents_has_a_dashed_frame_in_html():
    qrels, runs = {"q1": {"d1": 1, "d2": 0}}, {"all": {"q1": ["d1", "d2"]}, "half": {"q1": ["d1", "d9"]}}
    with pytest.warns(cf.DataWarning, match="50.0 % of the first 2"):
        html = cf.evaluate(qrels, runs, ["P@2", "P'@2"])._repr_html_()
    assert html.count("border:1px dashed") == 2  # judged, and dropped from the condensed list
    assert ">50.0 %</span>" in html
    assert ">100.0 %</td>" in html
