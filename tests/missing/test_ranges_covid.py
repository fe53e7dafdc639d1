"""Ranges from the judgments of TREC-COVID's second round beside what later rounds brought: a small check-holes."""

import numpy as np
import pytest

from benchmarks.check_holes import END, PAGE, PARTS, begin_of
from benchmarks.holes_calibration import LaterJudgments
from benchmarks.holes_ranges import outcome, with_later
from benchmarks.marked_pages import written
from cranfield.pooling.candidates import Candidates


@pytest.fixture(scope="module")
def covid(shared):
    if not (shared / "data" / "covid-round2").is_dir():
        pytest.skip("covid-round2 is not here (set CRANFIELD_SHARED)")
    data = LaterJudgments.covid(shared / "data")
    return data, Candidates.of(data.runs.values(), 10, None, with_later(data))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("measure", "universe", "certain", "reverted"), [("P@10", "runs", 0.33, 0.053), ("nDCG@10", "open:10", 0.44, 0.044)]
)
def test_no_later_judgment_left_a_range_or_reversed_a_certain_order(covid, measure, universe, certain, reverted):
    data, candidates = covid
    found = outcome(data, candidates, measure, universe)
    assert not found.outside.any()
    assert not found.pairs_outside.any()
    assert not (found.reversed & found.certain).any()
    assert np.count_nonzero(found.completed) == 44
    assert found.certain.mean() == pytest.approx(certain, abs=0.005)
    assert found.reversed.mean() == pytest.approx(reverted, abs=0.001)


def test_every_part_of_the_check_has_its_place_in_the_page():
    page = PAGE.read_text(encoding="utf-8")
    for part in PARTS:
        assert "| new |" in written(page, "| new |", begin_of(part), END)
