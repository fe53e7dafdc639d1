"""Pairs of runs of which much more was judged for one than for the other."""

import numpy as np

from cranfield.stats.comparison.compare import compare
from tests.stats.scored import draw, scored


def said(shares, **options):
    values = draw(1, runs=1, topics=30)[:, :, 0] * np.ones((len(shares), 1)) / 2
    steps = np.arange(len(shares))[:, None] * np.linspace(0.05, 0.15, 30)  # every pair is significant
    scores = scored(values + steps, judged=shares, looks_at=["whole list"])
    return compare(scores, **options).sheet().text()


def test_ten_points_are_said_beside_the_star_and_nine_are_not():
    text = said([0.9, 0.8], baseline="run0")
    assert "*‡" in text
    assert "p < 0.05.   ‡ run1 80.0 % judged, run0 90.0 %: a difference" in text
    assert "unjudged documents" not in said([0.9, 0.801], baseline="run0")


def test_it_is_not_said_without_a_star():
    assert "unjudged documents" not in said([0.9, 0.8], baseline="run0", test="none")


def test_many_pairs_are_counted():
    assert "‡ 6 pairs differ by 10 points or more in what was judged (as run" in said([0.9, 0.8, 0.5, 0.3])


def test_an_unknown_share_says_nothing():
    assert "unjudged documents" not in said([0.9, np.nan], baseline="run0")


def test_each_table_has_the_share_of_what_its_measure_looks_at():
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(8)}
    runs = {"new": {q: ["a", *map(str, range(9))] for q in qrels}, "old": {q: ["b", "a"] for q in qrels}}
    comparison = compare(qrels, runs, ["P@1", "AP"], baseline="old")
    first, second = (block.columns[-1] for block in comparison.sheet().blocks)
    assert (first.name, first.cells) == ("judged@1", ["100.0 %", "100.0 %"])
    assert (second.name, second.cells) == ("judged", ["100.0 %", "10.0 %"])
    assert comparison.to_dict()["result"]["looks_at"] == {"P@1": "first 1", "AP": "whole list"}
