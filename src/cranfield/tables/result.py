"""Results: the base of what the functions of the library return, with all output forms."""

import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar

from cranfield.errors import PolicyError
from cranfield.errors.arguments import checked_methods
from cranfield.tables.audit import Audit

if TYPE_CHECKING:
    import pandas
    import polars

    from cranfield.tables.sheets.sheet import Cell, Sheet


@checked_methods
class Result(ABC):
    """The forms of a result: people get its printed table, programs its rows or its plain data.

    A result defines `sheet`, the table that is printed; `result`, its plain data; and `audit`, the policies and inputs
    behind the numbers. All other forms are made from these.

    >>> class Count(Result):
    ...     command = "count"
    ...     audit = Audit(seed=7)
    ...
    ...     def sheet(self):
    ...         from cranfield.tables.sheets.sheet import Column, Sheet
    ...
    ...         return Sheet((Column("run", ["bm25"]), Column("documents", [1000], ",")))
    ...
    ...     def result(self):
    ...         return {"bm25": 1000}
    >>> Count()
     run    documents
     bm25       1,000
    >>> Count().to_csv(), Count().to_dict()["result"], Count().to_dict()["audit"]["seed"]
    ('run,documents\\r\\nbm25,1000\\r\\n', {'bm25': 1000}, 7)
    >>> Count().to_records()
    [{'run': 'bm25', 'documents': 1000}]
    """

    command: ClassVar[str]  # the verb that prints it

    if TYPE_CHECKING:  # a field of some results, computed by others

        @property
        def audit(self) -> Audit:
            """The policies and inputs behind the numbers."""

    @abstractmethod
    def sheet(self) -> "Sheet":
        """The printed table, with its footer."""

    @abstractmethod
    def result(self) -> dict[str, Any]:
        """The part of the JSON envelope under `result`: plain data in full precision, undefined as None."""

    def to_records(self) -> "list[dict[str, Cell]]":
        """The rows of the table as dictionaries in full precision, undefined as None; needs no other package."""
        return self.sheet().records()

    def to_polars(self) -> "polars.DataFrame":
        """The rows of the table as a polars frame, in full precision (extra `frames`)."""
        return self.sheet().polars()

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows of the table as a pandas frame (pandas must be installed)."""
        return self.sheet().pandas()

    def to_csv(self) -> str:
        """The rows of the table as CSV in full precision."""
        return self.sheet().csv()

    def to_markdown(self) -> str:
        """The table in GitHub's Markdown."""
        return self.sheet().markdown()

    def to_latex(self) -> str:
        """The table for a LaTeX document (booktabs)."""
        return self.sheet().latex()

    def to_html(self, title: str = "", lead: str = "", command: str = "") -> str:
        """A page of HTML, complete in itself: the table, and the policies, counts and inputs behind it.

        Args:
            title: of the page; the verb, if none is given.
            lead: a paragraph below the title.
            command: the command that makes the result again.
        """
        from cranfield.tables.sheets.page import page

        return page(
            self.sheet().html(),
            title=title or f"cranfield {self.command}",
            lead=lead,
            policies=self.audit.policies,
            audit=self.audit.as_dict(),
            inputs=self.audit.inputs,
            command=command,
        )

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain data: the JSON envelope."""
        return {
            "schema": "cranfield/1",
            "command": self.command,
            "version": self.audit.versions.get("cranfield", ""),
            "ok": True,
            "exit": 0,
            "inputs": [dict(entry) for entry in self.audit.inputs],
            "policies": dict(self.audit.policies),
            "audit": self.audit.as_dict(),
            "result": self.result(),
            "warnings": [],
            "errors": [],
        }

    def to_json(self) -> str:
        """Everything, as one JSON document."""
        import json

        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def rendered(self, path: "str | os.PathLike[str]") -> bytes:
        """The bytes of a file in the form of its ending."""
        given: object = path  # which callers may get wrong
        if not isinstance(given, str | os.PathLike):
            raise PolicyError("E241", f"{given!r} is no path", hint='give a path, such as "main.json"')
        from cranfield.tables.sheets.forms import FORMS, form_of, known_endings, rendered

        form = form_of(path, "save")
        if form is None:
            problem = f"{os.fspath(path)!r} has no ending, and save chooses the form by it"
            raise PolicyError("E224", problem, hint=f"one of {known_endings()}")
        if form == "json":
            return f"{self.to_json()}\n".encode("utf-8", "backslashreplace")
        if form == "html":
            return self.to_html().encode("utf-8", "backslashreplace")
        return rendered(self.sheet() if FORMS[form].for_people else self._full_sheet(), form)

    def _full_sheet(self) -> "Sheet":
        """The table for programs, where it is another one than the table for people."""
        return self.sheet()

    def __repr__(self) -> str:
        from cranfield.tables.sheets.screen import Screen

        return self.sheet().text(Screen.of_output())

    def _repr_html_(self) -> str:
        return self.sheet().html()

    def _repr_latex_(self) -> str:
        return self.sheet().latex()
