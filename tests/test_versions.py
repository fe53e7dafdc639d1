"""The versions in the audit: one home, and SciPy is named where it takes part."""

import os
import subprocess
import sys
from importlib.metadata import version

import pytest

import cranfield as cf
from cranfield.versions import versions

QRELS = {f"q{n}": {"a": 1, "b": 0} for n in range(4)}
RUNS = {"new": {topic: ["a", "b"] for topic in QRELS}, "old": {topic: ["b", "a"] for topic in QRELS}}
SCORES = cf.evaluate(QRELS, RUNS, "RR")


def test_scores_name_no_package_that_took_no_part():
    assert SCORES.audit.versions.keys() == {"cranfield", "python", "numpy", "kernel"}


@pytest.mark.parametrize(
    "made",
    [
        lambda: cf.compare(SCORES),
        lambda: cf.with_intervals(SCORES),
        lambda: cf.standardize(SCORES, "phi"),
        lambda: cf.agree(QRELS, {"q0": {"a": 0, "b": 0}}, samples=10),
        lambda: cf.study.reduction(QRELS, RUNS, "RR", levels=[100], draws=2),
    ],
    ids=["compare", "intervals", "standardize", "agree", "study"],
)
def test_a_result_names_the_scipy_it_was_computed_with(made):
    found = made().audit.versions
    assert found["scipy"] == version("scipy")
    assert found["cranfield"] == cf.__version__


@pytest.mark.skipif(not hasattr(os, "fork"), reason="each result is made in a process of its own")
def test_whatever_uses_scipy_names_it():
    done = subprocess.run([sys.executable, "-m", "tests.scipy_named"], capture_output=True, text=True, check=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")


def test_what_needs_no_scipy_names_none():
    assert "scipy" not in cf.with_intervals(SCORES, "bootstrap", samples=10).audit.versions
    assert "scipy" not in cf.standardize(SCORES, "z").audit.versions


def test_naming_a_version_does_not_import_the_package():
    code = "import sys; from cranfield.versions import versions; versions('scipy'); print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_python_and_numpy_are_always_named():
    assert list(versions()) == ["cranfield", "python", "numpy"]
