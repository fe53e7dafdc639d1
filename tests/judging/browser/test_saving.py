"""What is saved and what the page says about it: APP-1, APP-2, APP-4, REL-3, REL-6, MUL-3, A11Y-3, A11Y-4."""

import re

from playwright.sync_api import Route, expect

from cranfield.judging.records import AssessorAnswer
from tests.judging.browser.rooms import SHOWN


def saved(place, name="ada"):
    """The judging events of a person, oldest first."""
    return [event for event in reversed(place.room.events(actor=name)) if event.kind in ("judge", "revise")]


def test_saved_appears_with_the_time_of_the_server_after_the_commit(place):
    """APP-1, APP-2, A11Y-3: the proof is the time; the live region names the next document, which has the focus."""
    ada = place.judging("ada")
    ada.grade(2)
    (event,) = saved(place)
    shown = ada.page.locator("#saved time").get_attribute("datetime")
    assert shown is not None
    assert shown.endswith(f".{event.at_ms % 1000:03d}Z")
    ada.said(f"Saved, grade 2. Next document: {ada.heading}")
    assert ada.page.evaluate("document.activeElement.textContent").strip() == ada.heading
    expect(ada.page.locator("#progress")).to_contain_text("1 of 8")


def test_the_next_two_documents_are_fetched_before_they_are_needed(place):
    """APP-1."""
    ada = place.judging("ada")
    expect(ada.page.locator(".work[hidden]")).to_have_count(2)
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url))
    following = [each.get_attribute("data-item") for each in ada.page.locator(".work[hidden]").all()]
    ada.grade(0)
    assert ada.item in following
    assert not [url for url in asked if f"/judge/{ada.item}" in url or f"/doc/{ada.item}" in url]


def test_a_grade_given_before_the_next_document_arrived_waits_for_it_on_the_same_page(place):
    """APP-1: a new page would lose the keys that are pressed while it loads."""
    ada = place.judging("ada")
    held: list[Route] = []

    def hold(route):
        held.append(route)

    ada.page.route("**/judge?ahead=*", hold, times=1)
    ada.page.reload()
    ada.ready()
    ada.page.evaluate("() => { window.stays = true; }")
    item = ada.item
    with ada.page.expect_response("**/judgments"):
        ada.press("1")
    (first,) = held
    first.continue_()
    ada.wait_for_another(item)
    assert ada.page.evaluate("() => window.stays")
    ada.said("Saved, grade 1. Next document:")


def test_without_a_network_nothing_advances_and_the_answer_arrives_once(place):
    """APP-2, REL-6: the count is shown, leaving warns, nothing is kept in the browser's storage."""
    ada = place.judging("ada")
    item = ada.item
    ada.page.clock.install()
    ada.page.route("**/judgments", lambda route: route.abort())
    ada.press("2")
    bar = ada.page.locator("#unsaved")
    expect(bar.locator("p")).to_have_text(re.compile(r"Not saved \(1\): the server does not answer"))
    ada.press("1")  # a second answer does not overtake the first
    ada.said("not saved yet")
    assert (ada.item, saved(place)) == (item, [])
    kept = ada.page.evaluate(
        "async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]"
    )
    assert kept == [0, 0, 0]
    with ada.page.expect_event("dialog") as warning:
        ada.page.close(run_before_unload=True)
    assert warning.value.type == "beforeunload"
    warning.value.dismiss()
    ada.page.unroute("**/judgments")
    ada.page.clock.run_for(60_000)
    ada.wait_for_another(item)
    expect(bar).to_be_hidden()
    assert [(event.item, (event.new or {})["grade"]) for event in saved(place)] == [(item, 2)]


def test_an_answer_whose_receipt_was_lost_is_stored_once(place):
    """REL-3: the same request again is one event."""
    ada = place.judging("ada")
    item = ada.item
    lost = []

    def lose(route):
        lost.append(route.fetch().status)
        route.abort()

    ada.page.route("**/judgments", lose, times=1)
    ada.press("1")
    expect(ada.page.locator("#unsaved")).to_be_visible()
    ada.page.get_by_role("button", name="Try now").click()
    ada.wait_for_another(item)
    assert lost == [200]
    assert [(event.item, (event.new or {})["grade"]) for event in saved(place)] == [(item, 1)]


