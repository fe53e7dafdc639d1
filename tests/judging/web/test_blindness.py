"""Raw responses to an assessor hold nothing that blindness forbids (BLD-1, SEC-11), on any route, in body or header."""

import re

import pytest

from cranfield.judging.exporting.raw import RAW_FORMS, raw_form
from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, DocumentRow, PairRow, QueueRow, TopicRow, Work
from cranfield.judging.room import Room
from cranfield.judging.web.app import application
from cranfield.judging.web.doors import Doors
from cranfield.judging.web.routes import ROUTES
from cranfield.judging.web.settings import ServerSettings
from tests.judging.web.rooms import Hands, Place

SECRETS = (
    "run-secret",  # names of runs
    "stratum-secret",
    "queue-secret",
    "file-secret",  # of the pool
    "0.123457",  # inclusion probability
    "note-secret",  # what others wrote
    "reason-secret",
    "bob-secret",  # who else judges
    "model-secret",  # a model, and its labels
    "77:88",  # passages that others marked
    "score-secret",
)
PAIRS = 12


@pytest.fixture
def secret(tmp_path):
    """A lab full of secrets: another assessor, a model and an adjudicator have judged, and the assessor has begun."""
    pairs = [PairRow(f"q{n % 3}", f"d{n}", "stratum-secret", 0.123457) for n in range(PAIRS)]
    pairs += [PairRow("q1", "dgold", "stratum-secret", 0.123457, grade=1)]
    pool = {"file": "file-secret", "runs": ["run-secret-a", "run-secret-b"], "scores": ["score-secret"]}
    queue = QueueRow("queue-secret", k=2, pool=pool, gold_rate=0.2, seed=3)
    topics = [TopicRow(f"q{n}", f"need {n}") for n in range(3)]
    texts = [DocumentRow(pair.document, f"title {pair.document}", body=f"text of {pair.document}") for pair in pairs]
    Lab.create_from_rows(
        tmp_path / "lab.db", pairs, topics, texts, {0: "No", 1: "Yes"}, queue=queue, guidelines="Read."
    )
    room = Room.open(tmp_path / "lab.db", clock=Hands().clock())
    room.add_user("bob-secret")
    room.add_user("model-secret", kind="llm")
    room.add_user("judge")
    room.add_user("boss", ("owner", "adjudicator"))
    for name, most in (("bob-secret", PAIRS), ("judge", 5)):
        for number in range(most):
            work = room.next(name)
            if not isinstance(work, Work):
                break
            mine = name == "judge"
            cannot = not mine and number % 5 == 4
            answer = AssessorAnswer(
                "cannot" if cannot else "judged",
                None if cannot else int(mine),
                note="my own note" if mine else "note-secret",
                marks=() if mine else ((77, 88),),
                reason="" if not cannot else "reason-secret",
            )
            room.judge(name, work.item, answer, client_id=f"{name}{number}", method="key")
    doors = Doors(room, ServerSettings())
    yield Place(room, doors, Hands(), application(room, doors.settings, doors))
    room.close()


def blind(answer) -> None:
    """No secret stands in a header or in the body of a response."""
    raw = f"{answer.status_code} {dict(answer.headers)}\n{answer.text}"
    assert not [word for word in SECRETS if word in raw], (answer.request.url, raw[:400])


def walk(place, client, items):
    """Every route of the table, with every item; what each answered."""
    for row in ROUTES:
        if row.page.startswith("entry:") or row.path.startswith("/static"):
            continue
        paths = [row.path.replace("{item}", item) for item in items] if "{item}" in row.path else [row.path]
        for path in paths:
            for accept in ("text/html", "application/json"):
                data = {"item": items[0], "grade": "1", "status": "judged"} if row.method == "POST" else None
                if row.page in ("entry:sign_out", "settings:change"):
                    data = {}
                yield client.request(row.method, path.replace("{topic}", "q1"), data=data, headers={"accept": accept})


def client_of(place, name):
    client = place.client()
    session = place.doors._begin(name)
    client.cookies.set(place.doors.settings.cookie(False), session)
    visitor = place.doors.visitor(session)
    client.headers.update({"origin": "http://127.0.0.1:8765", "x-csrf-token": visitor.csrf})
    return client


def test_bld_1_sec_11_no_response_to_an_assessor_tells_a_secret(secret):
    client = client_of(secret, "judge")
    items = [row[0] for row in secret.room.read().execute("SELECT id FROM items")]
    answers = list(walk(secret, client, items))
    for answer in answers:
        blind(answer)
    assert sum(answer.status_code == 200 for answer in answers) > 20
    for path in ("/judge?part=work", "/judge?after=" + items[0], "/?x=1", "/judge?queue=1", "/settings?saved=yes"):
        blind(client.get(path))


def test_bld_1_the_secrets_are_there_for_owners(secret):
    client = client_of(secret, "boss")
    seen = "".join(client.get(path).text for path in ("/queues", "/audit", "/adjudicate"))
    assert "queue-secret" in seen
    assert "bob-secret" in seen


def test_bld_1_an_owner_who_judges_reads_no_answers_of_others_in_the_events(secret):
    secret.room.add_user("both", ("owner", "assessor"))
    client = client_of(secret, "both")
    for path in ("/audit", "/audit?form=jsonl", "/audit?kind=judge", "/audit?actor=bob-secret&form=jsonl"):
        page = client.get(path)
        assert page.status_code == 200
        assert "hidden" in page.text
        assert not [word for word in ("note-secret", "reason-secret") if word in page.text], path
        gold = secret.room.read().execute("SELECT item FROM gold").fetchone()[0]
        assert f'{{"{gold}"' not in page.text.replace("&#34;", '"')
    secret.room.close_queue("boss", 1)
    assert "note-secret" in client.get("/audit?form=jsonl").text


