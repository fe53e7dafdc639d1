"""Every line of the contract of the judging room that has an id is named by a test: in its name, or where it stands."""

import re
from pathlib import Path

import pytest

HERE = Path(__file__)
IDS = (
    *(f"APP-{number}" for number in (1, 2, 3, 4, 5, 6, 7, 10)),
    *(f"BLD-{number}" for number in range(1, 5)),
    *(f"MUL-{number}" for number in range(1, 7)),
    "GUI-1",
    *(f"DOC-{number}" for number in range(1, 4)),
    *(f"A11Y-{number}" for number in range(1, 7)),
    *(f"SEC-{number}" for number in range(1, 18)),
    *(f"REL-{number}" for number in range(1, 15)),
)
TESTS = "\n".join(
    path.read_text(encoding="utf-8") for path in sorted(HERE.parents[1].rglob("test_*.py")) if path != HERE
)


@pytest.mark.parametrize("line", IDS)
def test_a_test_names_the_line(line):
    name = line.lower().replace("-", "_")
    assert re.search(rf"def test_\w*{name}(_|\()|\b{line}\b", TESTS), f"no test names {line}"
