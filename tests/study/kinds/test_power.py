"""Discriminative power: a plain loop, all resamples, the tests of SPEC 15, worlds with fewer judgments, planning."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest

from cranfield import study
from cranfield.errors import InputError, MeasureError, PolicyError
from cranfield.stats.paired.resampling import draws
from cranfield.study.kinds.power.inconsistency import Inconsistency
from cranfield.study.summaries.separation import estimated, separate
from tests.study.papers.hundredths import X, collection
from tests.study.small import small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
SCORES = np.array(X).T
PAIRS = list(combinations(range(4), 2))


def looped(scores, counts, alpha):
    """Sakai's method, one resample after the other: levels and the differences that pairs need."""
    levels, needed = [], []
    for a, b in combinations(range(len(scores)), 2):
        z = np.round(scores[a] - scores[b], 12)
        n, t = len(z), z.mean() / (z.std(ddof=1) / np.sqrt(len(z)))
        w, drawn = z - z.mean(), []
        for row in counts:
            sample = np.repeat(w, row.astype(int))
            sd = sample.std(ddof=1)
            mean = abs(sample.mean())
            flat = np.inf if mean >= 1e-12 else 0.0
            drawn.append((mean / (sd / np.sqrt(n)) if sd >= 1e-12 else flat, mean))
        levels.append(sum(value >= abs(t) - 1e-9 for value, _ in drawn) / len(counts))
        ordered = sorted(drawn, reverse=True)
        needed.append(ordered[round(alpha * len(counts)) - 1][1])
    return levels, needed


def test_matrices_find_what_a_loop_finds():
    key = 11
    found = separate(SCORES, "bootstrap", alpha=0.05, samples=200, key=key)
    seed = int(np.random.default_rng(key).integers(2**63))
    counts = np.concatenate(list(draws(6, 200, seed)))
    levels, needed = looped(SCORES, counts, 0.05)
    assert found.level.tolist() == levels
    assert found.needed == pytest.approx(max(needed))
    differences = np.array([SCORES[a] - SCORES[b] for a, b in PAIRS])
    assert estimated(np.round(differences, 12), 0.05, 200, key) == pytest.approx(needed)
    assert found.difference == pytest.approx(differences.mean(axis=1))


def test_the_other_tests_are_those_of_spec_15():
    t = separate(SCORES, "t", alpha=0.05, samples=0, key=0)
    assert t.level[2] == pytest.approx(0.003781, abs=5.1e-7)
    assert t.difference[2] == pytest.approx(-0.066667, abs=5.1e-7)
    tukey = separate(SCORES, "tukey", alpha=0.05, samples=0, key=0)
    assert tukey.level == pytest.approx([0.529929, 0.322891, 0.00637, 0.978451, 0.089924, 0.177009], abs=2e-6)
    assert tukey.needed == pytest.approx(0.048735, abs=5.1e-7)
    randomised = separate(SCORES, "tukey-randomized", alpha=0.05, samples=20_000, key=1)
    exact = [0.763758, 0.578259, 0.006622, 0.995252, 0.226323, 0.388313]
    assert randomised.level == pytest.approx(exact, abs=0.015)
    assert randomised.needed == pytest.approx(0.055, abs=0.005)


def test_the_study_says_what_the_test_says():
    made = study.power(*collection(), "P@100", test="tukey")
    (row,) = made.to_dict()["result"]["rows"]
    assert (row["significant"], row["pairs"], row["share"]) == (1, 6, pytest.approx(1 / 6))
    pairs = made.table("pairs")
    assert list(zip(pairs["run"], pairs["other"], strict=True)) == list(combinations("abcd", 2))
    assert pairs["level"].to_list()[2] == pytest.approx(0.00637, abs=1e-5)


@pytest.mark.parametrize("test", ["bootstrap", "t"])
def test_equal_differences_have_no_level_and_are_not_told_apart(test):
    scores = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6], [0.4, 0.5, 0.6]])
    found = separate(scores, test, alpha=0.05, samples=50, key=0)
    assert np.isnan(found.level).tolist() == [True, True, False]
    assert (found.level[2], found.significant(0.05).tolist()) == (1, [False] * 3)
    assert np.isnan(found.needed)
    assert found.unvaried == 0


def test_the_study_says_which_pairs_have_no_level():
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(5)}
    runs = {name: dict.fromkeys(qrels, order) for name, order in (("x", ["a", "b"]), ("y", ["b", "a"]))}
    made = study.power(qrels, runs, "RR", boot=50)
    (row,) = made.to_dict()["result"]["rows"]
    assert row["significant"] == 0
    assert (row["difference_needed"], row["detectable"]) == (None, None)
    assert "1 pair with equal differences on all topics: no level, not told apart." in str(made)


