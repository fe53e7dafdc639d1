"""Pairs whose grade is known, over HTTP (APP-7, BLD-1): assessors cannot tell them, owners see results on S3 alone."""

import re

import httpx
import pytest

from cranfield.judging.jobs.gold import mix_in_gold
from cranfield.judging.records import DocumentRow
from cranfield.judging.web.routes import ROUTES
from tests.judging.web.rooms import opened


@pytest.fixture
def place(tmp_path):
    """Five pairs, and three of gold with texts of the same form."""
    with opened(tmp_path) as found:
        texts = [DocumentRow(f"d{n}", f"Title {n}", body=f"The text of document {n}.") for n in range(6, 9)]
        rows = [("q1", "d6", 2), ("q1", "d7", 2), ("q2", "d8", 0)]
        found.room.write(lambda store: mix_in_gold(store, rows, texts, found.room.clock.now(), rate=0.4))
        yield found


def judged_over_http(client, grade="2"):
    """Judge all that comes, as the script of the page does: every response by item."""
    seen: dict[str, list[httpx.Response]] = {}
    after = ""
    while True:
        page = client.get(f"/judge?part=work&after={after}")
        if (item := re.search(r'data-item="(\w+)"', page.text)) is None:
            return seen, page
        key = {"item": item[1], "grade": grade, "client_id": f"c{len(seen)}", "method": "key"}
        ahead = client.get(f"/judge?ahead={item[1]}")
        saved = client.post("/judgments", data=key, headers={"accept": "application/json"})
        again = client.get(f"/judge/{item[1]}")
        seen[item[1]] = [page, client.get(f"/doc/{item[1]}"), ahead, saved, again]
        after = item[1]


def shape(answer):
    """A response without what differs from pair to pair anyway: names, numbers, and what only the first or last has."""
    text = re.sub(r"[0-9a-f]{32}", "ID", answer.text)
    text = re.sub(
        r"d[1-8]\b|Title [1-8]|document [1-8]|q[12]|merge sorted files|cheap flights|Topic [12]", "NAME", text
    )
    text = re.sub(r"\d+", "N", text)
    text = re.sub(r'"ahead":\[[^]]*\]|<a [^>]*data-step="previous".*?</a>', "STEP", text)
    text = re.sub(r"<li.*</li>", "LAST", text, flags=re.DOTALL)  # the own last ten
    headers = {name: value for name, value in answer.headers.items() if name not in ("content-length", "date")}
    return answer.status_code, re.sub(r'"last":.*?"previous"', "", text), sorted(headers)


def test_app_7_bld_1_no_response_tells_gold_from_other_pairs(place):
    client = place.signed_in("ann", "assessor")
    seen, _ = judged_over_http(client)
    gold = {row[0] for row in place.room.read().execute("SELECT item FROM gold")}
    assert len(gold & seen.keys()) >= 2
    assert len(seen.keys() - gold) == 5
    for place_ in range(5):
        shapes = [
            {str(shape(seen[item][place_])) for item in some} for some in (gold & seen.keys(), seen.keys() - gold)
        ]
        assert shapes[0] <= shapes[1], place_
    for answers in seen.values():
        for answer in answers:
            assert "gold" not in f"{dict(answer.headers)} {answer.text}".lower()


def test_app_7_bld_1_no_page_of_an_assessor_names_gold(place):
    client = place.signed_in("ann", "assessor")
    judged_over_http(client)
    for row in ROUTES:
        if row.method == "GET" and "{" not in row.path:
            assert "gold" not in client.get(row.path).text.lower(), row.path


def test_app_7_results_are_on_s3_for_owners_without_open_pairs(place):
    boss = place.signed_in("boss", "owner")
    seen, _ = judged_over_http(place.signed_in("ann", "assessor"))
    got = len(seen) - 5
    right = sum(
        row[0]
        for row in place.room.read().execute("SELECT c.grade = g.grade FROM gold g JOIN current c ON c.item = g.item")
    )
    page = " ".join(boss.get("/queues").text.split())
    assert f"{right} of {got}" in page
    assert "3 at 40 %" in page
    for path in ("/", "/agreement", "/adjudicate", "/guidelines", "/settings"):
        assert "gold" not in boss.get(path).text.lower(), path


def test_app_7_an_owner_who_judges_sees_no_results_while_pairs_are_open(place):
    both = place.signed_in("both", "owner", "assessor")
    page = " ".join(both.get("/queues").text.split())
    assert "how many were right is shown when you have no open pairs" in page


def test_app_7_the_total_does_not_move(place):
    client = place.signed_in("ann", "assessor")
    seen, _ = judged_over_http(client)
    totals = [re.findall(r"of (\d+) <progress", answers[3].json()["progress"])[0] for answers in seen.values()]
    assert len(set(totals[:-1])) == 1
