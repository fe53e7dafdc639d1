"""Charts: every kind in every form, told apart without colour, readable without eyes, and made without a network."""

import json
import re
import struct
import warnings
from xml.etree import ElementTree

import numpy as np
import pytest

import cranfield as cf
from cranfield.reporting.charts.studies import study_chart
from cranfield.reporting.lines import isocurves, thinned
from cranfield.reporting.style import DASHES, MOST, OKABE_ITO, QUIET, SHAPES, looks
from cranfield.study.engine.findings import Curve, Drawing
from cranfield.tables.curves.kind import CURVES

SVG = "{http://www.w3.org/2000/svg}"


def collection(runs: int = 2):
    rng = np.random.default_rng(7)
    documents = [f"d{n}" for n in range(20)]
    qrels = {topic: {document: int(rng.integers(0, 3)) for document in documents} for topic in ("q1", "q2", "q3")}
    names = ["bm25", "dense", *(f"run{n}" for n in range(2, runs))][:runs]
    return qrels, {name: {topic: rng.permutation(documents).tolist() for topic in qrels} for name in names}


def drawn(data, kind, **choices):
    qrels, runs = data
    return cf.curve(qrels, runs, kind, **choices)


@pytest.fixture(scope="module")
def small():
    return collection()


def text_of(svg: str) -> str:
    return " ".join(element.text or "" for element in ElementTree.fromstring(svg).iter(f"{SVG}text"))


@pytest.mark.parametrize("kind", list(CURVES))
def test_every_kind_is_drawn_with_its_labels_and_a_description(small, kind):
    figure = drawn(small, kind, models="INST" if kind == "cwl" else ()).plot()
    svg = figure.to_svg()
    shown = text_of(svg)
    assert "bm25" in shown
    assert "dense" in shown
    root = ElementTree.fromstring(svg)
    assert root.get("width") == "8.5cm"
    assert root.get("role") == "img"
    assert [root[0].tag, root[1].tag] == [f"{SVG}title", f"{SVG}desc"]
    assert root[1].text == figure.description
    assert "over 3 topics, for 2 runs" in figure.description


def test_the_gain_chart_shows_the_ideal_and_where_it_turns_flat(small):
    curves = drawn(small, "cg@30")
    shown = text_of(cf.chart(curves).to_svg())
    assert "ideal" in shown
    assert f"ideal flat from rank {curves.flat}" in shown
    assert "ideal" not in text_of(drawn(small, "ndcg@30").plot().to_svg())


def test_the_scatter_shows_contours_of_equal_f(small):
    shown = text_of(drawn(small, "f@5").plot().to_svg()).split()
    assert {f"0.{tenth}" for tenth in range(1, 10)} <= set(shown)
    for f, recall, precision in isocurves(2):
        np.testing.assert_allclose(5 * precision * recall / (4 * precision + recall), f, rtol=1e-9)
        assert precision.max() <= 1


@pytest.mark.parametrize("kind", ["pr", "cwl", "f", "pr(rel=1) pr(rel=2)"])
@pytest.mark.parametrize(("width", "centimetres"), [("one", 8.5), ("two", 17.5), (12, 12)])
def test_a_chart_has_the_width_that_was_asked_for(small, kind, width, centimetres, tmp_path):
    figure = drawn(small, kind).plot(width=width)
    assert f'width="{centimetres:g}cm"' in figure.to_svg()[:400]
    box = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", figure.to_pdf())
    assert box is not None
    assert float(box[1]) == pytest.approx(centimetres * 72 / 2.54, abs=1)
    figure.save(tmp_path / "x.png", ppi=100)
    with pytest.raises(cf.PolicyError, match="E240: ppi=1000000 must be at most 2400"):
        figure.to_png(1_000_000)
    wide, high = struct.unpack(">II", (tmp_path / "x.png").read_bytes()[16:24])
    assert wide == pytest.approx(centimetres * 100 / 2.54, abs=2)
    assert 0.3 < high / wide < 2.2


