"""JUnit XML: one test case per condition, for the test report of a build server."""

from collections.abc import Callable, Sequence
from xml.sax.saxutils import escape, quoteattr

from cranfield.errors import Error, printable
from cranfield.tables.side.gates import GateVerdict


def junit(verdicts: Sequence[GateVerdict], name: str = "cranfield evaluate", notes: Sequence[str] = ()) -> str:
    """A test suite in which every condition is a case; it holds no times, so the same verdicts give the same bytes.

    The name of a case says what must hold. `notes` are the cautions of the table.

    >>> failed = GateVerdict("AP < 0.2", False, "smallest is 0.1 (bm25)", requirement="AP >= 0.2")
    >>> print(junit([failed], notes=["3 topics in the mean"]))
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="1" failures="1" errors="0">
      <testsuite name="cranfield evaluate" tests="1" failures="1" errors="0" skipped="0">
        <testcase classname="cranfield evaluate" name="AP &gt;= 0.2">
          <failure message="smallest is 0.1 (bm25)">FAILED  AP &gt;= 0.2: smallest is 0.1 (bm25)</failure>
        </testcase>
        <system-out>3 topics in the mean</system-out>
      </testsuite>
    </testsuites>
    """
    failures = sum(not verdict.passed for verdict in verdicts)
    said = "\n".join(map(_text, notes))
    below = [f"    <system-out>{said}</system-out>"] if notes else []
    cases = [line for verdict in verdicts for line in _case(verdict, name)]
    return _suite(name, (len(verdicts), failures, 0), [*cases, *below])


def junit_of_error(
    error: Error, requirements: Sequence[str], name: str = "cranfield evaluate", say: Callable[[str], str] = str
) -> str:
    """A test suite for a command that an error ended: every condition is a case that could not be checked.

    >>> wrong = Error("E104", "the file is empty", path="a.run")
    >>> print(junit_of_error(wrong, ["AP >= 0.2"]))
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="1" failures="0" errors="1">
      <testsuite name="cranfield evaluate" tests="1" failures="0" errors="1" skipped="0">
        <testcase classname="cranfield evaluate" name="AP &gt;= 0.2">
          <error type="E104" message="a.run: the file is empty">E104: a.run: the file is empty</error>
        </testcase>
      </testsuite>
    </testsuites>
    """
    whole = "\n".join(map(_text, error.lines(say)))
    inside = f"<error type={_attribute(error.code)} message={_attribute(say(error.message))}>{whole}</error>"
    cases = list(requirements) or ["the data can be read"]
    lines = [line for case in cases for line in _wrapped(case, name, inside)]
    return _suite(name, (len(cases), 0, len(cases)), lines)


def _suite(name: str, counts: tuple[int, int, int], lines: Sequence[str]) -> str:
    tests, failures, errors = counts
    count = f'tests="{tests}" failures="{failures}" errors="{errors}"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<testsuites {count}>",
            f'  <testsuite name={_attribute(name)} {count} skipped="0">',
            *lines,
            "  </testsuite>",
            "</testsuites>",
        ]
    )


def _case(verdict: GateVerdict, suite: str) -> list[str]:
    name = verdict.requirement or verdict.condition
    said = _text(f"{verdict.word}  {name}: {verdict.message}")
    passed = f"<system-out>{said}</system-out>"
    failed = f"<failure message={_attribute(verdict.message)}>{said}</failure>"
    return _wrapped(name, suite, passed if verdict.passed else failed)


def _wrapped(name: str, suite: str, inside: str) -> list[str]:
    head = f"<testcase classname={_attribute(suite)} name={_attribute(name)}>"
    return [f"    {head}", f"      {inside}", "    </testcase>"]


def _text(text: str) -> str:
    return escape(printable(text))  # XML 1.0 has no place for control characters


def _attribute(text: str) -> str:
    return quoteattr(printable(text))
