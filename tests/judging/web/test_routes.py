"""Every route with every role (SEC-10): what 5.7 of the product definition says, written down a second time."""

import pytest

from cranfield.judging.accounts.roles import ROLES
from cranfield.judging.web.app import page_of
from cranfield.judging.web.routes import ROUTES, found
from tests.judging.web.rooms import SAME, address_of

EVERYONE, JUDGES, SETTLES, LOOKS, OWNS = "vajo", "ajo", "jo", "vo", "o"  # viewer, assessor, adjudicator, owner
LETTERS = {"viewer": "v", "assessor": "a", "adjudicator": "j", "owner": "o"}
WITHOUT_SIGN_IN = {
    *("GET /login", "POST /login", "GET /setup", "POST /setup", "GET /invite", "POST /invite"),
    *("GET /static/{path:path}", "GET /healthz"),
}
GRANTED = {
    "GET /": EVERYONE,
    "GET /guidelines": EVERYONE,
    "GET /settings": EVERYONE,
    "POST /settings": EVERYONE,
    "POST /logout": EVERYONE,
    "GET /judge": JUDGES,
    "GET /judge/{item}": JUDGES,
    "GET /doc/{item}": JUDGES,
    "POST /judgments": JUDGES,
    "POST /judgments/undo": JUDGES,
    "POST /leases/renew": JUDGES,
    "GET /agreement": SETTLES,
    "GET /adjudicate": SETTLES,
    "GET /adjudicate/{item}": SETTLES,
    "POST /adjudications": SETTLES,
    "GET /compare": LOOKS,
    "GET /topics/{topic}": LOOKS,
}
OWNERS_ALONE = ("/queues", "/leases/release", "/invites", "/users", "/audit", "/export/qrels", "/export/raw")


def granted(row) -> str:
    """The roles that may ask, as the product definition has them; everything else is for owners."""
    if row.path.startswith("/export/scores"):
        return LOOKS
    return GRANTED.get(f"{row.method} {row.path}", OWNS)


@pytest.mark.parametrize("row", ROUTES, ids=lambda row: f"{row.method} {row.path}")
def test_sec_10_every_route_answers_the_roles_that_it_should_and_no_other(stubbed, row):
    path = address_of(row)
    anonymous = stubbed.client().request(row.method, path, headers=SAME)
    if f"{row.method} {row.path}" in WITHOUT_SIGN_IN:
        assert anonymous.text == f"answered by {row.page}" or row.method == "POST"  # which needs the token of a form
        return
    assert anonymous.status_code == (401 if row.method == "POST" else 303)
    for role in ROLES:
        answer = stubbed.signed_in("one", role).request(row.method, path)
        allowed = LETTERS[role] in granted(row)
        assert answer.status_code == (200 if allowed else 403), role
        assert (answer.text == f"answered by {row.page}") == allowed


def test_sec_10_a_person_with_several_roles_may_do_what_each_of_them_may(stubbed):
    client = stubbed.signed_in("two", "viewer", "assessor")
    assert client.get("/judge").status_code == client.get("/compare").status_code == 200
    assert client.get("/queues").status_code == 403


def test_sec_10_a_person_without_a_role_may_do_nothing(stubbed):
    client = stubbed.signed_in("none")
    assert {client.get(path).status_code for path in ("/", "/judge", "/queues", "/settings")} == {403}


@pytest.mark.parametrize("path", ["/admin", "/judge/a/b", "/judge/", "/static", "/.env", "/export/raw.jsonl/x"])
def test_sec_10_what_the_table_lacks_does_not_exist_for_owners_too(stubbed, path):
    assert stubbed.signed_in("owner", "owner").get(path).status_code == 404


def test_sec_10_routes_of_owners_are_there():
    for path in ("/queues", "/audit"):
        assert found("GET", path) is not None
    rows = [row for row in ROUTES if row.path.startswith(OWNERS_ALONE)]
    assert all(row.who == {"owner"} for row in rows)


def test_sec_10_every_row_of_the_product_definition_is_in_the_table():
    listed = {f"{row.method} {row.path}" for row in ROUTES}
    assert set(GRANTED) <= listed
    assert listed >= WITHOUT_SIGN_IN


@pytest.mark.parametrize("row", [row for row in ROUTES if row.page], ids=lambda row: row.page)
def test_every_row_of_the_table_has_its_page(row):
    assert callable(page_of(row))


def test_a_head_is_answered_as_a_get(stubbed):
    assert stubbed.client().head("/healthz").status_code in (200, 405)
    assert stubbed.client().head("/queues").status_code == 303
