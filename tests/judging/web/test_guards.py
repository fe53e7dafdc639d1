"""Hosts, origins, tokens, headers, sizes: what stands before every page (SEC-2, 3, 4, 5, 14, 16, 17)."""

import logging
from dataclasses import replace

import pytest
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.routing import Route, Router

from cranfield.errors import PolicyError
from cranfield.judging.refusals import AnswerRefused, NoteTooLong, NotSaved, PairTaken, UnknownItem
from cranfield.judging.web.guards import guarded
from cranfield.judging.web.guards.headers import framed
from cranfield.judging.web.routes import ANYONE, ROUTES, RouteRow
from cranfield.judging.web.settings import ServerSettings
from tests.judging.web.rooms import HOME, SAME, Place, opened

POSTS = [row for row in ROUTES if row.method == "POST"]


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "[::1]:8765", "LOCALHOST:8765"])
def test_sec_2_a_bound_name_and_port_is_answered(stubbed, host):
    assert stubbed.client().get("/healthz", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "127.0.0.1",
        "127.0.0.1:80",
        "localhost:8765.evil.example",
        "",
        "10.0.0.7:8765",
    ],
)
def test_sec_2_another_host_gets_421(stubbed, host):
    assert stubbed.client().get("/healthz", headers={"host": host}).status_code == 421


def test_sec_2_two_hosts_get_421(stubbed):
    answer = stubbed.client().get("/healthz", headers=[("host", "127.0.0.1:8765"), ("host", "evil.example")])
    assert answer.status_code == 421


def test_sec_2_the_public_address_is_answered(tmp_path):
    settings = ServerSettings(public_url="https://judge.example.org")
    with opened(tmp_path, settings, stub="all") as place:
        assert place.client().get("/healthz", headers={"host": "judge.example.org"}).status_code == 200
        assert place.client().get("/healthz", headers={"host": "example.org"}).status_code == 421


def test_sec_2_a_server_on_all_addresses_answers_to_the_one_that_was_reached(tmp_path):
    with opened(tmp_path, ServerSettings(host="0.0.0.0"), stub="all") as place:
        client = place.client()
        assert client.get("http://10.0.0.7:8765/healthz").status_code == 200
        assert client.get("http://10.0.0.7:8765/healthz", headers={"host": "10.0.0.8:8765"}).status_code == 421
        assert client.get("http://evil.example:8765/healthz").status_code == 421


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": ""},
        {"origin": "null"},
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "https://127.0.0.1:8765"},
        {"origin": HOME, "sec-fetch-site": "cross-site"},
        {"origin": HOME, "sec-fetch-site": "same-site"},
        {"origin": "http://evil.example", "sec-fetch-site": "same-origin"},
        {"origin": HOME, "x-csrf-token": "wrong"},
        {"origin": HOME, "x-csrf-token": ""},
    ],
)
def test_sec_3_a_request_from_elsewhere_or_without_the_token_changes_nothing(stubbed, headers):
    client = stubbed.signed_in("ann", "owner", "assessor")
    for row in POSTS:
        answer = client.post(row.path, headers=headers)
        assert answer.status_code == 403
        assert "answered by" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [SAME, {"origin": HOME, "sec-fetch-site": "same-origin"}, {"origin": "null", "sec-fetch-site": "same-origin"}],
)
def test_sec_3_a_request_of_our_own_pages_is_answered(stubbed, headers):
    client = stubbed.signed_in("ann", "owner", "assessor")
    for row in POSTS:
        assert client.post(row.path, headers=headers).text == f"answered by {row.page}"


@pytest.mark.parametrize("how", ["form", "json", "multipart"])
def test_sec_3_the_token_may_stand_in_the_body(stubbed, how):
    client = stubbed.signed_in("ann", "assessor")
    token = client.headers.pop("x-csrf-token")
    sent = {"form": {"data": {"csrf": token}}, "json": {"json": {"csrf": token}}}
    multipart = {"data": {"csrf": token}, "files": {"file": ("a.txt", b"text")}}
    assert client.post("/settings", **sent.get(how, multipart)).status_code == 200
    wrong = {"form": {"data": {"csrf": "x"}}, "json": {"json": {"csrf": "x"}}}
    assert client.post("/settings", **wrong.get(how, {"files": {"file": ("a.txt", b"x")}})).status_code == 403


