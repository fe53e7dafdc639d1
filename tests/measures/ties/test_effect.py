"""The footer counts the groups of equal scores that can change a printed value, and no others."""

from itertools import permutations

import numpy as np
import pytest

import cranfield as cf
from cranfield.tables.audit import Audit

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
EXACT = (
    "P@2",
    "R@3",
    "F@2",
    "Success@2",
    "RR",
    "RR@2",
    "Rprec",
    "AP",
    "AP@2",
    "nDCG@3",
    "DCG",
    "RBP@3",
    "ERR@2",
    "CG@2",
)
CONDENSED = ("AP'", "P'@2", "nDCG'@2")


def effect(grades, scores, measures, **policies):
    return cf.evaluate({"q": grades}, {"r": {"q": scores}}, measures, **policies).audit.tie_groups_with_effect


def test_the_footer_of_a_constant_scorer_says_that_the_value_hangs_on_ties():
    grades = {f"d{n}": int(n == 9) for n in range(10)}
    scores = cf.evaluate({"q": grades}, {"r": {"q": dict.fromkeys(grades, 1.0)}}, "RR")
    assert "ties: 1 group, 1 can change a value" in str(scores)
    assert scores.audit.tie_groups_with_effect_by_run == {"r": 1}


@pytest.mark.parametrize(
    ("grades", "scores", "measure", "groups"),
    [
        ({"a": 1}, {"a": 3.0, "u": 1.0, "v": 1.0}, "AP", 0),  # nobody judged them
        ({"a": 1, "b": 1}, {"a": 1.0, "b": 1.0}, "AP", 0),  # the same grade
        ({"a": 1, "b": 2}, {"a": 1.0, "b": 1.0}, "AP", 0),  # both are relevant
        ({"a": 1, "b": 2}, {"a": 1.0, "b": 1.0}, "nDCG", 1),
        ({"a": 1, "b": 0}, {"a": 1.0, "b": 1.0}, "P@10", 0),  # both are inside the cut-off
        ({"a": 1, "b": 0}, {"a": 1.0, "b": 1.0}, "P@1", 1),
        ({"a": 1, "b": 0}, {"a": 1.0, "b": 1.0}, "AP@10", 1),  # the order inside it matters
        ({"a": 1, "b": 1, "c": 0}, {"a": 9.0, "b": 1.0, "c": 1.0}, "RR", 0),  # the first relevant one is above
        ({"a": 1}, {"a": 1.0, "u": 1.0}, "AP'", 0),  # only one of them is left
        ({"a": 1}, {"a": 1.0, "u": 1.0}, "AP", 1),
        ({"a": 1, "b": 0}, {"a": 1.0, "b": 1.0}, "SetP", 0),
        ({"a": 1, "b": 0}, {"a": 1.0, "b": 1.0}, "NumRel", 0),
        ({"a": 1, "b": 0}, {"a": 1.0, "b": 1.0}, "Q", 1),
        ({"a": 1, "b": 0}, {"u": 2.0, "a": 1.0, "b": 1.0}, "Q@1", 0),  # below the cut-off
        ({"a": 1, "b": 0}, {"a": 1.0, "b": 1.0}, "Bpref", 1),
        ({"a": 1}, {"a": 1.0, "u": 1.0}, "Bpref", 0),  # it looks at judged documents
    ],
)
def test_a_group_is_counted_if_one_of_its_orders_changes_a_value(grades, scores, measure, groups):
    assert effect(grades, scores, measure) == groups


def world(seed):
    rng = np.random.default_rng(seed)
    documents = [f"d{n}" for n in range(7)]
    grades = {d: int(rng.integers(0, 3)) for d in documents if rng.random() < 0.6} | {"x": 1}
    return grades, {d: float(rng.integers(0, 4)) for d in documents}


def changed_groups(grades, scores, measures):
    """How many groups have an order that changes each value; all orders of a group, the others as they are."""
    usual = sorted(scores, key=lambda d: (scores[d], d), reverse=True)
    found = np.zeros(len(measures), dtype=int)
    for level in set(scores.values()):
        members = [d for d in usual if scores[d] == level]
        at = usual.index(members[0])
        lists = [[*usual[:at], *own, *usual[at + len(members) :]] for own in permutations(members)]
        runs = {str(n): {"q": {d: -float(i) for i, d in enumerate(o)}} for n, o in enumerate(lists)}
        values = cf.evaluate({"q": grades}, runs, measures).values[:, 0]
        found += np.ptp(values, axis=0) > 1e-9
    return found


@pytest.mark.parametrize("seed", range(6))
def test_the_count_is_that_of_going_through_all_orders(seed, tmp_path):
    grades, scores = world(seed)
    (tmp_path / "r.run").write_text("".join(f"q Q0 {d} 0 {s} r\n" for d, s in scores.items()))
    measures = [*EXACT, *CONDENSED]
    wanted = changed_groups(grades, scores, measures)
    assert [effect(grades, scores, measure) for measure in measures] == wanted.tolist()
    files = [cf.evaluate({"q": grades}, tmp_path / "r.run", measure).audit for measure in measures]
    assert [audit.tie_groups_with_effect for audit in files] == wanted.tolist()


def test_a_group_counts_once_for_several_measures_and_in_each_list_of_each_run():
    grades, scores = {"a": 1, "b": 0}, {"a": 1.0, "b": 1.0}
    qrels = {"q1": grades, "q2": grades}
    runs = {"one": {"q1": scores, "q2": scores}, "two": {"q2": scores, "q1": {"a": 2.0, "b": 1.0}}}
    audit = cf.evaluate(qrels, runs, ["AP", "RR", "P@1"]).audit
    assert audit.tie_groups_with_effect_by_run == {"one": 2, "two": 1}
    assert audit.tie_groups_with_effect == 3
    assert cf.evaluate(qrels, runs, ["AP"], ties="expected").audit.tie_groups_with_effect == 3
    assert cf.evaluate(qrels, runs, ["AP"], ties="file").audit.tie_groups_with_effect == 0


@pytest.mark.parametrize("ties", ["trec", "expected"])
def test_a_group_across_the_depth_decides_who_is_in(ties):
    grades, scores = {"a": 1}, {"b": 9.0, "z": 1.0, "a": 1.0}
    assert effect(grades, scores, "SetR", depth=2, ties=ties) == 1
    assert effect(grades, scores, "SetR", depth=1, ties=ties) == 0
    assert effect(grades, scores, "SetR", ties=ties) == 0


def test_scores_saved_by_an_earlier_version_do_not_say_that_no_group_matters():
    assert "2 groups, 1 across rank 10" in Audit(tie_groups=2, tie_groups_at_cutoff=1).footer(10)[1]


def test_dictionaries_with_ties_in_single_precision_are_counted_as_files_are(tmp_path):
    grades, scores = {"a": 1, "b": 0}, {"a": 1.0, "b": 1.0 + 1e-12}
    assert effect(grades, scores, "AP") == 0
    assert effect(grades, scores, "AP", ties="trec9") == 1
