"""Ridge logistic regression with topics: the optimum, its uncertainty, and topics without judgments."""

import numpy as np
import pytest

from cranfield.missing.prior.logistic import _PULL, _RIDGE, LogisticFit, expit, fit_logistic, logit


def world(seed=0, pairs=400, topics=6):
    rng = np.random.default_rng(seed)
    features, topic = rng.normal(size=(pairs, 2)), rng.integers(topics - 1, size=pairs)  # the last topic has none
    value = -1 + features[:, 0] + rng.normal(size=topics)[topic]
    return features, topic, rng.random(pairs) < expit(value), topics


def whole_hessian(fit: LogisticFit, features, topic, topics):
    """The matrix of second derivatives, coefficients and topics together, written out."""
    design = np.column_stack((fit.standard.design(features), np.eye(topics)[topic]))
    chance = expit(fit.logit(features, topic))
    pull = np.r_[_PULL, np.full(len(fit.coefficient) - 1, _RIDGE), np.full(topics, 1 / fit.topic_spread**2)]
    return design, pull, (design * (chance * (1 - chance))[:, None]).T @ design + np.diag(pull)


@pytest.mark.parametrize("seed", range(5))
def test_no_coefficient_could_be_better(seed):
    features, topic, outcome, topics = world(seed)
    fit = fit_logistic(features, topic, outcome, topics)
    design, pull, _ = whole_hessian(fit, features, topic, topics)
    every = np.r_[fit.coefficient, fit.intercept]
    slope = design.T @ (outcome - expit(fit.logit(features, topic))) - pull * every
    assert np.abs(slope).max() < 0.01


def test_the_uncertainty_is_that_of_the_whole_matrix():
    features, topic, outcome, topics = world()
    fit = fit_logistic(features, topic, outcome, topics)
    _, _, hessian = whole_hessian(fit, features, topic, topics)
    asked, where = features[:10], np.arange(10) % topics
    rows = np.column_stack((fit.standard.design(asked), np.eye(topics)[where]))
    expected = np.einsum("ij,jk,ik->i", rows, np.linalg.inv(hessian), rows)
    assert fit.variance(asked, where) == pytest.approx(expected, rel=1e-3)
    assert fit.errors() == pytest.approx(np.sqrt(np.diag(np.linalg.inv(hessian)))[: len(fit.coefficient)], rel=1e-3)


def test_drawn_coefficients_spread_as_the_uncertainty_says():
    features, topic, outcome, topics = world()
    fit = fit_logistic(features, topic, outcome, topics)
    coefficient, intercept = fit.draw(np.random.default_rng(1), 40_000)
    asked, where = features[:8], np.arange(8) % topics
    drawn = coefficient @ fit.standard.design(asked).T + intercept[:, where]
    assert drawn.mean(axis=0) == pytest.approx(fit.logit(asked, where), abs=0.03)
    assert drawn.var(axis=0) == pytest.approx(fit.variance(asked, where), rel=0.05)


def test_a_topic_without_judgments_has_no_intercept_and_the_spread_of_all_as_doubt():
    features, topic, outcome, topics = world()
    fit = fit_logistic(features, topic, outcome, topics)
    assert fit.intercept[-1] == pytest.approx(0)
    assert fit.precision[-1] == pytest.approx(1 / fit.topic_spread**2, rel=1e-2)


def test_nothing_judged_is_a_half():
    fit = fit_logistic(np.empty((0, 3)), np.empty(0, dtype=np.int64), np.empty(0), 2)
    assert expit(fit.logit(np.ones((1, 3)), np.array([0]))) == pytest.approx(0.5)


def test_outcomes_of_one_kind_do_not_run_away():
    features, topic, _, topics = world()
    fit = fit_logistic(features, topic, np.zeros(len(topic)), topics)
    assert np.isfinite(fit.logit(features, topic)).all()
    assert 0 < expit(fit.logit(features, topic)).max() < 0.1


def test_a_feature_that_never_changes_says_nothing():
    fit = fit_logistic(np.ones((50, 1)), np.zeros(50, dtype=np.int64), np.arange(50) % 2 > 0, 1)
    assert fit.coefficient[1] == pytest.approx(0)


def test_a_logit_is_undone_by_its_inverse():
    chance = np.array([0, 1e-9, 0.3, 1])
    assert expit(logit(chance)) == pytest.approx(chance)
