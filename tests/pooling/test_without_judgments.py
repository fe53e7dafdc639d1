"""Pseudo-relevance and recall estimates: by hand, and by the published formulas."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import cranfield as cf
from cranfield.pooling.pseudo import pseudo_qrels, random_pseudo_qrels, rank_without_judgments
from cranfield.pooling.recall import capture_recapture, documents_to_sample, recall_by_sample, wilson

LISTS = {"r1": {"1": list("abcd")}, "r2": {"1": list("bcef")}, "r3": {"1": list("aegb")}}


def relevant(qrels):
    return "".join(document for document, grade in zip(qrels.document, qrels.grade, strict=True) if grade)


def test_documents_that_at_least_so_many_runs_list_are_pseudo_relevant():
    assert relevant(pseudo_qrels(LISTS, depth=3, at_least=2)) == "abce"
    assert relevant(pseudo_qrels(LISTS, depth=4, at_least=3)) == "b"
    assert relevant(pseudo_qrels(LISTS, depth=3, at_least=1)) == "abceg"
    with pytest.raises(cf.PolicyError, match="E240: at_least=0"):
        pseudo_qrels(LISTS, at_least=0)


def test_chance_marks_the_share_that_is_usually_relevant():
    drawn = [random_pseudo_qrels(LISTS, depth=3, rate=0.4, seed=seed) for seed in range(30)]
    assert {len(relevant(each)) for each in drawn} == {2}
    assert len({relevant(each) for each in drawn}) > 3
    assert relevant(random_pseudo_qrels(LISTS, depth=3, rate=0.4)) == relevant(drawn[0])


def test_systems_are_ordered_without_judgments_and_compared_with_the_truth():
    with pytest.warns(cf.DataWarning, match="W120"):
        found = rank_without_judgments(LISTS, depth=3, rate=0.4, draws=20, qrels={"1": {"a": 1, "b": 1, "c": 1}})
    assert found.truth.tolist() == [1.0, pytest.approx((1 + 1) / 3), pytest.approx((1 + 2 / 4) / 3)]  # type: ignore[union-attr]  # there is one here
    assert found.draws == 20
    assert -1 <= found.tau <= 1
    assert found.sheet().text().splitlines()[-2].startswith(" τ with the order under the judgments: ")
    assert found.result()["runs"][0]["judged"] == 1.0


def test_the_mean_of_the_draws_is_the_mean_of_their_scores():
    with pytest.warns(cf.DataWarning, match="W120"):
        found = rank_without_judgments(LISTS, "RR", depth=4, rate=0.4, draws=3, seed=5)
    single = [cf.evaluate(random_pseudo_qrels(LISTS, 4, 0.4, seed), LISTS, "RR").means[:, 0] for seed in (5, 6, 7)]
    assert found.values == pytest.approx(sum(single) / 3)
    assert math.isnan(found.tau)


def test_an_unknown_method_is_refused():
    with pytest.raises(cf.PolicyError, match='E213: method="best"'):
        rank_without_judgments(LISTS, method="best")  # type: ignore[arg-type]  # a wrong type, on purpose


@given(st.integers(1, 500), st.floats(0, 1), st.sampled_from([0.8, 0.95, 0.99]))
def test_the_interval_of_a_share_is_that_of_scipy(trials, share, level):
    successes = round(share * trials)
    expected = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert wilson(successes, trials, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_capture_and_recapture_by_hand():
    found = capture_recapture(40, 30, 20)
    assert found["lincoln-petersen"].relevant == 60
    assert found["chapman"].relevant == pytest.approx(59.5238, abs=5e-5)
    assert found["chapman"].recall == pytest.approx(50 / 59.5238, abs=1e-5)
    # variance 41 · 31 · 20 · 10 / (21² · 22) = 26.2
    low, high = found["chapman"].interval
    assert high - low == pytest.approx(2 * 1.959964 * math.sqrt(41 * 31 * 200 / (441 * 22)), abs=1e-3) or low == 50
    assert capture_recapture(3, 4, 0)["lincoln-petersen"].relevant == math.inf
    assert capture_recapture(0, 4, 0)["lincoln-petersen"].relevant == 4
    with pytest.raises(cf.PolicyError, match="cannot share 5"):
        capture_recapture(3, 9, 5)


def test_recall_from_a_sample_of_the_rest():
    estimate = recall_by_sample(found=80, outside=10_000, sampled=500, relevant=1)
    assert (estimate.relevant, estimate.recall) == (100, 0.8)
    low, high = wilson(1, 500)
    assert estimate.interval == pytest.approx((80 + 10_000 * low, 80 + 10_000 * high))
    assert estimate.recall_interval == pytest.approx((80 / (80 + 10_000 * high), 80 / (80 + 10_000 * low)))
    whole = recall_by_sample(found=8, outside=100, sampled=100, relevant=2)  # everything was seen
    assert whole.interval == (10, 10)
    with pytest.raises(cf.PolicyError, match="cannot be drawn"):  # type: ignore[unreachable]  # pytest.raises swallows what ends the block before
        recall_by_sample(1, 10, 11, 0)
    with pytest.raises(cf.PolicyError, match="is not a share"):
        recall_by_sample(1, 10, 0, 0)


@pytest.mark.parametrize("prevalence", [0.5, 0.1, 0.01, 0.001, 1.0])
def test_so_many_documents_show_a_relevant_one(prevalence):
    number = documents_to_sample(prevalence)
    assert 1 - (1 - prevalence) ** number >= 0.95 > 1 - (1 - prevalence) ** (number - 1) or prevalence == 1
    if prevalence <= 0.01:
        assert number == pytest.approx(3 / prevalence, rel=0.01)
    with pytest.raises(cf.PolicyError):
        documents_to_sample(0)
