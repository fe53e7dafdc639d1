"""Large targets on a phone, contrast and size of text as chosen (A11Y-1, A11Y-5); axe-core is in test_screens."""


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
