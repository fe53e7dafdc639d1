"""JUnit XML: one test case per condition, for the test report of a build server."""

from collections.abc import Sequence
from xml.sax.saxutils import escape, quoteattr

from cranfield.errors import printable
from cranfield.reporting.verdict import GateVerdict


def junit(verdicts: Sequence[GateVerdict], name: str = "cranfield evaluate") -> str:
    """A test suite in which every condition is a case; it holds no times, so the same verdicts give the same bytes.

    >>> print(junit([GateVerdict("AP < 0.2", False, "smallest is 0.1 (bm25)")]))
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites tests="1" failures="1" errors="0">
      <testsuite name="cranfield evaluate" tests="1" failures="1" errors="0" skipped="0">
        <testcase classname="cranfield evaluate" name="AP &lt; 0.2">
          <failure message="smallest is 0.1 (bm25)">FAILED  AP &lt; 0.2: smallest is 0.1 (bm25)</failure>
        </testcase>
      </testsuite>
    </testsuites>
    """
    failures = sum(not verdict.passed for verdict in verdicts)
    count = f'tests="{len(verdicts)}" failures="{failures}" errors="0"'
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            f"<testsuites {count}>",
            f'  <testsuite name={_attribute(name)} {count} skipped="0">',
            *(line for verdict in verdicts for line in _case(verdict, name)),
            "  </testsuite>",
            "</testsuites>",
        ]
    )


def _case(verdict: GateVerdict, suite: str) -> list[str]:
    inside = (
        f"<system-out>{_text(str(verdict))}</system-out>"
        if verdict.passed
        else f"<failure message={_attribute(verdict.message)}>{_text(str(verdict))}</failure>"
    )
    head = f"<testcase classname={_attribute(suite)} name={_attribute(verdict.condition)}>"
    return [f"    {head}", f"      {inside}", "    </testcase>"]


def _text(text: str) -> str:
    return escape(printable(text))  # XML 1.0 has no place for control characters


def _attribute(text: str) -> str:
    return quoteattr(printable(text))
