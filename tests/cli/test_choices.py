"""A choice on the command line is the choice that the Python parameter behind it has: nobody lists it twice."""

import inspect
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
import pytest

import cranfield as cf
from cranfield.align.combining.rules import GRADE_RULES
from cranfield.cli.group import verbs
from cranfield.measures.definition import Family
from cranfield.missing.next.strategies import NEXT
from cranfield.pooling.strategies import STRATEGIES
from cranfield.read.options import ReadOptions
from cranfield.reporting.page.section import SECTIONS
from cranfield.reporting.style import WIDTHS
from cranfield.sample.bench.parts import PARTS
from cranfield.sample.bench.shapes import SIZES
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.comparison.method import Method
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.intervals import INTERVALS
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC
from cranfield.tables.charts import PageColumns, charts_of
from cranfield.tables.curves.kind import CURVES
from cranfield.write.write import WRITERS

CALLED: dict[str, tuple[Callable[..., Any], ...]] = {  # the functions that a verb calls
    "agree": (cf.agree, ReadOptions),
    "check": (ReadOptions,),
    "compare": (cf.evaluate, Method, ReadOptions),
    "convert": (cf.convert, ReadOptions),
    "evaluate": (cf.evaluate, ReadOptions),
    "holes": (cf.holes, cf.Holes.sheet, ReadOptions),
    "pool": (cf.pool, ReadOptions),
    "report": (cf.evaluate, ReadOptions),
    "reproduce": (cf.reproduce, ReadOptions),
}
BEHIND: dict[tuple[str, str], set[str]] = {  # of options whose words have another home than a parameter of that name
    ("agree", "name"): set(charts_of("agreement")),
    ("agree", "width"): set(get_args(PageColumns)),
    ("bench", "sizes"): set(SIZES),
    ("bench", "parts"): set(PARTS),
    ("compare", "adjust"): {*CORRECTIONS, *POSTHOC},
    ("compare", "interval"): set(INTERVALS),
    ("compare", "name"): set(charts_of("comparison")),
    ("compare", "omnibus"): set(OMNIBUS),
    ("compare", "test"): {*TESTS, "none"},
    ("compare", "width"): set(get_args(PageColumns)),
    ("convert", "rule"): set(GRADE_RULES),
    ("convert", "to"): set(WRITERS),
    ("evaluate", "band"): set(get_args(inspect.signature(cf.curve).parameters["band"].annotation)),
    ("evaluate", "ci"): {"none", *get_args(inspect.signature(cf.with_intervals).parameters["method"].annotation)},
    ("evaluate", "curve"): set(CURVES),
    ("evaluate", "name"): set(charts_of("scores")),
    ("evaluate", "width"): set(get_args(PageColumns)),
    ("holes", "name"): set(charts_of("holes")),
    ("holes", "strategy"): set(NEXT),
    ("holes", "width"): set(get_args(PageColumns)),
    ("measures", "family"): set(get_args(Family)),
    ("pool", "name"): set(charts_of("pool")),
    ("pool", "strategy"): set(STRATEGIES),
    ("pool", "width"): set(get_args(PageColumns)),
    ("report", "adjust"): {*CORRECTIONS, *POSTHOC},
    ("report", "sections"): set(SECTIONS),
    ("report", "test"): {*TESTS, "none"},
}
NOT_OF_PYTHON = ("form", "format")  # how a result is printed; a format, which is known when the file is


def options_with_words() -> Iterator[tuple[str, str]]:
    for verb in verbs():
        command = getattr(import_module(f"cranfield.cli.verbs.{verb}"), "command", None)
        for param in command.params if command else ():
            if hasattr(param.type, "choices") or hasattr(param.type, "names"):
                yield verb, param.name


def words(annotation: object) -> set[str]:
    """The words in the Literals of an annotation."""
    if get_origin(annotation) is Literal:
        return set(get_args(annotation))
    return set().union(*map(words, get_args(annotation)))


def parameters(function: Callable[..., Any]) -> dict[str, object]:
    """The annotations of all parameters, those of `**options: Unpack[…]` by their own names."""
    found: dict[str, object] = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            found |= get_type_hints(get_args(parameter.annotation)[0])
        else:
            found[name] = parameter.annotation
    return found


@pytest.mark.parametrize(("verb", "name"), [each for each in options_with_words() if each[1] not in NOT_OF_PYTHON])
def test_the_words_of_an_option_are_those_of_the_parameter_behind_it(verb, name):
    command = import_module(f"cranfield.cli.verbs.{verb}").command
    listed = next(param.type for param in command.params if param.name == name)
    taken = BEHIND.get((verb, name)) or set().union(
        *(words(parameters(function).get(name)) for function in CALLED[verb])
    )
    assert taken
    assert set(listed.choices if isinstance(listed, click.Choice) else listed.names()) == taken


def test_the_words_for_the_width_of_a_chart_each_have_a_number_of_centimetres():
    assert set(WIDTHS) == set(get_args(PageColumns))


def test_a_width_in_centimetres_is_taken_as_in_python(cli, folder):
    two = ("compare", "qrels.txt", "runs/bm25.run", "runs/dense.run", "-m", "AP", "--chart", "deltas", "-o", "c.svg")
    assert cli(*two, "--width", "12").code == 0
    assert 'width="12cm"' in (folder / "c.svg").read_text()
    assert cli("evaluate", "qrels.txt", "runs/bm25.run", "--curve", "pr", "-o", "c.svg", "--width", "10.5").code == 0
    assert 'width="10.5cm"' in (folder / "c.svg").read_text()
    for wrong, code in (("three", "E213"), ("3", "E240"), ("nan", "E240"), ("101", "E240")):
        refused = cli(*two, "--width", wrong)
        assert refused.code == 2
        assert f"error {code}: --width {wrong}" in refused.err