@pytest.mark.parametrize("test", ["t", "tukey", "tukey-randomized", "bootstrap"])
def test_a_pair_without_a_statistic_needs_no_difference_that_could_be_named(test):
    scores = np.array([[0.5, 0.6, 0.7], [0.4, 0.5, 0.6]])
    found = separate(scores, test, alpha=0.05, samples=50, key=0)
    assert np.isnan(found.needed) == (test != "tukey-randomized")  # which permutes, and has a statistic


def test_no_finite_difference_is_needed_where_too_many_resamples_have_an_infinite_t():
    qrels = {f"q{n}": {"a": 1} for n in range(50)}
    runs = {
        "x": {topic: ["a" if int(topic[1:]) < 2 else "b"] for topic in qrels},
        "y": {topic: ["b"] for topic in qrels},
    }
    made = study.power(qrels, runs, "P@1")
    (row,) = made.to_dict()["result"]["rows"]
    assert (row["significant"], row["difference_needed"]) == (0, None)
    assert row["detectable"] > 0
    said = "at least 5 % of the resamples of some pair have an infinite t, so no finite difference is significant."
    assert said in str(made)


@pytest.mark.parametrize("test", ["t", "tukey"])
def test_the_study_says_which_pairs_are_told_apart_by_too_few_topics(test):
    scores = np.array([[0.5, 0.6, 0.5, 0.6, 0.7], [0.1, 0.1, 0.1, 0.1, 0.1]])
    assert separate(scores, test, alpha=0.05, samples=0, key=0).doubtful(0.05).tolist() == [True]
    assert separate(np.tile(scores, 2), test, alpha=0.05, samples=0, key=0).doubtful(0.05).tolist() == [False]
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(5)}
    runs = {"x": {topic: ["a", "b"] for topic in qrels}, "y": {topic: ["b", "a"] for topic in qrels}}
    runs["y"]["q1"] = ["b", "c", "a"]
    said = "1 pair told apart by so few topics that no sign-flip test could be significant at 0.05."
    assert said in str(study.power(qrels, runs, "RR", test=test))


def test_resamples_without_variance_are_told_and_count_as_extreme():
    found = separate(np.array([[0.5, 0.1], [0.1, 0.1]]), "bootstrap", alpha=0.05, samples=400, key=0)
    assert 140 < found.unvaried < 260, "half of the resamples of two topics draw one of them twice"
    assert found.level == found.unvaried / 400


def test_inconsistent_pairs():
    """SPEC 16.7: 2 of 13."""
    full = np.arange(120) < 80
    here = np.concatenate((np.arange(80) < 11, np.arange(40) < 2))
    found = Inconsistency.of(full, np.ones(120), here, np.where(np.arange(120) == 3, -1.0, 1.0))
    assert found == Inconsistency(significant=13, inconsistent=2, reversed=1, lost=69)


def test_fewer_judgments_are_laid_beside_all():
    qrels, runs = small(topics=10, runs=6, judged=60)
    made = study.power(qrels, runs, ["AP", "P@10"], at=[50, 20], draws=3, boot=100)
    table = made.table()
    assert table["kept"].to_list() == [100, 50, 20] * 2
    assert table["inconsistent"].to_list()[0] == table["lost"].to_list()[0] == 0
    pairs = made.table("pairs")
    assert len(pairs) == 2 * (1 + 2 * 3) * 15
    full = pairs.filter((pairs["kept"] == 100) & (pairs["measure"] == "AP"))
    some = pairs.filter((pairs["kept"] == 20) & (pairs["measure"] == "AP"))
    counts = []
    for draw in (1, 2, 3):
        here = some.filter(some["draw"] == draw)
        counts.append(int(((here["level"] < 0.05) & (full["level"] >= 0.05)).sum()))
    assert table["inconsistent"].to_list()[2] == pytest.approx(np.mean(counts))
    assert set(made.findings.drawings) == {"significance", "power"}


def test_with_all_judgments_levels_are_those_of_a_study_without_fewer():
    qrels, runs = small(topics=10)
    plain = study.power(qrels, runs, "AP", boot=100).table("pairs")
    more = study.power(qrels, runs, "AP", boot=100, at=[50]).table("pairs")
    assert plain.equals(more.head(len(plain)))


