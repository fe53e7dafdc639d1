"""Outer bounds of graded measures: they contain every completion, and say more than the declared range."""

import zlib

import numpy as np
import pytest

from cranfield.missing.bounds.enumeration import Enumeration
from cranfield.missing.bounds.grids import completions_of
from cranfield.missing.bounds.method import method_of
from cranfield.missing.completions import values
from tests.missing.small_cases import UNIVERSES, ends_of, random_case, situation_of

NAMES = [
    *("nERR", "nERR@2", "nERR(stop='linear')", "nERR(max_rel=1)", "nERR(max_rel=4)@3", "nERR'@3"),
    *("GAP", "GAP@2", "GAP(g={1:0.3,2:0.7})", "GAP(g={2:1})", "GAP(no_user='nan')", "GAP'"),
    *("eGAP", "eGAP@3", "eGAP(g={1:0.2,2:0.8})", "eGAP(renormalise=True)", "eGAP(g={2:1.0},renormalise=True)@2"),
    *("eGAP(no_user='nan',renormalise=True)", "eGAP(g={1:0.5,3:0.5})"),
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("policy", ["zero", "exclude"])
def test_no_completion_lies_outside(name, policy):
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    for _ in range(200):
        qrels, runs = random_case(rng)
        universe = UNIVERSES[int(rng.integers(len(UNIVERSES)))]
        situation = situation_of(qrels, runs, name, universe, no_relevant=policy)
        method, topic = method_of(situation), situation.of_topic(0)
        assert isinstance(method, Enumeration)
        assert type(method) is not Enumeration
        low, high = method.outer(topic)
        every = completions_of(np.arange(topic.holes + topic.unseen), topic.holes, topic.unseen, situation.levels)
        for run, column in enumerate(values(situation, topic, every).T):
            if (truth := ends_of(column)) is not None:
                assert low[run] <= truth[0] + 1e-9
                assert high[run] >= truth[1] - 1e-9


@pytest.mark.parametrize("name", ["nERR@10", "GAP@10", "eGAP"])
def test_many_holes_have_a_nearer_range_than_the_declared_one(name):
    documents = [f"d{number}" for number in range(30)]
    qrels = {"1": {"d0": 2, "d1": 2, "d2": 1, "far": 2}}
    situation = situation_of(qrels, {"a": {"1": documents}, "b": {"1": documents[::-1]}}, name)
    method = method_of(situation)
    assert isinstance(method, Enumeration)
    found = method.alone(situation.of_topic(0))
    assert not found.exact.any()
    assert found.low[0] > 0.01


def test_with_the_highest_grade_of_the_topic_no_property_is_used():
    situation = situation_of({"1": {"a": 1}}, {"r": {"1": ["a", "b"]}}, "nERR(highest='topic')")
    assert type(method_of(situation)) is Enumeration
