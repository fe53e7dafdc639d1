"""Averages: every topic weighs the same, or every document does, or the topic in the middle stands for all."""

from dataclasses import replace
from typing import get_args

import click
import numpy as np
import pytest
from hypothesis import given

import cranfield as cf
from cranfield.cli.schemas.schema import EVALUATE
from cranfield.cli.verbs.evaluate import command
from cranfield.errors import PolicyError
from cranfield.measures.definition import MEASURES, DefinedAverage
from cranfield.measures.grammar import build
from cranfield.tables.averages import AVERAGES, AVERAGING, Average, Averaging
from cranfield.tables.summary import influence, micro, summary
from tests.laws.worlds import needed, worlds
from tests.stats.scored import scored

QRELS = {"easy": {"a": 1, "b": 0}, "hard": {"a": 1, "b": 1, "c": 1, "d": 1, "e": 0}, "none": {"a": 0}}
RUN = {"easy": ["a", "b"], "hard": ["e", "a"], "none": ["a"]}
RATIOS = [name for name, definition in MEASURES.items() if definition.divisor]


def test_the_average_size_of_ten_classes_seen_by_class_and_by_member():
    sizes = np.array([1.0] * 5 + [99.0] * 5)
    assert summary(sizes, "mean") == 50
    assert micro(sizes, weights=sizes) == pytest.approx(98.02)


@pytest.mark.parametrize(
    ("name", "macro", "by_document"),
    [
        ("SetP", (1 / 2 + 1 / 2 + 0) / 3, 2 / 5),
        ("SetR", (1 + 1 / 4 + 0) / 3, 2 / 5),
        ("SetF", (2 / 3 + 2 / 6 + 0) / 3, 2 * 2 / (5 + 5)),
        ("P@1", 1 / 3, 1 / 3),
        ("R@2", (1 + 1 / 4) / 3, 2 / 5),
        ("F@2", (2 / 3 + 2 / 6) / 3, 2 * 2 / (5 + 6)),
        ("Rprec", (1 + 1 / 4) / 3, 2 / 5),
        ("GenRecall", (1 + 1 / 4) / 3, 2 / 5),
        ("GenPrecision", (1 / 2 + 1 / 2 + 0) / 3, 2 / 5),
        ("Fallout(collection=10)", (1 / 9 + 1 / 6 + 1 / 10) / 3, 3 / 25),
    ],
)
def test_precision_recall_and_f_averaged_both_ways(name, macro, by_document):
    assert cf.evaluate(QRELS, RUN, name).means[0, 0] == pytest.approx(macro)
    assert cf.evaluate(QRELS, RUN, name, average="micro").means[0, 0] == pytest.approx(by_document)


def test_the_micro_f_is_that_of_micro_precision_and_recall():
    p, r, f = cf.evaluate(QRELS, RUN, ["SetP", "SetR", "SetF(beta=2)"], average="micro").means[0]
    assert f == pytest.approx(5 * p * r / (4 * p + r))


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_a_topic_that_is_missing_or_left_out_is_so_in_both_averages():
    run = {topic: RUN[topic] for topic in ("easy", "none")}
    assert cf.evaluate(QRELS, run, "SetR", average="micro").means[0, 0] == pytest.approx(1 / 5)
    answered = cf.evaluate(QRELS, run, "SetR", average="micro", topic_set="intersection", no_relevant="exclude")
    assert answered.means[0, 0] == 1


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_the_divisor_of_a_condensed_list_is_its_own():
    run = {"easy": ["x", "a", "b"], "hard": ["e", "a"], "none": ["a"]}
    assert cf.evaluate(QRELS, run, ["SetP", "SetP'"], average="micro").means[0] == pytest.approx([2 / 6, 2 / 5])


