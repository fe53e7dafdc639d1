"""Charts of comparisons: V2 and V3."""

import numpy as np
import pytest

from cranfield.errors import PolicyError
from cranfield.stats.comparison.compare import compare
from tests.stats.scored import draw, scored


def marks(figure):
    """The rows of the data that hold a difference each."""
    return next(rows for rows in figure.spec["datasets"].values() if "delta" in rows[0])


def test_deltas_are_sorted_and_stand_for_the_pair():
    scores = scored(draw(1))
    figure = compare(scores, baseline="run0").plot("deltas", run="run2")
    gaps = np.sort(scores["run2", "AP"] - scores["run0", "AP"])[::-1]
    assert [row["delta"] for row in marks(figure)] == pytest.approx(gaps, abs=1e-6)
    assert figure.title == "AP: run2 minus run0, topic by topic"
    assert "mean difference" in figure.description
    assert figure.to_svg().startswith("<svg")


def test_a_smaller_value_is_the_better_one_where_less_is_better():
    figure = compare(scored([[1.0, 2, 3], [5.0, 5, 8]], measures=["ESL"])).plot("deltas")
    assert {row["sign"] for row in marks(figure)} == {"better"}


def test_the_matrix_has_both_sides_of_every_pair_and_stars():
    comparison = compare(scored(draw(2, runs=5)))
    figure = comparison.plot("matrix")
    rows = marks(figure)
    assert len(rows) == 20
    assert sum(row["star"] == "*" for row in rows) == 2 * len(comparison.significant())
    assert figure.rendered(".png")[1:4] == b"PNG"


@pytest.mark.parametrize(("measure", "sign"), [("AP", 1), ("ESL", -1)])
def test_the_matrix_shows_the_sign_of_a_difference_by_place_too(measure, sign):
    """In grey: runs stand in the order of their means, so all that is better is on one side of the diagonal."""
    figure = compare(scored(draw(2, runs=5), measures=[measure])).plot("matrix")
    encoding = figure.spec["layer"][0]["encoding"]
    order = encoding["y"]["sort"]
    assert encoding["x"]["sort"] == order
    above = [row for row in marks(figure) if order.index(row["run"]) < order.index(row["baseline"])]
    assert len(above) == 10
    assert all(sign * row["delta"] >= 0 for row in above)


@pytest.mark.parametrize("adjust", ["nemenyi", "tukey"])
def test_runs_that_are_not_told_apart_are_joined(adjust):
    scores = scored(draw(3, runs=5, measures=2), measures=("AP", "RR"))
    figure = compare(scores, adjust=adjust).plot("critical-difference", measure="RR")
    best = scores.runs[scores.means[:, 1].argmax()]
    assert figure.description.split(": ")[1].startswith(best)
    assert figure.table.columns[0].values[0] == best


@pytest.mark.parametrize(("adjust", "worst"), [("nemenyi", 4.0), ("tukey", 0.9)])
def test_the_lowest_run_leads_the_diagram_where_less_is_better(adjust, worst):
    steps = np.array([[0.3], [0.1], [0.9], [0.6]]) + np.random.default_rng(0).normal(0, 0.001, (4, 9))
    figure = compare(scored(steps, runs="abcd", measures=["ESL"]), adjust=adjust).plot("critical-difference")
    assert list(figure.table.columns[0].values) == ["b", "a", "d", "c"]
    assert figure.table.columns[1].raw[-1] == pytest.approx(worst, abs=0.01)
    assert "b 1.000, a 2.000, d 3.000, c 4.000" in figure.description or adjust == "tukey"
    assert figure.to_svg().startswith("<svg")


def test_a_difference_in_percent_has_a_word():
    figure = compare(scored([[0.5, 0.7, 0.6], [0.4, 0.4, 0.4]]), baseline="run1", adjust="none").plot("deltas")
    assert "mean difference +0.2000 (+50.0 %, material), p = 0.074." in figure.description


def test_what_cannot_be_drawn_is_refused():
    comparison = compare(scored(draw(1)), baseline="run0")
    with pytest.raises(PolicyError, match="needs a procedure for all pairs"):
        comparison.plot("critical-difference")
    with pytest.raises(PolicyError, match='E213: kind="pie" is unknown'):
        comparison.plot("pie")
    with pytest.raises(PolicyError, match="'run9' was not compared"):
        comparison.plot("deltas", run="run9")


def test_names_in_charts_are_harmless():
    figure = compare(scored(draw(1, runs=2), runs=["<script>", "a\x1bb"])).plot("deltas")
    assert "<script>" not in figure.to_html()
    assert "\x1b" not in figure.to_json()
