"""Test reports and job summaries are well formed, whatever the names (EXP-6)."""

import xml.etree.ElementTree as ET

from hypothesis import given
from hypothesis import strategies as st

from cranfield.reporting.junit import junit
from cranfield.reporting.summary import summary
from cranfield.tables.sheets.sheet import Column, Sheet
from cranfield.tables.side.gates import GateVerdict


@given(st.lists(st.tuples(st.text(), st.booleans(), st.text()), max_size=4))
def test_junit_is_well_formed_and_counts_right(rows):
    verdicts = [GateVerdict(condition, passed, message) for condition, passed, message in rows]
    suite = ET.fromstring(junit(verdicts).encode("utf-8")).find("testsuite")
    assert suite is not None
    assert suite.get("tests") == str(len(rows))
    assert suite.get("failures") == str(sum(not passed for _, passed, _ in rows))
    assert len(suite.findall("testcase/failure")) == sum(not passed for _, passed, _ in rows)


@given(st.text(alphabet="ab|`*<>@#\n", min_size=1))
def test_a_name_in_a_summary_stays_on_its_line(name):
    text = summary("evaluate", Sheet((Column("run", [name]),)), [GateVerdict(f"AP < 0 for {name}", True, name)])
    assert len(text.splitlines()) == 7


def test_a_summary_without_conditions_is_a_title_and_a_table():
    assert summary("evaluate", Sheet((Column("run", ["a"]),))).startswith("### evaluate\n\n| run |")
