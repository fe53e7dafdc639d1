"""The pages of the five jobs explain every heading, and every label, of the tables that they show."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.examples import blocks

JOBS = sorted((Path(__file__).parent.parent / "docs/jobs").glob("*.md"))
RUNS = {"bm25", "ql", "tuned", "new"}  # of the examples
NUMBER = re.compile(r"^[\[+−–]?[\d.,]+( %)?.*$|^[–├●].*$")
VALUE = re.compile(r"(: .*| [−+<]?\d[\d/.]*( %)?)$")
SENTENCE = 50  # characters: longer cells are sentences, which explain themselves


def cells(line: str) -> list[str]:
    """The cells of a printed row: two blanks or more stand between them."""
    return re.split(r" {2,}", line.strip())


def tables(output: str) -> Iterator[list[list[str]]]:
    """The tables of an output: lines next to each other that have cells."""
    rows: list[list[str]] = []
    for line in [*output.splitlines(), ""]:
        if len(cells(line)) > 1:
            rows.append(cells(line))
        elif rows:
            yield rows
            rows = []


def headings(output: str) -> set[str]:
    """What a reader must be told: headings of columns; where there are none, the labels of rows."""
    found: set[str] = set()
    for rows in tables(output):
        if rows[0][0] in {
            *RUNS,
            "passed",
            "FAILED",
        }:  # a line for each run, or each condition: name and value in a cell
            labels = [VALUE.sub("", cell) for row in rows for cell in row]
        elif all(NUMBER.match(cell) for cell in rows[0][1:]):
            labels = [cell for row in rows for cell in row]
        else:
            labels = rows[0]
        found |= {label for label in labels if len(label) < SENTENCE and not NUMBER.match(label)}
    return {label for label in found if label not in RUNS and not re.match(r"^ann \d$", label)}


def shown(page: str) -> Iterator[str]:
    """What the commands of a page print."""
    for block in blocks(page):
        if block.language == "console":
            yield from re.split(r"^\$ .*$", block.body, flags=re.MULTILINE)


def explained(page: str) -> set[str]:
    """What stands as code in the first column of a table of the page."""
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    return {code for row in rows for code in re.findall(r"`([^`]+)`", row)}


def test_there_are_five_jobs():
    assert len(JOBS) == 5


@pytest.mark.parametrize("path", JOBS, ids=lambda path: path.stem)
def test_every_heading_that_is_printed_is_explained(path):
    page = path.read_text(encoding="utf-8")
    wanted = set().union(*map(headings, shown(page)))
    said = explained(page)
    assert len(wanted) >= 5, "the page shows tables"
    missing = {
        label for label in wanted if label not in said and not any(label.startswith(s) for s in said if " " in s)
    }
    assert missing == set()


@pytest.mark.parametrize("path", JOBS, ids=lambda path: path.stem)
def test_every_number_says_what_it_means_and_where_to_read_on(path):
    rows = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert all(len(cell.strip()) > 0 for row in rows for cell in row.strip("|").split("|"))


def test_a_heading_without_explanation_is_found():
    assert headings(" run   AP   judged\n a     0.5   20 %\n") == {"run", "AP", "judged"}
    assert headings(" raw agreement   72.7 %   [1, 2]\n Cohen κ   0.5   [0.1, 0.2]\n") == {"raw agreement", "Cohen κ"}
    assert headings(" ql   nDCG@10 0.7089   Δ −0.0600   p 0.38\n") == {"nDCG@10", "Δ", "p"}
