"""The verdicts: whether missing judgments could reverse the order of two runs."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from cranfield.missing.inner import NOT_CERTIFIED
from cranfield.missing.pairs.verdicts import Verdict
from cranfield.tables.sheets.escape import width
from cranfield.tables.sheets.marked import Signed
from cranfield.tables.sheets.names import LEAST, shortened
from cranfield.tables.sheets.numerals import in_print
from cranfield.tables.sheets.screen import PAPER, Screen
from cranfield.tables.sheets.sheet import MISSING, Column, Sheet
from cranfield.tables.words import counted

_DIGITS, _MOST_DIGITS = 3, 9


@dataclass(frozen=True)
class PairSheet(Sheet):
    """A table of verdicts; on a terminal long names are shortened, so that it fits a line."""

    verdicts: tuple[Verdict, ...] = ()
    heading: str = "pair"

    def text(self, screen: Screen = PAPER) -> str:
        """For a terminal: the table and its notes."""
        if screen.columns is None:
            return super().text()
        names = [name for each in self.verdicts for name in (each.a, each.b)]
        longest = max(map(width, names), default=0)
        for room in range(longest, min(longest, LEAST) - 1, -1):
            labels = shortened(names, room)
            shown = [replace(v, a=labels[v.a], b=labels[v.b], winner=labels.get(v.winner or "")) for v in self.verdicts]
            table = Sheet(_columns(shown, self.heading), self.notes)
            if max(map(width, Sheet(table.columns).text().splitlines())) <= screen.columns:
                break
        return table.text(screen)


def pair_sheet(verdicts: Sequence[Verdict], heading: str = "pair") -> PairSheet:
    """The table of the verdicts of one measure.

    >>> first = Verdict("hybrid", "dense", "open", None, 0.0212, -0.098, 0.089, flips=44)
    >>> print(pair_sheet([first, Verdict("hybrid", "bm25", "certain", "hybrid", 0.0575, 0.0004, 0.123)]).text())
     pair              Δ now  Δ possible        verdict
     hybrid – dense  +0.0212  [−0.098, +0.089]  open: 44 documents can reverse it
     hybrid – bm25   +0.0575  [+0.0004, +0.123]  certain: hybrid
    """
    columns = _columns(verdicts, heading)
    return PairSheet(columns, label="tab:verdicts", verdicts=tuple(verdicts), heading=heading)


def _columns(verdicts: Sequence[Verdict], heading: str) -> tuple[Column, ...]:
    return (
        Column(heading, [f"{each.a} – {each.b}" for each in verdicts]),
        Signed("Δ now", [each.delta for each in verdicts], "+.4f"),
        Column("Δ possible", [possible(each.low, each.high) for each in verdicts]),
        Column("verdict", [words(each) for each in verdicts]),
    )


def words(verdict: Verdict) -> str:
    """The verdict in words.

    >>> words(Verdict("a", "b", "open", None, 0.1, 0.0, 0.2, flips=1))
    'open: 1 document can make them equal'
    >>> words(Verdict("a", "b", "unresolved", None, 0.1, -0.1, 0.2, exact=False))
    'unresolved: nothing found that reverses it'
    >>> words(Verdict("a", "b", "unresolved", None, 0.1, 0.1, 0.2, exact=False, certified=False))
    'unresolved: nothing found that reverses it (inner, not certified)'
    """
    match verdict.status:
        case "certain":
            return f"certain: {verdict.winner}{'' if verdict.exact else ' (outer bound)'}"
        case "equal":
            return "equal, whatever is judged"
        case "unresolved":
            said = "unresolved: nothing found that reverses it"
            return said if verdict.certified else f"{said} ({NOT_CERTIFIED})"
    if not verdict.flips:
        return "open" if verdict.delta else "open: equal as judged"
    tie = verdict.low == 0 or verdict.high == 0
    does = "make them equal" if tie and verdict.delta else "reverse it" if verdict.delta else "decide it"
    return f"open: {counted(verdict.flips, 'document')} can {does}"


def possible(low: float, high: float) -> str:
    """A range of differences; an end that is not 0 never prints as 0.

    >>> possible(-0.098, 0.089), possible(0.00004, 0.1)
    ('[−0.098, +0.089]', '[+0.00004, +0.100]')
    """
    return MISSING if math.isnan(low) or math.isnan(high) else f"[{_end(low)}, {_end(high)}]"


def _end(value: float) -> str:
    """One end with three digits behind the point, or as many as show its sign.

    >>> _end(0.0), _end(-0.0004), _end(0.5)
    ('0.000', '−0.0004', '+0.500')
    """
    if value == 0:
        return f"{0:.{_DIGITS}f}"
    texts = [in_print(value, f"+.{digits}f") for digits in range(_DIGITS, _MOST_DIGITS + 1)]
    return next((text for text in texts if text.strip("+−0.")), texts[-1])


def count_notes(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """How many pairs have which verdict, and whether the sets of documents are known to be smallest."""
    total = len(verdicts)
    kinds = {name: sum(v.status == name for v in verdicts) for name in ("certain", "open", "unresolved", "equal")}
    if total > 1:
        said = ", ".join(f"{number:,} {name}" for name, number in kinds.items() if number)
        yield f"{counted(total, 'pair')}: {said}"
    found = [v.smallest for v in verdicts if v.flips is not None]
    if found and not any(found):
        yield "documents that can reverse a pair: the smallest set found; fewer may do"
    elif found and not all(found):
        number = sum(found)
        yield f"documents that can reverse a pair: the smallest set found; of {counted(number, 'pair')} none is smaller"
