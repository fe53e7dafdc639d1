"""Right input in the clothes of NumPy or pandas is taken; wrong input in them is refused by an error of ours."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors.arguments import checked

pandas = pytest.importorskip("pandas")
pytest.importorskip("polars")
QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 0, "d2": 1}}
RUNS = {"a": {"q1": ["d1", "d2"], "q2": ["d1", "d2"]}, "b": {"q1": ["d2", "d1"], "q2": ["d2"]}}
NAMES = ["AP", "nDCG@10"]
SCORES = cf.evaluate(QRELS, RUNS, NAMES)


@pytest.mark.parametrize("made", [np.array, pandas.Series, iter], ids=["array", "series", "iterator"])
def test_names_of_measures_are_a_list_of_any_kind(made):
    assert cf.compare(QRELS, RUNS, made(NAMES), adjust="none").measures == SCORES.measures
    assert cf.compare(SCORES, measures=made(["AP"]), adjust="none").measures == ("AP",)
    assert SCORES.bounds(made(["AP"])).equals(SCORES.bounds("AP"))


@pytest.mark.parametrize("none", [[], np.array([]), pandas.Series([], dtype=str)], ids=["list", "array", "series"])
def test_no_names_of_measures_are_the_usual_ones(none):
    assert SCORES.bounds(none).equals(SCORES.bounds())
    assert cf.compare(QRELS, RUNS, none, adjust="none").measures == cf.compare(QRELS, RUNS, adjust="none").measures


def test_measures_without_runs_are_refused_in_an_array_too():
    with pytest.raises(cf.PolicyError, match="E244: measures have no effect without runs"):
        cf.study.power(measures=np.array(NAMES), difference=0.1, sd=0.2)


def test_a_door_hands_on_plain_values():
    def search(query: str, depth: int | None = None, *more: float, share: float = 1.0, whole: bool = False) -> object:
        return query, depth, more, share, whole

    door: Any = checked(search)
    found = door(np.str_("cats"), np.int64(3), np.float32(0.5), share=Fraction(1, 4), whole=np.bool_(True))
    assert found == ("cats", 3, (0.5,), 0.25, True)
    assert list(map(type, (found[0], found[1], found[2][0], found[3], found[4]))) == [str, int, float, float, bool]
    assert door(np.array("cats"), np.array(2**40), share=2**70)[::3] == ("cats", float(2**70))
    with pytest.raises(cf.PolicyError, match="E240: depth is too large a number"):
        door("cats", 2**70)
    for wrong in (10**400, -(10**400), Fraction(10**400)):
        with pytest.raises(cf.PolicyError, match="E240: share is too large a number"):
            door("cats", share=wrong)
    for other in (np.bool_(True), np.array([1]), np.array("x")):
        with pytest.raises(cf.PolicyError, match="E241: depth"):
            door("cats", depth=other)


HUGE = 10**400
NUMBERS: dict[str, Callable[[Any], Any]] = {
    "binary": lambda huge: cf.agree(QRELS, QRELS, binary=huge),
    "rel": lambda huge: cf.Policy(rel=huge),
    "equivalence": lambda huge: cf.compare(SCORES, equivalence=huge),
    "d": lambda huge: cf.power_paired(n=20, d=huge),
    "first": lambda huge: cf.capture_recapture(first=huge, second=40, both=20),
    "bases": lambda huge: cf.study.parameters(QRELS, RUNS, bases=[huge]),
    "min_relevant": lambda huge: cf.study.reduction(QRELS, RUNS, "AP", min_relevant=huge),
    "level": lambda huge: cf.describe("AP").to_markdown(level=huge),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_too_large_a_number_is_refused(name):
    with pytest.raises(cf.PolicyError, match=f"E240: {name}"):
        NUMBERS[name](HUGE)


def test_a_room_of_judging_takes_numbers_of_numpy(tmp_path):
    two: Any = np.int64(2)
    half: Any = np.float32(0.5)
    no: Any = np.bool_(False)
    lab = cf.Lab.create(tmp_path / "lab.db", [("q1", "d1")], assessors=two)
    lab.add([("q1", "d2")], assessors=two, seed=two, overlap=half)
    lab.export(tmp_path / "new.txt", complete=no)
    with pytest.raises(cf.PolicyError, match="E240: assessors"):
        lab.add([("q1", "d3")], assessors=2**70)


def test_simulations_and_plans_take_numbers_of_numpy_and_fractions():
    one: Any = np.int64(1)
    half: Any = Fraction(1, 2)
    alpha: Any = Fraction(1, 20)
    assert cf.simulate(preset="tiny", draw=one).qrels == cf.simulate(preset="tiny", draw=1).qrels
    assert cf.simulate_scores([0.4, 0.5], draw=one).scores == cf.simulate_scores([0.4, 0.5], draw=1).scores
    assert cf.rbo(["a", "b"], ["b", "a"], p=half) == cf.rbo(["a", "b"], ["b", "a"], p=0.5)
    assert cf.power_paired(n=20, d=0.5, alpha=alpha) == cf.power_paired(n=20, d=0.5, alpha=0.05)


@pytest.mark.parametrize("use", [cf.read_qrels, lambda twice: cf.evaluate(twice, RUNS, "AP")])
def test_a_frame_with_two_columns_of_one_name_is_refused(use):
    twice = pandas.DataFrame([["q1", "d1", 1, 1]], columns=["topic", "doc", "grade", "grade"])
    with pytest.raises(cf.InputError, match="E121: two columns of the data frame have one name"):
        use(twice)
