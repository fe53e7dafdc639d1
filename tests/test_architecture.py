"""The shape of the code, enforced: who may import whom, how long a file may be, what a name may not be."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import cranfield

ROOT = Path(cranfield.__file__).parent
CHECKOUT = Path(__file__).parent.parent
FILES = sorted(ROOT.rglob("*.py"))
COMPILED = sorted(path for ending in ("pyx", "pxi", "h") for path in ROOT.rglob(f"*.{ending}"))
LAYERS = (
    {
        "errors",
        "whole_files",
        "standard_streams",
        "registry",
        "arrays",
        "random_streams",
        "versions",
        "kernel",
        "workers",
    },
    {"tables"},
    {"read", "write"},
    {"align"},
    {"measures"},
    {"stats"},
    {"pooling"},
    {"missing"},
    {"study"},
    {"reporting"},
    {"judging"},
    {"sample"},
    {"compat", "cli"},
)
DOORS = ("__init__", "__main__")  # of the library and of the command, which may import anything
LAYER = {name: number for number, names in enumerate(LAYERS) for name in names}
HEAVY = ("polars", "scipy", "altair", "starlette", "narwhals", "rich", "click")
FORBIDDEN = {"utils", "util", "helpers", "helper", "common", "core", "manager", "misc", "base", "given"}
LONGEST = 300
MOST_ENTRIES = 16  # of a folder
LISTED_BY_NAME = {"cli/verbs", "study/kinds", "study/papers"}  # whose rooms are called after what they define
FOLDERS = sorted({path.parent for path in FILES})


def part_of(path: Path) -> str:
    """The folder or top module a file belongs to."""
    inside = path.relative_to(ROOT).parts
    return inside[0].removesuffix(".py")


@cache
def tree_of(path: Path) -> ast.Module:
    """A file as Python reads it."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Everything in a file."""
    return tuple(ast.walk(tree_of(path)))


def place_of(path: Path) -> str:
    """Where a file is, as the map names it."""
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> Iterator[str]:
    """The parts of cranfield that a file imports, wherever in the file."""
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the direction"
            names = [node.module or ""]
            if node.module == "cranfield":
                names = [f"cranfield.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("cranfield."))


def defined(path: Path) -> Iterator[str]:
    """The classes of a module and the names it gives to types."""
    for node in nodes_of(path):
        if isinstance(node, ast.ClassDef):
            yield node.name
    for node in tree_of(path).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and re.fullmatch(r"[A-Z][A-Za-z]*[a-z][A-Za-z]*", target.id):
            yield target.id


def loaded_after(code: str) -> set[str]:
    """The top-level modules that are loaded after some code has run in a fresh interpreter."""
    program = f"{code}\nimport sys; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.split("\n")[-2].split())


REACHED_BY_NAME = {  # registries on the left whose definitions stand further right
    ("read/stores.py", "judging.agreeing"),
    ("tables/averages.py", "stats"),
    ("tables/charts.py", "reporting.charts"),
    ("tables/curves/kind.py", "measures.curves.kinds"),
    ("tables/side/gates.py", "reporting.gates"),
    ("tables/side/possible.py", "missing.joined"),
}
MEASURED_BY_NAME = {("sample/bench/dicts.py", "compat.pytrec_eval")}  # the benchmark times it like other packages


def named_in_text(path: Path) -> Iterator[str]:
    """The modules and folders of cranfield that a file names in a string."""
    for node in nodes_of(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"^cranfield\.([a-z_.]+)$", node.value)


def test_only_registries_by_folder_reach_what_is_on_their_right():
    assert {
        (place_of(path), name)
        for path in FILES
        if part_of(path) not in DOORS
        for name in named_in_text(path)
        if LAYER.get(name.partition(".")[0], 0) > LAYER[part_of(path)]
    } == REACHED_BY_NAME | MEASURED_BY_NAME


def test_every_folder_has_a_place_in_the_order():
    assert {part_of(path) for path in FILES} <= {*LAYER, *DOORS}


FOR_TYPE_CHECKERS = {("tables/charts.py", "reporting")}  # the class of what `plot` returns


def test_a_module_imports_only_from_its_left():
    inside = [path for path in FILES if part_of(path) not in DOORS]
    assert {
        (place_of(path), name)
        for path in inside
        for name in imported(path)
        if LAYER.get(name, len(LAYERS)) > LAYER[part_of(path)]
    } == FOR_TYPE_CHECKERS


def test_a_file_is_short_enough_to_hold_one_idea():
    lines = {place_of(path): len(path.read_text(encoding="utf-8").splitlines()) for path in (*FILES, *COMPILED)}
    assert {place: count for place, count in lines.items() if count > LONGEST} == {}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT.parent)))
