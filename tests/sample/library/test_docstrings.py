"""The documents of the demo: read from sources that we wrote for it, never imported or executed (DEMO-1, DEMO-5)."""

import pytest

from cranfield.sample.library.docstrings import read_docstrings

LONG = "says something in rather more than forty characters"
SOURCE = f'''
"""The module {LONG}."""
raise SystemExit("nobody may run this")

def plain(a, *, b=2):
    """The function {LONG}."""
    def inner():
        """The inner function {LONG}."""

def forty():
    """Forty characters are not more than that."""  # left out

def _private():
    """The private function {LONG}."""

class Shelf(dict):
    """The class {LONG}."""
    @property
    def size(self):
        """The getter {LONG}."""
    @size.setter
    def size(self, value):
        """The setter {LONG}."""
    async def wait(self, seconds: float = 0.5) -> None:
        """The coroutine {LONG}."""

if True:
    try:
        def chosen():
            """The branch {LONG}."""
    except ImportError:
        def other():
            """The handler {LONG}."""
'''


@pytest.fixture
def sources(tmp_path):
    """A library of our own."""
    for name in ("shop.py", "test/shop.py", "tests/more.py", "ensurepip/x.py", "site-packages/y.py", "_hidden.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(SOURCE)
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack/__init__.py").write_text(f'"""The package {LONG}."""')
    (tmp_path / "_pydatetime.py").write_text(f'def parse(text):\n    """The parser {LONG}."""')
    (tmp_path / "broken.py").write_text("def broken(:")
    return tmp_path


def test_names_are_qualified_and_titles_have_arguments(sources):
    found = read_docstrings(sources)
    assert found["shop.plain"].title == "shop.plain(a, *, b=2)"
    assert found["shop.Shelf"].title == "class shop.Shelf(dict)"
    assert found["shop.Shelf.wait"].title == "shop.Shelf.wait(self, seconds: float=0.5)"
    assert found["shop"].text == f"The module {LONG}."


def test_the_first_of_two_definitions_counts(sources):
    assert read_docstrings(sources)["shop.Shelf.size"].text == f"The getter {LONG}."


def test_tests_vendored_parts_private_names_and_inner_functions_are_left_out(sources):
    assert list(read_docstrings(sources)) == [
        "datetime.parse",  # under the name that people know
        "pack",
        "shop",
        "shop.Shelf",
        "shop.Shelf.size",
        "shop.Shelf.wait",
        "shop.chosen",
        "shop.other",
        "shop.plain",
    ]


def test_a_docstring_of_forty_characters_is_too_short(tmp_path):
    for size in (40, 41):
        (tmp_path / f"of{size}.py").write_text(f'"""{"x" * size}"""')
    assert list(read_docstrings(tmp_path)) == ["of41"]


def test_without_sources_a_safe_list_is_imported(tmp_path, monkeypatch):
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path / "nothing"))
    found = read_docstrings()
    assert {"heapq.merge", "textwrap.TextWrapper.wrap", "tempfile.TemporaryDirectory"} <= set(found)
    assert 500 < len(found) < 3000


def test_this_library_is_read_without_its_tests():
    found = read_docstrings()
    assert found["heapq.merge"].title == "heapq.merge(*iterables, key=None, reverse=False)"
    assert "datetime.date.fromisoformat" in found
    assert "pathlib.Path.glob" in found
    assert 4000 < len(found) < 8000
    assert not [name for name in found if ".test." in name or name.startswith(("test.", "ensurepip"))]
