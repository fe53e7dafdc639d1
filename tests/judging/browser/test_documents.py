"""Documents in their frame: DOC-1 to DOC-3, SEC-5, passages with offsets."""

import pytest
from playwright.sync_api import expect

from tests.judging.browser.rooms import SHOWN


def open_document(place, document, name="ada", **options):
    """The judging page of a pair with this document."""
    page = place.judging(name, **options)
    item = {line.document_id: line.item for line in all_work(place, name)}[document]
    page.page.goto(f"{place.url}/judge/{item}")
    return page.ready()


def all_work(place, name):
    """Every pair, in the order in which it is served."""
    after, found = None, {}
    for _ in range(8):
        work = place.room.next(name, after=after)
        found[work.item], after = work, work.item
    return found.values()


def select(page, text):
    """Select a text of the document, as with the mouse."""
    page.evaluate(
        """text => {
            const inside = document.querySelector('.work:not([hidden]) iframe').contentDocument;
            const walker = inside.createTreeWalker(inside.querySelector('article'), 4);
            const nodes = [];
            while (walker.nextNode()) nodes.push(walker.currentNode);
            const whole = nodes.map((node) => node.data).join('');
            const point = (at) => {
                for (const node of nodes) { if (at <= node.length) return [node, at]; at -= node.length; }
            };
            const range = inside.createRange();
            range.setStart(...point(whole.indexOf(text)));
            range.setEnd(...point(whole.indexOf(text) + text.length));
            inside.getSelection().removeAllRanges();
            inside.getSelection().addRange(range);
        }""",
        text,
    )


def test_no_script_can_run_in_the_frame_but_our_keys_do(place):
    """DOC-2, SEC-5."""
    ada = place.judging("ada")
    frame = ada.page.locator(f"{SHOWN} iframe")
    assert frame.get_attribute("sandbox") == "allow-same-origin"
    ada.focus_document()
    ada.press("h")
    ada.said("Highlights off")


def test_a_marked_passage_is_kept_by_its_offsets_and_shown_again(place):
    """5.3: m marks the selected passage; offsets count characters, also beyond the first plane."""
    ada = open_document(place, "d1")
    item, text = ada.item, "𝒳 marks the end"
    select(ada.page, text)
    ada.press("m")
    expect(ada.page.locator(f"{SHOWN} .passages")).to_contain_text("marks the end")
    ada.grade(2)
    (kept,) = place.room.last_ten("ada")
    ((begin, end),) = kept.judgment.answer.marks
    body = place.room.document("ada", item).text
    assert body[begin:end] == text
    ada.page.goto(f"{place.url}/judge/{item}")
    ada.ready()
    marks = ada.page.frame_locator(f"{SHOWN} iframe").locator("mark.passage")
    expect(marks.first).to_have_text(text)


def test_words_of_the_need_are_marks_without_regard_to_case_and_accents(place):
    """DOC-3."""
    ada = open_document(place, "d1")
    marks = ada.page.frame_locator(f"{SHOWN} iframe").locator("mark.term")
    assert marks.all_inner_texts() == ["Merge", "sorted", "files", "Sörted", "sorted"]
    ada.press("h")
    assert marks.first.get_attribute("role") == "none"


def test_find_goes_through_the_document(place):
    """5.3: / finds, Enter goes on, Escape ends."""
    ada = open_document(place, "d1")
    ada.press("/")
    ada.page.keyboard.type("sorted")
    state = ada.page.locator(f"{SHOWN} .find [role=status]")
    expect(state).to_have_text("1 of 3")
    ada.press("Enter")
    expect(state).to_have_text("2 of 3")
    ada.press("Escape")
    expect(ada.page.locator(f"{SHOWN} .find")).to_be_hidden()
    assert ada.page.frame_locator(f"{SHOWN} iframe").locator("mark.found").count() == 0


def test_a_link_of_a_document_opens_only_on_demand(place):
    """SEC-5."""
    ada = open_document(place, "d2")
    ada.page.frame_locator(f"{SHOWN} iframe").get_by_role("link", name="more").click()
    box = ada.page.locator("#link")
    expect(box).to_contain_text("https://x.org/a")
    expect(box.get_by_role("link")).to_have_attribute("rel", "noopener noreferrer")


@pytest.mark.parametrize(
    ("document", "selector", "words"),
    [
        ("d3", "h1", "Bread"),
        ("d4", ".missing >> nth=0", "not in the collection"),
        ("d6", "dl", "https://x.org/thing"),
    ],
)
def test_each_format_is_shown(place, document, selector, words):
    """DOC-1."""
    ada = open_document(place, document)
    expect(ada.page.frame_locator(f"{SHOWN} iframe").locator(selector)).to_contain_text(words)


def test_text_from_right_to_left_and_without_spaces_is_set_as_such(place):
    """DOC-3."""
    ada = open_document(place, "d7")
    inside = ada.page.frame_locator(f"{SHOWN} iframe")
    assert inside.locator("article p").evaluate("one => getComputedStyle(one).direction") == "rtl"
    japanese = open_document(place, "d8", viewport={"width": 320, "height": 640})
    assert japanese.page.evaluate("() => document.documentElement.scrollWidth") <= 320


def test_the_frame_is_as_high_as_its_document(place):
    """The page scrolls, so that space and arrows scroll wherever the focus is."""
    ada = open_document(place, "d5")
    inner = ada.page.evaluate(
        "() => document.querySelector('.work:not([hidden]) iframe').contentDocument.body.getBoundingClientRect().height"
    )
    assert ada.page.locator(f"{SHOWN} iframe").evaluate("one => one.clientHeight") >= inner


def test_a_line_of_a_document_has_about_68_characters_at_most(place):
    """Text is set to be read, in whatever serif the machine has."""
    ada = open_document(place, "d5", viewport={"width": 1600, "height": 900})
    lengths = (
        ada.page.frame_locator(f"{SHOWN} iframe")
        .locator("article p")
        .first.evaluate(
            """one => {
            const range = one.ownerDocument.createRange();
            const walker = one.ownerDocument.createTreeWalker(one, 4);
            const lines = new Map();
            while (walker.nextNode()) {
                const node = walker.currentNode;
                for (let at = 0; at < Math.min(node.length, 4000); at += 1) {
                    range.setStart(node, at);
                    range.setEnd(node, at + 1);
                    const top = Math.round(range.getBoundingClientRect().top);
                    lines.set(top, (lines.get(top) ?? 0) + 1);
                }
            }
            return [...lines.values()].slice(0, -1);
        }"""
        )
    )
    assert 45 <= sum(lengths) / len(lengths) <= 68