def test_topics_needed():
    """SPEC 15.8: a difference of .05 with standard deviation .15 takes 73 topics, of .03 199; a width of .1 95."""
    data = collection()
    needed = {d: study.power(*data, "P@100", test="t", difference=d, sd=0.15) for d in (0.05, 0.03)}
    assert [made.table()["topics_needed"].to_list() for made in needed.values()] == [[73], [199]]
    width = study.power(*data, "P@100", test="t", difference=0.1, sd=0.06**0.5, design="width")
    assert width.table()["topics_needed"].to_list() == [95]
    assert set(width.findings.drawings) == {"significance", "topics"}
    own = study.power(*data, "P@100", test="t", difference=0.05).table()
    assert own["sd"].to_list() == [pytest.approx((2 * 0.00085778) ** 0.5, abs=1e-6)]


@pytest.mark.parametrize(
    ("options", "needed"),
    [
        ({"difference": 0.05, "sd": 0.15}, 73),
        ({"difference": 0.03, "sd": 0.15}, 199),
        ({"difference": 0.1, "sd": 0.06**0.5, "design": "width"}, 95),
        ({"difference": 0.1, "sd": 0.06**0.5, "design": "anova"}, 49),
        ({"difference": 0.1, "sd": 0.06**0.5, "design": "anova", "systems": 10}, 95),
    ],
)
def test_topics_are_planned_without_data(options, needed):
    """SPEC 15.8; one topic fewer is not enough."""
    made = study.power(**options)
    (row,) = made.to_dict()["result"]["rows"]
    assert row["topics_needed"] == needed
    curve = made.findings.drawings["topics"].curves[0]
    enough = curve.y <= options["difference"] if options.get("design") == "width" else curve.y >= 0.8
    assert enough.tolist() == (curve.x >= needed).tolist()
    assert study.repeat(made).to_csv() == made.to_csv()


def test_the_systems_of_a_plan_may_be_more_than_the_runs():
    data, wanted = collection(), {"difference": 0.1, "sd": 0.06**0.5, "design": "anova"}
    found = [study.power(*data, "P@100", test="t", **wanted, systems=n) for n in (2, None, 4, 10)]
    needed = [made.table()["topics_needed"].to_list() for made in found]
    assert needed[0] == [49]
    assert needed[1] == needed[2], "four runs"
    assert needed[3] == [95]


def test_the_curve_of_levels_falls():
    made = study.power(*small(topics=10), ["AP", "P@5"], boot=100)
    drawing = made.findings.drawings["significance"]
    assert [len(curve.x) for curve in drawing.curves] == [10, 10]
    assert all((np.diff(curve.y) <= 0).all() for curve in drawing.curves)


def test_neither_jobs_nor_the_order_of_files_change_a_number():
    qrels, runs = small(topics=8)
    turned = {topic: qrels[topic] for topic in reversed(qrels)}
    options: dict[str, Any] = {"boot": 60, "at": [30]}
    one = study.power(qrels, runs, ["AP", "P@5"], **options, jobs=1)
    for other in (
        study.power(qrels, runs, ["AP", "P@5"], **options, jobs=2),
        study.power(turned, runs, ["AP", "P@5"], **options),
    ):
        assert one.table().equals(other.table())
        assert one.table("pairs").equals(other.table("pairs"))


def test_what_cannot_be_done_is_refused():
    for options, code in (
        ({"at": [100]}, "E240"),
        ({"boot": 5}, "E240"),
        ({"sd": 0.1}, "E244"),
        ({"test": "sign"}, "E213"),
        ({"systems": 4}, "E244"),
    ):
        with pytest.raises(PolicyError, match=code):
            study.power(*small(), "AP", **options)
    with pytest.raises(PolicyError, match="measures have no effect without runs"):
        study.power(measures="AP", difference=0.05, sd=0.15)
    with pytest.raises(InputError, match="E121: power needs qrels"):
        study.power()
    with pytest.raises(InputError, match="E121: power needs runs"):
        study.power(small()[0], difference=0.05, sd=0.15)
    with pytest.raises(MeasureError, match="E230"):
        study.power(*small(), "GMAP")


def test_q_and_ap_separate_most_pairs_of_robust03(shared):
    """SK08: Q at least as many as AP up to chance, RBP with p = .5 fewest (SPEC 1.6)."""
    folder = shared / "data" / "robust03"
    runs = sorted(map(str, (folder / "runs").iterdir()))
    found = study.power(folder / "qrels.gz", runs, ["AP", "Q", "nDCG", "RBP(p=0.5)"]).table()
    power = dict(zip(found["measure"], found["share"], strict=True))
    assert min(power, key=lambda name: power[name]) == "RBP(p=0.5)"
    assert power["Q"] >= power["AP"] - 0.02
    assert found["pairs"].to_list() == [136] * 4
