"""The page: one file that loads nothing, says the same twice, and escapes every name (REP-1 to REP-4, EXP-4, EXP-7)."""

import base64
import hashlib
import json
import re

import numpy as np
import pytest

import cranfield as cf
from cranfield.reporting.page import scripts
from cranfield.reporting.page.blocks import FigureBlock, Paragraph, TableBlock
from cranfield.reporting.page.colours import on_dark, six_digits
from cranfield.reporting.page.section import SECTIONS, section_names
from tests.judging.hostile import STRINGS
from tests.reporting.page.material import made, reported

pytestmark = pytest.mark.filterwarnings("ignore::cranfield.DataWarning")


@pytest.fixture(scope="module")
def report() -> cf.Report:
    return made()


@pytest.fixture(scope="module")
def html(report) -> str:
    return report.to_html()


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def policy_of(html: str) -> dict[str, str]:
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)
    assert found is not None
    return dict(part.strip().split(" ", 1) for part in found[1].split(";"))


def test_the_policy_allows_the_scripts_and_the_style_of_the_page_and_nothing_else(html):
    """REP-1."""
    policy = policy_of(html)
    run = [text for kind, text in re.findall(r"<script([^>]*)>(.*?)</script>", html, re.DOTALL) if "json" not in kind]
    assert len(run) == 2
    assert policy["script-src"].split() == [hashed(text) for text in run]
    style = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    assert policy["style-src"] == hashed(style[0])
    assert (len(style), policy["default-src"], policy["img-src"]) == (1, "'none'", "data:")
    assert "unsafe" not in "".join(policy.values())


def test_nothing_is_loaded_and_no_element_has_a_style_or_a_handler_of_its_own(html):
    """REP-1."""
    body = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", html, flags=re.DOTALL)
    assert not re.search(r"<(link|img|iframe|object|embed|base)\b", body)
    assert not re.search(r"""<[^>]*\s(style|on[a-z]+|src|srcset)\s*=""", body)
    assert {link for link in re.findall(r'href="([^"]*)"', body) if not link.startswith("#")} == set()


def test_the_same_material_gives_the_same_bytes(html):
    """REP-3."""
    assert made().to_html() == html


def test_the_time_is_said_only_if_it_is_asked_for(html):
    """REP-3."""
    assert "2031-05-06" in made(stamp="2031-05-06 07:08 UTC").to_html()
    assert not re.search(r"\b20\d\d-\d\d-\d\d\b", html)


def test_every_figure_is_a_picture_with_title_description_caption_and_numbers(report, html):
    """REP-2: before any script runs."""
    figures = re.findall(r"<figure.*?</figure>", html, re.DOTALL)
    assert len(figures) >= 4
    for figure in figures:
        assert re.search(r'<svg [^>]*role="img"[^>]*><title[^>]*>[^<]+</title><desc[^>]*>[^<]+</desc>', figure)
        assert re.search(r"<figcaption><b>Figure \d+\.</b> [^<]+</figcaption>", figure)
        assert "<table><thead>" in figure
    assert len(re.findall(r'<script type="application/json" id="chart-\d+"', html)) == len(figures)


def test_colours_of_pictures_are_variables_with_a_value_for_light_and_dark(html):
    """REP-7."""
    pictures = "".join(re.findall(r"<svg.*?</svg>", html, re.DOTALL))
    used = set(re.findall(r'(?:fill|stroke)="([^"]*)"', pictures))
    assert {paint for paint in used if six_digits(paint)} == set()
    names = {paint[4:-1] for paint in used if paint.startswith("var(")}
    style = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)[0]
    assert names
    assert all(len(re.findall(rf"{name}:#", style)) == 2 for name in names)


def luminance(colour: str) -> float:
    share = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_letters_are_as_legible_on_a_dark_ground():
    """REP-7: 4.5 to 1."""
    assert contrast(on_dark("#000000"), on_dark("#ffffff")) >= 4.5
    assert contrast(on_dark("#1d1f21"), on_dark("#ffffff")) >= 4.5


def test_names_from_outside_are_text_everywhere():
    """EXP-4: names of runs, topics and documents that are markup."""
    names = [text for text in STRINGS if text.strip()]
    topics = names[:8]
    qrels = {topic: {names[8]: 1, names[9]: 0, "plain": 2} for topic in topics}
    runs = {
        names[10]: {topic: [names[8], names[9], names[11]] for topic in topics},
        names[12]: {topic: [names[9], names[13], "plain"] for topic in topics},
        names[0]: {topic: ["plain", names[14], names[8]] for topic in topics},
    }
    html = reported(qrels, runs, measures="nDCG@10", title=names[3]).to_html()
    body = re.sub(r"<(script|style)[^>]*>.*?</\1>", "", html, flags=re.DOTALL)
    assert not re.search(
        r"<(script|img|iframe|object|form|base|meta http-equiv=refresh|style)\b", body.split("<body>")[1]
    )
    assert re.findall(r"<[^>]*\son[a-z]+=", body) == []
    for block in re.findall(r'<script type="application/json"[^>]*>(.*?)</script>', html, re.DOTALL):
        assert not set("<>&\u2028\u2029") & set(block)
        json.loads(block)


