"""Estimates from samples: their range is that of the measure which they estimate, once all holes are judged."""

import itertools

import numpy as np
import pytest

import cranfield as cf
from cranfield.measures.pages.describe import describe

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
JUDGED = {"a": (1, 2), "b": (1, 0), "c": (1, 1), "d": (2, -1), "e": (2, 1), "f": (2, 2), "g": (2, 0), "h": (2, -1)}
RUNS = {"r": {"1": [*"abecxfgdh"]}, "s": {"1": [*"hgfedcba"]}}
ESTIMATES = {
    "xinfAP": 1e-4,
    "statAP": 1e-9,
    "statAP(rel=2)": 1e-9,
    "infNDCG": 1e-9,
    "infNDCG@4": 1e-9,
    "infNDCG(dcg='exp-log2')@4": 1e-9,
    "statNDCG@4": 1e-9,
    "infAP": 1e-4,
}


def qrels(tmp_path, grades):
    lines = [f"1 0 {document} {stratum} {grade}\n" for document, (stratum, grade) in grades.items()]
    (tmp_path / "qrels").write_text("".join(lines))
    return cf.read_qrels(tmp_path / "qrels", format="qrels-stratum")


@pytest.mark.parametrize(("name", "near"), ESTIMATES.items())
def test_the_ends_are_those_of_the_estimate_after_all_holes_are_judged(name, near, tmp_path):
    found = cf.holes(qrels(tmp_path, JUDGED), RUNS, name, universe="runs:9")
    every = []
    for grades in itertools.product((0, 1, 2), repeat=3):
        full = JUDGED | {"d": (2, grades[0]), "h": (2, grades[1]), "x": (2, grades[2])}
        every.append(cf.evaluate(qrels(tmp_path, full), RUNS, name).means[:, 0])
    ranges = found.bounds()
    assert ranges["lowest"].to_list() == pytest.approx(np.min(every, axis=0).tolist(), abs=near)
    assert ranges["highest"].to_list() == pytest.approx(np.max(every, axis=0).tolist(), abs=near)
    assert ranges["exact"].all()
    gap = [row[0] - row[1] for row in every]
    verdict = found.verdict("r", "s")
    assert (verdict.low, verdict.high) == pytest.approx((min(gap), max(gap)), abs=2 * near)


def test_the_footer_and_the_page_say_what_the_range_is_of(tmp_path):
    shown = str(cf.holes(qrels(tmp_path, JUDGED), RUNS, "statAP"))
    assert "range of AP, which is estimated" in shown
    assert describe("statAP").bounds.startswith("those of AP, which it estimates")


def test_an_estimate_outside_the_range_is_drawn_beside_it(tmp_path):
    found = cf.holes(qrels(tmp_path, JUDGED), RUNS, "statAP")
    row = found.ranges().ranges[0]
    assert row.as_judged > row.highest
    assert any("┤ ●" in line for line in str(found).splitlines())


def test_a_comparison_has_the_column_too(tmp_path):
    lines = [f"{topic} 0 {d} {s} {g}\n" for topic in "123" for d, (s, g) in JUDGED.items()]
    (tmp_path / "qrels").write_text("".join(lines))
    judged = cf.read_qrels(tmp_path / "qrels", format="qrels-stratum")
    runs = {name: dict.fromkeys("123", found["1"]) for name, found in RUNS.items()}
    compared = cf.compare(judged, runs, ["statAP", "AP"], baseline="s")
    found = cf.with_ranges(compared, cf.holes(judged, runs, ["statAP", "AP"]))
    assert found.pair("r", "s", "statAP").possible_low == found.pair("r", "s", "AP").possible_low
