"""Names that cannot be read: what is said, and that nothing else is ever raised."""

import math
import warnings
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cranfield as cf
from cranfield.errors import MeasureError
from cranfield.errors.catalogue import CATALOGUE
from cranfield.measures.definition import MEASURES
from cranfield.measures.grammar import Measure, build, parse
from tests.laws.worlds import BUILT_IN


@pytest.mark.parametrize(
    ("name", "code", "problem", "hint"),
    [
        ("nDGC@10", "E201", "unknown measure 'nDGC@10'", "did you mean nDCG@10? cranfield.describe() lists all"),
        (
            "relstring.10",
            "E201",
            "unknown measure 'relstring.10'",
            "'cranfield trec_eval' has it; cranfield.describe() lists all",
        ),
        (
            "utility.1,-1,0,0",
            "E201",
            "unknown measure 'utility.1,-1,0,0'",
            "write Utility(param=value) here; 'cranfield trec_eval' reads what is written like this",
        ),
        ("zzzzzz", "E201", "unknown measure 'zzzzzz'", "cranfield.describe() lists all"),
        ("AP''", "E201", "cannot read the measure \"AP''\"", "write NAME, NAME@10 or NAME(param=value)@10"),
        ("P", "E202", "P needs a cut-off", "write P@10"),
        ("P(rel=2)", "E202", "P needs a cut-off", "write P(rel=2)@10"),
        ("P(cutoff=None)", "E202", "P needs a cut-off", "write P@10"),
        ("IPrec", "E202", "IPrec needs a cut-off", "write IPrec@0.5"),
        (
            "AP(denominator='min')",
            "E202",
            "AP(denominator='min') needs a cut-off",
            "write AP(denominator='min')@10",
        ),
        (
            "RBP(p=1)",
            "E203",
            "RBP(p=1): p must lie strictly between 0 and 1",
            "p=0.8 models a patient user, p=0.5 an impatient one",
        ),
        ("P@0", "E203", "P@0: the cut-off must be a whole number from 1", ""),
        (
            "P@99999999999999999999",
            "E203",
            "P@99999999999999999999: the cut-off must be at most 9,007,199,254,740,992",
            "",
        ),
        ("P@ten", "E203", "P@ten: the cut-off must be a whole number from 1", ""),
        ("P@2.5", "E203", "P@2.5: the cut-off must be a whole number from 1", ""),
        ("AP(rel='high')", "E203", "AP(rel='high'): rel must be a grade", ""),
        ("AP(rel=True)", "E203", "AP(rel=True): rel must be a grade", ""),
        ("AP(judged_only=1)", "E203", "AP(judged_only=1): judged_only is True or False", ""),
        ("IPrec@2", "E203", "IPrec@2: recall must lie between 0 and 1", ""),
        ("SetP(relative=1)", "E203", "SetP(relative=1): relative must be True or False", ""),
        ("Bpref10(variant='x')", "E203", "Bpref10(variant='x'): variant must be 'literal' or 'te'", ""),
        (
            "nDCG(dcg='log10')",
            "E203",
            "nDCG(dcg='log10'): dcg must be 'log2', 'exp-log2', 'jk' or 'rank'",
            "",
        ),
        (
            "nDCG(dcg='jk', b=1)",
            "E203",
            "nDCG(b=1): b must be above 1",
            "b=2 models an impatient user, b=10 a patient one",
        ),
        (
            "nDCG(b=3)@10",
            "E203",
            "nDCG(b=3): b has no effect without dcg='jk'",
            "write nDCG(dcg='jk', b=3)",
        ),
        (
            "nDCG(gains={1: True})",
            "E203",
            "nDCG(gains={1: True}): gains must map grades to gains",
            "write gains={1: 1, 2: 10, 3: 100}; a grade that is not named keeps its own gain",
        ),
        (
            "AP(k=5)",
            "E204",
            "AP has no parameter 'k'",
            "a cut-off is written AP@100; AP takes rel, judged_only",
        ),
        (
            "AP(k=5)@3",
            "E204",
            "AP has no parameter 'k'",
            "a cut-off is written AP@100; AP takes rel, denominator, judged_only",
        ),
        ("Rprec@10", "E204", "Rprec takes no cut-off", "write Rprec"),
        (
            "AP(5)",
            "E204",
            "cannot read the parameters (5) of AP",
            "a cut-off is written AP@100; AP takes rel, judged_only",
        ),
    ],
)
def test_a_name_that_cannot_be_read_is_answered_with_what_to_write(name, code, problem, hint):
    with pytest.raises(MeasureError) as caught:
        parse(name)
    assert (caught.value.code, caught.value.message, caught.value.hint) == (code, problem, hint)
    assert caught.value.exit == CATALOGUE[code].exit == 2


