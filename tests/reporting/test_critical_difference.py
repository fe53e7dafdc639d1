"""The critical-difference diagram shows the runs in order and joins those that are not told apart."""

from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from cranfield.errors import PolicyError
from cranfield.reporting.charts.comparisons.critical_difference import critical_difference, letters
from cranfield.stats.several.friedman import nemenyi
from cranfield.stats.several.posthoc import POSTHOC
from cranfield.stats.several.tukey import tukey
from tests.stats.worked import X

SVG = "{http://www.w3.org/2000/svg}"


def texts_of(figure):
    return [element.text or "" for element in ElementTree.fromstring(figure.to_svg()).iter(f"{SVG}text")]


def layers_of(figure, **wanted):
    spec = figure.spec
    found = [layer["data"]["name"] for layer in spec["layer"] if wanted.items() <= layer["mark"].items()]
    return [row for name in found for row in spec["datasets"][name]]


def test_the_worked_example_is_drawn_with_two_bars():
    figure = critical_difference(nemenyi(X), "ABCD", measure="AP")
    assert {"A", "B", "C", "D", "CD = 1.915", "mean rank (1 = best) of AP"} <= set(texts_of(figure))
    bars = sorted(
        (round(max(row["x"], row["x2"]), 1), round(min(row["x"], row["x2"]), 1))
        for row in layers_of(figure, strokeWidth=3)
    )
    assert bars == [(2.7, 1.3), (3.7, 2.3)]  # D C B and C B A, each with a little overhang
    assert "Not told apart: D, C, B; C, B, A." in figure.description
    assert letters(nemenyi(X)) == ["b", "ab", "ab", "a"]


@pytest.mark.parametrize("name", list(POSTHOC))
def test_every_procedure_is_drawn_with_the_best_at_the_right(name):
    scores = np.random.default_rng(1).random((5, 30)) + np.arange(5)[:, None] / 5
    figure = critical_difference(POSTHOC[name](scores, samples=200), [f"run{n}" for n in range(5)])
    right = [row["text"] for row in layers_of(figure, type="text", align="left")]
    left = [row["text"] for row in layers_of(figure, type="text", align="right")]
    assert right[1:] == ["run4", "run3"]  # after the words beside the ruler
    assert left == ["run0", "run1", "run2"]
    assert figure.description.index("run4") < figure.description.index("run0")
    assert [column.name for column in figure.table.columns][::2] == ["run", "group"]


def test_bars_on_one_line_keep_a_distance():
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 0.02, (40, 50)) + np.arange(40)[:, None] * 0.01
    figure = critical_difference(tukey(scores), [f"r{n}" for n in range(40)])
    bars = layers_of(figure, strokeWidth=3)
    assert len(bars) > 10
    for line in {bar["y"] for bar in bars}:
        ends = sorted((bar["x"], bar["x2"]) for bar in bars if bar["y"] == line)
        assert all(after[0] > before[1] for before, after in pairwise(ends))


def test_runs_that_are_all_told_apart_have_no_bar():
    scores = np.random.default_rng(3).random((3, 20)) / 100 + np.arange(3)[:, None]
    figure = critical_difference(tukey(scores), ["a", "b", "c"], width="two", title="All")
    assert not layers_of(figure, strokeWidth=3)
    assert figure.description.endswith("All are told apart.")
    assert figure.title == "All"


def test_identical_runs_and_strange_names_are_drawn():
    scores = np.tile([0.1, 0.5, 0.2], (3, 1))
    for name in POSTHOC:
        figure = critical_difference(POSTHOC[name](scores), ["<b>&", "x" * 200, "\x1b[31m"])
        assert any("<b>&" in text for text in texts_of(figure))
        assert "\x1b" not in figure.to_svg()


def test_letters_go_on_after_z():
    scores = np.random.default_rng(4).normal(0, 0.001, (30, 20)) + np.arange(30)[:, None]
    found = letters(tukey(scores))
    assert found[-1] == "a"
    assert found[:5] == ["ad", "ac", "ab", "aa", "z"]


def test_names_and_runs_must_agree_in_number():
    with pytest.raises(PolicyError, match="2 names for 4 runs"):
        critical_difference(nemenyi(X), ["a", "b"])
