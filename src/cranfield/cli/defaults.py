"""`cranfield.toml` in the working directory: defaults for options; the footer names the file if one was used."""

import math
import os
from typing import Any

import click

from cranfield.errors import Error, InputError, PolicyError
from cranfield.errors.wording import template

FILE = "cranfield.toml"
NOTE = f"defaults from {FILE}"
_TABLES = ("policy", "measures", "collections", "judge")
_NAMES = 'write names = ["nDCG@10", "AP"]'


def defaults() -> dict[str, Any]:  # values of options, of several types
    """What the file sets: `[policy]` by name, `[measures]` as `names = ["nDCG@10", "AP"]`, and `[collections]`."""
    data = tables()
    policy = {name.replace("-", "_"): value for name, value in table(data, "policy").items()}
    for name, value in policy.items():
        _check_policy(name, value)
    return {**policy, **_measures(table(data, "measures")), **_collections(table(data, "collections"))}


def tables() -> dict[str, Any]:  # values of several types
    """The tables of the file by name; none if there is no file."""
    if not os.path.exists(FILE):
        return {}
    import tomllib

    try:
        with open(FILE, "rb") as file:
            data = tomllib.load(file)
    except OSError as error:
        raise InputError("E120", f"cannot be read: {error.strerror}", path=FILE) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise mistake("E242", f"not valid TOML: {error}") from None
    if unknown := next((name for name in data if name not in _TABLES), None):
        known = ", ".join(f"[{name}]" for name in _TABLES)
        raise mistake("E245", f"there is no table {unknown!r}", f"the tables are {known}")
    return data


def used(context: click.Context) -> bool:
    """Whether any option of this command took its value from the file; its collections give way to QRELS and RUN…"""
    idle = {"collections"} if context.params.get("qrels") or context.params.get("scores") else ()
    return any(from_file(context, name) for name in context.params if name not in idle)


def from_file(context: click.Context, name: str) -> bool:
    """Whether an option took its value from the file."""
    return context.get_parameter_source(name) is click.core.ParameterSource.DEFAULT_MAP


def located(error: Error, key: str) -> Error:
    """An error in a value of the file, as one that names the file and the key."""
    return type(error)(error.code, f"{key}: {template(error.message)}", path=FILE, hint=error.hint)


def _check_policy(name: str, value: object) -> None:
    from cranfield.align.policy import CHOICES, NAMES

    if name not in NAMES:
        raise mistake("E245", f"[policy] has no setting {name!r}", f"its settings are {', '.join(NAMES)}")
    if name == "rel":
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise mistake("E241", f"[policy] rel: {value!r} is not a grade", "write rel = 2")
    elif name == "depth":
        if type(value) is not int or value < 1:
            raise mistake("E241", f"[policy] depth: {value!r} is not a whole number from 1", "write depth = 1000")
    elif name == "drop_self":
        if not isinstance(value, bool):
            raise mistake("E241", f"[policy] drop_self: {value!r} is not true or false", "write drop_self = true")
    elif name == "fold":
        if not isinstance(value, str):
            raise mistake("E241", f"[policy] fold: {value!r} is not a text", "write fold = '#[0-9]+$'")
    elif value not in CHOICES[name]:
        raise mistake("E213", f"[policy] {name}: {value!r} is unknown", f"one of {', '.join(CHOICES[name])}")


def _measures(table: dict[str, Any]) -> dict[str, list[str]]:
    """The names under `[measures]`; they are checked later, after `--load` has defined further measures."""
    if unknown := next((name for name in table if name != "names"), None):
        raise mistake("E245", f"[measures] has no setting {unknown!r}", _NAMES)
    if not table:
        return {}
    names = table["names"]
    listed = [names] if isinstance(names, str) else names
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise mistake("E241", f"[measures] names: {names!r} is not a list of names", _NAMES)
    if not "".join(listed).strip():
        raise mistake("E242", "[measures] names: there is no measure in it", _NAMES)
    return {"measures": listed}


def _collections(table: dict[str, Any]) -> dict[str, Any]:
    """What stands under `[collections]`: `news = "QRELS:RUNS"`, or `news = {qrels = "…", runs = ["…", …]}`."""
    if not table:
        return {}
    from cranfield.cli.options.collections import CollectionPaths

    hint, found = 'write news = {qrels = "news.qrels", runs = ["news/*.run"]}', []
    for name, value in table.items():
        if isinstance(value, str):
            try:
                found.append(CollectionPaths.of(f"{name}={value}"))
            except Error:
                raise mistake("E242", f"[collections] {name}: {value!r} cannot be read", hint) from None
            continue
        given = value if isinstance(value, dict) else {}
        qrels, runs = given.get("qrels"), given.get("runs")
        runs = [runs] if isinstance(runs, str) else runs
        texts = isinstance(qrels, str) and isinstance(runs, list) and all(isinstance(run, str) for run in runs)
        if not texts or not qrels or not runs or len(given) > 2:
            raise mistake("E241", f"[collections] {name}: it needs qrels and runs", hint)
        found.append(CollectionPaths(name, str(qrels), tuple(runs or ())))
    return {"collections": found}


def table(data: dict[str, Any], name: str) -> dict[str, Any]:
    """One table of the file; empty if it is not there."""
    found = data.get(name, {})
    if not isinstance(found, dict):
        raise mistake("E241", f"{name} must be a table", f"write [{name}] on a line of its own")
    return found


def mistake(code: str, problem: str, hint: str = "") -> PolicyError:
    """The error of something wrong in the file."""
    return PolicyError(code, problem, path=FILE, hint=hint)
