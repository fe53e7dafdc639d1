"""Pairs whose grade is known (APP-7): mixed in at a rate, outside of k and of exports, and never told apart."""

import json

import pytest

from cranfield.errors import Error
from cranfield.judging.jobs.gold import mix_in_gold
from cranfield.judging.lab import Lab
from cranfield.judging.queue.serving import GoldWindow
from cranfield.judging.records import AssessorAnswer, PairRow, QueueRow, TopicRow, Work
from cranfield.judging.refusals import PairTaken, UnknownItem
from cranfield.judging.store.files.doctor import examine, repair
from cranfield.judging.store.items import gold_grades
from tests.judging.conftest import make_lab
from tests.judging.exporting.labs import served_elsewhere
from tests.judging.test_repeats import judge_all


def gold_lab(path, rate, **queue):
    pairs = [PairRow("1", f"d{number}") for number in range(20)]
    pairs += [PairRow("1", f"g{number}", grade=number % 2) for number in range(5)]
    row = QueueRow("pool", gold_rate=rate, **queue)
    return Lab.create_from_rows(path, pairs, [TopicRow("1", "query")], grades=range(3), queue=row)


def test_app_7_gold_is_mixed_in_at_a_rate_for_every_assessor(opened, tmp_path):
    here = opened(gold_lab(tmp_path / "gold.db", 0.2))
    names = [work.document_id for work in judge_all(here, "ann", 1)]
    gold = [place for place, name in enumerate(names) if name.startswith("g")]
    assert [place // 5 for place in gold] == [0, 1, 2, 3, 4]  # one in five
    assert len({place % 5 for place in gold}) > 1  # at places that cannot be guessed
    status = here.room.status()
    own = next(person for person in status.people if person.person.name == "ann")
    assert (own.gold_seen, own.gold_right) == (5, 2)
    bob = [work.document_id for work in judge_all(here, "bob", 0)]
    assert bob == []  # nothing to mix gold into


def test_app_7_gold_is_neither_in_dispute_nor_open(opened, tmp_path):
    here = opened(gold_lab(tmp_path / "gold.db", 0.5))
    for turn in range(30):
        user = ("ann", "bob")[turn % 2]
        if isinstance(work := here.room.next(user), Work):
            here.room.judge(user, work.item, AssessorAnswer("judged", turn % 2), client_id=here.client())
    assert here.room.status().disputed == 0
    assert here.room.status().open == 0


def test_app_7_without_a_rate_no_gold_is_served(opened, tmp_path):
    here = opened(gold_lab(tmp_path / "gold.db", 0.0))
    assert not any(work.document_id.startswith("g") for work in judge_all(here, "ann"))


def test_app_7_the_windows_follow_the_rate_exactly():
    for rate in (0.07, 0.1, 0.3, 0.4, 0.5):
        begins = [done for done in range(1000) if GoldWindow.of(done, rate, 7, "ann").done == 0]
        assert abs(len(begins) - 1000 * rate) <= 1
        places = [done for done in range(1, 1000) if GoldWindow.of(done, rate, 7, "ann").reached]
        assert all(GoldWindow.of(done, rate, 7, "ann").done >= 0 for done in places)


def test_app_7_pairs_fetched_ahead_keep_the_rate(opened, tmp_path):
    here = opened(gold_lab(tmp_path / "gold.db", 0.2))
    names, after = [], None
    while isinstance(work := here.room.next("ann", after), Work):
        here.room.ahead("ann", work.item)  # as a page does: two more are held
        here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id=here.client())
        names.append(work.document_id)
        after = work.item
    gold = [place for place, name in enumerate(names) if name.startswith("g")]
    assert [place // 5 for place in gold] == [0, 1, 2, 3, 4]


def test_app_7_gold_that_comes_late_does_not_come_all_at_once(opened, tmp_path):
    here = opened(topics=1, documents=60)
    for _ in range(30):
        work = here.room.next("ann")
        here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id=here.client())
    rows = [("q1", f"g{number}", 1) for number in range(10)]
    here.room.write(lambda store: mix_in_gold(store, rows, [], here.room.clock.now(), rate=0.1))
    names = [work.document_id for work in judge_all(here, "ann")]
    gold = [place for place, name in enumerate(names) if name.startswith("g")]
    windows = [(30 + place) // 10 for place in gold]
    assert windows[:3] == [3, 4, 5]  # one in ten, from now on
    assert len(set(windows)) == len(windows)


@pytest.mark.parametrize("k", [1, 2])
def test_app_7_bld_1_progress_does_not_tell_which_pair_was_gold(opened, tmp_path, k):
    here = opened(gold_lab(tmp_path / "gold.db", 0.2, k=k))
    totals = []
    while isinstance(work := here.room.next("ann"), Work):
        before = here.room.own_progress("ann")
        here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id=here.client())
        after = here.room.own_progress("ann")
        assert after.done == before.done + 1
        totals.append(before.total)
    assert len(set(totals)) == 1
    assert after.total == after.done == totals[0] == 25


@pytest.mark.parametrize("k", [1, 2])
def test_app_7_bld_1_a_link_from_another_assessor_does_not_tell_gold(opened, tmp_path, k):
    here = opened(gold_lab(tmp_path / "gold.db", 0.2, k=k))
    works = judge_all(here, "ann")
    gold = [work for work in works if work.document_id.startswith("g")]
    other = [work for work in works if work.document_id.startswith("d")]

    def answers(work):
        try:
            opened_ = type(here.room.work("bob", work.item)).__name__
        except UnknownItem:
            opened_ = "404"
        try:
            here.room.judge("cid", work.item, AssessorAnswer("judged", 0), client_id=here.client())
            saved = "saved"
        except PairTaken:
            saved = "409"
        return opened_, saved

    assert answers(gold[0]) == answers(other[0])


