"""What holds for every chart: palette, description, table, sizes; odd names and odd data (REP-7, A11Y-6)."""

import re
from html import escape
from inspect import signature
from typing import Any

import numpy as np
import pytest

import cranfield as cf
from cranfield.errors import PolicyError
from cranfield.reporting.figure import ENDINGS, Figure
from cranfield.reporting.style import FONT, PALETTE
from cranfield.tables.charts import CHARTS, charts_of
from docs import chart_examples

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.errors.DataWarning")
HOSTILE = '<script>alert("x")</script> & \u202e{{datum}}'
COLOURS = {light for light, _ in PALETTE.values()}
DOCUMENTS = [f"d{n}" for n in range(12)]


def collection(runs: int, topics: int, judged: int) -> tuple[dict, dict]:
    """Judgments of so many documents of each topic, and runs that differ; the first has a hostile name."""
    chance = np.random.default_rng(3)
    names = [
        HOSTILE,
        "a-run-with-a-name-that-is-much-longer-than-any-column-of-a-page-could-be",
        *map(str, range(runs)),
    ]
    qrels = {
        f"t{t}": {d: int(chance.integers(0, 3)) for d in DOCUMENTS[:judged]} or {"other": 1} for t in range(topics)
    }
    lists = {name: {f"t{t}": chance.permutation(DOCUMENTS).tolist() for t in range(topics)} for name in names[:runs]}
    return qrels, lists


SHAPES = {
    "usual": (5, 6, 8),
    "one run": (1, 6, 8),
    "one topic": (3, 1, 8),
    "no holes": (3, 6, 12),
    "nothing judged": (3, 6, 0),
    "forty runs": (40, 3, 8),
}


def figures(shape: str, **choices: Any) -> dict[str, Figure]:
    """Every chart of scores, comparisons and holes that this collection allows."""
    qrels, runs = collection(*SHAPES[shape])
    scores, holes = cf.evaluate(qrels, runs, "nDCG@5"), cf.holes(qrels, runs, "nDCG@5")
    found = {name: scores.plot(name, **choices) for name in charts_of("scores")}
    for name in charts_of("holes"):
        if name != "judging" or (len(runs) > 1 and shape != "forty runs"):
            found[name] = holes.plot(name, **choices)
    if len(runs) > 1 and shape != "one topic":
        comparison = cf.with_ranges(cf.compare(scores), holes)
        found |= {name: comparison.plot(name, **choices) for name in ("deltas", "matrix")}
        if any(not np.isnan(pair.p) for pair in comparison.pairs()):
            found["significance"] = comparison.plot("significance", **choices)
    return found


def agreement(**choices: Any) -> dict[str, Figure]:
    qrels, runs = collection(5, 6, 12)
    other = {
        topic: {d: (grade + (at % 3 == 0)) % 3 for at, (d, grade) in enumerate(g.items())} for topic, g in qrels.items()
    }
    found = cf.agree({HOSTILE: qrels, "bob": other}, runs=runs, measures="nDCG@5", samples=50)
    return {name: found.plot(name, **choices) for name in charts_of("agreement")}


@pytest.mark.parametrize("width", ["one", "two"])
@pytest.mark.parametrize("shape", [*SHAPES, "agreement"])
def test_every_chart_is_drawn_in_colours_of_the_palette_with_words_and_a_table(shape, width):
    drawn = agreement(width=width) if shape == "agreement" else figures(shape, width=width)
    for name, figure in drawn.items():
        svg = figure.to_svg()
        used = {colour.lower() for colour in re.findall(r'(?:fill|stroke)="(#[0-9A-Fa-f]{3,6}|rgb[^"]*)"', svg)}
        assert used <= COLOURS, (name, used - COLOURS)
        assert "<script" not in svg, name
        assert "\u202e" not in svg + figure.description, name
        assert figure.description, name
        assert figure.table.columns, name
        assert "NaN" not in figure.to_json(), name
        assert "title" not in figure.spec, name
        assert (figure.width, svg.count("<desc>")) == ({"one": 8.5, "two": 17.5}[width], 1)


def test_the_hostile_name_is_drawn_as_text():
    svg = figures("usual")["leaderboard"].to_svg()
    assert "&lt;scr" in svg


def test_v10_the_counts_are_those_of_the_confusion_and_slopes_the_means():
    ann = {"1": {"a": 0, "b": 1, "c": 1}, "2": {"a": 1, "b": 0}}
    bob = {"1": {"a": 0, "b": 0, "c": 1}, "2": {"a": 1, "b": 1}}
    runs = {"x": {"1": ["a", "b", "c"], "2": ["a", "b"]}, "y": {"1": ["c", "b", "a"], "2": ["b", "a"]}}
    found = cf.agree({"ann": ann, "bob": bob}, runs=runs, measures="P@1", samples=20)
    rows = found.plot("confusion").table.records()
    assert [[row["0"], row["1"]] for row in rows] == [[1, 1], [1, 2]]  # counted by hand: ann in the rows
    assert "the same on 3" in found.plot().description
    assert [(row["run"], row["ann"], row["bob"]) for row in found.plot("systems").table.records()] == [
        ("x", 0.5, 0.5),  # a: 0 and 1 by ann, 0 and 1 by bob
        ("y", 0.5, 1.0),  # c and b: 1 and 0 by ann, 1 and 1 by bob
    ]
    values = {row["coefficient"]: row["value"] for row in found.plot("coefficients").table.records()}
    assert values["raw agreement"] == pytest.approx(3 / 5)
    with pytest.raises(PolicyError, match="no systems were evaluated"):
        cf.agree({"ann": ann, "bob": bob}, samples=20).plot("systems")


