"""Every public name: its signature, what it does, an example, and the members of the classes it returns."""

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any

import cranfield
import cranfield.study
from cranfield.judging.filling.lab_file import LabFile
from cranfield.study.engine.definition import StudyKind
from docs.docstrings import as_markdown, entries, sentence
from docs.markup import table, written
from docs.public import document, is_alias
from docs.signatures import fields, returned, signature

PARTS = {
    "Read and write": ("read", "write", "align.converting", "align.checking"),
    "Evaluate": ("align", "measures"),
    "Compare": ("stats",),
    "Pool": ("pooling",),
    "Missing judgments": ("missing",),
    "Judge": ("judging",),
    "Study and simulate": ("study",),
    "Tables and results": ("tables",),
    "Charts": ("reporting",),
    "Errors and notes": ("errors",),
    "The demo": ("sample",),
}

SHARED = {  # attributes that mean the same wherever they are
    "audit": "what shaped the numbers",
    "document": "by row: the id",
    "dropped": "topics that were left out, because a system has no score there",
    "line": "by row: the line of the file, where that is not the row + 1",
    "method": "what was done, in words",
    "note": "what is assumed",
    "source": "where it was read",
    "topic": "by row: a position in `topics`",
    "topics": "ids in the order in which they are first met",
}


def page() -> str:
    """Every public name by what it is for, then the classes that functions return."""
    parts = [
        "# Python",
        "This page lists what is public: the names of `cranfield.__all__` with the methods and attributes listed "
        "here, and the kinds of study in `cranfield.study`. Modules inside the package are not, and may change with "
        "any version. A public name that will be removed, or will change its meaning, is listed under "
        "*Deprecated* in the changelog and raises a `DeprecationWarning` that says what to use instead, for at least "
        "one minor version before the change.",
        f"Of the classes, callers make {', '.join(f'`{name}`' for name in made_by_callers())} by calling them, `Qrels` "
        "and `Run` with `of`. Functions make all others: their constructors are not public.",
        "The tests run the examples. `cf` is `import cranfield as cf`; the examples of classes name them without it. "
        "`**policies: Unpack[PolicyChoices]` stands for the fields of `Policy`, each given by name (`ties='file'`); "
        "type checkers and editors show these fields in full, and those of the other groups behind `Unpack`.",
    ]
    for heading, names in by_part().items():
        parts += [f"## {heading}"]
        for name in names:
            parts += section(name)
        if heading == "Study and simulate":
            parts += _studies()
    parts += ["## What functions return", "These classes are not made by hand; functions above return them."]
    for found in results():
        parts += [f"### {found.__name__}", *_of_class(found, inspect.getdoc(found) or "")]
    return written(parts)


def by_part() -> dict[str, list[str]]:
    """The public names by what they are for."""
    found: dict[str, list[str]] = {heading: [] for heading in PARTS}
    for name in cranfield.__all__:
        home = cranfield._HOME[name]
        fitting = {
            part: heading for heading, parts in PARTS.items() for part in parts if f"{home}.".startswith(f"{part}.")
        }
        found[fitting[max(fitting, key=len)]].append(name)
    return {heading: names for heading, names in found.items() if names}


def made_by_callers() -> list[str]:
    """The public classes whose constructors check what they are given."""
    classes = {name: getattr(cranfield, name) for name in cranfield.__all__ if not is_alias(name)}
    return [
        name
        for name, found in classes.items()
        if inspect.isclass(found) and hasattr(vars(found).get("__init__"), "__wrapped__")
    ]


def results() -> list[type]:
    """The classes that public functions return and that have no public name themselves."""
    public: list[Any] = [getattr(cranfield, name) for name in cranfield.__all__]
    functions: list[Any] = [*(found for found in public if inspect.isfunction(found)), StudyKind.__call__]
    found = {known for function in functions if (known := returned(function)) is not None and known not in public}
    return sorted(found, key=lambda known: known.__name__)


def section(name: str) -> list[str]:
    """The parts of the section of one name."""
    found = getattr(cranfield, name)
    if is_alias(name):
        return [f"### {name}", as_markdown(document(name))]
    if inspect.isclass(found):
        return [f"### {name}", *_of_class(found, document(name))]
    return [f"### {name}", _code(signature(f"cf.{name}", found)), as_markdown(document(name))]


def _studies() -> list[str]:
    repeat = cranfield.study.repeat
    return [
        "### study",
        "`cf.study` holds a function for each kind of study; [they are listed with all their options](studies.md).",
        "### study.repeat",
        _code(signature("cf.study.repeat", repeat)),
        as_markdown(inspect.getdoc(repeat) or ""),
    ]


def _of_class(found: type, said: str) -> list[str]:
    own = list(members(found))
    parts = [as_markdown(said, without="Attributes")]
    if "__init__" in vars(found) and not is_dataclass(found):
        parts.insert(0, _code(signature(f"cf.{found.__name__}", vars(found)["__init__"]).removesuffix(" -> None")))
    if own:
        parts.append(table(("name", "what it is"), [(f"`{shown}`", text) for _, shown, text in own]))
    return parts


def is_documented(owner: type) -> bool:
    """Whether the members of a class are for callers: not those of other packages, nor the rows of a lab's store."""
    return owner.__module__.startswith("cranfield") and owner is not LabFile


def members(found: type) -> Iterator[tuple[str, str, str]]:
    """Name, form and meaning of each public attribute and method of a class, its own first, then what it inherits."""
    seen: set[str] = set()
    for owner in found.__mro__:
        if not is_documented(owner):
            continue
        described = entries(inspect.getdoc(owner) or "", "Attributes")
        for name, kind, default, comment in fields(owner):
            if name not in seen:
                seen.add(name)
                shown = f"{name}: {kind}{f' = {default}' if default and '(' not in default else ''}"
                yield name, shown, described.get(name) or comment or _declared(owner, name) or SHARED.get(name, "")
        for name, value in vars(owner).items():
            if name[0] != "_" and name not in seen and (text := _meaning(value)) is not None:
                seen.add(name)
                yield name, _form(name, value), text


def _declared(owner: type, name: str) -> str:
    """The description in the metadata of a field."""
    declared = getattr(owner, "__dataclass_fields__", {})[name].metadata if is_dataclass(owner) else {}
    return next((str(known.about) for known in declared.values() if hasattr(known, "about")), "")


def _meaning(value: Any) -> str | None:
    function = _function(value)
    return None if function is None else sentence(function.__doc__ or "")


def _form(name: str, value: Any) -> str:
    function = _function(value)
    if function is None or isinstance(value, property) or hasattr(value, "attrname"):
        return name
    return " ".join(signature(name, function).split()).replace("( ", "(").replace(", )", ")")


def _function(value: Any) -> Any:
    """The function behind a method, class method, property or cached property."""
    inner = getattr(value, "fget", None) or getattr(value, "__func__", None) or getattr(value, "func", None) or value
    return inner if inspect.isfunction(inner) else None


def _code(text: str) -> str:
    return f"```python\n{text}\n```"
