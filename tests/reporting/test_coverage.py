"""The chart of coverage: a cell for each run and rank, with its number."""

import pytest

from cranfield.errors import UnknownNameError
from cranfield.missing.coverage import AT, Coverage
from cranfield.pooling.candidates import Candidates
from cranfield.read.objects import as_qrels, as_sources

RUNS = {"r": {"1": ["a", "b", "c"], "2": ["a"]}, "s": {"1": ["d", "a"]}}
QRELS = {"1": {"a": 1, "b": -1}, "2": {"x": 0}}


def covered(runs=RUNS, at=AT):
    candidates = Candidates.of(as_sources(runs).open(lambda *_: None), max(at))
    return Coverage.of(candidates, as_qrels(QRELS), at)


def cells(figure):
    data = figure.spec["data"]
    values = data["values"] if "values" in data else figure.spec["datasets"][data["name"]]
    return {(cell["run"], cell["rank"]): (cell["share"], cell["text"]) for cell in values}


def test_a_cell_for_each_run_and_rank_with_its_number():
    assert cells(covered().plot()) == {
        ("r", "1"): (0.5, "50"),
        ("r", "2"): (0, "0"),
        ("r", "3"): (0, "0"),
        ("s", "1"): (0, "0"),
        ("s", "2"): (1, "100"),  # where a list ends, there is no cell
    }


def test_one_topic_alone():
    figure = covered().plot(topic="2")
    assert cells(figure) == {("r", "1"): (0, "0")}
    assert figure.title == "judged share by rank, topic 2"
    with pytest.raises(UnknownNameError, match="there is no topic '3'"):
        covered().plot(topic="3")


def test_many_ranks_stand_together_between_the_depths():
    deep = {"r": {"1": [f"d{n}" for n in range(60)]}}
    figure = covered(deep, at=[1, 10, 1000]).plot()
    assert [rank for _, rank in cells(figure)] == ["1", "2–10", "11–60"]


def test_the_chart_is_described_and_has_its_table():
    figure = covered().plot(title="Judged", width="one")
    assert (figure.title, figure.width) == ("Judged", 8.5)
    assert figure.description == (
        "Judged share of the documents at each rank of 2 runs, over 2 topics. "
        "Of the first 20, most is judged of s (50 %) and least of r (17 %)."
    )
    assert figure.table.records()[1] == {"run": "s", "1": 0.0, "2": 1.0, "3": None}


def test_runs_of_which_nothing_can_be_said_are_drawn_empty():
    figure = covered({"r": {"9": ["a"]}}).plot()
    assert cells(figure) == {}
    assert figure.rendered(".svg").startswith(b"<svg")
