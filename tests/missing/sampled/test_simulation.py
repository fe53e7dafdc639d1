"""A small version of the tables of the page on sampled judgments."""

import numpy as np
import pytest

from benchmarks.marked_pages import END, written
from benchmarks.sampled_estimators import (
    PAGE,
    differences,
    enumerated,
    independent_world,
    mean_outcomes,
    outcome,
    powered_outcomes,
    stratified_world,
)
from cranfield.measures.grammar import parse
from tests.measures.worked import SIX

SUMS = ("relevant documents", "DCG", "numerator of statAP")


def test_sums_are_unbiased_over_all_samples():
    for rows in enumerated().values():
        for name in SUMS:
            truth, mean = rows[name]
            assert mean == pytest.approx(truth, abs=1e-9), name


def test_the_difference_estimator_is_unbiased_and_spreads_less():
    alone, both = differences().values()
    assert alone == pytest.approx((2.286884, 2.286884, 0.917962), abs=SIX)
    assert both == pytest.approx((2.286884, 2.286884, 0.577012), abs=SIX)


@pytest.mark.parametrize("seed", range(3))
def test_ratios_of_a_pool_of_usual_size_are_nearly_unbiased(seed):
    full, samples = stratified_world(seed, 500)
    for name, plain in {"xinfAP": "AP", "infNDCG": "nDCG", "statAP": "AP", "statNDCG": "nDCG"}.items():
        assert abs(parse(name)(samples).mean() - parse(plain)(full)[0]) < 0.02, name
    full, samples = independent_world(seed, 500)
    for name, plain in {"statAP": "AP", "statNDCG": "nDCG"}.items():
        assert abs(parse(name)(samples).mean() - parse(plain)(full)[0]) < 0.02, name


def test_intervals_of_topics_hold_the_truth_most_of_the_time():
    full, samples = independent_world(0, 300)
    assert outcome("statAP", full, samples, 0).coverage > 0.8


def test_means_over_topics_are_simulated_too():
    for name, found in mean_outcomes("1-10:1,11-100:0.3", 2, 50, draws=20).items():
        assert abs(found.mean - found.truth) < 0.05, name


def test_people_and_model_together_are_right_where_the_model_is_not():
    for name, found in powered_outcomes(25, 200, 400, 3).items():
        assert abs(found.mean - 0.4) < 4 * found.spread / np.sqrt(400) + 0.005, name
        assert 0.9 < found.coverage < 0.99, name


def test_the_page_has_a_place_for_the_tables():
    assert "new text" in written(PAGE.read_text(encoding="utf-8"), "new text")
    assert PAGE.read_text(encoding="utf-8").count(END) == 1
