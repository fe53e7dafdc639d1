"""Columns of text from any format, and the numbers in them: the one place where values are checked."""

import numpy as np

from cranfield.arrays import Bools, Floats, Ints
from cranfield.errors import Error, InputError
from cranfield.read.options import REAL_GRADES, ReadOptions
from cranfield.read.sources.content import Content
from cranfield.read.values import LARGE, TOO_LARGE
from cranfield.tables.text import Text

NO_RUN = "a run needs at least one line: TOPIC Q0 DOC RANK SCORE TAG"
NO_QRELS = "if no document was judged, give at least one line: TOPIC 0 DOC 0"
_NOUNS = {"topic": "topic id", "doc": "document id"}


def rows_of(code: Ints, groups: int) -> list[Ints]:
    """The rows of each group, in order, from one sort.

    >>> rows_of(np.array([0, 1, 0]), 2)
    [array([0, 2]), array([1])]
    """
    size = np.bincount(code, minlength=groups)
    return np.split(np.argsort(code, kind="stable"), np.cumsum(size)[:-1])


class TextColumns:
    """Text columns by role, all of one length, with the errors found so far.

    `typed` holds columns of numbers that a parser has already read and checked.
    `line[row]` is the line of a row; without it row i is line i + 1.
    """

    def __init__(
        self,
        content: Content,
        limit: int,
        values: dict[str, Text],
        line: Ints | None = None,
        *,
        problems: list[Error] | None = None,
        typed: dict[str, Ints | Floats] | None = None,
        coded: dict[str, tuple[list[str], Ints]] | None = None,
    ) -> None:
        self.content = content
        self.limit = limit
        self.values = values
        self.line = line
        self.problems: list[Error] = problems or []
        self.typed: dict[str, Ints | Floats] = typed or {}
        self.coded: dict[str, tuple[list[str], Ints]] = coded or {}  # as `codes` gives them

    def codes(self, role: str) -> tuple[list[str], Ints]:
        """The different strings of a column, and for each row the number of its string."""
        return self.coded[role] if role in self.coded else self.values[role].codes()

    def __len__(self) -> int:
        return len(next(iter(self.values.values()))) if self.values else 0

    def __contains__(self, role: str) -> bool:
        return role in self.values or role in self.typed or role in self.coded

    def __getitem__(self, role: str) -> Text:
        return self.values[role]

    def get(self, role: str) -> Text | None:
        """The column, if the source has it."""
        return self.values.get(role)

    def take(self, rows: Ints | Bools) -> "TextColumns":
        """The same columns with some of the rows."""
        values = {role: text.take(rows) for role, text in self.values.items()}
        typed = {role: numbers[rows] for role, numbers in self.typed.items()}
        line = None if self.line is None else self.line[rows]
        return TextColumns(
            self.content, self.limit, values, line, problems=self.problems, typed=typed, coded=self.coded
        )

    def problem(self, code: str, problem: str, row: int, hint: str = "") -> None:
        """Note an error in a row."""
        line = row + 1 if self.line is None else int(self.line[row])
        text = self._line_of(row, line)
        self.problems.append(InputError(code, problem, path=self.content.name, line=line, text=text, hint=hint))

    def _line_of(self, row: int, line: int) -> str:
        column = self.values["topic"]
        if column.buffer is not self.content.array:
            return self.content.line_at(line)
        return self.content.line_from(self.content.buffer.rfind(b"\n", 0, int(column.start[row])) + 1)

    def wrong(self, mask: Bools, code: str, problem: str, role: str, hint: str = "") -> None:
        """Note an error in each of the rows, with the value in place of `{}`; at most as many as are shown."""
        for row in np.flatnonzero(mask)[: self.limit].tolist():
            self.problem(code, problem.format(repr(self.values[role][row])), row, hint)

    def check(self) -> None:
        """Raise the first error in the order of lines, if any, with others that are shown: one for each line."""
        if self.problems:
            by_line = {error.line or -number: error for number, error in reversed([*enumerate(self.problems)])}
            raise Error.first(sorted(by_line.values(), key=lambda error: error.line or 0)[: self.limit])

    def ids(self, *roles: str) -> None:
        """Identifiers may not be empty."""
        for role in (role for role in roles if role not in self.coded):  # a scan finds no empty ones
            noun = _NOUNS.get(role, role)
            self.wrong(self.values[role].length == 0, "E119", f"the {noun} is empty", role)

    def scores(self) -> Floats:
        """The score column: any number but NaN."""
        if "score" in self.typed:
            return np.asarray(self.typed["score"], dtype=np.float64)
        numbers, wrong = self.values["score"].numbers()
        hint = "trec_eval would read 0.0 here; 'cranfield trec_eval' keeps that behaviour"
        self.wrong(wrong, "E106", "score {} is not a number", "score", hint)
        problem = "score is NaN, which has no place in a ranking"
        self.wrong(np.isnan(numbers), "E107", problem, "score", "fix the system, or drop such lines first")
        return numbers

    def grades(self, options: ReadOptions) -> Ints | Floats:
        """The grade column: whole numbers in any spelling, or real numbers if the options allow them."""
        if "grade" in self.typed:
            grades = self.typed["grade"]
            return grades if options.grades == "int" else grades.astype(np.float64)
        column = self.values["grade"]
        if options.grades == "int":
            whole, wrong = column.integers()
            if not wrong.any() and ((whole < LARGE) & (whole > -LARGE)).all():
                return whole
        numbers, wrong = column.numbers()
        wrong |= ~np.isfinite(numbers)
        if options.grades == "float":
            self.wrong(wrong, "E110", "grade {} is not a number", "grade")
            return numbers
        large = ~wrong & (np.abs(numbers) >= LARGE)
        wrong |= ~large & (numbers != np.rint(numbers))
        self.wrong(wrong, "E110", "grade {} is not an integer", "grade", REAL_GRADES)
        self.wrong(large, "E110", TOO_LARGE, "grade", REAL_GRADES)
        return np.where(wrong | large, 0.0, numbers).astype(np.int64)

    def ranks(self) -> Ints | Text | None:
        """The rank column, if there is one: numbers if a parser has read them, else text."""
        return self.typed["rank"].astype(np.int64) if "rank" in self.typed else self.values.get("rank")

    def numbers(self, role: str, low: float, high: float, unknown: str = "") -> Floats:
        """A column of numbers between two limits; the word `unknown`, if there is one, stands for NaN."""
        numbers, wrong = self.values[role].numbers()
        wrong |= ~((low <= numbers) & (numbers <= high))
        if unknown and wrong.any():
            names, code = self.values[role].codes()
            told = code == names.index(unknown) if unknown in names else np.zeros(len(code), dtype=bool)
            numbers, wrong = np.where(told, np.nan, numbers), wrong & ~told
        self.wrong(wrong, "E119", f"{role} {{}} is not a number between {low:g} and {high:g}", role)
        return numbers
