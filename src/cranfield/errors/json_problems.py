"""What is wrong with text that is not JSON, in the same words on every version of Python."""

import json

_WORDS = {
    "Expecting value": "expected a value",
    "Expecting property name enclosed in double quotes": "expected a name in double quotes",
    "Unterminated string starting at": "unterminated string",
    "Invalid control character at": "control character in a string",
}
_ENDS = {"}": "object", "]": "array"}


def json_problem(error: json.JSONDecodeError) -> tuple[str, int, int]:
    """The problem in words, its line and its column, both from 1.

    Python 3.13 reports a comma before the end at the comma; earlier versions report a missing name or value at the
    bracket after it.

    >>> try:
    ...     json.loads('{"a": [1, 2,]}')
    ... except json.JSONDecodeError as error:
    ...     json_problem(error)
    ('a comma before the end of the array', 1, 12)
    """
    place = _comma(error)
    if place is not None:
        end = error.doc[place + 1 :].lstrip()[0]
        line = error.doc.count("\n", 0, place) + 1
        return f"a comma before the end of the {_ENDS[end]}", line, place - error.doc.rfind("\n", 0, place)
    if error.msg.startswith("Expecting '"):
        words = f"expected {error.msg.split()[1]}"
    else:
        words = _WORDS.get(error.msg, error.msg[:1].lower() + error.msg[1:])
    return words, error.lineno, error.colno


def _comma(error: json.JSONDecodeError) -> int | None:
    """The position of a comma before the end of an object or array, if that is the problem."""
    if error.msg.startswith("Illegal trailing comma"):
        return error.pos
    before = error.doc[: error.pos].rstrip()
    if error.doc[error.pos : error.pos + 1] in ("}", "]") and before.endswith(","):
        return len(before) - 1
    return None
