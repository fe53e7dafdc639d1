"""The folds study: tuning over topics, against a loop over dictionaries."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

import cranfield as cf
from cranfield import study
from cranfield.study.data.collection import Collection
from cranfield.study.kinds.folds.splits import (
    NONE,
    TEST,
    TRAIN,
    VALIDATION,
    fixed_roles,
    folds_of,
    read_labels,
    refuse_leaks,
    roles_of,
)
from cranfield.study.kinds.folds.study import Folds
from cranfield.study.kinds.folds.tuning import Tuner, systems_of
from tests.study.small import Qrels, Runs, small

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")  # of a topic without a list
NAMES = ["bm25:k1=0.9", "bm25:k1=1.2", "bm25:k1=2", "ql:mu=500", "ql:mu=1000", "plain"]


def grid(topics: int = 11, seed: int = 1) -> tuple[Qrels, Runs]:
    """A grid of runs: two systems with several settings, and one with a single one."""
    qrels, runs = small(topics=topics, runs=len(NAMES), seed=seed)
    return qrels, dict(zip(NAMES, runs.values(), strict=True))


def mean(scores, run, topics, measure):
    values = [scores[run][topic][measure] for topic in topics]
    return round(sum(values) / len(values), 12)


def tuned_by_hand(scores, settings, folds, measure, smaller=False):
    """For each fold the first setting that is best on the others, and the score of each topic."""
    chosen: list[Any] = []
    held: dict[Any, Any] = {}
    for number, fold in enumerate(folds):
        others = [topic for n, part in enumerate(folds) if n != number for topic in part]
        means = [mean(scores, run, others, measure) for run in settings]
        best = means.index(min(means) if smaller else max(means))
        chosen.append(best)
        held |= {topic: scores[settings[best]][topic][measure] for topic in fold}
    return chosen, held


@pytest.mark.parametrize("measure", ["AP", "P@5", "RBPResidual"])
def test_folds_are_those_of_a_loop(measure):
    qrels, runs = grid()
    made = study.folds(qrels, runs, [measure], folds=4, repeats=2, seed=9, test="none")
    found = cf.evaluate(qrels, runs, [measure])
    scores = {
        run: {topic: {measure: found.values[r, t, 0]} for t, topic in enumerate(found.topics)}
        for r, run in enumerate(found.runs)
    }
    smaller = cf.parse(measure).definition.smaller
    rows = {row["system"]: row for row in made.table().to_dicts()}
    choices = made.table("chosen").to_dicts()
    for system in systems_of(NAMES):
        settings, cross, by_topic = [NAMES[at] for at in system.runs], [], []
        for repeat in range(2):
            fold = folds_of(found.topics, {}, 4, 9, "folds", repeat)
            parts = [[t for t, f in zip(found.topics, fold, strict=True) if f == number] for number in range(4)]
            chosen, held = tuned_by_hand(scores, settings, parts, measure, smaller)
            names = [r["setting"] for r in choices if (r["split"], r["system"]) == (repeat + 1, system.name)]
            assert names == [system.settings[at] for at in chosen]
            assert sorted(held) == sorted(qrels)
            cross.append(sum(held.values()) / len(held))
            by_topic.append(held)
        means = [mean(scores, run, found.topics, measure) for run in settings]
        best = min(means) if smaller else max(means)
        gap = np.mean(cross) - best if smaller else best - np.mean(cross)
        row = rows[system.name]
        assert row["held_out"] == pytest.approx(np.mean(cross), abs=1e-12)
        assert row["best_on_all"] == pytest.approx(best, abs=1e-11)
        assert row["best_setting"] == system.settings[means.index(best)]
        assert row["optimism"] == pytest.approx(gap, abs=1e-11)
        for topic in qrels:
            value = [r for r in made.table("topics").to_dicts() if (r["system"], r["topic"]) == (system.name, topic)]
            assert value[0]["held_out"] == pytest.approx(np.mean([held[topic] for held in by_topic]), abs=1e-12)


def test_one_setting_has_no_optimism():
    made = study.folds(*grid(), ["AP", "nDCG@10"], repeats=3)
    rows = [row for row in made.table().to_dicts() if row["system"] == "plain"]
    assert [(r["optimism"], r["optimism_low"], r["chosen_share"]) for r in rows] == [(0.0, 0.0, 1.0)] * 2
    qrels, runs = small()
    alone = study.folds(qrels, runs, ["AP"], folds=3)
    assert alone.table()["optimism"].to_list() == [0.0] * len(runs)
    assert any("No system has more than one setting" in note for note in alone.findings.notes)


def test_one_test_over_all_topics():
    made = study.folds(*grid(), ["AP"], folds=3, repeats=4, seed=5)
    topics = made.table("topics").to_dicts()
    values = {name: [r["held_out"] for r in topics if r["system"] == name] for name in ("bm25", "ql", "plain")}
    for row in made.table("tests").to_dicts():
        assert row["topics"] == 11
        expected = ttest_rel(values[row["run"]], values[row["baseline"]])
        assert row["p_raw"] == pytest.approx(expected.pvalue, rel=1e-9)
        assert row["difference"] == pytest.approx(np.mean(values[row["run"]]) - np.mean(values[row["baseline"]]))
    raw = sorted(row["p_raw"] for row in made.table("tests").to_dicts())
    smallest = min(row["p"] for row in made.table("tests").to_dicts())
    assert smallest == pytest.approx(min(1.0, 3 * raw[0]))
    against = study.folds(*grid(), ["AP"], folds=3, repeats=4, seed=5, baseline="plain", adjust="none")
    assert {(r["run"], r["baseline"]) for r in against.table("tests").to_dicts()} == {
        ("bm25", "plain"),
        ("ql", "plain"),
    }


def test_one_measure_may_choose_for_all():
    own = study.folds(*grid(), ["AP", "P@5"], repeats=3, tune_on="P@5").table("chosen").to_dicts()
    settings = [(r["split"], r["fold"], r["system"], r["setting"]) for r in own if r["measure"] == "AP"]
    assert settings == [(r["split"], r["fold"], r["system"], r["setting"]) for r in own if r["measure"] == "P@5"]
    alone = study.folds(*grid(), ["P@5"], repeats=3).table("chosen").to_dicts()
    assert settings == [(r["split"], r["fold"], r["system"], r["setting"]) for r in alone]
    with pytest.raises(cf.PolicyError, match=r"E223: .* is not measured"):
        study.folds(*grid(), ["AP"], tune_on="RR")


# --- splits ----------------------------------------------------------------------------------------------------------


@given(st.integers(2, 7), st.integers(7, 30), st.integers(0, 99), st.booleans())
def test_every_topic_is_tested_once_and_has_one_role_at_a_time(folds, topics, seed, nested):
    names = [f"q{number}" for number in range(topics)]
    fold = folds_of(names, {}, folds, seed, "folds", 0)
    sizes = np.bincount(fold, minlength=folds)
    assert sizes.max() - sizes.min() <= 1
    roles = roles_of(fold, folds, nested)
    assert ((roles == TEST).sum(axis=0) == 1).all()
    if nested:
        assert ((roles == VALIDATION).sum(axis=0) == 1).all()
        assert ((roles == TRAIN).sum(axis=0) == folds - 2).all()


@given(st.lists(st.integers(0, 5), min_size=8, max_size=25), st.integers(0, 99))
def test_families_stay_together(family, seed):
    names = [f"q{number}" for number in range(len(family))]
    families = {name: f"f{number}" for name, number in zip(names, family, strict=True) if number}
    fold = folds_of(names, families, 2, seed, "folds", 0) if len(set(family)) > 1 else np.zeros(len(names), int)
    for one in set(families.values()):
        assert len({int(f) for f, name in zip(fold, names, strict=True) if families.get(name) == one}) == 1
    refuse_leaks(roles_of(fold, 2, nested=False), names, families)


def test_a_family_in_two_roles_is_a_leak():
    with pytest.raises(cf.InputError, match=r"E235.*topic 'a' is for train, 'b' for test"):
        refuse_leaks(np.array([[TRAIN, TEST]]), ["a", "b"], {"a": "x", "b": "x"})
    refuse_leaks(np.array([[TRAIN, NONE]]), ["a", "b"], {"a": "x", "b": "x"})


def test_a_topic_in_two_roles_is_a_leak(tmp_path):
    path = tmp_path / "roles.txt"
    path.write_text("q0 train\nq1 test\n\nq0 test\n")
    with pytest.raises(cf.InputError, match=r"roles.txt:4: topic 'q0' is both 'train' and 'test'"):
        study.folds(*grid(), ["AP"], roles=str(path))


def test_roles_may_be_fixed(tmp_path):
    qrels, runs = grid()
    path, topics = tmp_path / "roles.txt", sorted(qrels)
    roles = dict.fromkeys(topics[:5], "train") | dict.fromkeys(topics[5:7], "validation")
    roles |= dict.fromkeys(topics[7:10], "test")
    path.write_text("# comment\n" + "".join(f"{topic}\t{role}\n" for topic, role in roles.items()))
    made = study.folds(qrels, runs, ["AP"], roles=str(path))
    scores = _by_topic(qrels, runs)
    picks = {}
    for system in systems_of(NAMES):
        settings = [NAMES[at] for at in system.runs]
        best = max(settings, key=lambda run: mean(scores, run, topics[:5], "AP"))
        picks[system.name] = best
        row = next(r for r in made.table().to_dicts() if r["system"] == system.name)
        assert row["held_out"] == pytest.approx(mean(scores, best, topics[7:10], "AP"), abs=1e-11)
        on_test = max(mean(scores, run, topics[7:10], "AP") for run in settings)
        assert row["best_on_all"] == pytest.approx(on_test, abs=1e-11)
    picked = max(picks, key=lambda name: mean(scores, picks[name], topics[5:7], "AP"))
    row = made.table().to_dicts()[-1]
    assert (row["system"], row["chosen"]) == ("(picked)", picked)
    assert row["held_out"] == pytest.approx(mean(scores, picks[picked], topics[7:10], "AP"), abs=1e-11)
    assert "one fixed split: 5 train, 2 validation, 3 test topics" in made.findings.title


def _by_topic(qrels, runs):
    found = cf.evaluate(qrels, runs, ["AP"])
    return {
        run: {topic: {"AP": found.values[r, t, 0]} for t, topic in enumerate(found.topics)}
        for r, run in enumerate(found.runs)
    }


def test_nested_folds_pick_the_system_on_topics_that_neither_tuned_nor_test():
    qrels, runs = grid(topics=12)
    made = study.folds(qrels, runs, ["AP"], folds=4, repeats=1, seed=2, nested=True)
    scores = _by_topic(qrels, runs)
    topics = Collection.of(qrels, runs, ["AP"]).topics
    fold = folds_of(topics, {}, 4, 2, "folds", 0)
    held = []
    for number in range(4):
        parts = {n: [t for t, f in zip(topics, fold, strict=True) if f == n] for n in range(4)}
        test, validation = parts.pop(number), parts.pop((number + 1) % 4)
        train = [topic for part in parts.values() for topic in part]
        tuned = [
            max((NAMES[at] for at in system.runs), key=lambda run, train=train: mean(scores, run, train, "AP"))  # type: ignore[misc]  # the stubs know less
            for system in systems_of(NAMES)
        ]
        pick = max(tuned, key=lambda run, validation=validation: mean(scores, run, validation, "AP"))  # type: ignore[misc]  # the stubs know less
        held += [scores[pick][topic]["AP"] for topic in test]
    row = made.table().to_dicts()[-1]
    assert row["system"] == "(picked)"
    assert row["held_out"] == pytest.approx(np.mean(held), abs=1e-12)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q0 train\nq1 other\n", "E119: .*there is no role 'other'"),
        ("q0 train\n", "no judged topic has the role 'test'"),
        ("q0\n", "expected 2 columns, found 1"),
    ],
)
def test_roles_that_cannot_be_used(tmp_path, text, message):
    path = tmp_path / "roles.txt"
    path.write_text(text)
    with pytest.raises(cf.Error, match=message):
        fixed_roles(["q0", "q1"], read_labels(str(path), "TOPIC ROLE"), str(path))


def test_choices_that_cannot_be_followed():
    with pytest.raises(cf.PolicyError, match="folds=2 is too few for three roles"):
        Folds(folds=2, nested=True)
    with pytest.raises(cf.PolicyError, match="folds=12 is too many"):
        study.folds(*grid(), ["AP"], folds=12)
    with pytest.raises(cf.PolicyError, match="E205"):
        study.folds(*grid(), ["AP"], baseline="other")
    for wrong, code in (
        ({"test": "z"}, "E213"),
        ({"adjust": "hope"}, "E213"),
        ({"folds": 1}, "E240"),
        ({"repeats": 0}, "E240"),
    ):
        with pytest.raises(cf.PolicyError, match=code):
            Folds(**wrong)


def test_ties_go_to_the_first_setting():
    qrels, runs = grid()
    same = {"s:a=1": runs["plain"], "s:a=2": dict(runs["plain"]), "t": runs["plain"]}
    made = study.folds(qrels, same, ["AP"], repeats=2)
    assert set(made.table("chosen").filter(made.table("chosen")["system"] == "s")["setting"]) == {"a=1"}
    tuner = Tuner(Collection.of(qrels, same, ["AP"]), systems_of(tuple(same)), np.array([0]))
    assert tuner.best([1, 0], np.ones(11, dtype=bool))[0].tolist() == [0]


def test_the_split_is_in_the_first_line_and_settings_are_drawn_by_value():
    made = study.folds(*grid(), ["AP"], repeats=2)
    assert made.findings.title.endswith("5 random folds of the topics, each tested with what the others chose")
    assert "3 systems · 6 settings · 11 topics" in made.findings.title
    assert made.findings.drawings["tuning"].x == "setting, in the order given"
    qrels, runs = grid()
    one = study.folds(qrels, {name: runs[name] for name in NAMES[:3]}, ["AP"], repeats=1)
    assert one.findings.drawings["tuning"].x == "k1"
    assert one.findings.drawings["tuning"].curves[0].x.tolist() == [0.9, 1.2, 2.0]
