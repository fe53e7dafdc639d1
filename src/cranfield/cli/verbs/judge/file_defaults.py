"""The table `[judge]` of `cranfield.toml`: defaults of the sub-verbs that make and serve a lab."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from cranfield.cli.defaults import located, mistake, table, tables
from cranfield.cli.help import Verb
from cranfield.errors import Error
from cranfield.judging.records import DocumentsIn, ItemOrder

ValueCheck = Callable[[object], str]  # what a value should be, in words; empty if it is that


def _text(value: object) -> str:
    return "" if isinstance(value, str) else "a text"


def _switch(value: object) -> str:
    return "" if isinstance(value, bool) else "true or false"


def _texts(value: object) -> str:
    listed = value if isinstance(value, list) else [value]
    return "" if all(isinstance(each, str) for each in listed) else "a list of texts"


def _whole(lowest: int, highest: int) -> ValueCheck:
    def check(value: object) -> str:
        right = type(value) is int and lowest <= value <= highest
        return "" if right else f"a whole number from {lowest} to {highest}"

    return check


def _one_of(*names: str) -> ValueCheck:
    return lambda value: "" if value in names else f"one of {', '.join(names)}"


def _share(value: object) -> str:
    return "" if isinstance(value, str) or type(value) in (int, float) else "a share such as '20%'"


KEYS: Mapping[str, tuple[str, ValueCheck]] = {  # the option of each key, and what it should be
    "grades": ("grades", _text),
    "assessors": ("assessors", _whole(1, 100)),
    "overlap": ("overlap", _share),
    "order": ("order", _one_of(*get_args(ItemOrder))),
    "documents": ("documents", _one_of(*get_args(DocumentsIn))),
    "host": ("host", _text),
    "port": ("port", _whole(0, 65535)),
    "public-url": ("public_url", _text),
    "trusted-proxy": ("trusted_proxies", _texts),
    "root-path": ("root_path", _text),
    "access-log": ("access_log", _switch),
}


class SubVerb(Verb):
    """A sub-verb of `judge`: its defaults are also in the table `[judge]`."""

    def defaults(self) -> dict[str, Any]:  # values of options, of several types
        """What `cranfield.toml` sets for it."""
        return super().defaults() | judge_defaults()


def judge_defaults() -> dict[str, Any]:  # values of options, of several types
    """What `[judge]` sets, checked, by the names of options."""
    found: dict[str, Any] = {}
    for name, value in table(tables(), "judge").items():
        key = name.replace("_", "-")
        if key not in KEYS:
            raise mistake("E245", f"[judge] has no setting {name!r}", f"its settings are {', '.join(KEYS)}")
        option, check = KEYS[key]
        if wanted := check(value):
            raise mistake("E241", f"[judge] {name}: {value!r} is not {wanted}")
        found[option] = _read(key, value)
    return found


def _read(key: str, value: Any) -> Any:  # a value of the file, of several types
    """The value as the option takes it; a scale or a share that cannot be read is an error in the file."""
    from cranfield.judging.filling.grades import read_grades, read_share

    try:
        if key == "grades":
            read_grades(value)
        if key == "overlap":
            read_share(str(value))
            return str(value)
    except Error as error:
        raise located(error, f"[judge] {key}") from None
    return [value] if key == "trusted-proxy" and isinstance(value, str) else value
