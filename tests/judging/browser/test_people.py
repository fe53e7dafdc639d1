"""Several people at once: two assessors, adjudication, owners, and a browser without scripts."""

import re

from playwright.sync_api import expect

from cranfield.judging.records import AssessorAnswer
from tests.judging.browser.rooms import SHOWN


def dispute(place):
    """Make ada and bob disagree about one pair, with a note and a passage; the pair."""
    ada = place.room.next("ada")
    while not place.room.document("ada", ada.item).text:  # a passage needs one
        ada = place.room.next("ada", after=ada.item)
    place.room.judge("ada", ada.item, AssessorAnswer("judged", 2, "It says so.", ((0, 5),)), client_id="a")
    bob = place.room.work("bob", ada.item)
    place.room.judge("bob", bob.item, AssessorAnswer("judged", 0), client_id="b")
    return ada.item


def test_two_assessors_never_get_the_same_pair_where_one_suffices(place):
    """MUL-1, MUL-2."""
    ada, bob = place.judging("ada"), place.judging("bob")
    done = [ada.grade(1), bob.grade(2)]
    held = [lease.item for lease in place.room.leases()]
    assert len({*done, *held}) == len(done) + len(held)
    assert {len(place.room.last_ten(name)) for name in ("ada", "bob")} == {1}


def test_the_adjudicator_sees_what_was_said_and_settles_by_key(shared_place):
    """S5, MUL-4: grades, notes and marked passages of both; the same keys; originals stay."""
    place = shared_place
    item = dispute(place)
    page = place.page("eve", "/adjudicate")
    page.get_by_role("link", name="Begin").click()
    expect(page.locator(".voices")).to_contain_text("It says so.")
    assert page.locator(".voices li").count() == 2
    expect(page.frame_locator("iframe").locator("mark.passage").first).to_be_visible()
    page.wait_for_function("() => document.documentElement.style.getPropertyValue('--need')")  # its script has run
    page.keyboard.press("1")
    page.wait_for_url(re.compile(r"/adjudicate(\?|$)"))
    expect(page.locator("main")).to_contain_text("No pair is in dispute")
    settled = place.room.dispute("eve", item)
    assert (settled.settled_grade, settled.settled_by) == (1, "eve")
    assert [judgment.answer.grade for judgment in settled.judgments] == [2, 0]


def test_a_dispute_can_be_left_open(shared_place):
    """S5."""
    place = shared_place
    item = dispute(place)
    page = place.page("eve", f"/adjudicate/{item}")
    page.get_by_role("button", name="leave open").click()
    page.wait_for_url(re.compile(r"/adjudicate(\?|$)"))
    assert place.room.dispute("eve", item).settled_grade is None


def test_without_javascript_judging_is_a_form_with_radio_buttons(place):
    """APP-10: Save and next, later, undo, guidelines and the end of a topic."""
    page = place.page("ada", java_script_enabled=False)
    expect(page.locator(".grade").first).to_be_hidden()
    page.get_by_label("Helps, not alone").check()
    page.get_by_label("Note").fill("seen without a script")
    page.get_by_role("button", name="Save and next").click()
    (kept,) = place.room.last_ten("ada")
    assert (kept.judgment.answer.grade, kept.judgment.answer.note) == (1, "seen without a script")
    expect(page.locator("#saved")).to_contain_text("saved")
    page.get_by_role("button", name="later").click()
    page.get_by_role("button", name="undo").click()
    page.get_by_role("button", name="undo").click()
    assert place.room.last_ten("ada") == []
    for _ in range(4):
        page.get_by_label("Not relevant").check()
        page.get_by_role("button", name="Save and next").click()
    expect(page.locator("main")).to_contain_text("4 pairs of this topic")
    page.get_by_role("link", name="Next topic").click()
    page.get_by_role("link", name="Guide").click()
    expect(page.locator("main")).to_contain_text("Read all of it.")


