"""Hostile strings in every field, on every page (SEC-6), and in documents of every format (SEC-5)."""

import json
from collections import Counter
from html.parser import HTMLParser

import pytest

from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, DocumentRow, PairRow, QueueRow, TopicRow, Work
from cranfield.judging.room import Room
from cranfield.judging.web.app import application, page_of
from cranfield.judging.web.doors import Doors
from cranfield.judging.web.routes import ROUTES
from cranfield.judging.web.settings import ServerSettings
from tests.judging.hostile import STRINGS
from tests.judging.web.rooms import Hands, Place

HARMLESS = [f"plain {number}" for number in range(len(STRINGS))]
ACTIVE = (
    "script",
    "iframe",
    "form",
    "style",
    "link",
    "meta",
    "object",
    "embed",
    "base",
    "img",
    "svg",
    "input",
    "button",
)
URLS = ("href", "src", "action", "formaction", "data", "poster", "xlink:href")


class Page(HTMLParser):
    """What a browser would see of a page: its elements, their attributes, its text."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: Counter = Counter()
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags[tag] += 1
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_data(self, data):
        self.text += data

    def check(self) -> None:
        """Nothing on the page runs, loads from elsewhere, or has a style of its own."""
        assert not [each for each in self.attributes if each[1].startswith("on") or each[1] in ("style", "srcdoc")]
        for tag, name, value in self.attributes:
            if name in URLS and not (tag == "a" and value.startswith(("http://", "https://"))):
                assert value.startswith(("/", "#", "data:image/")) or value == "", (tag, name, value)
                assert not value.startswith("//"), (tag, name, value)


def filled(folder, texts, format="text") -> Room:
    """A lab with the texts in every field; the person `judge` has judged half of it, an owner and others are there."""
    pairs = [PairRow(f"t{n} {text}", f"d{n} {text}", text) for n, text in enumerate(texts)]
    topics = [TopicRow(f"t{n} {text}", text, text, text) for n, text in enumerate(texts)]
    bodies = [
        DocumentRow(f"d{n} {text}", text, format, text, {"url": text, text: text}) for n, text in enumerate(texts)
    ]
    queue = QueueRow("queue " + "".join(texts), k=2, pool={"file": "".join(texts), "runs": list(texts)})
    labels = {grade: texts[grade] for grade in range(10)}
    Lab.create_from_rows(
        folder / "lab.db", pairs, topics, bodies, labels, queue=queue, guidelines="\n\n".join(texts), name=texts[0]
    )
    room = Room.open(folder / "lab.db", clock=Hands().clock())
    for name in (f"judge {texts[3]}", f"other {texts[0]}"):
        room.add_user(name, ("assessor",))
        room.set_settings(name, {"keymap": dict(zip(("next", "undo"), texts, strict=False))})
        for n, text in enumerate(texts[:20]):
            work = room.next(name)
            assert isinstance(work, Work)
            judged = AssessorAnswer("judged", n % 10, note=text, flag=True, reason=text)
            answer = judged if n % 3 else AssessorAnswer("cannot", None, note=text, reason=text)
            room.judge(name, work.item, answer, client_id=f"{name} {n}", method="key")
    room.add_user(f"owner {texts[12]}", ("owner", "adjudicator"))
    return room


def browser(place: Place, name: str):
    """A client with a session of a person whose name is no text for a form."""
    client = place.client()
    session = place.doors._begin(name)
    client.cookies.set(place.doors.settings.cookie(False), session)
    return client


def pages(folder, texts):
    """Every page that people with roles see, by who and path."""
    folder.mkdir()
    room = filled(folder, texts)
    doors = Doors(room, ServerSettings())
    place = Place(room, doors, Hands(), application(room, doors.settings, doors))
    names = [person.name for person in room.people()]
    items = [row[0] for row in room.read().execute("SELECT id FROM items ORDER BY document")]
    found = {}
    for who, name in (("judge", names[0]), ("owner", names[2])):
        client = browser(place, name)
        for row in ROUTES:
            if row.method != "GET" or row.path.startswith("/static") or not _is_there(row):
                continue
            chosen = items[:12] if "{item}" in row.path else [""]
            for number, item in enumerate(chosen):
                answer = client.get(row.path.replace("{item}", item))
                assert answer.status_code < 500, (who, row.path, answer.text[-300:])
                if answer.headers.get("content-type", "").startswith("text/html"):
                    found[who, row.path, number, answer.status_code] = answer.text
    room.close()
    return found


def _is_there(row) -> bool:
    try:
        return page_of(row) is not None
    except ModuleNotFoundError:
        return False


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The pages of two labs: with harmless and with hostile texts."""
    folder = tmp_path_factory.mktemp("hostile")
    return pages(folder / "harmless", HARMLESS), pages(folder / "hostile", STRINGS)


