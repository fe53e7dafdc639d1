"""A reader chooses a measure and a run: charts and tables answer, by pointer and by key, and there is a way back."""

import pytest

import cranfield as cf
from tests.reporting.browser.opened import Opened
from tests.reporting.page.material import made

pytestmark = [pytest.mark.xdist_group("browser"), pytest.mark.filterwarnings("ignore::cranfield.DataWarning")]
PALE = """(kind) => [...document.querySelectorAll(`figure[data-kind=${kind}] .live .role-mark [opacity]`)]
  .filter((each) => Number(each.getAttribute("opacity")) <= 0.3).length"""
NAMES = """() => [...document.querySelectorAll("figure[data-kind=leaderboard] .live .role-axis-label text")]
  .map((each) => each.textContent).filter((text) => !/^[\\d.]+$/.test(text))"""


@pytest.fixture(scope="module")
def report() -> cf.Report:
    return made(runs=4)


def test_the_leaderboard_is_drawn_in_the_measure_that_a_reader_chooses(opened, report):
    page, scores = opened.page, report.material.scores
    figure = page.locator("figure[data-kind=leaderboard]")
    before = figure.locator("figcaption").inner_text()
    page.get_by_label("Measure").select_option("AP")
    page.wait_for_selector("figure[data-kind=leaderboard].changed .live svg[aria-label*='AP of']")
    means = dict(zip(scores.runs, scores.means[:, scores.measures.index("AP")].tolist(), strict=True))
    assert page.evaluate(NAMES) == sorted(means, key=lambda run: -means[run])
    assert figure.locator("figcaption").inner_text().startswith("Figure 1. AP of every run")
    figure.locator("summary").click()
    assert f"{max(means.values()):.4f}" in figure.locator("details .now table").inner_text()
    page.get_by_label("Measure").select_option("nDCG@10")
    assert figure.locator("figcaption").inner_text() == before


@pytest.mark.parametrize("kind", ["leaderboard", "distribution", "curves", "matrix", "coverage", "microscope"])
def test_a_run_that_is_chosen_by_key_stands_out_in_every_chart(opened, report, kind):
    page = opened.page
    before = page.evaluate(PALE, kind)
    assert before == (4 if kind == "curves" else 0)  # the bands of four runs are pale from the beginning
    run = page.locator("#scores button.run").first
    run.focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"() => ({PALE})('{kind}') > {before}")
    assert run.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Escape")
    page.wait_for_function(f"() => ({PALE})('{kind}') === {before}")
    assert run.get_attribute("aria-pressed") == "false"


def test_the_rows_of_a_chosen_run_stand_out_in_tables_until_the_choice_is_cleared(opened, report):
    page, name = opened.page, report.material.ranked[1]
    page.locator("#scores button.run", has_text=name).first.click()
    texts = page.locator(".chosen").all_text_contents()
    assert {text.split("  ")[0] for text in texts} == {name}
    assert page.locator("#comparison .chosen, #missing .chosen").count() > 0
    assert page.locator(".choices").inner_text().startswith(f"Run {name} stands out")
    page.get_by_role("button", name="Clear the run").click()
    assert page.locator(".chosen").count() == 0
    assert not page.locator(".choices").is_visible()


def test_a_click_on_a_mark_of_the_leaderboard_chooses_its_run(opened, report):
    page = opened.page
    page.locator("figure[data-kind=leaderboard]").scroll_into_view_if_needed()
    dots = page.locator("figure[data-kind=leaderboard] .live .mark-symbol.role-mark").last.locator("path")
    dots.nth(2).click()
    page.wait_for_selector(".choices:not([hidden])")
    assert page.locator(".choices").inner_text().startswith(f"Run {report.material.ranked[2]} stands out")


def test_the_grades_of_two_assessors_are_drawn_for_the_couple_that_is_chosen(chromium, tmp_path):
    qrels = {f"q{n}": {"a": 1, "b": 0, "c": n % 2} for n in range(6)}
    judged = {
        "ann": qrels,
        "bob": {**qrels, "q0": {"a": 0, "b": 1, "c": 0}},
        "eva": {**qrels, "q1": {"a": 0, "b": 0, "c": 0}},
    }
    scores = cf.evaluate(qrels, {"r": {topic: ["a", "b"] for topic in qrels}}, "AP")
    cf.report(scores, lab=cf.agree(judged), sections=["agreement"]).write(tmp_path / "agreement.html")
    with Opened(chromium, tmp_path / "agreement.html") as found:
        page = found.drawn()
        picture = page.locator("figure[data-kind=confusion] .live svg")
        assert "another one" in picture.get_attribute("aria-label")
        page.get_by_label("Assessors", exact=True).select_option("ann, eva")
        page.wait_for_selector("figure[data-kind=confusion] .live svg[aria-label*='ann and eva']")
        assert found.problems == []


def test_on_paper_there_are_no_controls_and_the_first_captions(opened):
    page = opened.page
    page.get_by_label("Measure").select_option("AP")
    page.locator("#scores button.run").first.click()
    page.emulate_media(media="print")
    for each in page.locator(".controls, .choices, .now").all():
        assert not each.is_visible()
    assert "nDCG@10 of every run" in page.locator("figure[data-kind=leaderboard] figcaption").inner_text()
