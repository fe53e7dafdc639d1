"""Figures in several forms: the leaderboard in every measure, with ranges, or with the reason why there are none."""

import pytest

import cranfield as cf
from cranfield.reporting.page.blocks import FigureBlock
from tests.reporting.page.material import made

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


def leaderboard(report: cf.Report) -> FigureBlock:
    every = (block for section in report.sections for block in section.blocks)
    return next(block for block in every if isinstance(block, FigureBlock) and block.name == "leaderboard")


def test_the_ranges_of_every_measure_are_those_that_holes_finds():
    report = made()
    (form,) = leaderboard(report).others
    assert (leaderboard(report).form, form.name) == ("nDCG@10", "AP")
    assert report.material.holes is not None
    found = {row.run: row for row in report.material.holes.ranges("AP").ranges}
    columns = {column.name: list(column.raw) for column in form.figure.table.columns}
    assert columns["lowest"] == [found[str(run)].lowest for run in columns["run"]]
    assert columns["highest"] == [found[str(run)].highest for run in columns["run"]]


def test_a_measure_whose_ranges_were_not_computed_says_so():
    qrels, runs = {"1": {"a": 1}, "2": {"b": 1}}, {"r": {"1": ["a"], "2": ["x"]}}
    found = cf.report(cf.evaluate(qrels, runs, ["P@1", "AP"]), None, cf.holes(qrels, runs, "P@1"))
    (form,) = leaderboard(found).others
    assert "What missing judgments could change about AP was not computed" in form.caption
    assert "Pale bar" not in form.caption
