"""A job summary: the conditions and the table, in the Markdown that GitHub shows beside a build."""

from collections.abc import Callable, Sequence

from cranfield.errors import Error
from cranfield.tables.sheets.escape import code_span, markdown
from cranfield.tables.sheets.sheet import Sheet
from cranfield.tables.side.gates import GateVerdict


def summary(title: str, sheet: Sheet, verdicts: Sequence[GateVerdict] = ()) -> str:
    """Markdown to be appended to a file that may already hold other summaries.

    >>> from cranfield.tables.sheets.sheet import Column
    >>> print(
    ...     summary("evaluate", Sheet((Column("run", ["bm25"]),)), [GateVerdict("AP < 0.2", False, "smallest is 0.1")])
    ... )
    ### evaluate: 1 of 1 conditions FAILED
    <BLANKLINE>
    - **FAILED** `AP < 0.2`: smallest is 0.1
    <BLANKLINE>
    | run |
    | :--- |
    | `bm25` |
    <BLANKLINE>
    """
    lines = [
        f"- **{verdict.word}** {code_span(verdict.condition)}: {markdown(verdict.message)}" for verdict in verdicts
    ]
    parts = [f"### {markdown(title)}{_outcome(verdicts)}", "\n".join(lines), sheet.markdown()]
    return "\n\n".join(part for part in parts if part) + "\n"


def summary_of_error(
    title: str, error: Error, requirements: Sequence[str] = (), say: Callable[[str], str] = str
) -> str:
    """Markdown on a command that an error ended, and what could not be checked.

    >>> print(summary_of_error("evaluate", Error("E104", "the file is empty", path="a.run"), ["AP >= 0.2"]))
    ### evaluate: ended with an error
    <BLANKLINE>
    - **ERROR** `E104`: a.run: the file is empty
    - not checked: `AP >= 0.2`
    <BLANKLINE>
    """
    lines = [f"- **ERROR** {code_span(error.code)}: {markdown(say(error.message))}"]
    lines += [f"- not checked: {code_span(requirement)}" for requirement in requirements]
    return "\n\n".join([f"### {markdown(title)}: ended with an error", "\n".join(lines)]) + "\n"


def _outcome(verdicts: Sequence[GateVerdict]) -> str:
    failed = sum(not verdict.passed for verdict in verdicts)
    if not verdicts:
        return ""
    return f": {failed} of {len(verdicts)} conditions FAILED" if failed else f": all {len(verdicts)} conditions passed"