def test_sec_6_there_are_30_strings():
    assert len(set(STRINGS)) == 30


def test_sec_6_no_page_breaks_or_runs_what_a_field_holds(both):
    harmless, hostile = both
    assert set(harmless) <= set(hostile) | {key for key in harmless if "doc" in key[1]}
    assert len(hostile) > 20
    for key, text in hostile.items():
        page = Page(text)
        page.check()
        if key in harmless and not key[1].startswith(("/guidelines", "/doc")):  # whose marks are meant
            plain = Page(harmless[key])
            assert {tag: page.tags[tag] for tag in ACTIVE} == {tag: plain.tags[tag] for tag in ACTIVE}, key
            assert {each[:2] for each in page.attributes} <= {each[:2] for each in plain.attributes} | {
                ("mark", "class")
            }


def test_sec_6_what_a_field_holds_is_shown_as_it_is(both):
    seen = "".join(Page(text).text for key, text in both[1].items())
    for text in STRINGS[:10] + STRINGS[17:26]:
        assert text in seen, text
    assert "49" not in Page(both[1]["owner", "/", 0, 200]).text.replace("7*7", "")


@pytest.mark.parametrize("format", ["text", "markdown", "html", "fields"])
def test_sec_5_documents_of_every_format_hold_nothing_active(tmp_path, format):
    room = filled(tmp_path, STRINGS, format)
    doors = Doors(room, ServerSettings())
    place = Place(room, doors, Hands(), application(room, doors.settings, doors))
    client = browser(place, room.people()[0].name)
    items = [row[0] for row in room.read().execute("SELECT id FROM items")]
    shown = [client.get(f"/doc/{item}") for item in items]
    assert [answer.status_code for answer in shown].count(200) >= 20
    for answer in shown:
        page = Page(answer.text)
        page.check()
        forbidden = {"script", "iframe", "form", "object", "embed", "base", "svg", "input", "button", "style"}
        assert not forbidden & set(page.tags)
        assert not [
            each
            for each in page.attributes
            if each[0] == "img" and not each[2].startswith("data:") and each[1] == "src"
        ]
        if answer.status_code == 200:
            assert "sandbox allow-same-origin" in answer.headers["content-security-policy"]
    room.close()


def test_sec_12_a_path_in_an_id_reaches_no_file(place):
    client = place.signed_in("ann", "owner", "assessor")
    for path in ("../../../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%2e%2e/%2e%2e/etc/passwd", "....//etc/passwd"):
        for base in ("/static/", "/doc/", "/judge/", "/topics/"):
            answer = client.get(base + path)
            assert answer.status_code in (303, 404), base + path
            assert "root:" not in answer.text


def test_sec_6_hostile_fields_of_forms_are_kept_as_they_are(place):
    client = place.signed_in("ann", "assessor")
    for number, text in enumerate(STRINGS[:6]):
        work = place.room.next("ann-assessor")
        if not isinstance(work, Work):
            break
        data = {"item": work.item, "grade": "1", "note": text, "client_id": f"{number}{text}"}
        answer = client.post("/judgments", data=data)
        assert answer.status_code in (303, 200), answer.text
        notes = [row[0] for row in place.room.read().execute("SELECT note FROM current ORDER BY event")]
        assert notes[-1] == text
    assert json.dumps(notes)
