"""Sessions, passwords, setup and invite links (SEC-7, 8, 9)."""

import re
import threading
from http.cookies import SimpleCookie

import pytest
from argon2.exceptions import Argon2Error

from cranfield.errors import PolicyError
from cranfield.judging.accounts.enrolling import disable_account, invite, set_password
from cranfield.judging.accounts.tokens import hashed
from cranfield.judging.web import passwords
from cranfield.judging.web.settings import ServerSettings
from tests.judging.web.rooms import HOME, PASSWORD, SAME, form_token, hashed_once, opened


def noted(place):
    """Wait until what a request left to be written is on disk."""
    place.room.write(lambda store: None)


def sign_in(client, name="ann", password=PASSWORD, **fields):
    """Fill in the form for signing in and send it."""
    token = form_token(client.get("/login").text)
    return client.post("/login", data={"csrf": token, "name": name, "password": password, **fields}, headers=SAME)


def session_cookie(answer) -> SimpleCookie:
    """The cookie of the session that an answer sets."""
    texts = [text for text in answer.headers.get_list("set-cookie") if "-form=" not in text]
    assert len(texts) == 1
    return SimpleCookie(texts[0])


@pytest.fixture
def accounts(entry):
    """A room with one account."""
    entry.add("ann", "assessor")
    return entry


def rows(place, table):
    """All rows of a table."""
    return place.room.read().execute(f"SELECT * FROM {table}").fetchall()


def test_sec_7_a_session_has_256_random_bits_of_which_only_the_hash_is_kept(accounts):
    answer = sign_in(accounts.client())
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    ((name, cookie),) = session_cookie(answer).items()
    assert name == "cranfield-8765"
    assert len(cookie.value) == 43  # 32 bytes in base64
    kept = str(rows(accounts, "sessions")) + str(rows(accounts, "events"))
    assert cookie.value not in kept
    assert hashed(cookie.value) in kept


def test_sec_7_the_cookie_is_for_our_own_pages_and_no_script(accounts):
    (cookie,) = session_cookie(sign_in(accounts.client())).values()
    assert cookie["httponly"] is True
    assert (cookie["samesite"], cookie["path"], cookie["secure"], cookie["domain"]) == ("Lax", "/", "", "")


def test_sec_7_under_https_the_cookie_is_secure_and_of_this_host_alone(tmp_path):
    settings = ServerSettings(public_url="https://judge.example.org", trusted_proxies=("10.1.1.1",))
    with opened(tmp_path, settings, stub="inside") as place:
        place.add("ann", "assessor")
        client = place.client(headers={"host": "judge.example.org", "x-forwarded-proto": "https"})
        token = form_token(client.get("https://judge.example.org/login").text)
        data = {"csrf": token, "name": "ann", "password": PASSWORD}
        origin = {"origin": "https://judge.example.org"}
        ((name, cookie),) = session_cookie(
            client.post("https://judge.example.org/login", data=data, headers=origin)
        ).items()
        assert name.startswith("__Host-")
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


def test_sec_7_a_session_ends_after_12_hours_without_a_request(accounts):
    client = accounts.client()
    sign_in(client)
    accounts.hands.forward(hours=11.9)
    assert client.get("/").status_code == 200
    noted(accounts)
    accounts.hands.forward(hours=11.9)
    assert client.get("/").status_code == 200
    noted(accounts)
    accounts.hands.forward(hours=12)
    assert client.get("/").headers["location"] == "/login"


def test_sec_7_a_session_ends_after_7_days_at_most(accounts):
    client = accounts.client()
    sign_in(client)
    for _ in range(16):
        accounts.hands.forward(hours=10)
        assert client.get("/").status_code == 200
        noted(accounts)
    accounts.hands.forward(hours=8)
    assert client.get("/").status_code == 303