def test_sec_3_the_token_of_another_session_is_refused(stubbed):
    ann, bob = stubbed.signed_in("ann", "assessor"), stubbed.signed_in("bob", "assessor")
    assert ann.post("/settings", headers={"x-csrf-token": bob.headers["x-csrf-token"]}).status_code == 403


def test_sec_3_without_a_session_forms_have_a_token_of_their_own(stubbed):
    client = stubbed.client()
    assert client.post("/login", headers=SAME).status_code == 403
    client.get("/login")
    assert client.post("/login", headers=SAME).status_code == 403


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_sec_3_other_methods_are_unknown(stubbed, method):
    client = stubbed.signed_in("ann", "owner")
    assert client.request(method, "/judgments").status_code == 405
    assert client.request(method, "/nowhere").status_code == 404


SEC_4 = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
SEC_5 = "default-src 'none'; style-src 'self'; img-src data:; frame-ancestors 'self'; sandbox allow-same-origin"


@pytest.mark.parametrize("path", ["/", "/login", "/nowhere", "/healthz", "/judge"])
@pytest.mark.parametrize("host", ["127.0.0.1:8765", "evil.example"])
def test_sec_4_every_answer_has_the_headers(stubbed, path, host):
    headers = stubbed.signed_in("ann", "viewer").get(path, headers={"host": host}).headers
    assert headers["content-security-policy"] == SEC_4
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert headers["cross-origin-resource-policy"] == "same-origin"


def answering(place: Place, answer) -> Place:
    """The same room, where the home page does something else."""

    async def endpoint(request):
        return answer()

    return replace(place, app=guarded(Router([Route("/", endpoint)]), place.doors))


def test_sec_5_documents_have_their_own_headers(stubbed):
    client = answering(stubbed, lambda: framed(PlainTextResponse("text"))).signed_in("ann", "viewer")
    headers = client.get("/").headers
    assert headers["content-security-policy"] == SEC_5
    assert "x-cranfield-framed" not in headers


def test_sec_14_a_body_of_more_than_a_megabyte_gets_413(stubbed):
    client = stubbed.signed_in("ann", "assessor")
    assert client.post("/settings", data={"a": "x" * 1_000_000}).status_code == 200
    assert client.post("/settings", data={"a": "x" * 1_100_000}).status_code == 413


def test_sec_14_a_body_of_unknown_length_is_counted(stubbed):
    client = stubbed.signed_in("ann", "assessor")
    pieces = (b"x" * 65536 for _ in range(20))
    kind = {"content-type": "application/x-www-form-urlencoded"}
    assert client.post("/settings", content=pieces, headers=kind).status_code == 413


def test_sec_14_a_large_body_is_for_owners_alone():
    large = [row for row in ROUTES if row.body > 1 << 20]
    assert all(row.who == {"owner"} and row.body <= 64 << 20 for row in large)


def test_sec_14_long_heads_get_413(stubbed):
    client = stubbed.client()
    assert client.get("/healthz?" + "x" * 9000).status_code == 413
    assert client.get("/healthz", headers={"x-long": "x" * 17000}).status_code == 413


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("application/json", b"{"),
        ("application/json", b"[1]"),
        ("application/json", b"[" * 100_000),
        ("application/x-www-form-urlencoded", b"a=\xff\xfe"),
        ("application/x-www-form-urlencoded", b"&".join(b"a=1" for _ in range(2000))),
        ("multipart/form-data", b"nothing"),
        ("multipart/form-data; boundary=x", b"--x\r\nContent-Disposition: form-data; name=a\r\n"),
        ("text/plain", b"csrf=x"),
        ("image/png", b"x"),
    ],
)
def test_a_body_that_cannot_be_read_gets_400(stubbed, kind, body):
    client = stubbed.signed_in("ann", "assessor")
    assert client.post("/settings", content=body, headers={"content-type": kind}).status_code in (400, 200)
    assert client.get("/healthz").status_code == 200


