"""The decider: batches for several people, answers in any order, answers taken back, and what it says is known."""

import numpy as np
import pytest

import cranfield as cf
from cranfield.align.policy import Policy
from cranfield.missing.next.deciding.decider import Decider
from cranfield.missing.next.deciding.making import DecideQuestion, decider_of, measure_for
from cranfield.missing.next.deciding.steps import StopRule
from cranfield.read.objects import as_qrels, as_run
from cranfield.tables.qrels import Qrels

Judgments = dict[str, dict[str, int]]
Lists = dict[str, list[str]]
MEASURES = ["P@5", "nDCG@5", "RR", "AP"]


def case(seed: int, runs: int = 2, topics: int = 3) -> tuple[Judgments, Judgments, dict[str, Lists]]:
    """Judgments so far, all judgments, and some runs."""
    rng = np.random.default_rng(seed)
    documents, names = [f"d{number:02}" for number in range(14)], [f"t{topic}" for topic in range(topics)]
    whole = {t: {d: int(rng.integers(0, 3)) for d in documents} for t in names}
    some = {t: {d: whole[t][d] for d in rng.permutation(documents)[:5].tolist()} for t in names}
    for grade in range(3):  # every grade is known
        whole[names[0]][f"known{grade}"] = some[names[0]][f"known{grade}"] = grade
    return some, whole, {n: {t: rng.permutation(documents)[:6].tolist() for t in names} for n in "ABCD"[:runs]}


def decider(some: Judgments, runs: dict[str, Lists], measure: str, alpha: float = 0.0, **more: object) -> Decider:
    """A decider of all pairs."""
    policy = Policy()
    question = DecideQuestion(
        qrels=as_qrels(some),
        runs=tuple(as_run(lists).renamed(name) for name, lists in runs.items()),
        measure=measure_for(measure, policy),
        policy=policy,
        draws=200,
        **more,  # type: ignore[arg-type]
    )
    return decider_of(question, StopRule(alpha)).decider


def known(found: Decider) -> list[float]:
    """Range and probability of every pair."""
    return [value for path in found.steps for value in (path[-1].low, path[-1].high, path[-1].probability)]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_order_of_answers_does_not_change_what_is_known(measure: str) -> None:
    some, whole, runs = case(1, runs=3)
    forward, backward = decider(some, runs, measure), decider(some, runs, measure)
    asked = forward.documents()[:9]
    for found, order in ((forward, asked), (backward, asked[::-1])):
        for topic, document in order:
            found.enter(topic, document, whole[topic][document])
    assert known(forward) == pytest.approx(known(backward))
    assert forward.batch(3) == backward.batch(3)


@pytest.mark.parametrize("measure", MEASURES)
def test_an_answer_that_is_taken_back_leaves_no_trace_but_its_step(measure: str) -> None:
    some, whole, runs = case(2)
    found, never = decider(some, runs, measure), decider(some, runs, measure)
    first, second, third = found.documents()[:3]
    for topic, document in (first, second, third):
        found.enter(topic, document, whole[topic][document])
    assert found.take_back(*second)
    assert not found.take_back(*second)
    for topic, document in (first, third):
        never.enter(topic, document, whole[topic][document])
    assert known(found) == pytest.approx(known(never))
    assert found.state().judged == 2
    assert len(found.steps[0]) == 5
    assert found.state().waiting == never.state().waiting


def test_a_second_answer_takes_the_place_of_the_first() -> None:
    some, _, runs = case(3)
    changed, straight = decider(some, runs, "nDCG@5"), decider(some, runs, "nDCG@5")
    pair = changed.batch(1)[0]
    assert changed.enter(*pair, 2)
    assert not changed.enter(*pair, 2)
    assert changed.enter(*pair, 0)
    straight.enter(*pair, 0)
    assert known(changed) == pytest.approx(known(straight))
    assert changed.state().judged == 1


def test_what_cannot_be_judged_stays_unjudged_and_is_not_asked_about_again() -> None:
    some, _, runs = case(4)
    found = decider(some, runs, "P@5")
    before, pair = known(found), found.batch(1)[0]
    assert found.enter(*pair, None)
    assert known(found) == before
    assert pair not in found.batch(100)
    assert (found.state().cannot, found.state().judged) == (1, 0)
    assert found.take_back(*pair)
    assert found.batch(1) == [pair]


def test_documents_that_others_hold_are_not_given_again() -> None:
    some, _, runs = case(5)
    found = decider(some, runs, "P@5")
    first = found.batch(3)
    second = found.batch(100, held=first)
    assert not set(first) & set(second)
    assert {*first, *second} == set(found.documents())
    assert found.batch(100, held=found.documents()) == []


def test_two_documents_of_which_one_answer_makes_the_other_useless_are_kept_apart() -> None:
    """RR: below a relevant document nothing counts, so x and y are not judged at once while z waits."""
    qrels = {"1": {"n": 0, "r": 1}, "2": {"n": 0, "r": 1}}
    runs = {"A": {"1": ["x", "y"], "2": ["n", "n2", "z"]}, "B": {"1": ["n"], "2": ["n"]}}
    found = decider(qrels, runs, "RR@3")
    assert ("1", "x") in found.batch(1)
    two = found.batch(2)
    assert ("1", "x") in two
    assert ("1", "y") not in two
    assert ("1", "y") not in found.batch(1, held=[("1", "x")])
    others = [pair for pair in found.documents() if pair[0] == "2"]
    assert found.batch(1, held=[("1", "x"), *others]) == [("1", "y")]  # it cannot be helped


