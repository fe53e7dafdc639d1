"""Change the source in one place at a time, run the tests concerned, and list the changes that no test notices.

A change deletes a statement, a handler, a keyword or an element of a list, turns a condition round, moves a bound, or
shifts a number. It is made in a copy, and never run by anybody who may write to /dev. A change that nothing notices is
a missing test, or code that does nothing.

    scripts/mutants                                    every module that reads or writes tables
    scripts/mutants write/sink.py write/runs.py        some of them
    scripts/mutants read/formats --sample 50 --seed 1  fifty changes by chance
"""

import argparse
import ast
import copy
import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
HOME = Path("src/cranfield")
COLUMNS = ("tests/write/test_held_columns.py", "tests/write/test_byte_order_marks.py")
WRITING = ("tests/write/test_sink.py", "tests/write/test_round_trip.py", *COLUMNS)
TABLES = ("tests/read/test_delimited.py", "tests/read/test_without_lines.py")
READING = (*TABLES, "tests/read/test_formats.py", "tests/read/test_messages.py", "tests/read/test_jsonquick.py")
SIDE = ("tests/read/test_side_files.py", "tests/read/test_topics.py", "tests/read/test_metadata.py")
MORE = ("tests/read/test_model_labels.py", "tests/read/test_subtopics.py", "tests/read/test_scan.py", *SIDE)
DOCUMENTS = ("tests/read/test_trec_documents.py", "tests/read/test_documents_on_disk.py", "tests/read/test_formats.py")
SAVED = ("tests/tables", "tests/missing/joined/test_scored.py", "tests/cli/verbs/test_weights.py")
CONVERTING = ("tests/cli/verbs/test_convert.py", "tests/align/test_combine.py", "tests/align/test_cleaning.py")
TESTS = {  # which tests are about which modules; the first that fits
    "write/sink.py": WRITING[:1],
    "write": WRITING,
    "whole_files.py": ("tests/write/test_sink.py", "tests/cli/test_files.py"),
    "cli/files.py": ("tests/cli/test_files.py",),
    "read/formats/documents/lines.py": DOCUMENTS,
    "read/formats/documents/trec.py": DOCUMENTS,
    "read/sources/lines.py": DOCUMENTS,
    "read/formats/scan.py": ("tests/read/test_scan.py", "tests/kernel/test_both_paths.py"),
    "read/formats/search_tools": ("tests/read/test_search_engines.py", "tests/read/test_by_text.py", *WRITING),
    "read/formats": (*READING, *MORE, *WRITING),
    "read/checked_columns.py": (*READING, *WRITING),
    "read/saved_scores.py": SAVED,
    "align/converting": CONVERTING,
    "align/combining": (*CONVERTING, "tests/judging/exporting"),
    "judging/exporting": ("tests/judging/exporting", "tests/judging/agreeing/test_agree_lab.py"),
    "reporting/junit.py": ("tests/reporting/test_junit.py", "tests/cli/test_gates.py"),
    "tables/side": (*SAVED, *SIDE),
    "tables/run.py": ("tests/tables/test_tables.py", "tests/read/test_formats.py"),
    "tables/qrels.py": ("tests/tables/test_tables.py", "tests/read/test_formats.py"),
}
MESSAGES = {"InputError", "PolicyError", "DataWarning"}  # their words have tests of their own
OPPOSITE = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
TIMEOUT = 60  # seconds of work; a change that makes the tests run for ever is noticed
WAITING = 1800  # seconds, for changes that wait for ever and work no more


class Mutant(NamedTuple):
    """A changed module."""

    module: Path
    line: int
    change: str
    source: str


def mutants(module: Path) -> Iterator[Mutant]:
    """Every change of a module."""
    text = (ROOT / module).read_text(encoding="utf-8")
    places = list(_places(ast.parse(text)))
    for number in range(len(places)):
        tree = ast.parse(text)
        line, change, apply = list(_places(tree))[number]
        apply()
        yield Mutant(module, line, change, ast.unparse(ast.fix_missing_locations(tree)))


