"""Signs of print: one minus and one way to write per cent, wherever people read."""

import re
from pathlib import Path

import pytest

import cranfield
from cranfield.tables.sheets.sheet import Column, Sheet

SOURCE = Path(cranfield.__file__).parent
TABLE = Sheet((Column("run", ["a-b"]), Column("x", [-0.0631], ".3f"), Column("judged", [0.46], ".1%")))


@pytest.mark.parametrize("form", ["text", "markdown", "html"])
def test_numbers_for_people_have_a_real_minus_and_a_blank_before_the_sign_for_per_cent(form):
    shown = getattr(TABLE, form)()
    assert "−0.063" in shown
    assert "46.0 %" in shown
    assert "a-b" in shown  # a name is no number


def test_latex_has_the_minus_of_mathematics_and_a_thin_blank():
    assert r"$-$0.063 & 46.0\,\%" in TABLE.latex()


def test_numbers_for_programs_are_plain():
    assert TABLE.csv() == "run,x,judged\r\na-b,-0.0631,0.46\r\n"
    assert TABLE.records() == [{"run": "a-b", "x": -0.0631, "judged": 0.46}]


def test_no_other_module_writes_per_cent_or_minus_in_its_own_way():
    own = re.compile(r"""\.\d%\}|replace\("-", "−"\)|replace\("%", " %""")
    places = [path for path in SOURCE.rglob("*.py") if own.search(path.read_text(encoding="utf-8"))]
    assert [path.name for path in places] == ["numerals.py"]
