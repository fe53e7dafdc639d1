"""Bounds of measures that look at whole lists, and of the user's own."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import MeasureError

QRELS = {"1": {"a": 1, "b": 0}}
RUNS = {"r": {"1": {"a": 3.0, "x": 3.0, "b": 2.0, "y": 1.0}}, "s": {"1": {"x": 3.0, "y": 2.0, "a": 1.0}}}


@pytest.fixture
def own():
    made = []

    def make(function, **choices):
        cf.measure("Own", **choices)(function)
        made.append("Own")

    yield make
    for name in made[:1]:
        cf.forget(name)


def share(r):
    """Relevant share."""
    return float((r.grades(default=0) >= 1).mean())


def clear(r):
    """A measure that falls with every relevant document."""
    return float((r.grades(default=0) < 1).mean())


def by_name(r):
    """The share of the score that relevant documents named x or a have."""
    known = [
        score for name, score, grade in zip(r.ids, r.scores, r.grades(default=0), strict=True) if grade and name in "ax"
    ]
    return float(sum(known) / r.scores.sum())


def ends(name):
    table = cf.holes(QRELS, RUNS, name).bounds()
    return [end for row in table.select("lowest", "highest").rows() for end in row]


def test_all_completions_of_an_own_measure_are_gone_through_with_its_ids_and_scores(own):
    own(by_name)
    assert ends("Own") == pytest.approx([3 / 9, 6 / 9, 1 / 6, 4 / 6])
    assert cf.holes(QRELS, RUNS, "Own").verdict("r", "s").low == pytest.approx(0)


def test_a_monotone_own_measure_needs_two_completions(own):
    many = {"1": {f"d{n}": 40.0 - n for n in range(40)}}  # 2^39 completions
    own(share, bounds="monotone")
    assert cf.holes({"1": {"d0": 1}}, {"r": many}, "Own").bounds().select("lowest", "highest", "exact").row(0) == (
        1 / 40,
        1.0,
        True,
    )


def test_an_own_measure_that_is_not_monotone_is_found_out(own):
    own(clear, bounds="monotone")
    with pytest.raises(MeasureError, match="Own is declared monotone, and a higher grade lowers it"):
        cf.holes(QRELS, RUNS, "Own").bounds()


MANY = {"1": {f"d{n}": 40.0 - n for n in range(40)}}
FEW_JUDGED = {"1": {"d0": 1}}


def test_an_own_measure_with_many_holes_has_an_inner_range_that_is_not_certified(own):
    own(share)
    found = cf.holes(FEW_JUDGED, {"r": MANY, "s": {"1": ["d1"]}}, "Own")
    lowest, highest, exact, certified = found.bounds().select("lowest", "highest", "exact", "certified").row(0)
    assert lowest == pytest.approx(1 / 40)  # no hole is relevant, which is among the completions
    assert highest == 1.0
    assert (exact, certified) == (False, False)
    assert found.bounds()["certified"].to_list() == [False, True]
    assert "inner, not certified" in str(found)
    assert found.result()["measures"][0]["method"] == "exact bounds; some inner, not certified"


def test_the_inner_range_is_the_same_in_every_call(own):
    own(by_name)
    first, second = (cf.holes(FEW_JUDGED, {"r": MANY}, "Own").bounds().rows() for _ in range(2))
    assert first == second


def test_only_completions_that_reverse_an_order_settle_it_and_nothing_makes_it_certain(own):
    own(share)
    crossing = cf.holes(FEW_JUDGED, {"r": MANY, "s": {"1": ["d1"]}}, "Own").verdict("r", "s")
    assert (crossing.status, crossing.certified) == ("open", False)
    own(lambda r: 1.0 + float(len(r.ids) > 30) + 0 * r.grades(default=0).sum())
    above = cf.holes(FEW_JUDGED, {"r": MANY, "s": {"1": ["d1"]}}, "Own")
    verdict = above.verdict("r", "s")
    assert (verdict.low, verdict.high, verdict.status, verdict.winner) == (1.0, 1.0, "unresolved", None)
    assert "unresolved: nothing found that reverses it (inner, not certified)" in str(above)
    assert not above.differences().decided.any()


def test_a_comparison_by_an_own_measure_says_that_its_ranges_are_not_certified(own):
    own(share)
    judged = dict.fromkeys("123", FEW_JUDGED["1"])
    runs = {"r": dict.fromkeys("123", MANY["1"]), "s": {topic: {"d1": 1.0} for topic in "123"}}
    compared = cf.with_ranges(cf.compare(judged, runs, "Own", baseline="s"), cf.holes(judged, runs, "Own"))
    pair = compared.pair("r", "s")
    assert (pair.flip, pair.possible_exact) == ("yes", False)
    assert np.isfinite(pair.possible_low or 0.0)
    assert np.isfinite(pair.possible_high or 0.0)
    assert any("inner, not certified" in line for line in compared.assumptions)


def test_equal_scores_count_in_the_bounds_of_expected_search_length():
    found = cf.holes(QRELS, RUNS, "ESL").bounds().select("lowest", "highest").rows()
    full = []
    for x in (0, 1):
        for y in (0, 1):
            qrels = {"1": QRELS["1"] | {"x": x, "y": y}}
            full.append(cf.evaluate(qrels, RUNS, "ESL").means[:, 0])
    assert found == [tuple(row) for row in zip(np.min(full, axis=0), np.max(full, axis=0), strict=True)]


def test_condensed_lists_of_such_measures_are_refused():
    with pytest.raises(MeasureError, match="ESL' has no bounds here"):
        cf.holes(QRELS, RUNS, "ESL'")
