"""The documentation is complete, up to date, and true: what it shows is run and compared."""

import doctest
import re
import warnings
from pathlib import Path

import pytest

import cranfield
from cranfield.catalogue import CATALOGUE
from cranfield.measures.definition import MEASURES
from cranfield.read.definition import FORMATS
from docs import generate
from docs.public import document, is_alias
from tests.examples import agree, blocks, run_page

ROOT = Path(__file__).parent.parent
PAGE = generate.pages()
GENERATED = sorted(PAGE.items())
PAGES = sorted([*ROOT.glob("README.md"), *(p for p in (ROOT / "docs").rglob("*.md") if p.parent.name != "reference")])
EXAMPLES = [
    page for page in PAGES if any(b.language in ("console", "python", "pycon") for b in blocks(page.read_text()))
]


def name_of(page):
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize(("name", "text"), GENERATED, ids=[name for name, _ in GENERATED])
def test_writing_the_reference_again_changes_nothing(name, text):
    there = (generate.FOLDER / name).read_text(encoding="utf-8")
    assert there == text, "run: python docs/generate.py"


def test_every_code_is_on_the_page_of_errors():
    page = PAGE["errors.md"]
    assert [code for code in CATALOGUE if f"</a>{code} |" not in page] == []


def test_every_code_that_is_raised_is_in_the_catalogue():
    raised = set()
    for path in Path(cranfield.__file__).parent.rglob("*.py"):
        raised |= set(re.findall(r'"([EW]\d{3})"', path.read_text(encoding="utf-8")))
    assert raised <= set(CATALOGUE)


def test_every_measure_has_a_formula_a_reference_and_an_example():
    built_in = [found for found in MEASURES.values() if found.family != "own"]
    assert [m.name for m in built_in if m.document.count("$$") < 2 or ">>>" not in m.document or not m.cites] == []


def test_every_measure_and_every_format_has_its_entry():
    measures, formats = PAGE["measures.md"], PAGE["formats.md"]
    assert [
        name for name, found in MEASURES.items() if f"\n### {name}\n" not in measures and found.family != "own"
    ] == []
    assert [name for name in FORMATS if f"| `{name}` |" not in formats] == []


@pytest.mark.parametrize("name", cranfield.__all__)
def test_every_public_name_explains_itself_with_an_example(name):
    said = document(name)
    assert said, f"{name} has no docstring"
    assert ">>> " in said, f"{name} shows no example"


@pytest.mark.parametrize("name", [name for name in cranfield.__all__ if is_alias(name)])
def test_the_example_of_a_type_is_true(name):
    example = doctest.DocTestParser().get_doctest(document(name), {}, name, None, None)
    assert doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example).failed == 0


@pytest.mark.parametrize("page", EXAMPLES, ids=name_of)
def test_what_a_page_shows_is_what_happens(page, tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.DataWarning)  # a page may show data with holes
        outcomes = list(run_page(page.read_text(encoding="utf-8"), tmp_path))
    for outcome in outcomes:
        place = f"{name_of(page)}:{outcome.line}"
        assert outcome.right, f"{place}\n$ {outcome.source}\n--- shown\n{outcome.shown}\n--- printed\n{outcome.printed}"


def test_the_first_table_of_the_readme_is_that_of_the_demo(tmp_path):
    shown = blocks((ROOT / "README.md").read_text(encoding="utf-8"))[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cranfield.DataWarning)
        demo = cranfield.build_demo(tmp_path)
    assert (shown.language, shown.body.rstrip()) == ("text", repr(demo.scores))


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    missing = [page for page in (ROOT / "docs").rglob("*.md") if str(page.relative_to(ROOT / "docs")) not in navigation]
    assert missing == []


def test_the_runner_notices_a_wrong_output(tmp_path):
    page = "```console\n$ echo one\ntwo\n$ (exit 3)\n$ echo $?\n3\n```\n"
    assert [outcome.right for outcome in run_page(page, tmp_path)] == [False, True, True]


def test_the_runner_writes_files_and_runs_python(tmp_path):
    shows = '```text title="a/b.txt"\nhello\n```\n\n'
    runs = '```python\nfrom pathlib import Path\n\nx = Path("a/b.txt").read_text()\nprint(x)\n```\n\n'
    page = f"{shows}{runs}```text\nhello\n```\n\n```pycon\n>>> x\n'bye'\n```\n"
    assert [outcome.right for outcome in run_page(page, tmp_path)] == [True, False]


def test_an_ellipsis_stands_for_any_lines():
    assert agree(["a", "…"], ["a", "b", "c"])
    assert not agree(["…", "a"], ["a", "b"])
