"""Rooms for browser tests: a lab with all formats of documents, people, and what a person does on the judging page."""

from contextlib import suppress

from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from benchmarks.screens.rooms import GRADES, PEOPLE
from benchmarks.screens.stage import sign_in
from cranfield.judging.lab import Lab
from cranfield.judging.records import DocumentRow, PairRow, QueueRow, TopicRow
from cranfield.judging.room import Room
from cranfield.judging.web.app import application
from cranfield.judging.web.settings import ServerSettings

SHOWN = ".work:not([hidden])"
LONG = " ".join(f"Sentence {number} of a long document." for number in range(400))
DOCUMENTS = [
    DocumentRow("d1", "Merging", body="Merge several sorted files.\n\nSörted inputs stay sorted; 𝒳 marks the end."),
    DocumentRow("d2", "A page", format="html", body='<h1>Files</h1><p>Sorted. <a href="https://x.org/a">more</a></p>'),
    DocumentRow("d3", "A recipe", format="markdown", body="# Bread\n\n*Flour* and water."),
    DocumentRow("d4", "", body=None),
    DocumentRow("d5", "Long", body=LONG),
    DocumentRow("d6", "A thing", format="fields", fields={"price": 3, "url": "https://x.org/thing"}),
    DocumentRow("d7", "مستند", body="هذا نص عربي عن الملفات."),
    DocumentRow("d8", "並べ替え", body="整列されたファイルを併合する。" * 40),
]
TOPICS = [
    TopicRow("q1", "Merge sorted files", "One stream from many sorted inputs.", "Sorting after joining does not help."),
    TopicRow("q2", "Bake bread"),
]


def make_lab(path, **queue) -> Lab:
    """Two topics of four documents each."""
    pairs = [PairRow("q1" if place < 4 else "q2", row.document) for place, row in enumerate(DOCUMENTS)]
    return Lab.create_from_rows(
        path,
        pairs,
        TOPICS,
        DOCUMENTS,
        GRADES,
        queue=QueueRow("pool", **queue),
        guidelines="# How to judge\n\nRead *all* of it.",
        name="A lab",
    )


class BrowserRoom:
    """A served room, and browsers of the people in it."""

    def __init__(self, browser: Browser, server, lab: Lab) -> None:
        self.browser, (self.switch, port) = browser, server
        self.room = Room.open(lab.path)
        self.settings = ServerSettings(port=port)
        self.url = self.settings.local_address.rstrip("/")
        self.switch.app = application(self.room, self.settings)
        self.contexts: list[BrowserContext] = []
        self.errors: list[str] = []
        for name, roles in PEOPLE.items():
            self.room.add_user(name, roles)

    def context(self, name: str, **options) -> BrowserContext:
        """A browser in which a person is signed in; any error of a script fails the test."""
        context = self.browser.new_context(**options)
        sign_in(context, self.room, self.settings, name)
        self.contexts.append(context)
        return context

    def page(self, name: str, path: str = "/judge", **options) -> Page:
        """A page of the room in a new browser of a person."""
        page = self.context(name, **options).new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.url + path)
        page.set_default_timeout(15_000)
        return page

    def judging(self, name: str, **options) -> "JudgingPage":
        """The judging page of a person, when its script and its first document are ready."""
        return JudgingPage(self.page(name, **options)).ready()

    def close(self) -> None:
        """Close browsers and room; errors of scripts fail the test."""
        for context in self.contexts:
            with suppress(Error):
                context.close()
        self.room.close()
        assert self.errors == []


class JudgingPage:
    """What an assessor sees and does."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def ready(self) -> "JudgingPage":
        """Wait until the document is shown and keys work in it."""
        self.page.wait_for_function("() => document.documentElement.style.getPropertyValue('--need')")
        self.page.frame_locator(f"{SHOWN} iframe").locator("body").wait_for()
        return self

    @property
    def item(self) -> str:
        """The pair that is shown."""
        return self.page.locator(SHOWN).get_attribute("data-item") or ""

    @property
    def heading(self) -> str:
        """The title of the document that is shown."""
        return self.page.locator(f"{SHOWN} h2").inner_text()

    def press(self, key: str) -> None:
        """Press a key."""
        self.page.keyboard.press(key)

    def grade(self, grade: int) -> str:
        """Judge by key, and wait for the next document; the pair that was judged."""
        before = self.item
        self.press(str(grade))
        self.wait_for_another(before)
        return before

    def wait_for_another(self, item: str) -> None:
        """Wait until another document is shown, or the end of the topic, and the script of its page is ready."""
        self.page.wait_for_function(
            "before => document.readyState === 'complete'"
            " && document.querySelector('.work:not([hidden])')?.dataset.item !== before",
            arg=item,
        )

    def said(self, words: str) -> None:
        """The live region says this."""
        expect(self.page.locator("#said")).to_contain_text(words)

    def focus_document(self) -> None:
        """Click into the document."""
        self.page.frame_locator(f"{SHOWN} iframe").locator("body").click()
        assert self.page.evaluate("document.activeElement.tagName") == "IFRAME"
