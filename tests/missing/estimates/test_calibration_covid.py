"""P(A > B) beside what later judgments brought, on the runs of TREC-COVID round 2: a small version of check-holes."""

import numpy as np
import pytest

from benchmarks.holes_calibration import MEASURES, PRESENT, LaterJudgments, tables_of
from cranfield.missing.prior.calibration import brier_score, log_loss


@pytest.fixture(scope="module")
def covid(shared):
    folder = shared / "data" / "covid-round2"
    if not folder.is_dir():
        pytest.skip("covid-round2 is not here (set CRANFIELD_SHARED)")
    return LaterJudgments.covid(shared / "data")


@pytest.mark.parametrize(("measure", "brier", "loss"), [("P@10", 0.012, 0.051), ("nDCG@10", 0.013, 0.042)])
def test_probabilities_are_better_than_the_present_sign_a_test_and_condensed_lists(covid, measure, brier, loss):
    outcome = covid.outcome(measure)
    assert (len(covid.completed), len(outcome)) == (44, 946)
    said = covid.estimate(measure, draws=1000).probabilities()[covid.pairs]
    assert brier_score(said, outcome) <= brier
    assert log_loss(said, outcome) <= loss
    for chances in PRESENT.values():
        assert brier_score(said, outcome) < 0.35 * brier_score(chances(covid, measure), outcome)


def test_the_other_ways_are_as_good_as_is_known(covid):
    """The figures of an independent program on the same pairs."""
    known = {"P@10": (0.053, 0.039, 0.043), "nDCG@10": (0.051, 0.041, 0.039)}
    for measure in MEASURES:
        scores = [brier_score(chances(covid, measure), covid.outcome(measure)) for chances in PRESENT.values()]
        assert scores == pytest.approx(known[measure], abs=0.0006)


def test_no_judgment_of_a_later_round_is_learned_from(covid):
    assert covid.candidates.inputs
    assert not any("later" in str(entry["name"]) for entry in covid.prior.audit.inputs)
    assert np.isnan(covid.grade).sum() > np.isnan(covid.known).sum()


def test_the_prior_is_calibrated_on_holes_that_were_judged_later(covid):
    judged = covid.prior.holes & ~np.isnan(covid.known)
    said, came = covid.prior.at_least[judged, 1], covid.known[judged] > 0
    assert brier_score(said, came) < 0.15
    assert said.mean() == pytest.approx(came.mean(), abs=0.03)


def test_the_tables_are_markdown(covid):
    text = [line for line in tables_of(covid, draws=50) if isinstance(line, str)]
    rows = [line for line in text if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)
    assert sum("prior, run effect" in line for line in rows) == 1
    assert "nan" not in " ".join(text)
