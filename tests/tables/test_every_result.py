"""Every result in all its forms, with a name that is hostile to each of them (API-3, API-4)."""

import csv
import inspect
import io
import json
import sys
import tempfile
import warnings
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

import cranfield as cf
from cranfield.tables.result import Result

HOSTILE = "<script>alert(1)</script>&50%_$|x"
TOPICS = [f"q{n}" for n in range(6)]
QRELS = {topic: {"a": 2, "b": 0, "c": 1} for topic in TOPICS}
OTHER = {topic: {"a": 1 + n % 2, "b": 0, "c": n % 2} for n, topic in enumerate(TOPICS)}
RUNS = {
    HOSTILE: {topic: ["a", "b", "x", "c"] for topic in TOPICS},
    "old": {topic: ["y", "c", "a", "b"] if n % 2 else ["b", "a"] for n, topic in enumerate(TOPICS)},
}


@cache
def results() -> dict[str, Result]:
    """A result of every class, by its name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        scores, holes = cf.evaluate(QRELS, RUNS, ["nDCG@3", "P@2"]), cf.holes(QRELS, RUNS, "nDCG@3")
        comparison = cf.compare(cf.evaluate(QRELS, RUNS, "P@2"), baseline="old")
        first = cf.compare(cf.evaluate(QRELS, RUNS, "nDCG@3"))
        groups = {"short": TOPICS[:3], HOSTILE: TOPICS[3:]}
        listed = [f"d{n}" for n in range(40)]
        sample = cf.pool({HOSTILE: {"1": listed}}, depth=40, strategy="sample", rate=0.5)
        frame = sample.frame(cf.Qrels.of(["1"] * 40, listed, [n % 2 for n in range(40)]))
        model = {f"q{n}": {"a": 1, "b": n % 2} for n in range(12)}
        people = {f"q{n}": {"a": int(n != 4), "b": n % 2} for n in range(6)}
        ranked = {HOSTILE: {topic: ["a", "b"] for topic in model}, "old": {topic: ["b", "a"] for topic in model}}
        with tempfile.TemporaryDirectory() as folder:
            lab = cf.Lab.create(
                f"{folder}/lab.db", cf.pool(RUNS, depth=2), dict.fromkeys(TOPICS, HOSTILE), grades=range(3)
            )
            judgments = lab.judgments()
        found: list[Result] = [
            scores,
            comparison,
            cf.with_ranges(first, holes),
            cf.curve(QRELS, RUNS, "ndcg@3", band="bounds"),
            holes,
            holes.estimate(draws=50, seed=0),
            holes.estimate(draws=50, seed=0).prior,
            holes.next(3),
            cf.decide(QRELS, RUNS[HOSTILE], RUNS["old"], "P@2", ask=lambda topic, document: 0),
            cf.pool(RUNS, depth=2, qrels=QRELS),
            cf.rank_without_judgments(RUNS, method="common", depth=3, qrels=QRELS),
            cf.agree({HOSTILE: QRELS, "bob": OTHER}, runs=RUNS, measures="nDCG@3", samples=20),
            cf.by_group(scores, groups),
            cf.by_group(scores, groups).compare("old"),
            cf.reproduce(QRELS, RUNS[HOSTILE], RUNS["old"], "nDCG@3"),
            cf.sampling_errors(frame, {HOSTILE: {"1": listed}}, "statAP"),
            cf.prediction_powered(people, model, ranked, "P@2"),
            cf.study.reduction(QRELS, RUNS, ["AP"], levels=[100, 50], draws=5, seed=1),
            judgments,
        ]
    return {type(each).__name__: each for each in found}


def classes() -> set[str]:
    """The names of all classes of results that can be made."""
    for package in ("missing", "pooling", "stats", "study", "judging", "measures"):
        for module in walk_packages(import_module(f"cranfield.{package}").__path__, f"cranfield.{package}."):
            if module.name not in sys.modules and "result" in module.name:
                import_module(module.name)
    waiting, found = [Result], set()
    while waiting:
        for each in waiting.pop().__subclasses__():
            waiting.append(each)
            if each.__module__.startswith("cranfield.") and not inspect.isabstract(each):
                found.add(each.__name__)
    return found


NAMES = sorted(results())


def test_every_class_of_results_has_an_example():
    assert classes() <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_shows_every_result_escaped(name):
    found = results()[name]
    page = found._repr_html_()
    assert "<table" in page
    assert "<script" not in page
    assert repr(found).strip()
    latex = found._repr_latex_()
    assert "\\begin{tabular}" in latex
    assert "50%_$" not in latex.replace("\\%", "%%").replace("\\_", "__").replace("\\$", "$$")
    assert "<script" not in found.to_html()


@pytest.mark.parametrize("name", NAMES)
def test_every_result_has_all_forms(name):
    found = results()[name]
    whole = found.to_dict()
    assert json.loads(found.to_json()) == json.loads(json.dumps(whole))
    assert {"schema", "command", "audit", "result"} <= set(whole)
    head, *rows = csv.reader(io.StringIO(found.to_csv()))
    frame = found.to_polars()
    assert 0 < len(frame) == len(found.to_pandas()) or name == "LabJudgments"  # in which nothing was judged yet
    assert all(len(row) == len(head) for row in rows)
    assert found.to_markdown().count("|") > 2
    assert "<script>" not in found.to_markdown().replace("`<script>", "")
    assert "\\toprule" in found.to_latex()


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(results()[name], "plot")])
def test_every_chart_of_a_result_is_shown_in_a_notebook(name):
    drawable: Any = results()[name]  # of several classes
    bundle = drawable.plot()._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert "<script" not in bundle["image/svg+xml"]
    assert bundle["text/plain"].startswith("<Figure")
