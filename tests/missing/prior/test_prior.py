"""The prior: what it is fitted to, what it says, how it falls back, and what it draws."""

import numpy as np
import pytest

from cranfield.errors import Error, PolicyError
from cranfield.missing.prior.features import NAMES, ListFeatures
from cranfield.missing.prior.fitting import fit_prior
from cranfield.missing.prior.logistic import expit
from cranfield.missing.prior.run_effect import effect_evidence, estimated_effect, hidings, likely_size
from cranfield.pooling.candidates import Candidates
from cranfield.tables.run import Run
from tests.missing.prior.simulated import simulated

WORLD = simulated()
PRIOR = fit_prior(WORLD.candidates, WORLD.grade)


def test_probabilities_of_all_grades_add_up_to_1_and_what_is_judged_is_certain():
    assert PRIOR.chance.sum(axis=1) == pytest.approx(1)
    assert (PRIOR.chance >= -1e-12).all()
    judged = ~np.isnan(WORLD.grade)
    assert (PRIOR.chance[judged] @ PRIOR.levels == WORLD.grade[judged]).all()
    assert PRIOR.levels.tolist() == [0, 1, 2]


def test_a_prior_predicts_better_than_the_share_of_relevant_documents():
    holes = PRIOR.holes
    relevant = WORLD.truth[holes] > 0
    share = (WORLD.grade[~np.isnan(WORLD.grade)] > 0).mean()
    assert np.mean((PRIOR.at_least[holes, 1] - relevant) ** 2) < 0.95 * np.mean((share - relevant) ** 2)
    assert PRIOR.reliability is not None
    assert PRIOR.reliability.brier < PRIOR.reference
    assert PRIOR.at_least[holes, 1].mean() == pytest.approx(relevant.mean(), abs=0.1)


def test_only_judged_pairs_are_learned_from():
    """Whatever the holes hold, the prior is the same: it never sees them."""
    again = fit_prior(WORLD.candidates, WORLD.grade.copy(), PRIOR.holes)
    assert (again.at_least == PRIOR.at_least).all()


def test_a_judgment_does_not_predict_itself():
    features = ListFeatures(WORLD.candidates)
    topic = int(WORLD.candidates.topic[np.flatnonzero(~np.isnan(WORLD.grade))[0]])
    other = WORLD.grade.copy()
    own = (WORLD.candidates.topic == topic) & ~np.isnan(other)
    other[own] = 1 - (other[own] > 0)
    before, after = features.quality(WORLD.grade)[:, topic], features.quality(other)[:, topic]
    assert after == pytest.approx(before)
    assert not np.allclose(features.quality(WORLD.grade), features.quality(other))


def test_the_shares_of_the_runs_that_retrieve_a_pair_add_up_to_1():
    features = ListFeatures(WORLD.candidates)
    pairs = np.array([0, 5, 100])
    share = features.shares(pairs)
    assert share.sum(axis=1) == pytest.approx(1)
    assert (np.count_nonzero(share, axis=1) == features.retrieving[pairs]).all()


def test_completions_have_the_probabilities_of_the_prior():
    drawn = PRIOR.draw(3000, seed=3)
    assert drawn.dtype == np.int8
    assert drawn.shape == (3000, np.count_nonzero(PRIOR.holes))
    for level in (1, 2):
        differences = (drawn >= level).mean(axis=0) - PRIOR.at_least[PRIOR.holes, level]
        assert np.abs(differences).max() < 0.06
        assert abs(differences.mean()) < 0.01


def test_the_same_seed_draws_the_same_and_topics_are_drawn_in_any_order():
    assert (PRIOR.draw(50, seed=1) == PRIOR.draw(50, seed=1)).all()
    assert (PRIOR.draw(50, seed=1) != PRIOR.draw(50, seed=2)).any()
    model = PRIOR.model(50, seed=1)
    holes = np.flatnonzero(PRIOR.holes)
    own = WORLD.candidates.topic[holes]
    for topic in (7, 2):
        assert (model.of_topic(topic, holes[own == topic]) == PRIOR.draw(50, seed=1)[:, own == topic]).all()


def test_what_one_run_alone_retrieves_is_relevant_together():
    """Of two runs, with the same probabilities: a run effect makes the number of relevant holes vary more."""
    lists = [Run.of(f"r{n}", ["1"] * 40, [f"{n} {d}" for d in range(40)], range(40, 0, -1)) for n in range(2)]
    known = Candidates.of(lists, 40)
    grade = np.where(known.best_rank % 4 == 0, np.nan, known.best_rank % 2)
    spread, share = [], []
    for size in (0.0, 1.5):
        prior = fit_prior(known, grade, np.isnan(grade), run_effect=size, checked=False)
        drawn = prior.draw(4000) > 0
        first = known.run[np.argsort(known.pair)][np.isnan(grade)] == 0
        spread.append((drawn[:, first].sum(axis=1) - drawn[:, ~first].sum(axis=1)).std())
        share.append(drawn.mean())
    assert spread[1] > 1.5 * spread[0]
    assert share[1] == pytest.approx(share[0], abs=0.01)