def test_a_chart_is_saved_in_five_forms(small, tmp_path):
    figure = drawn(small, "11pt").plot(title="Two systems & <more>")
    for ending, start in (
        ("png", b"\x89PNG"),
        ("svg", b"<svg"),
        ("pdf", b"%PDF"),
        ("html", b"<!doctype"),
        ("json", b"{"),
    ):
        figure.save(tmp_path / f"x.{ending}")
        assert (tmp_path / f"x.{ending}").read_bytes().startswith(start)
    spec = json.loads((tmp_path / "x.json").read_text())
    assert "vega-lite" in spec["$schema"]
    assert spec["description"] == figure.description
    with pytest.raises(cf.PolicyError, match=r"a chart cannot be written as '\.bmp'"):
        figure.save(tmp_path / "x.bmp")
    with pytest.raises(cf.InputError, match="E120"):
        figure.save(tmp_path / "nowhere" / "x.svg")


def test_a_page_needs_no_network_and_holds_the_numbers(small):
    page = drawn(small, "ndcg@10").plot().to_html()
    links = set(re.findall(r'(?:src|href|url)\s*=?\s*[("\']?(https?://[^"\') ]+)', page))
    assert links <= {"http://www.w3.org/1999/xlink", "http://www.w3.org/2000/svg"}
    assert "<script" not in page
    assert "<svg" in page
    assert "<table" in page
    assert "bm25" in page


def test_equal_inputs_give_equal_bytes(small):
    one, other = (drawn(small, "cwl", models="INST").plot() for _ in range(2))
    assert one.to_json() == other.to_json()
    assert one.to_svg() == other.to_svg()


def test_no_two_lines_look_alike_without_colour():
    found = looks([f"run{n}" for n in range(MOST)])
    assert len({tuple(look.dash) for look in found}) == len({look.shape for look in found}) == MOST
    assert len(OKABE_ITO) == len(DASHES) == len(SHAPES) == MOST


def test_of_many_runs_the_best_are_drawn_in_colour_and_all_others_as_one():
    curves = drawn(collection(12), "ndcg@10")
    shown = text_of(curves.plot().to_svg())
    level = curves.means["mean_of_norm"][0].mean(axis=-1)
    best = {curves.runs[at] for at in np.argsort(-level)[:MOST]}
    assert {run for run in curves.runs if re.search(rf"\b{run}\b", shown)} == best
    assert "5 others" in shown
    chosen = text_of(curves.plot(highlight=["run11"]).to_svg())
    assert "run11" in chosen
    assert "11 others" in chosen


def test_what_cannot_be_highlighted_is_refused():
    curves = drawn(collection(12), "ndcg@10")
    with pytest.raises(cf.PolicyError, match="there is no run 'nobody'"):
        cf.chart(curves, highlight=["nobody"])
    with pytest.raises(cf.PolicyError, match="8 runs cannot be told apart"):
        cf.chart(curves, highlight=curves.runs[:8])
    with pytest.raises(cf.PolicyError, match='width="three" is unknown'):
        cf.chart(curves, width="three")  # type: ignore[arg-type]  # a wrong type, on purpose
    for width in (0.0, 101, float("nan")):
        with pytest.raises(cf.PolicyError, match=f"E240: width={width} is out of range"):
            cf.chart(curves, width=width)


def test_a_name_is_shown_as_it_is_and_runs_nothing(small):
    qrels, runs = small
    name = "<script>alert('1')</script> & \x1b[31m"
    figure = cf.curve(qrels, {name: runs["bm25"]}, "pr").plot(title="</title><b>")
    page = figure.to_html()
    assert "<script" not in page
    assert "<b>" not in page
    assert "alert" in text_of(figure.to_svg())


def test_one_topic_is_drawn_in_steps_and_bands_are_areas(small):
    curves = drawn(small, "pr")
    assert "step-before" in curves.only("q1").plot().to_json()
    assert "step-before" not in curves.plot().to_json()
    assert 'class="mark-area' in drawn(small, "ndcg", band="quartiles").plot().to_svg()
    assert 'class="mark-area' not in drawn(small, "ndcg").plot().to_svg()


