"""What is public, and what its docstrings say."""

import ast
import inspect
from importlib import import_module
from itertools import pairwise

import cranfield


def document(name: str) -> str:
    """The docstring of a public name; that of a type alias is the string below its definition.

    >>> document("QrelsLike").partition(":")[0], document("parse").partition(",")[0]
    ('What functions take as judgments', 'Read a measure from its name')
    """
    return inspect.getdoc(getattr(cranfield, name)) or "" if not is_alias(name) else _below_definition(name)


def is_alias(name: str) -> bool:
    """Whether a public name is neither a class nor a function, but stands for a type."""
    found = getattr(cranfield, name)
    return not inspect.isclass(found) and not callable(found)


def _below_definition(name: str) -> str:
    statements = ast.parse(inspect.getsource(import_module(f"cranfield.{cranfield._HOME[name]}"))).body
    for statement, following in pairwise(statements):
        is_definition = isinstance(statement, ast.AnnAssign) and ast.unparse(statement.target) == name
        if is_definition and isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
            return inspect.cleandoc(str(following.value.value))
    return ""