def test_app_7_gold_can_be_undone_put_off_and_changed_like_any_pair(opened, tmp_path):
    here = opened(gold_lab(tmp_path / "gold.db", 0.5))
    work = here.room.next("ann")
    while not work.document_id.startswith("g"):
        here.room.judge("ann", work.item, AssessorAnswer("judged", 0), client_id=here.client())
        work = here.room.next("ann")
    here.room.judge("bob", here.room.next("bob").item, AssessorAnswer("judged", 0), client_id=here.client())
    saved = here.room.judge("ann", work.item, AssessorAnswer("judged", 2), client_id=here.client())
    assert here.room.undo("ann", "u1").item == work.item
    assert here.room.next("ann").item == work.item  # it comes back
    here.room.judge("ann", work.item, AssessorAnswer("later"), client_id=here.client())
    assert here.room.next("ann").item != work.item
    here.room.judge("ann", work.item, AssessorAnswer("judged", 1), client_id=here.client(), version=saved.version)


def test_app_7_gold_is_outside_of_k_counts_and_exports(tmp_path, opened):
    lab = gold_lab(tmp_path / "gold.db", 0.2, k=2, overlap=0.0)
    assert (lab.status().pairs, lab.status().agreed, lab.status().topics[0].pairs) == (20, 0, 20)
    assert (lab.status().queues[0].pairs, lab.status().queues[0].gold) == (20, 5)
    here = opened(lab)
    for name in ("ann", "bob"):
        judge_all(here, name, 1)
    assert here.room.status().agreed == 20
    made = lab.export(tmp_path / "qrels.txt")
    assert {line.split()[2][0] for line in (tmp_path / "qrels.txt").read_text().splitlines()} == {"d"}
    assert (made.counts.judged, made.counts.gold) == (20, 5)
    meta = json.loads((tmp_path / "qrels.txt.meta.json").read_text())["practice"]
    assert meta["gold"] == {"pairs": 5, "judgments": 10}
    assert (meta["queues"][0]["gold_rate"], meta["judgments"]) == (0.2, 40)


def test_app_7_rel_9_gold_is_found_again_from_the_events(tmp_path, opened):
    lab = make_lab(tmp_path / "lab.db", topics=2, documents=4)
    lab.add_gold({"q1": {"x": 2, "y": 0}}, rate=0.25, allow_missing_docs=True)
    lab.add_gold({"q1": {"y": 1}, "q2": {"z": 1}}, rate=0.25, allow_missing_docs=True)
    judge_all(opened(lab), "ann", 1)
    with lab.reading() as connection:
        named = {pair.item: pair.document for pair in lab.snapshot().pairs}
        assert {named[item]: grade for item, grade in gold_grades(connection).items()} == {"x": 2, "y": 1, "z": 1}
    assert examine(lab.path).problems == ()  # all tables, made again from the events, are the same


def test_app_7_rel_9_doctor_puts_lost_gold_back(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    lab.add_gold({"q1": {"x": 2}}, allow_missing_docs=True)
    with lab.writing() as connection:
        connection.execute("DELETE FROM gold")
    assert "the table gold does not follow from the events" in examine(lab.path).problems
    repair(lab.path)
    assert lab.status().queues[0].gold == 1


def test_app_7_what_is_to_be_judged_anyway_and_what_has_no_work_is_left_out(tmp_path):
    lab = make_lab(tmp_path / "lab.db", topics=1)
    done = lab.add_gold({"q1": {"q1-d1": 1, "x": 2}, "q7": {"x": 1}}, allow_missing_docs=True)
    assert (done.added, done.wanted, done.elsewhere, done.gold, done.exit) == (1, 1, 1, 1, 5)
    again = lab.add_gold({"q1": {"x": 1}}, rate=0.2)
    assert (again.added, again.changed, again.gold, again.exit) == (0, 1, 1, 0)
    assert lab.add_gold({"q1": {"x": 1}}).unchanged == 1
    assert lab.add_gold(rate=0).line() == "queue 'pool': 1 pair with a known grade, none is served"


def test_app_7_gold_becomes_a_usual_pair_if_a_queue_asks_for_it(tmp_path):
    lab = make_lab(tmp_path / "lab.db", topics=1)
    lab.add_gold({"q1": {"x": 2}}, allow_missing_docs=True)
    lab.add([("q1", "x")])
    assert lab.status().pairs == 4
    assert {pair.document: pair.gold for pair in lab.snapshot().pairs}["x"] is False


@pytest.mark.parametrize(
    ("call", "code"),
    [
        ({"qrels": {"q1": {"x": 7}}, "allow_missing_docs": True}, "E410"),
        ({"qrels": {"q1": {"x": 1}}}, "E405"),
        ({"rate": 0.8}, "E242"),
        ({"rate": -0.1}, "E242"),
        ({"queue": "none"}, "E223"),
    ],
)
def test_app_7_mistakes_are_named_and_change_nothing(tmp_path, call, code):
    lab = make_lab(tmp_path / "lab.db")
    events = len(lab.snapshot().pairs), examine(lab.path).events
    with pytest.raises(Error) as caught:
        lab.add_gold(**call)
    assert caught.value.code == code
    assert (len(lab.snapshot().pairs), examine(lab.path).events) == events


def test_app_7_rel_11_gold_is_refused_while_the_lab_is_served(tmp_path):
    lab = make_lab(tmp_path / "lab.db")
    with served_elsewhere(lab), pytest.raises(Error, match="E404"):
        lab.add_gold(rate=0.1)
