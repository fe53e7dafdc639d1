"""Statements of a paper beside printed numbers."""

import re
import warnings

import pytest

from cranfield import study
from cranfield.errors import DataWarning
from cranfield.study.papers.ahlgren2007 import printed as ahlgren2007
from cranfield.study.papers.claims import CONTEXT, FAILS, HOLDS, Claim, Ordering
from cranfield.study.papers.jarvelin2002.study import worked_example
from cranfield.study.papers.printed_value import PrintedValue, agreeing, shown, tidy
from tests.study.small import small


def test_a_statement_is_shown_as_a_number_is():
    rows = [PrintedValue("Table 1", "RBP", 0.5, 0.5, 4), Claim.of("Table 3", "last", "RBP", "AP", holds=False)]
    columns = {column.name: column.values for column in shown(rows)}
    assert columns["printed"] == ["0.5000", "RBP"]
    assert columns["here"] == ["0.5000", "AP"]
    assert columns["agree"] == ["yes", FAILS]
    assert next(column for column in tidy(rows) if column.name == "printed").raw == [0.5, None]


def test_a_number_of_other_data_is_no_failure():
    aside = Claim.aside(PrintedValue("Table 3", "pairs", 80, 93, 0))
    assert (aside.words, aside.verdict) == (("80", "93"), CONTEXT)
    assert (aside.printed, aside.computed) == (80, 93)
    assert agreeing([PrintedValue("Table 1", "RBP", 0.5, 0.5, 4)]).startswith("1 of 1")
    assert Claim.of("a", "b", "c", "d", holds=True).verdict == HOLDS


def test_an_order_of_measures():
    order = Ordering({"a": 0.2, "b": 0.5, "c": 0.2, "d": 0.1})
    assert order.names == ["b", "a", "c", "d"]  # equal ones as they were given
    assert (order.first(2), order.last(2)) == ("b, a", "c, d")
    assert order.leads({"b"})
    assert order.leads({"b", "a"})  # c is as good as a, not better
    assert not order.leads({"b", "d"})
    assert order.ends(["c", "d"])
    assert not order.ends(["d", "c"])
    assert order.knows(["a", "b"])
    assert not order.knows(["a", "e"])


@pytest.mark.parametrize("some", [(), ("a", "b")])
def test_all_or_none_of_the_measures_lead(some):
    assert Ordering({"a": 0.1, "b": 0.2}).leads(some)


PLACE = re.compile(r"conclusion|text|(text, )?(Tables?|Figs?\.?) \d[\d, -]*")


def places():
    """The place of every number and statement of a paper, where the paper says it."""
    groups = {"r0": "a", "r1": "a", "r2": "b", "r3": "c", "r4": "d"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)  # of a topic without a list
        made = (
            study.ferrante2014(*small(), levels=(100, 10), draws=1),
            study.sakai2008(*small(), groups=groups, draws=1, boot=20),
        )
    yield from (row["item"] for each in made for row in each.table().to_dicts())
    yield from (each.item for each in (*ahlgren2007.PUBLISHED, *ahlgren2007.FIGURE_1))


def test_every_printed_number_and_statement_names_the_place_it_is_from():
    assert [item for item in places() if not PLACE.fullmatch(item)] == []
    examples = [*study.lecture().table()["item"], *(row.item for row in worked_example())]  # by what is computed
    assert all(examples)