@pytest.mark.parametrize("measure", MEASURES)
def test_pairs_of_several_runs_have_the_ranges_of_the_judgments_so_far(measure: str) -> None:
    """After some answers, one of them to a document that no run lists."""
    some, whole, runs = case(6, runs=3)
    found = decider(some, runs, measure)
    judged = {topic: dict(grades) for topic, grades in some.items()}
    for topic, document in [*found.batch(4), ("t1", "elsewhere")]:
        grade = whole[topic].get(document, 2)
        judged[topic][document] = grade
        assert found.enter(topic, document, grade)
    universe = cf.holes(judged, runs, measure)
    for pair in found.state().pairs:
        verdict = universe.verdict(pair.a, pair.b)
        assert pair.last.low <= verdict.low + 1e-9
        assert pair.last.high >= verdict.high - 1e-9
        if measure in ("P@5", "nDCG@5"):
            assert (pair.last.low, pair.last.high) == pytest.approx((verdict.low, verdict.high))
    assert not found.enter("another topic", "d01", 1)


def test_several_runs_are_asked_in_all_pairs_or_against_a_baseline() -> None:
    some, whole, runs = case(7, runs=4)
    every, base = decider(some, runs, "P@5"), decider(some, runs, "P@5", baseline="B")
    assert [(pair.a, pair.b) for pair in every.state().pairs] == [
        ("A", "B"), ("A", "C"), ("A", "D"), ("B", "C"), ("B", "D"), ("C", "D")
    ]  # fmt: skip
    assert [(pair.a, pair.b) for pair in base.state().pairs] == [("A", "B"), ("C", "B"), ("D", "B")]
    numbers = []
    for found in (every, base):
        while batch := found.batch(1):
            found.enter(*batch[0], whole[batch[0][0]][batch[0][1]])
        assert found.state().reason in ("certain", "equal")
        assert found.state().left == 0
        numbers.append(found.state().judged)
    assert numbers[1] <= numbers[0]
    scores = dict(zip("ABCD", cf.evaluate(whole, runs, "P@5").means[:, 0].tolist(), strict=True))
    for pair in every.state().pairs:
        assert pair.better == (
            None if scores[pair.a] == scores[pair.b] else max(pair.a, pair.b, key=scores.__getitem__)
        )


def test_decided_pairs_no_longer_say_what_is_asked_next() -> None:
    """A and B are equal; only C against them is open, so what A and B list alone waits behind what C lists."""
    qrels = {"1": {"a": 1, "b": 1, "c": 0}}
    runs = {"A": {"1": ["a"]}, "B": {"1": ["b"]}, "C": {"1": ["x"]}}
    found = decider(qrels, runs, "P@1")
    assert [pair.decided for pair in found.state().pairs] == ["equal", None, None]
    assert found.batch(1) == [("1", "x")]


def test_the_estimate_of_what_is_left_is_near_the_number_it_took() -> None:
    ratios = []
    for seed in range(30):
        some, whole, runs = case(seed, topics=8)
        found = decider(some, runs, "P@5")
        told = found.state().left
        assert told <= found.state().waiting
        while batch := found.batch(1):
            found.enter(*batch[0], whole[batch[0][0]][batch[0][1]])
        if found.state().judged:
            ratios.append(told / found.state().judged)
    assert len(ratios) > 15
    assert 0.7 < np.median(ratios) < 1.4


def test_the_estimate_of_what_is_left_is_a_little_high_where_the_prior_is_right() -> None:
    """Answers are drawn from the worlds that the estimate looks at."""
    told, took = [], []
    for seed in range(12):
        some, _, runs = case(seed, topics=8)
        found = decider(some, runs, "P@5")
        told.append(found.state().left)
        worlds, documents = found.worlds, found.documents()
        world = int(np.random.default_rng(seed).choice(len(worlds.weight), p=worlds.weight))
        grade = dict(zip(documents, worlds.levels[worlds.level[world]].tolist(), strict=True))
        while batch := found.batch(1):
            found.enter(*batch[0], grade[batch[0]])
        took.append(found.state().judged)
    assert 0.95 < np.sum(told) / np.sum(took) < 1.3


def test_the_state_says_why_one_may_stop() -> None:
    some, whole, runs = case(6, topics=6)
    found = decider(some, runs, "P@5", alpha=0.05)
    opened = found.state()
    assert opened.reason is None
    assert "The difference A – B lies between" in opened.sentence
    assert "left of" in opened.sentence
    while batch := found.batch(1):
        found.enter(*batch[0], whole[batch[0][0]][batch[0][1]])
    done = found.state()
    assert done.reason == "probable"
    assert done.left == 0
    assert "you asked for 0.95, so you may stop" in done.sentence
    silent = decider(some, runs, "P@5")
    for pair in silent.documents():
        silent.enter(*pair, None)
    assert silent.state().reason == "nothing left"
    assert silent.state().sentence.endswith("you may stop, and they stay open.")
    same = decider({"1": {"a": 1, "b": 1}}, {"A": {"1": ["a"]}, "B": {"1": ["b"]}}, "P@1")
    assert same.state().sentence == "A and B are equal on this topic, whatever is judged: you may stop."


def test_runs_can_be_asked_about_before_anything_is_judged() -> None:
    """With the topics and the grades that a room has."""
    _, whole, runs = case(8)
    policy = Policy()
    question = DecideQuestion(
        qrels=Qrels.of([], [], []),
        runs=tuple(as_run(lists).renamed(name) for name, lists in runs.items()),
        measure=measure_for("nDCG@5", policy),
        policy=policy,
        topics=tuple(whole),
        levels=np.array([0.0, 1.0, 2.0]),
        draws=200,
    )
    found = decider_of(question).decider
    assert found.state().topics == 3
    while batch := found.batch(2):
        for topic, document in batch:
            found.enter(topic, document, whole[topic][document])
    assert found.state().reason in ("certain", "equal")
