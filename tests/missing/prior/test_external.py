"""Probabilities and labels from a file: taken as they are, filled where they lack, recalibrated where asked."""

import numpy as np
import pytest

from benchmarks.term_scores import TermScores
from cranfield.errors import InputError
from cranfield.measures.grammar import parse
from cranfield.missing.estimates.estimate import estimate
from cranfield.missing.prior.external import external_prior
from cranfield.missing.prior.fitting import fit_prior
from cranfield.missing.sampled.terms import document_terms
from cranfield.tables.qrels import Qrels
from cranfield.tables.side.probabilities import Probabilities
from tests.missing.prior.simulated import simulated

WORLD = simulated(topics=10)
KNOWN = WORLD.candidates
PRIOR = fit_prior(KNOWN, WORLD.grade, run_effect=0.5)
HOLES = np.flatnonzero(PRIOR.holes)
JUDGED = np.flatnonzero(~np.isnan(WORLD.grade))
NAMES = [KNOWN.topics[topic] for topic in KNOWN.topic], list(KNOWN.document)


def probabilities(chance, pairs):
    return Probabilities.of([NAMES[0][at] for at in pairs], [NAMES[1][at] for at in pairs], chance)


def labels(grade, pairs):
    return Qrels.of([NAMES[0][at] for at in pairs], [NAMES[1][at] for at in pairs], np.asarray(grade, dtype=np.int64))


def test_labels_of_all_holes_are_complete_judgments():
    prior = external_prior(PRIOR, labels(WORLD.truth[HOLES], HOLES))
    drawn = prior.draw(20, seed=4)
    assert (prior.levels[drawn] == WORLD.truth[HOLES]).all()
    terms = document_terms(parse("nDCG@5"), KNOWN.depth, prior.levels)
    assert terms is not None
    found = estimate(prior, TermScores(KNOWN, WORLD.grade, prior.levels, terms, prior.holes), "nDCG@5", 20)
    filled = np.where(PRIOR.holes, WORLD.truth, WORLD.grade)
    whole = TermScores(KNOWN, filled, prior.levels, terms, np.zeros(len(filled), dtype=bool))
    expected = np.mean([whole.values(t, np.zeros((1, 0), dtype=np.int8))[0] for t in whole.topics], axis=0)
    assert found.these == pytest.approx(np.tile(expected, (20, 1)))


def test_given_probabilities_are_kept_although_runs_have_an_effect():
    rng = np.random.default_rng(0)
    chance = rng.dirichlet([2, 1, 1], size=len(HOLES))
    prior = external_prior(PRIOR, probabilities(chance, HOLES))
    assert prior.chance[HOLES] == pytest.approx(chance)
    drawn = prior.draw(4000)
    for level in (1, 2):
        differences = (drawn >= level).mean(axis=0) - chance[:, level:].sum(axis=1)
        assert abs(differences.mean()) < 0.005
        assert np.abs(differences).max() < 0.05


def test_the_prior_fills_what_the_file_lacks_and_says_how_much():
    some = HOLES[::2]
    prior = external_prior(PRIOR, probabilities([[0.5, 0.25, 0.25]] * len(some), some))
    rest = np.setdiff1d(HOLES, some)
    assert prior.chance[some] == pytest.approx(np.tile([0.5, 0.25, 0.25], (len(some), 1)))
    assert prior.chance[rest] == pytest.approx(PRIOR.chance[rest])
    said = f"{len(some)} holes of {len(HOLES)}; the prior fills the other {len(rest)}"
    assert said in prior.notes[0]
    assert said in repr(prior)
    assert (prior.draw(2000)[:, 1::2] > 0).mean() == pytest.approx((PRIOR.draw(2000)[:, 1::2] > 0).mean(), abs=0.01)


def test_what_is_judged_stays_judged():
    prior = external_prior(PRIOR, labels(2 - np.nan_to_num(WORLD.grade), range(len(WORLD.grade))))
    assert (prior.chance[JUDGED] @ prior.levels == WORLD.grade[JUDGED]).all()


def test_a_negative_label_is_none():
    prior = external_prior(PRIOR, labels([-1] * (len(HOLES) - 1) + [1], HOLES))
    assert prior.chance[HOLES[:-1]] == pytest.approx(PRIOR.chance[HOLES[:-1]])
    assert prior.chance[HOLES[-1]].tolist() == [0, 1, 0]


