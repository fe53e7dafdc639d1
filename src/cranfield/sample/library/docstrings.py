"""The documents of the demo: the docstrings of the Python standard library, read from its source files.

Nothing is imported or executed: a source file is parsed with `ast`. Where a Python comes without its sources, the
docstrings of a fixed list of modules, which do nothing but define things, are read from the imported modules.
"""

import ast
import inspect
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path

from cranfield.tables.side.documents import Document, Documents

SHORTEST = 41  # characters: a docstring is longer than forty
LEFT_OUT = {
    *("test", "tests", "idle_test"),
    *("ensurepip", "_vendor"),  # parts of others that are shipped with it
    *("site-packages", "dist-packages", "lib-dynload", "__pycache__"),  # not the library
    *("this", "antigravity"),  # not meant to be used
}
PUBLIC_NAMES = {  # modules that later versions moved or that have a twin in C, and the name that people know
    "_collections_abc": "collections.abc",
    "_pydatetime": "datetime",
    "_pydecimal": "decimal",
    "_pyio": "io",
    "pathlib._local": "pathlib",
}
SAFE = """
    argparse bisect calendar collections collections.abc configparser contextlib copy csv dataclasses datetime decimal
    difflib enum fnmatch fractions functools glob gzip heapq html inspect io json logging mimetypes os pathlib pickle
    pprint queue random re sched shelve shlex shutil statistics string subprocess tempfile textwrap threading timeit
    tokenize traceback types urllib.parse uuid weakref zipfile
"""


def read_docstrings(folder: str | Path | None = None) -> Documents:
    """The docstrings longer than forty characters below a folder of Python sources, by qualified name.

    Args:
        folder: the standard library by default.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "room.py").write_text("def serve(port=80): 'Serve the room on a port of this machine.'")
    ...     read_docstrings(folder)["room.serve"].title
    'room.serve(port=80)'
    """
    root = Path(sysconfig.get_path("stdlib") if folder is None else folder)
    found: dict[str, Document] = {}
    for path in sorted(_sources(root)):
        for each in _in_source(path, _module(path.relative_to(root))):
            found.setdefault(each.id, each)  # the first of a name, such as the getter of a property
    if not found and folder is None:
        found = {each.id: each for each in imported_docstrings(SAFE.split())}
    return Documents.of(found[name] for name in sorted(found))


def imported_docstrings(modules: Iterable[str]) -> Iterator[Document]:
    """The docstrings of modules that are imported, where there are no sources.

    >>> "bisect.insort_right" in {each.id for each in imported_docstrings(["bisect"])}
    True
    """
    for name in modules:
        module = import_module(name)
        yield from _kept(name, name, inspect.getdoc(module))
        yield from _members(module, name, name)


def _sources(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        return
    for path in folder.iterdir():
        if path.stem in LEFT_OUT:
            continue
        if path.is_dir():
            yield from _sources(path)
        elif path.suffix == ".py":
            yield path


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    return PUBLIC_NAMES.get(name, name)


def _in_source(path: Path, module: str) -> Iterator[Document]:
    if not _public(module):
        return
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the source, which is not ours
            tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError, OSError):  # written for another Python, or not readable
        return
    yield from _kept(module, module, ast.get_docstring(tree))
    yield from _defined(tree.body, module)


def _defined(body: Iterable[ast.stmt], prefix: str) -> Iterator[Document]:
    """Of public functions and classes, also those under `if` and `try`, not those inside a function."""
    for node in body:
        if isinstance(node, ast.If | ast.Try):
            handlers = node.handlers if isinstance(node, ast.Try) else []
            for block in (node.body, *(handler.body for handler in handlers), node.orelse):
                yield from _defined(block, prefix)
        elif isinstance(node, ast.ClassDef) and _public(node.name):
            name, bases = f"{prefix}.{node.name}", ", ".join(map(ast.unparse, node.bases))
            yield from _kept(name, f"class {name}({bases})" if bases else f"class {name}", ast.get_docstring(node))
            yield from _defined(node.body, name)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _public(node.name):
            name = f"{prefix}.{node.name}"
            yield from _kept(name, f"{name}({ast.unparse(node.args)})", ast.get_docstring(node))


def _members(owner: object, prefix: str, module: str) -> Iterator[Document]:
    for name, value in sorted(vars(owner).items()):
        home = getattr(value, "__module__", None) or ""
        if not _public(name) or home not in (module, f"_{module}"):  # the second is its part in C
            continue
        if inspect.isclass(value) or inspect.isroutine(value):
            yield from _kept(f"{prefix}.{name}", f"{prefix}.{name}", inspect.getdoc(value))
        if inspect.isclass(value):
            yield from _members(value, f"{prefix}.{name}", module)


def _kept(name: str, title: str, text: str | None) -> Iterator[Document]:
    if text and len(text) >= SHORTEST:
        yield Document(name, text, title)


def _public(name: str) -> bool:
    return not any(part.startswith("_") and not part.endswith("__") for part in name.split("."))
