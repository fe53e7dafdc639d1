"""How a message names a setting: Python says `duplicates="first"`, the command line says `--duplicates first`.

A message is written once, with `setting`, `verb` and `either` where the two differ. `Wording` is the message for
Python; `as_command` turns it into the message for the command line, where options may have other spellings.

>>> hint = Wording(f"{setting('duplicates', 'first', 'last')} keeps one of them")
>>> print(hint)
duplicates="first" or "last" keeps one of them
>>> print(as_command(hint))
--duplicates first|last keeps one of them
"""

import re
from collections.abc import Callable, Sequence

_BEGIN, _NEXT, _END = (
    "\x02",
    "\x1f",
    "\x03",
)  # name of a setting, Python's words, command line's
_PART = f"{_BEGIN}([^{_BEGIN}{_END}]*){_NEXT}([^{_BEGIN}{_END}]*){_NEXT}([^{_BEGIN}{_END}]*){_END}"
_NO_MARKS = str.maketrans(dict.fromkeys((_BEGIN, _NEXT, _END), "?"))
_FUNCTIONS = {"measures": "describe", "demo": "build_demo"}  # verbs whose function has another name


class Wording(str):
    """A text for Python that also holds its form for the command line."""

    __slots__ = ("template",)
    template: str  # with both

    def __new__(cls, text: str) -> "Wording":
        template = text.template if isinstance(text, Wording) else text
        spoken = re.sub(_PART, lambda part: part[2], template) if _BEGIN in template else template
        made = super().__new__(cls, spoken)
        made.template = template
        return made

    def __reduce__(self) -> tuple[type["Wording"], tuple[str]]:
        """Pickle both forms."""
        return Wording, (self.template,)


def template(text: str) -> str:
    """Both forms of the text in one, to be made part of another message.

    >>> print(as_command(Wording(f"r.csv: {template(Wording(setting('encoding')))}")))
    r.csv: --encoding
    """
    return text.template if isinstance(text, Wording) else text


def dashed(name: str) -> str:
    """The usual spelling of an option.

    >>> dashed("max_size")
    '--max-size'
    """
    return f"--{name.replace('_', '-')}"


def as_command(text: str, spelled: Callable[[str], str] = dashed) -> str:
    """The text for the command line.

    >>> as_command(Wording(setting("rel", 2)), {"rel": "-l"}.__getitem__)
    '-l 2'
    """

    def words(part: re.Match[str]) -> str:
        name, _, said = part.groups()
        return " ".join(filter(None, (spelled(name), said))) if name else said

    said = template(text)
    return re.sub(_PART, words, said) if _BEGIN in said else said


def setting(name: str, *values: object) -> str:
    """A parameter with one value, or with several alternatives; `True` is a flag.

    >>> said = [setting("ties"), setting("force", True), setting("sizes", [5, 10]), setting("depth", 0)]
    >>> print(*map(Wording, said), sep=", ")
    ties, force=True, sizes=[5, 10], depth=0
    >>> print(*map(as_command, said), sep=", ")
    --ties, --force, --sizes 5,10, --depth 0
    """
    python = f"{name}={_alternatives([_python(value) for value in values])}" if values else name
    return _part(name, python, "|".join(filter(None, map(_command, values))))


def verb(name: str, **settings: object) -> str:
    """A verb of the command line, which is a function in Python.

    >>> said = verb("convert", rule="majority")
    >>> print(Wording(said), as_command(said))
    cranfield.convert(…, rule="majority") 'cranfield convert --rule majority'
    """
    given = ", ".join(["…", *(f"{key}={_python(value)}" for key, value in settings.items())]) if settings else ""
    function = _FUNCTIONS.get(name, name.replace("-", "_")).replace(" ", ".")
    words = ["cranfield", name, *(part for key, value in settings.items() for part in (dashed(key), _command(value)))]
    return _part("", f"cranfield.{function}({given})", f"'{' '.join(filter(None, words))}'")


def either(python: str, command: str) -> str:
    """Two texts: one for Python, one for the command line.

    >>> print(as_command(either(python="a dict names them", command="write NAME=PATH")))
    write NAME=PATH
    """
    return _part("", python, command)


def _part(*pieces: str) -> str:
    clean = (piece.translate(_NO_MARKS) for piece in pieces)
    return f"{_BEGIN}{_NEXT.join(clean)}{_END}"


def _alternatives(values: Sequence[str]) -> str:
    *some, last = values
    return f"{', '.join(some)} or {last}" if some else last


def _python(value: object) -> str:
    if isinstance(value, str) and value.isprintable() and '"' not in value and "\\" not in value:
        return f'"{value}"'
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_python, value))}]"
    return repr(value)


def _command(value: object) -> str:
    if value is True:
        return ""
    if isinstance(value, list | tuple):
        return ",".join(map(_command, value))
    text = str(value)
    return text if text.isprintable() and text and " " not in text else repr(text)
