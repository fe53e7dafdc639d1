"""The page in a browser: no error, no request, readable without scripts, for everybody, and with hostile names."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe

import cranfield as cf
from tests.judging.hostile import STRINGS
from tests.reporting.browser.opened import Opened
from tests.reporting.page.material import made, reported

pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.filterwarnings("ignore::cranfield.DataWarning"),
]
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
DRAWN = "() => document.querySelectorAll('figure.drawn').length"


@pytest.fixture(scope="module")
def report() -> cf.Report:
    return made(runs=4)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_draws_its_charts_without_an_error_or_a_request(chromium, place, scheme):
    """REP-1: opened from disk under its own policy."""
    with Opened(chromium, place, color_scheme=scheme) as opened:
        page = opened.drawn()
        assert page.evaluate(DRAWN) >= 4
        assert opened.problems == []


def test_a_drawn_chart_has_the_shape_of_its_still_picture(chromium, place):
    """REP-2: what takes the place of a picture shows the same."""
    shapes = """() => [...document.querySelectorAll("figure")].map((figure) =>
      [".still svg", ".live svg"].map((one) => figure.querySelector(one).viewBox.baseVal)
        .map((box) => box.width / box.height))"""
    with Opened(chromium, place) as opened:
        found = opened.drawn().evaluate(shapes)
        assert len(found) > 6
        assert [still for still, _ in found] == pytest.approx([live for _, live in found], rel=0.1)


def test_the_policy_of_the_page_stops_a_script_that_is_not_its_own(chromium, place, tmp_path):
    """REP-1: else the test above would say nothing."""
    changed = tmp_path / "changed.html"
    changed.write_text(place.read_text().replace("</main>", "<script>window.ran = 1</script></main>"))
    with Opened(chromium, changed) as opened:
        assert opened.page.evaluate("() => window.ran") is None
        assert "Content Security Policy" in opened.problems[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(chromium, place, scheme):
    with Opened(chromium, place, color_scheme=scheme) as opened:
        page = opened.drawn()
        found = Axe().run(page, options=RULES)
        serious = [rule for rule in found.response["violations"] if rule["impact"] in ("serious", "critical")]
        assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in serious] == []


def test_without_scripts_the_page_says_the_same(chromium, place):
    """REP-2: the same words and tables, and every chart as a picture that can be seen."""
    with Opened(chromium, place, java_script_enabled=False) as plain, Opened(chromium, place) as opened:
        tables = "section > .scroll table"
        assert plain.page.locator(tables).all_inner_texts() == opened.drawn().locator(tables).all_inner_texts()
        assert plain.page.locator("p").all_inner_texts() == opened.page.locator("p").all_inner_texts()
        pictures = plain.page.locator(".still svg")
        assert pictures.count() == plain.page.locator("figure").count()
        assert all((box := each.bounding_box()) and box["height"] > 40 for each in pictures.all())


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_nothing_scrolls_sideways_but_wide_tables_and_charts_in_their_boxes(chromium, place, width):
    with Opened(chromium, place, viewport={"width": width, "height": 700}) as opened:
        assert opened.drawn().evaluate("() => document.documentElement.scrollWidth") <= width


def test_on_paper_the_ground_is_white_and_the_pictures_are_the_still_ones(chromium, place):
    """REP-6: also for a reader whose screen is dark."""
    with Opened(chromium, place, color_scheme="dark") as opened:
        page = opened.drawn()
        page.emulate_media(media="print")
        ground = page.evaluate("() => getComputedStyle(document.documentElement).getPropertyValue('--paper')")
        assert ground.strip() == "#fff"
        assert page.locator(".still svg").first.is_visible()
        assert not page.locator(".live").first.is_visible()
        boxes = page.evaluate(
            "() => [...document.querySelectorAll('.scroll')].map((one) => getComputedStyle(one).overflowX)"
        )
        assert set(boxes) == {"visible"}
        breaks = """(each) => [...document.querySelectorAll(each)].map((one) => [
          one.closest("table").tBodies[0].rows.length, getComputedStyle(one).breakInside])"""
        assert all((inside == "avoid") == (rows <= 30) for rows, inside in page.evaluate(breaks, "table"))
        assert {inside for _, inside in page.evaluate(breaks, "thead")} == {"avoid"}  # else heads are not repeated
        shown = "() => [...document.querySelectorAll('thead button')].map((one) => getComputedStyle(one).display)"
        assert set(page.evaluate(shown)) == {"contents"}  # Chromium leaves buttons out of heads that it repeats
        assert page.pdf(format="A4")[:4] == b"%PDF"


def test_a_table_is_sorted_by_the_column_that_is_clicked(chromium, place):
    """REP-2."""
    with Opened(chromium, place) as opened:
        table = opened.page.locator("#scores > .scroll table").first
        rows = "[...document.querySelector('#scores > .scroll table').tBodies[0].rows]"
        column = f"() => {rows}.map((row) => row.cells[1].innerText)"
        before = opened.page.evaluate(column)
        assert before == sorted(before, reverse=True)
        table.locator("th button").nth(1).click()
        table.locator("th button").nth(1).click()
        assert opened.page.evaluate(column) == sorted(before)
        assert table.locator("th").nth(1).get_attribute("aria-sort") == "ascending"


def test_a_mark_says_its_numbers_to_the_pointer(chromium, place):
    with Opened(chromium, place) as opened:
        page = opened.drawn()
        page.locator("#topics .live").first.scroll_into_view_if_needed()
        bars = "[...document.querySelector('#topics .live').querySelectorAll('.mark-rect.role-mark path')]"
        boxes = f"{bars}.map((one) => one.getBoundingClientRect()).filter((box) => box.width * box.height > 60)"
        x, y = page.evaluate(f"() => {boxes}.map((box) => [box.x + box.width / 2, box.y + box.height / 2])")[0]
        page.mouse.move(x, y)
        page.mouse.move(x + 1, y)
        page.wait_for_selector(".tip:not([hidden])")
        assert re.search(r"\d", page.locator(".tip").inner_text())
        assert opened.problems == []


def test_a_mark_says_the_whole_name_of_a_run_whose_label_is_short(chromium, tmp_path):
    world = cf.simulate("tiny", seed=3, topics=4, systems=3, families=3, novel=1, depth=4, length=20)
    names = {name: f"a-run-whose-name-is-much-too-long-for-the-side-of-any-chart-{name}" for name in world.runs}
    runs = {whole: world.runs[name] for name, whole in names.items()}
    place = tmp_path / "long.html"
    reported(world.qrels, runs, sections=["scores"]).write(place)
    with Opened(chromium, place) as opened:
        opened.drawn()
        said = opened.tip("leaderboard", "datum.run !== undefined")
        assert "…" not in said
        assert any(whole in said for whole in runs)


@pytest.mark.parametrize("part", range(3))
def test_hostile_names_break_nothing(chromium, tmp_path, part):
    """EXP-4: thirty strings as names of runs, topics and documents."""
    names = list(dict.fromkeys(text.replace("\x00", "") for text in STRINGS[part * 10 : part * 10 + 10]))
    topics = names[:5]
    qrels = {topic: {names[0]: 1, names[1]: 0, names[2]: 2} for topic in topics}
    runs = {
        names[5 + run]: {
            topic: [names[(at + run + place) % 10] for at in range(8)] for place, topic in enumerate(topics)
        }
        for run in range(4)
    }
    found: cf.Report = reported(qrels, runs, measures="nDCG@10", title=names[9], command=names[8])
    found.write(tmp_path / "hostile.html")
    with Opened(chromium, tmp_path / "hostile.html") as opened:
        page = opened.drawn()
        assert opened.problems == []
        assert page.locator("main form, main img, main iframe, main object, main b[style]").count() == 0