def test_a_folder_is_seen_at_a_glance_and_says_what_lives_there(folder):
    modules = {path.stem for path in folder.glob("[!_]*.py")}
    rooms = {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}
    if folder == ROOT:  # whose entries are the layers, in the order of docs/architecture.md
        return
    assert len(modules | rooms) <= MOST_ENTRIES, f"{folder.name} wants rooms"
    document = ast.get_docstring(tree_of(folder / "__init__.py")) or ""
    assert len(document.split()) >= 5, f"{folder} does not say what lives there"
    named = {word for quoted in re.findall("`([^`]+)`", document) for word in re.split("[/. ]", quoted)}
    by_name = folder.relative_to(ROOT).as_posix() in LISTED_BY_NAME
    assert sorted(rooms - named if not by_name else ()) == [], "the docstring leaves rooms out"
    assert len(modules | rooms) < 6 or re.search(r"\b(first|[Bb]egin)\b", document), "where to begin?"


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT.parent)))
def test_the_docstring_of_a_folder_names_what_is_there(folder):
    """Modules and rooms here, below and on the way up, and names or values in the modules of the folder."""
    document = ast.get_docstring(tree_of(folder / "__init__.py")) or ""
    above = [place for place in (folder, *folder.parents) if place == ROOT or ROOT in place.parents]
    known = {entry.stem for place in above for entry in place.iterdir()}
    for path in folder.rglob("*.py"):
        known |= {path.stem}
        for node in nodes_of(path):
            known |= {str(getattr(node, field, "")) for field in ("name", "attr", "arg", "value")}
    assert set(re.findall(r"`([a-z_]+)/?`", document)) <= known


def test_a_class_name_has_one_meaning():
    homes: dict[str, set[str]] = {}
    for path in FILES:
        for name in defined(path):
            homes.setdefault(name.lstrip("_"), set()).add(str(path.relative_to(ROOT)))
    assert {name: sorted(places) for name, places in homes.items() if len(places) > 1} == {}


def test_no_module_is_named_after_nothing():
    assert not {path.stem for path in FILES} & FORBIDDEN


ONLY_ITS_AUTHOR_KNOWS = {"matter", "matters", "nowhere", "LetGo", "Beside"}


def named(path: Path) -> Iterator[str]:
    """The names that a module gives or uses."""
    for node in nodes_of(path):
        for field in ("id", "attr", "arg", "name"):
            if isinstance(name := getattr(node, field, None), str):
                yield name.strip("_")


def test_a_name_is_not_one_that_only_its_author_understands():
    used = {place_of(path): set(named(path)) & ONLY_ITS_AUTHOR_KNOWS for path in FILES}
    assert {place: names for place, names in used.items() if names} == {}


def renamed_modules(path: Path) -> Iterator[str]:
    """Modules of ours that a file uses under another name."""
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("cranfield"):
            folder = ROOT.parent / str(node.module).replace(".", "/")
            renamed = [alias for alias in node.names if alias.asname not in (None, alias.name)]
            yield from (alias.name for alias in renamed if (folder / f"{alias.name}.py").exists())


def test_a_module_of_ours_is_used_under_its_name():
    assert [(place_of(path), name) for path in FILES for name in renamed_modules(path)] == []


def test_the_project_file_names_modules_that_exist():
    text = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    assert [path for path in re.findall(r"src/cranfield/[\w/]+\.py", text) if not (CHECKOUT / path).exists()] == []


def test_no_folder_carries_the_name_of_a_public_function():
    tops = {entry.stem for entry in ROOT.iterdir() if entry.suffix == ".py" or entry.is_dir()}
    assert not tops & set(cranfield.__all__)


def test_public_names_are_sorted_and_can_be_imported():
    assert list(cranfield.__all__) == sorted(cranfield.__all__)
    assert all(getattr(cranfield, name) is not None for name in cranfield.__all__)


