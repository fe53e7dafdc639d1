"""A law over the registry: bounds contain every completion, exact ends are attained, and ranges nest."""

import zlib

import numpy as np
import pytest

import cranfield as cf
from cranfield.missing.bounds.grids import completions_of
from cranfield.missing.bounds.method import method_of
from cranfield.missing.situation import Situation
from tests.missing.laws import A, B, check_ends
from tests.missing.small_cases import UNIVERSES, every_measure, random_case, situation_of

CASES = 30


def cases(name, number=CASES):
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(number):
        qrels, runs = random_case(rng)
        yield situation_of(qrels, runs, name, UNIVERSES[int(rng.integers(len(UNIVERSES)))]), rng


def every(situation: Situation, topic):
    return completions_of(np.arange(topic.holes + topic.unseen), topic.holes, topic.unseen, situation.levels)


@pytest.mark.parametrize("name", every_measure())
def test_bounds_contain_every_completion_and_exact_ends_are_attained(name):
    for situation, _ in cases(name):
        topic = situation.of_topic(0)
        check_ends(situation, topic, every(situation, topic))


@pytest.mark.parametrize("name", every_measure())
def test_one_more_judgment_never_widens_a_range(name):
    for situation, rng in cases(name, 15):
        method, topic = method_of(situation), situation.of_topic(0)
        if not topic.holes:
            continue
        before = method.ends(topic, A, B)
        grade = float(rng.choice(situation.levels))
        after = method.ends(topic.judged(int(rng.integers(topic.holes)), grade), A, B)
        known = ~np.isnan(after.low)
        assert (after.low[known] >= before.low[known] - 1e-9).all()
        assert (after.high[known] <= before.high[known] + 1e-9).all()


@pytest.mark.parametrize("name", every_measure())
def test_a_range_of_a_difference_lies_inside_the_difference_of_the_ranges(name):
    for situation, _ in cases(name, 15):
        found = method_of(situation).ends(situation.of_topic(0), A, B)
        assert not found.low[2] < found.low[0] - found.high[1] - 1e-9
        assert not found.high[2] > found.high[0] - found.low[1] + 1e-9


@pytest.mark.parametrize("name", ["P@2", "nDCG@3", "AP", "Bpref", "RBP(p=0.8)", "RR", "nDCG'@3", "R@3", "Q"])
def test_a_witness_is_a_set_of_judgments_that_evaluate_scores_at_the_end(name):
    rng = np.random.default_rng(7)
    for _ in range(20):
        qrels, runs = random_case(rng, levels=2)
        found = cf.holes(qrels, runs, name)
        ranges = found.bounds()
        for high in (False, True):
            for number, run in enumerate(found.runs):
                full = cf.evaluate(found.witness(run, high=high), runs, name, no_relevant="zero")
                assert full.means[number, 0] == pytest.approx(ranges["highest" if high else "lowest"][number], abs=1e-9)
            verdict = found.verdict("a", "b")
            full = cf.evaluate(found.witness("a", "b", high=high), runs, name)
            assert full.means[0, 0] - full.means[1, 0] == pytest.approx(verdict.high if high else verdict.low, abs=1e-9)
