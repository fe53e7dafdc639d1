"""A warning names the line of the caller, however deep in the package it was noticed."""

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
