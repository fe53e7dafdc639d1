"""A warning names the line of the caller, however deep in the package it was noticed."""

import builtins
import sys
import warnings

import pytest

import cranfield as cf

QRELS = {"q1": {"d1": 1}}
RUN = {"q1": {f"e{rank}": float(-rank) for rank in range(20)}}


@pytest.mark.parametrize(
    "call",
    [
        lambda: cf.evaluate(QRELS, RUN, "P@10"),
        lambda: cf.evaluate({"q1": {"caf\u00e9": 1}}, {"q1": {"cafe\u0301": 1.0}}, "AP"),
        lambda: cf.evaluate(QRELS, {f"r{number}": RUN for number in range(9)}, "P@10", jobs=2),
        lambda: cf.compare(QRELS | {"q2": {"d1": 1}}, {name: RUN | {"q2": {"d1": 1.0}} for name in "ab"}, "P@10"),
    ],
    ids=["evaluate", "spelling", "threads", "compare"],
)
def test_a_warning_names_the_line_of_the_caller(call):
    with warnings.catch_warnings(record=True) as notes:
        warnings.simplefilter("always")
        call()
    assert notes
    assert {note.filename for note in notes} == {__file__}


@pytest.mark.parametrize("session", ["notebook", "prompt"])
def test_where_tables_print_themselves_no_warning_repeats_them(monkeypatch, session):
    if session == "notebook":
        monkeypatch.setattr(builtins, "__IPYTHON__", True, raising=False)
    else:
        monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    qrels, runs = {"q1": {"d1": 1}, "q2": {"d2": 1}}, {"q1": ["d9", "d1"], "q3": ["d1"]}
    with pytest.warns(cf.DataWarning) as caught:
        scores = cf.evaluate(qrels, runs, "P@2")
    assert [str(warning.message)[:4] for warning in caught] == ["W102"]  # the table does not speak of q3
    assert "1 missing, scored 0 (q2)" in repr(scores)
    assert "judged@2" in repr(scores)