def test_without_javascript_a_conflict_is_a_page_with_both_values(place):
    """REL-3, APP-10."""
    page = place.page("ada", java_script_enabled=False)
    item = page.locator(SHOWN).get_attribute("data-item") or ""
    place.room.judge("ada", item, AssessorAnswer("judged", 0), client_id="elsewhere")
    page.get_by_label("Answers the need").check()
    page.get_by_role("button", name="Save and next").click()
    expect(page.get_by_role("link", name="Keep")).to_contain_text("Not relevant")
    page.get_by_role("button", name="Save").click()
    found = place.room.work("ada", item).mine
    assert found is not None
    assert found.answer.grade == 2


def test_owners_see_who_holds_what_and_take_it_back(place):
    """S3: leases with release."""
    place.room.next("ada")
    page = place.page("olga", "/queues")
    expect(page.get_by_role("region", name="Pairs held now")).to_contain_text("ada")
    page.get_by_role("button", name="Release").first.click()
    expect(page.locator("main")).to_contain_text("No pair is held")
    assert place.room.leases() == []


def test_owners_add_pairs_stop_a_queue_change_roles_and_invite(place):
    """S3: add pairs, invite, roles."""
    page = place.page("olga", "/queues")
    page.get_by_text("Add pairs").first.click()
    page.get_by_label("Pairs", exact=False).last.fill("q1 d5\nq1 d1\n")
    page.get_by_role("button", name="Add pairs").click()
    expect(page.get_by_role("status")).to_contain_text("1 pair added, 1 were there already")
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_label("Link of the invitation")).to_have_value(re.compile(r"/invite#.{20,}"))
    page.goto(place.url + "/queues")
    page.get_by_role("button", name="Shut out bob").click()
    assert place.room.person("bob").disabled
    page.get_by_role("button", name="Stop serving pool").click()
    assert [state.closed for state in place.room.queues()] == [True]


def test_the_audit_is_filtered_and_downloaded(place):
    """S8."""
    work = place.room.next("ada")
    place.room.judge("ada", work.item, AssessorAnswer("judged", 1), client_id="x")
    page = place.page("olga", "/audit")
    page.get_by_label("Kind").select_option("judge")
    page.get_by_role("button", name="Show").click()
    assert page.locator("tbody tr").count() == 1
    expect(page.locator("tbody")).to_contain_text("grade 1")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1
    assert f'"item": "{work.item}"' in lines[0]


def test_settings_are_kept_and_refused_where_two_actions_have_one_key(place):
    """S9, A11Y-2."""
    page = place.page("ada", "/settings")
    page.get_by_label("later, at the end").fill("x")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("already")
    page.get_by_label("later, at the end").fill("l")
    page.get_by_label("Size of text").select_option("large")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status")).to_have_text("Saved.")
    assert page.locator("html").get_attribute("data-text") == "large"
    assert place.room.settings("ada")["keymap"] == {"later": "l"}
    page.get_by_role("button", name="Sign out everywhere").click()
    page.wait_for_url("**/login*")


def test_home_tells_assessors_their_own_work_and_owners_the_loop(place):
    """S1."""
    ada = place.page("ada", "/")
    expect(ada.locator("main")).to_contain_text("of 8 judged by you")
    assert ada.get_by_role("link", name="Begin judging").count() == 1
    assert ada.locator(".loop").count() == 0
    olga = place.page("olga", "/")
    assert olga.locator(".loop li").count() == 5
    assert olga.locator(".card").count() == 1


def test_agreement_shows_coefficients_confusion_and_what_to_settle(shared_place):
    """S4, BLD-4: hidden from an owner who has pairs to judge."""
    place = shared_place
    item = dispute(place)
    page = place.page("eve", "/agreement")
    expect(page.get_by_role("region", name="Coefficients")).to_contain_text("Cohen κ")
    expect(page.locator(".confusion .cell")).to_have_count(4)
    expect(page.get_by_role("link", name="settle")).to_have_attribute("href", f"/adjudicate/{item}")
    place.room.set_roles("olga", "olga", ("owner", "assessor"))
    hidden = place.page("olga", "/agreement")
    expect(hidden.locator("main")).to_contain_text("shown to you when you have no pairs left")
    assert hidden.locator("table").count() == 0
