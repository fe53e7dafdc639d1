"""How many documents reverse an order: curves that are computed only as far as they are needed."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.missing.bounds.ideal import SharesOfIdeal
from tests.missing.small_cases import every_measure, random_case, situation_of


@pytest.mark.parametrize("measure", ["nDCG@3", "nDCG(dcg='exp-log2')@2", "R@3", "F@3"])
def test_the_beginning_of_a_curve_does_not_depend_on_how_far_it_is_computed(measure):
    rng = np.random.default_rng(11)
    for _ in range(20):
        qrels, runs = random_case(rng)
        situation = situation_of(qrels, runs, measure, "open:3")
        method = SharesOfIdeal(situation, situation.measure.definition.bounds)
        for topic in situation:
            whole = method.lowest_by_number(topic, 0, 1, 1000)
            assert len(whole) == topic.holes + topic.unseen + 1
            for most in range(len(whole)):
                assert method.lowest_by_number(topic, 0, 1, most).tolist() == whole[: most + 1].tolist()


@pytest.mark.parametrize("ahead", [0, 1, 3, 4, 20])
@pytest.mark.parametrize("measure", ["nDCG@1", "P@1", "R@1"])
def test_the_smallest_set_is_found_whatever_its_size(measure, ahead):
    """One run is ahead by 1 in some topics; in each of the others one document can put it back by 1."""
    won, open_ = [f"won{number}" for number in range(ahead)], [f"open{number}" for number in range(ahead + 3)]
    qrels = {
        "same": {"good": 1},
        **{name: {"good": 1, "bad": 0} for name in won},
        **{name: {"bad": 0} for name in open_},
    }
    runs = {
        "new": {"same": ["good"], **{name: ["good"] for name in won}, **{name: ["bad"] for name in open_}},
        "old": {"same": ["good"], **{name: ["bad"] for name in won}, **{name: ["unknown"] for name in open_}},
    }
    found = cf.holes(qrels, runs, measure).verdict("new", "old")
    assert (found.status, found.flips, found.smallest) == ("open", ahead + 1, True)


@pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
@pytest.mark.parametrize("measure", every_measure())
def test_the_verdicts_on_all_pairs_are_those_on_each(measure):
    rng = np.random.default_rng(5)
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, list[str]]] = {name: {} for name in "abcd"}
    for topic in ("1", "2", "3"):
        names = [f"d{number}" for number in range(6)]
        qrels[topic] = {name: int(rng.integers(0, 3)) for name in names[:3]}
        for lists in runs.values():
            lists[topic] = [str(name) for name in rng.permutation(names)[:3]]
    found = cf.holes(qrels, runs, measure)
    for verdict in found.verdicts("all"):
        assert repr(found.verdict(verdict.a, verdict.b)) == repr(verdict)


def test_the_ends_of_a_pair_are_the_same_bits_among_others():
    rng = np.random.default_rng(3)
    names = [f"d{number}" for number in range(60)]
    qrels = {"1": {name: int(rng.integers(0, 6)) for name in names[::5]}}
    runs = {f"run{number}": {"1": [str(name) for name in rng.permutation(names)[:20]]} for number in range(12)}
    situation = situation_of(qrels, runs, "nDCG(gains={1:0.1,2:0.3,3:0.7,4:1.1,5:1.3})@20")
    method = SharesOfIdeal(situation, situation.measure.definition.bounds)
    a, b = np.triu_indices(len(runs), 1)
    for topic in situation:
        together = method.ends(topic, a, b)
        alone = [method.ends(topic, a[[row]], b[[row]]) for row in range(len(a))]
        assert [ends.low[0] for ends in alone] == together.low.tolist()
        assert [ends.high[0] for ends in alone] == together.high.tolist()
