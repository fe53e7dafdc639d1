"""The nearest name to a misspelt one: one function finds it, whatever was misspelt."""

import re
from pathlib import Path

import pytest

import cranfield
from cranfield.errors.names import nearest

ROOT = Path(cranfield.__file__).parent


@pytest.mark.parametrize(
    ("name", "near"), [("bm52", "BM25"), ("BM25", "BM25"), ("dens", "dense"), ("hybrid", None), ("", None)]
)
def test_the_nearest_name_is_found_in_any_letter_case(name, near):
    assert nearest(name, ["BM25", "bm25", "dense"]) == near


def test_only_the_first_of_very_many_names_are_compared():
    names = (f"{n:06}x" for n in range(10**9))
    assert nearest("000007y", names) == "000007x"


def test_no_other_module_looks_for_names_on_its_own():
    places = [
        path for path in ROOT.rglob("*.py") if re.search(r"(import|from) difflib", path.read_text(encoding="utf-8"))
    ]
    assert [path.relative_to(ROOT).as_posix() for path in places] == ["errors/names.py"]