def test_no_request_waits_until_its_session_is_noted(accounts):
    client = accounts.client()
    sign_in(client)
    begun, free = threading.Event(), threading.Event()

    def long_job(store):
        begun.set()
        free.wait(60)

    busy = threading.Thread(target=accounts.room.write, args=(long_job,))
    busy.start()
    assert begun.wait(60)
    accounts.hands.forward(hours=1)
    try:
        assert client.get("/guidelines").status_code == 200  # it only reads, and the thread that writes is busy
        assert not free.is_set()
    finally:
        free.set()
        busy.join()


def test_sec_7_signing_in_makes_a_new_session_and_ends_the_one_before(accounts):
    client, thief = accounts.client(), accounts.client()
    sign_in(client)
    name = accounts.doors.settings.cookie(False)
    before = client.cookies[name]
    thief.cookies.set(name, before)
    assert thief.get("/").status_code == 200
    client.cookies.delete(name)
    client.cookies.set(name, before)
    data = {"csrf": accounts.doors.visitor(before).csrf, "name": "ann", "password": PASSWORD}
    answer = client.post("/login", data=data, headers=SAME)
    (cookie,) = session_cookie(answer).values()
    assert cookie.value != before
    assert thief.get("/").status_code == 303


def test_sec_7_a_session_that_a_visitor_made_up_is_none(accounts):
    client = accounts.client()
    client.cookies.set("cranfield-8765", "x" * 43)
    sign_in_answer = sign_in(client)
    (cookie,) = session_cookie(sign_in_answer).values()
    assert cookie.value != "x" * 43
    assert accounts.doors.visitor("x" * 43) is None


def test_sec_7_signing_out_ends_the_session_on_the_server(accounts):
    client = accounts.signed_in("bob", "viewer")
    name = accounts.doors.settings.cookie(False)
    session = client.cookies[name]
    answer = client.post("/logout")
    assert (answer.status_code, answer.headers["location"]) == (303, "/login")
    assert accounts.doors.visitor(session) is None
    assert SimpleCookie(answer.headers["set-cookie"])[name]["max-age"] == "0"


def test_sec_7_signing_out_everywhere_ends_all_sessions_of_the_person(accounts):
    here, there = accounts.signed_in("bob", "viewer"), accounts.signed_in("bob", "viewer")
    other = accounts.signed_in("eve", "viewer")
    here.post("/logout", data={"everywhere": "1"})
    assert there.get("/").status_code == 303
    assert other.get("/").status_code == 200


def test_sec_7_a_shut_account_and_a_new_password_end_all_sessions(accounts):
    client = accounts.signed_in("bob", "viewer")
    now = accounts.room.clock.now()
    accounts.room.write(lambda store: disable_account(store, "bob-viewer", actor="ann", now=now))
    assert client.get("/").status_code == 303
    accounts.room.write(lambda store: disable_account(store, "bob-viewer", disabled=False, actor="ann", now=now))
    assert client.get("/").status_code == 303
    client = accounts.signed_in("bob", "viewer")
    accounts.room.write(lambda store: set_password(store, "bob-viewer", hashed_once("x" * 12), actor="ann", now=now))
    assert client.get("/").status_code == 303


def test_sec_8_passwords_are_argon2id_and_have_10_characters():
    assert hashed_once(PASSWORD).startswith("$argon2id$")
    with pytest.raises(PolicyError, match="the password has 9 characters"):
        passwords.hash_password("x" * 9)
    with pytest.raises(PolicyError, match="at most 1,000"):
        passwords.hash_password("x" * 1001)


def test_sec_8_a_damaged_hash_lets_no_one_in():
    assert not passwords.is_password("nonsense", PASSWORD)
    assert not passwords.is_password("", PASSWORD)


def test_sec_8_five_failures_of_an_account_shut_it_for_15_minutes(accounts):
    client = accounts.client("10.1.1.1")
    for number in range(4):
        assert sign_in(accounts.client(f"10.2.0.{number}"), password="wrong password").status_code == 401
    fifth = sign_in(accounts.client("10.2.0.9"), password="wrong password")
    assert (fifth.status_code, fifth.headers["retry-after"]) == (429, "900")
    accounts.hands.forward(minutes=14)
    refused = sign_in(client)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    accounts.hands.forward(minutes=1)
    assert sign_in(client).status_code == 303


