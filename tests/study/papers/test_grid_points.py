"""Looking up a grid of user shares."""

from math import isnan

import pytest

from cranfield.study.papers.ferrante2014.grid_points import Points
from cranfield.tables.sheets.sheet import Column

GRID = {  # g2 -> measure -> τ with AP on all topics, and on a few
    0.0: {"GAP": (1.0, 1.0), "xGAP": (1.0, 1.0), "eGAP": (1.0, 1.0)},
    0.5: {"GAP": (0.9, 0.95), "xGAP": (0.8, 0.6), "eGAP": (0.85, 0.5)},
    1.0: {"GAP": (0.7, 0.3), "xGAP": (0.7, 0.3), "eGAP": (0.88, None)},
}


@pytest.fixture
def points():
    rows = [
        (1 - g, g, name, "AP", topics, n, value)
        for g, measures in GRID.items()
        for name, values in measures.items()  # type: ignore[attr-defined]  # the stubs know less
        for topics, n, value in zip(
            ("all", "few of grade 2", "few of grade 3"), (9, 3, 0), (*values, None), strict=True
        )
    ]
    columns = zip(*rows, strict=True)
    names = ("g1", "g2", "measure", "other", "topics", "n", "value")
    return Points([Column(name, list(values)) for name, values in zip(names, columns, strict=True)])


def test_values_are_found_by_shares_measures_and_topics(points):
    assert points.value((0.5, 0.5), "xGAP", "AP", "few of grade 2") == 0.6
    assert isnan(points.value((0.25, 0.75), "xGAP", "AP"))
    assert isnan(points.value((0.0, 1.0), "eGAP", "AP", "few of grade 2"))


def test_where_the_points_lie(points):
    assert points.corners == [(1, 0), (0, 1)]
    assert points.inner == [(0.5, 0.5)]
    assert points.edge == [(1, 0), (0.5, 0.5), (0, 1)]
    assert points.sets == ["all", "few of grade 2"]  # nobody needs a set without topics


def test_what_is_counted(points):
    assert points.least([(1.0, 0.0)], "AP") == 1
    assert points.least(points.corners, "AP") == 0.3


def test_steps_towards_grade_1_that_do_not_part_two_measures_are_counted(points):
    assert points.growing("GAP", "AP") == (2, 2)
    assert points.growing("eGAP", "AP") == (1, 2)  # 0.88, 0.85, 1
    assert points.growing("xGAP", "GAP") == (0, 0)  # nothing is known of it