def test_documents_are_named_and_not_printed_unless_that_is_asked_for():
    """REP-4."""
    qrels = {f"q{n}": {"a": 1} for n in range(4)}
    runs = {"one": {topic: ["a", "b"] for topic in qrels}, "two": {topic: ["b", "a"] for topic in qrels}}
    from cranfield.tables.side.documents import Document, Documents

    documents = Documents.of([Document("a", "A secret text.", "An open title"), Document("b", "Another secret.")])
    plain = reported(qrels, runs, documents=documents).to_html()
    assert "An open title" in plain
    assert "secret" not in plain
    assert "A secret text." in reported(qrels, runs, documents=documents, with_text=True).to_html()
    with pytest.raises(cf.PolicyError, match="no documents"):
        reported(qrels, runs, with_text=True)


def test_sections_come_in_the_order_of_the_report_and_only_those_that_were_named(report):
    every = [section.name for section in report.sections]
    assert every == [name for name in section_names() if name in every]
    assert {"data", "scores", "comparison", "topics", "missing", "microscope", "methods", "reproduction"} <= set(every)
    assert [section.name for section in made(sections=["missing", "scores"]).sections] == ["scores", "missing"]


def test_methods_tell_a_measure_on_condensed_lists_from_the_same_on_whole_lists():
    (methods,) = made(measures=["nDCG@5", "nDCG'@5"], sections=["methods"]).sections
    whole, condensed = (block.text for block in methods.blocks[:2] if isinstance(block, Paragraph))
    assert whole.startswith("nDCG@5: Normalised discounted cumulated gain")
    assert ("condensed lists" in whole, "condensed lists" in condensed) == (False, True)
    assert all(text.endswith(" The first 5 ranks count. Parameters: dcg='log2'.") for text in (whole, condensed))


def test_a_section_without_material_is_refused_if_it_was_named(report):
    assert "agreement" not in [section.name for section in report.sections]
    with pytest.raises(cf.PolicyError, match="nothing for the section 'agreement'") as refused:
        made(sections=["agreement"]).to_html()
    assert "lab" in str(refused.value.hint)
    with pytest.raises(cf.UnknownNameError, match="'score'") as refused:
        made(sections=["score"])
    assert "scores" in str(refused.value.hint)


def test_a_registered_section_is_written_without_another_edit():
    from cranfield.reporting.page.blocks import Paragraph
    from cranfield.reporting.page.section import section

    section("own", "My own section", number=15)(lambda material: [Paragraph("Words of my own.")])
    try:
        assert "Words of my own." in made(sections=["own"]).to_html()
    finally:
        SECTIONS.remove("own")


def test_scores_alone_make_a_report():
    scores = cf.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"bm25": {"q1": ["a"], "q2": ["a", "b"]}}, "RR")
    assert "<h2" in cf.report(scores).to_html()


def test_holes_and_comparisons_of_other_scores_are_refused():
    qrels, runs = (
        {"q1": {"a": 1}, "q2": {"b": 1}},
        {"one": {"q1": ["a"], "q2": ["b"]}, "two": {"q1": ["b"], "q2": ["a"]}},
    )
    scores = cf.evaluate(qrels, runs, "RR")
    with pytest.raises(cf.PolicyError, match="holes are not of the same scores"):
        cf.report(scores, None, cf.holes({"q1": {"b": 1}, "q2": {"b": 1}}, runs, "RR"))
    with pytest.raises(cf.PolicyError, match="comparison is not of the same scores"):
        cf.report(scores, cf.compare({"q1": {"b": 1}, "q2": {"b": 1}}, runs, "RR"))


def test_agreement_studies_and_groups_have_their_sections():
    from cranfield import study

    qrels = {f"q{n}": {"a": 1, "b": 0, "c": 1} for n in range(4)}
    runs = {"x": {topic: ["a", "c", "b"] for topic in qrels}, "y": {topic: ["b", "a"] for topic in qrels}}
    scores = cf.evaluate(qrels, runs, "AP")
    found = cf.report(
        scores,
        lab=cf.agree(qrels, {**qrels, "q0": {"a": 0, "b": 0, "c": 1}}),
        studies=[study.reduction(qrels, runs, "AP", levels=[100, 50], draws=3)],
        groups=[cf.by_group(scores, {"q0": "head", "q1": "head", "q2": "tail", "q3": "tail"})],
        sections=["agreement", "studies", "groups"],
    ).to_html()
    assert all(f'<section id="{name}"' in found for name in ("agreement", "studies", "groups"))
    assert "raw agreement" in found
    assert "Reduction: fewer judgments, removed at random" in found
    assert "Coefficients of agreement, with the number of pairs" in found
    assert "The other assessor gave the same grade to" in found
    assert not re.search(r"<b>Table \d+\.</b>\s*</", found)  # every table has a caption


