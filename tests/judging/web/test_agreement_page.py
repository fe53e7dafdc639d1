"""S4 on the page: the systems under each assessor, and disagreements by what they change about the systems."""

import re

import pytest

from cranfield.judging.jobs.importing import import_grades
from cranfield.judging.records import AssessorAnswer
from cranfield.read.objects import as_runs
from tests.judging.web.rooms import opened

RUNS = {  # d3 is first in one run alone; d1 is second in both
    "bm25": {"q1": ["d3", "d1", "d2"], "q2": ["d4", "d5"]},
    "dense": {"q1": ["d2", "d1", "d3"], "q2": ["d4", "d5"]},
}
ANN = {"d1": 2, "d2": 0, "d3": 1, "d4": 1, "d5": 0}
BOB = {"d1": 0, "d2": 0, "d3": 0, "d4": 1, "d5": 0}


@pytest.fixture
def place(tmp_path):
    """Two assessors differ by two grades about d1, which changes nothing, and by one about d3, which does."""
    with opened(tmp_path, k=2) as found:
        for name, grades in (("ann", ANN), ("bob", BOB)):
            found.room.add_user(name)
            while grades and (work := found.room.next(name)) and hasattr(work, "item"):
                answer = AssessorAnswer("judged", grades[work.document_id])
                found.room.judge(name, work.item, answer, client_id=f"{name} {work.item}")
        yield found


def listed(page: str) -> list[str]:
    """The documents of the list, in order."""
    return re.findall(r'data-label="Document"[^>]*>(\w+)<', page)


def test_without_runs_those_come_first_that_are_farthest_apart(place):
    page = place.signed_in("olga", "owner").get("/agreement").text
    assert listed(page) == ["d1", "d3"]
    assert "Does it matter?" not in page
    assert "ann and bob gave the same grade to 60 % of 5 pairs that both judged" in page


def test_with_runs_of_the_lab_those_come_first_that_move_a_difference_most(place):
    place.room.keep_runs(list(as_runs(RUNS).members), 10)
    owner = place.signed_in("olga", "owner")
    page = owner.get("/agreement?measure=P@1").text
    assert listed(page) == ["d3", "d1"]
    assert re.search(r"Does it matter\?</b> τ of the system orders under ann and under bob", page)
    assert "bm25 – dense" in page or "dense – bm25" in page
    assert 'value="bm25" checked' in page


def test_a_measure_that_does_not_exist_is_named_and_the_rest_stays(place):
    place.room.keep_runs(list(as_runs(RUNS).members), 10)
    wrong = place.signed_in("olga", "owner").get("/agreement?measure=nonsense")
    assert wrong.status_code == 422
    assert "nonsense" in wrong.text
    assert listed(wrong.text) == ["d1", "d3"]


def test_an_adjudicator_is_told_the_effect_and_not_which_system_it_favours(place):
    """BLD-1 for those who settle: they may not compare systems."""
    place.room.keep_runs(list(as_runs(RUNS).members), 10)
    page = place.signed_in("eve", "adjudicator").get("/agreement?measure=P@1").text
    assert listed(page) == ["d3", "d1"]
    assert "bm25" not in page
    assert "dense" not in page
    assert "system 1 – system 2" in page or "system 2 – system 1" in page


def test_only_pairs_in_dispute_can_be_settled_from_the_list(place):
    """S4: a model that differs from people makes no dispute, so that no link leads nowhere."""
    rows = [("q1", name, 2 - grade) for name, grade in BOB.items() if name == "d2"]
    place.room.write(lambda store: import_grades(store, "model", "llm", rows, place.hands.ms))
    eve = place.signed_in("eve", "adjudicator")
    page = eve.get("/agreement").text
    assert "People and model differ" in page
    links = re.findall(r'href="(/adjudicate/[0-9a-f]+)"', page)
    assert len(links) == 2
    assert [eve.get(link).status_code for link in links] == [200, 200]
