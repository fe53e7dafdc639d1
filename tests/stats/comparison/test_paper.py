"""The table of a paper: all runs and measures, with stars against a baseline or letters for beaten runs (EXP-1)."""

import numpy as np
import pytest

import cranfield as cf

TOPICS = [f"q{n}" for n in range(20)]
QRELS = {topic: {"a": 1, "b": 0, "c": 0} for topic in TOPICS}
ORDERS = {"best": "abc", "middle": "bac", "worst": "cba"}


@pytest.fixture(scope="module")
def runs():
    rng = np.random.default_rng(3)  # a few topics differ, so that the tests have some variance
    return {
        name: {topic: list(order if rng.random() > 0.2 else "bac") for topic in TOPICS}
        for name, order in ORDERS.items()
    }


def compared(runs, **choices):
    return cf.compare(QRELS, runs, ["RR", "ESL"], **choices)


def test_stars_mark_what_differs_from_the_baseline(runs):
    latex = compared(runs, baseline="middle").to_latex(paper=True)
    rows = [line for line in latex.splitlines() if line.startswith(tuple(ORDERS))]
    assert [row.split(" & ")[0] for row in rows] == ["middle", "best", "worst"]  # the baseline first
    assert "*" not in rows[0]
    assert all(r"\textsuperscript{*" in row for row in rows[1:])
    assert rows[1].count(r"\textbf{") == 2  # of ESL less is better
    assert latex.count(r"\begin{table}") == 1
    assert "* differs significantly from middle: corrected p" in latex
    assert "Holm over 2 comparisons" in latex


def test_letters_name_the_beaten_runs(runs):
    markdown = compared(runs).to_markdown(paper=True)
    best = next(line for line in markdown.splitlines() if "`best`" in line)
    assert best.startswith("| `a` | `best` | **")
    assert "**<sup>bc</sup>" in best
    assert "letters name the runs that a run is significantly better than" in markdown


def test_of_several_baselines_letters_name_those_only(runs):
    sheet = compared(runs, baseline=["middle", "worst"]).paper_sheet()
    assert list(sheet.columns[0].values) == ["a", "b", ""]
    assert sheet.columns[2].cells[2].endswith(" ab")
    assert "letters name the baselines that" in sheet.caption
    assert "<sup>ab</sup>" in sheet.html()


def test_the_many_runs_of_a_paper_get_letters_beyond_z():
    rng = np.random.default_rng(0)
    runs = {f"r{n:02}": {topic: list(rng.permutation(list("abc"))) for topic in TOPICS} for n in range(30)}
    sheet = cf.compare(QRELS, runs, "RR", test="t", adjust="none").paper_sheet()
    assert list(sheet.columns[0].values)[24:29] == ["y", "z", "aa", "ab", "ac"]
