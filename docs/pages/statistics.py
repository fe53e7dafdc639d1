"""All tests, corrections, procedures, intervals and coefficients, by what they are for."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from cranfield.registry import Registry
from cranfield.stats.agreement.coefficients import PAIRWISE
from cranfield.stats.comparison.corrections import CORRECTIONS
from cranfield.stats.orders.coefficient import COEFFICIENTS
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.intervals import INTERVALS, intervals
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC
from docs.docstrings import as_markdown, sentence
from docs.markup import table, written


def page() -> str:
    """A table for each registry, then the docstring of each member."""
    parts = [
        "# Statistics",
        "Names as `compare`, `correlate`, `agree` and the command line take them; other spellings stand beside them, "
        "and letter case does not matter. [Choosing a test](../explanation/choosing-a-test.md) says when to use what.",
    ]
    for heading, about, listed in (
        ("Paired tests", "`compare(test=…)`, `--test`. `none` tests nothing.", _tests()),
        ("Corrections", "`compare(adjust=…)`, `--adjust`.", _corrections()),
        ("Comparisons of all pairs", "Also `compare(adjust=…)`: they replace test and correction.", _procedures()),
        ("All runs at once", "`compare(omnibus=…)`, `--omnibus`.", _omnibus()),
        ("Intervals of the mean difference", "`compare(interval=…)`, `--ci`.", _intervals()),
        ("Agreement of orders", "`correlate(coefficient=…)`, and the option `coefficient` of studies.", _orders()),
        ("Agreement of assessors", "`agree(…)[name]`, for two assessors and on average over couples.", _assessors()),
    ):
        parts += [f"## {heading}", about, *listed]
    return written(parts)


def _tests() -> list[str]:
    rows = [
        (
            _name(TESTS, name),
            test.tests,
            f"{test.samples:,}" if test.random else "none",
            test.note,
            "; ".join(test.cites),
        )
        for name, test in sorted(TESTS.items())
    ]
    head = ("name", "tests the", "draws", "what it assumes", "reference")
    return [table(head, rows), *_details({name: test.function for name, test in TESTS.items()})]


def _corrections() -> list[str]:
    rows = [(_name(CORRECTIONS, name), found.title, found.controls) for name, found in CORRECTIONS.items()]
    return [table(("name", "correction", "controls the"), rows)]


def _procedures() -> list[str]:
    rows = [
        (_name(POSTHOC, name), found.title, f"`{found.omnibus}`", "yes" if found.sampled else "no")
        for name, found in POSTHOC.items()
    ]
    head = ("name", "procedure", "belongs to", "draws")
    return [table(head, rows), *_details({name: found.function for name, found in POSTHOC.items()})]


def _omnibus() -> list[str]:
    rows = [(_name(OMNIBUS, name), found.title) for name, found in OMNIBUS.items()]
    return [table(("name", "test"), rows), *_details({name: found.function for name, found in OMNIBUS.items()})]


def _intervals() -> list[str]:
    return [f"One of {_code(INTERVALS)}.", as_markdown(inspect.getdoc(intervals) or "")]


def _orders() -> list[str]:
    rows = [
        (
            _name(COEFFICIENTS, name),
            sentence(found.document),
            ", ".join(f"`{p}`" for p in found.parameters),
            found.cites,
        )
        for name, found in sorted(COEFFICIENTS.items())
    ]
    head = ("name", "what it is", "options", "reference")
    return [table(head, rows), *_details({name: found.function for name, found in COEFFICIENTS.items()})]


def _assessors() -> list[str]:
    rows = [(_name(PAIRWISE, name), found.label, found.cites) for name, found in PAIRWISE.items()]
    head = ("name", "printed as", "reference")
    return [table(head, rows), *_details({name: found.function for name, found in PAIRWISE.items()})]


def _name(registry: Registry[Any], name: str) -> str:
    return _code((name, *registry.aliases(name)))


def _code(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _draws(samples: int) -> str:
    return f"{samples:,}" if samples else "none"


def _details(functions: Mapping[str, Callable[..., Any]]) -> list[str]:
    """The docstring of each, under its name."""
    documents = {name: inspect.getdoc(function) or "" for name, function in sorted(functions.items())}
    return [part for name, said in documents.items() for part in (f"### {name}", as_markdown(said)) if said]
