"""SQL lives in the store, as constant texts; values are bound parameters (SEC-12)."""

import ast
import re
from pathlib import Path

import pytest

import cranfield

JUDGING = Path(cranfield.__file__).parent / "judging"
FILES = sorted(JUDGING.rglob("*.py"))
STORE = [path for path in FILES if JUDGING / "store" in path.parents]
EXECUTES = ("execute", "executemany", "executescript")
ALLOWED = {"set_schema"}  # PRAGMA user_version takes no parameter; the function makes an integer of it


def constants(tree):
    """The names of a module that stand for texts which hold nothing from outside."""
    found = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names if alias.name.isupper()}
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if constant(node.value, found):
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
    return found


def constant(node, known):
    """Whether an expression is text, or made of constant texts alone."""
    match node:
        case ast.Constant():
            return True
        case ast.Name():
            return node.id in known
        case ast.JoinedStr():
            return all(constant(part, known) for part in node.values)
        case ast.FormattedValue():
            return constant(node.value, known)
        case ast.Tuple() | ast.List():
            return all(constant(part, known) for part in node.elts)
        case ast.Dict():
            return all(constant(part, known) for part in node.values)
        case ast.BinOp(op=ast.Add()):
            return constant(node.left, known) and constant(node.right, known)
        case ast.Call(func=ast.Attribute(attr="items" | "values") as called):
            return constant(called.value, known)
        case ast.Subscript():
            return constant(node.value, known)
    return False


def wrong(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    known = constants(tree)
    found = []
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name not in ALLOWED:
            here = {*known}
            for node in ast.walk(function):  # loops over constants
                if isinstance(node, ast.For) and constant(node.iter, known) and isinstance(node.target, ast.Name):
                    here.add(node.target.id)
            found += [
                f"{path.name}:{node.lineno}"
                for node in ast.walk(function)
                if isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr in EXECUTES
                and not constant(node.args[0], here)
            ]
    return found


@pytest.mark.parametrize("path", STORE, ids=lambda path: str(path.relative_to(JUDGING)))
def test_sec_12_statements_are_constant_texts(path):
    exceptions = {"migrations.py": 1, "doctor.py": 1}  # statements of a table of constants, handed on
    assert len(wrong(path)) <= exceptions.get(path.name, 0), wrong(path)


@pytest.mark.parametrize(
    "code",
    [
        'def f(c, a): c.execute(f"SELECT {a}")',
        'def f(c, a): c.execute("SELECT " + a)',
        'def f(c, a): c.execute("SELECT %s" % a)',
        'def f(c, a): c.execute("SELECT {}".format(a))',
        "def f(c, a): c.executescript(a)",
        'A = input()\ndef f(c): c.execute(f"SELECT {A}")',
    ],
)
def test_sec_12_the_lint_finds_texts_with_values_in_them(tmp_path, code):
    path = tmp_path / "a.py"
    path.write_text(code)
    assert len(wrong(path)) == 1


@pytest.mark.parametrize("path", STORE, ids=lambda path: str(path.relative_to(JUDGING)))
def test_parameters_have_a_name_or_a_place_and_no_number(path):
    # early releases of Python 3.12 take ?1 for a name, and warn if its value comes by place
    assert not re.findall(r"\?\d", path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(JUDGING)))
def test_sec_12_only_the_store_knows_sql(path):
    if path in STORE:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imports |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    calls = {
        node.func.attr for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    }
    assert "sqlite3" not in imports
    assert not calls & {*EXECUTES}
