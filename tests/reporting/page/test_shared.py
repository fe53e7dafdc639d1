"""Data that charts share: once on the page, as small as it can be, and honest where something is left out."""

import json
import re

import numpy as np
import pytest

import cranfield as cf
from cranfield.reporting.page import listed, shared
from cranfield.reporting.page.listed import PARTS
from tests.reporting.page.material import made, reported

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
MOST = 5_000_000  # bytes of a page on 20 runs and 250 topics (REP-1)


@pytest.fixture(scope="module")
def report() -> cf.Report:
    return made(runs=4)


def data_of(report: cf.Report) -> dict:
    (block,) = re.findall(r'<script type="application/json" id="report">(.*?)</script>', report.to_html(), re.DOTALL)
    return json.loads(block)


def test_values_and_ranges_of_every_pair_are_those_of_the_results(report):
    found, material = data_of(report), report.material
    scores = material.scores
    assert found["values"] == pytest.approx(scores.values[:, :, material.column], abs=1e-6)
    bounder = material.holes.bounder(material.measure)
    for key, (below, above) in found["ends"].items():
        a, b = map(int, key.split(","))
        ends = bounder.of(np.array([a]), np.array([b]))
        delta = scores.values[a, :, material.column] - scores.values[b, :, material.column]
        assert delta - np.array(below) / PARTS == pytest.approx(ends.low[0], abs=1 / PARTS)
        assert delta + np.array(above) / PARTS == pytest.approx(ends.high[0], abs=1 / PARTS)
    assert len(found["ends"]) == 6
    assert len(found["said"]) == 12


def test_pairs_without_room_for_their_ranges_have_none(report, monkeypatch):
    monkeypatch.setattr(shared, "MOST_ENDS", 8)
    found = data_of(report)
    assert list(found["ends"]) == [",".join(map(str, found["drawn"][0]))]
    monkeypatch.setattr(listed, "MOST_LISTED", 8)
    assert "lists" not in data_of(report)
    assert "coverage" not in data_of(report)


def test_what_no_section_needs_is_not_on_the_page():
    found = data_of(made(sections=["scores"]))
    assert set(found) == {"runs", "topics", "measure", "smaller"}


def test_a_page_on_20_runs_and_250_topics_has_less_than_5_megabytes():
    """REP-1."""
    world = cf.simulate("small", seed=5, topics=250, systems=20, families=8, novel=2, depth=10, length=100)
    found = reported(world.qrels, world.runs, measures=["nDCG@10", "AP", "P@10", "RR"])
    assert len(found.to_html().encode()) < MOST
