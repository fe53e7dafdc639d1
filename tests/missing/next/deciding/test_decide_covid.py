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


@pytest.mark.filterwarnings("ignore")
def test_an_order_that_other_documents_reversed_is_not_certain_where_unseen_ones_may_be_relevant(shared):
    """One of the six pairs of the page: with `runs` it is certain, and later judgments elsewhere reversed it."""
    if not (shared / "data" / "covid-round2").is_dir():
        pytest.skip("covid-round2 is not here (set CRANFIELD_SHARED)")
    data = LaterJudgments.covid(shared / "data")
    deciding, names = Deciding(data, draws=500), data.candidates.runs
    a, b = names.index("UPrrf16lgbertd50-r2"), names.index("sab20.2.dfo.metadocs")
    pair = list(zip(*(side.tolist() for side in data.pairs), strict=True)).index((a, b))
    narrow, _ = deciding.path("nDCG@10", a, b, "progress")
    wide, holes = deciding.path("nDCG@10", a, b, "progress", "open:10")
    assert (narrow[-1].settled, narrow[-1].probability, data.outcome("nDCG@10")[pair]) == (True, 0.0, 1.0)
    assert (wide[-1].settled, len(wide) - 1) == (False, holes)
