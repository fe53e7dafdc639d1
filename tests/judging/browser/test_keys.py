"""Keys of the judging page, PRODUCT 5.3: what they do, and when they do nothing."""

import pytest
from playwright.sync_api import expect

from tests.judging.browser.rooms import SHOWN


def grades_of(place, name="ada"):
    """What an assessor has judged: item -> grade."""
    return {one.judgment.item: one.judgment.answer.grade for one in place.room.last_ten(name)}


@pytest.mark.parametrize("grade", [0, 1, 2])
def test_a_digit_is_the_grade(place, grade):
    """5.3: digit 1 means grade 1."""
    ada = place.judging("ada")
    item = ada.grade(grade)
    assert grades_of(place) == {item: grade}


def test_a_digit_typed_in_the_note_judges_nothing_and_the_note_is_saved_with_the_grade(place):
    """5.3."""
    ada = place.judging("ada")
    item = ada.item
    ada.press("c")
    ada.page.keyboard.type("2 of 3 parts, s x u")
    assert (ada.item, grades_of(place)) == (item, {})
    ada.press("Escape")
    ada.grade(1)
    (kept,) = place.room.last_ten("ada")
    assert (kept.judgment.answer.grade, kept.judgment.answer.note) == (1, "2 of 3 parts, s x u")


def test_a_held_key_judges_one_document(place):
    """5.3: event.repeat."""
    ada = place.judging("ada")
    item = ada.item
    ada.page.keyboard.down("2")
    ada.wait_for_another(item)
    for _ in range(5):
        ada.page.keyboard.down("2")  # Playwright sends it as a repetition
    ada.page.keyboard.up("2")
    ada.said("Saved, grade 2")
    assert grades_of(place) == {item: 2}


@pytest.mark.parametrize("keys", ["Control+1", "Alt+1", "Meta+1"])
def test_a_digit_with_a_modifier_judges_nothing(place, keys):
    """5.3."""
    ada = place.judging("ada")
    ada.press(keys)
    ada.press("f")  # something that a key does do
    expect(ada.page.locator(f"{SHOWN} [name=flag]")).to_be_checked()
    assert grades_of(place) == {}


def test_a_key_of_a_composition_judges_nothing(place):
    """5.3: isComposing."""
    ada = place.judging("ada")
    ada.page.evaluate(
        "() => document.dispatchEvent(new KeyboardEvent('keydown', {key: '1', isComposing: true, bubbles: true}))"
    )
    ada.press("f")
    expect(ada.page.locator(f"{SHOWN} [name=flag]")).to_be_checked()
    assert grades_of(place) == {}


def test_keys_work_after_a_click_into_the_document(place):
    """DOC-2."""
    ada = place.judging("ada")
    ada.focus_document()
    item = ada.grade(2)
    assert grades_of(place) == {item: 2}
    assert ada.page.evaluate("document.activeElement.tagName") == "H2"


@pytest.mark.parametrize("key", ["u", "Backspace", "Control+z"])
def test_undo_takes_back_the_last_judgment_and_shows_it_again(place, key):
    """APP-3."""
    ada = place.judging("ada")
    item = ada.grade(1)
    ada.press(key)
    ada.said("Taken back")
    assert (ada.item, grades_of(place)) == (item, {})


def test_undo_has_no_limit(place):
    """APP-3."""
    ada = place.judging("ada")
    items = [ada.grade(1), ada.grade(2), ada.grade(0)]
    for item in reversed(items):
        ada.press("u")
        ada.page.wait_for_function("it => document.querySelector('.work:not([hidden])').dataset.item === it", arg=item)
    assert grades_of(place) == {}


def test_later_and_cannot_judge_are_answers_without_a_grade(place):
    """5.3: s and x; x asks for a reason."""
    ada = place.judging("ada")
    first = ada.item
    ada.press("s")
    ada.wait_for_another(first)
    second = ada.item
    ada.press("x")
    reason = ada.page.get_by_role("button", name="I cannot read its language")
    expect(reason).to_be_visible()
    reason.press("Enter")
    ada.wait_for_another(second)
    found = {one.judgment.item: one.judgment.answer for one in place.room.last_ten("ada")}
    assert (found[first].status, found[second].status) == ("later", "cannot")
    assert found[second].reason == "I cannot read its language"


def test_next_and_previous_walk_without_judging(place):
    """5.3: n j and p k."""
    ada = place.judging("ada")
    first = ada.grade(2)
    second = ada.item
    ada.press("n")
    ada.wait_for_another(second)
    ada.ready().press("k")
    ada.page.wait_for_url(f"**/judge/{first}")
    expect(ada.page.locator(f"{SHOWN} .grade[aria-pressed=true]")).to_have_attribute("value", "2")
    assert grades_of(place) == {first: 2}


def test_guidelines_and_the_list_of_keys_open_by_key(place):
    """5.3, GUI-1: g and ?."""
    ada = place.judging("ada")
    ada.press("g")
    expect(ada.page.locator("#guide")).to_contain_text("Read all of it.")
    ada.press("Escape")
    expect(ada.page.locator("#guide")).to_be_hidden()
    ada.press("?")
    expect(ada.page.locator("#keys")).to_contain_text("take back your last judgment")
    ada.press("1")
    ada.press("Escape")
    expect(ada.page.locator("#keys")).to_be_hidden()
    assert grades_of(place) == {}


def test_keys_can_be_switched_off_and_given_to_other_actions(place):
    """A11Y-2."""
    place.room.set_settings("ada", {"keys": False})
    ada = place.judging("ada")
    ada.press("2")
    ada.page.get_by_role("button", name="Helps, not alone").click()
    ada.said("Saved, grade 1")
    assert sorted(grades_of(place).values()) == [1]
    place.room.set_settings("bob", {"keymap": {"later": "l"}})
    bob = place.judging("bob")
    item = bob.item
    bob.press("s")
    bob.press("l")
    bob.wait_for_another(item)
    assert place.room.last_ten("bob")[0].judgment.answer.status == "later"


def test_each_action_of_the_list_has_a_control_on_the_page(place):
    """A11Y-2."""
    from cranfield.judging.web.keymap import ACTIONS

    ada = place.judging("ada")
    ada.grade(1)
    for action in ACTIONS:
        control = ada.page.locator(f"[data-action={action.name}]").locator("visible=true")
        assert control.count() == 1, action.name


def test_how_a_judgment_was_made_is_stored(place):
    """APP-6."""
    ada = place.judging("ada")
    ada.grade(2)
    before = ada.item
    ada.page.get_by_role("button", name="Not relevant").click()
    ada.wait_for_another(before)
    events = place.room.events(actor="ada", kind="judge")
    assert [event.method for event in events] == ["pointer", "key"]
    assert all(event.ms_active is not None and event.ms_away is not None for event in events)