def test_sec_8_five_failures_from_an_address_shut_it_for_all_accounts(accounts):
    accounts.add("bob", "assessor")
    for number in range(5):
        sign_in(accounts.client("10.6.6.6"), name=f"name{number}", password="wrong password")
    assert sign_in(accounts.client("10.6.6.6")).status_code == 429
    assert sign_in(accounts.client("10.1.1.1")).status_code == 303


def test_sec_8_failures_are_kept_when_the_server_starts_again(tmp_path):
    with opened(tmp_path, stub="inside") as place:
        place.add("ann", "assessor")
        for _ in range(5):
            sign_in(place.client(), password="wrong password")
    with opened(tmp_path, stub="inside", new=False) as again:
        answer = sign_in(again.client("10.9.9.9"))
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 0


def test_sec_8_an_unknown_user_costs_one_verification_as_a_known_one_does(accounts, monkeypatch):
    counted = []

    class Counting:
        def verify(self, kept, password):
            counted.append(kept[:9])
            raise Argon2Error

        def hash(self, password):
            return "$argon2id of no account"

    monkeypatch.setattr(passwords, "_HASHER", Counting())
    passwords._of_no_account.cache_clear()
    for name in ("ann", "someone else", "x" * 5000, ""):
        answer = sign_in(accounts.client(f"10.3.0.{len(counted)}"), name=name, password="wrong password")
        assert "Name or password is wrong." in answer.text
    assert counted == ["$argon2id"] * 4
    passwords._of_no_account.cache_clear()


def test_sec_8_the_name_that_was_tried_is_not_on_the_page(accounts):
    answer = sign_in(accounts.client(), name="<script>alert(1)</script>", password="wrong password")
    assert "alert(1)" not in answer.text


def test_sec_9_a_setup_token_works_once_and_makes_an_owner_who_judges(entry):
    token = entry.doors.setup_token()
    client = entry.client()
    data = {"csrf": form_token(client.get("/setup").text), "token": token, "name": "Ann"}
    answer = client.post("/setup", data=data, headers=SAME)
    assert answer.status_code == 303
    (cookie,) = session_cookie(answer).values()
    assert entry.doors.visitor(cookie.value).roles == {"owner", "assessor"}
    again = entry.client()
    data = {"csrf": form_token(again.get("/setup").text), "token": token, "name": "Eve"}
    answer = again.post("/setup", data=data, headers=SAME)
    assert answer.status_code == 400
    assert "used before, or is too old" in answer.text
    assert [person.name for person in entry.room.people()] == ["Ann"]


def test_sec_9_tokens_expire(entry):
    token = entry.doors.setup_token()
    entry.hands.forward(minutes=15)
    with pytest.raises(PolicyError, match="too old"):
        entry.doors.set_up(token, "ann")
    code = invited(entry)
    entry.hands.forward(hours=24 * 7)
    with pytest.raises(PolicyError, match="too old"):
        entry.doors.accept(code, "ann", PASSWORD)


def test_sec_9_only_the_last_setup_token_works(entry):
    first, last = entry.doors.setup_token(), entry.doors.setup_token()
    with pytest.raises(PolicyError, match="too old"):
        entry.doors.set_up(first, "ann")
    entry.doors.set_up(last, "ann")


def test_sec_9_only_hashes_of_tokens_are_kept(entry):
    tokens = [entry.doors.setup_token(), invited(entry)]
    everything = "".join(str(rows(entry, table)) for table in ("tokens", "events", "meta", "users"))
    assert not any(token in everything for token in tokens)
    assert all(hashed(token) in everything for token in tokens)


def test_sec_9_a_setup_token_is_no_invitation_and_the_other_way_round(entry):
    with pytest.raises(PolicyError, match="too old"):
        entry.doors.accept(entry.doors.setup_token(), "ann", PASSWORD)
    with pytest.raises(PolicyError, match="too old"):
        entry.doors.set_up(invited(entry), "ann")


