"""Sheets in every form (EXP-1 … EXP-5): what a person or a program reads back is what was in the result."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cranfield.tables.sheets.escape import code_span, latex, spreadsheet, width
from cranfield.tables.sheets.marked import Signed
from cranfield.tables.sheets.sheet import Column, Sheet

AWKWARD = "50% & x_1"


def sheet(*names: str) -> Sheet:
    """Runs with means 1/3, 2/3, … and no judged share in the last row."""
    count = len(names)
    return Sheet(
        (
            Column("run", names),
            Column("AP", np.arange(1, count + 1) / 3, ".4f", best=True),
            Column("judged@10", [0.98] * (count - 1) + [float("nan")], ".1%"),
        ),
        notes=("40 topics in the mean", "ties=trec"),
    )


def test_text_has_the_layout_of_the_manual():
    table = Sheet(
        (
            Column("run", ["bm25", "chargram"]),
            Column("nDCG@10", [0.41173, 0.33021], ".4f"),
            Column("AP", [0.29312, 0.22401], ".4f"),
            Column("RBP(p=0.8)", [0.33781, 0.27191], ".4f"),
            Column("judged@10", [0.98, 0.648], ".1%"),
        ),
        notes=("40 topics in the mean",),
    )
    assert table.text() == (
        " run        nDCG@10      AP   RBP(p=0.8)   judged@10\n"
        " bm25        0.4117  0.2931       0.3378      98.0 %\n"
        " chargram    0.3302  0.2240       0.2719      64.8 %\n"
        "\n"
        " 40 topics in the mean"
    )


def test_text_without_notes_ends_with_the_table():
    assert Sheet((Column("run", ["a"]),)).text() == " run\n a"


def test_text_shows_undefined_as_a_dash():
    assert sheet("a").text().splitlines()[1].split() == ["a", "0.3333", "–"]


def test_text_aligns_wide_and_combining_characters():
    lines = sheet("検索", "e\u0301tude", "plain").text().splitlines()[:4]
    assert len({width(line) for line in lines}) == 1
    assert lines[1].startswith(" 検索   0.3333")  # four columns of text, two blanks, and one more up to "plain"


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_no_form_for_people_lets_control_or_bidi_characters_through(form):
    table = sheet("a\x1b[31m\u202eb\x07")
    assert not set("\x1b\u202e\x07") & set(getattr(table, form)())


def test_text_keeps_a_name_with_a_line_end_on_one_line():
    assert len(sheet("a\nb").text().splitlines()) == len(sheet("ab").text().splitlines())


@given(st.lists(st.text(min_size=1), min_size=1, max_size=4))
def test_text_has_one_line_per_row_whatever_the_names(names):
    assert len(sheet(*names).text().splitlines()) == len(names) + 4


def test_markdown_is_a_github_table():
    assert sheet("bm25", AWKWARD).markdown() == (
        "| run | AP | judged@10 |\n| :--- | ---: | ---: |\n"
        "| `bm25` | 0.3333 | 98.0 % |\n| `50% & x_1` | 0.6667 | – |\n"
        "\n40 topics in the mean  \nties=trec"
    )


@given(st.text(alphabet="ab|`*_[]<>\\@#\n~ ", min_size=1))
def test_a_markdown_row_has_as_many_cells_as_columns(name):
    row = sheet(name).markdown().splitlines()[2]
    assert len(re.findall(r"(?<!\\)\|", row)) == 4


@given(st.text(alphabet="ab`", min_size=1))
def test_a_code_span_ends_where_the_name_ends(name):
    span = code_span(name)
    fence = re.findall("^`+", span)[0]
    inside = span[len(fence) : -len(fence)]
    assert fence not in re.findall("`+", inside)
    assert inside.strip(" ") == name


def test_markdown_escapes_headers():
    assert "a\\_b\\|c" in Sheet((Column("a_b|c", [1]),)).markdown()


def test_latex_has_rules_caption_and_label():
    text = sheet("bm25", AWKWARD).latex()
    for part in (r"\toprule", r"\midrule", r"\bottomrule", r"\label{tab:scores}", r"\begin{tabular}{lrr}"):
        assert part in text
    assert r"\caption{40 topics in the mean ties=trec}" in text
    assert r"50\% \& x\_1 & \textbf{0.6667} & -- \\" in text
    assert r"98.0\,\%" in text


def test_latex_takes_caption_and_label_of_the_sheet():
    text = Sheet((Column("run", ["a"]),), notes=("x",), caption="Means_of", label="tab:own").latex()
    assert r"\caption{Means\_of}" in text
    assert r"\label{tab:own}" in text


def test_latex_makes_every_tied_best_bold():
    table = Sheet((Column("run", ["a", "b", "c"]), Column("AP", [0.50001, 0.50002, 0.4], ".4f", best=True)))
    assert table.latex().count(r"\textbf{0.5000}") == 2
    assert r"\textbf{0.4" not in table.latex()


def test_latex_bold_is_only_for_columns_that_ask():
    assert r"\textbf" not in Sheet((Column("AP", [0.5], ".4f"),)).latex()


@pytest.mark.parametrize("character", "\\&%$#_{}~^<>|\"'`[")
def test_no_special_character_reaches_tex_bare(character):
    assert latex(character) != character


@given(st.text(alphabet="\\&%$#_{}~^<>|\"'`[]ab "))
def test_escaped_latex_has_balanced_braces_and_no_bare_specials(text):
    plain = re.sub(r"\\[&%$#_{}]", "", latex(text))
    assert plain.count("{") == plain.count("}")
    assert not set(plain) & set("&%$#_~^<>|\"'`")


def test_csv_keeps_full_precision_and_leaves_undefined_empty():
    rows = list(csv.reader(io.StringIO(sheet("bm25", AWKWARD).csv(), newline="")))
    assert rows == [["run", "AP", "judged@10"], ["bm25", repr(1 / 3), "0.98"], [AWKWARD, repr(2 / 3), ""]]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "＝1"])
def test_csv_is_safe_for_spreadsheets_unless_plain(name):
    safe, plain = (next(iter(list(csv.reader(io.StringIO(text, newline="")))[1:]))[0] for text in both(name))
    assert safe == "'" + name
    assert plain == name


def both(name: str) -> tuple[str, str]:
    return sheet(name).csv(), sheet(name).csv(plain=True)


def test_csv_leaves_negative_numbers_alone():
    assert Sheet((Column("d", [-0.5]),)).csv() == "d\r\n-0.5\r\n"


@given(st.lists(st.text(min_size=1, alphabet=st.characters(codec="utf-8", exclude_characters="\0")), min_size=1))
def test_plain_csv_reads_back(names):
    rows = list(csv.reader(io.StringIO(sheet(*names).csv(plain=True), newline="")))
    assert [row[0] for row in rows[1:]] == names


def test_spreadsheet_safety_touches_nothing_else():
    assert spreadsheet("a=b") == "a=b"


def test_tsv_has_one_line_per_row():
    text = sheet("a\tb\nc", AWKWARD).tsv()
    assert [line.split("\t") for line in text.splitlines()] == [
        ["run", "AP", "judged@10"],
        ["a\\tb\\nc", repr(1 / 3), "0.98"],
        [AWKWARD, repr(2 / 3), ""],
    ]


def test_jsonl_has_one_object_per_row_and_null_for_undefined():
    rows = [json.loads(line) for line in sheet("bm25", AWKWARD).jsonl().splitlines()]
    assert rows[1] == {"run": AWKWARD, "AP": 2 / 3, "judged@10": None}


def test_jsonl_has_no_number_that_json_lacks():
    assert json.loads(Sheet((Column("x", [float("inf")]),)).jsonl(), parse_constant=pytest.fail) == {"x": None}


class Cells(HTMLParser):
    """Collects the text of every cell."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.tags: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data):
        if self.cells:
            self.cells[-1] += data


