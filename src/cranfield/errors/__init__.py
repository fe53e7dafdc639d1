"""Errors and warnings, and how their messages are worded.

    Error                  everything raised on purpose; carries code, path, line, text, hint; speaks Python
    ├── InputError         a file or object that cannot be used as it is          E1xx, E3xx
    ├── MeasureError       a measure that cannot be read or computed              E201 … E204
    ├── PolicyError        names, options and conditions that cannot be followed  E205 …
    │   └── UnknownNameError   a run, topic, measure … that is not there; also a KeyError
    └── StoreError         the judging store                                      E4xx

    DataWarning            the result stands, but the data deserve a look         W1xx

Every code is documented once, in `catalogue`. `wording` spells a setting for Python or for the command line,
`names` finds things by name, `arguments` checks what callers hand to public functions, `extras` says how
to install an optional package.

Read this module first, then `wording`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from cranfield.errors.wording import Wording, template

if TYPE_CHECKING:
    from pathlib import Path

ECHO = 200  # characters of an offending line that are repeated in a message
_LONGEST = 1000  # characters of a problem or a hint, which may repeat what a caller gave


class Error(Exception):
    """A problem that the user can repair: what is wrong, where, the offending line, and a hint.

    >>> error = Error("E105", "expected 6 columns, found 5", path="a.run", line=18, hint="add the run tag")
    >>> print(error)
    E105: a.run:18: expected 6 columns, found 5
      hint: add the run tag
    """

    def __init__(  # one argument per part of the message
        self,
        code: str,
        problem: str,
        *,
        hint: str = "",
        path: "str | Path | None" = None,
        line: int | None = None,
        text: str | None = None,
        more: Sequence["Error"] = (),
    ) -> None:
        self.code = code
        self._problem = Wording(problem)
        self._hint = Wording(hint)
        self.path: str | None = None if path is None else str(path)
        self.line = line
        self.text = text
        self.more: tuple[Error, ...] = tuple(more)
        super().__init__(str(self))

    def __reduce__(self) -> tuple[Callable[..., "Error"], tuple[object, ...]]:
        """How an error travels between processes: with all its parts."""
        parts = {name: getattr(self, name) for name in ("hint", "path", "line", "text", "more")}
        return partial(type(self), **parts), (self.code, self.problem)

    @property
    def problem(self) -> Wording:
        """What is wrong, with settings as Python spells them; `as_command` gives the spelling of the command line."""
        return self._problem

    @property
    def hint(self) -> Wording:
        """What to do about it, with settings as Python spells them."""
        return self._hint

    @hint.setter
    def hint(self, text: str) -> None:
        self._hint = Wording(text)

    @property
    def exit(self) -> int:
        """The exit code of a command that ends with this error."""
        from cranfield.errors.catalogue import CATALOGUE

        return CATALOGUE[self.code].exit

    @property
    def place(self) -> str:
        """`file:line`, as far as known."""
        if self.path is None:
            return ""
        return printable(self.path if self.line is None else f"{self.path}:{self.line}")

    @property
    def message(self) -> Wording:
        """The first line, without the code."""
        return Wording(f"{self.place}: {template(self.problem)}" if self.place else self.problem)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self, say: Callable[[str], str] = str) -> list[str]:
        """The message, the offending line and the hint; `say` rewords them for Python or the command line."""
        place = f"{self.place}: " if self.place else ""
        lines = [f"{self.code}: {place}{_cut(say(self.problem))}"]
        if self.text is not None:
            lines.append(f"  {echo(self.text)}")
        if self.hint:
            lines.append(f"  hint: {_cut(say(self.hint))}")
        return lines

    @classmethod
    def first(cls, errors: Sequence["Error"]) -> "Error":
        """The first of several errors, carrying the others."""
        head, *rest = errors
        head.more = tuple(rest)
        return head


class InputError(Error):
    """A file or object that cannot be used as it is.

    >>> import cranfield as cf
    >>> cf.read_qrels("nowhere/qrels.txt")
    Traceback (most recent call last):
    cranfield.errors.InputError: E101: nowhere/qrels.txt: no such file
      hint: there is no directory nowhere
    """


class MeasureError(Error):
    """A measure that cannot be read or computed.

    >>> import cranfield as cf
    >>> cf.parse("nDGC@10")
    Traceback (most recent call last):
    cranfield.errors.MeasureError: E201: unknown measure 'nDGC@10'
      hint: did you mean nDCG@10? cranfield.describe() lists all
    """


class PolicyError(Error):
    """Names, options and conditions that cannot be followed.

    >>> import cranfield as cf
    >>> cf.Policy(ties="random")
    Traceback (most recent call last):
    cranfield.errors.PolicyError: E213: ties="random" is unknown
      hint: one of trec, trec9, given, file, expected, best, worst
    """


class UnknownNameError(PolicyError, KeyError):
    """A name under which nothing is found; a `KeyError` too, as mappings raise it.

    >>> import cranfield as cf
    >>> scores = cf.evaluate({"q1": {"d1": 1}}, {"bm25": {"q1": ["d1"]}}, "RR")
    >>> scores["bm52", "RR"]
    Traceback (most recent call last):
    cranfield.errors.UnknownNameError: E223: there is no run 'bm52'
      hint: did you mean bm25?
    """


class StoreError(Error):
    """The judging store cannot do what was asked.

    >>> issubclass(StoreError, Error)
    True
    """


class DataWarning(UserWarning):
    """A warning about the data; the result stands. `code` and `where` are those of the command line.

    >>> warning = DataWarning("W103", "2 infinite scores", "a.run")
    >>> warning.code, str(warning)
    ('W103', 'W103: a.run: 2 infinite scores')
    """

    def __init__(self, code: str, message: str, where: str = "") -> None:
        self.code = code
        self.message: Wording = Wording(message)
        self.where = where
        super().__init__(f"{code}: {where}: {self.message}" if where else f"{code}: {self.message}")


def printable(text: str) -> str:
    r"""The text with control and bidirectional-override characters shown as escapes.

    >>> printable("a\x1b[31m" + chr(0x202E) + "b")
    'a\\x1b[31m\\u202eb'
    """
    return "".join(c if c.isprintable() or c == " " else c.encode("unicode_escape").decode() for c in text)


def _cut(text: str) -> str:
    """What is printed of a problem or a hint."""
    return printable(text if len(text) <= _LONGEST else text[:_LONGEST] + "…")


def echo(text: str) -> str:
    """An offending line as it is repeated in a message: escaped, and cut at 200 characters.

    >>> len(echo("x" * 1000))
    201
    """
    shown = printable(text[: ECHO + 1].replace("\t", " "))
    return shown if len(shown) <= ECHO else shown[:ECHO] + "…"