def test_type_checkers_see_exactly_the_public_names():
    tree = ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If))
    seen = {alias.asname for node in block.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert seen == {*cranfield.__all__, "study"}


def test_importing_cranfield_loads_nothing_heavy():
    assert not loaded_after("import cranfield") & {*HEAVY, "numpy"}


EVALUATE = "import cranfield as cf; cf.evaluate('q', 'r', ['AP', 'nDCG@10', 'RR', 'P@10', 'R@100', 'Bpref'])"
TREC_EVAL = "from cranfield.cli import main; main(['trec_eval', '-q', '-m', 'all_trec', 'q', 'r'])"
COMMAND = "from cranfield.cli import main; main(['evaluate', '-q', 'q', 'r'])"


@pytest.fixture
def trec_files(tmp_path, monkeypatch):
    """One judgment and a run, as q and r in the working directory."""
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 2.5 x\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("trec_files")
@pytest.mark.parametrize("code", [EVALUATE, TREC_EVAL, COMMAND], ids=["function", "trec_eval", "evaluate"])
def test_evaluating_trec_files_loads_nothing_heavy(code):
    needed = {"click"} if code == COMMAND else set()
    assert loaded_after(code) & set(HEAVY) == needed


@pytest.mark.usefixtures("trec_files")
@pytest.mark.parametrize("code", [EVALUATE, TREC_EVAL], ids=["function", "trec_eval"])
def test_evaluating_trec_files_loads_little_beside_numpy(code):
    slow = {"bz2", "csv", "decimal", "difflib", "email", "fractions", "glob", "html", "json", "lzma", "pathlib"}
    slow |= {"pkgutil", "threading", "unicodedata", "zipfile"}
    assert not (loaded_after(code) - loaded_after("import numpy")) & slow


MAP = (CHECKOUT / "docs" / "architecture.md").read_text(encoding="utf-8")
LOOKED_FOR = {
    "tie broken": "align/tie_breaking.py",
    "p value corrected": "stats/comparison/corrections.py",
    "hole counted": "measures/judged_share.py",
    "file refused": "read/checked_columns.py",
    "default set": "align/policy.py",
    "number printed": "tables/sheets/numerals.py",
    "exit code": "errors/catalogue.py",
    "name read": "measures/grammar.py",
    "file recognised": "read/guess.py",
    "file written": "write/sink.py",
}


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`([a-z_0-9/]+(?:\.py|/))`", MAP))))
def test_the_map_of_the_code_names_what_is_there(path):
    assert (ROOT / path).exists() or (CHECKOUT / path).exists()


@pytest.mark.parametrize("name", [path.name for path in FOLDERS if path.parent == ROOT])
def test_the_map_of_the_code_names_every_layer(name):
    assert f"`{name}/`" in MAP


PLACES = re.findall(r"^\| ([^|`]+) \| `([a-z_0-9/]+\.py)` \| `([\w.]+)` \|$", MAP, re.MULTILINE)


def test_the_map_says_where_a_newcomer_looks_first():
    assert len(PLACES) >= 10
    places = {asked: path for asked, path, _ in PLACES}
    assert {words: [places[a] for a in places if words in a] for words in LOOKED_FOR} == {
        words: [path] for words, path in LOOKED_FOR.items()
    }


@pytest.mark.parametrize(("asked", "path", "name"), PLACES, ids=[place[0] for place in PLACES])
def test_the_module_where_a_newcomer_looks_defines_what_the_map_names(asked, path, name):
    body: list[ast.stmt] = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    for part in name.split("."):
        found = [node for node in body if part in _given_names(node)]
        assert found, f"{asked}: {path} does not define {name}"
        body = getattr(found[0], "body", [])


def _given_names(node: ast.stmt) -> list[str]:
    """The names that a statement defines or assigns."""
    if isinstance(node, ast.Assign | ast.AnnAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [target.id for target in targets if isinstance(target, ast.Name)]
    return [node.name] if isinstance(node, ast.FunctionDef | ast.ClassDef) else []


def test_the_map_draws_the_layers_in_their_order():
    drawn = next(line for line in MAP.splitlines() if line.startswith("    ") and "‹" in line)
    assert [set(part.split()) for part in drawn.split("‹")] == list(LAYERS)


SILENCES = re.compile(r"#\s*(?:type: ignore|noqa)(?P<which>[:\[][^#\n]*)?(?P<reason>#.*)?$", re.MULTILINE)


def test_what_silences_a_checker_says_which_rule_and_gives_a_reason():
    found = [(place_of(path), each) for path in FILES for each in SILENCES.finditer(path.read_text(encoding="utf-8"))]
    assert found
    assert [(place, each[0]) for place, each in found if not each["which"] or not each["reason"]] == []


ASKS_WHICH_KERNEL = r"kernel\.(active|compiled|steps|dicts|pure|_steps|_dicts)\b|CRANFIELD_KERNEL"


def holding(pattern: str) -> set[str]:
    """The files whose text has a pattern."""
    return {place_of(path) for path in FILES if re.search(pattern, path.read_text(encoding="utf-8"))}


def test_only_the_version_and_the_audit_ask_which_kernel_runs():
    asking = {place for place in holding(ASKS_WHICH_KERNEL) if not place.startswith("kernel/")}
    assert asking == {"cli/group.py", "measures/assemble.py"}


def test_what_undefined_values_count_as_is_decided_by_the_policy_alone():
    assert holding(r"COUNTS_AS|no_relevant\S* [!=]= .zero") == {"align/policy.py"}
