"""The bias of systems and of groups of systems under a model's labels: by hand, against plain loops, simulated."""

import numpy as np
import pytest

from cranfield.align.policy import Policy
from cranfield.errors import DataWarning, InputError, PolicyError
from cranfield.measures.evaluate import evaluate
from cranfield.stats.agreement.agree import agree
from cranfield.stats.agreement.model.bias import biases
from cranfield.stats.agreement.model.mean_difference import mean_differences
from cranfield.stats.paired.intervals import intervals
from tests.stats.agreement.model.labelled import labelled

PEOPLE = {"q1": {"d": 1, "e": 0}, "q2": {"d": 1, "e": 0}, "q3": {"d": 0, "e": 1}}
MODEL = {"q1": {"d": 1, "e": 1}, "q2": {"d": 0, "e": 1}, "q3": {"d": 0, "e": 1}}
RUNS = {
    "a": {topic: ["d", "e"] for topic in PEOPLE},  # P@1 under people 1 1 0, under the model 1 0 0
    "b": {topic: ["e", "d"] for topic in PEOPLE},  # 0 0 1, and 1 1 1
    "c": {"q1": ["d"], "q2": ["e"], "q3": ["e"]},  # 1 0 1, and 1 1 1
}


def by_hand(**options):
    return agree({"ann": PEOPLE}, llm=MODEL, runs=RUNS, measures="P@1", samples=200, **options).consequences[0]


def test_the_bias_of_a_system_is_its_mean_under_the_model_minus_that_under_people():
    found = by_hand()
    assert [each.value for each in found.biases] == pytest.approx([-1 / 3, 2 / 3, 1 / 3])
    assert found.bias.tolist() == pytest.approx([each.value for each in found.biases])
    assert {each.n for each in found.biases} == {3}
    assert found.groups == found.group_differences == ()


def test_the_bias_of_a_group_is_the_mean_over_its_systems():
    found = by_hand(groups={"a": "old", "b": "new", "c": "new"})
    assert [(each.group, each.runs) for each in found.groups] == [("old", ("a",)), ("new", ("b", "c"))]
    assert [each.bias.value for each in found.groups] == pytest.approx([-1 / 3, 1 / 2])
    assert [each.above_others.value for each in found.groups] == pytest.approx([-5 / 6, 5 / 6])
    (difference,) = found.group_differences
    assert difference.groups == ("old", "new")
    assert difference.difference.value == pytest.approx(-5 / 6)
    assert difference.as_dict()["difference"] == pytest.approx(-5 / 6)


def test_with_three_groups_each_stands_beside_all_other_systems():
    with pytest.warns(DataWarning, match="1 run in no group, each a group of its own: c"):
        found = by_hand(groups={"a": "old", "b": "new"})
    assert [each.group for each in found.groups] == ["old", "new", "c"]
    assert [each.above_others.value for each in found.groups] == pytest.approx([-1 / 3 - 1 / 2, 2 / 3, 1 / 3 - 1 / 6])
    assert [each.groups for each in found.group_differences] == [("old", "new"), ("old", "c"), ("new", "c")]


def test_one_group_has_no_others():
    (group,) = by_hand(groups={"all": list(RUNS)}).groups
    assert group.bias.value == pytest.approx(2 / 9)
    assert np.isnan(group.above_others.value)
    assert not group.above_others.excludes_zero


def test_intervals_are_those_of_the_studentised_bootstrap_on_the_differences_by_topic():
    people, model, runs, groups = labelled(topics=12)
    found = agree({"ann": people}, llm=model, runs=runs, groups=groups, seed=3).consequences[0]
    scores = [evaluate(labels, runs, "nDCG@10") for labels in (people, model)]
    order = np.argsort(scores[0].topics)
    rows = (scores[1].values - scores[0].values)[:, order, 0]
    of_group = [np.mean([rows[n] for n, run in enumerate(runs) if groups[run] == name], axis=0) for name in ("x", "y")]
    between = of_group[0] - of_group[1]
    bounds = intervals(
        np.array([*rows, *of_group, between]), "studentized", samples=1000, rng=np.random.default_rng(3)
    ).bounds
    made = [*found.biases, *(each.bias for each in found.groups), found.group_differences[0].difference]
    assert np.array([(each.low, each.high) for each in made]) == pytest.approx(bounds, abs=1e-9)
    assert [each.excludes_zero for each in made] == [low > 0 or high < 0 for low, high in bounds]
    assert [each.value for each in made] == pytest.approx([row.mean() for row in (*rows, *of_group, between)])


def test_the_order_of_topics_changes_nothing():
    people, model, runs, groups = labelled(topics=8)
    found = [
        agree({"ann": {t: people[t] for t in order}}, llm=model, runs=runs, groups=groups).consequences[0].as_dict()
        for order in (list(people), list(people)[::-1])
    ]
    assert found[0] == found[1]


def test_equal_labels_have_no_bias():
    people, _, runs, groups = labelled(topics=8)
    found = agree({"ann": people}, llm=people, runs=runs, groups=groups, samples=20).consequences[0]
    assert {each.value for each in found.biases} == {0}
    assert not any(each.bias.excludes_zero or each.above_others.excludes_zero for each in found.groups)


def test_a_model_that_favours_a_group_is_found_out():
    people, model, runs, groups = labelled(favour=0.6)
    found = agree({"ann": people}, llm=model, runs=runs, groups=groups)
    (difference,) = found.consequences[0].group_differences
    assert difference.difference.low > 0
    assert f" the model's labels raise x above y by {difference.difference.value:.4f} [+" in repr(found)


