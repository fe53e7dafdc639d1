"""nDCG as libraries of learning to rank compute it: the gain, topics without relevant documents, equal scores."""

import numpy as np
import pytest
from sklearn.metrics import dcg_score, label_ranking_average_precision_score, label_ranking_loss, ndcg_score

import cranfield as cf

GRADES, NONE = [3, 2, 0, 1, 0, 2], [0, 0, 0]
SCORES, TIED, OTHER = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4], [0.9, 0.5, 0.5, 0.5, 0.2, 0.1], [0.3, 0.2, 0.1]
QRELS = {"q1": dict(zip("abcdef", GRADES, strict=True)), "q2": dict(zip("abc", NONE, strict=True))}
RUNS = {
    name: {"q1": dict(zip("abcdef", scores, strict=True)), "q2": dict(zip("abc", OTHER, strict=True))}
    for name, scores in (("plain", SCORES), ("tied", TIED))
}
# LightGBM 4.7.0: the metric `ndcg` of a Dataset with two groups, the scores as init_score, a learning rate of 1e-12;
# XGBoost 3.2.0: Booster({"eval_metric": name}).eval of a DMatrix with two groups, the scores as base_margin.
# Both give these numbers for the plain and for the tied scores.
EXPONENTIAL = {2: 1.0, 3: 0.9278345801896452, 6: 0.980072074606309}
EXPONENTIAL_MINUS = {2: 0.49999999999999994, 6: 0.48007207460630902}  # XGBoost: ndcg@2-
GRADE = {2: 1.0, 3: 0.90497655832101642, 6: 0.97474011385354065}  # XGBoost with ndcg_exp_gain=False


def mean(run: str, measure: str, **policies: object) -> float:
    return float(cf.evaluate(QRELS, RUNS[run], measure, **policies).means[0, 0])  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize("run", RUNS)
def test_lightgbm_and_xgboost_count_a_topic_without_relevant_documents_as_one(run):
    for cutoff, value in EXPONENTIAL.items():
        ours = mean(run, f"nDCG(dcg='exp-log2')@{cutoff}", no_relevant="one", ties="file")
        assert ours == pytest.approx(value, abs=1e-12)
    for cutoff, value in EXPONENTIAL_MINUS.items():
        assert mean(run, f"nDCG(dcg='exp-log2')@{cutoff}", ties="file") == pytest.approx(value, abs=1e-12)
    for cutoff, value in GRADE.items():
        assert mean(run, f"nDCG@{cutoff}", no_relevant="one", ties="file") == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("cutoff", [1, 2, 3, 6])
@pytest.mark.parametrize("scores", [SCORES, TIED], ids=["plain", "tied"])
def test_scikit_learn_takes_the_mean_over_the_orders_of_equal_scores(scores, cutoff):
    run = {"q1": dict(zip("abcdef", scores, strict=True))}
    qrels = {"q1": QRELS["q1"]}
    found = cf.evaluate(qrels, run, [f"nDCG@{cutoff}", f"DCG@{cutoff}"], ties="expected").means[0]
    assert found[0] == pytest.approx(ndcg_score([GRADES], [scores], k=cutoff), abs=1e-12)
    assert found[1] == pytest.approx(dcg_score([GRADES], [scores], k=cutoff), abs=1e-12)


def test_scikit_learn_counts_a_topic_without_relevant_documents_as_zero():
    assert ndcg_score([NONE], [OTHER]) == 0
    assert mean("plain", "nDCG") == pytest.approx((ndcg_score([GRADES], [SCORES]) + 0) / 2, abs=1e-12)


def test_the_measures_named_in_the_hints_for_scikit_learn_are_the_same():
    binary = [[int(grade > 0) for grade in GRADES]]
    qrels = {"q1": QRELS["q1"]}
    ap, pairs = cf.evaluate(qrels, {"q1": RUNS["plain"]["q1"]}, ["AP", "BprefN"]).means[0]
    assert ap == pytest.approx(label_ranking_average_precision_score(binary, [SCORES]), abs=1e-12)
    assert 1 - pairs == pytest.approx(label_ranking_loss(binary, [SCORES]), abs=1e-12)
    assert label_ranking_average_precision_score([NONE], [OTHER]) == 1


def test_one_replaces_only_what_is_undefined_and_the_audit_says_so():
    scores = cf.evaluate(QRELS, RUNS["plain"], ["nDCG@3", "R@2", "RR", "P@3", "FullRecall@6"], no_relevant="one")
    assert scores.values[0, 1].tolist() == [1, 1, 0, 0, 1]
    assert scores.audit.policies["no_relevant"] == "one"
    assert "1 without relevant documents, scored 1" in str(scores.sheet())
    assert not scores.audit.undefined


def test_one_counts_also_where_the_run_has_no_list():
    with pytest.warns(cf.DataWarning, match="1 judged topic missing, scored as empty lists"):
        scores = cf.evaluate(QRELS, {"q1": RUNS["plain"]["q1"]}, "nDCG@3", no_relevant="one")
    assert "1 missing, scored as empty lists" in str(scores.sheet())
    assert scores.values[0, 1, 0] == 1


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_ranges_are_refused_with_one_and_a_comparison_goes_on():
    with pytest.raises(cf.PolicyError, match='a range is not defined with no_relevant="one"'):
        cf.holes(QRELS, RUNS, "nDCG@3", no_relevant="one")
    with pytest.raises(cf.PolicyError, match="a range is not defined"):
        cf.evaluate(QRELS, RUNS, "nDCG@3", no_relevant="one", unjudged="bounds")
    both = cf.evaluate(QRELS, RUNS, "nDCG@3", no_relevant="one")
    assert np.isfinite(next(cf.compare(both, baseline="plain").pairs()).difference)