def test_sentences_end_with_one_full_stop(report):
    blocks = [block for section in report.sections for block in section.blocks]
    said = [block.text for block in blocks if isinstance(block, Paragraph)]
    assert said
    said += [block.caption for block in blocks if isinstance(block, TableBlock | FigureBlock)]
    assert not [text for text in said if re.search(r"(?<!\.)\.\.(\s|$)", text)]


def test_the_page_says_of_which_measure_the_ranges_of_pairs_are(report):
    words = "Orders, ranges of differences and what to judge next are those of nDCG@10, the first measure."
    assert words in report.to_html()
    assert "the first measure." not in made(measures="AP").to_html()


def test_groups_stand_best_run_first_without_intervals_and_what_the_section_on_data_says():
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(4)}
    bad, well = {topic: ["b", "a"] for topic in qrels}, {topic: ["a"] for topic in qrels}
    runs = {"poor": bad, "good": {**well, "q0": ["b", "a"]}}
    scores = cf.evaluate(qrels, runs, "nDCG@10")
    groups = cf.by_group(scores, {"q0": "head", "q1": "head", "q2": "tail", "q3": "tail"}, ci="t")
    report = cf.report(scores, groups=[groups], sections=["groups"])
    [table] = [block for block in report.sections[0].blocks if isinstance(block, TableBlock)]
    assert table.sheet.columns[0].cells == ["good", "poor"]
    assert [column.name for column in table.sheet.columns] == [
        "run",
        "head (2)",
        "tail (2)",
        "mean of groups",
        "all topics",
    ]
    assert table.caption == "nDCG@10 · 2 groups · 4 topics."
    said = [block.text for block in report.sections[0].blocks if isinstance(block, Paragraph)]
    assert said[0] == "In the mean of groups every group counts alike; in that of all topics every topic."
    assert not any("ties=" in text or "topics in the mean" in text for text in said)
    compared = cf.report(scores, groups=[groups.compare(baseline="poor")], sections=["groups"]).sections[0].blocks
    captions = [block.caption for block in compared if isinstance(block, TableBlock)]
    assert any(caption.startswith("head · nDCG@10") for caption in captions)  # a name keeps its letters


def test_a_folder_holds_the_page_every_table_every_chart_scores_and_audit(tmp_path, report):
    """EXP-7."""
    names = report.write(tmp_path / "out")
    there = {path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert len(names) == len(there)
    assert {"report.html", "scores.parquet", "audit.json"} <= there
    for stem in ("leaderboard", "measures", "comparison-1", "coverage"):
        assert {f"tables/{stem}.{ending}" for ending in ("tex", "md", "csv")} <= there
    for stem in ("leaderboard", "deltas-1", "coverage"):
        assert {f"charts/{stem}.{ending}" for ending in ("svg", "pdf", "png", "json")} <= there
    assert (tmp_path / "out/report.html").read_bytes() == report.to_html().encode()
    assert "possible_low" in (tmp_path / "out/tables/leaderboard.csv").read_text()
    audit = json.loads((tmp_path / "out/audit.json").read_text())
    assert audit["policies"]["ties"] == "trec"


def test_vega_is_made_once_and_a_changed_copy_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(scripts, "_cache", lambda: tmp_path / "cache")
    first = scripts.vega()
    (kept,) = (tmp_path / "cache").iterdir()
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda snippet: "made again")
    assert scripts.vega() == first
    kept.write_text(kept.read_text().replace("function", "funktion", 1))
    assert scripts.vega() == "made again"


def test_without_a_place_to_keep_it_vega_is_made_each_time(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setattr(scripts, "_cache", lambda: tmp_path / "file" / "cache")
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda snippet: "made")
    assert scripts.vega() == "made"


def test_a_notebook_shows_the_page_in_a_frame_without_scripts(report):
    shown = report._repr_html_()
    assert shown.startswith("<iframe")
    assert 'sandbox=""' in shown


def figures_of(report: cf.Report) -> dict[str, FigureBlock]:
    return {each.name: each for part in report.sections for each in part.blocks if isinstance(each, FigureBlock)}


def test_curves_have_a_band_up_to_a_number_of_lists_and_the_caption_says_so_beyond(report, monkeypatch):
    """REP-1: bounds of every point of many lists would take longer than the rest of the page."""
    drawn = figures_of(report)
    assert "Pale band" in drawn["gain"].caption
    assert "Band:" in drawn["curves"].figure.description
    monkeypatch.setattr("cranfield.reporting.page.sections.scores.MOST_BANDED", 5)
    drawn = figures_of(made())
    assert "is not drawn for more than" in drawn["gain"].caption
    assert "Band:" not in drawn["curves"].figure.description
