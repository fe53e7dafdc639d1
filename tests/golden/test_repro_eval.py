"""`cf.reproduce` beside repro_eval, the program of the authors of its measures; the file says how it was called."""

import json
from pathlib import Path

import pytest

import cranfield as cf

DATA = json.loads((Path(__file__).parent / "repro_eval.json").read_text(encoding="utf-8"))
RUNS, THEIRS = DATA["input"], DATA["found"]
MEASURES = ["AP", "nDCG", "P@10", "RR"]


@pytest.fixture(scope="module")
def same():
    return cf.reproduce(
        RUNS["qrels"],
        RUNS["original"],
        RUNS["reproduced"],
        MEASURES,
        baselines=(RUNS["baseline"], RUNS["reproduced_baseline"]),
    )


@pytest.mark.parametrize(("ours", "theirs"), [("rmse", "rmse"), ("effect_ratio", "er"), ("delta_ri", "dri")])
def test_errors_and_improvements_are_those_of_repro_eval(same, ours, theirs):
    found = {row.measure: getattr(row, ours) for row in same.measures}
    assert found == pytest.approx(THEIRS[theirs], abs=1e-12)


def test_p_is_that_of_repro_eval_which_has_none_for_equal_scores(same):
    other = cf.reproduce(RUNS["qrels"], RUNS["original"], RUNS["reproduced"], MEASURES, qrels_reproduced=RUNS["qrels"])
    for found, theirs in ((same, THEIRS["ttest"]), (other, THEIRS["ttest_unpaired"])):
        for row in found.measures:
            assert row.p == (1.0 if theirs[row.measure] is None else pytest.approx(theirs[row.measure], rel=1e-9))


def test_tau_union_is_that_of_repro_eval_where_names_sort_like_the_union(same):
    """repro_eval 0.5.0 takes the places of documents among their sorted ids: its value depends on their names."""
    taus = {topic: tau for topic, (tau, _) in same.by_topic.items()}
    assert taus == pytest.approx(THEIRS["ktu_renamed"], abs=1e-12)
    assert taus != pytest.approx(THEIRS["ktu_by_id"], abs=0.01)


def test_overlap_extrapolates_what_repro_eval_cuts_off(same):
    """repro_eval divides the sum of the first 10 ranks by that of its weights; ours goes on with the last agreement."""
    p, depth = 0.8, 10
    for topic, (_, overlap) in same.by_topic.items():
        both = set(RUNS["original"][topic]) & set(RUNS["reproduced"][topic])
        cut = THEIRS["rbo_0.8_10"][topic]
        assert overlap == pytest.approx(cut * (1 - p**depth) + len(both) / depth * p**depth, abs=1e-12)
