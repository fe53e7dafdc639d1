"""Every parameter of every public function and method: a wrong value is answered with an error of ours, or taken."""

import math
import os
import re
import warnings
from pathlib import Path

import pytest

import cranfield as cf
from tests.public_calls import Call, public_calls, write_files

pytest.importorskip("polars")
pytest.importorskip("altair")
WRONG = {
    "None": None,
    "an object": object(),
    "a word": "x",
    "no word": "",
    "no file": "nowhere/at/all.txt",
    "no name of a file": "a\0b.csv",
    "too long a name": f"{'x' * 300}.csv",
    "bytes": b"x",
    "-1": -1,
    "0": 0,
    "a fraction": 1.5,
    "nan": math.nan,
    "True": True,
    "no list": [],
    "a list of objects": [object()],
    "a list of words": ["x"],
    "no table": {},
    "a table of objects": {"x": object()},
}
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    CALLS = {call.name: call for call in public_calls()}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder with the files that the calls read; what they write goes there, too."""
    write_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def wrong_answers(call: Call, parameter: str) -> list[str]:
    """What is said about wrong values of a parameter by an error that is not ours, or in words of the command line."""
    answers = []
    for words, value in WRONG.items():
        before = set(os.listdir())
        try:
            call(**{parameter: value})
        except cf.Error as error:
            if re.search(r"(?<!trec_eval) -(-|[a-z]\b)", str(error)):
                answers.append(f"{parameter} is {words}: {error}")
            named = re.match(r"([a-z_]+)=", error.problem)
            if named and named[1] not in call.parameters:
                answers.append(f"{parameter} is {words}, and another is named: {error}")
        except Exception as error:
            answers.append(f"{parameter} is {words}: {type(error).__name__}: {error}")
        for name in set(os.listdir()) - before:
            if Path(name).is_file():
                Path(name).unlink()
    return answers


@pytest.mark.parametrize("name", CALLS)
def test_the_call_that_the_others_are_made_from_succeeds(name):
    call = CALLS[name]
    if call.is_refused:
        with pytest.raises(cf.Error):
            call()
    else:
        call()


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_argument_is_answered_with_an_error_of_ours(name):
    call = CALLS[name]
    assert not [answer for parameter in call.parameters for answer in wrong_answers(call, parameter)]


@pytest.mark.parametrize("name", [name for name in CALLS if not name.endswith("__getitem__")])
def test_one_argument_too_many_is_answered_with_an_error_of_ours(name):
    call = CALLS[name]
    if call.several:
        pytest.skip("it takes any number")
    options = {"latencies": "times.jsonl"} if name == "study.efficiency" else {}  # which it looks for first
    with pytest.raises(cf.PolicyError, match=r"E247: .* by position") as refused:
        call.function(*[None] * (len(call.parameters) + 1), **options)
    assert refused.value.hint


@pytest.mark.parametrize("name", ["Intents.of", "Judgments.of", "Latencies.of", "Pool.of", "Probabilities.of"])
def test_columns_of_different_lengths_are_refused(name):
    call = CALLS[name]
    for column in call.arguments:
        with pytest.raises(cf.InputError, match="E121: the columns have different lengths"):
            call(**{column: call.arguments[column] * 2})


@pytest.mark.parametrize("wrong", WRONG)
def test_a_measure_of_ones_own_is_a_function(wrong):
    for decorate in (cf.measure("mine"), cf.user_model("mine")):
        with pytest.raises(cf.PolicyError, match="E241: function"):
            decorate(WRONG[wrong])  # type: ignore[type-var]  # wrong on purpose


@pytest.mark.parametrize("name", [name for name in CALLS if not name.endswith("__getitem__")])
def test_an_unknown_keyword_is_answered_with_an_error_of_ours(name):
    call = CALLS[name]
    with pytest.raises(cf.PolicyError, match=r"E245: .* has no parameter 'colour_of_it'") as refused:
        call(colour_of_it=1)
    assert refused.value.hint