def test_sec_9_no_setup_where_there_are_accounts_or_other_machines(tmp_path):
    team = ServerSettings(public_url="https://judge.example.org")
    with opened(tmp_path, team, stub="inside") as place, pytest.raises(PolicyError, match="Sign in with yours"):
        place.doors.set_up(place.doors.setup_token(), "eve")
    with opened(tmp_path, stub="inside", new=False) as place:
        place.add("ann", "owner")
        with pytest.raises(PolicyError, match="Sign in with yours"):
            place.doors.set_up(place.doors.setup_token(), "eve")


def invited(place, *roles, name=""):
    """The code of a new invitation."""
    now = place.room.clock.now()
    return place.room.write(lambda store: invite(store, roles or ("assessor",), name=name, actor="ann", now=now))


def accept(place, code, name, password=PASSWORD, again=PASSWORD):
    """Fill in the form of an invitation."""
    client = place.client()
    data = {"csrf": form_token(client.get("/invite").text), "token": code, "name": name}
    return client.post("/invite", data={**data, "password": password, "again": again}, headers=SAME)


def test_sec_9_an_invitation_makes_one_account_with_its_roles(entry):
    code = invited(entry, "adjudicator")
    assert accept(entry, code, "bob").status_code == 303
    assert accept(entry, code, "eve").status_code == 400
    assert [(each.name, each.roles) for each in entry.room.people()] == [("bob", ("adjudicator",))]
    assert sign_in(entry.client(), "bob").status_code == 303


def test_a_wrong_field_does_not_use_up_an_invitation(accounts):
    code = invited(accounts)
    assert "two passwords differ" in accept(accounts, code, "bob", again="other password").text
    assert "at least 10" in accept(accounts, code, "bob", "short", "short").text
    assert "is taken" in accept(accounts, code, "ann").text
    assert "the name is empty" in accept(accounts, code, " ").text.lower()
    assert accept(accounts, code, "bob").status_code == 303


def test_an_invitation_for_an_account_sets_its_password(accounts):
    code = invited(accounts, name="ann")
    assert accept(accounts, code, "someone else", "another password", "another password").status_code == 303
    assert sign_in(accounts.client(), "ann", "another password").status_code == 303
    assert sign_in(accounts.client(), "ann").status_code == 401


@pytest.mark.parametrize(
    ("wanted", "given"),
    [
        ("/judge", "/judge"),
        ("//evil.example", "/"),
        ("https://evil.example", "/"),
        ("/\\evil.example", "/"),
        ("/login", "/"),
        ("/nowhere", "/"),
        ("", "/"),
    ],
)
def test_signing_in_leads_to_a_page_of_ours(accounts, wanted, given):
    assert sign_in(accounts.client(), next=wanted).headers["location"] == given


def test_a_page_that_needs_a_session_leads_to_signing_in_and_a_script_is_told(accounts):
    client = accounts.client()
    assert client.get("/judge").headers["location"] == "/login?next=/judge"
    answer = client.get("/judge", headers={"accept": "application/json"})
    assert (answer.status_code, list(answer.json())) == (401, ["error"])
    assert client.post("/judgments", headers=SAME).status_code == 401


def test_without_accounts_the_page_for_signing_in_asks_for_the_link(entry):
    assert "cranfield judge" in entry.client().get("/login").text
    assert "password" not in entry.client().get("/login").text


def test_pages_of_the_entry_have_no_inline_script_or_style(accounts):
    for path in ("/login", "/setup", "/invite"):
        text = accounts.client().get(path).text
        assert not re.search(r"<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=|javascript:", text)
        assert form_token(text)


def test_events_tell_who_came_and_went(accounts):
    client = accounts.client()
    sign_in(client)
    token = accounts.doors.visitor(client.cookies["cranfield-8765"]).csrf
    client.post("/logout", data={"csrf": token}, headers={"origin": HOME})
    kinds = [row[4] for row in rows(accounts, "events")]
    assert kinds[-2:] == ["login", "logout"]