def test_an_answer_the_server_cannot_store_stays_on_the_page(place):
    """REL-12: 507 is a red bar with the server's sentence, and the page tries again."""
    ada = place.judging("ada")
    item = ada.item
    full = '{"error": "the disk is full. Make space; nothing is lost."}'
    ada.page.route("**/judgments", lambda route: route.fulfill(status=507, body=full), times=1)
    ada.press("1")
    expect(ada.page.locator("#unsaved p")).to_contain_text("the disk is full")
    ada.page.get_by_role("button", name="Try now").click()
    ada.wait_for_another(item)
    assert len(saved(place)) == 1


def test_a_change_over_a_newer_judgment_offers_both(place):
    """REL-3: 409, and the page offers both values."""
    ada = place.judging("ada")
    item = ada.grade(1)
    for keep, expected in (("Keep", 0), ("Save", 2)):
        ada.page.goto(f"{place.url}/judge/{item}")
        ada.ready()
        mine = place.room.work("ada", item)
        place.room.judge("ada", item, AssessorAnswer("judged", 0, note=keep), client_id=keep, version=mine.version)
        ada.press("2")
        box = ada.page.locator("#conflict")
        expect(box).to_contain_text("Answers the need")
        expect(box).to_contain_text("Not relevant")
        box.get_by_role("button", name=keep).click()
        expect(box).to_be_hidden()
        if keep == "Save":
            ada.wait_for_another(item)
        else:
            ada.said("The other judgment stays")
        found = place.room.work("ada", item).mine
        assert found is not None
        assert found.answer.grade == expected


def test_the_last_ten_are_listed_and_each_can_be_changed(place):
    """APP-3."""
    ada = place.judging("ada")
    item = ada.grade(0)
    ada.page.locator(f"{SHOWN} .past a").first.click()
    ada.page.wait_for_url(f"**/judge/{item}")
    ada.ready().grade(2)
    assert [event.kind for event in saved(place)] == ["judge", "revise"]


def test_the_same_link_goes_on_at_the_same_place_on_another_device(place):
    """APP-4."""
    ada = place.judging("ada")
    ada.grade(1)
    item = ada.item
    assert place.judging("ada").item == item
    other = place.page("bob", f"/judge/{item}")
    assert "There is no" in other.content()


def test_the_end_of_a_topic_tells_the_own_grades_and_leads_on(place):
    """5.2: count, own grade distribution, next topic."""
    ada = place.judging("ada")
    for grade in (2, 1, 1, 0):
        ada.grade(grade)
    expect(ada.page.locator("main")).to_contain_text("4 pairs of this topic judged by you")
    expect(ada.page.locator(".spread")).to_have_attribute("aria-label", re.compile(r"2: 1\. 1: 2\. 0: 1\."))
    ada.page.get_by_role("link", name="Next topic").click()
    ada.ready()
    assert ada.page.locator("#place").inner_text() == "Topic 2 of 2"


def test_no_work_says_whether_it_is_finished_or_held_and_until_when(place):
    """MUL-3."""
    while hasattr(work := place.room.next("bob", after=None), "item"):
        if len(place.room.last_ten("bob")) == 7:
            break
        place.room.judge("bob", work.item, AssessorAnswer("judged", 1), client_id=work.item)
    page = place.page("ada")
    expect(page.locator("main")).to_contain_text("1 pair is held by other assessors")
    expect(page.locator("main time")).to_have_count(1)
    place.room.judge("bob", work.item, AssessorAnswer("judged", 1), client_id=work.item)
    page.get_by_role("link", name="Look again").click()
    expect(page.locator("h1")).to_have_text("Finished")


def test_a_document_about_to_go_back_is_announced_and_any_activity_keeps_it(place):
    """A11Y-4."""
    page = place.context("ada").new_page()
    page.clock.install()
    page.goto(place.url + "/judge")
    page.wait_for_function("() => document.documentElement.style.getPropertyValue('--need')")
    page.clock.run_for(510_000)  # eight minutes and a half
    expect(page.locator("#lease p")).to_contain_text("held for you for")
    with page.expect_response("**/leases/renew") as answer:
        page.keyboard.press("h")
    assert answer.value.ok
    expect(page.locator("#lease")).to_be_hidden()