def test_scores_are_of_the_pairs_that_both_judged():
    more = {**MODEL, "q1": {**MODEL["q1"], "f": 1}, "q9": {"d": 1}}
    found = agree({"ann": PEOPLE}, llm=more, runs=RUNS, measures="P@1", samples=200).consequences[0]
    assert (found.pairs, found.topics) == (6, 3)
    assert [each.value for each in found.biases] == [each.value for each in by_hand().biases]


def test_equal_differences_and_a_single_topic_have_no_interval():
    same, alone = mean_differences(np.array([[0.2, 0.2, 0.2], [0.3, np.nan, np.nan]]), 100, 0)
    assert same.value == pytest.approx(0.2)
    assert (same.n, alone.n) == (3, 1)
    assert np.isnan([same.low, same.high, alone.low, alone.high]).all()
    assert not same.excludes_zero
    assert same.as_dict("bias")["ci"] is None


def test_a_topic_without_a_value_counts_for_neither_labels():
    found = biases(["a", "b"], np.array([[0.5, np.nan, 0.1], [0.3, 0.2, 0.1]]), {"a": "g", "b": "g"}, 100, 0)
    assert [each.n for each in found.systems] == [2, 3]
    assert found.groups[0].bias.value == pytest.approx((0.4 + 0.2 + 0.1) / 3)


def test_a_topic_that_counts_under_one_labels_only_is_left_out_and_said():
    people, model = {"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"a": 1}}, {"q1": {"a": 0}, "q2": {"a": 1}, "q3": {"a": 1}}
    runs = {"r": {"q1": ["b", "a"], "q2": ["a"], "q3": ["a"]}}
    policy = Policy(no_relevant="exclude")
    with pytest.warns(DataWarning, match="W107"):
        excluding = agree({"ann": people}, llm=model, runs=runs, measures="AP", policy=policy, samples=9)
    (bias,) = excluding.consequences[0].biases
    assert excluding.consequences[0].means.tolist() == [[0.75], [1.0]]
    assert (bias.value, bias.n) == (0, 1)  # q3 alone has a relevant document under both
    said = "bias is taken over the topics that have a score under both labels"
    assert said in repr(excluding)
    assert said not in repr(agree({"ann": people}, llm=model, runs=runs, measures="AP", samples=9))


def test_sums_over_topics_have_a_bias_but_no_interval():
    found = agree({"ann": PEOPLE}, llm=MODEL, runs=RUNS, measures="num_rel_ret", samples=50).consequences[0]
    assert [each.value for each in found.biases] == found.bias.tolist() == [1.0, 1.0, 1.0]
    assert np.isnan([each.low for each in found.biases]).all()
    assert found.decisions is None


def test_people_together_are_compared_with_the_model():
    others = {t: dict(docs) for t, docs in PEOPLE.items()}
    found = agree({"ann": PEOPLE, "bob": others}, llm=MODEL, runs=RUNS, measures="P@1", samples=50)
    assert all(each.biases == () for each in found.consequences)
    assert found.model is not None
    (inner,) = found.model.consequences
    assert inner.assessors == ("people", "model")
    assert [each.value for each in inner.biases] == pytest.approx([-1 / 3, 2 / 3, 1 / 3])
    assert found.per_system()["bias"].to_list() == pytest.approx([-1 / 3, 2 / 3, 1 / 3])
    assert found.overrating == ()
    assert found.model.overrating != ()


def test_two_people_have_no_model_to_doubt():
    found = agree({"ann": PEOPLE, "bob": MODEL}, runs=RUNS, measures="P@1", samples=50)
    assert found.consequences[0].biases == ()
    assert found.consequences[0].decisions is None
    assert found.overrating == ()
    assert found.per_system().height == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"llm": MODEL}, "groups has no effect without runs"),
        ({"runs": RUNS}, "groups has no effect without the labels of people and of one model"),
    ],
)
def test_groups_without_effect_are_refused(options, said):
    with pytest.raises(PolicyError, match=said):
        agree({"ann": PEOPLE, "bob": MODEL}, groups={"a": "g"}, **options)


def test_groups_of_other_runs_are_refused():
    with pytest.raises(InputError, match="E128"):
        by_hand(groups={"z": "g"})


@pytest.mark.parametrize("alpha", [0, 1, -0.1])
def test_a_level_outside_its_range_is_refused(alpha):
    with pytest.raises(PolicyError, match="alpha"):
        by_hand(alpha=alpha)


def test_the_intervals_cover_a_known_bias():
    """A model that overrates documents of one system by chance: the truth is the mean over a large number of topics."""
    rng, topics, worlds = np.random.default_rng(11), 25, 400
    truth = np.array([0.06, 0.0])
    covered = np.zeros(3)
    for world in range(worlds):
        moved = rng.random((2, topics)) < 0.4
        rows = np.where(moved, rng.exponential(1.0, (2, topics)) * truth[:, None] / 0.4, 0.0)
        rows += rng.normal(0, 0.05, topics)  # what the topic does to all systems
        found = biases(["a", "b"], rows, {"a": "x", "b": "y"}, 400, world)
        made = [*found.systems, found.group_differences[0].difference]
        covered += [
            each.low <= true <= each.high for each, true in zip(made, (*truth, truth[0] - truth[1]), strict=True)
        ]
    assert covered / worlds == pytest.approx(0.95, abs=0.035)  # three standard errors of 400 worlds
