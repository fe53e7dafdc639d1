"""A reader goes from the matrix to a pair, from a pair to a topic, and sees that topic everywhere."""

import json
import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe

import cranfield as cf
from cranfield.tables.side.documents import Document, Documents
from cranfield.tables.side.topics import Topic, Topics
from tests.reporting.browser.opened import Opened
from tests.reporting.page.material import made, reported

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.filterwarnings("ignore::cranfield.DataWarning")]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
DELTAS = "figure[data-kind=deltas] >> nth=0"


@pytest.fixture(scope="module")
def report() -> cf.Report:
    world = cf.simulate("tiny", seed=3, topics=8, systems=4, families=4, novel=1, depth=4, length=20)
    topics = [Topic(id=each, query=f"the words of {each}") for each in world.qrels.topics]
    listed = {document for name in world.runs for document in world.runs[name].to_polars()["doc"]}
    documents = [Document(each, "A secret text.", f"Title of {each}") for each in sorted(listed)]
    return reported(world.qrels, world.runs, topics=Topics.of(topics), documents=Documents.of(documents))


def differences(report, run, baseline):
    """By topic, of the measure that the report is about."""
    scores = report.material.scores
    delta = scores[run, report.material.measure] - scores[baseline, report.material.measure]
    return dict(zip(scores.topics, delta.tolist(), strict=True))


def drawn_differences(page):
    """What the bars of the first chart of differences stand for."""
    rows = """() => [...document.querySelector("figure[data-kind=deltas]").querySelectorAll(".live .role-mark path")]
      .map((each) => each.__data__?.datum).filter((datum) => datum?.sign).map((datum) => [datum.topic, datum.delta])"""
    return dict(page.evaluate(rows))


def printed(value):
    return f"{value:+.4f}".replace("-", "\u2212")


def test_a_cell_of_the_matrix_says_what_is_known_and_opens_its_pair(opened, report):
    page, (run, other) = opened.page, (report.material.ranked[2], report.material.ranked[1])
    cell = f"datum.run === {json.dumps(run)} && datum.baseline === {json.dumps(other)}"
    said = opened.tip("matrix", cell)
    assert all(word in said for word in ("delta", "interval", "p\n", "possible"))
    opened.click("matrix", cell)
    page.wait_for_selector("figure[data-kind=deltas].changed")
    expected = differences(report, run, other)
    page.wait_for_function(
        f"() => document.querySelector('figure[data-kind=deltas] .live svg').ariaLabel.includes('{run} minus {other}')"
    )
    assert drawn_differences(page) == pytest.approx(expected, abs=1e-5)
    caption = page.locator(DELTAS).locator("figcaption").inner_text()
    assert f"{run} minus that of {other}" in caption
    assert f"Mean difference {printed(np.mean(list(expected.values())))}" in caption
    assert page.evaluate("() => document.activeElement.nodeName") == "SELECT"


def test_whiskers_of_a_pair_that_is_chosen_are_those_that_holes_finds(opened, report):
    page, runs = opened.page, list(report.material.scores.runs)
    a, b = report.material.ranked[3], report.material.ranked[1]
    page.get_by_label("Run", exact=True).select_option(str(runs.index(a)))
    page.get_by_label("minus", exact=True).select_option(str(runs.index(b)))
    page.wait_for_selector(f"figure[data-kind=deltas] .live svg[aria-label*='{a} minus {b}']")
    bounder = report.material.holes.bounder(report.material.measure)
    situation = bounder.situation
    ranges = bounder.of(np.array([situation.runs.index(a)]), np.array([situation.runs.index(b)]))
    page.locator(DELTAS).locator("summary").click()
    rows = page.locator(DELTAS).locator("details .now tbody tr").all_inner_texts()
    assert len(rows) == len(situation.topics)
    for row in rows:
        topic, *_, low, high = row.split("\t")
        at = situation.topics.index(topic)
        ends = [float(each.replace("\u2212", "-")) for each in (low, high)]
        assert ends == pytest.approx([ranges.low[0, at], ranges.high[0, at]], abs=2e-4)


def test_a_bar_says_the_text_of_its_topic_and_opens_it_under_the_microscope(opened, report):
    page, topic = opened.page, report.material.scores.topics[2]
    bar = f"datum.sign && datum.topic === {json.dumps(topic)}"
    assert f"the words of {topic}" in opened.tip("deltas", bar)
    opened.click("deltas", bar)
    page.wait_for_selector("#figure-topic .live svg")
    assert page.locator("#figure-topic figcaption").inner_text().startswith(f"Topic {topic}: the words of {topic}")
    assert page.locator(".choices").inner_text().startswith(f"Topic {topic}")


def test_topics_that_are_brushed_have_their_mean_in_words(opened, report):
    page = opened.page
    pair = report.material.against_reference[0]
    values = sorted(differences(report, pair.run, pair.baseline).values(), reverse=True)
    figure = page.locator(DELTAS)
    figure.get_by_label("Mean of topics from place").fill("2")
    figure.get_by_label("to place").fill("4")
    figure.get_by_label("to place").press("Tab")
    expected = f"Mean of the 3 topics chosen: {printed(np.mean(values[1:4]))}; of all 8: {printed(np.mean(values))}."
    page.wait_for_function(
        f"() => document.querySelector('.brush [role=status]').textContent === {json.dumps(expected)}"
    )
    figure.get_by_role("button", name="Clear").click()
    page.wait_for_function("() => document.querySelector('.brush [role=status]').textContent.startsWith('Draw across')")
    x, y = opened.mark("deltas", "datum.sign")
    page.mouse.move(x - 2, y)
    page.mouse.down()
    page.mouse.move(x + 60, y, steps=4)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('.brush [role=status]').textContent.startsWith('Mean of the')")