def test_html_escapes_names():
    page = Cells(sheet("<script>alert(1)</script>", AWKWARD).html())
    assert "script" not in page.tags
    assert page.cells[3] == "<script>alert(1)</script>"
    assert page.cells[6].strip() == AWKWARD


def test_html_is_well_formed():
    assert ET.fromstring(f"<div>{sheet(AWKWARD).html().replace('<br>', '<br/>')}</div>").find("table") is not None


def test_parquet_reads_back():
    frame = polars.read_parquet(io.BytesIO(sheet("bm25", AWKWARD).parquet()))
    assert frame.to_dicts()[1] == {"run": AWKWARD, "AP": 2 / 3, "judged@10": None}


def test_whole_numbers_stay_whole():
    table = Sheet((Column("NumRet", np.array([3, 1200])),))
    assert table.csv() == "NumRet\r\n3\r\n1200\r\n"


def test_columns_of_unequal_length_are_a_mistake():
    with pytest.raises(ValueError, match="zip"):
        Sheet((Column("a", [1]), Column("b", [1, 2]))).text()


def test_programs_get_the_parts_of_a_column_that_is_worded_for_people():
    parts = (Column("low", [0.25]), Column("high", [0.75]))
    table = Sheet((Column("run", ["a"]), Column("95 % CI", ["[0.250, 0.750]"], parts=parts)))
    assert "[0.250, 0.750]" in table.text()
    assert table.csv() == "run,low,high\r\na,0.25,0.75\r\n"
    assert table.tsv() == "run\tlow\thigh\na\t0.25\t0.75\n"
    assert json.loads(table.jsonl()) == {"run": "a", "low": 0.25, "high": 0.75}
    assert polars.read_parquet(io.BytesIO(table.parquet())).columns == ["run", "low", "high"]


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html", "csv", "tsv", "jsonl"])
def test_a_column_is_looked_through_a_few_times_however_long_it_is(form):
    class Watched(list[float]):
        times = 0

        def __iter__(self):
            self.times += 1
            return super().__iter__()

    values = Watched([0.5] * 40)
    getattr(Sheet((Column("AP", values, ".4f", best=True),)), form)()
    assert 0 < values.times <= 8


def test_a_formula_is_guarded_in_columns_separated_by_tabs_too():
    table = sheet("=1+1", AWKWARD)
    assert "'=1+1" in table.tsv()
    assert "'=1+1" not in table.tsv(plain=True)


def test_columns_of_arrays_are_equal_if_their_values_are():
    column = Column("AP", np.array([0.5, np.nan]), ".4f")
    assert column == Column("AP", np.array([0.5, np.nan]), ".4f")
    assert column != Column("AP", np.array([0.5, 0.5]), ".4f")
    assert column != Signed("AP", np.array([0.5, np.nan]), ".4f")