@pytest.mark.parametrize(
    "name", [name for name, d in BUILT_IN.items() if any(p.required for p in d.parameters.values())]
)
def test_the_hint_for_a_missing_cutoff_is_a_name_that_works(name):
    with pytest.raises(MeasureError) as caught:
        parse(name)
    assert parse(caught.value.hint.removeprefix("write ")).definition is BUILT_IN[name]


NAMES = st.sampled_from([spelling for d in BUILT_IN.values() for spelling in (d.name, *d.aliases)])
TEXT = st.text(max_size=20)
ODD = st.sampled_from(
    [
        *("'", "''", "()", "(", ")", "@", "@@", "@10", "@-1", "@1e999", "@nan", "@" + "9" * 5000, "(" * 500, "(p=0.5"),
        *("(rel=1e999)", "(rel=-1)", "(rel=1j)", "(rel=0x" + "f" * 5000 + ")", "(rel=" + "-" * 3000 + "1)", "(f=f())"),
        *("(gains={[]: 1})", "(gains={1: 1e999})", "(x='\\d')", "(p=1if 1else 2)", "(\0)", "(**{})", "(*[])"),
        *("(rel=1)(rel=2)", "(rel=1, rel=2)", "(gains={1: 2})", "(rel=2)@5", "'@3", "(judged_only=True)"),
    ]
)


def attempt(read: Callable[[], Measure]) -> Measure | MeasureError:
    """What was read, or the error that says why not; a warning is as bad as any other exception."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return read()
        except MeasureError as error:
            return error


@given(st.lists(NAMES | TEXT | ODD, max_size=4).map("".join))
@example("AP(rel=0x" + "f" * 5000 + ")")
@example("nDCG(gains={1: 0x" + "f" * 5000 + "})")
@example("P@" + "9" * 5000)
@example("P@" + "9" * 30)
@example("AP(" + "(" * 500)
def test_no_text_raises_anything_but_a_measure_error(text):
    result = attempt(lambda: parse(text))
    if isinstance(result, Measure):
        assert parse(str(result)) == result
    else:
        assert result.code in ("E201", "E202", "E203", "E204")
        assert "\n" not in result.message


@pytest.mark.parametrize("text", ["AP(x='\\d')", "AP(rel=1if 1else 2)", "AP(rel=(1)(2))"])
def test_what_the_python_parser_remarks_on_is_not_passed_on(text):
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        with pytest.raises(MeasureError):
            parse(text)
    assert remarks == []


PARAMETERS = st.sampled_from(["rel", "cutoff", "p", "b", "dcg", "gains", "recall", "beta", "x"])


@given(NAMES, st.dictionaries(PARAMETERS, TEXT | st.floats() | st.integers() | st.booleans() | st.none()))
def test_no_parameters_raise_anything_but_a_measure_error(name, values):
    definition = MEASURES.find(name)
    assert definition is not None
    result = attempt(lambda: build(definition, values))
    assert isinstance(result, Measure) or result.code in ("E202", "E203", "E204")


def test_infinity_and_nan_are_no_numbers():
    for value in (math.inf, -math.inf, math.nan):
        with pytest.raises(MeasureError):
            build(BUILT_IN["AP"], {"rel": value})


@pytest.mark.parametrize("wrong", [None, 10, [None], [1.5], {"AP": 1, 2: 3}])
def test_what_is_no_name_is_no_measure(wrong):
    with pytest.raises(cf.PolicyError, match=r"E241: (NoneType|int|float) is not a measure"):
        cf.evaluate({"q1": {"d1": 1}}, {"q1": ["d1"]}, wrong)
