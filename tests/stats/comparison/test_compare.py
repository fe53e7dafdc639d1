"""`compare`: numbers against SciPy pair by pair, families, directions, gaps (job 1, 2.2, SPEC 15.1)."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats as scipy

from cranfield.errors import DataWarning, InputError, MeasureError, PolicyError
from cranfield.measures.evaluate import evaluate
from cranfield.stats.comparison.compare import compare
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.effects import REPORTED, effects
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC
from tests.stats.scored import draw, scored
from tests.stats.worked import X

SYSTEMS = scored(X, runs="ABCD")


def holm(p):
    """Step-down, in a loop."""
    order, worst, out = np.argsort(p), 0.0, np.empty(len(p))
    for place, at in enumerate(order):
        worst = max(worst, (len(p) - place) * p[at])
        out[at] = min(worst, 1)
    return out


@pytest.mark.parametrize(
    ("test", "expected"),
    [("t", 0.003781), ("permutation", 0.03125), ("wilcoxon", 0.03125), ("sign", 0.03125)],
)
def test_the_worked_example_of_two_systems(test, expected):
    pair = compare(SYSTEMS, baseline="A", test=test, adjust="none").pair("D", "A")
    assert pair.p == pytest.approx(expected, abs=1e-6)
    assert pair.ci == pytest.approx((0.033041, 0.100292), abs=1e-6)
    assert pair.d_z == pytest.approx(2.080626, abs=1e-6)
    assert pair.hedges_g == pytest.approx(0.40896, abs=1e-5)
    assert pair.cliffs_delta == pytest.approx(0.25)
    assert (pair.wins, pair.ties, pair.losses) == (6, 0, 0)


def test_every_pair_agrees_with_scipy_and_holm_with_a_loop():
    values = draw(1, runs=5)[:, :, 0]
    comparison = compare(scored(values))
    pairs = list(comparison.pairs())
    expected = [scipy.ttest_rel(*(values[int(name[3:])] for name in (pair.run, pair.baseline))) for pair in pairs]
    assert [pair.p_raw for pair in pairs] == pytest.approx([found.pvalue for found in expected])
    assert [pair.statistic for pair in pairs] == pytest.approx([found.statistic for found in expected])
    assert [pair.p for pair in pairs] == pytest.approx(holm(np.array([found.pvalue for found in expected])))
    assert len(pairs) == 10


def test_the_better_run_of_a_pair_comes_first():
    assert all(pair.difference >= 0 for pair in compare(scored(draw(2))).pairs())


def test_topics_that_one_run_lacks_are_left_out_of_its_pairs_alone():
    values = draw(3)[:, :, 0]
    values[2, [1, 7, 9]] = np.nan
    comparison = compare(scored(values), baseline="run0")
    for name, n in (("run1", 25), ("run2", 22), ("run3", 25)):
        pair, row = comparison.pair(name, "run0"), values[int(name[3])]
        known = ~np.isnan(row)
        found = scipy.ttest_rel(row[known], values[0][known])
        assert pair.topics == n
        assert pair.p_raw == pytest.approx(found.pvalue)
        assert pair.difference == pytest.approx(row[known].mean() - values[0][known].mean())
        assert pair.ci == pytest.approx(tuple(found.confidence_interval()))
    assert "22–25 topics" in comparison.sheet().text()
    assert "Δ is taken over the topics that both runs have." in comparison.sheet().notes


def test_identical_runs_have_p_1_under_every_test():
    values = draw(4, runs=1)[:, :, 0]
    same = scored(np.repeat(values, 2, axis=0))
    for test in ("t", "permutation", "bootstrap", "bootstrap-t", "wilcoxon", "sign"):
        pair = compare(same, test=test, samples=200).pair("run0", "run1")
        assert (pair.p, pair.difference, pair.d_z, pair.ties) == (1, 0, 0, 25), test
        assert not pair.significant
    for adjust in ("tukey", "tukey-randomized", "nemenyi"):
        assert compare(same, adjust=adjust, samples=200).pair("run0", "run1").p == pytest.approx(1, nan_ok=True), adjust


def test_the_baseline_is_never_compared_with_itself():
    comparison = compare(scored(draw(5)), baseline="run2")
    assert [(pair.run, pair.baseline) for pair in comparison.pairs()] == [
        ("run3", "run2"),
        ("run1", "run2"),
        ("run0", "run2"),
    ]
    assert comparison.evidence[0].family == 3


def test_two_baselines_are_compared_once():
    pairs = {(pair.run, pair.baseline) for pair in compare(scored(draw(6)), baseline=["run0", "run1"]).pairs()}
    assert pairs == {("run1", "run0"), ("run2", "run0"), ("run3", "run0"), ("run2", "run1"), ("run3", "run1")}


def test_a_family_can_span_all_measures():
    scores = scored(draw(7, measures=2), measures=("AP", "RR"))
    apart, together = (compare(scores, baseline="run0", family=family) for family in ("measure", "all"))
    raw = np.array([pair.p_raw for pair in together.pairs()])
    assert [pair.p for pair in together.pairs()] == pytest.approx(holm(raw))
    assert [pair.p for pair in apart.pairs()] == pytest.approx([*holm(raw[:3]), *holm(raw[3:])])
    assert "Holm over 6 comparisons in 2 measures" in together.sheet().text()
    assert "Holm over 3 comparisons" in apart.sheet().text()


@pytest.mark.parametrize("adjust", sorted(POSTHOC))
def test_procedures_for_all_pairs_stand_in_for_test_and_correction(adjust):
    comparison = compare(SYSTEMS, adjust=adjust, samples=2000)
    expected = POSTHOC[adjust](X, rng=np.random.default_rng(0), samples=2000).pvalue
    close = 0.03 if adjust == "tukey-randomized" else 1e-9
    for pair in comparison.pairs():
        at = ["ABCD".index(name) for name in (pair.run, pair.baseline)]
        assert pair.p == pytest.approx(expected[tuple(at)], abs=close)
    against = compare(SYSTEMS, adjust=adjust, samples=2000, baseline="A")
    assert against.pair("D", "A").p == comparison.pair("D", "A").p  # a baseline only chooses which pairs are shown
    assert "over 6 comparisons" in against.sheet().text()


def test_randomised_tukey_agrees_with_the_exact_distribution():
    comparison = compare(SYSTEMS, adjust="tukey-randomized", samples=20_000)  # SPEC 15.4
    exact = {"BA": 0.763758, "CA": 0.578259, "DA": 0.006622, "CB": 0.995252, "DB": 0.226323, "DC": 0.388313}
    for names, p in exact.items():
        assert comparison.pair(*names).p == pytest.approx(p, abs=0.012)


def test_conover_is_silent_unless_friedman_speaks():
    noise = scored(np.random.default_rng(1).uniform(size=(3, 8)))
    comparison = compare(noise, adjust="conover", omnibus="friedman")
    assert not comparison.significant()
    assert any("nothing may be concluded" in note for note in comparison.sheet().notes)


def test_the_omnibus_test_is_in_the_notes():
    notes = compare(SYSTEMS, omnibus="anova").sheet().notes
    said = "two-way ANOVA, topic + system: F(3, 15) = 5.337, p = 0.011, ω² = 0.025, partial η² = 0.516, 6 topics."
    assert said in notes
    notes = compare(SYSTEMS, omnibus="friedman").sheet().notes
    assert "Friedman: F(3, 15) = 6.25, p = 0.0058, Kendall's W = 0.556, 6 topics." in notes


def test_an_omnibus_test_of_nothing_says_so():
    same = scored(np.repeat(draw(4, runs=1)[:, :, 0], 3, axis=0))
    for omnibus in ("anova", "friedman"):
        assert (
            compare(same, omnibus=omnibus)
            .of()
            .omnibus_line.endswith("undefined, the runs do not differ on any topic (25 topics).")
        )
    constant = scored([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4]])
    said = "Friedman: all topics rank the runs alike, so F is not finite; the chance of that is p = 0.25"
    assert compare(constant, omnibus="friedman").of().omnibus_line.startswith(said)
    with pytest.warns(DataWarning, match="W113"):
        assert "so F is not finite and has no p" in compare(constant, omnibus="anova").of().omnibus_line


def test_equivalence_and_the_region_of_practical_equivalence():
    comparison = compare(SYSTEMS, baseline="A", adjust="none", equivalence=0.12, rope=0.02)
    pair = comparison.pair("D", "A")
    d = X[3] - X[0]
    one_sided = [
        scipy.ttest_1samp(d + 0.12, 0, alternative="greater").pvalue,
        scipy.ttest_1samp(d - 0.12, 0, alternative="less").pvalue,
    ]
    assert pair.equivalence_p == pytest.approx(max(one_sided))
    t = scipy.t(5, d.mean(), d.std(ddof=1) / math.sqrt(6))
    assert pair.probability_better == pytest.approx(1 - t.cdf(0))
    assert pair.probability_equivalent == pytest.approx(t.cdf(0.02) - t.cdf(-0.02))
    assert pair.reversed().probability_better == pytest.approx(t.cdf(0))


def test_the_risk_of_the_worked_example_is_reproduced():
    pair = compare(SYSTEMS, baseline="A", risk=1).pair("B", "A")
    assert pair.urisk == pytest.approx(0.011667, abs=1e-6)
    assert pair.trisk == pytest.approx(0.415227, abs=1e-6)
    assert [str(value) for value in (pair.reversed().urisk, pair.reversed().trisk)] == ["nan", "nan"]
    text = compare(SYSTEMS, baseline="A", risk=1).sheet().text()
    assert re.search(r"URisk +TRisk", text)
    assert "a loss against the baseline counts 2 times." in text


def test_a_loss_is_a_larger_value_where_less_is_better():
    lengths = scored([[1.0, 2, 3], [1.0, 2, 9]], measures=["ESL"])
    longer = compare(lengths, baseline="run0", risk=0.5).pair("run1", "run0")
    assert longer.urisk == pytest.approx(-6 * 1.5 / 3)


def test_a_pair_can_be_read_from_either_side():
    comparison = compare(SYSTEMS, baseline="A")
    one, other = comparison.pair("D", "A"), comparison.pair("A", "D")
    assert (other.difference, other.wins, other.losses) == (-one.difference, one.losses, one.wins)
    assert other.ci == (-one.ci[1], -one.ci[0])
    back = other.reversed()
    assert back.percent == pytest.approx(one.percent)
    assert back.percent_ci == pytest.approx(one.percent_ci)
    assert replace(back, percent=one.percent, percent_ci=one.percent_ci).as_dict() == one.as_dict()


@pytest.mark.parametrize("test", sorted(TESTS))
def test_a_pair_turned_round_is_the_comparison_with_the_other_baseline(test):
    scores = scored(draw(9, runs=2))
    turned = compare(scores, baseline="run0", test=test, samples=300).pair("run0", "run1")
    straight = compare(scores, baseline="run1", test=test, samples=300).pair("run0", "run1")
    for name in ("difference", "percent", "d_z", "hedges_g", "cliffs_delta", "statistic", "p_raw", "p"):
        assert getattr(turned, name) == pytest.approx(getattr(straight, name), abs=1e-12), name
    for name in ("ci", "percent_ci", "d_z_ci", "hedges_g_ci", "cliffs_delta_ci"):
        assert getattr(turned, name) == pytest.approx(getattr(straight, name), abs=1e-9), name
    assert (turned.wins, turned.ties, turned.losses) == (straight.wins, straight.ties, straight.losses)


def test_effect_sizes_come_with_their_intervals():
    values = draw(11, runs=2)[:, :, 0]
    comparison = compare(scored(values), baseline="run0", alpha=0.1)
    pair, expected = comparison.pair("run1", "run0"), effects(values[[1]], values[[0]], level=0.9)
    for name, effect in REPORTED.items():
        assert getattr(pair, name) == pytest.approx(expected[effect].value[0])
        assert getattr(pair, f"{name}_ci") == pytest.approx(tuple(expected[effect].bounds[0]))
        low, high = (comparison.table()[f"{name}_{end}"][0] for end in ("low", "high"))
        assert (low, high) == getattr(pair, f"{name}_ci")


def test_a_run_that_may_have_nothing_has_no_percentage_to_fall_from():
    pair = compare(scored([[0.0, 0.0, 0.0], [0.3, 0.2, 0.4]]), baseline="run1").pair("run0", "run1")
    assert pair.percent == -100
    assert math.isnan(pair.reversed().percent)
    assert all(map(math.isnan, pair.reversed().percent_ci))


def test_the_median_difference_stands_beside_the_mean():
    values = draw(12, runs=2, topics=24)[:, :, 0]
    values[0, 3] = np.nan
    pair = compare(scored(values), baseline="run0").pair("run1", "run0")
    assert pair.median == pytest.approx(np.nanmedian(values[1] - values[0]))
    assert pair.reversed().median == -pair.median


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_a_test_of_the_median_says_so(test):
    comparison = compare(SYSTEMS, test=test)
    assert any("tests the median, not the mean" in note for note in comparison.sheet().notes)
    assert "tests the median" in comparison.result()["measures"][0]["assumes"]
    assert not any("tests the m" in note for note in compare(SYSTEMS).sheet().notes)


def test_what_a_procedure_assumes_is_part_of_the_result():
    assumed = [compare(SYSTEMS, adjust=adjust).of().assumes for adjust in ("holm", "tukey", "nemenyi")]
    assert "about normal" in assumed[0]
    assert "topics and systems add up" in assumed[1]
    assert "compares ranks" in assumed[2]
    assert compare(SYSTEMS, test="none").of().assumes == ""


def test_resamples_without_variance_are_counted():
    found = compare(SYSTEMS, baseline="A", test="bootstrap", samples=20_000).of()
    expected = 130 / 46_656 * 20_000
    at = next(place for place, run in enumerate(found.contrasts.run) if run == 3)
    assert found.unvaried[at] == pytest.approx(expected, abs=4 * math.sqrt(expected))
    said = "resamples of a pair without any variance; the test counts their t as infinite, unless their mean is 0."
    assert any(note.endswith(said) for note in found.notes)
    assert not compare(SYSTEMS, baseline="A").of().notes


def test_every_name_of_a_method_is_understood():
    chosen = compare(SYSTEMS, test="Randomisation", adjust="FDR", omnibus="ANOVA").method
    assert (chosen.test, chosen.adjust, chosen.omnibus) == ("permutation", "bh", "anova")
    assert compare(SYSTEMS, adjust="hsd").method.adjust == "tukey"


def test_intervals_that_were_drawn_are_named_below_the_table():
    notes = compare(SYSTEMS, test="bootstrap", samples=500, seed=3).sheet().notes
    assert "95 % intervals: BCa bootstrap over topics, 500 resamples, seed 3." in notes
    assert not any("intervals" in note for note in compare(SYSTEMS).sheet().notes)


def test_one_pair_with_other_topics_each_says_what_the_difference_is_over():
    values = np.array([[0.1, 0.2, 0.4, np.nan], [np.nan, 0.1, 0.3, 0.9]])
    comparison = compare(scored(values))
    (pair,) = comparison.pairs()
    assert pair.topics == 2
    assert pair.difference != pytest.approx(comparison.mean(pair.run) - comparison.mean(pair.baseline))
    assert "Δ is taken over the topics that both runs have." in comparison.sheet().notes


def test_missing_topics_are_named_as_under_a_table_of_means():
    scores = scored(draw(1, runs=2), topics_missing={"run0": ["q003"]}, without_relevant={"AP": 2})
    assert "run0: 1 missing, scored 0 (q003) · 2 without relevant documents, scored 0" in compare(scores).sheet().notes


def test_the_procedure_for_all_pairs_is_kept_with_runs_in_their_own_order():
    comparison = compare(SYSTEMS, adjust="nemenyi")
    found = comparison.of().posthoc
    assert found is not None
    assert found.centre == pytest.approx(np.array([8, 14, 16, 22]) / 6)
    assert found.pvalue[3, 0] == comparison.pair("D", "A").p == pytest.approx(0.009453, abs=5e-7)
    assert compare(SYSTEMS).of().posthoc is None


def test_where_less_is_better_the_lowest_run_has_the_highest_centre():
    found = compare(scored(X, runs="ABCD", measures=["ESL"]), adjust="nemenyi").of().posthoc
    assert found is not None
    assert found.negated
    assert found.centre == pytest.approx(5 - np.array([8, 14, 16, 22]) / 6)


def test_less_is_better_where_the_measure_says_so():
    comparison = compare(scored([[1.0, 2, 3, 2], [5.0, 5, 8, 7]], measures=["ESL"]))
    (pair,) = comparison.pairs()
    assert (pair.run, pair.difference, pair.wins, pair.losses) == ("run0", -4.25, 4, 0)
    assert comparison.evidence[0].beaten(2).tolist() == [[False, True], [False, False]]
    assert compare(comparison.scores, baseline="run0").evidence[0].worse().tolist() == [True]
    assert "less is better; a win is a smaller value." in comparison.sheet().notes


def test_sums_have_no_test():
    comparison = compare(scored([[3.0, 4], [1.0, 1]], measures=["NumRelRet"], averages=["sum"]))
    (pair,) = comparison.pairs()
    assert (pair.difference, math.isnan(pair.p), pair.significant) == (5, True, False)
    assert "NumRelRet · 2 topics · no test" in comparison.sheet().text()
    assert "a sum over topics, which has no test." in comparison.sheet().notes


def test_geometric_means_are_compared_on_logarithms():
    values = np.array([[0.5, 0.2, 0.0, 0.4], [0.25, 0.1, 0.2, 0.1]])
    (pair,) = compare(scored(values, measures=["GMAP"], averages=["geometric"]), baseline="run1").pairs()
    logs = np.log(np.maximum(values, 1e-5))
    assert pair.p == pytest.approx(scipy.ttest_rel(*logs).pvalue)
    assert pair.difference == pytest.approx(np.exp(logs[0].mean()) - np.exp(logs[1].mean()))
    assert all(map(math.isnan, pair.ci))


def test_micro_averages_differ_by_the_mean_influence():
    qrels = {f"q{n}": {"a": 1, "b": 0, "c": n % 2} for n in range(8)}
    lists = {f"q{n}": ["a", "b", "c"][: 1 + n % 3] for n in range(8)}
    runs = {"one": lists, "two": {topic: list(reversed(docs)) for topic, docs in lists.items()}}
    comparison = compare(qrels, runs, "P@2", baseline="two", average="micro")
    pair = comparison.pair("one", "two")
    assert pair.difference == pytest.approx(comparison.mean("one") - comparison.mean("two"))


def test_a_test_that_decides_otherwise_is_named():
    values = np.full((2, 12), 0.5)
    values[0, :5] += 0.2 + 0.001 * np.arange(5)  # five equal wins, no loss: the sign test is exact at 2 / 2⁵
    notes = compare(scored(values), test="sign").sheet().notes
    assert any(note.startswith("the paired t test decides differently on run0 – run1: p = ") for note in notes)
    assert any(note.startswith("the sign-flip permutation test (exact) decides") for note in notes) == (
        compare(scored(values), test="permutation").pair("run0", "run1").p < 0.05
    )


def test_too_few_draws_are_told():
    notes = compare(scored(draw(8, runs=6)), test="permutation", samples=99).sheet().notes
    assert any(note.startswith("too few draws: the smallest p they can give is 0.15 when corrected") for note in notes)
    assert not any("too few" in n for n in compare(scored(draw(8, runs=6)), test="permutation").sheet().notes)


def test_scores_may_be_computed_on_the_way():
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(5)}
    runs = {"new": {topic: ["a", "b"] for topic in qrels}, "old": {topic: ["b", "a"] for topic in qrels}}
    direct = compare(qrels, runs, ["RR"], baseline="old", ties="trec9")
    assert direct.to_json() == compare(evaluate(qrels, runs, "RR", ties="trec9"), baseline="old").to_json()


@pytest.mark.parametrize(
    ("choices", "code", "problem", "hint"),
    [
        ({"baseline": "RUN0"}, "E205", "baseline 'RUN0' is not among the runs: run0, run1", "did you mean run0?"),
        ({"baseline": "zzz"}, "E205", "baseline 'zzz' is not among the runs: run0, run1", ""),
        ({"test": "z"}, "E213", 'test="z" is unknown', None),
        ({"adjust": "z"}, "E213", 'adjust="z" is unknown', None),
        ({"family": "z"}, "E213", 'family="z" is unknown', "one of measure, all"),
        ({"interval": "z"}, "E213", 'interval="z" is unknown', None),
        ({"omnibus": "z"}, "E213", 'omnibus="z" is unknown', f"one of {', '.join(OMNIBUS)}"),
        ({"adjust": "nemeny"}, "E213", 'adjust="nemeny" is unknown', None),
        ({"alpha": 1.0}, "E240", "alpha=1.0 must lie between 0 and 1", "write 0.05"),
        ({"risk": -1}, "E240", "risk=-1 must be a number from 0", "1 doubles losses"),
        ({"rope": 0.0}, "E240", "rope=0.0 must be a number above 0", "write 0.02"),
        ({"equivalence": math.nan}, "E240", "equivalence=nan must be a number above 0", "write 0.02"),
        ({"samples": 0}, "E240", "samples=0 must be at least 1", None),
        ({"adjust": "tukey", "family": "all"}, "E243", 'adjust="tukey" is about one measure, not family="all"', None),
    ],
)
def test_what_cannot_be_done_is_refused(choices, code, problem, hint):
    with pytest.raises(PolicyError) as caught:
        compare(scored([[0.1, 0.2], [0.3, 0.5]]), **choices)
    assert (caught.value.code, caught.value.problem) == (code, problem)
    assert hint is None or caught.value.hint == hint


def test_one_run_is_not_enough():
    with pytest.raises(PolicyError) as caught:
        compare(scored([[0.1, 0.2]]))
    assert str(caught.value).startswith("E207: compare needs two runs, got 1")
    assert caught.value.hint == "cranfield.evaluate() scores a single run"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[0.1], [0.3]], "a paired test needs at least 2 common topics, got 1 (q000)"),
        ([[0.1, np.nan], [np.nan, 0.3]], "a paired test needs at least 2 common topics, got 0"),
        ([[0.1, np.nan, 0.2], [np.nan, 0.3, 0.2]], "a paired test needs at least 2 common topics, got 1 (q002)"),
        ([[np.nan, np.nan], [0.1, 0.2]], "a paired test needs at least 2 common topics, got 0"),
    ],
)
def test_too_few_common_topics_are_refused(values, message):
    with pytest.raises(InputError) as caught:
        compare(scored(values))
    assert (caught.value.code, caught.value.problem) == ("E208", message)
    assert caught.value.hint == 'report the difference without a test: test="none"'
    (pair,) = compare(scored(values), test="none").pairs()
    assert (math.isnan(pair.p), pair.significant) == (True, False)


def test_a_pair_that_cannot_be_tested_is_a_gap_not_an_error():
    comparison = compare(scored([[0.1, 0.2, 0.4], [0.3, 0.5, 0.4], [0.3, np.nan, np.nan]]), baseline="run0")
    assert math.isnan(comparison.pair("run2", "run0").p)
    assert comparison.evidence[0].family == 1
    assert "1 pair with fewer than 2 common topics: not tested." in comparison.sheet().notes


def test_measures_are_chosen_by_name():
    scores = scored(draw(9, measures=2), measures=("AP", "RR"))
    assert compare(scores, measures="recip_rank").measures == ("RR",)
    with pytest.raises(MeasureError) as caught:
        compare(scores, measures="P@5")
    assert caught.value.hint == "they have AP, RR"
    with pytest.raises(PolicyError, match="E247: several measures were compared"):
        compare(scores).pair("run0", "run1")
    with pytest.raises(PolicyError, match="there is no run 'run9'"):
        compare(scores).pair("run0", "run9", "AP")


def test_how_to_make_scores_is_refused_beside_scores():
    with pytest.raises(InputError, match="scores were given, and options for making scores too"):
        compare(SYSTEMS, runs={"a": {}})
    with pytest.raises(InputError, match="scores were given"):
        compare(SYSTEMS, ties="trec9")
    with pytest.raises(InputError, match="judgments were given, but no runs"):
        compare({"q": {"d": 1}})


def test_significant_lists_the_pairs_below_alpha():
    comparison = compare(SYSTEMS, baseline="A")
    assert [(pair.run, pair.significant) for pair in comparison.significant()] == [
        (pair.run, True) for pair in comparison.pairs() if pair.p < 0.05
    ]
    assert len(comparison.significant()) == 2