@pytest.mark.parametrize("name", RATIOS)
@given(world=worlds())
def test_the_value_of_a_ratio_times_its_divisor_is_no_more_than_the_divisor(name, world):
    """And it is undefined, or 0, where the divisor is 0; counts of documents are whole numbers."""
    measure = build(MEASURES[name], needed(MEASURES[name], cutoff=4))
    values, divisor = measure(world.hits()), measure.divisor(world.hits())
    assert divisor.shape == values.shape
    assert (divisor >= 0).all()
    assert (np.isnan(values) | (values == 0))[divisor == 0].all()
    parts = np.where(np.isnan(values), 0, values) * divisor
    assert (parts <= divisor * (2 if "F" in name else 1) + 1e-9).all()
    if not name.startswith("Gen"):
        np.testing.assert_allclose(parts, parts.round(), atol=1e-9)


def test_precision_recall_and_f_are_ratios():
    assert {"P", "R", "F", "SetP", "SetR", "SetF", "Rprec", "Fallout", "GenPrecision", "GenRecall"} <= set(RATIOS)


@pytest.mark.parametrize("name", ["AP", "nDCG@10", "NumRel", "RR"])
def test_a_measure_that_is_no_ratio_has_no_micro_average(name):
    with pytest.raises(cf.PolicyError, match=f'E244: average="micro" needs a ratio, and {name} is none') as raised:
        cf.evaluate(QRELS, RUN, ["P@5", name], average="micro")
    assert raised.value.hint.startswith("ratios are ")


def test_an_unknown_average_is_refused():
    with pytest.raises(cf.PolicyError, match='E213: average="mean" is unknown'):
        cf.evaluate(QRELS, RUN, "P@5", average="mean")  # type: ignore[arg-type]


def test_saved_micro_averages_come_back(tmp_path):
    scores = cf.evaluate(QRELS, RUN, ["SetP", "SetR"], average="micro")
    scores.save(tmp_path / "scores.json")
    again = cf.load_scores(tmp_path / "scores.json")
    assert again == scores
    np.testing.assert_array_equal(again.means, scores.means)
    np.testing.assert_array_equal(again.select(["SetR"]).means[0], scores.means[0, 1:])
    assert "average=micro" in str(again)
    assert "average" not in str(cf.evaluate(QRELS, RUN, "SetP"))


def test_the_influence_of_topics_averages_to_the_micro_average():
    values, weights = np.array([0.2, np.nan, 0.9, 0.5]), np.array([1.0, 7.0, 2.0, 0.0])
    assert np.nanmean(influence(values, weights)) == pytest.approx(micro(values, weights)) == pytest.approx(2 / 3)
    assert np.isnan(influence(values, np.zeros(4))).all()


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_the_interval_of_a_micro_average_lies_around_it(method):
    scores = cf.with_intervals(cf.evaluate(QRELS, RUN, "SetP", average="micro"), method, seed=1)
    assert scores.intervals is not None
    low, high = scores.intervals[0, 0]
    assert low < scores.means[0, 0] < high


def test_equal_divisors_give_the_macro_average_and_its_interval():
    names = ["P@2", "P@5"]
    macro, both = cf.evaluate(QRELS, RUN, names), cf.evaluate(QRELS, RUN, names, average="micro")
    np.testing.assert_allclose(both.means, macro.means)
    spans = [cf.with_intervals(scores, "t").intervals for scores in (macro, both)]
    assert spans[0] is not None
    assert spans[1] is not None
    np.testing.assert_allclose(spans[0], spans[1])


def ranked(*ranks: int) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """Judgments, and a run that finds the one relevant document of each topic at that rank."""
    qrels = {f"q{n}": {"a": 1} for n in range(len(ranks))}
    return qrels, {f"q{n}": [*(f"x{at}" for at in range(rank - 1)), "a"] for n, rank in enumerate(ranks)}


@pytest.mark.parametrize(("ranks", "median"), [((1, 4, 2), 1 / 2), ((1, 1, 2, 4), 3 / 4), ((5,), 1 / 5)])
def test_the_median_is_the_middle_value_or_halfway_between_two(ranks, median):
    qrels, run = ranked(*ranks)
    scores = cf.evaluate(qrels, run, "RR", average="median")
    assert scores.means[0, 0] == pytest.approx(median)
    assert scores.averages == ("median",)
    assert scores.audit.policies["average"] == "median"
    assert "Medians over" in scores.sheet().caption


