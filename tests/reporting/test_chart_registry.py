"""One registry of charts: whatever is registered can be drawn, is listed, and is found by its folder."""

import subprocess
import sys

import pytest

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.reporting.figure import Figure
from cranfield.tables.charts import CHARTS, chart_kind, charts_of
from docs.pages import charts as page

QRELS = {f"q{n}": {"a": 1, "b": 0} for n in range(4)}
RUNS = {"new": {topic: ["a", "b"] for topic in QRELS}, "old": {topic: ["b", "a"] for topic in QRELS}}


@pytest.fixture
def pie():
    """A chart that only this test knows."""

    @chart_kind(
        "pie",
        "shares of a whole",
        result="comparison",
        question="How large is each share?",
        reading="A slice is a share.",
    )
    def drawn(comparison, **choices):
        return comparison, choices

    yield drawn
    CHARTS.remove("pie")


def test_every_result_has_its_charts():
    assert {chart.result for chart in CHARTS.values()} == {
        "agreement",
        "comparison",
        "curves",
        "groups",
        "holes",
        "pool",
        "prior",
        "scores",
        "study",
    }
    assert charts_of("comparison") == ["deltas", "critical-difference", "matrix", "significance"]


@pytest.mark.parametrize("name", charts_of("comparison"))
def test_every_chart_of_a_comparison_is_drawn(name):
    comparison = cf.compare(QRELS, RUNS, "RR", adjust="nemenyi")
    assert isinstance(comparison.plot(name), Figure)


@pytest.mark.parametrize("name", charts_of("comparison"))
def test_every_chart_of_a_comparison_has_the_same_frame(name):
    comparison = cf.compare(QRELS, RUNS, "RR", adjust="nemenyi")
    plain, titled = comparison.plot(name), comparison.plot(name, title="A title", width=12)
    assert plain.spec["config"] == titled.spec["config"] == cf.curve(QRELS, RUNS, "pr").plot().spec["config"]
    assert ("title" in plain.spec, titled.spec["title"], titled.title) == (False, "A title", "A title")
    assert plain.spec["description"] == plain.description
    assert (plain.width, titled.width) == (8.5, 12)
    assert titled.spec["autosize"] == {"type": "fit", "contains": "padding"}


def test_a_registered_chart_is_drawn_and_listed_without_another_edit(pie):
    comparison = cf.compare(QRELS, RUNS, "RR")
    drawn: object = comparison.plot("pie", title="Shares")
    assert drawn == (comparison, {"title": "Shares"})
    assert "How large is each share?" in page.page()
    with pytest.raises(PolicyError, match='kind="cake"') as refused:
        comparison.plot("cake")
    assert "pie" in str(refused.value.hint)


def test_a_chart_of_another_result_is_refused():
    with pytest.raises(PolicyError, match='E213: kind="levels" is unknown'):
        cf.compare(QRELS, RUNS, "RR").plot("levels")


def test_a_result_finds_its_chart_before_anything_that_draws_is_imported():
    code = (
        "import sys, cranfield as cf\n"
        "c = cf.compare({'q1': {'a': 1}, 'q2': {'a': 1}}, {'x': {'q1': ['a']}, 'y': {'q2': ['a']}}, 'RR')\n"
        "print(any(name.startswith('cranfield.reporting') for name in sys.modules), type(c.plot()).__name__)"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "Figure"]
