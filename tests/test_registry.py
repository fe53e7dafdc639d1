"""The registry itself: modules found by folder, imported no sooner than needed, listed in a stable order."""

import sys
from itertools import count
from typing import Any

import pytest

from cranfield.registry import Registry, modules

NAMES = (f"registered_here_{number}" for number in count())
MODULE = '''"""A module that defines one thing."""
from {package} import NOTED

def define(name, words, aliases=""):
    def register(function):
        NOTED.add(name, function(), aliases.split(), home=__name__)
    return register

@define(
    "{name}", "in {name} words", aliases="{alias} other-{alias}"
)
def made(): return "{name}"
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package with a folder of definitions: `b`, `a`, and `inner/c`."""
    name = next(NAMES)
    folder = tmp_path / name
    (folder / "defined" / "inner").mkdir(parents=True)
    (folder / "__init__.py").write_text(
        f'from cranfield.registry import Registry\nNOTED = Registry("thing", "{name}.defined")\n'
    )
    (folder / "defined" / "__init__.py").touch()
    (folder / "defined" / "inner" / "__init__.py").touch()
    for place, thing in (("b", "Bee"), ("a", "Ant"), ("inner/c", "Cat")):
        text = MODULE.format(package=name, name=thing, alias=thing.lower()[:2])
        (folder / "defined" / f"{place}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    yield name
    for module in [module for module in sys.modules if module.partition(".")[0] == name]:
        del sys.modules[module]


def noted(package: str) -> "Registry[Any]":  # of texts, or of what a test writes
    found = __import__(package).NOTED
    assert isinstance(found, Registry)
    return found


def imported(package: str) -> set[str]:
    return {name.removeprefix(f"{package}.defined.") for name in sys.modules if name.startswith(f"{package}.defined.")}


def test_a_module_put_into_the_folder_is_found(package):
    assert list(noted(package)) == ["Ant", "Bee", "Cat"]
    assert len(noted(package)) == 3


@pytest.mark.parametrize(
    ("asked", "home"), [("Bee", {"b"}), ("bee", {"b"}), ("BE", {"b"}), ("other-ca", {"inner", "inner.c"})]
)
def test_only_the_module_that_declares_a_name_or_alias_is_imported(package, asked, home):
    assert noted(package).find(asked) in ("Bee", "Cat")
    assert imported(package) == home


def test_a_name_that_no_source_declares_is_looked_for_everywhere(package):
    assert noted(package).find("dog") is None
    assert imported(package) == {"a", "b", "inner", "inner.c"}


def test_the_order_of_names_does_not_depend_on_what_was_imported_first(package):
    assert noted(package)["Cat"] == "Cat"
    noted(package).add("Aardvark", "added by a caller")
    assert list(noted(package)) == ["Ant", "Bee", "Cat", "Aardvark"]


def test_what_was_registered_so_far_is_known_without_an_import(package):
    assert noted(package).loaded() == {}
    noted(package).add("Aardvark", "added by a caller")
    assert noted(package).loaded() == {"Aardvark": "added by a caller"}
    assert imported(package) == set()


def test_declarations_are_read_as_text(package):
    declared = [name for module in modules(f"{package}.defined") for name in module.declared()]
    assert declared == [("Ant", "in Ant words"), ("Bee", "in Bee words"), ("Cat", "in Cat words")]
    assert imported(package) == set()


def test_a_name_is_taken_once_and_free_again_when_removed(package):
    known = noted(package)
    assert known.aliases("Bee") == ("be", "other-be")
    with pytest.raises(ValueError, match="the thing name 'be' is taken by 'Bee'"):
        known.add("new", "new", aliases=["BE"])
    known.remove("Bee")
    known.add("new", "new", aliases=["BE"])
    assert known.find("be") == "new"


def test_only_the_modules_that_give_an_option_a_word_are_imported(package, tmp_path):
    for name, option in (("d", 'endings=(".dd", ".d")'), ("e", 'usual_endings=(".d",)')):
        text = MODULE.format(package=package, name=name, alias=f"{name}-alias").replace(
            "aliases=", f"{option}, aliases="
        )
        (tmp_path / package / "defined" / f"{name}.py").write_text(text.replace('aliases="")', 'aliases="", **_)'))
    assert noted(package).declaring("endings", ".d") == {"d": "d"}
    assert noted(package).declaring("endings", ".dd") == {"d": "d"}
    assert imported(package) == {"d"}


def test_a_word_that_is_listed_is_found_without_importing_what_lists_it(package, tmp_path):
    text = MODULE.format(package=package, name="d", alias="d-alias").replace("aliases=", 'endings=(".d",), aliases=')
    (tmp_path / package / "defined" / "d.py").write_text(text)
    known = noted(package)
    assert known.lists("endings", ".d")
    assert not known.lists("endings", ".e")
    assert not known.lists("usual_endings", ".d")
    assert imported(package) == set()