def test_the_interval_of_a_median_is_that_of_resampled_medians():
    values = np.array([[0.1, 0.9, 0.4, 0.3, 0.8, 0.7, 0.2, np.nan], [0.5, 0.1, 0.6, 0.2, 0.3, 0.9, np.nan, np.nan]])
    scores = replace(scored(values), averages=("median",))
    found = cf.with_intervals(scores, "bootstrap", samples=4000, seed=3).intervals
    assert found is not None
    for row, span in zip(values, found[:, 0], strict=True):
        known = row[~np.isnan(row)]
        shares = np.random.default_rng(3).multinomial(len(known), np.full(len(known), 1 / len(known)), size=4000)
        medians = [np.median(np.repeat(known, times)) for times in shares]
        assert span == pytest.approx(np.quantile(medians, [0.025, 0.975]))
    with pytest.raises(PolicyError, match="E244") as refused:
        cf.with_intervals(scores, "t")
    assert 'ci="bootstrap"' in str(refused.value.hint)


def test_what_could_still_be_added_to_a_median_is_how_far_the_median_can_move():
    qrels, run = ranked(1, 2, 3)
    with pytest.warns(cf.DataWarning, match="W105"):
        scores = cf.evaluate(qrels, run, "RBP(p=0.5)", average="median")
    values, residuals = scores.values[0, :, 0], scores.residuals[scores.measures[0]][0]
    could = np.median(values + residuals) - np.median(values)
    assert could != pytest.approx(residuals.mean())
    assert scores.result()["scores"][0]["residual"] == pytest.approx(could)
    assert f"+{could:.4f}" in scores.sheet().text()


def test_medians_are_not_compared_because_their_difference_is_not_what_is_tested():
    qrels, run = ranked(1, 2, 3)
    runs = {"new": run, "old": ranked(2, 3, 1)[1]}
    scores = cf.evaluate(qrels, runs, "RR", average="median")
    for compare in (lambda: cf.compare(scores), lambda: cf.compare(qrels, runs, "RR", average="median")):
        with pytest.raises(PolicyError, match="E244: medians over topics are not compared") as refused:
            compare()
        assert "sign" in str(refused.value.hint)


def test_standardised_scores_say_how_they_are_averaged():
    qrels, run = ranked(1, 2, 3, 1)
    runs = {"new": run, "old": ranked(2, 3, 1, 1)[1]}
    medians = cf.standardize(cf.evaluate(qrels, runs, "RR", average="median"))
    assert (medians.averages, medians.audit.policies["average"]) == (("median",), "median")
    ratios = cf.standardize(cf.evaluate(qrels, runs, "P@30", average="micro"))
    assert (ratios.averages, "average" in ratios.audit.policies) == (("mean",), False)


def test_every_way_to_average_is_declared_once():
    assert set(get_args(Average)) == set(AVERAGES)
    assert set(get_args(Averaging)) == set(AVERAGING)
    assert set(get_args(DefinedAverage)) < set(AVERAGES)
    assert EVALUATE["properties"]["averages"]["additionalProperties"]["enum"] == list(AVERAGES)
    option = next(each for each in command.params if each.name == "average")
    assert isinstance(option.type, click.Choice)
    assert list(option.type.choices) == list(AVERAGING)


def test_a_value_that_is_undefined_for_its_grade_says_so():
    why = r"undefined for 1 ranking, not in the mean: a gain of 2\^grade − 1 is too large for grades from 1,024 on"
    with pytest.warns(cf.DataWarning, match=why):
        cf.evaluate({"q1": {"a": 1024}, "q2": {"b": 1}}, {"q1": ["a"], "q2": ["b"]}, "nDCG(dcg='exp-log2')")


def test_saved_scores_whose_topics_became_nothing_known_are_refused(tmp_path):
    """Every average has words, which tables and charts print: a word of no average would fail there."""
    path = tmp_path / "saved.json"
    cf.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "AP").save(path)
    assert cf.load_scores(path).averages == ("mean",)
    path.write_text(path.read_text().replace('"AP": "mean"', '"AP": "mode"'))
    assert "mode" in path.read_text()
    with pytest.raises(cf.InputError, match=r"E119: .*is not a file of saved scores"):
        cf.load_scores(path)
