"""What every result can do (API-3, API-4): all forms come from one sheet and one dictionary."""

import json

from cranfield.tables.audit import Audit
from cranfield.tables.result import Result
from cranfield.tables.sheets.blocks import SheetStack
from cranfield.tables.sheets.sheet import Column, Sheet


class Counted(Result):
    command = "count"
    audit = Audit(
        policies={"ties": "trec"}, inputs=[{"role": "run", "name": "<a>"}], versions={"cranfield": "9"}, seed=7
    )

    def sheet(self):
        span = Column("95 % CI", ["[1, 2]"], parts=(Column("low", [1.0]), Column("high", [2.0])))
        return Sheet((Column("run", ["<a>"]), Column("count", [1.23456], ".2f"), span), notes=("one run",))

    def result(self):
        return {"counts": [{"run": "<a>", "count": 1.23456}]}


def test_people_get_the_sheet_and_programs_full_precision():
    found = Counted()
    assert repr(found) == found.sheet().text()
    assert found._repr_html_() == found.sheet().html()
    assert found._repr_latex_() == found.to_latex() == found.sheet().latex()
    assert found.to_markdown() == found.sheet().markdown()
    assert found.to_csv() == "run,count,low,high\r\n<a>,1.23456,1.0,2.0\r\n"
    assert found.to_polars().to_dicts() == [{"run": "<a>", "count": 1.23456, "low": 1.0, "high": 2.0}]
    assert found.to_pandas().to_dict("records") == found.to_polars().to_dicts()


def test_the_envelope_carries_policies_inputs_and_audit():
    found = Counted().to_dict()
    assert Counted().to_json() == json.dumps(found)
    assert (found["command"], found["version"], found["ok"], found["exit"]) == ("count", "9", True, 0)
    assert found["policies"] == {"ties": "trec"}
    assert found["inputs"] == [{"role": "run", "name": "<a>"}]
    assert found["audit"]["seed"] == 7
    assert found["result"] == Counted().result()


def test_a_stack_shows_all_tables_and_writes_the_rows_of_the_first():
    first, second = (Sheet((Column(name, [1]),), notes=(f"about {name}",)) for name in ("a", "b"))
    stack = SheetStack(first.columns, ("the end",), "caption", "tab:a", below=(second,))
    for form in ("text", "markdown", "latex", "html"):
        shown = getattr(stack, form)()
        assert shown.index("a") < shown.rindex("b"), form
    assert stack.text().splitlines()[-2:] == [" about b", " the end"]
    assert stack.csv() == "a\r\n1\r\n"
    assert stack.jsonl() == '{"a": 1}\n'