def test_bld_2_ids_of_items_are_128_random_bits(secret):
    items = [row[0] for row in secret.room.read().execute("SELECT id FROM items")]
    assert len(set(items)) == PAIRS + 1
    assert all(len(item) == 32 and int(item, 16) >= 0 for item in items)


def test_bld_4_an_assessor_sees_no_agreement_while_items_are_open(secret):
    client = client_of(secret, "judge")
    assert client.get("/agreement").status_code == 403
    assert client.get("/adjudicate").status_code == 403


def test_app_5_progress_is_that_of_the_own_work_and_nobody_is_ranked(secret):
    own, other = (secret.room.own_progress(name) for name in ("judge", "bob-secret"))
    assert (own.done, other.done) == (5, PAIRS)
    client = client_of(secret, "judge")
    for path in ("/", "/judge"):
        page = client.get(path)
        blind(page)
        words = " ".join(re.sub("<[^>]*>", " ", page.text).split())
        assert f"{own.done} of {own.total}" in words
        assert f"{other.done} of" not in words


def test_sec_10_items_of_others_are_404(secret):
    """A pair that two others have judged, and one that does not exist, look the same to a third."""
    secret.room.add_user("third")
    taken = (
        secret.room.read()
        .execute(
            "SELECT item FROM current WHERE item NOT IN (SELECT item FROM gold) "
            "GROUP BY item HAVING count(DISTINCT assessor) = 2"
        )
        .fetchall()
    )
    assert taken
    client = client_of(secret, "third")
    for path in (f"/judge/{taken[0][0]}", f"/doc/{taken[0][0]}", "/judge/" + "0" * 32, "/doc/" + "0" * 32):
        answer = client.get(path, headers={"accept": "application/json"})
        assert answer.status_code == 404, path
        blind(answer)
    posted = client.post("/judgments", data={"item": taken[0][0], "grade": "1", "client_id": "x"})
    assert posted.status_code in (404, 409)


def test_sec_3_get_changes_no_judgment_person_or_setting(secret):
    def state():
        kept = ("events", "leases", "sessions")  # what is noted, held, and in use
        store = secret.room.read()
        tables = [row[0] for row in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {table: store.execute(f"SELECT * FROM {table}").fetchall() for table in tables if table not in kept}

    items = [row[0] for row in secret.room.read().execute("SELECT id FROM items")]
    last = secret.room.events(limit=1)[0].id
    for name in ("judge", "boss"):
        client, before = client_of(secret, name), state()
        for row in ROUTES:
            if row.method == "GET":
                for item in items[:3]:
                    client.get(
                        row.path.replace("{item}", item).replace("{topic}", "q1").replace("{path:path}", "room.css")
                    )
                    client.head(row.path.replace("{item}", item).replace("{topic}", "q1"))
        secret.room.write(lambda store: None)  # what was noted is on disk
        assert state() == before
    noted = {event.kind for event in secret.room.events(limit=10_000) if event.id > last}
    assert noted <= {
        "claim",
        "release",
        "expire",
        "export",
        "login",
    }  # pairs held, downloads; the sessions of this test


def test_sec_14_a_note_has_10000_characters_at_most(secret):
    client = client_of(secret, "judge")
    work = secret.room.next("judge")
    data = {"item": work.item, "grade": "1", "client_id": "long"}
    assert client.post("/judgments", data={**data, "note": "x" * 10_001}).status_code == 413
    assert client.post("/judgments", data={**data, "note": "x" * 10_000}).status_code == 303


def test_owners_download_qrels_and_all_judgments(secret):
    client = client_of(secret, "boss")
    assert len(client.get("/export/qrels.txt?rule=max").text.splitlines()) > 5
    raw = client.get("/export/raw.jsonl")
    assert "note-secret" in raw.text
    assert raw.headers["content-disposition"] == 'attachment; filename="raw.jsonl"'
    assert "note-secret" in client.get("/export/raw.csv").text
    assert client.get("/export/raw.parquet").content[:4] == b"PAR1"
    assert client.get("/export/raw.exe").status_code == 404
    assert client.get("/export/qrels.txt?rule=magic").status_code == 400
    assert client_of(secret, "judge").get("/export/qrels.txt").status_code == 403


def test_a_form_of_raw_judgments_that_is_registered_is_offered_and_sent(secret):
    raw_form("mine-own", "my own form", media="text/mine")(lambda rows: f"{len(rows)} made in a test\n".encode())
    try:
        client = client_of(secret, "boss")
        page = client.get("/queues").text
        assert '<a class="button" href="/export/raw.mine-own">Every judgment as my own form</a>' in page
        sent = client.get("/export/raw.mine-own")
        assert sent.text.endswith("made in a test\n")
        assert sent.headers["content-type"].startswith("text/mine")
    finally:
        RAW_FORMS.remove("mine-own")


def test_a_download_is_an_event(secret):
    client_of(secret, "boss").get("/export/qrels.txt?rule=max")
    secret.room.write(lambda store: None)  # what was noted is on disk
    (event,) = secret.room.events(kind="export")
    assert (event.actor, event.new["rule"], event.new["files"]) == ("boss", "max", ["qrels.txt"])
