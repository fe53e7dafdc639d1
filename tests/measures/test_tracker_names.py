"""Names for trackers of experiments: what they may hold, and that every measure can be read back."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.measures.definition import MEASURES
from cranfield.tables.sheets.tracker_names import tracker_name
from tests.laws.worlds import BUILT_IN, settings_of
from tests.measures.read_tracker_names import from_tracker

MLFLOW = re.compile(r"[A-Za-z0-9_.-]+")  # it takes blanks, colons and slashes, too
QRELS, RUN = {"q1": {"d1": 1, "d2": 0}}, {"bm25": {"q1": ["d2", "d1"]}}


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_measure_of_the_registry_is_read_back(name):
    @given(settings_of(BUILT_IN[name]), st.booleans())
    def law(written: str, condensed: bool) -> None:
        measure = cf.parse(written).as_condensed() if condensed else cf.parse(written)
        logged = tracker_name(str(measure))
        assert MLFLOW.fullmatch(logged)
        assert from_tracker(logged) == measure

    law()


@pytest.mark.parametrize(
    ("name", "logged"),
    [
        ("nDCG@10", "ndcg_10"),
        ("RBP(p=0.8)", "rbp_p0.8"),
        ("RBP@10", "rbp_10"),
        ("AP'(rel=2)@5", "ap_condensed_rel2_5"),
        ("AP(rel=-1)", "ap_rel--1"),
        ("P_IA@5", "p_ia_5"),
        ("IPrec@0.1", "iprec_0.1"),
        ("SetF(alpha=0.3)", "setf_alpha0.3"),
        ("SetP(relative=True)", "setp_relative-True"),
        ("nDCG(dcg='exp-log2')@10", "ndcg_dcg.exp-log2_10"),
        ("EU(model='RBP(p=0.5)')", "eu_model.RBP.28.p.3d.0.2e.5.29."),
        ("11pt", "11pt"),
    ],
)
def test_a_name_for_trackers_is_short_where_the_measure_is(name, logged):
    assert tracker_name(name) == logged
    assert from_tracker(logged) == cf.parse(name)


def test_a_measure_of_your_own_is_read_back():
    @cf.measure("Größe_2#", params={"rel": 1}, cutoff=True)
    def size(ranking: cf.Ranking) -> float:
        return 1.0

    try:
        measure = cf.parse("Größe_2#(rel=2)@5")
        assert MLFLOW.fullmatch(tracker_name(str(measure)))
        assert from_tracker(tracker_name(str(measure))) == measure
    finally:
        cf.forget("Größe_2#")
    assert "Größe_2#" not in MEASURES


@pytest.mark.parametrize("name", ["", "zzz_10", "ndcg_ten", "ndcg_10_20", "p_rel", "setp_5", "ndcg_"])
def test_what_is_no_name_in_a_tracker_is_refused(name):
    with pytest.raises(cf.MeasureError):
        from_tracker(name)


def test_means_are_given_by_these_names_on_request():
    scores = cf.evaluate(QRELS, RUN, ["RBP(p=0.8)", "P@2"])
    assert scores.by_run(names="tracker")["bm25"] == pytest.approx({"rbp_p0.8": 0.16, "p_2": 0.5})
    assert list(scores.by_run()["bm25"]) == ["RBP(p=0.8)", "P@2"]
    told = scores.to_dict(names="tracker")["result"]["scores"]
    assert [(row["measure"], row["tracker_name"]) for row in told] == [("RBP(p=0.8)", "rbp_p0.8"), ("P@2", "p_2")]
    assert "tracker_name" not in scores.to_dict()["result"]["scores"][0]
    with pytest.raises(cf.PolicyError, match='names="mlflow" is unknown'):
        scores.by_run(names="mlflow")  # type: ignore[arg-type]  # which is the point