def test_sec_16_an_error_page_shows_a_number_and_the_log_repeats_nothing_that_was_written(stubbed, caplog):
    def fails():
        raise KeyError("the secret note <b>")

    client = answering(stubbed, fails).signed_in("ann", "viewer")
    with caplog.at_level(logging.DEBUG):
        answer = client.get("/", headers={"accept": "text/html"})
    assert answer.status_code == 500
    number = answer.text.split("number ")[1].split(".")[0]
    assert f"fault {number}: KeyError" in caplog.text
    assert "secret note" not in caplog.text + answer.text
    assert "Traceback" not in answer.text


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (HTTPException(404, "There is no such pair."), 404),
        (NotSaved.because(OSError("disk full")), 507),
        (UnknownItem.named("item", "x"), 404),
        (PairTaken.by_others(), 409),  # E409
        (AnswerRefused.because("the lab has no grade 9"), 422),  # E410
        (PolicyError("E242", "the grade is wrong"), 400),
        (NoteTooLong.because("the note is too long"), 413),
    ],
)
def test_an_error_of_a_page_is_a_sentence(stubbed, error, status):
    def fails():
        raise error

    client = answering(stubbed, fails).signed_in("ann", "viewer")
    answer = client.get("/", headers={"accept": "application/json"})
    assert answer.status_code == status
    assert list(answer.json()) == ["error"]


FORWARDED = {
    "x-forwarded-for": "1.2.3.4",
    "x-forwarded-proto": "https",
    "x-forwarded-host": "evil.example",
    "forwarded": "for=1.2.3.4",
}


def seen(place: Place, address: str, **headers):
    """What a page learns about a visitor: address, scheme, headers."""
    found: dict = {}

    async def endpoint(request):
        found.update(client=request.client.host, scheme=request.url.scheme, headers=dict(request.headers))
        return PlainTextResponse("")

    other = replace(place, app=guarded(Router([Route("/healthz", endpoint)]), place.doors))
    answer = other.client(address).get("/healthz", headers=headers)
    return answer, found


def test_sec_17_nothing_forwarded_is_believed_without_a_trusted_proxy(stubbed):
    answer, found = seen(stubbed, "10.1.1.1", **FORWARDED)
    assert answer.status_code == 200
    assert (found["client"], found["scheme"]) == ("10.1.1.1", "http")
    assert not {name for name in found["headers"] if "forwarded" in name}


def test_sec_17_a_trusted_proxy_is_believed_about_the_last_address_it_saw(tmp_path):
    settings = ServerSettings(public_url="https://judge.example.org", trusted_proxies=("10.1.1.1", "10.1.1.2"))
    with opened(tmp_path, settings, stub="all") as place:
        chain = {**FORWARDED, "x-forwarded-for": "6.6.6.6, 1.2.3.4, 10.1.1.2", "x-forwarded-host": "judge.example.org"}
        _, found = seen(place, "10.1.1.1", **chain)
        assert (found["client"], found["scheme"]) == ("1.2.3.4", "https")
        answer, _ = seen(place, "10.1.1.1", **FORWARDED)
        assert answer.status_code == 421


def test_a_prefix_of_the_proxy_may_be_kept_or_taken_off(tmp_path):
    settings = ServerSettings(public_url="https://judge.example.org/lab")
    with opened(tmp_path, settings, stub="all") as place:
        client = place.client(headers={"host": "judge.example.org"})
        assert client.get("/healthz").status_code == client.get("/lab/healthz").status_code == 200
        assert client.get("/lab/").headers["location"] == "/lab/login"


def test_rows_of_the_table_are_each_there_once():
    assert len({(row.method, row.path) for row in ROUTES}) == len(ROUTES)
    assert {row.method for row in ROUTES} == {"GET", "POST"}
    assert all(row.who for row in ROUTES if row.method == "POST" and row.path not in ("/login", "/setup", "/invite"))
    assert RouteRow("GET", "/x", ANYONE, "") not in ROUTES
