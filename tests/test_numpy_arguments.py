"""Right input in the clothes of NumPy or pandas is taken; wrong input in them is refused by an error of ours."""

import numpy as np
import pytest

import cranfield as cf

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
        cf.study.power(measures=np.array(NAMES))
