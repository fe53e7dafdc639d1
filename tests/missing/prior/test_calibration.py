"""Brier score, log loss and reliability, by hand."""

import numpy as np
import pytest

from cranfield.missing.prior.calibration import brier_score, log_loss, reliability


def test_scores_by_hand():
    chance, outcome = np.array([1.0, 0.5, 0.25]), np.array([1.0, 0.5, 0.0])
    assert brier_score(chance, outcome) == pytest.approx(0.0625 / 3)
    assert log_loss(chance, outcome) == pytest.approx((1e-6 + np.log(2) - np.log(0.75)) / 3, abs=1e-6)


def test_a_sure_mistake_costs_much_but_not_everything():
    assert log_loss(np.array([0.0]), np.array([1.0])) == pytest.approx(-np.log(1e-6))


def test_every_probability_is_in_one_bin_also_0_and_1():
    chance = np.linspace(0, 1, 101)
    found = reliability(chance, chance > 0.5)
    assert found.number.sum() == 101
    assert ((found.low <= found.predicted) & (found.predicted <= found.high)).all()
    assert (found.number * found.observed).sum() == pytest.approx(50)


def test_probabilities_that_come_true_have_no_error():
    outcome = np.r_[np.ones(30), np.zeros(70)]
    assert reliability(np.full(100, 0.3), outcome).error == pytest.approx(0)
    assert reliability(np.full(100, 0.6), outcome).error == pytest.approx(0.3)


def test_nothing_predicted_is_undefined():
    assert np.isnan(brier_score(np.empty(0), np.empty(0)))
    assert np.isnan(log_loss(np.empty(0), np.empty(0)))