def _places(tree: ast.AST) -> Iterator[tuple[int, str, Any]]:
    """Line, words and function of each change that can be made to a tree."""
    for node in _walk(tree):
        line = getattr(node, "lineno", 0)
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            for place, statement in enumerate(block if isinstance(block, list) else ()):
                if _is_deletable(statement):
                    shown = ast.unparse(statement).splitlines()[0]
                    yield statement.lineno, f"delete {shown}", lambda b=block, p=place: b.__setitem__(p, ast.Pass())
        if isinstance(node, ast.Try) and (len(node.handlers) > 1 or node.finalbody):
            for handler in list(node.handlers):
                yield handler.lineno, "delete the handler", lambda n=node, h=handler: n.handlers.remove(h)
        if isinstance(node, ast.If | ast.IfExp | ast.While):
            negated = ast.UnaryOp(ast.Not(), copy.deepcopy(node.test))
            yield line, f"negate {ast.unparse(node.test)}", lambda n=node, t=negated: setattr(n, "test", t)
        if isinstance(node, ast.comprehension):
            for place, test in enumerate(node.ifs):
                yield test.lineno, f"drop if {ast.unparse(test)}", lambda n=node, p=place: n.ifs.pop(p)
        if isinstance(node, ast.Compare) and type(node.ops[0]) in OPPOSITE:
            other = OPPOSITE[type(node.ops[0])]()
            yield line, f"turn {ast.unparse(node)}", lambda n=node, o=other: n.ops.__setitem__(0, o)
        if isinstance(node, ast.BoolOp):
            for place, value in enumerate(node.values):
                yield line, f"drop operand {ast.unparse(value)}", lambda n=node, p=place: n.values.pop(p)
        if isinstance(node, ast.List | ast.Tuple | ast.Set) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
            for place, element in enumerate(node.elts):
                yield line, f"drop element {ast.unparse(element)}", lambda n=node, p=place: n.elts.pop(p)
        if isinstance(node, ast.Dict):
            for place, key in enumerate(node.keys):
                shown = ast.unparse(key or node.values[place])
                yield line, f"drop key {shown}", lambda n=node, p=place: (n.keys.pop(p), n.values.pop(p))
        if isinstance(node, ast.Call):
            for keyword in [keyword for keyword in node.keywords if keyword.arg != "strict"]:
                yield line, f"drop {ast.unparse(keyword)}", lambda n=node, k=keyword: n.keywords.remove(k)
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            number = not node.value if isinstance(node.value, bool) else node.value + 1
            yield line, f"{node.value} becomes {number}", lambda n=node, v=number: setattr(n, "value", v)


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree, but for annotations, the words of messages, and `strict=`, which guards what cannot be."""
    yield tree
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "type_comment"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if (
                isinstance(child, ast.AST)
                and getattr(child, "arg", "") != "strict"
                and not _is_message(child)
                and not _is_for_types(child)
            ):
                yield from _walk(child)


def _is_message(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MESSAGES


def _is_for_types(node: ast.AST) -> bool:
    if isinstance(node, ast.If):
        return ast.unparse(node.test) == "TYPE_CHECKING"
    return isinstance(node, ast.AnnAssign) and "TypeAlias" in ast.unparse(node.annotation)


def _is_deletable(statement: ast.stmt) -> bool:
    """Whether a statement does something that the rest of the function does not need by name."""
    if isinstance(statement, ast.Expr):
        return not isinstance(statement.value, ast.Constant)
    if isinstance(statement, ast.Assign):
        return not all(isinstance(target, ast.Name) for target in statement.targets)
    return isinstance(statement, ast.AugAssign | ast.Raise | ast.Continue | ast.Break | ast.Delete)


def is_noticed(mutant: Mutant, folder: Path, tests: tuple[str, ...]) -> bool:
    """Whether a test fails in a copy with the change."""
    target = folder / mutant.module
    before = target.read_text(encoding="utf-8")
    for stale in target.parent.glob(f"__pycache__/{target.stem}.*"):
        stale.unlink()
    target.write_text(mutant.source, encoding="utf-8")
    try:
        child = os.fork()
        if child == 0:
            try:
                os._exit(_run(folder, [*tests, str(mutant.module)]))
            finally:
                os._exit(70)  # whatever was raised must not run the parent's clean-up
        return os.waitpid(child, 0)[1] != 0
    finally:
        target.write_text(before, encoding="utf-8")


def _run(folder: Path, tests: list[str]) -> int:
    """The tests of a copy, up to the first that fails, in this process; 0 if none does."""
    signal.setitimer(signal.ITIMER_PROF, TIMEOUT)  # of this process, however busy the machine is with others
    signal.alarm(WAITING)
    sys.dont_write_bytecode = True
    sys.path.insert(0, str(folder / "src"))
    os.environ["PYTHONPATH"] = str(folder / "src")  # for what the tests start
    os.chdir(folder)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    import pytest

    return int(pytest.main(["-x", "-q", "-p", "no:cacheprovider", *tests]))


def copied(folder: Path) -> Path:
    """A copy of the source and the tests."""
    for name in ("src", "tests"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def tests_of(module: Path) -> tuple[str, ...]:
    """The tests that are about a module."""
    name = module.relative_to(HOME).as_posix()
    return next(tests for place, tests in TESTS.items() if name.startswith(place))


def modules_in(place: str) -> list[Path]:
    """The modules of a folder below `src/cranfield`, or the one that is named."""
    there = ROOT / HOME / place
    return [path.relative_to(ROOT) for path in (sorted(there.rglob("*.py")) if there.is_dir() else [there])]


def unchanged(module: Path) -> Mutant:
    """A module as it is."""
    return Mutant(module, 0, "nothing", (ROOT / module).read_text(encoding="utf-8"))


def main() -> int:
    """Make the changes that were asked for, and list those that nothing notices."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("places", nargs="*", default=list(TESTS), help="modules or folders below src/cranfield")
    parser.add_argument("--sample", type=int, help="so many changes by chance")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="how many are tried at a time")
    asked = parser.parse_args()
    if os.access("/dev", os.W_OK):  # a changed writer has replaced /dev/null before
        parser.error("/dev can be written to; run scripts/mutants, which makes it read-only, or be an ordinary user")
    os.environ |= {"HYPOTHESIS_PROFILE": "brief", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    import hypothesis.extra.numpy, narwhals, numpy, polars, pytest  # noqa: E401, F401, I001  # once, not in every child

    modules = [module for place in asked.places for module in modules_in(place)]
    every = [mutant for module in modules for mutant in mutants(module)]
    if asked.sample is not None:
        every = sorted(random.Random(asked.seed).sample(every, min(asked.sample, len(every))))
    with tempfile.TemporaryDirectory() as scratch, ThreadPoolExecutor(asked.jobs) as workers:
        free: Queue[Path] = Queue()
        for job in range(asked.jobs):
            free.put(copied(Path(scratch, str(job))))

        def survives(mutant: Mutant) -> bool:
            folder = free.get()
            try:
                return not is_noticed(mutant, folder, tests_of(mutant.module))
            finally:
                free.put(folder)

        if red := [module for module in {tests_of(m): m for m in modules}.values() if not survives(unchanged(module))]:
            parser.error(f"without any change these fail: {' '.join(tests_of(red[0]))}")
        unnoticed = 0
        for mutant, survived in zip(every, workers.map(survives, every), strict=True):
            if survived:
                print(f"{mutant.module}:{mutant.line}: {mutant.change}", flush=True)
                unnoticed += 1
    print(f"{len(every)} changes, {len(every) - unnoticed} noticed, {unnoticed} not", flush=True)
    return 1 if unnoticed else 0


if __name__ == "__main__":
    sys.exit(main())
