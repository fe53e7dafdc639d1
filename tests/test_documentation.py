"""The documentation is complete, up to date, and true: what it shows is run and compared."""

import doctest
import re
import warnings
from pathlib import Path

import pytest

import cranfield
from cranfield.align.policy import PolicyChoices
from cranfield.errors.catalogue import CATALOGUE
from cranfield.measures.definition import MEASURES
from cranfield.read.definition import FORMATS
from cranfield.stats.agreement.coefficients import PAIRWISE
from cranfield.stats.comparison.corrections import CORRECTIONS, Correction
from cranfield.stats.orders.coefficient import COEFFICIENTS
from cranfield.stats.paired.definition import TESTS
from cranfield.stats.paired.intervals import INTERVALS
from cranfield.stats.several.omnibus import OMNIBUS
from cranfield.stats.several.posthoc import POSTHOC
from cranfield.study.engine.catalogue import STUDIES
from cranfield.study.engine.choices import StudyChoices
from docs import generate
from docs.pages import python
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


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    missing = [page for page in (ROOT / "docs").rglob("*.md") if str(page.relative_to(ROOT / "docs")) not in navigation]
    assert missing == []


def test_the_runner_notices_a_wrong_output(tmp_path):
    page = "```console\n$ echo one\ntwo\n$ (exit 3)\n$ echo $?\n3\n```\n"
    assert [outcome.right for outcome in run_page(page, tmp_path)] == [False, True, True]


def test_the_runner_notices_a_command_that_fails_out_of_sight(tmp_path):
    page = "```console\n$ (echo one; exit 3)\n…\n$ (echo one; exit 3)\n…\n$ echo $?\n3\n$ echo one\n…\n```\n"
    assert [outcome.right for outcome in run_page(page, tmp_path)] == [False, True, True, True]


def test_the_runner_writes_files_and_runs_python(tmp_path):
    shows = '```text title="a/b.txt"\nhello\n```\n\n'
    runs = '```python\nfrom pathlib import Path\n\nx = Path("a/b.txt").read_text()\nprint(x)\n```\n\n'
    page = f"{shows}{runs}```text\nhello\n```\n\n```pycon\n>>> x\n'bye'\n```\n"
    assert [outcome.right for outcome in run_page(page, tmp_path)] == [True, False]


def test_an_ellipsis_stands_for_any_lines():
    assert agree(["a", "…"], ["a", "b", "c"])
    assert not agree(["…", "a"], ["a", "b"])


def test_every_public_name_has_its_section():
    page = PAGE["python.md"]
    assert [name for name in cranfield.__all__ if f"\n### {name}\n" not in page] == []
    assert set(cranfield.__all__) == {name for names in python.by_part().values() for name in names}


@pytest.mark.parametrize(
    "found",
    [*(c for name in cranfield.__all__ if isinstance(c := getattr(cranfield, name), type)), *python.results()],
    ids=lambda found: found.__name__,
)
def test_every_public_method_and_attribute_is_listed_and_explained(found):
    listed = {name: text for name, _, text in python.members(found)}
    foreign = {name for base in found.__mro__ if not python.is_documented(base) for name in vars(base)}
    there = {name for name in dir(found) if name[0] != "_"} - foreign
    constants = {name for name in there if isinstance(getattr(found, name), str | int | tuple)}  # of the class
    assert there - constants <= set(listed)
    assert [name for name, text in listed.items() if not text] == []


def test_every_kind_of_study_has_its_section_with_every_option():
    page = PAGE["studies.md"]
    for kind in STUDIES.values():
        section = page.partition(f"\n## {kind.name}\n")[2].partition("\n## ")[0]
        assert section, kind.name
        assert [name for name in kind.parameters if f"| `{name}` |" not in section] == []
    shared = page.partition("\n## What all kinds take\n")[2].partition("\n## ")[0]
    taken = set(StudyChoices.__annotations__) - set(PolicyChoices.__annotations__)
    assert [name for name in taken if f"| `{name}` |" not in shared] == []


@pytest.mark.parametrize("registry", [TESTS, CORRECTIONS, POSTHOC, OMNIBUS, COEFFICIENTS, PAIRWISE])
def test_every_test_correction_and_coefficient_is_on_the_page_of_statistics(registry):
    page = PAGE["statistics.md"]
    assert [name for name in registry if f"| `{name}`" not in page] == []


def test_every_interval_is_on_the_page_of_statistics():
    assert [name for name in INTERVALS if f"`{name}`" not in PAGE["statistics.md"]] == []


def test_what_is_registered_is_in_the_reference_without_another_edit():
    CORRECTIONS.add("nothing-at-all", Correction("nothing-at-all", "a title of its own", "nothing", lambda p: p))
    try:
        assert "| `nothing-at-all` | a title of its own | nothing |" in generate.pages()["statistics.md"]
    finally:
        CORRECTIONS.remove("nothing-at-all")


def test_negative_numbers_in_tables_have_a_minus():
    """A cell that begins with a number; what is typed in code keeps its hyphen."""
    found = [
        f"{path.name}: {row}"
        for path in sorted(generate.FOLDER.parent.rglob("*.md"))
        for row in path.read_text(encoding="utf-8").splitlines()
        if row.startswith("|") and re.search(r"\| -\d", row)
    ]
    assert found == []


NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_a_list_has_as_many_items_as_the_sentence_before_it_says(page):
    lists = re.findall(
        r"^(.*):\n\n((?:[*-] .*\n(?:(?:  .*)?\n)*)+)", page.read_text(encoding="utf-8") + "\n", re.MULTILINE
    )
    for sentence, items in lists:
        said = re.search(rf"\b({'|'.join(NUMBERS)}) (?:things|points|reasons|ways|rules|steps)\b", sentence, re.I)
        if said:
            found = len(re.findall(r"^[*-] ", items, re.MULTILINE))
            assert found == NUMBERS.index(said[1].lower()) + 2, sentence