@pytest.mark.parametrize(
    ("grades", "chance", "expected"),
    [
        ([0, 2], [0.5, 0.3, 0.2], [0, 1, 2]),
        ([0, 1], [0.5, 0.3, 0.0], [0, 1]),
        ([0, 1, 3], [0.5, 0.2, 0.3], [0, 1, 2, 3]),
        ([0, 2], [0.7, 0.3], [0, 1, 2]),
    ],
    ids=["a grade between", "a column without any", "a grade above", "fewer columns"],
)
def test_grades_of_the_file_and_of_the_judgments_stand_side_by_side(grades, chance, expected):
    """Pairs that the file lacks have the grades of the judgments alone, with the probabilities of the prior."""
    grade = np.where(
        np.isnan(WORLD.grade), np.nan, np.array(grades)[np.nan_to_num(WORLD.grade).astype(int) % len(grades)]
    )
    fitted = fit_prior(KNOWN, grade, PRIOR.holes, run_effect=0.5, checked=False)
    total = np.array(chance) / np.sum(chance)
    prior = external_prior(fitted, probabilities([total] * 20, HOLES[:20]))
    assert prior.levels.tolist() == expected
    wide = np.zeros(len(expected))
    wide[: len(total)] = total[: len(expected)]
    assert prior.chance[HOLES[:20]] == pytest.approx(np.tile(wide, (20, 1)))
    own = np.searchsorted(expected, fitted.levels)
    assert prior.chance[HOLES[20:]][:, own] == pytest.approx(fitted.chance[HOLES[20:]], abs=1e-9)
    assert set(np.unique(prior.draw(50)[:, 20:]).tolist()) <= set(own.tolist())


def test_recalibration_on_judged_pairs_repairs_probabilities_that_are_too_sure():
    rng = np.random.default_rng(1)
    relevant = WORLD.truth > 0
    sure = np.where(relevant ^ (rng.random(len(relevant)) < 0.3), 0.99, 0.01)
    chance = np.column_stack((1 - sure, sure))
    plain = external_prior(PRIOR, probabilities(chance, range(len(sure))))
    better = external_prior(PRIOR, probabilities(chance, range(len(sure))), recalibrated=True)
    assert plain.reliability is not None
    assert better.reliability is not None
    assert better.reliability.brier < 0.9 * plain.reliability.brier
    errors = [np.mean((each.at_least[HOLES, 1] - relevant[HOLES]) ** 2) for each in (plain, better)]
    assert errors[1] < 0.9 * errors[0]
    assert f"{plain.reliability.brier:.4f} before, {better.reliability.brier:.4f} after" in " ".join(better.notes)


def test_recalibrated_labels_are_as_probable_as_they_were_right():
    rng = np.random.default_rng(2)
    label = (WORLD.truth > 0) ^ (rng.random(len(WORLD.truth)) < 0.2)
    prior = external_prior(PRIOR, labels(label, range(len(label))), recalibrated=True)
    right = (WORLD.grade[JUDGED] > 0)[label[JUDGED]].mean()
    assert prior.at_least[HOLES[label[HOLES]], 1] == pytest.approx(right)


def test_few_judged_pairs_recalibrate_nothing():
    prior = external_prior(PRIOR, probabilities([[0.5, 0.5]] * len(HOLES), HOLES), recalibrated=True)
    assert "too few judged pairs to recalibrate" in prior.notes
    assert prior.at_least[HOLES, 1] == pytest.approx(0.5)
    assert prior.reliability is None
    assert prior.to_json()


def test_a_file_that_fills_the_holes_of_some_runs_alone_is_noted():
    last = len(KNOWN.runs) - 1
    own = np.unique(KNOWN.pair[(KNOWN.run == last) & PRIOR.holes[KNOWN.pair]])
    prior = external_prior(PRIOR, probabilities([[0.5, 0.5]] * len(own), own))
    assert any("label all holes alike" in note for note in prior.notes)
    whole = external_prior(PRIOR, probabilities([[0.5, 0.5]] * len(HOLES), HOLES))
    assert not any("label all holes alike" in note for note in whole.notes)


def test_a_file_about_something_else_is_refused():
    with pytest.raises(InputError, match="no topic here is named") as strange:
        external_prior(PRIOR, Probabilities.of(["x"], ["d1"], [[0.5, 0.5]]))
    assert strange.value.code == "E128"
    with pytest.raises(InputError, match="no document of these runs") as unknown:
        external_prior(PRIOR, Probabilities.of(["1"], ["other"], [[0.5, 0.5]]))
    assert unknown.value.code == "E128"


def test_the_audit_names_the_file():
    prior = external_prior(PRIOR, probabilities([[0.5, 0.5]], HOLES[:1]))
    assert [entry["role"] for entry in prior.audit.inputs][-1] == "estimate"