def test_a_model_that_does_not_look_at_gains_is_one_line_for_all_runs(small):
    shown = text_of(drawn(small, "cwl", models="RBP P@5").plot().to_svg())
    assert "RBP" in shown
    assert "bm25" not in shown
    both = text_of(drawn(small, "cwl", models="RBP INST").plot().to_svg())
    assert "INST, bm25" in both


def test_one_line_more_than_can_be_told_apart_is_named():
    one = text_of(study_figure(MOST + 1))
    assert f"line{MOST}" in one
    assert "other" not in one
    assert "2 others" in text_of(study_figure(MOST + 2))
    curves = drawn(collection(MOST + 1), "ndcg@10")
    runs = text_of(curves.plot().to_svg())
    assert all(run in runs for run in curves.runs)
    assert "other" not in runs
    models = text_of(drawn(collection(MOST + 1), "cwl", models="INST").plot().to_svg())
    assert "other" not in models
    assert f"run{MOST}" in models


def test_the_only_run_that_is_not_highlighted_is_named():
    curves = drawn(collection(3), "ndcg@10")
    shown = text_of(curves.plot(highlight=["bm25", "run2"]).to_svg())
    assert "dense" in shown
    assert "other" not in shown


def test_curves_and_studies_count_the_others_in_the_same_words():
    of_runs = text_of(drawn(collection(MOST + 2), "ndcg@10").plot().to_svg())
    assert "2 others" in of_runs
    assert "2 others" in text_of(study_figure(MOST + 2))


def study_figure(count: int, ideal: bool = False) -> str:
    """The chart of a study with so many lines."""
    x = np.arange(3.0)
    names = ["ideal"] * ideal + [f"line{n}" for n in range(count)]
    curves = tuple(Curve(name, x, x + at, ideal=name == "ideal") for at, name in enumerate(names))
    result = cf.study.topheavy(relevant=[2], ranks=3)
    return study_chart(result, Drawing("title", "x", "y", curves)).to_svg()


def test_the_ideal_of_a_study_has_its_own_look_and_takes_no_colour_from_a_run():
    alone, beside = study_figure(MOST), study_figure(MOST, ideal=True)
    assert "ideal" in text_of(beside)
    assert "other" not in text_of(beside)  # all runs keep their colours
    assert QUIET in beside
    strokes = [set(re.findall(r'stroke="(#[0-9A-Fa-f]{6})"', svg)) for svg in (alone, beside)]
    assert {color for color in strokes[0] if color in OKABE_ITO} == {c for c in strokes[1] if c in OKABE_ITO}
    ideal = looks(["a run"], ideal=True)[-1]
    assert (ideal.color in OKABE_ITO, ideal.dash in DASHES, ideal.shape in SHAPES) == (False, False, False)


def test_ranks_may_stand_on_a_logarithmic_axis(small):
    assert '"type": "log"' in drawn(small, "cg").plot(log=True).to_json()


def test_a_curve_without_any_value_is_an_empty_chart():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", cf.DataWarning)
        curves = cf.curve({"q1": {"a": 0}}, {"q1": ["a"]}, "ndcg", no_relevant="exclude")
        assert np.isnan(curves["run"]).all()
        assert "<svg" in curves.plot().to_svg()
        assert "<svg" in cf.curve({"q1": {"a": 0}}, {"q1": ["a"]}, "f", no_relevant="exclude").plot().to_svg()


def test_a_notebook_gets_a_picture_and_a_specification(small):
    bundle = drawn(small, "11pt").plot()._repr_mimebundle_()
    assert {"image/svg+xml", "text/plain"} < set(bundle)
    assert any("vegalite" in name for name in bundle)


def test_a_long_line_keeps_its_ends():
    places = thinned(5000)
    assert (places[0], places[-1], len(set(places.tolist()))) == (0, 4999, 400)