def test_v8_the_cells_are_the_lists_and_their_grades():
    qrels = {"1": {"a": 2, "b": 0}}
    runs = {"old": {"1": ["a", "b", "x"]}, "new": {"1": ["x", "a", "b"]}}
    figure = cf.holes(qrels, runs, "P@3").plot("microscope", topic="1", runs=["old", "new"])
    assert [(r["run"], r["rank"], r["document"], r["grade"]) for r in figure.table.records()] == [
        ("old", 1, "a", 2),
        ("old", 2, "b", 0),
        ("old", 3, "x", None),
        ("new", 1, "x", None),
        ("new", 2, "a", 2),
        ("new", 3, "b", 0),
    ]
    assert "Unjudged document at rank 1 in new; x moved 3 → 1 from old to new." in figure.description
    assert len(cf.holes(qrels, runs, "P@3").plot("microscope", depth=2).table.records()) == 4


def test_v6_judging_everything_leaves_no_width_and_nothing_judged_all_of_it():
    qrels = {"1": {"a": 1}, "2": {"a": 1}}
    runs = {"old": {"1": ["a", "x"], "2": ["y", "a"]}, "new": {"1": ["x", "z"], "2": ["a", "u"]}}
    holes = cf.holes(qrels, runs, "P@2")
    rows = holes.plot("judging", n=50, strategies=["swing", "depth"]).table.records()
    verdict = holes.verdict("old", "new")
    for strategy in ("swing", "depth"):
        widths = [row["mean width"] for row in rows if row["strategy"] == strategy]
        assert widths[0] == pytest.approx(verdict.high - verdict.low)
        assert (np.diff(np.array(widths, float)) <= 0).all()
        assert widths[-1] == pytest.approx(0)
        assert len(widths) == 1 + 4  # x, y, z and u


def test_every_result_with_charts_refuses_an_unknown_one_with_the_known_ones():
    qrels, runs = collection(3, 4, 12)
    results: dict[str, Any] = {"scores": cf.evaluate(qrels, runs, "AP"), "holes": cf.holes(qrels, runs, "AP")}
    results |= {"comparison": cf.compare(qrels, runs, "AP"), "agreement": cf.agree({"a": qrels, "b": qrels}, samples=9)}
    for kind, result in results.items():
        with pytest.raises(PolicyError, match='kind="cake"') as refused:
            result.plot("cake")
        assert set(charts_of(kind)) == set(str(refused.value.hint).removeprefix("one of ").split(", "))
        assert isinstance(result.plot(), Figure)
    assert {"scores", "holes", "comparison", "agreement"} <= {chart.result for chart in CHARTS.values()}


# --- every chart of the registry, in every form -----------------------------------------------------------------------

DRAWN = chart_examples.figures()


def test_every_chart_of_the_registry_has_an_example():
    assert set(DRAWN) == set(CHARTS)


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_is_saved_in_every_form(name, tmp_path):
    begin = {".png": b"\x89PNG", ".svg": b"<svg", ".pdf": b"%PDF", ".html": b"<!doctype html>", ".json": b"{"}
    assert set(begin) == set(ENDINGS)
    for ending, first in begin.items():
        path = tmp_path / f"x{ending}"
        DRAWN[name].save(path, ppi=72)
        assert path.read_bytes().lower().startswith(first.lower()), ending
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "<table" in page  # the numbers
    assert escape(DRAWN[name].description) in page


@pytest.mark.parametrize("name", CHARTS)
def test_every_chart_names_its_fonts_and_has_words_and_numbers(name):
    figure, bundle = DRAWN[name], DRAWN[name]._repr_mimebundle_()
    svg = figure.to_svg()
    assert set(re.findall(r'font-family="([^"]*)"', svg)) == {FONT}
    assert figure.spec["config"]["font"] == FONT
    assert "title" not in figure.spec
    assert (svg.count("<title>"), svg.count("<desc>")) == (1, 1)
    assert len(figure.description) > 40
    assert figure.table.records()
    assert {"image/svg+xml", "text/plain", "application/vnd.vegalite.v6+json"} == set(bundle)


@pytest.mark.parametrize("name", CHARTS)
def test_the_picture_in_the_reference_is_of_this_chart_and_small(name):
    path = chart_examples.FOLDER / f"{name}.svg"
    assert 1_000 < path.stat().st_size < 200_000
    assert chart_examples.described(name) == DRAWN[name].description, "run: python docs/generate.py"


def test_every_chart_takes_both_widths_and_a_title():
    for name, chart in CHARTS.items():
        taken = signature(chart.draw).parameters
        assert {"width", "title"} <= set(taken), name


@pytest.mark.parametrize("level", ["nominal", "ordinal"])
def test_the_words_of_the_confusion_of_two_assessors_name_the_alpha_that_is_printed(level):
    first = {"q": {"a": 1, "b": 0, "c": 2, "d": 0}}
    agreement = cf.agree(first, {"q": {"a": 1, "b": 1, "c": 2, "d": 0}}, level=level, samples=10)
    assert f"α ({level}) {agreement[f'alpha-{level}'].value:.3f}" in agreement.plot("confusion").description
