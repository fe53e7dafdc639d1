"""The charts of possible ranges, and of what to judge next."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.reporting.figure import Figure

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
QRELS = {"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0}, "3": {"a": 1}}
RUNS = {
    "low": {"1": ["b", "x"], "2": ["d", "c"], "3": ["y", "a"]},
    "best": {"1": ["a", "x"], "2": ["c", "z"], "3": ["a", "u"]},
}


def rows(figure):
    data = figure.spec["data"]
    return data["values"] if "values" in data else figure.spec["datasets"][data["name"]]


def test_a_row_has_the_range_the_interval_and_the_score_best_run_first():
    holes = cf.holes(QRELS, RUNS, "P@2")
    found = rows(figure := holes.plot("ranges"))
    intervals = cf.with_intervals(holes.scores, "t").intervals
    assert [row["run"] for row in found] == ["best", "low"]
    for row in found:
        bounds = holes.bounds().row(by_predicate=None, index=holes.runs.index(row["run"]), named=True)
        assert row["score"] == pytest.approx(bounds["as_judged"], abs=1e-5)
        assert row["highest"] == pytest.approx(bounds["highest"], abs=1e-5)
        assert row["lowest"] == pytest.approx(bounds["lowest"], abs=1e-5)
        assert intervals is not None
        below = intervals[holes.runs.index(row["run"]), 0, 0]
        assert row["ci_low"] == pytest.approx(below, abs=1e-5)
    assert [layer["mark"]["type"] for layer in figure.spec["layer"]] == ["bar", "rule", "point", "point"]


def test_the_chart_of_ranges_is_described_and_has_its_table():
    figure = cf.holes(QRELS, RUNS, ["AP", "P@2"]).plot("ranges", measure="P@2", title="Ranges", width="one")
    assert (figure.title, figure.width) == ("Ranges", 8.5)
    assert figure.description.startswith(
        "P@2 of 2 runs, mean over the topics (3 topics), the best first: best 0.5000, low 0.3333. Only documents"
    )
    assert figure.table.records()[0]["run"] == "best"


def test_an_end_that_is_not_finite_does_not_stretch_the_axis():
    many = {"1": {f"d{n}": 40.0 - n for n in range(40)}}

    @cf.measure("Own")
    def share(r):
        """Relevant share."""
        return float((r.grades(default=0) >= 1).mean())

    try:
        found = rows(cf.holes({"1": {"d0": 1}}, {"r": many}, "Own").plot("ranges"))[0]
        assert np.isfinite([found["lowest"], found["highest"]]).all()
        assert found["ci_low"] is None  # one topic has no interval
    finally:
        cf.forget("Own")


def test_what_to_judge_next_is_drawn_in_the_order_of_next():
    holes = cf.holes(QRELS, RUNS, "P@2")
    figure, again = holes.plot("next", n=3), holes.next(3)
    found = rows(figure)
    assert [row["name"] for row in found] == [
        f"{place} · {topic} {document}"
        for place, (topic, document) in enumerate(zip(again.topics, again.documents, strict=True), start=1)
    ]
    assert [row["shrinks"] for row in found] == pytest.approx(again.shrinks.tolist(), abs=1e-5)
    assert [row["pairs"] for row in found] == again.pairs.tolist()
    assert isinstance(figure, Figure)
    assert figure.table.records() == again.sheet().records()


def test_an_unknown_chart_of_holes_is_refused_with_the_known_ones():
    with pytest.raises(PolicyError, match="cake") as refused:
        cf.holes(QRELS, RUNS, "P@2").plot("cake")
    assert {"coverage", "ranges", "next"} <= set(str(refused.value.hint).replace(",", "").split())


def test_a_choice_that_a_chart_does_not_take_is_refused():
    with pytest.raises(PolicyError, match="the chart 'coverage' takes no 'strategy'"):
        cf.holes(QRELS, RUNS, "P@2").plot("coverage", strategy="swing")
