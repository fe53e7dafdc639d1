"""Records are built by name, so who reads a call sees what each value is; those of arrays compare without error."""

import ast
import re
from pathlib import Path

import pytest

import cranfield

HOME = Path(cranfield.__file__).parent
FOLDERS = sorted({path.relative_to(HOME).parts[0] for path in HOME.rglob("*.py")} - {"__init__.py"})
MOST = 6  # fields that may be given by position


def _is_record(found: ast.ClassDef) -> bool:
    marks = [ast.unparse(mark) for mark in (*found.bases, *found.decorator_list)]
    return any(mark == "NamedTuple" or mark.startswith("dataclass") for mark in marks)


TREES = {path: ast.parse(path.read_text()) for path in sorted(HOME.rglob("*.py"))}
RECORDS = {
    found.name
    for tree in TREES.values()
    for found in ast.walk(tree)
    if isinstance(found, ast.ClassDef) and _is_record(found)
}


def _by_position(tree: ast.AST, record: str = "") -> list[tuple[str, int]]:
    """Each call of a record, or of `cls` inside one, with how many values it gets by position."""
    found = []
    for node in ast.iter_child_nodes(tree):
        here = node.name if isinstance(node, ast.ClassDef) else record
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func).rpartition(".")[2]  # also `module.Record(…)`
            name = here if called == "cls" else called
            if name in RECORDS:
                found.append((f"{name}, line {node.lineno}", len(node.args)))
        found += _by_position(node, here)
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_no_record_is_built_from_many_values_by_position(folder):
    own = {path: tree for path, tree in TREES.items() if path.relative_to(HOME).parts[0] == folder}
    calls = [(path.name, call, given) for path, tree in own.items() for call, given in _by_position(tree)]
    assert [call for call in calls if call[2] > MOST] == []


def _holds_arrays(record: ast.ClassDef) -> bool:
    """Whether a field is an array, which is neither true nor false when it is compared."""
    kinds = [ast.unparse(node.annotation) for node in record.body if isinstance(node, ast.AnnAssign)]
    plain = [kind for kind in kinds if not kind.startswith(("Callable", "ClassVar"))]
    return any(re.search(r"\b(Bools|Floats|Ints|Bytes|Words|NDArray)\b", kind) for kind in plain)


def _compared() -> dict[str, str]:
    """The decorator of each dataclass that holds arrays, or is made of one that does."""
    classes = [found for tree in TREES.values() for found in ast.walk(tree) if isinstance(found, ast.ClassDef)]
    holders = {found.name for found in classes if _holds_arrays(found)}
    holding = [found for found in classes if {found.name, *map(ast.unparse, found.bases)} & holders]
    marks = [(found.name, ast.unparse(mark)) for found in holding for mark in found.decorator_list]
    return {name: mark for name, mark in marks if mark.startswith("dataclass")}


def test_no_record_of_arrays_has_the_equality_of_a_dataclass_which_raises():
    records = _compared()
    assert {"Scores", "Hits", "Column", "Lettered"} <= {*records}
    assert [name for name, mark in records.items() if "eq=False" not in mark] == []
