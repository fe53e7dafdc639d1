"""Decide: ask until certain, probable, or out of budget; the range is that of the judgments so far."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cranfield as cf

Judgments = dict[str, dict[str, int]]
Lists = dict[str, list[str]]


def case(seed: int, topics: int = 3, grades: int = 3) -> tuple[Judgments, Judgments, Lists, Lists]:
    """Judgments so far, all judgments, and two runs."""
    rng = np.random.default_rng(seed)
    documents = [f"d{number:02}" for number in range(14)]
    names = [f"t{topic}" for topic in range(topics)]
    whole = {t: {d: int(rng.integers(0, grades)) for d in documents} for t in names}
    some = {t: {d: whole[t][d] for d in rng.permutation(documents)[:6].tolist()} for t in names}
    for grade in range(grades):  # every grade is known
        whole[names[0]][f"known{grade}"] = some[names[0]][f"known{grade}"] = grade
    a, b = ({t: rng.permutation(documents)[:6].tolist() for t in names} for _ in range(2))
    return some, whole, a, b


def answers(whole: Judgments) -> Callable[[str, str], int]:
    """Someone who knows all judgments."""
    return lambda topic, document: whole[topic][document]


@pytest.mark.parametrize("measure", ["P@5", "RBP(p=0.8)", "nDCG@5", "R@4", "AP", "ERR@5", "RR"])
@pytest.mark.parametrize("seed", range(3))
def test_each_step_has_the_range_of_the_judgments_so_far(measure: str, seed: int) -> None:
    """An update gives what a new computation gives; ranges nest; the truth lies inside to the end."""
    some, whole, a, b = case(seed)
    found = cf.decide(some, a, b, measure, ask=answers(whole), draws=50)
    judged = {topic: dict(grades) for topic, grades in some.items()}
    exact = measure in ("P@5", "RBP(p=0.8)")
    for before, step in zip(found.steps[:-1], found.steps[1:], strict=True):
        assert step.topic is not None
        assert step.document is not None
        judged[step.topic][step.document] = whole[step.topic][step.document]
        assert step.low >= before.low - 1e-12
        assert step.high <= before.high + 1e-12
        if exact:
            verdict = cf.holes(judged, {"a": a, "b": b}, measure).verdict("a", "b")
            assert (step.low, step.high) == pytest.approx((verdict.low, verdict.high))
    assert found.reason in ("certain", "equal")
    inside = {
        t: {d: g for d, g in grades.items() if d in judged[t] or d in a[t] or d in b[t]} for t, grades in whole.items()
    }
    scores = cf.evaluate(inside, {"a": a, "b": b}, measure)
    delta = float(scores.means[0, 0] - scores.means[1, 0])
    assert found.low - 1e-9 <= delta <= found.high + 1e-9
    assert found.winner == (None if abs(delta) < 1e-9 else "a" if delta > 0 else "b")


def test_no_judgment_is_asked_for_where_none_is_needed() -> None:
    """Certain at the beginning."""
    found = cf.decide({"1": {"a": 1, "b": 0}}, {"1": ["a"]}, {"1": ["b"]}, "P@1", ask=lambda t, d: pytest.fail("asked"))
    assert (found.asked, found.reason, found.winner, found.probability) == (0, "certain", "a", 1.0)


def test_equal_runs_are_equal() -> None:
    """Both ends 0."""
    found = cf.decide({"1": {"a": 1, "b": 1}}, {"1": ["a"]}, {"1": ["b"]}, "P@1", ask=lambda t, d: 0)
    assert (found.asked, found.reason, found.winner) == (0, "equal", None)


def test_asking_ends_at_the_budget_and_where_it_is_probable_enough() -> None:
    """A budget, a probability, and no answers at all."""
    some, whole, a, b = case(5, topics=6)
    complete = cf.decide(some, a, b, "P@5", ask=answers(whole))
    assert complete.asked > 2
    short = cf.decide(some, a, b, "P@5", ask=answers(whole), budget=2)
    assert (short.asked, short.reason) == (2, "budget")
    assert short.steps == complete.steps[:3]
    sure = cf.decide(some, a, b, "P@5", ask=answers(whole), stop=0.2)
    assert sure.asked <= complete.asked
    assert sure.reason == "probable"
    assert not 0.2 < sure.probability < 0.8
    assert all(0.2 < step.probability < 0.8 for step in sure.steps[:-1])
    silent = cf.decide(some, a, b, "P@5", ask=lambda topic, document: None)
    assert (silent.asked, silent.reason) == (silent.holes, "nothing left")
    assert {step.low for step in silent.steps} == {silent.steps[0].low}


def test_progress_asks_what_moves_the_end_in_doubt() -> None:
    """The order: |w_A - w_B| times the chance that the answer helps the likely winner; swing: |w_A - w_B|."""
    runs = {"1": ["a", "b", "c", "d"]}, {"1": ["b", "e", "a", "f"]}
    asked: list[str] = []

    def ask(topic: str, document: str) -> int:
        asked.append(document)
        return 0

    cf.decide({"1": {"a": 1, "c": 0}}, *runs, "RBP(p=0.8)", ask=ask, strategy="swing", budget=1)
    assert asked == ["e"]


def test_a_batch_is_asked_about_in_one_order() -> None:
    """Never more than the budget, and asking ends inside a batch."""
    some, whole, a, b = case(5, topics=6)
    one = cf.decide(some, a, b, "P@5", ask=answers(whole))
    many = cf.decide(some, a, b, "P@5", ask=answers(whole), batch=4)
    assert many.reason == one.reason
    assert cf.decide(some, a, b, "P@5", ask=answers(whole), batch=4, budget=3).asked == 3


def test_answers_teach_about_other_documents_of_the_same_run() -> None:
    """Where what a run alone retrieves turns out relevant, its other documents become more probable."""
    rng = np.random.default_rng(0)
    names = [f"t{n}" for n in range(30)]
    qrels = {t: {f"s{n}": int(rng.random() < 0.4) for n in range(8)} for t in names}
    a = {t: [f"s{n}" for n in range(4)] + [f"a{n}" for n in range(4)] for t in names}
    b = {t: [f"s{n}" for n in range(4)] + [f"b{n}" for n in range(4)] for t in names}
    good = cf.decide(qrels, a, b, "P@8", ask=lambda t, d: int(d[0] == "a"), budget=12, strategy="random")
    bad = cf.decide(qrels, a, b, "P@8", ask=lambda t, d: int(d[0] == "b"), budget=12, strategy="random")
    assert good.probability > 0.8
    assert bad.probability < 0.2


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"stop": 0.7}, "certain, or a probability"),
        ({"stop": "maybe"}, "certain, or a probability"),
        ({"strategy": "mtf"}, "one of progress, swing, random"),
        ({"batch": 0}, "batch"),
        ({"budget": -1}, "budget"),
    ],
)
def test_mistakes_are_named(choice: dict, words: str) -> None:
    """Each with what would be right."""
    some, whole, a, b = case(1)
    with pytest.raises(cf.PolicyError, match=words):
        cf.decide(some, a, b, "P@5", ask=answers(whole), **choice)


def test_an_answer_outside_the_scale_is_refused() -> None:
    """It would break the range that was promised; `scale` allows it."""
    some, _, a, b = case(2)
    with pytest.raises(cf.PolicyError, match="no grade of the scale"):
        cf.decide(some, a, b, "DCG@5", ask=lambda topic, document: 7)
    assert cf.decide(some, a, b, "DCG@5", ask=lambda topic, document: 7, scale=[0, 7]).reason in ("certain", "equal")


def test_the_path_in_all_forms() -> None:
    """Table, JSON, and the printed path with its notes."""
    some, whole, a, b = case(3)
    found = cf.decide(some, a, b, "nDCG@5", ask=answers(whole))
    assert found.table().columns == ["asked", "topic", "document", "grade", "low", "high", "probability"]
    told = json.loads(found.to_json())["result"]
    assert told["asked"] == found.asked == len(told["steps"]) - 1
    assert "ended because" in repr(found)
    assert "P on these topics" in repr(found)


def test_the_same_seed_gives_the_same_path() -> None:
    """And further runs change the prior, not the range."""
    some, whole, a, b = case(4)
    first, second = (cf.decide(some, a, b, "nDCG@5", ask=answers(whole), seed=7) for _ in range(2))
    assert first.steps == second.steps
    third = {t: list(reversed(listed)) for t, listed in a.items()}
    more = cf.decide(some, a, b, "nDCG@5", ask=answers(whole), others={"c": third}, seed=7)
    assert (more.steps[0].low, more.steps[0].high) == (first.steps[0].low, first.steps[0].high)


@pytest.mark.parametrize("universe", ["runs", "runs:2", "runs:6", "open:2", "pool"])
@pytest.mark.parametrize("measure", ["P@4", "nDCG@4", "nDCG'@4", "AP", "R@3"])
def test_the_range_of_each_universe_is_that_of_holes(tmp_path: Path, universe: str, measure: str) -> None:
    """The same grammar, and after each answer the range that `holes` finds."""
    some, whole, a, b = case(7)
    if universe == "pool":  # documents that neither run lists, and some that they do
        rows = [f"{topic}\t{document}\tdepth5\t1.0\n" for topic in whole for document in sorted(whole[topic])[::2]]
        (tmp_path / "pool.txt").write_text("".join(rows))
        universe = f"pool:{tmp_path / 'pool.txt'}"
    found = cf.decide(some, a, b, measure, ask=answers(whole), draws=50, universe=universe)
    judged = {topic: dict(grades) for topic, grades in some.items()}
    for step in found.steps:
        if step.topic is not None:
            assert step.document is not None
            judged[step.topic][step.document] = whole[step.topic][step.document]
        verdict = cf.holes(judged, {"a": a, "b": b}, measure, universe=universe).verdict("a", "b")
        assert (step.low, step.high) == pytest.approx((verdict.low, verdict.high), abs=1e-9)
    assert found.audit.policies["universe"] == universe == found.result()["universe"]
    assert f"universe={universe}: only documents in " in str(found)


def test_documents_that_neither_run_lists_reverse_an_order_that_is_certain_without_them() -> None:
    """They make the ideal list of one topic better, which then weighs less."""
    qrels = {"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0, "e": 1, "f": 1, "g": 1, "h": 1}}
    a, b = {"1": ["a"], "2": ["d"]}, {"1": ["b"], "2": ["c", "e", "f"]}
    narrow = cf.decide(qrels, a, b, "nDCG@5", ask=lambda t, d: pytest.fail("asked"))
    assert (narrow.reason, narrow.winner) == ("certain", "a")
    wide = cf.decide(qrels, a, b, "nDCG@5", ask=lambda t, d: pytest.fail("asked"), universe="open:2")
    assert (wide.reason, wide.low < 0 < wide.high) == ("nothing left", True)
    later = {**qrels, "1": {**qrels["1"], "x": 1, "y": 1}}
    means = cf.evaluate(later, {"a": a, "b": b}, "nDCG@5").means[:, 0]
    assert means[0] < means[1]
    assert wide.low == pytest.approx(means[0] - means[1])


def test_an_unknown_universe_is_refused() -> None:
    """Before anything is asked."""
    with pytest.raises(cf.PolicyError, match='universe="all" is unknown'):
        cf.decide({"1": {"a": 1}}, {"1": ["a"]}, {"1": ["b"]}, ask=lambda t, d: 0, universe="all")


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        (0.7, "E240: stop=0.7 is out of range"),
        (0, "E240: stop=0 is out"),
        ("soon", 'E241: stop="soon" is of the wrong kind'),
    ],
)
def test_a_stop_that_is_no_small_probability_is_refused(stop: Any, said: str) -> None:
    """Before anything is asked."""
    with pytest.raises(cf.PolicyError, match=said):
        cf.decide({"1": {"a": 1}}, {"1": ["a"]}, {"1": ["b"]}, ask=lambda t, d: 0, stop=stop)


def test_the_run_that_scores_lower_is_better_where_less_is_better() -> None:
    """The expected search length of a is 0, that of b 1."""
    qrels = {"1": {"a": 1, "b": 0}}
    a, b = {"1": ["a", "b"]}, {"1": ["b", "a"]}
    found = cf.decide(qrels, a, b, "ESL", ask=lambda t, d: pytest.fail("asked"))
    verdict = cf.holes(qrels, {"a": a, "b": b}, "ESL").verdict("a", "b")
    assert (found.reason, found.winner, found.verdict) == ("certain", verdict.winner, "certain: a")
    assert found.high < 0
    some = cf.decide(qrels, {"1": ["a"]}, {"1": ["b", "x", "y", "a"]}, "ESL", ask=lambda t, d: 0, budget=0)
    assert some.winner == "a"


def test_geometric_means_are_refused() -> None:
    """They are no means of differences."""
    with pytest.raises(cf.PolicyError, match="GMAP is a geometric mean over the topics"):
        cf.decide({"1": {"a": 1}}, {"1": ["a"]}, {"1": ["b"]}, "GMAP", ask=lambda t, d: 0)