def test_a_topic_is_marked_in_every_run_and_alone_in_the_coverage(opened, report):
    page, material = opened.page, report.material
    topic = material.scores.topics[4]
    squares = """() => [...document.querySelectorAll("figure[data-kind=distribution] .live .role-mark path")]
      .filter((each) => each.getAttribute("fill") === "#d55e00").map((each) => each.__data__.datum.value)"""
    assert page.evaluate(squares) == []
    page.get_by_label("Topic", exact=True).select_option("4")
    page.wait_for_function(f"() => ({squares})().length > 0")
    values = material.scores.values[:, 4, material.column]
    assert sorted(page.evaluate(squares)) == pytest.approx(sorted(values), abs=1e-5)
    coverage = page.locator("figure[data-kind=coverage]")
    page.wait_for_selector(f"figure[data-kind=coverage] .live svg[aria-label^='Topic {topic}']")
    coverage.locator("summary").click()
    alone = material.holes.plot("coverage", topic=topic).table
    expected = [list(row) for row in zip(*(column.cells for column in alone.columns), strict=True)]
    shown = [row.split("\t") for row in coverage.locator("details .now tbody tr").all_inner_texts()]
    assert [[cell.replace(" ", "") for cell in row] for row in shown] == [
        [cell.replace(" ", "") for cell in row] for row in expected
    ]
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => ({squares})().length === 0")


def test_the_microscope_shows_the_topic_the_runs_and_the_ranks_that_are_chosen(opened, report):
    page, material = opened.page, report.material
    page.get_by_label("Topic under the microscope").select_option("1")
    page.wait_for_selector("#figure-topic .live svg")
    page.get_by_label("Ranks").fill("3")
    page.get_by_label("Ranks").press("Tab")
    boxes = page.locator("#microscope fieldset")
    boxes.get_by_label(material.ranked[0], exact=True).uncheck()
    cells = """() => [...document.querySelectorAll("#figure-topic .live .role-mark path")]
      .map((each) => each.__data__?.datum).filter((datum) => datum?.top !== undefined)
      .map((datum) => [datum.run, datum.rank, datum.document, datum.level])"""
    page.wait_for_function(f"() => ({cells})().length === 9")
    from cranfield.reporting.topic_lists import topic_lists

    runs = material.ranked[1:]
    found = topic_lists(material.holes, material.scores.topics[1], runs, material.measure)
    expected = [
        [each.run, one.rank, one.document, "unjudged" if one.grade is None else f"grade {one.grade:g}"]
        for each in found.runs
        for one in each.documents[:3]
    ]
    assert sorted(page.evaluate(cells)) == sorted(expected)
    title = page.evaluate(cells)[0][2]
    said = opened.tip("microscope", f"datum.top !== undefined && datum.document === {json.dumps(title)}")
    assert f"Title of {title}" in said
    assert "secret" not in page.content()


def test_what_to_judge_next_is_copied_as_a_list(opened, report):
    page = opened.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as list").click()
    page.wait_for_function(
        "() => /lines are copied/.test(document.querySelector('figure[data-kind=next] [role=status]').textContent)"
    )
    found = report.material.holes.next(20, measure=report.material.measure)
    expected = [f"{topic}\t{document}" for topic, document in zip(found.topics, found.documents, strict=True)]
    assert page.evaluate("() => navigator.clipboard.readText()").splitlines() == expected


def test_lines_are_drawn_that_are_checked(opened, report):
    page = opened.page
    lines = "() => document.querySelectorAll('figure[data-kind=curves] .live .mark-line path').length"
    runs = len(report.material.scores.runs)
    assert page.evaluate(lines) == runs * runs  # a panel for each run, with the others in grey
    page.locator("figure[data-kind=curves] fieldset").get_by_label("other runs", exact=True).uncheck()
    page.wait_for_function(f"() => ({lines})() === {runs}")


def test_in_a_large_report_the_line_of_each_run_can_be_left_out(chromium, tmp_path, monkeypatch):
    monkeypatch.setattr("cranfield.reporting.page.sections.scores.MOST_BANDED", 5)
    large = made(runs=4)
    large.write(tmp_path / "large.html")
    names = [large.material.scores.runs[at] for at in (0, 2)]
    lines = """() => [...document.querySelectorAll("figure[data-kind=curves] .live .mark-line path")]
      .map((each) => (each.__data__.datum ?? each.__data__.items?.[0]?.datum).name)"""
    with Opened(chromium, tmp_path / "large.html") as found:
        page = found.drawn()
        assert sorted(page.evaluate(lines)) == sorted(large.material.scores.runs)
        boxes = page.locator("figure[data-kind=curves] fieldset")
        for left, name in zip((3, 2), names, strict=True):
            boxes.get_by_label(name, exact=True).uncheck()
            page.wait_for_function(f"() => ({lines})().length === {left}")
        assert not {*names} & {*page.evaluate(lines)}
        boxes.get_by_label(names[0], exact=True).check()
        page.wait_for_function(f"() => ({lines})().includes({json.dumps(names[0])})")
        assert found.problems == []


def test_a_point_of_the_significance_curve_names_its_pair(opened):
    assert re.search(r"pair\s+\S+ – \S+", opened.tip("significance", "datum.pair"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_when_everything_is_chosen(chromium, place, scheme):
    with Opened(chromium, place, color_scheme=scheme, viewport={"width": 320, "height": 700}) as opened:
        page = opened.drawn()
        page.locator("#scores button.run").first.click()
        page.get_by_label("Topic", exact=True).select_option("4")
        page.wait_for_selector("#figure-topic .live svg")
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
        found = Axe().run(page, options=RULES)
        serious = [rule for rule in found.response["violations"] if rule["impact"] in ("serious", "critical")]
        assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in serious] == []
        assert opened.problems == []
