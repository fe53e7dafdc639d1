"""Procedures for all pairs: what is exported is what they computed."""

import csv
import io
import json

import numpy as np
import pytest
from scipy import stats

from cranfield.stats.comparison.compare import compare
from tests.stats.scored import draw, scored
from tests.stats.worked import X

SYSTEMS = scored(X, runs="ABCD")
NAMES = ["tukey", "tukey-randomized", "conover", "nemenyi"]


def exported(comparison):
    """The pairs in JSON, and the same in CSV."""
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv())))
    return json.loads(comparison.to_json())["result"], rows


@pytest.mark.parametrize("adjust", NAMES)
def test_every_pair_names_the_procedure(adjust):
    result, rows = exported(compare(SYSTEMS, adjust=adjust, samples=200))
    assert (result["test"], result["adjust"]) == (adjust, adjust)
    assert {pair["test"] for pair in result["pairs"]} == {row["test"] for row in rows} == {adjust}


def test_every_pair_names_its_test():
    result, rows = exported(compare(SYSTEMS, test="sign"))
    assert {pair["test"] for pair in result["pairs"]} == {row["test"] for row in rows} == {"sign"}


@pytest.mark.parametrize(
    ("adjust", "statistic"),
    [
        ("tukey", 0.0666667 / np.sqrt(0.00085778 / 6)),  # SPEC 15.3: mean difference over √(MSE / b)
        ("tukey-randomized", 0.0666667),
        ("conover", 14 / (6.9613 / stats.t.ppf(0.975, 15))),  # rank sums 22 and 8; the critical difference is t × error
        ("nemenyi", 14 / 6 / (1.914843 / (2.569032 * np.sqrt(2)))),
    ],
)
def test_the_statistic_is_that_of_the_procedure(adjust, statistic):
    comparison = compare(SYSTEMS, adjust=adjust, samples=200)
    assert comparison.pair("D", "A").statistic == pytest.approx(statistic, rel=2e-5)
    assert comparison.pair("A", "D").statistic == pytest.approx(-statistic, rel=2e-5)


@pytest.mark.parametrize("adjust", NAMES)
def test_no_corrected_p_lies_below_its_raw_one(adjust):
    for seed in range(5):
        for pair in compare(scored(draw(seed)), adjust=adjust, samples=200).pairs():
            assert np.isnan(pair.p_raw) or pair.p_raw <= pair.p


def test_the_raw_p_is_null_where_the_procedure_has_none():
    known = {adjust: exported(compare(SYSTEMS, adjust=adjust, samples=200))[0]["pairs"] for adjust in NAMES}
    assert {adjust for adjust, pairs in known.items() if all(pair["p_raw"] is None for pair in pairs)} == {
        "tukey",
        "tukey-randomized",
        "nemenyi",
    }
    assert all(pair["p_raw"] == pair["p"] for pair in known["conover"])


def test_where_less_is_better_the_statistic_has_the_sign_of_the_difference():
    comparison = compare(scored(X, runs="ABCD", measures=["ESL"]), adjust="tukey")
    assert all(pair.statistic * pair.difference > 0 for pair in comparison.pairs())


def test_truth_values_stay_truth_values():
    comparison = compare(SYSTEMS, adjust="tukey")
    assert [row["significant"] for row in comparison.to_records()] == [pair.significant for pair in comparison.pairs()]
    assert all(isinstance(row["significant"], bool) for row in comparison.to_records())
    assert '"significant": true' in comparison.sheet().jsonl()
