"""The reliability chart: a point for each bin, and the diagonal."""

from dataclasses import replace

import pytest

from cranfield.errors import PolicyError
from cranfield.missing.prior.fitting import fit_prior
from tests.missing.prior.simulated import simulated

WORLD = simulated(topics=8)
PRIOR = fit_prior(WORLD.candidates, WORLD.grade, run_effect=0.5)


def test_a_point_for_each_bin_that_holds_pairs():
    figure = PRIOR.plot("reliability", width=12, title="How good it is")
    layers = figure.spec["layer"]
    rows = layers[1]["data"].get("values") or figure.spec["datasets"][layers[1]["data"]["name"]]
    assert PRIOR.reliability is not None
    assert [row["pairs"] for row in rows] == PRIOR.reliability.number.tolist()
    assert [row["y"] for row in rows] == pytest.approx(PRIOR.reliability.observed.round(6).tolist())
    assert all(0 <= row["low"] <= row["y"] <= row["high"] <= 1 for row in rows)
    assert (figure.title, figure.width) == ("How good it is", 12)


def test_the_chart_is_described_drawn_and_has_its_table():
    figure = PRIOR.plot()
    assert PRIOR.reliability is not None
    assert f"Brier score {PRIOR.reliability.brier:.4f}" in figure.description
    assert len(figure.table.records()) == len(PRIOR.reliability.number)
    assert figure.rendered(".svg").startswith(b"<svg")


def test_a_prior_that_was_not_checked_cannot_be_drawn():
    with pytest.raises(PolicyError, match="not checked"):
        replace(PRIOR, reliability=None).plot()
    with pytest.raises(PolicyError, match="one of reliability"):
        PRIOR.plot("pie")
