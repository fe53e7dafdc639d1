"""Deciding pairs of TREC-COVID's second round, later judgments answering: a small check-holes."""

import pytest

from benchmarks.holes_calibration import LaterJudgments
from benchmarks.holes_decide import Deciding


@pytest.mark.filterwarnings("ignore")
def test_no_certain_order_is_wrong_and_few_judgments_suffice(shared):
    if not (shared / "data" / "covid-round2").is_dir():
        pytest.skip("covid-round2 is not here (set CRANFIELD_SHARED)")
    data = LaterJudgments.covid(shared / "data")
    deciding, outcome = Deciding(data, draws=500), data.outcome("P@10")
    for pair in range(0, len(outcome), 120):
        steps, holes = deciding.path("P@10", int(data.pairs[0][pair]), int(data.pairs[1][pair]), "progress")
        assert steps[-1].settled
        assert len(steps) - 1 <= holes
        assert steps[-1].probability == outcome[pair]