@pytest.mark.parametrize("size", [0.2, 0.5, 1.2])
def test_the_run_effect_is_the_size_that_makes_the_outcomes_most_probable(size):
    rng = np.random.default_rng(1)
    share = np.eye(60)[rng.integers(60, size=6000)]
    base = rng.normal(size=6000)
    stretched = base * np.sqrt(1 + np.pi / 8 * size**2)  # so that the effect changes no probability
    outcome = rng.random(6000) < expit(stretched + share @ (size * rng.normal(size=60)))
    assert likely_size(effect_evidence(base, share, outcome)) == pytest.approx(size, rel=0.35)


def test_the_run_effect_is_estimated_from_hidden_judgments_if_there_are_enough():
    world = simulated(seed=5, runs=20, topics=40, pooled=20, depth=6)
    features, holes = ListFeatures(world.candidates), np.isnan(world.grade) & (world.candidates.best_rank <= 12)
    found = estimated_effect(features, world.grade, holes, 0)
    assert found.hidden == int(0.25 * np.count_nonzero(~np.isnan(world.grade)))
    assert "estimated on 3 ×" in found.words
    few = np.where(world.candidates.topic < 2, world.grade, np.nan)
    assert estimated_effect(features, few, holes, 0).words == "run effect N(0, 0.50²), not estimated"


def test_judgments_are_hidden_that_look_like_holes():
    """Holes are retrieved by fewer runs than judged documents are, and so are the hidden ones."""
    features = ListFeatures(WORLD.candidates)
    judged = ~np.isnan(WORLD.grade)
    for hidden in hidings(features, WORLD.grade, PRIOR.holes, 0):
        assert judged[hidden].all()
        assert features.retrieving[hidden].mean() < features.retrieving[judged].mean()


def test_a_prior_prints_its_coefficients_and_how_good_it_is():
    text = repr(PRIOR)
    assert all(name in text for name in NAMES)
    assert "Brier score" in text
    assert "run effect" in text
    assert "mean predicted" in text
    assert PRIOR.reliability is not None
    plain = PRIOR.to_dict()["result"]
    assert plain["calibration"]["brier"] == PRIOR.reliability.brier
    assert sum(row["pairs"] for row in plain["calibration"]["bins"]) == PRIOR.reliability.number.sum()
    assert PRIOR.to_json()


# --- where little is known ---------------------------------------------------------------------------------------


def small(grades, runs=2):
    made = [Run.of(f"r{n}", ["1"] * 4 + ["2"] * 4, list("abcdefgh"), [4, 3, 2, 1] * 2) for n in range(runs)]
    return fit_prior(Candidates.of(made, 10), np.array(grades, dtype=float))


@pytest.mark.parametrize(
    ("grades", "runs", "said"),
    [
        ([1, 0, np.nan, np.nan] * 2, 2, "2 documents judged relevant"),
        ([0, 0, np.nan, np.nan] * 2, 2, "0 documents judged relevant"),
        ([1, 0, np.nan, np.nan] * 2, 1, "one run"),
        ([1, 1, np.nan, np.nan] * 2, 2, "no retrieved document was judged not relevant"),
        ([np.nan] * 8, 2, "no retrieved document is judged"),
    ],
    ids=["few", "none relevant", "one run", "only relevant", "nothing judged"],
)
def test_where_little_is_judged_prevalence_is_taken_and_said(grades, runs, said):
    prior = small(grades, runs)
    assert said in prior.notes[0]
    assert said in repr(prior)
    chance = prior.at_least[prior.holes, 1]
    assert ((chance > 0) & (chance < 1)).all()
    assert not any(step.by_features for step in prior.steps)
    assert prior.draw(20).shape == (20, np.count_nonzero(prior.holes))
    assert prior.to_json()


def test_no_relevant_document_makes_one_improbable_and_only_relevant_ones_say_nothing():
    assert small([0, 0, np.nan, np.nan] * 2).at_least[2, 1] < 0.35
    assert small([1, 1, np.nan, np.nan] * 2).at_least[2, 1] == pytest.approx(0.5)
    assert small([np.nan] * 8).at_least[2, 1] == pytest.approx(0.5)


def test_a_high_grade_that_is_rare_is_prevalence_alone():
    grade = np.where(WORLD.grade == 2, 1, WORLD.grade)
    grade[np.flatnonzero(grade == 1)[:3]] = 2
    prior = fit_prior(WORLD.candidates, grade, checked=False, run_effect=0.5)
    assert [step.by_features for step in prior.steps] == [True, False]
    assert "grade 2: prevalence alone" in " ".join(prior.notes)
    assert prior.at_least[prior.holes, 2].max() < 0.2


def test_nothing_to_draw_is_drawn():
    prior = fit_prior(WORLD.candidates, WORLD.truth)
    assert prior.draw(10).shape == (10, 0)
    assert "0 holes" in repr(prior)


def test_too_many_grades_are_refused():
    with pytest.raises(PolicyError, match="at most 20 grades"):
        fit_prior(WORLD.candidates, np.arange(len(WORLD.grade)) / 10)


def test_too_many_draws_are_refused_before_anything_is_allocated():
    with pytest.raises(Error, match="memory"):
        PRIOR.draw(10**12)
    with pytest.raises(PolicyError, match="at least 1"):
        PRIOR.draw(0)
