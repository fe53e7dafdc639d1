"""What is recorded with each judgment, and what an assessor is not told."""

from dataclasses import asdict

from cranfield.judging.exporting.export import rendered_export
from cranfield.judging.lab import Lab
from cranfield.judging.records import AssessorAnswer, PairRow, QueueRow, TopicRow
from cranfield.judging.store.files.doctor import repair
from cranfield.judging.store.guidelines import guidelines_of
from tests.judging.life import live


def judge(here, user, grade=1, **more):
    work = here.room.next(user)
    return here.room.judge(user, work.item, AssessorAnswer("judged", grade), client_id=here.client(), **more)


def event_of(here, saved):
    return next(event for event in here.room.events(limit=1000) if event.id == saved.event)


def test_gui_1_each_judgment_records_the_guidelines_it_was_made_under(opened):
    here = opened()
    first = judge(here, "ann")
    old = here.room.guidelines()
    new = here.room.set_guidelines("owner", "# Be strict\n")
    second = judge(here, "ann")
    assert [event_of(here, saved).guideline for saved in (first, second)] == [old.hash, new.hash]
    changed = here.room.events(kind="guideline")[0]
    assert (changed.actor, changed.old, changed.new) == ("owner", {"hash": old.hash}, {"hash": new.hash})
    assert here.room.next("ann").guideline == new.hash
    assert here.room.guidelines().text == "# Be strict\n"


def test_gui_1_a_version_that_judgments_name_is_kept(opened):
    here = opened()
    old = here.room.set_guidelines("owner", "old")
    here.room.set_guidelines("owner", "new")
    assert guidelines_of(here.room.read(), old.hash) == old


def test_app_6_active_and_away_time_and_the_method_are_stored(opened):
    here = opened()
    saved = judge(here, "ann", method="key", ms_active=4200, ms_away=61_000)
    event = event_of(here, saved)
    assert (event.method, event.ms_active, event.ms_away) == ("key", 4200, 61_000)
    assert next(person for person in here.room.status().people if person.person.name == "ann").median_ms == 4200


def test_app_3_every_change_is_a_new_event_and_nothing_is_overwritten(opened):
    here = opened()
    work = here.room.next("ann")
    version = None
    for grade in (0, 1, 2):
        answer = AssessorAnswer("judged", grade, note=f"note {grade}")
        version = here.room.judge("ann", work.item, answer, client_id=f"c{grade}", version=version).version
    here.room.undo("ann", "u")
    events = [event for event in reversed(here.room.events(item=work.item)) if event.kind != "claim"]
    assert [event.kind for event in events] == ["judge", "revise", "revise", "undo"]
    assert [event.new["grade"] for event in events] == [0, 1, 2, 1]
    assert [event.old and event.old["note"] for event in events] == [None, "note 0", "note 1", "note 2"]
    assert here.room.work("ann", work.item).mine.answer.grade == 1


def test_an_own_judgment_of_an_earlier_round_can_be_opened(opened):
    here = opened(topics=1, documents=1)
    here.room.add_repeats("owner", 1.0)
    for grade in (0, 2):
        work = here.room.next("ann")
        answer = AssessorAnswer("judged", grade)
        here.room.judge("ann", work.item, answer, client_id=here.client(), round=work.round)
    assert [here.room.work("ann", work.item, round).mine.answer.grade for round in (0, 1, None)] == [0, 2, 2]


def test_bld_1_what_an_assessor_gets_tells_nothing_of_pool_people_or_gold(opened, tmp_path):
    pairs = [PairRow("1", f"d{n}", stratum="STRATUM", probability=0.125, grade=2 if n == 2 else None) for n in range(3)]
    queue = QueueRow("QUEUENAME", k=2, gold_rate=0.5, pool={"runs": ["RUNNAME"]})
    lab = Lab.create_from_rows(tmp_path / "lab.db", pairs, [TopicRow("1", "query")], grades=range(3), queue=queue)
    here = opened(lab)
    for _ in range(3):
        work = here.room.next("bob")
        answer = AssessorAnswer("judged", 1, note="NOTE OF BOB", reason="REASON")
        here.room.judge("bob", work.item, answer, client_id=here.client())
    told = []
    for _ in range(4):
        work = here.room.next("ann")
        told.append(work)
        if hasattr(work, "item"):
            told += [here.room.document("ann", work.item), *here.room.last_ten("ann"), here.room.own_progress("ann")]
            told.append(here.room.judge("ann", work.item, AssessorAnswer("judged", 0), client_id=here.client()))
    text = " ".join(str(asdict(record)) for record in told)
    for secret in ("STRATUM", "0.125", "RUNNAME", "QUEUENAME", "NOTE OF BOB", "REASON", "bob", "gold"):
        assert secret not in text


def test_rel_9_an_export_is_the_same_before_and_after_a_rebuild(opened):
    here = opened(topics=3, documents=4, k=2, overlap=0.5)
    here.room.may_settle_own("owner", True)
    live(here, 11)
    here.room.close()
    lab = Lab.open(here.room.path)

    def exports():
        return [
            rendered_export(lab.snapshot(), rule, "median", None, (), None, ending=ending).data
            for rule, ending in (("adjudicated", ".txt"), ("raw", ".jsonl"))
        ]

    before = exports()
    repair(lab.path)
    assert exports() == before
