"""How the kernel is compiled when the package is installed, and when its failure stops the installation."""

import runpy
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SETUP = Path(__file__).parents[2] / "setup.py"


def extensions(monkeypatch: pytest.MonkeyPatch, choice: str, cython: bool = True) -> list[Any]:
    """What setup.py hands over to setuptools, with or without Cython."""
    build = ModuleType("Cython.Build")
    vars(build)["cythonize"] = lambda found, **_: found
    monkeypatch.setenv("CRANFIELD_KERNEL", choice)
    monkeypatch.setitem(sys.modules, "Cython", ModuleType("Cython") if cython else None)  # None hides it
    monkeypatch.setitem(sys.modules, "Cython.Build", build if cython else None)  # None hides it
    monkeypatch.chdir(SETUP.parent)
    given: dict[str, Any] = {}
    setuptools = pytest.importorskip("setuptools")
    monkeypatch.setattr(setuptools, "setup", lambda **options: given.update(options))
    runpy.run_path(str(SETUP))
    return list(given["ext_modules"])


@pytest.mark.parametrize(("choice", "optional"), [("", True), ("required", False)])
def test_a_failed_compilation_stops_the_installation_where_the_kernel_is_required(monkeypatch, choice, optional):
    made = extensions(monkeypatch, choice)
    assert [extension.name for extension in made] == ["cranfield.kernel._steps", "cranfield.kernel._dicts"]
    assert {extension.optional for extension in made} == {optional}


@pytest.mark.skipif(sys.platform == "win32", reason="that compiler has other options")
def test_the_kernel_is_compiled_without_symbols(monkeypatch):
    assert all("-g0" in extension.extra_compile_args for extension in extensions(monkeypatch, ""))


def test_without_cython_there_is_no_kernel_unless_it_is_required(monkeypatch):
    assert extensions(monkeypatch, "", cython=False) == []
    with pytest.raises(ImportError):
        extensions(monkeypatch, "required", cython=False)


def test_nothing_is_compiled_for_the_pure_path(monkeypatch):
    assert extensions(monkeypatch, "pure") == []
