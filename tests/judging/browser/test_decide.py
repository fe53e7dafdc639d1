"""A decide queue in the browser: assessors judge by key, the owner sees the range shrink, and who judges does not."""

import pytest
from playwright.sync_api import expect

from tests.judging.browser.rooms import SHOWN, BrowserRoom
from tests.judging.deciding.worlds import decide_lab, truth

TWO = ("lexical", "hybrid")


@pytest.fixture
def place(chromium, server, tmp_path):
    """A room with a decide queue; oscar owns it and judges in it."""
    made = BrowserRoom(chromium, server, decide_lab(tmp_path / "lab.db", TWO))
    yield made
    made.close()


def judge(judging, most):
    """Judge by key as the truth has it, until nothing is served; how many."""
    for number in range(most):
        shown = judging.page.locator(SHOWN)
        if not shown.count():
            return number
        topic, document = shown.get_attribute("data-topic"), judging.heading
        judging.grade(truth()[topic][document])
        if judging.page.locator(SHOWN).count():
            judging.ready()
    return most


def test_the_owner_sees_the_range_shrink_and_the_owner_who_judges_only_what_is_left(place):
    owner, both = place.page("olga", "/"), place.page("oscar", "/")
    bars = owner.locator(".decide .roomy rect.possible")
    assert bars.count() == 1
    expect(owner.locator(".decide h2")).to_contain_text("would decide lexical – hybrid")
    expect(both.locator(".decide h2")).to_contain_text("left in decide 1")
    assert not any(name in both.content() for name in TWO)
    first = float(bars.nth(0).get_attribute("height"))
    assert judge(place.judging("ada"), 4) == 4
    owner.reload()
    assert bars.count() == 5
    assert float(bars.nth(4).get_attribute("height")) < first
    both.reload()
    assert not any(name in both.content() for name in TWO)
    both.goto(place.url + "/queues/2")
    both.get_by_role("button", name="Reveal").click()
    expect(both.locator("h1")).to_contain_text("would decide lexical – hybrid")
    expect(both.locator("main")).to_contain_text("Looked at while judging: oscar")


def test_s2_a_change_of_topic_is_seen_and_does_not_interrupt(place):
    """Between the first judgments of a decide queue topics change, and no page stands between two pairs."""
    ada, seen = place.judging("ada"), []
    for _ in range(5):
        shown = ada.page.locator(SHOWN)
        assert ada.page.get_by_role("link", name="Next topic").count() == 0
        seen.append((shown.get_attribute("data-topic"), shown.get_by_text("Another topic", exact=True).count()))
        ada.grade(truth()[seen[-1][0]][ada.heading])
        ada.ready()
    assert len({topic for topic, _ in seen}) > 1
    before = [None, *(topic for topic, _ in seen)]
    assert [said for _, said in seen] == [
        int(old not in (None, new)) for old, (new, _) in zip(before, seen, strict=False)
    ]


def test_when_it_is_decided_nothing_more_is_served_and_the_owner_is_told_why(place):
    ada, bob = place.judging("ada"), place.judging("bob")
    for _ in range(60):
        if judge(ada, 1) + judge(bob, 1) == 0:
            break
    owner = place.page("olga", "/")
    expect(owner.locator(".decide h2")).to_contain_text("you may stop judging")
    expect(owner.locator(".decide")).to_contain_text("whatever the documents without a judgment are")
    late = place.page("ada", "/judge")
    assert late.locator(SHOWN).count() == 0
