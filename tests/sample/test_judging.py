"""Simulated assessors over real HTTP, against a server in a process of its own: REL-2 and REL-4, a small version."""

import pytest

from cranfield.sample.bench.judging import measure_judging


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """What the smallest load measures."""
    return {row.program: row for row in measure_judging(tmp_path_factory.mktemp("judging"), "XS")}


def test_assessors_at_the_same_time_meet_no_error(results):
    """REL-2: errors are counted, times are only reported."""
    assert {name: row.problem for name, row in results.items() if row.problem} == {}
    assert results["judgments in all"].rows == results["save a judgment, p50"].rows > 0


def test_racing_clients_get_no_judgment_more_than_wanted(results):
    """REL-4."""
    assert results["6 racing for 10 pairs: judgments"].rows == 10


def test_limits_are_those_of_the_contract(results):
    """SEC-8, MUL-2: five wrong passwords, ten minutes."""
    assert results["wrong passwords until the door is shut"].rows == 5
    assert 590 < (results["a pair is held"].wall or 0) <= 600
