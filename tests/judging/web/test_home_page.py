"""S1 and S3 in words: what to do next for each role, what is decided, what an empty lab says, how long it takes."""

import secrets

from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, QueueRow, Work
from tests.judging.deciding.worlds import decide_lab, truth
from tests.judging.web.rooms import opened


def judge(place, name: str, most: int = 1000, grade=lambda work: 1) -> None:
    """Judge what is served, ten seconds each."""
    for _ in range(most):
        work = place.room.next(name)
        if not isinstance(work, Work):
            return
        place.hands.ms += 10_000
        answer = AssessorAnswer("judged", grade(work))
        place.room.judge(name, work.item, answer, client_id=secrets.token_hex(8), ms_active=9_000)


def test_the_card_leads_only_where_a_person_may_go(place):
    """S1: one card; the routes of 5.7."""
    for role, there, hidden in (
        ("owner", "/queues", "/judge"),
        ("viewer", "/compare", "/queues"),
        ("adjudicator", "Judging goes on", "/queues"),
    ):
        page = place.signed_in("x", role).get("/").text
        card = page.partition('aria-labelledby="todo"')[2].partition("</section>")[0]
        assert there in card
        assert f'href="{hidden}"' not in card


def test_adjudicators_are_sent_to_disputes_while_others_judge(tmp_path):
    with opened(tmp_path, k=2) as place:
        for name, grade in (("ann", 0), ("bob", 2)):
            place.room.add_user(name)
            judge(place, name, 2, lambda work, grade=grade: grade)
        disputed = place.room.status().disputed
        page = place.signed_in("eve", "adjudicator").get("/").text
        assert (f"{disputed} pair" in page and "in dispute</h2>" in page) or not disputed
        assert "Judging goes on" in place.signed_in("olga", "owner").get("/").text


def test_when_all_is_judged_the_qrels_are_one_click_away(place):
    place.room.add_user("ann")
    judge(place, "ann")
    owner = place.signed_in("olga", "owner")
    assert 'href="/export/qrels.txt">Download qrels' in owner.get("/").text
    assert len(owner.get("/export/qrels.txt?rule=majority&otherwise=median").text.splitlines()) == 5
    assert "/export/raw.jsonl" in owner.get("/queues").text


def test_pairs_that_no_longer_decide_anything_count_as_no_work(tmp_path):
    """S1: a decided queue is said to be decided; no time is told for what nobody will judge."""
    decide_lab(tmp_path / "lab.db")
    with opened(tmp_path, new=False) as place:
        place.room.add_user("ann")
        owner = place.signed_in("olga", "owner")
        assert "no judgment any more" not in owner.get("/").text
        judge(place, "ann", grade=lambda work: truth()[work.topic][work.document_id])
        page = owner.get("/").text
        assert place.room.not_needed() > 0
        assert "need no judgment any more, because what they were to decide is decided" in page
        assert "the rest takes" not in page


def test_an_empty_lab_tells_assessors_that_there_is_nothing_yet(tmp_path):
    Lab.create_from_rows(tmp_path / "lab.db", [], [], [], range(2), queue=QueueRow("pool"))
    with opened(tmp_path, new=False) as place:
        page = place.signed_in("ada", "assessor").get("/").text
        assert "nothing to judge yet" in page
        assert "Begin judging" not in page
        assert "cranfield judge add" in place.signed_in("olga", "owner").get("/").text


def test_queues_tell_the_time_left_and_people_the_share_they_skipped(place):
    """S3: time left of a queue, skip rate."""
    place.room.add_user("ann")
    judge(place, "ann", 3)
    work = place.room.next("ann")
    place.room.judge("ann", work.item, AssessorAnswer("cannot", reason="no text"), client_id="cannot")
    page = place.signed_in("olga", "owner").get("/queues").text
    assert 'data-label="Skipped">25.0 %' in page
    left = page.partition('data-label="Time left">')[2].partition("<")[0]
    assert left.endswith((" s", " min"))
