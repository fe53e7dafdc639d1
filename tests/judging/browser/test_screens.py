"""Every screen in every state: axe-core in light and dark, 400 % zoom, and the same without a script."""

import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from benchmarks.screens.collections import made_up
from benchmarks.screens.demo_pictures import picture_demo
from benchmarks.screens.showing import MadeRooms, looked_at, picture
from benchmarks.screens.stage import Stage
from benchmarks.screens.states import IN_DOCS, SCREENS
from cranfield.judging.records import AssessorAnswer
from tests.sample.library.frozen import frozen_demo

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
DOCS = Path(__file__).parents[3] / "docs"
NAMES = [screen.name for screen in SCREENS]
PLAIN = [
    screen
    for screen in SCREENS
    if screen.name in ("s1-owner", "s1-deciding", "s2-end-of-topic", "s2-all-done", "s3-queues", "s4-agreement")
    or screen.name in ("s5-disputes", "s6-compare", "s7-topic", "s8-audit", "s9-settings", "guidelines", "decision")
]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Rooms of a small collection, shared by the tests of this module."""
    found = MadeRooms(tmp_path_factory.mktemp("rooms"), made_up(6))
    yield found
    found.close()


@pytest.fixture
def place(chromium, server):
    """The browser on the server."""
    return Stage(chromium, *server)


def serious(page, rules=RULES) -> list[str]:
    """What axe-core finds that keeps people out."""
    found = Axe().run(page, options=rules)
    return [
        f"{rule['id']} ({rule['impact']}): {node['html'][:160]}"
        for rule in found.response["violations"]
        if rule["impact"] in ("serious", "critical")
        for node in rule["nodes"]
    ]


def test_every_screen_has_a_state_here():
    """5.2: S1 to S9."""
    assert {name[:2] for name in NAMES if re.match(r"s\d", name)} == {f"s{number}" for number in range(1, 10)}
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize("screen", SCREENS, ids=NAMES)
def test_axe_finds_nothing_serious_and_nothing_scrolls_sideways(place, made, screen):
    """A11Y-1, A11Y-5, A11Y-6: light and dark, and 320 pixels, which is 400 % of a window of 1280."""
    errors: list[str] = []
    with looked_at(place, screen, made) as page:
        page.on("pageerror", lambda error: errors.append(str(error)))
        if screen.script:  # axe-core is one
            assert serious(page) == []
            page.emulate_media(color_scheme="dark")
            assert serious(page, CONTRAST) == []
        page.set_viewport_size({"width": 320, "height": 640})
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 320
    assert errors == []


@pytest.mark.parametrize("screen", PLAIN, ids=[screen.name for screen in PLAIN])
def test_without_javascript_a_page_says_the_same(place, made, screen):
    """APP-10: pages are links, forms and tables; charts are static SVG."""
    with looked_at(place, screen, made) as page:
        words, pictures = said(page)
    with looked_at(place, screen, made, java_script_enabled=False) as page:
        assert said(page) == (words, pictures)


def size_of(path) -> tuple[int, int]:
    """Width and height of a PNG."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


@pytest.mark.parametrize("name", IN_DOCS)
def test_pictures_of_the_documentation_are_screens_that_can_be_taken_again(place, made, name, tmp_path):
    which, width = IN_DOCS[name]
    screen = next(each for each in SCREENS if each.name == which)
    assert picture(tmp_path / "taken.png", place, screen, made, width, "light", whole=False) <= width
    assert size_of(tmp_path / "taken.png") == size_of(DOCS / "judging" / f"{name}.png")


@pytest.mark.filterwarnings("ignore::cranfield.DataWarning")
def test_pictures_of_the_demo_can_be_taken_again(chromium, tmp_path):
    taken = picture_demo(chromium, frozen_demo(tmp_path / "demo"), tmp_path / "pictures")
    assert {path.name for path in taken} == {path.name for path in (DOCS / "pictures").glob("*.png")}
    assert [size_of(path) for path in taken] == [size_of(DOCS / "pictures" / path.name) for path in taken]


PHONE = [screen for screen in SCREENS if screen.name in ("s2-judge", "s2-not-saved", "s2-long", "s5-adjudicate")]


@pytest.mark.parametrize("screen", PHONE, ids=[screen.name for screen in PHONE])
def test_on_a_phone_every_control_of_judging_is_44_pixels_high(place, made, screen):
    """5.2: targets of at least 44 px; the bar at the top is one row, and the document is seen above the grades."""
    with looked_at(place, screen, made, 360) as page:
        small = page.evaluate(
            """() => [...document.querySelectorAll('.work:not([hidden]) button, .work:not([hidden]) .button, '
            + '.work:not([hidden]) summary, .work:not([hidden]) .toggle, .work:not([hidden]) .past a, .top a, '
            + '.sticky button')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
            .map((one) => one.outerHTML.slice(0, 120))"""
        )
        assert small == []
        assert page.locator("header.top").evaluate("one => one.offsetHeight") < 60
        frame = page.locator(".work:not([hidden]) iframe").bounding_box()
        bar = page.locator(".work:not([hidden]) .grades").bounding_box()
        assert frame is not None
        assert bar is not None
        assert frame["y"] < bar["y"]
        assert bar["y"] + bar["height"] <= 760.5


def test_a_grade_that_is_not_saved_is_marked_and_the_last_saved_time_is_out_of_sight(place, made):
    """APP-2."""
    screen = next(screen for screen in SCREENS if screen.name == "s2-not-saved")
    with looked_at(place, screen, made) as page:
        marked = page.locator(".work:not([hidden]) .grade.waiting")
        assert [one.get_attribute("value") for one in marked.all()] == ["2"]
        assert not page.locator("#saved").is_visible()


def test_at_the_end_of_a_topic_a_key_leads_on(place, made):
    """5.3: n is the next item, also between topics."""
    room = made["beginning"]
    place.show(room)
    first = room.next("bob")
    last = first.item
    while (work := room.next("bob")).topic == first.topic:
        last = work.item
        room.judge("bob", work.item, AssessorAnswer("judged", 0), client_id=work.item, version=work.version)
    page = place.page("bob")
    page.goto(f"{place.url}/judge?after={last}")
    page.get_by_role("link", name="Next topic").wait_for()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("n")
    page.wait_for_url("**/judge/*")
    page.context.close()


def said(page) -> tuple[str, int]:
    """What the page says, without times that a script may write in another way, and how many pictures it has."""
    text = re.sub(r"\d+:\d+(:\d+)?( UTC)?|\d+ s\b", "", page.locator("main").inner_text())
    return text, page.locator("main svg").count()
