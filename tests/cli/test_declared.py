"""Names on help pages are read from the source; they are those that the imported modules know, in the same order."""

import sys
from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace

import pytest

from cranfield.cli.declared import DeclaredNames
from cranfield.cli.verbs.judge import subverbs
from cranfield.registry import Registry
from cranfield.study.data.selection import RULES
from cranfield.tables.charts import CHARTS
from tests.cli.test_group import WRITTEN, command_of

PAGES = [*(verb for verb in WRITTEN if verb != "study"), *(f"judge {name}" for name in subverbs())]


def sources() -> Iterator[DeclaredNames]:
    """The lists of names behind the options of all verbs."""
    for page in PAGES:
        for param in command_of(page)[0].params:
            found = [*getattr(param.type, "sources", ()), getattr(param.type, "source", None)]
            yield from (source for source in found if isinstance(source, DeclaredNames))


@pytest.mark.parametrize("declared", sorted(set(sources()), key=str), ids=lambda declared: declared.name)
def test_the_source_declares_the_names_that_are_registered_in_their_order(declared):
    known = {name: item for name, item in replace(declared, where=())().items() if declared._means(item)}
    places = {name: getattr(item, declared.order) if declared.order else 0 for name, item in known.items()}
    assert declared.in_source() == places
    assert declared.names() == sorted(places, key=places.__getitem__)
    assert list(declared.in_source()) == list(known)


def test_verbs_read_the_names_of_many_registries_so():
    assert {"TESTS", "CORRECTIONS", "STRATEGIES", "NEXT", "SECTIONS", "WRITERS"} <= {each.name for each in sources()}


MODULE = """
from {package} import NOTED, add

@add("Bee", "kind='small'", number=2, kind="big")
def bee(): return '@add("Wasp")'

NOTED.add("Ant", add, number=1, kind="small")

    # @add("Comment")
@other("Cat", number=3)
@package.add(
    "Dog",
    number=4,
    kind="big",
)
def dog(): return dict(kind="small")
"""
HOME = """
NOTED: "Registry[object]" = Registry("thing", "cranfield_things.defined")

def before(): pass

def add(name, *, number):
    def register(function):
        NOTED.add(name, function)
    return register
"""


@pytest.fixture
def things(tmp_path, monkeypatch) -> str:
    """A package whose modules cannot be imported."""
    folder = tmp_path / "cranfield_things"
    (folder / "defined").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "home.py").write_text(HOME)
    (folder / "defined" / "__init__.py").write_text("")
    (folder / "defined" / "one.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "cranfield_things.home"


def test_definitions_are_found_by_the_decorator_of_the_registry_and_by_its_add(things):
    assert DeclaredNames(things, "NOTED").names() == ["Bee", "Ant", "Dog"]
    assert DeclaredNames(things, "NOTED", order="number").names() == ["Ant", "Bee", "Dog"]


def test_what_is_registered_later_follows_what_the_source_declares(things, monkeypatch):
    registry = Registry[object]("thing")
    registry.add("Eel", SimpleNamespace(number=3))
    registry.add("Bee", SimpleNamespace(number=2))
    monkeypatch.setitem(sys.modules, things, SimpleNamespace(NOTED=registry))
    assert DeclaredNames(things, "NOTED").names() == ["Bee", "Ant", "Dog", "Eel"]
    assert DeclaredNames(things, "NOTED", order="number").names() == ["Ant", "Bee", "Eel", "Dog"]


def test_only_the_definitions_that_give_an_option_one_of_some_words_are_meant(things, monkeypatch):
    def named(*words: str) -> list[str]:
        return DeclaredNames(things, "NOTED", where=("kind", *words)).names()

    assert (named("big"), named("small"), named("big", "small")) == (["Bee", "Dog"], ["Ant"], ["Bee", "Ant", "Dog"])
    registry = Registry[object]("thing")
    registry.add("Eel", SimpleNamespace(kind="small"))
    registry.add("Bee", SimpleNamespace(kind="big"))
    monkeypatch.setitem(sys.modules, things, SimpleNamespace(NOTED=registry))
    assert (named("big"), named("small"), named("huge")) == (["Bee", "Dog"], ["Ant", "Eel"], [])
    assert dict(DeclaredNames(things, "NOTED", where=("kind", "small"))()) == {"Ant": None, "Eel": None}


def test_without_a_source_the_module_is_imported(monkeypatch):
    monkeypatch.setattr("cranfield.registry.FoundModule.text", lambda module: "")
    assert DeclaredNames("cranfield.study.data.selection", "RULES").names() == list(RULES)
    assert DeclaredNames("cranfield.tables.charts", "CHARTS").names() == list(CHARTS)
    assert DeclaredNames("cranfield.stats.comparison.method", "ComparisonFamily").names() == ["measure", "all"]
