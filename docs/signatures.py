"""Signatures as the source writes them: `QrelsLike`, not the types that it stands for."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any

WIDTH = 100
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


def signature(name: str, function: Callable[..., Any]) -> str:
    """`name(arguments) -> result`, over several lines if it is long."""
    node = _node(function)
    arguments = _arguments(node.args)
    result = "" if node.returns is None else f" -> {_written(node.returns)}"
    short = f"{name}({', '.join(arguments)}){result}"
    if len(short) <= WIDTH:
        return short
    return f"{name}(\n" + "".join(f"    {argument},\n" for argument in arguments) + f"){result}"


def fields(record: type) -> Iterator[tuple[str, str, str, str]]:
    """Name, type, default and comment of the public fields of a dataclass, as its source writes them."""
    source = textwrap.dedent(inspect.getsource(record))
    lines = source.splitlines()
    for node in _class(source).body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
            kind = _written(node.annotation)
            if not kind.startswith("ClassVar"):
                comment = lines[(node.end_lineno or 1) - 1].partition("  # ")[2]
                yield (
                    node.target.id,
                    kind,
                    _default(node.value),
                    "" if comment.startswith(("type:", "noqa:")) else comment,
                )


def _default(value: ast.expr | None) -> str:
    """The default of a field, whether it is written alone or within `field(…)`."""
    if isinstance(value, ast.Call) and ast.unparse(value.func) == "field":
        value = next((each.value for each in value.keywords if each.arg == "default"), None)
    return "" if value is None else ast.unparse(value)


def returned(function: Callable[..., Any]) -> type | None:
    """The class of this package that a function returns."""
    node = _node(function)
    named = "" if node.returns is None else _written(node.returns)
    word = re.split(r"[^\w]+", named)[0] if not named.startswith("dict") else re.findall(r"\w+", named)[-1]
    found = _named(inspect.getmodule(function), word)
    return found if isinstance(found, type) and found.__module__.startswith("cranfield.") else None


def _named(module: Any, word: str) -> Any:
    """The object that a name means in a module, even if only type checkers import it."""
    if hasattr(module, word):
        return getattr(module, word)
    for node in ast.walk(ast.parse(inspect.getsource(module))):
        if isinstance(node, ast.ImportFrom) and any(alias.name == word for alias in node.names):
            return getattr(import_module(node.module or ""), word, None)
    return None


@cache
def _class(source: str) -> ast.ClassDef:
    return next(node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))


def _node(function: Callable[..., Any]) -> FunctionNode:
    source = textwrap.dedent(inspect.getsource(function))
    return next(node for node in ast.walk(ast.parse(source)) if isinstance(node, FunctionNode))


def _arguments(given: ast.arguments) -> list[str]:
    positional = [*given.posonlyargs, *given.args]
    padding: list[ast.expr | None] = [None] * (len(positional) - len(given.defaults))
    found = [_one(*pair) for pair in zip(positional, [*padding, *given.defaults], strict=True)]
    found = [text for text in found if text not in ("self", "cls")]
    if given.vararg is not None:
        found.append("*" + _one(given.vararg, None))
    elif given.kwonlyargs:
        found.append("*")
    found += [_one(*pair) for pair in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    if given.kwarg is not None:
        found.append("**" + _one(given.kwarg, None))
    return found


def _one(argument: ast.arg, default: ast.expr | None) -> str:
    kind = "" if argument.annotation is None else f": {_written(argument.annotation)}"
    equals = " = " if kind else "="
    return f"{argument.arg}{kind}{'' if default is None else equals + ast.unparse(default)}"


def _written(annotation: ast.expr) -> str:
    """An annotation without the quotes around names that only type checkers import."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value
    text = ast.unparse(annotation)
    return text if "Literal" in text else re.sub(r"'([A-Z][\w.]*)'", r"\1", text)
