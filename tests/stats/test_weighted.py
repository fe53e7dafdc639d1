"""Issue 15, point 7: weights of topics in means, intervals, tests and groups, checked by hand and by enumeration."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.weightstats import DescrStatsW

import cranfield as cf
from cranfield.stats.paired.student import student
from cranfield.stats.weights.weighted import products
from cranfield.stats.weights.weighted_mean import WeightedMean

RNG = np.random.default_rng(8)
TOPICS = [f"q{n}" for n in range(9)]
QRELS = {topic: {f"d{n}": int(RNG.integers(0, 3)) for n in range(8)} for topic in TOPICS}
RUNS = {run: {topic: [f"d{n}" for n in RNG.permutation(8)] for topic in TOPICS} for run in ("new", "old")}
WEIGHTS = dict(zip(TOPICS, [5.0, 1.0, 0.0, 2.0, 7.0, 1.5, 3.0, 0.5, 4.0], strict=True))
WEIGHT = np.array(list(WEIGHTS.values()))


@pytest.fixture(scope="module")
def scores() -> cf.Scores:
    return cf.evaluate(QRELS, RUNS, ["nDCG@5", "AP"])


def test_the_mean_is_the_sum_of_products_over_the_sum_of_weights(scores):
    found = cf.weighted(scores, WEIGHTS)
    for run, name in product(scores.runs, scores.measures):
        at = scores.runs.index(run), scores.measures.index(name)
        assert found.means[at] == pytest.approx(np.average(scores[run, name], weights=WEIGHT))
        assert found.means[at] == pytest.approx(DescrStatsW(scores[run, name], WEIGHT).mean)


def test_equal_weights_change_no_number(scores):
    same = cf.weighted(scores, dict.fromkeys(TOPICS, 3.0))
    assert same.means == pytest.approx(scores.means)
    assert cf.with_intervals(same, "t").intervals == pytest.approx(cf.with_intervals(scores, "t").intervals)
    for test in ("t", "permutation"):
        one, other = (cf.compare(each, baseline="old", test=test).pair("new", "old", "AP") for each in (same, scores))
        assert (one.difference, one.p_raw, one.d_z, *one.ci) == pytest.approx(
            (other.difference, other.p_raw, other.d_z, *other.ci)
        )


def test_a_topic_of_weight_0_is_left_out_of_everything(scores):
    found = cf.compare(cf.weighted(scores, WEIGHTS), baseline="old", test="permutation").pair("new", "old", "AP")
    kept = [topic for topic in TOPICS if WEIGHTS[topic]]
    alone = cf.compare(
        cf.weighted(scores.on_topics(kept), {topic: WEIGHTS[topic] for topic in kept}),
        baseline="old",
        test="permutation",
    ).pair("new", "old", "AP")
    assert found == alone
    assert found.topics == 8


def test_the_permutation_test_swaps_runs_on_topics_and_keeps_the_weights(scores):
    """All 2⁸ swaps: the share whose weighted mean difference is at least as large."""
    difference = scores["new", "AP"] - scores["old", "AP"]
    kept = WEIGHT > 0
    swaps = np.array(list(product([1, -1], repeat=int(kept.sum()))))
    drawn = swaps @ (WEIGHT * difference)[kept] / WEIGHT.sum()
    expected = np.mean(np.abs(drawn) >= abs(np.average(difference, weights=WEIGHT)) - 1e-12)
    pair = cf.compare(cf.weighted(scores, WEIGHTS), baseline="old", test="permutation").pair("new", "old", "AP")
    assert pair.difference == pytest.approx(np.average(difference, weights=WEIGHT))
    assert pair.p_raw == pytest.approx(expected)


def test_the_t_test_and_its_interval_are_of_the_products(scores):
    difference = (scores["new", "nDCG@5"] - scores["old", "nDCG@5"])[WEIGHT > 0]
    own = WEIGHT[WEIGHT > 0]
    expected = scipy.stats.ttest_1samp(own * difference / own.mean(), 0)
    pair = cf.compare(cf.weighted(scores, WEIGHTS), baseline="old").pair("new", "old", "nDCG@5")
    assert (pair.statistic, pair.p_raw) == pytest.approx((expected.statistic, expected.pvalue))
    ends = expected.confidence_interval()
    assert pair.ci == pytest.approx((ends.low, ends.high))
    assert (pair.p_raw < 0.05) == (pair.ci[0] > 0 or pair.ci[1] < 0)


def by_matrices(values, own):
    """Mean, error and degrees of freedom of Bell and McCaffrey, as quadratic forms of whole matrices."""
    share = own / own.sum()
    mean = share @ values
    taken = np.eye(len(own)) - np.outer(np.ones(len(own)), share)  # what taking the mean away does
    form = taken.T @ np.diag(share**2 / np.diag(taken @ taken.T)) @ taken
    assert np.trace(form) == pytest.approx(np.sum(share**2))  # unbiased for topics of equal spread
    return mean, np.sqrt(values @ form @ values), np.trace(form) ** 2 / np.trace(form @ form)


def test_the_interval_of_a_mean_is_that_of_bell_and_mccaffrey(scores):
    mean, error, freedom = by_matrices(scores["new", "AP"][WEIGHT > 0], WEIGHT[WEIGHT > 0])
    half = scipy.stats.t.ppf(0.975, freedom) * error
    found = cf.with_intervals(cf.weighted(scores, WEIGHTS), "t").intervals
    assert found is not None
    assert found[0, 1] == pytest.approx([max(0, mean - half), min(1, mean + half)])


@pytest.mark.parametrize("spread", [0.5, 1.0])
def test_intervals_of_weighted_means_contain_the_truth_as_often_as_they_say(spread):
    """30 topics of mean 0.4, log-normal weights: at least 95 % of 10,000 intervals, four standard errors allowed."""
    rng = np.random.default_rng(6)
    weights = rng.lognormal(0, spread, (10_000, 30))
    ends = WeightedMean.of(rng.beta(2, 3, weights.shape), weights).interval(0.95)
    assert 0.941 < np.mean((ends[:, 0] <= 0.4) & (ends[:, 1] >= 0.4)) < 0.985


@pytest.mark.parametrize("spread", [0.5, 1.0])
def test_the_weighted_t_test_rejects_no_more_than_its_level(spread):
    """30 topics without a difference, log-normal weights: the share rejected at 0.05, of 20,000."""
    rng = np.random.default_rng(2)
    weights = rng.lognormal(0, spread, (20_000, 30))
    rejected = np.mean(student(weights * rng.normal(0, 1, weights.shape)).pvalue < 0.05)
    assert 0.03 < rejected < 0.0562  # 4 standard errors above the level; heavy weights make it careful


def test_weights_count_within_groups_and_groups_count_alike(scores):
    groups = {topic: "head" if at < 4 else "tail" for at, topic in enumerate(TOPICS)}
    found = cf.by_group(cf.weighted(scores, WEIGHTS), groups, ci="t")
    parts = [(scores["new", "AP"][places], WEIGHT[places]) for places in (slice(0, 4), slice(4, 9))]
    parts = [(values[own > 0], own[own > 0]) for values, own in parts]
    means = [np.average(values, weights=own) for values, own in parts]
    assert found.means[0, :, 1] == pytest.approx(means)
    assert found.mean_of_groups[0, 1] == pytest.approx(sum(means) / 2)
    terms = [by_matrices(values, own) for values, own in parts]
    variance = sum(error**2 for _, error, _ in terms)
    freedom = variance**2 / sum(error**4 / own for _, error, own in terms)
    half = scipy.stats.t.ppf(0.975, freedom) * np.sqrt(variance) / 2
    expected = [max(0, sum(means) / 2 - half), min(1, sum(means) / 2 + half)]
    assert found.intervals_of_groups[0, 1] == pytest.approx(expected)
    pair = next(pair for pair in found.compare(baseline="old").pairs if pair.measure == "AP")
    other = [np.average(scores["old", "AP"][at], weights=WEIGHT[at]) for at in (slice(0, 4), slice(4, 9))]
    assert pair.difference == pytest.approx((sum(means) - sum(other)) / 2)


def test_all_weight_in_one_topic_gives_its_value_and_no_test(scores):
    alone = {topic: float(topic == "q3") for topic in TOPICS}
    with pytest.warns(cf.DataWarning, match=r"W135.*topic q3 has 100.0 % of the weight"):
        found = cf.weighted(scores, alone)
    assert found.means == pytest.approx(scores.values[:, 3])
    assert np.isnan(np.asarray(cf.with_intervals(found, "t").intervals)).all()
    with pytest.raises(cf.InputError, match="needs at least 2 common topics"):
        cf.compare(found, baseline="old")


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ({**WEIGHTS, "q1": -1}, "E119.*-1 is no weight of topic 'q1'"),
        ({**WEIGHTS, "q1": float("nan")}, "nan is no weight of topic 'q1'"),
        ({"q1": 2, "q2": 1}, "E128.*7 topics without a weight: q0, q3, q4, q5, q6 and 2 more"),
        (dict.fromkeys(TOPICS, 0), "no topic has a weight above 0"),
        ({"z": 1}, "no topic here is named in it"),
    ],
)
def test_wrong_weights_are_refused(scores, weights, said):
    with pytest.raises(cf.InputError, match=said):
        cf.weighted(scores, weights)


@pytest.mark.parametrize(
    "choice", [{"test": "wilcoxon"}, {"test": "sign"}, {"adjust": "tukey"}, {"omnibus": "anova"}, {"risk": 1.0}]
)
def test_what_knows_no_weights_is_refused(scores, choice):
    with pytest.raises(cf.PolicyError, match="does not support weights of topics"):
        cf.compare(cf.weighted(scores, WEIGHTS), **choice)
    with pytest.raises(cf.PolicyError, match=r"does not support weights of topics|not by group"):
        cf.by_group(cf.weighted(scores, WEIGHTS), dict.fromkeys(TOPICS, "all")).compare(**choice)


def test_runs_with_other_topics_are_refused(scores):
    gap = scores.values.copy()
    gap[0, 1] = np.nan
    with pytest.raises(cf.PolicyError, match="new has no value for q1"):
        products(cf.weighted(replace(scores, values=gap), WEIGHTS), 0)


def test_a_group_without_weight_is_refused(scores):
    with pytest.raises(cf.InputError, match="no topic of the group 'x' has a weight above 0"):
        cf.by_group(cf.weighted(scores, WEIGHTS), {topic: "x" if topic == "q2" else "y" for topic in TOPICS})


def test_saved_scores_keep_their_weights(scores, tmp_path):
    found = cf.weighted(scores, WEIGHTS)
    found.save(tmp_path / "main.json")
    again = cf.load_scores(tmp_path / "main.json")
    assert again == found
    assert again.audit.policies["weights"] == "given"
    assert cf.compare(again, baseline="old").pair("new", "old", "AP") == cf.compare(found, baseline="old").pair(
        "new", "old", "AP"
    )
