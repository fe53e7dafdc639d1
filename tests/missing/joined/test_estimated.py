"""A comparison joined with estimates on these and on new topics."""

import csv
import io

import jsonschema
import numpy as np
import pytest

import cranfield as cf
from cranfield.cli.schemas.compare import compare_schema

TOPICS = [f"q{number}" for number in range(20)]
pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


@pytest.fixture
def found():
    """`new` is certainly better on these topics, and better on 14 of 20."""
    rng = np.random.default_rng(1)
    qrels = {topic: {"a": 1, "b": 0, "c": int(rng.integers(2))} for topic in TOPICS}
    runs = {
        "new": {topic: ["a", "c", "x"] if at < 14 else ["b", "a", "x"] for at, topic in enumerate(TOPICS)},
        "old": {topic: ["b", "a", "y"] if at < 14 else ["a", "c", "y"] for at, topic in enumerate(TOPICS)},
    }
    holes = cf.holes(qrels, runs, "P@1")
    ranged = cf.with_ranges(cf.compare(qrels, runs, "P@1", baseline="old"), holes)
    return cf.with_estimates(ranged, {"P@1": holes.estimate(draws=2000)}), holes


def test_the_two_probabilities_have_two_names_and_differ(found):
    comparison, holes = found
    pair, estimate = comparison.pair("new", "old"), holes.estimate(draws=2000)
    assert pair.flip == "no"
    assert pair.probability_these_topics == 1.0
    assert pair.probability_these_topics == estimate.probability("new", "old", "these topics")
    assert pair.probability_new_topics == estimate.probability("new", "old", "new topics")
    assert 0.9 < pair.probability_new_topics < 1.0
    text = comparison.sheet().text()
    assert "P on these topics" in text
    assert "P on new topics" in text
    assert "95 % on new topics" in text
    assert "2,000 completions drawn from the prior; on new topics: over resampled topics too" in text


def test_the_interval_is_of_new_topics_and_has_the_level_of_the_comparison(found):
    comparison, holes = found
    estimate = holes.estimate(draws=2000)
    drawn = estimate.new[:, estimate.runs.index("new")] - estimate.new[:, estimate.runs.index("old")]
    assert comparison.pair("new", "old").new_topics_ci == pytest.approx(tuple(np.quantile(drawn, (0.025, 0.975))))


def test_a_pair_turned_round_has_the_other_probability(found):
    comparison, _ = found
    one, other = comparison.pair("new", "old"), comparison.pair("old", "new")
    assert one.probability_new_topics is not None
    assert one.new_topics_ci is not None
    assert other.probability_new_topics == pytest.approx(1 - one.probability_new_topics)
    assert other.new_topics_ci == (-one.new_topics_ci[1], -one.new_topics_ci[0])


def test_programs_get_them_too(found):
    comparison, _ = found
    row = next(csv.DictReader(io.StringIO(comparison.to_csv())))
    assert {"probability_these_topics", "probability_new_topics", "new_topics_low", "new_topics_high"} < row.keys()
    jsonschema.validate(comparison.to_dict()["result"], compare_schema())
