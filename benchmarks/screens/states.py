"""Every screen and every state of it: in which room, for whom, and what one does to get there."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, Route

from benchmarks.screens.odd_documents import LONG_ID
from benchmarks.screens.stage import Stage
from cranfield.judging.records import AssessorAnswer, Work

SHOWN = ".work:not([hidden])"
Act = Callable[[Stage, Page], None]


@dataclass(frozen=True)
class Screen:
    """One state of one screen: a name, the room, the person, the address, and what is done there before one looks."""

    name: str
    room: str
    person: str
    path: str | Callable[[Stage], str]
    act: Act | None = None
    script: bool = True

    @property
    def fills_window(self) -> bool:
        """Whether bars stay in sight when one scrolls: a picture of the whole page would show them in its middle."""
        return self.act is not None and self.path != "/queues" and self.name.startswith(("s2", "s5"))

    def address(self, stage: Stage) -> str:
        """Where it is."""
        return self.path if isinstance(self.path, str) else self.path(stage)


def ready(page: Page) -> None:
    """Wait until the script of the judging page has run and the document is there."""
    page.wait_for_function("() => document.documentElement.style.getPropertyValue('--need')")
    page.frame_locator(f"{SHOWN} iframe").locator("body").wait_for()


def pressed(*keys: str) -> Act:
    """Press keys on the judging page."""

    def act(stage: Stage, page: Page) -> None:
        ready(page)
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_timeout(300)

    return act


def judging(stage: Stage, page: Page) -> None:
    """Nothing more: the page as it comes."""
    ready(page)
    page.wait_for_timeout(150)


def refused(route: Route) -> None:
    """The server cannot store the answer."""
    route.fulfill(status=507, body='{"error": "the disk is full. Make space; nothing is lost."}')


def not_saved(stage: Stage, page: Page) -> None:
    """The red bar: the disk is full."""
    ready(page)
    page.route("**/judgments", refused)
    page.keyboard.press("2")
    page.locator("#unsaved p").get_by_text("Not saved").wait_for()


def lost_network(stage: Stage, page: Page) -> None:
    """The red bar: no answer, and one is tried again."""
    ready(page)
    page.route("**/judgments", lambda route: route.abort())
    page.keyboard.press("1")
    page.locator("#unsaved p").get_by_text("does not answer").wait_for()


def conflict(stage: Stage, page: Page) -> None:
    """A judgment that changed in another window."""
    ready(page)
    _changed_elsewhere(stage, page)
    page.keyboard.press("2")
    page.locator("#conflict[open]").wait_for()


def plain_conflict(stage: Stage, page: Page) -> None:
    """The same without a script."""
    _changed_elsewhere(stage, page)
    page.get_by_label("Answers the need").check()
    page.get_by_role("button", name="Save and next").click()
    page.get_by_role("link", name="Keep").wait_for()


def _changed_elsewhere(stage: Stage, page: Page) -> None:
    item = page.locator(SHOWN).get_attribute("data-item") or ""
    assert stage.room is not None
    mine = stage.room.work("ada", item)
    grade = 1 if mine.mine and mine.mine.answer.grade == 0 else 0
    stage.room.judge("ada", item, AssessorAnswer("judged", grade), client_id=secrets.token_hex(8), version=mine.version)


def lease_ends(stage: Stage, page: Page) -> None:
    """The bar that says that a document goes back."""
    ready(page)
    page.evaluate(
        "() => { const bar = document.getElementById('lease'); bar.hidden = false; bar.querySelector('p').textContent ="
        " 'This document is held for you for 2 more minutes, then it goes back to the queue.'; }"
    )


def marked(stage: Stage, page: Page) -> None:
    """A marked passage and a note."""
    ready(page)
    page.evaluate(
        "() => { const inside = document.querySelector('.work:not([hidden]) iframe').contentDocument;"
        " const text = inside.querySelector('article p'); const range = inside.createRange();"
        " range.selectNodeContents(text); inside.getSelection().removeAllRanges();"
        " inside.getSelection().addRange(range); }"
    )
    page.keyboard.press("m")
    page.keyboard.press("c")
    page.keyboard.type("Section 2 has the numbers.")


def found(stage: Stage, page: Page) -> None:
    """Searching in the document."""
    ready(page)
    page.keyboard.press("/")
    page.keyboard.type("the")
    page.wait_for_timeout(200)


def own(stage: Stage) -> str:
    """A pair that ada has judged."""
    assert stage.room is not None
    return f"/judge/{stage.room.last_ten('ada')[2].judgment.item}"


def ended(stage: Stage) -> str:
    """The end of a topic: after its last pair."""
    assert stage.room is not None
    return f"/judge?after={stage.room.last_ten('ada')[0].judgment.item}"


def odd(document: str) -> Callable[[Stage], str]:
    """The judging page of an odd document."""

    def address(stage: Stage) -> str:
        after: str | None = None
        assert stage.room is not None
        for _ in range(40):
            work = stage.room.next("ada", after=after)
            if isinstance(work, Work) and work.document_id == document:
                return f"/judge/{work.item}"
            after = work.item if isinstance(work, Work) else None
        raise LookupError(document)

    return address


def disputed(stage: Stage) -> str:
    """The pair in dispute that has notes."""
    assert stage.room is not None
    lines = stage.room.disputes("eve")
    noted = [line.item for line in lines if any(j.answer.note for j in stage.room.dispute("eve", line.item).judgments)]
    return f"/adjudicate/{(noted or [line.item for line in lines])[-1]}"


def topic(stage: Stage) -> str:
    """The first topic under the microscope."""
    assert stage.room is not None
    return f"/topics/{stage.room.status().topics[0].topic}?measure=nDCG@10"


def clicked(name: str, role: str = "button") -> Act:
    """Press a control by its words."""

    def act(stage: Stage, page: Page) -> None:
        page.get_by_role(role, name=name).first.click()  # type: ignore[arg-type]
        page.wait_for_load_state("load")

    return act


def opened(stage: Stage, page: Page) -> None:
    """All that can be unfolded, unfolded."""
    page.evaluate("() => document.querySelectorAll('main details').forEach((one) => { one.open = true; })")


def wrong_password(stage: Stage, page: Page) -> None:
    """A wrong password."""
    page.locator("[name=name]").fill("olga")
    page.locator("[name=password]").fill("something else")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()


def one_key_twice(stage: Stage, page: Page) -> None:
    """Settings that cannot be."""
    page.get_by_label("later, at the end").fill("x")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("alert").wait_for()


SCREENS = (
    Screen("s1-owner", "working", "olga", "/"),
    Screen("s1-owner-who-judges", "working", "oscar", "/"),
    Screen("s1-assessor", "working", "ada", "/"),
    Screen("s1-assessor-first-day", "beginning", "ada", "/"),
    Screen("s1-adjudicator", "working", "eve", "/"),
    Screen("s1-viewer", "working", "vera", "/"),
    Screen("s1-first-day", "beginning", "olga", "/"),
    Screen("s1-all-judged", "finished", "olga", "/"),
    Screen("s1-empty", "empty", "olga", "/"),
    Screen("s1-empty-assessor", "empty", "ada", "/"),
    Screen("s1-deciding", "deciding", "olga", "/"),
    Screen("s1-deciding-blind", "deciding", "oscar", "/"),
    Screen("s1-decided", "decided", "olga", "/"),
    Screen("s2-judge", "working", "ada", "/judge", judging),
    Screen("s2-own", "working", "ada", own, judging),
    Screen("s2-keys", "working", "ada", "/judge", pressed("?")),
    Screen("s2-guide", "working", "ada", "/judge", pressed("g")),
    Screen("s2-cannot", "working", "ada", "/judge", pressed("x")),
    Screen("s2-find", "working", "ada", "/judge", found),
    Screen("s2-passage", "working", "ada", "/judge", marked),
    Screen("s2-not-saved", "working", "ada", "/judge", not_saved),
    Screen("s2-lost-network", "working", "ada", "/judge", lost_network),
    Screen("s2-conflict", "working", "ada", own, conflict),
    Screen("s2-lease", "working", "ada", "/judge", lease_ends),
    Screen("s2-plain", "working", "ada", "/judge", None, script=False),
    Screen("s2-plain-conflict", "working", "ada", own, plain_conflict, script=False),
    Screen("s2-end-of-topic", "finished", "ada", ended),
    Screen("s2-all-done", "finished", "ada", "/judge"),
    Screen("s2-held", "held", "ada", "/judge"),
    Screen("s2-long", "odd", "ada", odd("long"), judging),
    Screen("s2-long-id", "odd", "ada", odd(LONG_ID), judging),
    Screen("s2-right-to-left", "odd", "ada", odd("rtl"), judging),
    Screen("s2-cjk", "odd", "ada", odd("cjk"), judging),
    Screen("s2-html", "odd", "ada", odd("page"), judging),
    Screen("s2-fields", "odd", "ada", odd("thing"), judging),
    Screen("s2-missing", "odd", "ada", odd("missing"), judging),
    Screen("s2-long-word", "odd", "ada", odd("word"), judging),
    Screen("s2-pages", "odd", "ada", odd("pages"), judging),
    Screen("s3-queues", "working", "olga", "/queues"),
    Screen("s3-unfolded", "working", "olga", "/queues", opened),
    Screen("s3-invited", "working", "olga", "/queues", clicked("Make a link")),
    Screen("s3-empty", "empty", "olga", "/queues"),
    Screen("s4-agreement", "working", "eve", "/agreement"),
    Screen("s4-owner", "working", "olga", "/agreement?measure=P@5"),
    Screen("s4-none", "beginning", "eve", "/agreement"),
    Screen("s4-hidden", "working", "oscar", "/agreement"),
    Screen("s5-disputes", "working", "eve", "/adjudicate"),
    Screen("s5-adjudicate", "working", "eve", disputed, judging),
    Screen("s5-none", "beginning", "eve", "/adjudicate"),
    Screen("s6-compare", "working", "vera", "/compare"),
    Screen("s6-policies", "working", "olga", "/compare?unjudged=condensed&test=permutation"),
    Screen("s6-wrong", "working", "vera", "/compare?measure=nonsense"),
    Screen("s6-no-runs", "beginning", "vera", "/compare"),
    Screen("s6-hidden", "working", "oscar", "/compare"),
    Screen("s7-topic", "working", "olga", topic),
    Screen("s7-unfolded", "working", "vera", topic, opened),
    Screen("s7-no-runs", "beginning", "vera", topic),
    Screen("s8-audit", "working", "olga", "/audit"),
    Screen("s9-settings", "working", "ada", "/settings"),
    Screen("s9-wrong", "working", "ada", "/settings", one_key_twice),
    Screen("guidelines", "working", "ada", "/guidelines"),
    Screen("decision", "deciding", "olga", "/queues/2"),
    Screen("decision-unfolded", "deciding", "olga", "/queues/2", opened),
    Screen("decision-blind", "deciding", "oscar", "/queues/2"),
    Screen("decision-decided", "decided", "olga", "/queues/2"),
    Screen("decision-new", "working", "olga", "/queues/decide"),
    Screen("login", "team", "", "/login"),
    Screen("login-wrong", "team", "", "/login", wrong_password),
    Screen("login-first", "unclaimed", "", "/login"),
    Screen("setup", "unclaimed", "", "/setup"),
    Screen("invite", "team", "", "/invite#invite=abcdefgh"),
    Screen("not-found", "working", "ada", "/judge/" + "0" * 32),
)

IN_DOCS = {  # pictures of the documentation -> screen, width
    "home": ("s1-owner", 1280),
    "judge": ("s2-judge", 1280),
    "phone": ("s2-judge", 360),
    "agreement": ("s4-agreement", 1280),
    "decide": ("s1-deciding", 1280),
    "compare": ("s6-compare", 1280),
    "topic": ("s7-topic", 1280),
}
