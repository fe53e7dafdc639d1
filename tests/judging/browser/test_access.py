"""Every screen for everyone: axe-core, narrow windows, targets, contrast settings (A11Y-1, A11Y-5)."""

import pytest
from axe_playwright_python.sync_playwright import Axe

from cranfield.judging.records import AssessorAnswer
from tests.judging.browser.test_people import dispute

SCREENS = [
    ("ada", "/"),
    ("olga", "/"),
    ("ada", "/judge"),
    ("ada", "/guidelines"),
    ("ada", "/settings"),
    ("eve", "/adjudicate"),
    ("eve", "/adjudicate?begin=1"),
    ("eve", "/agreement"),
    ("vera", "/compare"),
    ("vera", "/topics/q1"),
    ("olga", "/queues"),
    ("olga", "/audit"),
    ("", "/login"),
]


def filled(place):
    """Something to see on every screen."""
    dispute(place)
    for name in ("ada", "bob"):
        work = place.room.next(name)
        answer = AssessorAnswer("judged", 1, note="A note.", flag=True)
        place.room.judge(name, work.item, answer, client_id=f"more-{name}")
        place.room.next(name)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_screen(shared_place, scheme):
    """A11Y-1, A11Y-5, both colour schemes."""
    place = shared_place
    filled(place)
    wrong = []
    for name, path in SCREENS:
        page = (
            place.page(name, path, color_scheme=scheme, reduced_motion="reduce")
            if name
            else signed_out(place, path, scheme)
        )
        page.wait_for_load_state("networkidle")
        found = Axe().run(
            page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
        )
        wrong += [
            f"{path} {rule['id']} ({rule['impact']}): {node['html'][:160]}"
            for rule in found.response["violations"]
            if rule["impact"] in ("serious", "critical")
            for node in rule["nodes"]
        ]
        page.context.close()
    assert wrong == []


def signed_out(place, path, scheme):
    """A page for visitors without a session."""
    context = place.browser.new_context(color_scheme=scheme)
    place.contexts.append(context)
    page = context.new_page()
    page.goto(place.url + path)
    return page


def test_nothing_scrolls_sideways_at_320_pixels(shared_place):
    """A11Y-1: 400 % zoom of a window of 1280 pixels."""
    place = shared_place
    filled(place)
    wide = []
    for name, path in SCREENS:
        size = {"viewport": {"width": 320, "height": 640}}
        page = place.page(name, path, **size) if name else place.page("ada", "/guidelines", **size)
        page.wait_for_load_state("networkidle")
        if page.evaluate("() => document.documentElement.scrollWidth") > 320:
            wide.append(path)
        page.context.close()
    assert wide == []


def test_on_a_phone_grades_are_a_bar_with_large_targets(place):
    """5.2: at least 44 px; other targets at least 24 px (A11Y-1)."""
    ada = place.judging("ada", viewport={"width": 390, "height": 800}, has_touch=True)
    boxes = [one.bounding_box() for one in ada.page.locator(".work:not([hidden]) .grade").all()]
    assert all(box and box["height"] >= 44 and box["width"] >= 44 for box in boxes)
    assert all(box and box["y"] + box["height"] <= 800 for box in boxes)
    for control in ada.page.locator("button:visible, a:visible, summary:visible, input:visible").all():
        box = control.bounding_box()
        assert box is None or box["height"] >= 24 or control.evaluate("one => !!one.closest('.skip, p, label')"), (
            control.evaluate("one => one.outerHTML")
        )
    ada.page.locator(".work:not([hidden]) .grade").first.tap()
    ada.said("Saved, grade 2")
    assert place.room.events(actor="ada", kind="judge")[0].method == "touch"


def test_a_chosen_contrast_and_size_reach_page_and_document(place):
    """S9, A11Y-5."""
    place.room.set_settings("ada", {"text": "largest", "contrast": "high"})
    ada = place.judging("ada")
    assert ada.page.evaluate("() => getComputedStyle(document.documentElement).fontSize") == "21px"
    inside = ada.page.frame_locator(".work:not([hidden]) iframe").locator("html")
    assert inside.evaluate("one => getComputedStyle(one).fontSize") == "21px"
