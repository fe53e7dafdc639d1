"""Estimates: completions scored as `evaluate` scores them, and what follows for runs and pairs."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from benchmarks.term_scores import TermScores
from cranfield.errors import Error, PolicyError
from cranfield.measures.grammar import parse
from cranfield.missing.estimates.estimate import estimate
from cranfield.missing.prior.fitting import fit_prior
from cranfield.missing.sampled.terms import document_terms
from cranfield.pooling.candidates import Candidates
from cranfield.read.objects import as_qrels, as_sources
from tests.missing.prior.simulated import simulated
from tests.pooling.worlds import as_dict, worlds

MEASURES = [
    "P@1",
    "P@3",
    "P(rel=2)@2",
    "CG@3",
    "DCG",
    "DCG(dcg='exp-log2')@4",
    "RBP(p=0.8)",
    "RBP(p=0.5, rel=2)",
    "nCG@2",
    "nDCG",
    "nDCG@1",
    "nDCG@3",
    "nDCG(dcg='exp-log2')@3",
    "nDCG(dcg='jk', b=2)@4",
    "nDCG(gains={1: 1, 2: 10})@3",
]


def terms_of(measure, depth, levels):
    found = document_terms(parse(measure), depth, levels)
    assert found is not None
    return found


@given(world=worlds(), seed=st.integers(0, 100))
def test_a_completion_is_scored_as_evaluate_scores_completed_judgments(world, seed):
    runs, judged = world
    judged = {pair: grade for pair, grade in judged.items() if grade >= 0}
    judged |= {(topic, "another"): 2 for topic in runs["r0"]}  # user models take gains as shares of the highest grade
    qrels, levels = as_qrels(as_dict(judged)), np.array([0.0, 1.0, 2.0])
    known = Candidates.of(as_sources(runs).open(lambda *_: None), 10, also=qrels)
    grade = known.grades(qrels)
    topics = np.array([name in qrels.topics for name in known.topics])
    holes = np.isnan(grade) & topics[known.topic]
    drawn = np.random.default_rng(seed).integers(3, size=len(known)).astype(np.int8)
    named = [(known.topics[topic], name) for topic, name in zip(known.topic, known.document, strict=True)]
    filled = judged | {named[at]: int(drawn[at]) for at in np.flatnonzero(holes)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cf.evaluate(as_dict(filled), runs, MEASURES)
    for measure in MEASURES:
        scores = TermScores(known, grade, levels, terms_of(measure, 10, levels), holes)
        values = [scores.values(topic, drawn[None, scores.holes_of(topic)])[0] for topic in scores.topics.tolist()]
        wanted = [expected[run, measure].mean() for run in known.runs]
        assert np.mean(values, axis=0) == pytest.approx(wanted), measure


def test_a_measure_that_is_no_sum_over_documents_has_no_terms():
    for measure in ("AP", "RR", "nDCG'@10", "nDCG(avg_pos=True)@10", "ERR@10", "Bpref"):
        assert document_terms(parse(measure), 10, np.array([0.0, 1.0])) is None


# --- bands, probabilities, tau ------------------------------------------------------------------------------------

WORLD = simulated(topics=10)


def estimated(measure="P@5", draws=1500, seed=0, world=WORLD, **more):
    prior = fit_prior(world.candidates, world.grade, checked=False, run_effect=0.5, **more)
    terms = terms_of(measure, world.candidates.depth, prior.levels)
    return estimate(prior, TermScores(world.candidates, world.grade, prior.levels, terms, prior.holes), measure, draws)


FOUND = estimated()


def test_every_draw_lies_between_what_the_holes_could_give():
    prior = FOUND.prior
    terms = terms_of("P@5", WORLD.candidates.depth, prior.levels)
    scores = TermScores(WORLD.candidates, WORLD.grade, prior.levels, terms, prior.holes)
    ends = []
    for level in (0, 2):
        filled = [np.full((1, len(scores.holes_of(t))), level, dtype=np.int8) for t in scores.topics]
        ends.append(np.mean([scores.values(t, f)[0] for t, f in zip(scores.topics, filled, strict=True)], axis=0))
    assert (FOUND.these >= ends[0] - 1e-12).all()
    assert (FOUND.these <= ends[1] + 1e-12).all()
    assert FOUND.now == pytest.approx(ends[0])


def test_a_pair_has_one_probability_either_way():
    a, b = FOUND.runs[0], FOUND.runs[-1]
    for on in ("these topics", "new topics"):
        assert FOUND.probability(a, b, on) + FOUND.probability(b, a, on) == pytest.approx(1)
        whole = FOUND.probabilities(on)
        assert whole[0, -1] == FOUND.probability(a, b, on)
        assert np.diag(whole) == pytest.approx(0.5)  # ties count half


def test_new_topics_are_less_certain_than_these():
    these, new = (FOUND.band(on) for on in ("these topics", "new topics"))
    assert (new[1] - new[0] > these[1] - these[0]).all()
    a, b = np.argsort(FOUND.mean)[[-1, 0]]
    assert FOUND.probabilities("new topics")[a, b] <= FOUND.probabilities()[a, b]


def test_a_difference_has_the_band_of_its_draws():
    mean, low, high = FOUND.difference(FOUND.runs[1], FOUND.runs[2])
    drawn = FOUND.these[:, 1] - FOUND.these[:, 2]
    assert mean == pytest.approx(drawn.mean())
    assert (low, high) == pytest.approx(np.quantile(drawn, (0.05, 0.95)))


def test_without_holes_everything_is_certain_on_these_topics_and_not_on_new_ones():
    world = simulated(topics=10)
    prior = fit_prior(world.candidates, world.truth, checked=False, run_effect=0.5)
    terms = terms_of("nDCG@5", world.candidates.depth, prior.levels)
    found = estimate(prior, TermScores(world.candidates, world.truth, prior.levels, terms, prior.holes), "nDCG@5", 200)
    assert found.these == pytest.approx(np.tile(found.now, (200, 1)))
    assert found.tau == pytest.approx(1)
    assert set(found.probabilities().ravel().tolist()) <= {0, 0.5, 1}
    assert found.new.std() > found.these.std(axis=0).max()


def test_the_same_seed_gives_the_same_numbers():
    assert (estimated(draws=50).these == estimated(draws=50).these).all()
    assert (estimated(draws=50).new == estimated(draws=50).new).all()


def test_estimates_come_nearer_to_the_truth_than_holes_that_count_as_not_relevant():
    prior = FOUND.prior
    terms = terms_of("P@5", WORLD.candidates.depth, prior.levels)
    true = TermScores(WORLD.candidates, WORLD.truth, prior.levels, terms, np.zeros(len(WORLD.truth), dtype=bool))
    value = np.mean([true.values(t, np.zeros((1, 0), dtype=np.int8))[0] for t in true.topics], axis=0)
    assert np.abs(FOUND.mean - value).mean() < 0.6 * np.abs(FOUND.now - value).mean()


def test_an_estimate_prints_runs_pairs_and_where_it_comes_from():
    text = repr(FOUND)
    assert "P@5 · 10 topics · 1,500 completions" in text
    assert "Kendall tau-b with the present order" in text
    assert "as good as the prior" in text
    rows = FOUND.pair_sheet().records()
    assert len(rows) == len(FOUND.runs) * (len(FOUND.runs) - 1) // 2
    assert rows[0]["P(A > B) on these topics"] == FOUND.probability(FOUND.runs[0], FOUND.runs[1])
    assert rows[0]["on new topics"] == FOUND.probability(FOUND.runs[0], FOUND.runs[1], "new topics")
    plain = FOUND.to_dict()["result"]
    assert plain["pairs"][0]["p_on_these_topics"] == rows[0]["P(A > B) on these topics"]
    assert FOUND.to_json()


def test_one_run_has_no_order():
    world = simulated(runs=1, pooled=1, depth=3, topics=3)
    found = estimated(world=world, draws=20)
    assert np.isnan(found.tau).all()
    assert "tau" not in repr(found)
    assert found.to_dict()["result"]["tau"] is None


def test_what_is_not_there_is_refused():
    with pytest.raises(KeyError, match="no run"):
        FOUND.probability("r00", "nobody")
    with pytest.raises(PolicyError, match="unknown"):
        FOUND.probability("r00", "r01", "all topics")
    with pytest.raises(Error, match="memory"):
        estimated(draws=10**13)
